/* evidence_parts.h - what the files of evidence share: the records of what the devices were sent, and the
 * words in which two runs may differ.
 *
 * evidence_read.c reads the records, evidence_words.c keeps the words, evidence.c compares two runs, and
 * evidence_totals.c adds up one.
 */
#ifndef AUTOGRADER_EVIDENCE_EVIDENCE_PARTS_H
#define AUTOGRADER_EVIDENCE_EVIDENCE_PARTS_H

#include "autograder/evidence/evidence.h"
#include "base/sent.h"

/* ---- evidence_read.c ---- */

/** The lanes of one rank, one for each bit of SentRecord.devices, and those of all ranks. */
enum { LANES_OF_RANK = 9, LANES = LANES_OF_RANK * CHECK_MOST_RANKS };

/** One record of what the device was sent, pointing into the pair's bytes. */
typedef struct Record {
    SentRecord head;
    const char *kernel, *file, *mark; /**< without their ends */
    const unsigned char *numbers, *contents;
    uint64_t lanes;  /**< of its rank: one for each bit of head.devices */
    unsigned device; /**< among those of all ranks */
} Record;

/** Reads the files of a program's ranks, one after the other. */
typedef struct Reader {
    const Pair *pair;
    unsigned rank;
    size_t at;
    bool cut;
} Reader;

/** The next record of any case; false at the end, or where the file is broken, which sets `cut`. */
bool evidence_next_record(Reader *reader, Record *record);
/** The next record of the case. */
bool evidence_next_of_case(Reader *reader, unsigned case_index, Record *record);
/** Whether the record counts for the case. */
bool evidence_is_of_case(const Pair *pair, const Record *record, unsigned case_index);
/** The pair that ran the case; NULL when none did. */
const Pair *evidence_pair_of_case(const Schedule *schedule, unsigned case_index);

/* ---- evidence_words.c ---- */

/** Words that may be sent from some point on. */
typedef struct Run Run;

/** All that may be sent by now, and where to look first. */
typedef struct Known {
    Run *runs;
    const Run *at; /**< where the last pair was found, and the place behind it */
    size_t behind;
    uint64_t *table; /**< pairs, made when first needed; 0 is free */
    size_t capacity;
    bool failed;
} Known;

/** Words that may be sent from here on, which are `a` in the first run and `b` in the second; they are not
 * copied. */
void evidence_add_run(Known *known, Arena *arena, const void *a, const void *b, size_t bytes);
/** Adds the inputs of a case, as both runs have them. */
void evidence_add_inputs(Known *known, const Check *check, unsigned case_index);
/** Whether all words in which two records of one length differ may be sent. */
bool evidence_may_differ_so(Known *known, const unsigned char *a, const unsigned char *b, uint64_t bytes);

#endif
