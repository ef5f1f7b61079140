/* cases.h - a case's files: the inputs the judge makes, and where the answers are found.
 *
 * `cases_prepare` asks a lesson's judge for a case's inputs, `cases_write` leaves them as FOLDER/NAME.npy for
 * the program. For each schedule `cases_decide` then points the case at that schedule's answers and asks the
 * judge. Of a case that is called twice the first call's files lie in FOLDER/first, on both ways.
 */
#pragma once

#include "autograder/check/answers.h"
#include "autograder/judge.h"

/** An input of a case, as the program finds it in its folder: NAME.npy. */
typedef struct CaseInput {
    const char *name;
    NpyArray array;
    struct CaseInput *next;
} CaseInput;

/** The autograder's part of a JudgeCase. */
enum { CASES_MOST_ANSWERS = 8 };

/** An answer that kernels must have made. */
typedef struct JudgeAnswer {
    const void *data;
    size_t bytes;
} JudgeAnswer;

struct EvidenceSources;

typedef struct JudgeFiles {
    CaseInput *first, *last;
    bool first_call;     /**< of a case that is called twice, the first call is prepared or decided now */
    int answers_fd;      /**< the folder of this case's answers, -1 when there is none */
    size_t answer_bytes; /**< the largest answer that decide asked for */
    const void *answer;  /**< that answer, when it was read; NULL */
    const void *before;  /**< the same of the first of two calls */
    JudgeAnswer answers[CASES_MOST_ANSWERS]; /**< all that kernels must have made, of both calls */
    unsigned answer_count;
    const struct EvidenceSources
        *sources; /**< what the host had to hand on; NULL: the runs were not compared */
} JudgeFiles;

/** A case, or one call of a case that is called twice. */
typedef struct CaseCall {
    unsigned index;
    JudgeCall call; /**< JUDGE_ONLY_CALL: all that the case does */
} CaseCall;

static inline CaseCall cases_whole(unsigned index) {
    return (CaseCall){.index = index};
}

/** Fills `judged` for one row of the judge's table, from its seed (seeds.h); false without memory. Another
 * seed gives other values of the same sizes. */
bool cases_prepare(JudgeCase *judged, const Judge *judge, unsigned index, uint64_t seed, Arena *arena);
bool cases_write(const JudgeCase *judged, const char *folder, Diagnostics *diagnostics);
/** The steps by which the element that is wrong comes about, in the call that is wrong; none where the judge
 * has none. */
void cases_work(const JudgeCase *judged, const Judge *judge, const JudgeDecision *wrong, Text *steps);
/** Decides by the answers in `answers_fd` (may be -1). */
JudgeDecision cases_decide(JudgeCase *judged, const Judge *judge, int answers_fd);
