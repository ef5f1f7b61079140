/* verdict_work.h - a wrong case worked out by hand. */
#pragma once

#include "autograder/check/check.h"

/** Adds to what is said of a wrong answer, where nothing else explains it: the inputs, how the right element
 * comes about step by step, and what came out. Never of a hidden case. Needs to know which finding follows
 * from which. */
void verdict_work_by_hand(Check *check);
