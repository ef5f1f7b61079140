/* api.h - shared by the programs here: each calls the runtime functions of one group and checks what they
 * give.
 *
 * They run under warpgrind (../warpgrind.sh) and would run the same on a real GPU, as far as the values
 * allow. Exit 0: all as expected.
 */
#pragma once

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int failures = 0;

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                   \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

#define FINE(call) EXPECT((call) == cudaSuccess)

static inline int finish(void) {
    FINE(cudaGetLastError());
    if (failures == 0) printf("fine\n");
    return failures != 0;
}
