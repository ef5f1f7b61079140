/* test_steps.c - wrong cases worked out by hand: each lesson has steps for every case and element, and they
 * say what the reference does.
 */
#include "autograder/check/cases.h"
#include "lessons/judges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 1, LONGEST = 200 };

/* How many elements an answer has: as many as a case has numbers, one, 256, those of an input, or those on or
 * above the diagonal of a matrix. */
typedef enum Count { OF_NUMBERS, ONE, BINS, OF_PRODUCT, OF_ANSWERS, OF_GROUPS, TRIANGLE } Count;

/** A lesson's answer, and a step that one of its cases has for element `index`. */
static const struct {
    const char *lesson, *answer;
    Count count;
    const char *case_name;
    size_t index;
    const char *step;
} rows[] = {
    {"01-vector-add", "z", OF_NUMBERS, "one element past a block", 256,
     "z[256] = x[256] + y[256] = 68.0071869 + 55.9230804 = 123.930267"},
    {"02-launch-grid", "f", OF_NUMBERS, "32 x 8 x 4", 300,
     "f[300] = 2 * g[300] = 2 * 973.040588 = 1946.08118"},
    {"03-grid-stride", "y", OF_NUMBERS, "513 elements, 2 blocks of 128, called twice", 300,
     "it is element 1 of thread 44, counted from 0: 44 + 1 * 256 threads"},
    {"04-constant-memory", "y", OF_NUMBERS, "a single element", 0,
     "y[0] = x1[0] * x2[0] + b = 4.30071831 * 8.09230804 + 200.579605 = 235.382342"},
    {"05-matrix-2d", "z", OF_NUMBERS, "64 x 64: square", 65,
     "z[65] = x[65] * y[65] = -17.0262108 * -61.221981 = 1042.3783"},
    {"06-triangle", "above", TRIANGLE, "2 x 2", 2,
     "column >= row: it is in the triangle, and gets value = -511.379242"},
    {"07-block-sum-dynamic", "sum", ONE, "one warp", 0, "distance 1: temp[0] + temp[1] = 986 + -246 = 740"},
    {"08-block-sum-static", "sum", ONE, "whole numbers of both signs", 0,
     "distance 1: temp[0] + temp[1] = 9488 + -8065 = 1423"},
    {"09-constant-and-device", "y", OF_NUMBERS, "one reading past a block", 256,
     "times x, plus c[4]: -3.19972992 * 1.02010775 + -6.17824554 = -9.44231482"},
    {"10-any-block-size", "sum", ONE, "192 threads: 128 and 64 more", 0,
     "distance 128: temp[0] + temp[128] = 430 + -555 = -125"},
    {"11-grid-sum-partials", "sum", ONE, "one more than two blocks", 0, "all blocks together: 1048619"},
    {"12-grid-sum-atomic", "sum", ONE, "one more than two blocks", 0,
     "block 1: in[256] to in[511] add up to 50"},
    {"13-library-sum", "sum", ONE, "one more than a warp", 0,
     "sum = in[0] + in[1] + in[2] + ... + in[32] = 4 + -6 + -7 + ... + 1048576 = 1048583"},
    {"14-streams-and-events", "y", OF_NUMBERS, "one number more than four blocks", 300,
     "1025 / 4, rounded up, is 257: number 300 is number 43 of chunk 1"},
    {"15-memory-pools", "out", OF_NUMBERS, "two rounds, called twice", 1,
     "round 2: the mean of numbers 0 to 2, (430.071838 + -331.833842 + -807.024963) / 3 = -236.262322"},
    {"16-map-reduce", "sum", ONE, "products of 257 pairs, called twice", 0,
     "= 6 * 10 + -8 * -7 + -10 * -3 + ... + 8 * 7"},
    {"17-textures", "out", OF_NUMBERS, "64 x 48 becomes 31 x 23", 35,
     "between the two rows: 0.369565 * -284.271 + 0.630435 * 293.343 = 79.8773"},
    {"18-multi-gpu", "x", OF_NUMBERS, "one number on four devices", 0,
     "step 3: 0.9 * 348.358189 = 313.52237"},
    {"19-warp-shuffle", "sum", ONE, "exactly two warps", 0,
     "block 0, warp 1: in[32] to in[63] add up to 4500"},
    {"20-peak-bandwidth", "sum", ONE, "two numbers, fewer than a float4", 0,
     "sum = in[1] + in[2] = 430 + -618 = -188"},
    {"21-stencil", "out", OF_NUMBERS, "3 x 3 x 3: one inner cell", 13,
     "with itself: (8802 + -6230 + 7605 + 3925) / 7 = 2014.57143"},
    {"22-transpose", "out", OF_NUMBERS, "33 x 31: one off a tile", 34,
     "rows and columns are swapped: out[34] = in[32] = 461.321838"},
    {"23-matrix-product", "c", OF_PRODUCT, "17 x 31 times 31 x 33: one off a tile", 34,
     "= 27 * -51 + 46 * 68 + 64 * 84 + ... + 92 * -63"},
    {"24-scan", "out", OF_NUMBERS, "one more than four blocks of 256", 1024,
     "in blocks of 256: -20472 from the blocks before its own, and 214 from its own up to here"},
    {"25-histogram", "bins", BINS, "one more than a block of 256", 0,
     "data[237] is 0, and counts in bins[0]: 1"},
    {"26-unified-memory", "rod", OF_NUMBERS, "33 places, 1 turn", 1, "turn 0, device: place 1 becomes"},
    {"27-occupancy", "sums", OF_GROUPS, "the ten numbers on the page", 2, "groups[2] is 2: values[2] = "},
    {"28-find-the-bug", "y", OF_ANSWERS, "add_pairs, 300 pairs", 2, "y[2] = x[5] + x[6] = "},
    {"29-cooperative-groups", "y", OF_NUMBERS, "fewer numbers than a tile", 3, "the 7 numbers add up to "},
    {"30-async-copy", "y", OF_NUMBERS, "3 points, 5 plates", 1, "charge * |x[1] - place| of plate 0: "},
    {"31-graphs", "y", OF_NUMBERS, "one round", 3, "after round 0, with a rate of "},
    {"32-tensor-cores", "c", OF_PRODUCT, "17 x 31 times 31 x 33: one off a piece", 34, "a[31] * b[1] = "},
    {"33-sparse", "y", OF_NUMBERS, "the matrix on the page", 2,
     "values[2] * x[columns[2]] = -6 * x[0] = -6 * 6 = -36"},
    {"34-softmax", "y", OF_NUMBERS, "rows of 5, shorter than a warp", 7,
     "exp(x[7] - max) = exp(5.99526215 - 7.50307465) = 0.221393747"},
    {"35-capstone", "out", OF_NUMBERS, "4 x 3, radius 1", 5,
     "out[5] is channel y (green) of the pixel in column 1 of row 0"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static size_t input_int(const JudgeCase *judged, const char *name) {
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next)
        if (strcmp(input->name, name) == 0) return (size_t) * (const int32_t *)input->array.data;
    return 0;
}

static size_t count_of(const JudgeCase *judged, Count count) {
    enum { WHOLE = 256, ALL_BINS = 256 }; /* matrices of lesson 06 that come back whole */
    const size_t n = (size_t)judged->spec->n;
    switch (count) {
    case OF_NUMBERS:
        return n;
    case ONE:
        return 1;
    case BINS:
        return ALL_BINS;
    case OF_PRODUCT:
        return input_int(judged, "m") * input_int(judged, "n");
    case OF_ANSWERS:
        return input_int(judged, "answers");
    case OF_GROUPS:
        return input_int(judged, "count");
    case TRIANGLE:
        return n <= WHOLE ? n * (n + 1) / 2 : n;
    }
    return 0;
}

/* The steps of an element in one call of a case. */
static void work(const JudgeCase *judged, const Judge *judge, const char *answer, size_t index,
                 JudgeCall call, Text *steps) {
    const JudgeDecision wrong = {.answer = answer, .wrong_index = (long)index, .which_call = call};
    text_clear(steps);
    cases_work(judged, judge, &wrong, steps);
}

/* Steps are lines that begin with four spaces, and none of them is cut short. */
static void check_steps(const char *lesson, const char *case_name, size_t index, const char *steps) {
    if (*steps == '\0') fail_msg("%s, %s: no steps for element %zu", lesson, case_name, index);
    if (strstr(steps, "nan") != NULL) fail_msg("%s, %s: %s", lesson, case_name, steps);
    for (const char *line = steps; *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(line, "    ", 4) != 0 || strcspn(line, "\n") > LONGEST)
            fail_msg("%s, %s: %s", lesson, case_name, line);
}

static void check_case(unsigned row, const Judge *judge, unsigned index) {
    Arena *arena = arena_create();
    JudgeCase judged;
    Text steps;
    text_init(&steps);
    assert_true(cases_prepare(&judged, judge, index, SEED, arena));
    const size_t count = count_of(&judged, rows[row].count);
    const size_t elements[] = {0, 1, count / 3, count / 2, count - 1};
    for (unsigned i = 0; i < sizeof elements / sizeof *elements; i++)
        for (JudgeCall call = JUDGE_ONLY_CALL; call <= JUDGE_SECOND_CALL; call++) {
            if (elements[i] >= count || (call != JUDGE_ONLY_CALL) != judged.spec->again) continue;
            work(&judged, judge, rows[row].answer, elements[i], call, &steps);
            check_steps(judge->lesson, judged.spec->name, elements[i], steps.bytes);
        }
    text_free(&steps);
    arena_destroy(arena);
}

static void test_every_case_has_steps(void **state) {
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        const Judge *judge = judges_find(lessons_judges, rows[row].lesson);
        assert_non_null(judge);
        for (unsigned i = 0; i < judge->case_count; i++)
            check_case(row, judge, i);
    }
}

static void test_every_lesson_is_here(void **state) {
    (void)state;
    unsigned row = 0;
    for (const Judge *const *judge = lessons_judges; *judge != NULL; judge++, row++)
        assert_true(row < ROWS && strcmp(rows[row].lesson, (*judge)->lesson) == 0);
    assert_int_equal(row, ROWS);
}

static void test_steps_say_what_the_reference_does(void **state) {
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        const Judge *judge = judges_find(lessons_judges, rows[row].lesson);
        unsigned index = 0;
        while (index < judge->case_count && strcmp(judge->cases[index].name, rows[row].case_name) != 0)
            index++;
        assert_true(index < judge->case_count);
        Arena *arena = arena_create();
        JudgeCase judged;
        Text steps;
        text_init(&steps);
        assert_true(cases_prepare(&judged, judge, index, SEED, arena));
        work(&judged, judge, rows[row].answer, rows[row].index,
             judged.spec->again ? JUDGE_SECOND_CALL : JUDGE_ONLY_CALL, &steps);
        if (strstr(steps.bytes, rows[row].step) == NULL)
            fail_msg("%s: not \"%s\" in\n%s", rows[row].lesson, rows[row].step, steps.bytes);
        text_free(&steps);
        arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_lesson_is_here),
        cmocka_unit_test(test_every_case_has_steps),
        cmocka_unit_test(test_steps_say_what_the_reference_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
