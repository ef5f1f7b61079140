/* test_verdict.c - what becomes of judged cases: which finding explains which, points, and the case that a
 * budget measures. */
#include "autograder/verdict/budget.h"
#include "tests/autograder/verdict_desk.h"

/* A schedule in which the launch of the shown case counted so many barriers, and that of the hidden one 500.
 */
static void add_launches(Schedule *schedule, unsigned barriers) {
    Text text;
    text_init(&text);
    text_format(&text,
                "{\"launches\":[{\"mark\":\"01\",\"counters\":{\"barriers\":%u}},"
                "{\"mark\":\"02\",\"counters\":{\"barriers\":500}}]}",
                barriers);
    schedule->pairs[schedule->pair_count++] =
        (Pair){.last_case = CASES - 1, .well = true, .report = json_tokener_parse(text.bytes)};
    text_free(&text);
}

static void test_an_error_explains_the_wrong_answer_of_its_case(void **state) {
    Desk *desk = *state;
    const Finding *wrong = add_finding(desk, FINDING_WRONG_ANSWER, SHOWN);
    const Finding *race = add_finding(desk, FINDING_SHARED_RACE, SHOWN);
    verdict_conclude(&desk->check);
    assert_ptr_equal(wrong->cause, race);
    assert_ptr_equal(desk->result.first, race);
}

/* An index that is known to be wrong brings threads of its statement together; a race of two statements stays
 * a mistake of its own. */
static void test_a_wrong_index_explains_a_race_of_one_statement(void **state) {
    Desk *desk = *state;
    Finding *race = add_finding(desk, FINDING_SHARED_RACE, SHOWN);
    race->line = race->other_line = 7;
    Finding *wrong = add_finding(desk, FINDING_WRONG_ANSWER, SHOWN);
    wrong->names_mistake = true;
    verdict_conclude(&desk->check);
    assert_ptr_equal(race->cause, wrong);
    assert_ptr_equal(desk->result.first, wrong);
    race->cause = NULL;
    race->other_line = 8;
    verdict_conclude(&desk->check);
    assert_null(race->cause);
}

/* Two copies that one launch is out of order with: the first explains the second, wherever the launch stands.
 */
static void test_one_launch_out_of_order_is_told_once(void **state) {
    Desk *desk = *state;
    Finding *first = add_finding(desk, FINDING_MISSING_SYNC, SHOWN);
    first->explanation = "The launch at 99-test.cu:1 is in the default stream.";
    Finding *again = add_finding(desk, FINDING_MISSING_SYNC, SHOWN);
    again->explanation = "The launch at line 1 is in the default stream.";
    Finding *other = add_finding(desk, FINDING_MISSING_SYNC, SHOWN);
    other->explanation = "The launch at line 12 is in the default stream.";
    verdict_conclude(&desk->check);
    assert_null(first->cause);
    assert_ptr_equal(again->cause, first);
    assert_null(other->cause);
}

static void test_a_hidden_case_explains_no_shown_one(void **state) {
    Desk *desk = *state;
    const Finding *wrong = add_finding(desk, FINDING_WRONG_ANSWER, SHOWN);
    add_finding(desk, FINDING_SHARED_RACE, HIDDEN);
    verdict_conclude(&desk->check);
    assert_null(wrong->cause);
}

static void test_a_hidden_case_explains_itself(void **state) {
    Desk *desk = *state;
    const Finding *wrong = add_finding(desk, FINDING_WRONG_ANSWER, HIDDEN);
    const Finding *race = add_finding(desk, FINDING_SHARED_RACE, HIDDEN);
    verdict_conclude(&desk->check);
    assert_ptr_equal(wrong->cause, race);
}

static void test_all_right_has_all_points(void **state) {
    Desk *desk = *state;
    desk->budget = (BudgetResult){.points = 8, .max_points = 8};
    verdict_conclude(&desk->check);
    assert_int_equal(desk->result.verdict, VERDICT_PASS);
    assert_int_equal(desk->result.score, 31); /* 1 + 2 + 4, 8 of the budget, 16 for a clean file */
    assert_int_equal(desk->result.max_score, 31);
}

static void test_an_error_costs_the_points_of_a_clean_file(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_LEAK, SHOWN);
    verdict_conclude(&desk->check);
    assert_int_equal(desk->result.verdict, VERDICT_FAIL);
    assert_int_equal(desk->result.score, 7);
}

/* Where the lesson asks for clean cases; a note is no error, and another case is not touched. */
static void test_a_mistake_behind_a_right_answer_costs_its_case(void **state) {
    Desk *desk = *state;
    add_finding(desk, FINDING_LEAK, SHOWN);
    add_finding(desk, FINDING_UNCOALESCED, SMALL)->severity = FINDING_NOTE;
    verdict_check_clean(&desk->check);
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_PASS);
    desk->lesson.manifest.clean_cases = true;
    verdict_check_clean(&desk->check);
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_REFUSED);
    assert_int_equal(desk->cases[SHOWN].points, 0);
    assert_non_null(strstr(desk->cases[SHOWN].message, "memory was allocated and never freed"));
    assert_int_equal(desk->cases[SMALL].verdict, CASE_PASS);
    assert_int_equal(desk->cases[HIDDEN].points, specs[HIDDEN].points);
}

static void test_what_never_ran_is_not_clean(void **state) {
    Desk *desk = *state;
    for (unsigned i = 0; i < CASES; i++) {
        desk->cases[i].verdict = CASE_NOT_RUN;
        desk->cases[i].points = 0;
    }
    verdict_conclude(&desk->check);
    assert_int_equal(desk->result.verdict, VERDICT_FAIL);
    assert_int_equal(desk->result.score, 0);
    assert_int_equal(desk->result.max_score, 23);
}

static void test_a_fault_of_the_installation_is_no_verdict(void **state) {
    Desk *desk = *state;
    diag_add(&desk->diagnostics, DIAG_ERROR, NULL, 0, 0, "the disk is full");
    verdict_conclude(&desk->check);
    assert_int_equal(desk->result.verdict, VERDICT_ERROR);
}

static void test_the_largest_shown_case_is_measured(void **state) {
    Desk *desk = *state;
    add_launches(&desk->schedules[0], 5);
    add_launches(&desk->schedules[1], 4);
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_string_equal(desk->budget.case_name, "forty elements");
    assert_int_equal(desk->budget.measured, 5);
    assert_int_equal(desk->budget.points, 8);
    assert_null(desk->result.first);
}

static void test_the_dearest_run_counts_whichever_it_is(void **state) {
    Desk *desk = *state;
    add_launches(&desk->schedules[0], 6);
    add_launches(&desk->schedules[1], 4);
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(desk->budget.measured, 6);
    assert_int_equal(desk->budget.points, 0);
    assert_int_equal(desk->result.first->kind, FINDING_OVER_BUDGET);
}

static void test_what_one_of_two_calls_costs_is_said_of_it(void **state) {
    static const JudgeCaseSpec twice = {.name = "forty elements", .points = 2, .n = 40, .again = true};
    static const Judge calls_twice = {.lesson = "99-test", .cases = &twice, .case_count = 1};
    Desk *desk = *state;
    desk->check.judge = &calls_twice;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        desk->schedules[i].pairs[desk->schedules[i].pair_count++] =
            (Pair){.well = true,
                   .report = json_tokener_parse(
                       "{\"launches\":[{\"mark\":\"00 first\",\"counters\":{\"barriers\":4}},"
                       "{\"mark\":\"00\",\"counters\":{\"barriers\":7}}]}")};
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_string_equal(desk->result.first->message,
                        "executed 7 barriers in one call; the limit is 5 (costs 8 points)");
}

static void test_a_wrong_case_is_not_measured(void **state) {
    Desk *desk = *state;
    desk->cases[SHOWN].verdict = CASE_WRONG;
    add_launches(&desk->schedules[0], 1);
    add_launches(&desk->schedules[1], 1);
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_false(desk->budget.is_measured);
    assert_int_equal(desk->budget.points, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_an_error_explains_the_wrong_answer_of_its_case),
        DESK(test_a_wrong_index_explains_a_race_of_one_statement),
        DESK(test_one_launch_out_of_order_is_told_once),
        DESK(test_a_hidden_case_explains_no_shown_one),
        DESK(test_a_hidden_case_explains_itself),
        DESK(test_all_right_has_all_points),
        DESK(test_an_error_costs_the_points_of_a_clean_file),
        DESK(test_a_mistake_behind_a_right_answer_costs_its_case),
        DESK(test_what_never_ran_is_not_clean),
        DESK(test_a_fault_of_the_installation_is_no_verdict),
        DESK(test_the_largest_shown_case_is_measured),
        DESK(test_the_dearest_run_counts_whichever_it_is),
        DESK(test_what_one_of_two_calls_costs_is_said_of_it),
        DESK(test_a_wrong_case_is_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
