/* judge.c - lesson 14: y = sqrt(|x|) + 0.5 for n numbers, cut into chunks that go through the device in
 * streams.
 *
 * n is any number from 0 and need not be a multiple of the chunks; there may be more chunks than numbers. The
 * root is correctly rounded on the device and need not be elsewhere: the tolerance is a few units in the last
 * place. A wrong element is compared with what typical mistakes leave there.
 */
#include "lessons/common/sums.h"

#include <math.h>

static const JudgeCaseSpec cases[] = {
    {.name = "a single number", .points = 1, .n = 1, .extra = 1},
    {.name = "no numbers at all", .points = 1, .n = 0, .extra = 3},
    {.name = "fewer numbers than chunks", .points = 1, .n = 5, .extra = 8},
    {.name = "called twice, three chunks of one block", .points = 1, .n = 768, .extra = 3, .again = true},
    {.name = "one number more than four blocks", .points = 1, .n = 1025, .extra = 4},
    {.name = "forty chunks", .points = 1, .n = 4099, .extra = 40},
    {.name = "100,003 numbers in seven chunks", .points = 2, .n = 100003, .extra = 7},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    const float *x;
    double *y, *tolerance;
} Expected;

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    float *x = judge_input_floats(judged, "x", n);
    if (expected == NULL || x == NULL || !judge_input_int(judged, "chunks", (int32_t)judged->spec->extra))
        return false;
    judge_fill(judged, x, n, 1000.0F, 0);
    expected->x = x;
    expected->y = ARENA_ARRAY(judged->arena, n + 1, double);
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    if (expected->y == NULL || expected->tolerance == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        expected->y[i] = sqrt(fabs((double)x[i])) + 0.5;
        expected->tolerance[i] = 4e-7 * expected->y[i];
    }
    judged->expected = expected;
    return true;
}

static bool is_near(float got, double want) {
    return fabs((double)got - want) <= 1e-5 * (fabs(want) + 1.0);
}

/* A mistake in the kernel, or none at all: what it leaves in place of each element. */
typedef struct Suspect {
    const char *name, *words;
    double (*leaves)(double x);
} Suspect;

static double leave_root(double x) {
    return sqrt(fabs(x));
}

static double leave_root_with_half(double x) {
    return sqrt(fabs(x) + 0.5);
}

static double leave_x(double x) {
    return x;
}

static double leave_root_of_negative(double x) {
    return sqrt(x) + 0.5;
}

enum { NO_HALF, HALF_INSIDE, UNTOUCHED, NEGATIVE_ROOT };

static const Suspect suspects[] = {
    [NO_HALF] = {"no-half", "that is sqrt(|x|), without the 0.5", leave_root},
    [HALF_INSIDE] = {"half-inside", "that is sqrt(|x| + 0.5): the 0.5 is added to the root",
                     leave_root_with_half},
    [UNTOUCHED] = {"untouched", "that is x itself: what came back is not what the kernel wrote", leave_x},
    [NEGATIVE_ROOT] = {"negative-root", "the square root of a negative number is not a number: take |x|",
                       leave_root_of_negative},
};

/* Whether that is in all elements that are wrong, of which there are several; what it leaves may be no
 * number, which memory that nobody has written is, too, but not in just these elements. */
static bool is_made_so(const Suspect *suspect, const Expected *expected, const float *y, size_t n) {
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        const double leaves = suspect->leaves((double)expected->x[i]);
        const bool right = fabs((double)y[i] - expected->y[i]) <= expected->tolerance[i];
        bool same;
        if (isnan(leaves))
            same = isnan(y[i]);
        else
            same = is_near(y[i], leaves);
        if (!right && !same) return false;
        if (isnan(leaves) && right) return false;
        wrong += !right;
    }
    return wrong > 1;
}

/* What lies in y from `at` to `end`, and not just before, if it is one pattern throughout; 0. */
static uint32_t poison_of(const float *y, size_t at, size_t end) {
    uint32_t first = 0, bits;
    if (at > 0 && sums_is_poison(y[at - 1])) return 0;
    memcpy(&first, &y[at], sizeof first);
    for (size_t i = at; i < end; i++) {
        memcpy(&bits, &y[i], sizeof bits);
        if (bits != first) return 0;
    }
    if (sums_is_poison(y[at])) return first;
    return 0;
}

/* Of elements that nobody wrote: device memory has another pattern than host memory. */
static JudgeCause name_hole(const JudgeCase *judged, size_t at, const float *y) {
    const size_t n = (size_t)judged->spec->n, chunks = (size_t)judged->spec->extra;
    const size_t size = (n + chunks - 1) / chunks, chunk_end = at / size * size + size;
    if (at > 0 && n / chunks * chunks == at && poison_of(y, at, n) == POISON_HOST_FLOAT)
        return judge_cause(judged->arena, "rounded-down",
                           "%zu / %zu rounds down, and the rest of %zu belongs to no chunk", n, chunks,
                           n - at);
    if (at == 0 || at % size != 0) return JUDGE_UNKNOWN;
    switch (poison_of(y, at, chunk_end < n ? chunk_end : n)) {
    case POISON_HOST_FLOAT:
        return judge_cause(judged->arena, "not-brought-back",
                           "no copy brought back the chunk that begins at %zu", at);
    case POISON_DEVICE_FLOAT:
        return judge_cause(
            judged->arena, "copied-too-early",
            "what came back as the chunk that begins at %zu had not been written by a kernel: it was "
            "copied too early, or from the wrong place",
            at);
    default:
        return JUDGE_UNKNOWN;
    }
}

static JudgeCause name_for(const JudgeCase *judged, size_t at, const float *y) {
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (is_made_so(&suspects[i], judged->expected, y, (size_t)judged->spec->n))
            return (JudgeCause){suspects[i].name, suspects[i].words};
    if (sums_is_poison(y[at])) return name_hole(judged, at, y);
    return JUDGE_UNKNOWN;
}

/* What to do about chunks that are missing; a wrong element has the line that wrote it. */
static const char *advice_for(const char *cause) {
    static const char *const advice[][2] = {
        {"rounded-down", "A chunk of n / chunks numbers leaves a rest. Round its length up, and let the last "
                         "chunk be shorter."},
        {"not-brought-back", "Each chunk needs a copy back, to its own place in h_y. Does the loop reach "
                             "this chunk, and does its copy "
                             "start and end where the chunk does?"},
        {"copied-too-early", "The copy back has to come after the kernel: in the same stream, or after an "
                             "event of the kernel's stream. And it has to begin where the chunk does, at "
                             "d_y + first: what is added to a pointer counts elements, not bytes."},
    };
    for (size_t i = 0; cause != NULL && i < sizeof advice / sizeof *advice; i++)
        if (strcmp(cause, advice[i][0]) == 0) return advice[i][1];
    return NULL;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *y = judge_answer_floats(judged, decision, "y", n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, expected->tolerance, n);
    if (decision->passed) return;
    const JudgeCause cause = name_for(judged, (size_t)decision->wrong_index, y);
    judge_explain(decision, cause);
    decision->advice = advice_for(cause.name);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const size_t i = (size_t)wrong->wrong_index;
    const size_t n = (size_t)judged->spec->n, chunks = (size_t)judged->spec->extra;
    const size_t size = (n + chunks - 1) / chunks;
    if (chunks > 1)
        judge_step(steps, "%zu / %zu, rounded up, is %zu: number %zu is number %zu of chunk %zu", n, chunks,
                   size, i, i % size, i / size);
    judge_step_element(judged, "y[i]", "sqrt(|x[i]|) + 0.5", i, ((const Expected *)judged->expected)->y[i],
                       steps);
}

const Judge judge_14_streams_and_events = {
    .lesson = "14-streams-and-events",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
