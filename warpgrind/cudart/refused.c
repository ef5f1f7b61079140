/* refused.c - functions that the software GPU does not have yet: they say so, by name and line, and fail.
 *
 * One stub per API_REFUSED row of api.def. They are declared without their arguments, which they do not look
 * at.
 */
#include "cudart/client.h"

#define API_REFUSED(name)                                                                                    \
    EXPORT CudaError name(void);                                                                             \
    CudaError name(void) {                                                                                   \
        return CLIENT_SEND(REFUSED, .function = WIRE_##name);                                                \
    }
#include "cudart/api.def"
