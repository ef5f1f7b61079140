/* ptx_text.c - what clang leaves in the PTX that is not the program's: threadIdx and its kin are objects in
 * our headers that nothing ever reads, yet without optimisation clang declares them as global variables. They
 * are blanked out, so that no finding about a stray pointer ever speaks of them.
 */
#include "warpcc/warpcc.h"

#include <string.h>

static const char *const BUILTINS[] = {" threadIdx[1];", " blockIdx[1];", " blockDim[1];", " gridDim[1];"};
enum { BUILTIN_COUNT = sizeof BUILTINS / sizeof BUILTINS[0] };

static void blank_line(Text *ptx, char *inside) {
    char *start = inside, *end = inside + strcspn(inside, "\n");
    while (start > ptx->bytes && start[-1] != '\n')
        start--;
    size_t length = (size_t)(end - start);
    if (memmem(start, length, ".global ", strlen(".global "))) memset(start, ' ', length);
}

void ptx_blank_builtins(Text *ptx) {
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        char *found = memmem(ptx->bytes, ptx->length, BUILTINS[i], strlen(BUILTINS[i]));
        if (found) blank_line(ptx, found);
    }
}
