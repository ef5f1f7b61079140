/* card.h - the GPU of this machine, and the compiler for it, as NVIDIA's own tools tell of them.
 *
 * Asked for once a check: nvidia-smi (its manual page, "--query-gpu") names the card, its driver and what
 * disturbs it. Nothing here links a library of NVIDIA's, so the judge is the same program on every machine.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

/** What is missing for a check on a card; each has a text (`[card]` of texts.txt). */
typedef enum CardLack {
    CARD_THERE,
    CARD_NO_COMPILER, /**< no nvcc in CUDA_HOME, PATH, or /usr/local/cuda */
    CARD_NO_TOOL,     /**< no nvidia-smi: no driver is installed */
    CARD_NO_DRIVER,   /**< nvidia-smi says that there is no card, or no driver */
    CARD_TOO_OLD      /**< a card that this nvcc has no code for */
} CardLack;

enum { CARD_MOST = 8 };

/** The first card that may be used. All texts are in the arena. */
typedef struct Card {
    const char *name;            /**< "NVIDIA H100 80GB HBM3" */
    const char *driver;          /**< its version: "580.159.04" */
    const char *architecture;    /**< for nvcc: "sm_90" */
    const char *nvcc;            /**< its path, all links followed */
    const char *toolkit;         /**< the folder that nvcc needs, which a sandbox has to show */
    const char *said;            /**< what nvidia-smi said when there is no card; NULL */
    unsigned count;              /**< cards that may be used: CUDA_VISIBLE_DEVICES names them, or all */
    unsigned numbers[CARD_MOST]; /**< theirs, as nvidia-smi counts; the first one's is what stands above */
    bool busy, shared;           /**< others compute on it now; it is cut in parts (MIG) */
    bool throttled;              /**< it runs slower than it can: power or heat */
} Card;

/** Whether nvcc is installed at all: the question that costs nothing, for who asks at each check. */
bool card_has_compiler(Arena *arena);
/** Asks the machine; what it found before something was missing is in `card` too. */
CardLack card_find(Card *card, Arena *arena);
/** Why not, as a sentence, and what to do about it. */
const char *card_explain(CardLack lack, const Card *card, Arena *arena);
const char *card_remedy(CardLack lack);
