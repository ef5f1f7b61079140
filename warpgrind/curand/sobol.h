/* sobol.h - Sobol's quasirandom points: number i of a dimension is the sum, modulo two, of the directions
 * that the bits of i's Gray code name. */
#pragma once

#include <stdint.h>

/** LIMIT: cuRAND has 20,000 dimensions; each is a row of sobol.def. */
enum { SOBOL_DIMENSIONS = 512 };

/** One dimension's directions, in words of 32 or 64 bits. */
void sobol_directions32(unsigned dimension, uint32_t directions[32]);
void sobol_directions64(unsigned dimension, uint64_t directions[64]);
/** Number `index` of the dimension that has these directions; with 32 bits they are the upper half's. */
uint64_t sobol_number(const uint64_t directions[64], uint64_t index);
