/* test_judging.c - inputs, comparison and error bounds that lessons build on. */
#include "autograder/check/cases.h"
#include "base/poison.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int arena_open(void **state) {
    *state = arena_create();
    return *state == NULL;
}

static int arena_close(void **state) {
    arena_destroy(*state);
    return 0;
}

static JudgeCase case_with_seed(Arena *arena, uint64_t seed) {
    return (JudgeCase){.arena = arena, .seed = seed, .files = ARENA_NEW(arena, JudgeFiles)};
}

static bool compare(Arena *arena, const float *got, const double *want, const double *tolerance, size_t count,
                    JudgeDecision *decision) {
    JudgeCase judged = case_with_seed(arena, 0);
    *decision = (JudgeDecision){.wrong_index = -1};
    return judge_compare(&judged, decision, "z", got, want, tolerance, count);
}

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void test_equal_passes(void **state) {
    JudgeDecision decision;
    const float got[] = {1.0F, -2.5F};
    const double want[] = {1.0, -2.5};
    assert_true(compare(*state, got, want, NULL, 2, &decision));
    assert_true(compare(*state, got, want, NULL, 0, &decision)); /* nothing is right */
}

static void test_first_wrong_element_is_named(void **state) {
    JudgeDecision decision;
    const float got[] = {1.0F, 3.0F, 4.0F};
    const double want[] = {1.0, 2.0, 5.0};
    assert_false(compare(*state, got, want, NULL, 3, &decision));
    assert_int_equal(decision.wrong_index, 1);
    assert_string_equal(decision.message,
                        "2 of the 3 elements of `z` are wrong; the first, `z[1]`, is 3 and should be 2");
}

static void test_close_numbers_are_told_apart(void **state) {
    JudgeDecision decision;
    const float got[] = {1.00000012F};
    const double want[] = {1.0};
    assert_false(compare(*state, got, want, NULL, 1, &decision));
    assert_string_equal(decision.message, "`z` is 1.0000001 and should be 1");
}

static void test_tolerance_is_inclusive(void **state) {
    JudgeDecision decision;
    const float got[] = {1.5F};
    const double want[] = {1.0}, enough[] = {0.5}, too_little[] = {0.49};
    assert_true(compare(*state, got, want, enough, 1, &decision));
    assert_false(compare(*state, got, want, too_little, 1, &decision));
}

static void test_nan_never_passes(void **state) {
    JudgeDecision decision;
    const float got[] = {NAN}, one[] = {1.0F};
    const double want[] = {1.0}, nan_wanted[] = {(double)NAN}, wide[] = {INFINITY};
    assert_false(compare(*state, got, want, wide, 1, &decision));
    assert_false(compare(*state, got, nan_wanted, wide, 1, &decision));
    assert_false(compare(*state, one, nan_wanted, wide, 1, &decision));
}

static void test_infinity_does_not_pass_for_a_number(void **state) {
    JudgeDecision decision;
    const float got[] = {INFINITY};
    const double want[] = {1.0}, tolerance[] = {1e30};
    assert_false(compare(*state, got, want, tolerance, 1, &decision));
}

static void test_whole_numbers_must_be_equal(void **state) {
    JudgeCase judged = case_with_seed(*state, 0);
    JudgeDecision decision = {.wrong_index = -1};
    const int32_t want[] = {7, -1, 2147483647}, got[] = {7, -1, 2147483646}, none[] = {7, 5, -1};
    assert_true(judge_compare_ints(&judged, &decision, "out", want, want, 3)); /* -1 may be right */
    assert_false(judge_compare_ints(&judged, &decision, "out", got, want, 3));
    assert_int_equal(decision.wrong_index, 2);
    assert_string_equal(decision.message, "`out[2]` is 2147483646 and should be 2147483647");
    assert_false(judge_compare_ints(&judged, &decision, "out", none + 2, want, 1));
    assert_true(decision.unwritten);
    assert_string_equal(decision.message, "`out` never got a value");
}

/* Whatever there is no memory for: a wrong answer stays one, though less may be told of it. */
static void test_no_memory(void **state) {
    enum { MANY = 24 };
    static const JudgeCaseSpec spec = {.name = "a case", .n = 3};
    const float got[] = {1.0F, 3.0F, 4.0F};
    const double want[] = {1.0, 2.0, 5.0};
    int untold = 0;
    for (long count = 1; count <= MANY; count++) {
        JudgeCase judged = case_with_seed(*state, 0);
        judged.spec = &spec;
        JudgeDecision decision = {.wrong_index = -1};
        arena_fail_after(count);
        assert_false(judge_compare(&judged, &decision, "z", got, want, NULL, 3));
        arena_fail_after(0);
        untold += decision.message == NULL || decision.elements == NULL;
    }
    assert_in_range(untold, 4, MANY - 1);
}

static void test_poison_never_got_a_value(void **state) {
    JudgeDecision decision;
    const float got[] = {1.0F, float_of_bits(POISON_HOST_FLOAT), float_of_bits(POISON_DEVICE_FLOAT)};
    const double want[] = {1.0, 2.0, 3.0};
    assert_false(compare(*state, got, want, NULL, 3, &decision));
    assert_string_equal(decision.message,
                        "2 of the 3 elements of `z` never got a value; the first is `z[1]`");
    assert_false(compare(*state, got + 1, want, NULL, 2, &decision));
    assert_string_equal(decision.message, "no element of `z` ever got a value");
}

static void test_fill_is_distinct_and_of_both_signs(void **state) {
    enum { COUNT = 5000 };
    JudgeCase judged = case_with_seed(*state, 3);
    float *values = judge_input_floats(&judged, "x", COUNT);
    judge_fill(&judged, values, COUNT, 100.0F, 0);
    size_t negative = 0;
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(values[i] != 0.0F && fabsf(values[i]) <= 100.0F);
        negative += values[i] < 0.0F;
        for (size_t j = i + 1; j < COUNT; j++)
            assert_true(values[i] != values[j]);
    }
    assert_in_range(negative, COUNT / 3, COUNT * 2 / 3);
}

static void test_fill_depends_on_seed_and_stream_only(void **state) {
    float first[4], second[4];
    JudgeCase one = case_with_seed(*state, 1), again = case_with_seed(*state, 1),
              other = case_with_seed(*state, 2);
    judge_fill(&one, first, 4, 1.0F, 0);
    judge_fill(&again, second, 4, 1.0F, 0);
    assert_memory_equal(first, second, sizeof first);
    judge_fill(&one, second, 4, 1.0F, 1);
    assert_memory_not_equal(first, second, sizeof first);
    judge_fill(&other, second, 4, 1.0F, 0);
    assert_memory_not_equal(first, second, sizeof first);
}

static void test_empty_input_has_an_address(void **state) {
    JudgeCase judged = case_with_seed(*state, 0);
    assert_non_null(judge_input_floats(&judged, "x", 0));
    assert_int_equal(judged.files->first->array.count, 0);
}

/* Adding one by one in float, the worst order, stays within the bound. */
static void test_sum_tolerance_covers_any_order(void **state) {
    enum { COUNT = 100003 };
    JudgeCase judged = case_with_seed(*state, 7);
    float *values = judge_input_floats(&judged, "x", COUNT);
    judge_fill(&judged, values, COUNT, 100.0F, 0);
    float forward = 0.0F, backward = 0.0F;
    for (size_t i = 0; i < COUNT; i++) {
        forward += values[i];
        backward += values[COUNT - 1 - i];
    }
    double sum = judge_sum(values, COUNT), tolerance = judge_sum_tolerance(values, COUNT);
    assert_true(fabs((double)forward - sum) <= tolerance);
    assert_true(fabs((double)backward - sum) <= tolerance);
}

static void test_sum_tolerance_of_few_is_small(void **state) {
    (void)state;
    const float values[] = {1.0F, 2.0F};
    assert_true(judge_sum_tolerance(values, 2) < 1e-6);
    assert_true(judge_sum_tolerance(values, 0) < 1e-40);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_open, arena_close)
    const struct CMUnitTest tests[] = {
        TEST(test_equal_passes),
        TEST(test_first_wrong_element_is_named),
        TEST(test_close_numbers_are_told_apart),
        TEST(test_tolerance_is_inclusive),
        TEST(test_nan_never_passes),
        TEST(test_infinity_does_not_pass_for_a_number),
        TEST(test_whole_numbers_must_be_equal),
        TEST(test_no_memory),
        TEST(test_poison_never_got_a_value),
        TEST(test_fill_is_distinct_and_of_both_signs),
        TEST(test_fill_depends_on_seed_and_stream_only),
        TEST(test_empty_input_has_an_address),
        TEST(test_sum_tolerance_covers_any_order),
        TEST(test_sum_tolerance_of_few_is_small),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
