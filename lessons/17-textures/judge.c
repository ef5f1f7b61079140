/* judge.c - lesson 17: a picture in another size, by linear interpolation between the centres of its
 * elements.
 *
 * Beyond the outermost centres the picture goes on as it ends. A card keeps only 8 bits of the place between
 * two centres, so each number may differ by two 256ths of the range of the four elements around it. A wrong
 * picture is compared with those that typical mistakes give.
 */
#include "autograder/judge.h"

#include <math.h>

typedef struct Sizes {
    int width, height, out_width, out_height;
} Sizes;

enum { SAME, POINT, NOTHING, DOUBLE, SMALLER, ODD, FLAT, LARGE };

static const Sizes sizes[] = {
    [SAME] = {33, 17, 33, 17},   [POINT] = {1, 1, 40, 3},       [NOTHING] = {8, 8, 0, 5},
    [DOUBLE] = {16, 16, 32, 32}, [SMALLER] = {64, 48, 31, 23},  [ODD] = {31, 29, 101, 67},
    [FLAT] = {257, 5, 1009, 3},  [LARGE] = {100, 80, 331, 211},
};

static const JudgeCaseSpec cases[] = {
    {.name = "the same size", .points = 1, .n = 33L * 17, .extra = SAME},
    {.name = "one element becomes many", .points = 1, .n = 120, .extra = POINT},
    {.name = "a width of 0", .points = 1, .n = 0, .extra = NOTHING},
    {.name = "twice as wide and high", .points = 1, .n = 32L * 32, .extra = DOUBLE, .again = true},
    {.name = "64 x 48 becomes 31 x 23", .points = 1, .n = 31L * 23, .extra = SMALLER},
    {.name = "31 x 29 becomes 101 x 67", .points = 1, .n = 101L * 67, .extra = ODD},
    {.name = "much wider than high", .points = 1, .n = 1009L * 3, .extra = FLAT},
    {.name = "100 x 80 becomes 331 x 211", .points = 1, .n = 331L * 211, .extra = LARGE},
};

/* Where in the picture an element of the result lies, and what is there. */
typedef enum Way {
    RIGHT,
    FROM_CORNERS, /* the place of its corner */
    HALF_TWICE,   /* half an element is added after the scale */
    NEAREST,
    BLACK_BORDER, /* 0 outside */
    WRONG_SCALE,  /* whole numbers divided */
    INVERTED,     /* the scale is that of the way back */
    NOT_SCALED,
    SCALE_OF_X,  /* for the rows as well */
    SWAPPED,     /* v for u */
    NORMALIZED,  /* texels, where a number from 0 to 1 is asked for */
    FROM_0_TO_1, /* the other way round */
    WRAPPED,     /* the other side outside */
    SCALES_SWAPPED,
    WAYS
} Way;

static const JudgeCause causes[WAYS] = {
    [FROM_CORNERS] = {"from-corners",
                      "every element is sampled half an element too far to the upper left: the centre of "
                      "element i is at i + 0.5"},
    [HALF_TWICE] = {"half-after-scale",
                    "the 0.5 is added after the scale: an element of the result has its centre at (i + 0.5) "
                    "times the scale"},
    [NEAREST] = {"nearest", "these are the nearest elements, without interpolation: filterMode decides that"},
    [BLACK_BORDER] =
        {"black-border",
         "outside the picture there is 0 instead of the element at its edge: addressMode decides that"},
    [WRONG_SCALE] = {"whole-scale",
                     "the scale was rounded to a whole number: dividing an int by an int gives an int"},
    [INVERTED] =
        {"scale-inverted",
         "the scale is upside down: a step of one element in the result is width / out_width elements "
         "of `in`, and height / out_height"},
    [NOT_SCALED] = {"not-scaled", "these are the elements of `in` at the same indices: the scale is missing"},
    [SCALE_OF_X] = {"one-scale", "the rows have the scale of the columns: theirs is height / out_height"},
    [SWAPPED] = {"coordinates-swapped",
                 "x and y are swapped in the fetch: tex2D takes the column's coordinate first"},
    [NORMALIZED] = {"normalized",
                    "with normalizedCoords = 1 a coordinate goes from 0 to 1 across the picture, and it was "
                    "given in elements"},
    [FROM_0_TO_1] = {"from-0-to-1",
                     "the coordinates go from 0 to 1 across the picture, and the texture counts elements: "
                     "multiply by the scale, or set normalizedCoords = 1"},
    [WRAPPED] = {"wrapped", "outside the picture there is its other side instead of the element at its edge: "
                            "addressMode decides that"},
    [SCALES_SWAPPED] = {"scales-swapped",
                        "the columns have the scale of the rows, and the rows that of the columns"},
};

typedef struct Expected {
    const float *in;
    Sizes size;
    double *out, *tolerance;
} Expected;

static double element(const Expected *expected, Way way, long x, long y) {
    const Sizes *size = &expected->size;
    const bool outside = x < 0 || y < 0 || x >= size->width || y >= size->height;
    if (outside && way == BLACK_BORDER) return 0.0;
    if (outside && way == WRAPPED)
        return (double)
            expected->in[(y + size->height) % size->height * size->width + (x + size->width) % size->width];
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x >= size->width) x = size->width - 1;
    if (y >= size->height) y = size->height - 1;
    return (double)expected->in[y * size->width + x];
}

/* In elements, counted from the first centre. */
static double place(Way way, int i, int from, int to) {
    const double scale = (double)from / (double)to;
    switch (way) {
    case FROM_CORNERS:
        return i * scale - 0.5;
    case HALF_TWICE:
        return i * scale;
    case WRONG_SCALE:
        return (i + 0.5) * (double)(from / to) - 0.5;
    case INVERTED:
        return (i + 0.5) / scale - 0.5;
    case NOT_SCALED:
        return i;
    case NORMALIZED:
        return (i + 0.5) * scale * from - 0.5;
    case NEAREST:
        return floor((i + 0.5) * scale);
    case FROM_0_TO_1:
        return (i + 0.5) / to - 0.5;
    case RIGHT:
    case BLACK_BORDER:
    case WRAPPED:
    case SCALES_SWAPPED:
    case SCALE_OF_X:
    case SWAPPED:
    case WAYS:
        break;
    }
    return (i + 0.5) * scale - 0.5;
}

/* The number, and how far the four elements around it are apart. */
static double sample(const Expected *expected, Way way, int column, int row, double *range) {
    const Sizes *size = &expected->size;
    double x = place(way, column, size->width, size->out_width);
    double y = place(way, row, size->height, size->out_height);
    if (way == SCALES_SWAPPED) {
        x = place(way, column, size->height, size->out_height);
        y = place(way, row, size->width, size->out_width);
    }
    if (way == SCALE_OF_X) y = place(way, row, size->width, size->out_width);
    if (way == SWAPPED) {
        const double swapped = x;
        x = y;
        y = swapped;
    }
    const long left = (long)floor(x), top = (long)floor(y);
    const double a = x - (double)left, b = y - (double)top;
    const double four[4] = {element(expected, way, left, top), element(expected, way, left + 1, top),
                            element(expected, way, left, top + 1), element(expected, way, left + 1, top + 1)};
    double least = four[0], most = four[0];
    for (int i = 1; i < 4; i++) {
        least = fmin(least, four[i]);
        most = fmax(most, four[i]);
    }
    *range = most - least;
    return (1 - b) * ((1 - a) * four[0] + a * four[1]) + b * ((1 - a) * four[2] + a * four[3]);
}

static double tolerated(double range) {
    return 2.0 / 256 * range + 1e-3;
}

static bool prepare(JudgeCase *judged) {
    const size_t n = (size_t)judged->spec->n;
    Expected *expected = ARENA_NEW(judged->arena, Expected);
    if (expected == NULL) return false;
    const Sizes *size = &sizes[judged->spec->extra];
    expected->size = *size;
    float *in = judge_input_floats(judged, "in", (size_t)size->width * (size_t)size->height);
    expected->out = ARENA_ARRAY(judged->arena, n + 1, double);
    expected->tolerance = ARENA_ARRAY(judged->arena, n + 1, double);
    if (in == NULL || expected->out == NULL || expected->tolerance == NULL) return false;
    judge_fill(judged, in, (size_t)size->width * (size_t)size->height, 1000.0F, 0);
    expected->in = in;
    for (size_t i = 0; i < n; i++) {
        double range;
        expected->out[i] =
            sample(expected, RIGHT, (int)i % size->out_width, (int)i / size->out_width, &range);
        expected->tolerance[i] = tolerated(range);
    }
    judged->expected = expected;
    return judge_input_int(judged, "width", size->width) && judge_input_int(judged, "height", size->height) &&
           judge_input_int(judged, "out_width", size->out_width) &&
           judge_input_int(judged, "out_height", size->out_height);
}

static bool is_made_so(const Expected *expected, Way way, const float *out, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double range;
        const int row = (int)i / expected->size.out_width, column = (int)i % expected->size.out_width;
        const double number = sample(expected, way, column, row, &range);
        if (!(fabs((double)out[i] - number) <= 2 * tolerated(range))) return false;
    }
    return true;
}

/* All mistakes that would give just this: a whole scale of 1 is none at all. */
static const JudgeCause *suspects_of(Arena *arena, const Expected *expected, const float *out, size_t n) {
    JudgeCause *suspects = ARENA_ARRAY(arena, WAYS + 1, JudgeCause);
    size_t count = 0;
    for (Way way = FROM_CORNERS; suspects != NULL && way < WAYS; way++)
        if (is_made_so(expected, way, out, n)) suspects[count++] = causes[way];
    return suspects;
}

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    const Expected *expected = judged->expected;
    const size_t n = (size_t)judged->spec->n;
    const float *out = judge_answer_floats(judged, decision, "out", n);
    if (out == NULL) return;
    decision->passed = judge_compare(judged, decision, "out", out, expected->out, expected->tolerance, n);
    if (decision->passed || decision->unwritten) return;
    const long width = expected->size.out_width, first = decision->wrong_index;
    decision->message = arena_format(judged->arena, "%s (column %ld of row %ld)", decision->message,
                                     first % width, first / width);
    decision->suspects = suspects_of(judged->arena, expected, out, n);
}

/* Beyond its edge the picture goes on as it ends. */
static long inside(long at, int size) {
    if (at < 0) return 0;
    if (at < size) return at;
    return size - 1;
}

/* Between two centres of a row of the picture. */
static double work_row(const Expected *expected, double x, long row, Text *steps) {
    const long left = (long)floor(x);
    const double a = x - (double)left;
    const double first = element(expected, RIGHT, left, row),
                 second = element(expected, RIGHT, left + 1, row);
    const double between = (1 - a) * first + a * second;
    judge_step(steps, "in row %ld, columns %ld and %ld: %.6g * %.9g + %.6g * %.9g = %.6g",
               inside(row, expected->size.height), inside(left, expected->size.width),
               inside(left + 1, expected->size.width), 1 - a, first, a, second, between);
    return between;
}

static void work(const JudgeCase *judged, const JudgeDecision *wrong, Text *steps) {
    const Expected *expected = judged->expected;
    const Sizes *size = &expected->size;
    const int column = (int)wrong->wrong_index % size->out_width,
              row = (int)wrong->wrong_index / size->out_width;
    const double x = place(RIGHT, column, size->width, size->out_width);
    const double y = place(RIGHT, row, size->height, size->out_height);
    const long top = (long)floor(y);
    const double b = y - (double)top;
    judge_step(steps, "the centre is at u = (%d + 0.5) * %d / %d = %.6g, v = (%d + 0.5) * %d / %d = %.6g",
               column, size->width, size->out_width, x + 0.5, row, size->height, size->out_height, y + 0.5);
    judge_step(steps, "column k of `in` has its centre at u = k + 0.5, and row k at v = k + 0.5");
    if (x < 0 || y < 0 || x > size->width - 1 || y > size->height - 1)
        judge_step(steps, "beyond the outermost centres `in` goes on as it ends");
    const double above = work_row(expected, x, top, steps), below = work_row(expected, x, top + 1, steps);
    judge_step(steps, "between the two rows: %.6g * %.6g + %.6g * %.6g = %.6g", 1 - b, above, b, below,
               expected->out[wrong->wrong_index]);
}

const Judge judge_17_textures = {
    .lesson = "17-textures",
    JUDGE_CASES(cases),
    .prepare = prepare,
    .decide = decide,
    .work = work,
};
