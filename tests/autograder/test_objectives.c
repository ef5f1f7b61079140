/* test_objectives.c - what a pass has shown: only what the shown cases did, and what speaks against it. */
#include "autograder/verdict/objectives.h"
#include "tests/autograder/verdict_desk.h"

/* Whether the objective that this checks is shown by a run with these members of its report; the last case
 * is hidden. */
static bool is_gathered(Desk *desk, const char *check, const char *members) {
    static ObjectiveResult objective;
    objective = (ObjectiveResult){.text = "can do it", .check = check};
    desk->result.objectives = &objective;
    desk->result.objective_count = 1;
    run_free(desk->schedules, 1);
    desk->schedules[0].pair_count = 0;
    add_pair(desk, 0, SMALL, HIDDEN, members);
    objectives_gather(&desk->check, desk->schedules);
    return objective.shown;
}

#define LAUNCH(mark, counters) "\"launches\":[{\"mark\":\"" mark "\",\"counters\":{" counters "}}]"
#define CALL(mark, name)                                                                                     \
    "\"calls\":[{\"mark\":\"" mark "\",\"function\":\"" name                                                 \
    "\",\"count\":1,\"address\":1,\"file\":\"99-test.cu\",\"line\":6}],\"calls_total\":1"

static void test_who_shared_nothing_has_raced_for_nothing(void **state) {
    static const char both[] = LAUNCH("01", "\"shared_writes\":2,\"shared_reads\":1");
    Desk *desk = *state;
    assert_true(is_gathered(desk, "shared-race", both));
    assert_false(is_gathered(desk, "shared-race", LAUNCH("01", "\"shared_writes\":2")));
    assert_false(is_gathered(desk, "shared-race", LAUNCH("01", "\"shared_reads\":2")));
    assert_false(is_gathered(desk, "shared-race", LAUNCH("02", "\"shared_writes\":2,\"shared_reads\":1")));
    assert_true(is_gathered(desk, "case: two elements", "\"launches\":[]"));
    add_finding(desk, FINDING_LEAK, SHOWN);
    assert_false(is_gathered(desk, "shared-race", both));
    assert_false(is_gathered(desk, "case: two elements", both));
    desk->result.first = desk->result.last = NULL;
    desk->cases[HIDDEN].verdict = CASE_WRONG;
    assert_false(is_gathered(desk, "shared-race", both));
}

static void test_who_allocates_nothing_leaks_nothing(void **state) {
    Desk *desk = *state;
    assert_true(is_gathered(desk, "leak", CALL("00", "cudaMalloc")));
    assert_false(is_gathered(desk, "leak", CALL("02", "cudaMalloc")));
    assert_false(is_gathered(desk, "leak", CALL("00", "cudaFree")));
}

static void test_who_asks_after_a_launch(void **state) {
    Desk *desk = *state;
    assert_true(is_gathered(desk, "unchecked-error", CALL("01", "cudaGetLastError")));
    assert_null(desk->result.first);
    assert_false(is_gathered(desk, "unchecked-error", CALL("02", "cudaGetLastError")));
    assert_int_equal(desk->result.first->kind, FINDING_UNCHECKED_ERROR);
    assert_int_equal(desk->result.first->severity, FINDING_NOTE);
    assert_int_equal(desk->result.first->line, 0);
}

static void test_statuses_that_are_dropped(void **state) {
    Desk *desk = *state;
    desk->check.unlooked = 2;
    desk->check.unlooked_line = 9;
    assert_false(is_gathered(desk, "unchecked-error", CALL("01", "cudaGetLastError")));
    assert_int_equal(desk->result.first->severity, FINDING_NOTE);
    assert_int_equal(desk->result.first->line, 9);
    assert_null(desk->result.first->next);
}

static void test_whoever_is_here_is_no_mask(void **state) {
    static const char exchanged[] = LAUNCH("01", "\"exchanges\":5");
    Desk *desk = *state;
    assert_true(is_gathered(desk, "invalid-mask", exchanged));
    assert_false(is_gathered(desk, "invalid-mask", LAUNCH("01", "\"barriers\":5")));
    assert_null(desk->result.first);
    text_add(&desk->submission.source, "int x;\nunsigned mask = __activemask();\n");
    assert_false(is_gathered(desk, "invalid-mask", exchanged));
    assert_int_equal(desk->result.first->kind, FINDING_INVALID_MASK);
    assert_int_equal(desk->result.first->line, 2);
}

/* ---- with all findings there ---- */

static bool is_proved(Desk *desk, const char *check) {
    static ObjectiveResult objective;
    objective = (ObjectiveResult){.text = "can do it", .check = check, .shown = true};
    desk->result.objectives = &objective;
    desk->result.objective_count = 1;
    objectives_conclude(&desk->check);
    return objective.shown;
}

/* A line that is kept, and one of another name. */
static void test_each_line_of_that_name_is_kept(void **state) {
    Desk *desk = *state;
    BudgetResult lines[] = {{.what = "barriers", .is_measured = true, .expected = 5, .measured = 5},
                            {.what = "launches", .is_measured = true, .expected = 1, .measured = 1}};
    desk->result.budget = lines;
    desk->result.budget_count = 2;
    assert_true(is_proved(desk, "budget: barriers"));
    assert_true(is_proved(desk, "over-budget"));
    lines[0].measured = 6;
    assert_false(is_proved(desk, "budget: barriers"));
    assert_true(is_proved(desk, "budget: launches"));
    assert_false(is_proved(desk, "over-budget"));
    lines[0].measured = 5;
    lines[1].is_measured = false;
    assert_false(is_proved(desk, "budget: launches"));
    lines[1].what = "barriers";
    assert_false(is_proved(desk, "budget: barriers"));
}

/* One thread is within every limit of threads. */
static void test_a_note_speaks_against_a_line(void **state) {
    Desk *desk = *state;
    BudgetResult line = {.what = "launched_threads", .is_measured = true, .expected = 5, .measured = 1};
    desk->result.budget = &line;
    assert_true(is_proved(desk, "budget: launched_threads"));
    Finding *note = add_finding(desk, FINDING_UNCOALESCED, SHOWN);
    note->severity = FINDING_NOTE;
    assert_true(is_proved(desk, "budget: launched_threads"));
    note->kind = FINDING_LOW_OCCUPANCY;
    assert_false(is_proved(desk, "budget: launched_threads"));
    line.what = "barriers";
    assert_true(is_proved(desk, "budget: barriers"));
}

static void test_what_was_found_is_not_shown(void **state) {
    Desk *desk = *state;
    assert_true(is_proved(desk, "uncoalesced"));
    assert_true(is_proved(desk, "case: two elements"));
    add_finding(desk, FINDING_UNCOALESCED, SHOWN)->severity = FINDING_NOTE;
    assert_false(is_proved(desk, "uncoalesced"));
    desk->result.verdict = VERDICT_FAIL;
    assert_false(is_proved(desk, "case: two elements"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_who_shared_nothing_has_raced_for_nothing),
        DESK(test_who_allocates_nothing_leaks_nothing),
        DESK(test_who_asks_after_a_launch),
        DESK(test_statuses_that_are_dropped),
        DESK(test_whoever_is_here_is_no_mask),
        DESK(test_each_line_of_that_name_is_kept),
        DESK(test_a_note_speaks_against_a_line),
        DESK(test_what_was_found_is_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
