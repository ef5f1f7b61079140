/* debug.c - names as the learner wrote them.
 */
#include "ptx/internal.h"

bool debug_apply(Parser *parser) {
    return !parser->failed;
}
