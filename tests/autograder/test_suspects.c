/* test_suspects.c - a cause is told when every wrong answer agrees on it. */
#include "autograder/check/likeness.h"
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

/* ---- a cause that the judge is sure of ---- */

static int arena_open(void **state) {
    *state = arena_create();
    return *state == NULL;
}

static int arena_close(void **state) {
    arena_destroy(*state);
    return 0;
}

/* A wrong answer of two elements, of which `wrong` are. */
static JudgeDecision wrong_answer(const char *answer, const char *cause, unsigned wrong) {
    static const bool which[][2] = {{false, false}, {true, false}, {true, true}};
    static LikenessAnswer elements;
    elements = (LikenessAnswer){.wrong = which[wrong], .count = 2};
    return (JudgeDecision){.answer = answer, .cause = cause, .because = cause, .elements = &elements};
}

/* The cause that is left of a case of 1, beside one of 33. */
static const char *left_beside(Arena *arena, unsigned wrong, const char *other, const char *other_cause,
                               long other_size) {
    WrongAnswer *list = NULL;
    JudgeDecision beside = wrong_answer(other, other_cause, 2);
    suspects_note(arena, &list, &beside, other_size);
    JudgeDecision decision = wrong_answer("out", "exclusive", wrong);
    suspects_note(arena, &list, &decision, 1);
    suspects_doubt(list, 1, &decision);
    assert_ptr_equal(decision.cause, decision.because);
    return decision.cause;
}

static void test_a_larger_case_refutes_what_one_element_says(void **state) {
    assert_null(left_beside(*state, 1, "out", NULL, 33));
    assert_null(left_beside(*state, 1, "out", "unscanned", 33));
    assert_non_null(left_beside(*state, 1, "out", "exclusive", 33)); /* it says the same */
    assert_non_null(left_beside(*state, 1, "out", NULL, 1));         /* it is no larger */
    assert_non_null(left_beside(*state, 1, "norm", NULL, 33));       /* another answer */
    assert_non_null(left_beside(*state, 2, "out", NULL, 33));        /* two elements are no chance */
}

static void test_a_right_answer_refutes_nothing(void **state) {
    WrongAnswer *list = NULL;
    JudgeDecision right = {.passed = true, .answer = "out"};
    suspects_note(*state, &list, &right, 33);
    assert_null(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_that_all_have_is_left),
        cmocka_unit_test(test_one_answer_that_nothing_explains_leaves_none),
        cmocka_unit_test(test_other_answers_say_nothing),
        cmocka_unit_test(test_a_larger_case_refutes_what_one_element_says),
        cmocka_unit_test(test_a_right_answer_refutes_nothing),
    };
    return cmocka_run_group_tests(tests, arena_open, arena_close);
}
