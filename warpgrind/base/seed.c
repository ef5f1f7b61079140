/* seed.c - the kernel's random bytes as a seed; see seed.h. */
#include "base/seed.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

bool seed_draw(long *seed, Diagnostics *diagnostics) {
    enum { SEED_BYTES = 6 };
    uint64_t drawn = 0;
    if (getrandom(&drawn, SEED_BYTES, 0) != SEED_BYTES) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot draw a seed: %s", strerror(errno));
        return false;
    }
    *seed = (long)drawn;
    return true;
}
