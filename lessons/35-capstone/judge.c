/* judge.c - lesson 35: a Gaussian blur of an image of `n` pixels, `threads` in a row, by the radius `extra`;
 * and the learner's own test of such filters, where `extra` is OF_TEST and a number.
 *
 * In a case of the second sort the driver has the learner's test look at a right filter and at broken ones,
 * each of which breaks one rule of the specification. They come in an order that the seed draws, another one
 * in each of the two runs, so that counting calls does not help. What the test says is made on the host: such
 * a case asks for no kernel.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "autograder/judge.h"

enum { CHANNELS = 4, MOST_RADIUS = 16, OF_TEST = 100, MOST_FILTERS = 5 };

static const JudgeCaseSpec cases[] = {
    {.name = "4 x 3, radius 1", .points = 1, .n = 4 * 3, .threads = 4, .extra = 1},
    {.name = "5 x 7, radius 0: nothing changes",
     .points = 0,
     .n = 5 * 7,
     .threads = 5,
     .extra = 0,
     .copied = true},
    {.name = "no pixels at all", .points = 0, .n = 0, .threads = 5, .extra = 3},
    {.name = "one column of 40, radius 16", .points = 1, .n = 40, .threads = 1, .extra = 16},
    {.name = "33 x 31, radius 5, called twice",
     .points = 1,
     .n = 33 * 31,
     .threads = 33,
     .extra = 5,
     .again = true},
    {.name = "41 x 67, radius 16", .points = 1, .n = 41 * 67, .threads = 41, .extra = 16},
    {.name = "your test: a right filter, and four broken ones",
     .points = 2,
     .n = 5,
     .extra = OF_TEST,
     .copied = true},
    {.name = "your test: the same in another order",
     .points = 1,
     .n = 5,
     .extra = OF_TEST + 1,
     .copied = true},
#if __has_include("hidden.def")
#include "hidden.def"
#endif
};

/* ---- the learner's test ---- */

/* The driver's filters, by number. */
static const struct {
    const char *name, *words;
} filters[] = {
    {"rejects-all",
     "your test rejects every filter, the right one as well: does it return true where all pixels "
     "differ by roundings only?"},
    {"accepts-wrapped",
     "your test accepts a filter that wraps round at the upper and the lower edge, where it should take the "
     "edge's own "
     "pixel: look at pixels that are nearer to an edge than the radius, in both directions"},
    {"accepts-alpha", "your test accepts a filter that leaves alpha as it was: look at all four channels"},
    {"accepts-short-radius", "your test accepts a filter whose radius is one too small: look at more than "
                             "one radius, and closely enough"},
    {"accepts-whole-warps", "your test accepts a filter that leaves out the columns after the last multiple "
                            "of 32: try widths above 32 that are no multiple of 32"},
    {"accepts-mirrored",
     "your test accepts a filter that mirrors at the edges, where it should take the edge's own pixel"},
};

/* Which filters come in a case of OF_TEST and more. Of several that are taken for what they are not, the
 * first here is told. */
static const int filters_of[][MOST_FILTERS] = {{3, 4, 1, 2, 0}, {4, 3, 2, 1, 0}, {5, 0}};

static bool is_of_test(const JudgeCase *judged) {
    return judged->spec->extra >= OF_TEST;
}

/* The filters in the order in which the test meets them: that of as many drawn numbers. */
static bool draw_order(const JudgeCase *judged, int *order) {
    const size_t count = (size_t)judged->spec->n;
    float *drawn = ARENA_ARRAY(judged->arena, count, float);
    if (drawn == NULL) return false;
    judge_fill(judged, drawn, count, 1.0F, 0);
    for (size_t i = 0; i < count; i++) {
        size_t smaller = 0;
        for (size_t k = 0; k < count; k++)
            smaller += drawn[k] < drawn[i];
        order[smaller] = filters_of[judged->spec->extra - OF_TEST][i];
    }
    return true;
}

static bool prepare_test(JudgeCase *judged) {
    const size_t count = (size_t)judged->spec->n;
    float *numbers = judge_input_floats(judged, "filters", count);
    int *order = ARENA_ARRAY(judged->arena, count, int);
    if (numbers == NULL || order == NULL || !draw_order(judged, order)) return false;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)order[i];
    judged->expected = order;
    return judge_input_int(judged, "of_test", 1);
}

/* The place of the first of the case's filters that the test has taken for what it is not. */
static size_t first_mistaken(const JudgeCase *judged, const float *verdicts, const double *want) {
    const size_t count = (size_t)judged->spec->n;
    const int *order = judged->expected;
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < count; i++)
            if (order[i] == filters_of[judged->spec->extra - OF_TEST][f] && (double)verdicts[i] != want[i])
                return i;
    return 0;
}

/* What the verdicts on all filters have in common, where that says more than which mistake went unseen. */
static JudgeCause name_all(const float *verdicts, const double *want, size_t count) {
    size_t accepted = 0, mistaken = 0;
    for (size_t i = 0; i < count; i++) {
        accepted += verdicts[i] != 0.0F;
        mistaken += (double)verdicts[i] != want[i];
    }
    if (accepted == count && count > 2)
        return (JudgeCause){"accepts-all", "your test accepts every filter, the broken ones as well: does it "
                                           "compare every pixel, of images with a radius of 2 and more?"};
    if (mistaken == count && count > 2)
        return (JudgeCause){"verdicts-swapped", "your test accepts the broken filters and rejects the right "
                                                "one: it returns true when the filter is right"};
    return JUDGE_UNKNOWN;
}

static void explain_test(const JudgeCase *judged, const float *verdicts, const double *want,
                         JudgeDecision *decision) {
    const size_t count = (size_t)judged->spec->n, i = first_mistaken(judged, verdicts, want);
    const int filter = ((const int *)judged->expected)[i];
    JudgeCause cause = name_all(verdicts, want, count);
    if (cause.name == NULL) cause = (JudgeCause){filters[filter].name, filters[filter].words};
    decision->wrong_index = (long)i;
    decision->message = cause.words;
    decision->cause = cause.name;
    decision->call = decision->function = "test_blur";
    decision->advice =
        "Give the filter an image for which this mistake changes a pixel, and compare that pixel with what "
        "the specification says, worked out on the host. Roundings are less than 0.0001.";
}

static void decide_test(JudgeCase *judged, JudgeDecision *decision) {
    const size_t count = (size_t)judged->spec->n;
    double want[MOST_FILTERS];
    const float *verdicts = judge_other_floats(judged, decision, "verdicts", count);
    if (verdicts == NULL) return;
    for (size_t i = 0; i < count; i++)
        want[i] = ((const int *)judged->expected)[i] == 0 ? 1.0 : 0.0;
    decision->passed = judge_compare(judged, decision, "verdicts", verdicts, want, NULL, count);
    if (!decision->passed && decision->wrong_index >= 0) explain_test(judged, verdicts, want, decision);
}

static void work_test(const JudgeCase *judged, size_t i, Text *steps) {
    const int filter = ((const int *)judged->expected)[i];
    judge_step(steps, "filter %zu of %ld is %s: a test should %s it", i + 1, judged->spec->n,
               filter == 0 ? "right" : "broken", filter == 0 ? "accept" : "reject");
}

/* ---- the blur ---- */

/* How the blur goes; all false is right. */
typedef struct Rules {
    bool not_normalised, wide_sigma, root_sigma, narrow_sigma, flat, rows_only, columns_only, short_radius,
        keeps_alpha, wraps, black_edges;
} Rules;

enum { MISTAKES = 11 };

static const struct {
    const char *name, *words;
    Rules rules;
} mistakes[MISTAKES] = {
    {"not-normalised",
     "that is the sum without the division by the sum of all weights",
     {.not_normalised = true}},
    {"wide-sigma",
     "those are the weights of sigma = radius: sigma is half of the radius",
     {.wide_sigma = true}},
    {"root-sigma",
     "those are the weights exp(-k * k / (radius * radius)): with sigma = radius / 2 the exponent is twice "
     "that, "
     "-k * k / (2 * sigma * sigma)",
     {.root_sigma = true}},
    {"narrow-sigma",
     "those are the weights exp(-k * k / (sigma * sigma)): the exponent is -k * k / (2 * sigma * sigma)",
     {.narrow_sigma = true}},
    {"flat-weights",
     "that is the plain mean, all weights alike: they should be those of a Gaussian",
     {.flat = true}},
    {"rows-only", "only the rows were blurred: the columns are missing", {.rows_only = true}},
    {"columns-only", "only the columns were blurred: the rows are missing", {.columns_only = true}},
    {"short-radius",
     "that is a blur whose radius is one less: its weights go from -radius to radius, both included",
     {.short_radius = true}},
    {"alpha-kept", "alpha was left as it was: it is blurred like the other three", {.keeps_alpha = true}},
    {"wrapped",
     "beyond an edge the pixels of the other side were taken: coordinates are clamped, which takes the "
     "nearest pixel inside",
     {.wraps = true}},
    {"black-edges",
     "beyond an edge the pixels were taken to be 0: coordinates are clamped, which takes the nearest pixel "
     "inside",
     {.black_edges = true}},
};

typedef struct Expected {
    size_t width, height;
    int radius;
    const float *image;
    double *out, *tolerance;
} Expected;

static size_t clamp(long i, size_t length) {
    if (i < 0) return 0;
    if ((size_t)i < length) return (size_t)i;
    return length - 1;
}

static size_t inside(long i, size_t length, Rules rules) {
    if (!rules.wraps) return clamp(i, length);
    const long all = (long)length;
    return (size_t)((i % all + all) % all);
}

static double weight_of(int k, int radius, Rules rules) {
    double sigma = (double)radius / 2.0;
    if (rules.wide_sigma) sigma = (double)radius;
    if (rules.root_sigma) sigma = (double)radius / sqrt(2.0);
    if (rules.narrow_sigma) sigma = (double)radius / sqrt(8.0);
    if (radius > 0 && !rules.flat) return exp(-(double)(k * k) / (2.0 * sigma * sigma));
    return 1.0;
}

/* One pass along rows, or along columns. */
static void pass(double *out, const double *in, const Expected *expected, bool columns, Rules rules) {
    const size_t width = expected->width, height = expected->height;
    int taken;
    if (rules.short_radius && expected->radius > 0)
        taken = expected->radius - 1;
    else
        taken = expected->radius;
    double sum_of_weights = 0.0;
    for (int k = -taken; k <= taken; k++)
        sum_of_weights += weight_of(k, expected->radius, rules);
    if (rules.not_normalised) sum_of_weights = 1.0;
    for (size_t i = 0; i < width * height * CHANNELS; i++) {
        const size_t channel = i % CHANNELS, x = i / CHANNELS % width, y = i / CHANNELS / width;
        double sum = 0.0;
        for (int k = -taken; k <= taken; k++) {
            const long at = columns ? (long)y + k : (long)x + k;
            if (rules.black_edges && (at < 0 || at >= (long)(columns ? height : width))) continue;
            size_t from_x = x;
            if (!columns) from_x = inside((long)x + k, width, rules);
            size_t from_y = y;
            if (columns) from_y = inside((long)y + k, height, rules);
            sum += weight_of(k, expected->radius, rules) * in[(from_y * width + from_x) * CHANNELS + channel];
        }
        out[i] = sum / sum_of_weights;
        if (rules.keeps_alpha && channel == CHANNELS - 1) out[i] = in[i];
    }
}

/* Both passes, from the case's image, into `out`; false without memory. */
static bool blur(Arena *arena, const Expected *expected, Rules rules, double *out) {
    const size_t count = expected->width * expected->height * CHANNELS;
    double *first = ARENA_ARRAY(arena, count + 1, double), *rows = ARENA_ARRAY(arena, count + 1, double);
    if (!first || !rows) return false;
    for (size_t i = 0; i < count; i++)
        first[i] = (double)expected->image[i];
    if (rules.columns_only)
        memcpy(rows, first, count * sizeof *rows);
    else
        pass(rows, first, expected, false, rules);
    if (rules.rows_only)
        memcpy(out, rows, count * sizeof *out);
    else
        pass(out, rows, expected, true, rules);
    return true;
}

static bool fill_expected(Arena *arena, Expected *expected) {
    enum { ROUNDINGS = 128, LIMIT = 8 };
    const size_t count = expected->width * expected->height * CHANNELS;
    expected->out = ARENA_ARRAY(arena, count + 1, double);
    expected->tolerance = ARENA_ARRAY(arena, count + 1, double);
    if (!expected->out || !expected->tolerance) return false;
    for (size_t i = 0; i < count; i++)
        expected->tolerance[i] = (double)ROUNDINGS * (double)FLT_EPSILON * (double)LIMIT;
    return blur(arena, expected, (Rules){0}, expected->out);
}

static bool prepare_blur(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n, width = (size_t)judged->spec->threads;
    const int radius = (int)judged->spec->extra;
    float *image = judge_input_floats(judged, "image", n * CHANNELS);
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (!image || !expected) return false;
    judge_fill(judged, image, n * CHANNELS, 8.0F, 0);
    *expected = (Expected){.width = width, .height = n / width, .radius = radius, .image = image};
    if (!fill_expected(judged->arena, expected)) return false;
    judged->expected = expected;
    return judge_input_int(judged, "of_test", 0) && judge_input_int(judged, "width", (int32_t)width) &&
           judge_input_int(judged, "height", (int32_t)(n / width)) &&
           judge_input_int(judged, "radius", radius);
}

static bool is_near(const float *got, const double *want, const Expected *expected) {
    for (size_t i = 0; i < expected->width * expected->height * CHANNELS; i++)
        if (!(fabs((double)got[i] - want[i]) <= expected->tolerance[i])) return false;
    return true;
}

/* Three channels are right everywhere, and the fourth is not. */
static bool is_alpha_alone(const float *got, const Expected *expected) {
    for (size_t i = 0; i < expected->width * expected->height * CHANNELS; i++)
        if (i % CHANNELS != CHANNELS - 1 &&
            !(fabs((double)got[i] - expected->out[i]) <= expected->tolerance[i]))
            return false;
    return true;
}

/* The mistake that leaves just this image. They are worked out for a wrong one only. */
static JudgeCause name_blur(Arena *arena, const Expected *expected, const float *out) {
    double *left = ARENA_ARRAY(arena, expected->width * expected->height * CHANNELS + 1, double);
    for (size_t i = 0; left != NULL && i < MISTAKES; i++)
        if (blur(arena, expected, mistakes[i].rules, left) && is_near(out, left, expected))
            return (JudgeCause){.name = mistakes[i].name, .words = mistakes[i].words};
    if (is_alpha_alone(out, expected))
        return (JudgeCause){"alpha-alone", "only alpha, .w, is wrong: it is blurred like the other three"};
    return JUDGE_UNKNOWN;
}

static void decide_blur(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t count = (size_t)judged->spec->n * CHANNELS;
    const float *out = judge_answer_floats(judged, decision, "out", count);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, count);
    if (decision->passed || decision->unwritten) return;
    judge_explain(decision, name_blur(judged->arena, expected, out));
}

static void work_blur(const Expected *expected, size_t i, Text *steps) {
    static const char *const channels[] = {"x (red)", "y (green)", "z (blue)", "w (alpha)"};
    const size_t pixel = i / CHANNELS, x = pixel % expected->width, y = pixel / expected->width;
    double weights = 0.0;
    for (int k = -expected->radius; k <= expected->radius; k++)
        weights += weight_of(k, expected->radius, (Rules){0});
    judge_step(steps, "out[%zu] is channel %s of the pixel in column %zu of row %zu", i,
               channels[i % CHANNELS], x, y);
    judge_step(steps, "the weights go from k = %d to %d, and add up to %.9g", -expected->radius,
               expected->radius, weights);
    judge_step(steps, "along the row, columns below 0 count as 0, and those past %zu as %zu",
               expected->width - 1, expected->width - 1);
    judge_step(steps, "then along the column in the same way: out[%zu] = %.9g", i, expected->out[i]);
}

/* ---- both ---- */

static bool prepare(JudgeCase *judged) {
    if (is_of_test(judged)) return prepare_test(judged);
    return prepare_blur(judged);
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    if (is_of_test(judged))
        decide_test(judged, decision);
    else
        decide_blur(judged, decision);
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    if (is_of_test(judged))
        work_test(judged, (size_t)wrong->wrong_index, steps);
    else
        work_blur(judged->expected, (size_t)wrong->wrong_index, steps);
}

const Judge judge_35_capstone = {
    .lesson = "35-capstone",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
