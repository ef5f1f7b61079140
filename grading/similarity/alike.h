/* alike.h - which programs of a lesson are alike: similarity-tester's findings, without what the starter gave
 * to everybody.
 *
 * Two measures, both a share of the shorter program, in percent: `code`, by tokens, does not see names,
 * numbers, comments and layout; `words` compares just those. Programs that solve one small task well are
 * alike in the first and differ in the second. It is a reason to read both, and no more.
 */
#ifndef GRADING_SIMILARITY_ALIKE_H
#define GRADING_SIMILARITY_ALIKE_H

#include "grading/intake/intake.h"

/** A program, and everybody who handed in just this one. */
typedef struct Program {
    const char *const *people; /**< printable ids */
    size_t people_count;
    const char *path;  /**< of the first of them, printable */
    const char *bytes; /**< as handed in, any bytes */
    size_t length;
    char *own;         /**< the same with the starter's lines emptied */
    size_t own_length; /**< without white space */
} Program;

/** Lines that two programs share, from 1, both ends included. */
typedef struct SharedRun {
    int lines[2][2]; /**< [program][first, last] */
    int tokens;
} SharedRun;

/** Two programs and what they share. */
typedef struct Pair {
    size_t programs[2]; /**< the shorter one first */
    int code, words;    /**< percent of the first; 0 below the threshold */
    SharedRun *runs;    /**< the longest first */
    size_t run_count;
} Pair;

/** What a lesson's page shows. */
typedef struct Alike {
    const char *lesson;
    Program *programs;
    size_t count, handed_in;
    size_t unchanged; /**< handed in the starter itself */
    Pair *pairs;      /**< the closest first */
    size_t pair_count;
    size_t alike_pairs; /**< of how many those are the closest */
} Alike;

/** How programs are compared. */
typedef struct AlikeOptions {
    size_t most_pairs;
    bool without_sandbox; /**< asked for by name */
} AlikeOptions;

/** Compares all programs of a lesson. False with an error when the tool cannot run. */
bool alike_find(Alike *alike, Arena *arena, const Course *course, const Intake *intake, const char *lesson,
                const AlikeOptions *options, Diagnostics *diagnostics);
/** A page of its own, with everything in it: the pairs side by side, what they share marked. */
void alike_page(const Alike *alike, Text *out);

/* ---- the parts, for tests ---- */

/** The text with each line emptied that is a line of the starter, white space aside; the lines keep their
 * numbers. */
char *alike_discount(Arena *arena, const char *text, size_t length, const char *starter,
                     size_t starter_length);
/** Reads "A consists for 87 % of B material" lines; names are numbers. Calls `take` with each. */
typedef void AlikeTake(void *context, size_t first, size_t second, int percent);
void alike_read_shares(const char *text, AlikeTake *take, void *context);
/** Reads "A: line 27-45 |B: line 25-35 [84]" lines; how many there were, at most `most`. */
size_t alike_read_runs(const char *text, SharedRun *runs, size_t most);

#endif
