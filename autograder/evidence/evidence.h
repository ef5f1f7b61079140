/* evidence.h - whether a right answer was worked out by kernels: what the host sent the device in both
 * schedules, side by side.
 *
 * The schedules have the same sizes and other values. What the host sends may differ only where it passes on
 * what it was given: words of the case's inputs and words that came back from the device, by one mapping of
 * places to places that holds in both. What the choice of such a mapping could say is bounded
 * (docs/evidence.md, evidence_choices.c). Whatever else differs (bytes that are copied, a parameter, the
 * value of a memset, the shape or number of launches) was worked out on the host. The order of calls counts
 * where they use the memory of the same device; which of two devices got its work first does not, as that is
 * for the host's threads to race for. Which of two host threads got hold of the one device first tells
 * nothing either, but may be seen in what its kernels make: then the runs cannot be compared, and nobody is
 * accused of anything.
 */
#pragma once

#include "autograder/run/run.h"

/** How the records of the two runs differ, or why they cannot be compared. */
typedef enum EvidenceFinding {
    EVIDENCE_FINE,
    EVIDENCE_CONTENTS, /**< bytes that depend on the inputs, and are none of them */
    EVIDENCE_CHOSEN,   /**< words that came back or were given, picked by their values */
    EVIDENCE_SHAPE,    /**< sizes, places or kernels depend on the inputs' values */
    EVIDENCE_CALLS,    /**< which calls are made depends on them */
    EVIDENCE_CUT,      /**< more was sent than was kept */
    EVIDENCE_THREADS,  /**< host threads that used one device at the same time: a difference proves nothing */
    EVIDENCE_APART /**< a program died in one schedule only, so the two records begin at different cases */
} EvidenceFinding;

/** The first difference, and the call that it is at. */
typedef struct EvidenceFault {
    EvidenceFinding found;
    const char *call; /**< "a copy to the device", in a learner's words */
    const char *file; /**< where; NULL unknown */
    int line;
} EvidenceFault;

/** Compares what was sent in this case. EVIDENCE_FINE also when a schedule did not get to it. */
EvidenceFault evidence_compare(const Check *check, const Schedule *schedules, unsigned case_index);
enum { EVIDENCE_DEVICES = 8 };

/** What went to and fro in a case. */
typedef struct EvidenceTotals {
    int64_t launches, parameter_bytes, threads, bytes_to_host, bytes_to_device, copies_to_host, allocations,
        peak_bytes;
    int64_t busiest_threads, busiest_bytes; /**< launched on one device, copied to one */
    int64_t ranks_together;     /**< the most ranks that have launched on a device of the same number */
    int64_t busiest_rank_bytes; /**< copied to all devices of one rank */
    int64_t device_bytes[EVIDENCE_DEVICES]; /**< copied to each device of the first rank */
    int64_t rank_bytes[CHECK_MOST_RANKS];   /**< copied to all devices of each rank */
    bool known;                             /**< nothing was cut */
} EvidenceTotals;

EvidenceTotals evidence_totals(const Schedule *schedule, CaseCall of);
/** Whether the answer of one number is the sum of what one copy from the device brought, or all of them. */
bool evidence_adds_up(const Check *check, const Schedule *schedule, unsigned case_index, float answer);
/** A stretch of an answer's words. */
typedef void EvidenceStretch(void *context, size_t first, size_t count);
/** Whether the answer of that number can be asked for its single words: both runs have it, and were compared.
 */
bool evidence_knows_words(const Check *check, unsigned case_index, unsigned which);
/** The host may hand on single words that came back, as from memory that both sides use, where no copy brings
 * them. Calls `found` with those among the words that are not yet `explained` that stand in what came back,
 * at the same place in both runs, and in no input; without memory with all words. */
void evidence_find_single(const Check *check, unsigned case_index, unsigned which, const bool *explained,
                          EvidenceStretch *found, void *context);
/** Calls `found` with each stretch of the answer that is what one copy from the device brought as doubles,
 * each rounded to a float. */
void evidence_find_rounded(const Schedule *schedule, unsigned case_index, const float *answer, size_t count,
                           EvidenceStretch *found, void *context);
