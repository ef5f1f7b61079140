/* evidence_parts.h - what the files of evidence share: the records of what the devices were sent, and the
 * words in which two runs may differ.
 *
 * evidence_read.c reads the records, evidence_words.c keeps the words, evidence_choices.c adds up what
 * choosing among them could say, evidence.c compares two runs, and evidence_totals.c adds up one.
 */
#pragma once

#include "autograder/evidence/evidence.h"
#include "base/growable.h"
#include "base/map.h"
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
/** The same of one call of a case that is called twice. */
bool evidence_is_of_call(const Pair *pair, const Record *record, CaseCall of);
/** The pair that ran the case; NULL when none did. */
const Pair *evidence_pair_of_case(const Schedule *schedule, unsigned case_index);

/* ---- evidence_choices.c ---- */

/** One word as the first and as the second run has it. */
typedef struct WordPair {
    uint32_t a, b;
} WordPair;

/** What the host could have said by choosing which words it sends; see evidence_choices.c. */
typedef struct Choices {
    Growable stretches, constants;
    Map constant_of; /**< which of the constants a word is */
    uint64_t words;  /**< sent in all */
    uint64_t loose;  /**< choices that are certain as they come */
    const Record *first_loose;
    bool failed;
} Choices;

/** A stretch begins, whose pairs follow, when so many sources are there. */
void choices_begin_stretch(Choices *choices, const Record *record, size_t sources);
void choices_add_pair(Choices *choices, WordPair pair);
/** The stretch is a float passed on as a double, of which this is the high word. */
void choices_add_high(Choices *choices, WordPair high);
/** A word that is the same in both runs and belongs to no stretch. */
void choices_add_constant(Choices *choices, const Record *record, size_t sources, uint32_t word);
/** Here the host had a choice. */
void choices_add_loose(Choices *choices, const Record *record);
/** When all choices together carry more than the host may say, the record of the first of them; else NULL.
 * `runs` are all words that the host had, `Run`s. */
const Record *choices_settle(Choices *choices, const Growable *runs);
void choices_free(Choices *choices);

/* ---- evidence_words.c ---- */

/** Words that may be sent from some point on, as the two programs have them: an input, or what came back. */
typedef struct Run {
    const unsigned char *a, *b;
    size_t bytes, words; /**< the last word may be a part of one, as where bytes are sent */
    bool came_back;
} Run;

/** A word of a run. */
typedef struct WordPlace {
    uint32_t run, word;
} WordPlace;

/** Where a pair of different words stands first. */
typedef struct PairSlot {
    uint64_t key; /**< 0 is free */
    WordPlace place;
} PairSlot;

typedef struct PairTable {
    PairSlot *slots;
    size_t capacity, runs; /**< so many runs are in it */
} PairTable;

/** All that may be sent by now, and what was chosen among it. All zero but the runs' size is empty. */
typedef struct Known {
    Growable runs;
    size_t words; /**< of all runs */
    PairTable table;
    Choices choices;
    bool failed;
} Known;

/** The word of the run in both programs. */
WordPair evidence_pair_at(const Run *run, size_t word);
/** What came back may be sent from here on; it is not copied. */
void evidence_add_back(Known *known, const Record *a, const Record *b);
/** Adds the inputs of a case, as both runs have them. */
void evidence_add_inputs(Known *known, const Check *check, unsigned case_index);
/** Whether all words in which the contents of two records of one length differ may be sent. */
bool evidence_may_differ_so(Known *known, const Record *a, const Record *b);
/** Whether the two runs have these different words at the same place of something. */
bool evidence_is_known(Known *known, WordPair pair);
/** The same, of what came back from the device alone. */
bool evidence_came_back(Known *known, WordPair pair);
/** Whether each word of either record is one that its own run had been given, or that had come back to it: if
 * the records may not differ so, then the host picked them by their values, and worked none out. */
bool evidence_only_picks(const Known *known, const Record *a, const Record *b);
/** The runs alone, in the arena; NULL without memory. */
const struct EvidenceSources *evidence_keep(const Known *known, Arena *arena);
void evidence_forget(Known *known);
