/* test_suspects.c - a cause is told when every wrong answer agrees on it. */
#include "autograder/verdict/suspects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const JudgeCause nothing[] = {{0}};
static const JudgeCause first_or_last[] = {
    {"first", "the first alone"}, {"last", "the last is missing"}, {0}};
static const JudgeCause last_or_half[] = {{"last", "the last is missing"}, {"half", "half of it"}, {0}};

static void add(Suspects *suspects, const JudgeCause *causes, bool passed) {
    const JudgeDecision decision = {.passed = passed, .suspects = causes};
    suspects_add(suspects, &decision);
}

static void test_the_first_that_all_have_is_left(void **state) {
    (void)state;
    Suspects suspects = {0};
    assert_null(suspects_left(&suspects));
    add(&suspects, first_or_last, false);
    assert_string_equal(suspects_left(&suspects), "first");
    add(&suspects, last_or_half, false);
    assert_string_equal(suspects_left(&suspects), "last");
}

static void test_one_answer_that_nothing_explains_leaves_none(void **state) {
    (void)state;
    Suspects suspects = {0};
    add(&suspects, first_or_last, false);
    add(&suspects, nothing, false);
    assert_null(suspects_left(&suspects));
}

/* Neither a right answer nor a judge without suspects rules anything out. */
static void test_other_answers_say_nothing(void **state) {
    (void)state;
    Suspects suspects = {0};
    add(&suspects, first_or_last, false);
    add(&suspects, last_or_half, true);
    add(&suspects, NULL, false);
    assert_string_equal(suspects_left(&suspects), "first");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_that_all_have_is_left),
        cmocka_unit_test(test_one_answer_that_nothing_explains_leaves_none),
        cmocka_unit_test(test_other_answers_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
