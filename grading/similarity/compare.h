/* compare.h - from a class's programs to ranked pairs and groups. */
#pragma once

#include "grading/similarity/alike.h"
#include "grading/similarity/fragments.h"

/** Tokens of a fragment: four lines of a kernel have some thirty, and what is reordered comes in lines. */
enum { STRUCTURE_FRAGMENT = 9, WORDING_FRAGMENT = 1, SHORTEST_RUN = 10 };

/** Structure and wording of what everybody was given. */
typedef struct GivenTexts {
    Given structure, wording;
} GivenTexts;

/** Fills in the pairs, the threshold and the groups. False without memory. */
bool compare_programs(Alike *alike, Arena *arena, const GivenTexts *given, size_t most_pairs);
