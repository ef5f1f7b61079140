/* rounds.h - whether what is seen of a loop goes round: the same again and again.
 *
 * A loop that waits may have loops inside that count from the start in each of its rounds, as a copy byte by
 * byte does. No single value tells that: all that a warp decides from one time at some instruction to the
 * next is a round, and a round that is exactly like the one before makes the next one like it, too.
 */
#pragma once

#include "gpu/state/warp.h"

/** A place in the trail that rounds may begin at: where it was last time, and the round that ended there. */
typedef struct RoundMark {
    uint64_t sum, count; /**< of the trail */
    uint64_t round, length;
} RoundMark;

/** One more thing that the warp has decided. */
void rounds_step(GpuRounds *rounds, uint64_t what);
/** The trail has come to the mark again. When the round is like the one before, the trail repeats. */
void rounds_mark(GpuRounds *rounds, RoundMark *mark);

/** The values that one instruction has had: whether they come back after so many, twice in a row (R. P.
 * Brent's way to find a cycle). Zero to begin with. */
typedef struct RoundValues {
    uint64_t kept;          /**< a value of before */
    uint32_t since, until;  /**< values since then; so many until another one is kept */
    uint32_t period, times; /**< values from the kept one to its like, and how often it was so many */
} RoundValues;

void rounds_value(RoundValues *values, uint64_t value);
bool rounds_recur(const RoundValues *values);
