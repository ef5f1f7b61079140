/* turn.h - the GPUs of this machine, taken in turn by the workers of a grading, and never shared.
 *
 * A worker takes a card before it asks it, and waits while all are taken. Slurm gives each of its jobs cards
 * of their own (--gres), and names them in CUDA_VISIBLE_DEVICES: there nobody waits. What a worker has taken
 * is free again when it ends, whichever way.
 */
#pragma once

#include "autograder/card/card.h"
#include "base/arena.h"

#include <stdbool.h>

/** What a worker has taken: the descriptors of its locks. */
typedef struct Turn {
    int locks[CARD_MOST];
    unsigned count;
    const char *before; /**< CUDA_VISIBLE_DEVICES before that; NULL: it was not set */
} Turn;

/** Waits for a card of this machine, or for all of them, and lets the programs that are started from now on
 * see no others (CUDA_VISIBLE_DEVICES). `folder`: where the workers of the grading leave their locks. False
 * without a card, with nothing taken: the check on the card says why; and with errno when no lock can be
 * made. */
bool turn_take(Turn *turn, const char *folder, bool all, Arena *arena);
/** Gives back what was taken. */
void turn_end(Turn *turn);
