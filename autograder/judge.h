/* judge.h - what a lesson's judge.c implements: the cases, the reference, the verdict.
 *
 * Runs in the judge's process, never near student code. For each row of `cases`, `prepare` makes the input
 * arrays (the driver reads them as NAME.npy) and remembers what is right; after the program has ended
 * `decide` compares its answers (the driver's NAME.npy files, read as hostile input) and says in a learner's
 * words what is wrong.
 */
#pragma once

#include "base/npy.h"
#include "base/text.h"

/** A row of a lesson's table of cases: what students read about it, and what its inputs are made from. */
typedef struct JudgeCaseSpec {
    const char *name; /**< "one element past a block": shown to the learner */
    int points;
    long n;       /**< the lesson's main size */
    long threads; /**< block size where the lesson has one; 0 */
    long extra;   /**< meaning by lesson */
    bool copied;  /**< the right answer is a copy of the input, for which no kernel need run */
    /** The driver calls the function twice, with other values in the same buffers: what is kept from the call
     * before shows. Both answers are compared, and a line of the budget that is measured here bounds each
     * call.
     */
    bool again;
    /** Of a hidden case, which only grading runs: all that students are told of it, "a size that is no
     * multiple of the block". NULL: the case is not hidden. Hidden cases stand last, in the lesson's
     * hidden.def, and `name` is for teachers. */
    const char *concept;
} JudgeCaseSpec;

/** One case while it is judged. All memory is in `arena`. */
typedef struct JudgeCase {
    const JudgeCaseSpec *spec;
    Arena *arena;
    uint64_t seed;            /**< inputs depend on this and the spec only */
    void *expected;           /**< the judge's own, from prepare to decide */
    struct JudgeFiles *files; /**< the autograder's */
    /** In the second call of a case that is called twice: the first, which is prepared and decided before. */
    const struct JudgeCase *before;
} JudgeCase;

/** A typical mistake, as a wrong answer gives it away. The file that makes it declares the name (`// told:
 * NAME`), and it must be told of no other file: tests/lessons/run.sh compares. */
typedef struct JudgeCause {
    const char *name;  /**< "last-lost"; NULL: no cause is known */
    const char *words; /**< what the learner reads of it, as the end of a sentence */
} JudgeCause;
#define JUDGE_UNKNOWN ((JudgeCause){0})

/** Which call of the student's function an answer is of. */
typedef enum JudgeCall { JUDGE_ONLY_CALL, JUDGE_FIRST_CALL, JUDGE_SECOND_CALL } JudgeCall;

/** What the judge says of an answer. Made as failed, so that a judge that forgets something fails the case.
 * */
typedef struct JudgeDecision {
    bool passed;
    const char *message; /**< in the case's arena; what a learner needs to see */
    const char *answer;  /**< name of the answer array that is wrong, NULL */
    long wrong_index;    /**< first wrong element of it, -1 unknown */
    bool unwritten;      /**< that element never got a value */
    const char *was;     /**< the value of that element, as the message has it; NULL */
    JudgeCall which_call;
    const char *cause;   /**< the name of the cause that is told; NULL */
    const char *because; /**< what is told of it, after the message; NULL: the message has it */
    bool leads;          /**< it is an expression that is written wrongly (judge_explain_mistake) */
    /** Of a wrong answer: causes that would give just this one, ended by JUDGE_UNKNOWN. The first that all
     * wrong answers of the program agree on is told. NULL: the judge has no such list. */
    const JudgeCause *suspects;
    const struct Likenesses *likeness;     /**< how it is like the right answer (check/likeness.h); NULL */
    const struct LikenessAnswer *elements; /**< all of the answer beside the right one; NULL: not known */
    bool says_where;                       /**< the cause is only which elements are wrong */
    bool of_each_thread; /**< the cause is that each thread of a block did what one should */
    const char
        *call; /**< the runtime function whose call made the answer: the finding names its line; NULL */
    const char *advice;   /**< what the finding says of its line, when the cause is known; NULL */
    const char *function; /**< with `call`: the student's function to point at where there is no such call */
} JudgeDecision;

/** A lesson's judge: it makes inputs and decides answers, and knows nothing of processes or files. */
typedef struct Judge {
    const char *lesson; /**< "07-block-sum-dynamic" */
    const JudgeCaseSpec *cases;
    unsigned case_count;
    bool (*prepare)(JudgeCase *judged);                         /**< false: out of memory */
    void (*decide)(JudgeCase *judged, JudgeDecision *decision); /**< decision starts as failed */
    /** How the element that is wrong (`wrong_index` of `answer`) comes about, step by step with the case's
     * numbers, a step a line (judge_step, judge_step_formula). NULL: the inputs of that index are shown. */
    void (*work)(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps);
    /** Where the lesson has memory that kernels must leave alone (driver_copy_kept), and all that the driver
     * copies otherwise must be theirs: names one of those elements, by which copy of the case it was in; or
     * NULL. */
    const char *(*name_kept)(const JudgeCase *judged, size_t copy, size_t element);
} Judge;

/** A judge's table of cases, and how many they are. */
#define JUDGE_CASES(table) .cases = (table), .case_count = sizeof(table) / sizeof *(table)

/* Each lessons/NN-name/judge.c defines `const Judge judge_NN_name` (dashes become underscores); the build
 * makes the table of all lessons from the folders. */

/* ---- for prepare ---- */

/** A new input array that the driver will see as NAME.npy; zeroed; NULL without memory. */
float *judge_input_floats(JudgeCase *judged, const char *name, size_t count);
int32_t *judge_input_ints(JudgeCase *judged, const char *name, size_t count);
double *judge_input_doubles(JudgeCase *judged, const char *name, size_t count);
uint8_t *judge_input_bytes(JudgeCase *judged, const char *name, size_t count);
/** A one-element int array. */
bool judge_input_int(JudgeCase *judged, const char *name, int32_t value);
bool judge_input_float(JudgeCase *judged, const char *name, float value);
/** Distinct, non-zero values of both signs in about [-limit, limit], from the case's seed and `stream`. */
void judge_fill(const JudgeCase *judged, float *values, size_t count, float limit, unsigned stream);

/* ---- for decide ---- */

/** The answer array of exactly this type and count; NULL when it is missing or of another shape, and then the
 * decision's message says so. */
const float *judge_answer_floats(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count);
const double *judge_answer_doubles(JudgeCase *judged, JudgeDecision *decision, const char *name,
                                   size_t count);
/** The same of floats of which nobody asks whether kernels made them: what the host has measured or decided,
 * and what had to stay as it was. */
const float *judge_other_floats(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count);
/** Compares element by element, |got - want| <= tolerance[i] (NaN never passes; `tolerance` NULL: exact). On
 * failure fills the decision: how many are wrong, the first one, never-written ones (the poison) said as
 * such. True when all are right. */
bool judge_compare(JudgeCase *judged, JudgeDecision *decision, const char *name, const float *got,
                   const double *want, const double *tolerance, size_t count);
/** The same for whole numbers: the answer array, and its comparison with what it must equal. */
const int32_t *judge_answer_ints(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count);
bool judge_compare_ints(JudgeCase *judged, JudgeDecision *decision, const char *name, const int32_t *got,
                        const int32_t *want, size_t count);
/** A cause, in words of the case's arena; none without memory. */
JudgeCause judge_cause(Arena *arena, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Has the cause told after what the decision's message says; nothing where none is known. */
void judge_explain(JudgeDecision *decision, JudgeCause cause);
/** The same, of a cause that says what is written wrongly: accesses outside an array, and values from
 * nowhere, then follow from it. */
void judge_explain_mistake(JudgeDecision *decision, JudgeCause cause);
/** The error bound of adding `values` in float in any order: (count-1) * eps * sum|x|, plus the last
 * rounding. */
double judge_sum_tolerance(const float *values, size_t count);
double judge_sum(const float *values, size_t count); /**< in double, pairwise */

/* ---- for work ---- */

enum { JUDGE_MOST_PLACES = 4 };

/** What a letter in a formula's brackets stands for: `first`, and `step` more in each further term. */
typedef struct JudgePlace {
    char letter;
    size_t first, step;
} JudgePlace;

/** "c[i]" is the sum of `count` terms "a[p] * b[q]". Names of inputs, which are elements or arrays of one
 * element, get their values; anything else stays as it is written: "sqrt(|x[i]|) + 0.5". */
typedef struct JudgeFormula {
    const char *result, *term;
    size_t count;
    JudgePlace places[JUDGE_MOST_PLACES]; /**< those behind the last one have no letter */
} JudgeFormula;

/** Adds a line to the steps of a worked case. */
void judge_step(Text *steps, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Adds the formula, the same with the numbers of the case, and what that makes:
 * "z[3] = x[3] + y[3] = 1.5 + 2 = 3.5". Of many terms the first ones and the last are shown. */
void judge_step_formula(const JudgeCase *judged, const JudgeFormula *formula, double result, Text *steps);
/** The same of one term, whose only letter i stands for `index`. */
void judge_step_element(const JudgeCase *judged, const char *result, const char *term, size_t index,
                        double value, Text *steps);
