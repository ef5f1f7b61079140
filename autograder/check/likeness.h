/* likeness.h - how a wrong answer is like the right one, whatever the lesson: 4 times it, shifted by one, the
 * wrong way round.
 *
 * judge_compare looks at one answer, likeness_add takes up those of all wrong cases in both runs. A likeness
 * is told when it holds for every wrong element of all of them, with the same number. A case may be too small
 * to say anything of a likeness: two elements have no order of their own.
 */
#pragma once

#include "autograder/judge.h"

/** In the order in which one is told before another. */
typedef enum LikenessKind {
    LIKENESS_SIGN,         /**< -x for x */
    LIKENESS_TIMES_BLOCK,  /**< a multiple, by the case's block size */
    LIKENESS_TIMES_ALL,    /**< a multiple, by the case's number of elements */
    LIKENESS_TIMES,        /**< a multiple, the same in all cases */
    LIKENESS_PART_ALL,     /**< divided by the case's number of elements */
    LIKENESS_PART,         /**< a half, a quarter */
    LIKENESS_OFFSET,       /**< more or less by one number */
    LIKENESS_SHIFTED,      /**< got[i] is want[i + number] */
    LIKENESS_REVERSED,     /**< got[i] is want[n - 1 - i] */
    LIKENESS_TRANSPOSED,   /**< rows became columns; the number is that of rows */
    LIKENESS_REPEATED,     /**< after the first `number`, these come again, and again */
    LIKENESS_BLOCKS_MOVED, /**< blocks of elements have changed places */
    LIKENESS_FIRST_WRONG,  /**< the first alone */
    LIKENESS_LAST_WRONG,   /**< the last alone */
    LIKENESS_NTH_WRONG,    /**< each `number`th, and no others */
    LIKENESS_FIRST_RIGHT,  /**< the first `number`, and no others */
    LIKENESS_EACH_NTH,     /**< each `number`th, and no others */
    LIKENESS_KINDS
} LikenessKind;

/** What answers say of one likeness. */
typedef enum LikenessState { LIKENESS_UNSEEN, LIKENESS_HOLDS, LIKENESS_BROKEN } LikenessState;

typedef struct Likeness {
    LikenessState state;
    double number;
    size_t count;    /**< elements of the first answer in which it holds */
    unsigned seen;   /**< answers in which it holds */
    unsigned unlike; /**< answers in which it does not, and need not */
    bool of_several; /**< it holds for answers of different sizes */
} Likeness;

/** Of one answer, or of all. */
typedef struct Likenesses {
    Likeness of[LIKENESS_KINDS];
} Likenesses;

/** A wrong answer and the right one, element by element. */
typedef struct LikenessAnswer {
    const double *got, *want, *tolerance; /**< no tolerance (NULL): exact */
    const bool *wrong;
    size_t count;
    const JudgeCaseSpec *spec;
} LikenessAnswer;

/** What one answer shows; NULL without memory. */
const Likenesses *likeness_find(Arena *arena, const LikenessAnswer *answer);
/** Takes up a wrong answer. One without a likeness (NULL) is like none. `may_differ`: of a program with a
 * race, where any answer may have any value as well: then a likeness has to hold in a third of them. */
void likeness_add(Likenesses *all, const Likenesses *one, bool may_differ);
/** Adds to the decision what all answers agree on, where this one shows it and no cause is known. */
void likeness_tell(Arena *arena, const Likenesses *all, JudgeDecision *decision);
