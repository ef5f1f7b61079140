/* seeds.h - what the inputs of each case and the order of threads in each schedule are made from.
 *
 * In a check for a grade they come from a secret: whoever sees the inputs of one case, and they are no secret
 * where the case is a visible one, can find neither those of another one nor the seed of the grading.
 */
#pragma once

#include "base/hash.h"

#include <stdint.h>

typedef struct Seeds {
    long given;            /**< the one number that repeats the check */
    char secret[HASH_HEX]; /**< empty where a seed is no secret */
} Seeds;

/** For a check that a student repeats: nearby numbers, as a person would choose them. */
Seeds seeds_plain(long given);
/** For a check for a grade. Takes about a millisecond, by purpose: that many times longer takes who tries all
 * numbers. */
Seeds seeds_secret(long given);

uint64_t seeds_of_case(const Seeds *seeds, unsigned index, unsigned schedule);
/** Below 2^48. */
long seeds_of_order(const Seeds *seeds, unsigned schedule);
