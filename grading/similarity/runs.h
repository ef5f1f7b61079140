/* runs.h - the runs of lines that two programs share, for the page that shows them side by side. */
#pragma once

#include "grading/similarity/alike.h"
#include "grading/similarity/tokens.h"

/** Runs of at least `shortest` tokens, none of which is in two runs, the longest first; they are the arena's.
 * At most RUNS_MOST. */
enum { RUNS_MOST = 64 };
SharedRun *runs_find(Arena *arena, const Tokens *first, const Tokens *second, size_t shortest, size_t *count);
