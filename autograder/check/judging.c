/* judging.c - what judge.h offers to the lessons: making inputs, comparing answers, error bounds.
 *
 * Inputs come from a counter-based generator, so that a value depends on seed, stream and place only,
 * whatever the order in which the arrays are made.
 */
#include "autograder/check/cases.h"
#include "autograder/check/likeness.h"
#include "autograder/texts.h"
#include "base/diag.h"
#include "base/marks.h"
#include "base/poison.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below the case's folder; NULL without memory. */
static const char *name_file(const JudgeCase *judged, const char *name) {
    const char *folder = "";
    if (judged->files->first_call) folder = CASE_FIRST_CALL "/";
    return arena_format(judged->arena, "%s%s", folder, name);
}

/* ---- inputs ---- */

static void *add_input(JudgeCase *judged, const char *name, NpyType type, size_t count) {
    CaseInput *input = ARENA_NEW(judged->arena, CaseInput);
    if (input == NULL || !npy_make(&input->array, judged->arena, type, count)) return NULL;
    /* An empty array has an address too: NULL means that there is no memory. */
    if (input->array.data == NULL) input->array.data = arena_alloc(judged->arena, npy_type_bytes(type));
    input->name = name_file(judged, name);
    if (input->array.data == NULL || input->name == NULL) return NULL;
    JudgeFiles *files = judged->files;
    if (files->last != NULL)
        files->last->next = input;
    else
        files->first = input;
    files->last = input;
    return input->array.data;
}

float *judge_input_floats(JudgeCase *judged, const char *name, size_t count) {
    return add_input(judged, name, NPY_F32, count);
}

int32_t *judge_input_ints(JudgeCase *judged, const char *name, size_t count) {
    return add_input(judged, name, NPY_I32, count);
}

double *judge_input_doubles(JudgeCase *judged, const char *name, size_t count) {
    return add_input(judged, name, NPY_F64, count);
}

uint8_t *judge_input_bytes(JudgeCase *judged, const char *name, size_t count) {
    return add_input(judged, name, NPY_U8, count);
}

bool judge_input_int(JudgeCase *judged, const char *name, int32_t value) {
    int32_t *place = judge_input_ints(judged, name, 1);
    if (place != NULL) *place = value;
    return place != NULL;
}

bool judge_input_float(JudgeCase *judged, const char *name, float value) {
    float *place = judge_input_floats(judged, name, 1);
    if (place != NULL) *place = value;
    return place != NULL;
}

/* SplitMix64's finaliser: all bits of the argument reach all bits of the result, and no two arguments meet.
 */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* Distinct because the magnitudes are the n steps of (0, limit] in an order that a multiplication by an odd
 * number modulo a power of two makes; up to 2^22 values a float can tell the steps apart. Each array lies at
 * a fraction of a step of its own, so that a value says which array, and which run, it is from. */
void judge_fill(const JudgeCase *judged, float *values, size_t count, float limit, unsigned stream) {
    uint64_t steps = 1024;
    while (steps < count)
        steps *= 2;
    uint64_t key = mix(judged->seed * 0x9e3779b97f4a7c15U + stream + 1);
    uint64_t factor = (key | 1) & (steps - 1), offset = mix(key);
    const double fractions = 1024.0, within = ((double)(mix(offset) & 1023) + 1.0) / fractions;
    for (size_t i = 0; i < count; i++) {
        uint64_t step = (i * factor + offset) & (steps - 1);
        double magnitude = (double)limit * ((double)step + within) / (double)steps;
        bool negative = (mix(key + i) & 1) != 0;
        values[i] = (float)(negative ? -magnitude : magnitude);
    }
}

/* ---- answers ---- */

static const char *const type_words[] = {
    [NPY_F32] = "floats",        [NPY_F64] = "doubles", [NPY_I32] = "whole numbers",
    [NPY_I64] = "whole numbers", [NPY_U8] = "bytes",    [NPY_U32] = "whole numbers"};

/* It is found out who wrote it; of the largest, also where. */
static void keep_answer(JudgeFiles *files, const void *data, size_t bytes) {
    if (files->answer_count == CASES_MOST_ANSWERS) BUG("a case has more answers than can be traced");
    files->answers[files->answer_count++] = (JudgeAnswer){.data = data, .bytes = bytes};
    if (bytes == files->answer_bytes) files->answer = data;
}

/* The array of an answer, or NULL with the decision's message. */
static const void *read_answer(JudgeCase *judged, JudgeDecision *decision, const char *name, NpyType type,
                               size_t count, bool by_kernels) {
    enum { HEADER_ROOM = 1024 };
    NpyArray array;
    size_t bytes = count * npy_type_bytes(type);
    const char *file = name_file(judged, name);
    AnswerStatus status = ANSWER_NO_MEMORY;
    if (file != NULL)
        status = answers_read(&array, judged->arena, judged->files->answers_fd, file, bytes + HEADER_ROOM);
    decision->answer = name;
    if (by_kernels && bytes > judged->files->answer_bytes) judged->files->answer_bytes = bytes;
    if (status != ANSWER_READ) {
        decision->message = answers_explain(status, judged->arena, name);
        return NULL;
    }
    if (array.type != type || array.count != count) {
        decision->message = TOLD_MISTAKES(TYPE, judged->arena, .name = name, .wrong = array.count,
                                          .count = count, .type = type_words[type]);
        return NULL;
    }
    if (count == 0) return arena_alloc(judged->arena, npy_type_bytes(type));
    if (by_kernels) keep_answer(judged->files, array.data, bytes);
    return array.data;
}

const float *judge_answer_floats(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count) {
    return read_answer(judged, decision, name, NPY_F32, count, true);
}

const float *judge_other_floats(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count) {
    return read_answer(judged, decision, name, NPY_F32, count, false);
}

const double *judge_answer_doubles(JudgeCase *judged, JudgeDecision *decision, const char *name,
                                   size_t count) {
    return read_answer(judged, decision, name, NPY_F64, count, true);
}

const int32_t *judge_answer_ints(JudgeCase *judged, JudgeDecision *decision, const char *name, size_t count) {
    return read_answer(judged, decision, name, NPY_I32, count, true);
}

static bool is_poison(uint32_t bits) {
    return bits == POISON_HOST_FLOAT || bits == POISON_DEVICE_FLOAT;
}

static bool is_never_written(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return is_poison(bits);
}

static bool is_wrong(const float *got, const double *want, const double *tolerance, size_t i) {
    double allowed = 0.0;
    if (tolerance != NULL) allowed = tolerance[i];
    return !(fabs((double)got[i] - want[i]) <= allowed);
}

/* The elements of an answer that are wrong, counted in one pass. */
typedef struct Mistakes {
    size_t wrong, unwritten; /* unwritten ones are among the wrong */
    size_t first, last;
} Mistakes;

static void add_mistake(Mistakes *mistakes, size_t i, bool unwritten) {
    if (mistakes->wrong++ == 0) mistakes->first = i;
    mistakes->last = i;
    mistakes->unwritten += unwritten;
}

/* Shortest of the usual precisions that tells the two numbers apart. */
static void was_and_should(Arena *arena, double got, double want, MistakesFacts *facts) {
    if (isnan(got)) got = (double)NAN; /* its sign means nothing, and would be printed */
    const double larger = fmax(fabs(got), fabs(want));
    for (int digits = 6; digits <= 9; digits++) {
        facts->was = arena_format(arena, "%.*g", digits, got);
        facts->should = arena_format(arena, "%.*g", digits, want);
        if (facts->was == NULL || facts->should == NULL) return;
        bool exponent = digits < 9 && larger < 1e9 && larger >= pow(10.0, digits);
        if (!exponent && strcmp(facts->was, facts->should) != 0) return;
    }
    facts->was = arena_format(arena, "%.17g", got);
    facts->should = arena_format(arena, "%.17g", want);
}

/* Fills the decision for `count` elements; `got` and `want` are those of the first that is wrong. */
static void explain_mistakes(JudgeCase *judged, JudgeDecision *decision, const char *name,
                             const Mistakes *mistakes, double got, double want, size_t count) {
    decision->answer = name;
    decision->wrong_index = (long)mistakes->first;
    MistakesFacts facts = {.name = name,
                           .single = mistakes->wrong == 1,
                           .only = count == 1,
                           .all = mistakes->wrong == count,
                           .wrong = mistakes->wrong,
                           .count = count,
                           .index = (int64_t)mistakes->first};
    MistakesText text = MISTAKES_WRONG;
    if (decision->unwritten) text = MISTAKES_FIRST_UNWRITTEN;
    if (mistakes->unwritten == mistakes->wrong) text = MISTAKES_UNWRITTEN;
    if (text == MISTAKES_WRONG) was_and_should(judged->arena, got, want, &facts);
    decision->was = facts.was;
    if (text == MISTAKES_WRONG && (facts.was == NULL || facts.should == NULL)) return;
    decision->message = told_mistakes(judged->arena, text, &facts);
}

/* The elements of both answers as doubles, and which of them are wrong. */
typedef struct Elements {
    double *got;
    double *want;
    bool *wrong;
} Elements;

/* The answer beside the right one, and how it is like it. Neither without a case that tells its sizes, as in
 * unit tests of the comparison, or without memory. */
static void keep_elements(const JudgeCase *judged, JudgeDecision *decision, const Elements *elements,
                          const double *tolerance, size_t count) {
    if (judged->spec == NULL || elements->got == NULL || elements->want == NULL || elements->wrong == NULL)
        return;
    LikenessAnswer *answer = ARENA_NEW(judged->arena, LikenessAnswer);
    if (answer == NULL) return;
    *answer = (LikenessAnswer){.got = elements->got,
                               .want = elements->want,
                               .tolerance = tolerance,
                               .wrong = elements->wrong,
                               .count = count,
                               .spec = judged->spec};
    decision->elements = answer;
    decision->likeness = likeness_find(judged->arena, answer);
}

static Elements new_elements(Arena *arena, size_t count) {
    return (Elements){.got = ARENA_ARRAY(arena, count, double),
                      .want = ARENA_ARRAY(arena, count, double),
                      .wrong = ARENA_ARRAY(arena, count, bool)};
}

static void keep_floats(const JudgeCase *judged, JudgeDecision *decision, const float *got,
                        const double *want, const double *tolerance, size_t count) {
    Elements elements = new_elements(judged->arena, count);
    for (size_t i = 0; elements.got != NULL && elements.want != NULL && elements.wrong != NULL && i < count;
         i++) {
        if (is_never_written(got[i]))
            elements.got[i] = (double)NAN;
        else
            elements.got[i] = (double)got[i];
        elements.want[i] = want[i];
        elements.wrong[i] = is_wrong(got, want, tolerance, i);
    }
    keep_elements(judged, decision, &elements, tolerance, count);
}

static void keep_ints(const JudgeCase *judged, JudgeDecision *decision, const int32_t *got,
                      const int32_t *want, size_t count) {
    Elements elements = new_elements(judged->arena, count);
    for (size_t i = 0; elements.got != NULL && elements.want != NULL && elements.wrong != NULL && i < count;
         i++) {
        if (is_poison((uint32_t)got[i]))
            elements.got[i] = (double)NAN;
        else
            elements.got[i] = (double)got[i];
        elements.want[i] = (double)want[i];
        elements.wrong[i] = got[i] != want[i];
    }
    keep_elements(judged, decision, &elements, NULL, count);
}

bool judge_compare(JudgeCase *judged, JudgeDecision *decision, const char *name, const float *got,
                   const double *want, const double *tolerance, size_t count) {
    Mistakes mistakes = {0};
    for (size_t i = 0; i < count; i++)
        if (is_wrong(got, want, tolerance, i)) add_mistake(&mistakes, i, is_never_written(got[i]));
    if (mistakes.wrong == 0) return true;
    decision->unwritten = is_never_written(got[mistakes.first]);
    explain_mistakes(judged, decision, name, &mistakes, (double)got[mistakes.first], want[mistakes.first],
                     count);
    keep_floats(judged, decision, got, want, tolerance, count);
    return false;
}

bool judge_compare_ints(JudgeCase *judged, JudgeDecision *decision, const char *name, const int32_t *got,
                        const int32_t *want, size_t count) {
    Mistakes mistakes = {0};
    for (size_t i = 0; i < count; i++)
        if (got[i] != want[i]) add_mistake(&mistakes, i, is_poison((uint32_t)got[i]));
    if (mistakes.wrong == 0) return true;
    decision->unwritten = is_poison((uint32_t)got[mistakes.first]);
    explain_mistakes(judged, decision, name, &mistakes, got[mistakes.first], want[mistakes.first], count);
    keep_ints(judged, decision, got, want, count);
    return false;
}

/* ---- causes ---- */

JudgeCause judge_cause(Arena *arena, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *words = arena_vformat(arena, format, arguments);
    va_end(arguments);
    return words != NULL ? (JudgeCause){name, words} : JUDGE_UNKNOWN;
}

void judge_explain(JudgeDecision *decision, JudgeCause cause) {
    if (cause.name == NULL || decision->message == NULL) return;
    decision->because = cause.words;
    decision->cause = cause.name;
}

void judge_explain_mistake(JudgeDecision *decision, JudgeCause cause) {
    judge_explain(decision, cause);
    decision->leads = decision->cause != NULL;
}

/* ---- sums ---- */

double judge_sum(const float *values, size_t count) {
    if (count <= 8) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += (double)values[i];
        return sum;
    }
    size_t half = count / 2;
    return judge_sum(values, half) + judge_sum(values + half, count - half);
}

double judge_sum_tolerance(const float *values, size_t count) {
    double magnitudes = 0.0;
    for (size_t i = 0; i < count; i++)
        magnitudes += fabs((double)values[i]);
    double unit = (double)FLT_EPSILON / 2.0;
    double steps = 0.0;
    if (count > 1) steps = (double)(count - 1);
    return steps * unit * magnitudes + unit * fabs(judge_sum(values, count)) + (double)FLT_TRUE_MIN;
}
