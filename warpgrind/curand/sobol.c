/* sobol.c - see sobol.h: directions of all lengths from the first few (Bratley and Fox, algorithm 659). */
#include "curand/sobol.h"

enum { MAX_DEGREE = 13 };

typedef struct Dimension {
    uint8_t degree;
    uint16_t inner;
    uint16_t first[MAX_DEGREE];
} Dimension;

#define SOBOL_DIMENSION(degree, inner, ...) {degree, inner, {__VA_ARGS__}},
static const Dimension dimensions[SOBOL_DIMENSIONS - 1] = {
#include "curand/sobol.def"
};

/** Direction i as a number of i + 1 bits, shifted to the upper end of 64: the polynomial makes each from
 * those before. */
void sobol_directions64(unsigned dimension, uint64_t directions[64]) {
    for (unsigned i = 0; i < 64; i++) {
        directions[i] = UINT64_C(1) << (63 - i);
        if (dimension == 0) continue;
        const Dimension *d = &dimensions[dimension - 1];
        if (i < d->degree) {
            directions[i] = (uint64_t)d->first[i] << (63 - i);
            continue;
        }
        uint64_t before = directions[i - d->degree];
        directions[i] = before ^ before >> d->degree;
        for (unsigned k = 1; k < d->degree; k++)
            if (d->inner >> (d->degree - 1 - k) & 1) directions[i] ^= directions[i - k];
    }
}

void sobol_directions32(unsigned dimension, uint32_t directions[32]) {
    uint64_t wide[64];
    sobol_directions64(dimension, wide);
    for (unsigned i = 0; i < 32; i++)
        directions[i] = (uint32_t)(wide[i] >> 32);
}

uint64_t sobol_number(const uint64_t directions[64], uint64_t index) {
    uint64_t number = 0, gray = index ^ index >> 1;
    for (unsigned bit = 0; gray != 0; bit++, gray >>= 1)
        if (gray & 1) number ^= directions[bit];
    return number;
}
