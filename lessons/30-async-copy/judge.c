/* judge.c - lesson 30: the potential of `extra` plates at `n` points: y[i] is the sum of charge * |x[i] -
 * place|.
 *
 * Places, charges and points are whole numbers, so small that every sum is exact in whatever order it is
 * made.
 */
#include "autograder/judge.h"
#include "lessons/common/sums.h"

static const JudgeCaseSpec cases[] = {
    {.name = "3 points, 5 plates", .points = 1, .n = 3, .extra = 5},
    {.name = "5 points and no plates: all zeros", .points = 1, .n = 5, .extra = 0},
    {.name = "no points at all", .points = 0, .n = 0, .extra = 7},
    {.name = "130 points, 128 plates: exactly a tile", .points = 1, .n = 130, .extra = 128},
    {.name = "100 points, 129 plates: one more than a tile", .points = 1, .n = 100, .extra = 129},
    {.name = "257 points, 600 plates, called twice", .points = 1, .n = 257, .extra = 600, .again = true},
    {.name = "one point, 1,000 plates", .points = 0, .n = 1, .extra = 1000},
    {.name = "700 points, 2,003 plates", .points = 2, .n = 700, .extra = 2003},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

typedef struct Expected {
    size_t n, m;
    const float *x, *plates;
    double *y;
} Expected;

/* ---- what is added up ---- */

/* What a plate adds to the potential at point i: rightly, and as typical mistakes have it. */
typedef double Term(const Expected *expected, size_t i, size_t plate);

static double place_of(const Expected *expected, size_t plate) {
    return (double)expected->plates[2 * plate];
}

static double charge_of(const Expected *expected, size_t plate) {
    return (double)expected->plates[2 * plate + 1];
}

static double right_term(const Expected *expected, size_t i, size_t plate) {
    return charge_of(expected, plate) * fabs((double)expected->x[i] - place_of(expected, plate));
}

static double signed_term(const Expected *expected, size_t i, size_t plate) {
    return charge_of(expected, plate) * ((double)expected->x[i] - place_of(expected, plate));
}

static double exchanged_term(const Expected *expected, size_t i, size_t plate) {
    return place_of(expected, plate) * fabs((double)expected->x[i] - charge_of(expected, plate));
}

static double sum_of(const Expected *expected, Term *term, size_t i, size_t first, size_t end) {
    double sum = 0.0;
    for (size_t plate = first; plate < end; plate++)
        sum += term(expected, i, plate);
    return sum;
}

static bool prepare(JudgeCase *judged) {
    const JudgeCaseSpec *spec = judged->spec;
    const size_t n = (size_t)spec->n, m = (size_t)spec->extra;
    float *x = judge_input_floats(judged, "x", n);
    float *plates = judge_input_floats(judged, "plates", 2 * m);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (x == NULL || plates == NULL || expected == NULL) return false;
    judge_fill(judged, x, n, 40.0F, 0);
    judge_fill(judged, plates, 2 * m, 40.0F, 1);
    sums_make_whole(x, n);
    sums_make_whole(plates, 2 * m);
    *expected =
        (Expected){.n = n, .m = m, .x = x, .plates = plates, .y = ARENA_ARRAY(judged->arena, n + 1, double)};
    if (expected->y == NULL) return false;
    for (size_t i = 0; i < n; i++)
        expected->y[i] = sum_of(expected, right_term, i, 0, m);
    judged->expected = expected;
    return judge_input_int(judged, "m", (int32_t)m);
}

/* ---- what a wrong answer is ---- */

/* Whether that is what all points have, and not only zeros. */
static bool is_everywhere(const Expected *expected, const float *y, Term *term, size_t first, size_t end) {
    for (size_t i = 0; i < expected->n; i++)
        if ((double)y[i] != sum_of(expected, term, i, first, end)) return false;
    return first < end;
}

/* Plates of which the first ones alone, or all but the first ones, make the answer: none, or all, where there
 * is no such number. */
static size_t length_of_beginning(const Expected *expected, const float *y, bool lost) {
    const size_t m = expected->m;
    double sum = 0.0;
    for (size_t length = 1; length < m; length++) {
        sum += right_term(expected, 0, length - 1);
        double left = sum;
        if (lost) left = expected->y[0] - sum;
        if (left != (double)y[0]) continue;
        if (is_everywhere(expected, y, right_term, lost ? length : 0, lost ? m : length)) return length;
    }
    return 0;
}

/* The plates of a tile at the beginning, taken again in place of each later tile; 0 where that is not it. */
static size_t tile_taken_again(const Expected *expected, const float *y) {
    for (size_t tile = 32; tile < expected->m && tile <= 1024; tile *= 2) {
        size_t same = 0;
        while (same < expected->n) {
            double sum = 0.0;
            for (size_t plate = 0; plate < expected->m; plate++)
                sum += right_term(expected, same, plate % tile);
            if ((double)y[same] != sum) break;
            same++;
        }
        if (same == expected->n) return tile;
    }
    return 0;
}

/* In a second call that only adds: the sum of both. */
static bool is_sum_of_both(const JudgeCase *judged, const float *y) {
    if (judged->before == NULL) return false;
    const Expected *now = judged->expected, *before = judged->before->expected;
    for (size_t i = 0; i < now->n; i++)
        if ((double)y[i] != now->y[i] + before->y[i]) return false;
    return true;
}

static JudgeCause cause_of(const JudgeCase *judged, const float *y) {
    const Expected *expected = judged->expected;
    const size_t m = expected->m;
    if (m == 0 || expected->n == 0) return JUDGE_UNKNOWN;
    if (is_sum_of_both(judged, y))
        return (JudgeCause){"not-zeroed",
                            "that is the sum of both calls' potentials: start from zero in each "
                            "call"};
    if (is_everywhere(expected, y, signed_term, 0, m))
        return (JudgeCause){"signed", "that is the sum of charge * (x - place): a distance has no sign"};
    if (is_everywhere(expected, y, exchanged_term, 0, m))
        return (JudgeCause){"exchanged",
                            "that is the sum of place * |x - charge|: .x of a plate is its place, "
                            ".y its charge"};
    size_t length = length_of_beginning(expected, y, false);
    if (length > 0)
        return judge_cause(judged->arena, "beginning-only",
                           "that is the potential of the first %zu plates alone, of %zu", length, m);
    length = length_of_beginning(expected, y, true);
    if (length > 0)
        return judge_cause(judged->arena, "beginning-lost",
                           "that is the potential without the first %zu plates, of %zu", length, m);
    length = tile_taken_again(expected, y);
    if (length > 0)
        return judge_cause(judged->arena, "tile-taken-again",
                           "the first %zu plates were used again in place of the next tile: which of the two "
                           "tiles is this round's?",
                           length);
    return JUDGE_UNKNOWN;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const float *y = judge_answer_floats(judged, decision, "y", expected->n);
    if (y == NULL) return;
    decision->passed = judge_compare(judged, decision, "y", y, expected->y, NULL, expected->n);
    if (!decision->passed && !decision->unwritten) judge_explain(decision, cause_of(judged, y));
}

/* The first plates one by one, then what all make together. */
static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    enum { SHOWN = 3 };
    const Expected *expected = judged->expected;
    const size_t i = (size_t)wrong->wrong_index, m = expected->m;
    if (m == 0) judge_step(steps, "there are no plates: y[%zu] = 0", i);
    for (size_t plate = 0; plate < m && plate < SHOWN; plate++)
        judge_step(steps, "charge * |x[%zu] - place| of plate %zu: %.9g * |%.9g - %.9g| = %.9g", i, plate,
                   charge_of(expected, plate), (double)expected->x[i], place_of(expected, plate),
                   right_term(expected, i, plate));
    if (m > SHOWN) judge_step(steps, "and so on, to plate %zu", m - 1);
    if (m > 0) judge_step(steps, "together y[%zu] = %.9g", i, expected->y[i]);
}

const Judge judge_30_async_copy = {
    .lesson = "30-async-copy",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
