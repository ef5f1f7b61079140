/* targets.c - the cards that device code can be compiled for: what -arch asks for, as near as this clang
 * comes.
 *
 * A clang knows the cards of its day. Code for an older card runs on a newer one, so when clang refuses a
 * card, the next older one is tried; sm_60 is the oldest that the headers' atomics are for.
 */
#include "warpcc/warpcc.h"

#include <string.h>

/* PTX ISA, the table of .target: the version that each needs, or the one that the headers need. */
static const Target TARGETS[] = {
    {60, "75"}, {61, "75"}, {62, "75"}, {70, "75"}, {72, "75"},  {75, "75"},  {80, "75"},
    {86, "75"}, {87, "75"}, {89, "78"}, {90, "78"}, {100, "86"}, {120, "87"},
};
enum { TARGET_COUNT = sizeof TARGETS / sizeof TARGETS[0] };

const Target *target_choose(unsigned architecture) {
    const Target *best = &TARGETS[0];
    for (size_t i = 1; i < TARGET_COUNT; i++)
        if (TARGETS[i].architecture <= architecture) best = &TARGETS[i];
    return best;
}

const Target *target_older(const Target *target) {
    if (target > TARGETS) return target - 1;
    return NULL;
}

bool target_refused(const char *said) {
    return strstr(said, "unsupported CUDA gpu architecture") || strstr(said, "unknown target CPU 'sm_") ||
           strstr(said, "is not a recognized processor");
}
