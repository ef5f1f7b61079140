/* test_budget.c - what a line of the budget measures, whose line its finding names, and what it says. */
#include "autograder/verdict/budget.h"
#include "base/sent.h"
#include "tests/autograder/verdict_desk.h"

/* Both runs measure the same in the shown case, whose report has these members. */
static int64_t measured(Desk *desk, const char *kind, const char *members) {
    desk->line.kind = budget_kinds_find(kind);
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        add_pair(desk, i, SMALL, SHOWN, members);
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_true(desk->budget.is_measured);
    return desk->budget.measured;
}

/* Of the launch that works most, wherever it stands; a launch of another case is none of it. */
#define LAUNCHES                                                                                             \
    "\"launches\":[{\"mark\":\"00\",\"occupancy\":5,\"grid\":[99],\"counters\":{\"thread_instructions\":90}" \
    "},"                                                                                                     \
    "{\"mark\":\"01\",\"occupancy\":10,\"grid\":[50],\"resident\":1,\"counters\":{\"thread_instructions\":"  \
    "4}},"                                                                                                   \
    "{\"mark\":\"01\",\"occupancy\":75,\"grid\":[5,2],\"block\":[8,2],\"resident\":4,"                       \
    "\"counters\":{\"thread_instructions\":40,\"warp_instructions\":20,\"longest_warp\":1,"                  \
    "\"async_copies\":4,\"idle_copies\":1}},"                                                                \
    "{\"mark\":\"01\",\"occupancy\":20,\"grid\":[2],\"resident\":1,"                                         \
    "\"counters\":{\"thread_instructions\":5,\"warp_instructions\":20,\"longest_warp\":13}}]"

static void test_what_is_empty_of_a_multiprocessor(void **state) {
    assert_int_equal(measured(*state, "unoccupied", LAUNCHES), 25);
}

static void test_blocks_that_wait(void **state) {
    assert_int_equal(measured(*state, "waiting_blocks", LAUNCHES), 6);
}

/* 2 of the first launch's 20 in each of ten blocks, and 13 in the second one's longest warp. */
static void test_the_share_of_a_block(void **state) {
    assert_int_equal(measured(*state, "block_share", LAUNCHES), (2 + 13) * 100 / 40);
}

static void test_copies_that_are_waited_for(void **state) {
    assert_int_equal(measured(*state, "idle_copies", LAUNCHES), 25);
}

static void test_threads_that_a_block_lacks(void **state) {
    static const JudgeCaseSpec wide[] = {{.name = "one", .points = 1, .n = 1},
                                         {.name = "forty", .points = 2, .n = 40, .threads = 20}};
    static const Judge of_blocks = {.lesson = "99-test", .cases = wide, .case_count = 2};
    Desk *desk = *state;
    desk->check.judge = &of_blocks;
    assert_int_equal(measured(desk, "threads_short", LAUNCHES), 4);
}

static void test_no_launch_lacks_nothing(void **state) {
    assert_int_equal(measured(*state, "waiting_blocks", "\"launches\":[]"), 0);
}

static void send_copy(Text *sent, unsigned device, size_t bytes) {
    static const char zeros[64] = {0};
    const SentRecord record = {.magic = SENT_MAGIC,
                               .kind = SENT_COPY,
                               .devices = (uint16_t)(1U << device),
                               .device = (uint16_t)device,
                               .contents = bytes};
    text_append(sent, (const char *)&record, sizeof record);
    text_append(sent, zeros, sent_padded(bytes));
}

/* Only among the devices that the case has. */
static void test_bytes_are_spread_unevenly(void **state) {
    Desk *desk = *state;
    desk->settings[SHOWN].devices = 2;
    desk->line.kind = budget_kinds_find("uneven_bytes");
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++) {
        add_pair(desk, i, SHOWN, SHOWN, "");
        send_copy(&desk->schedules[i].pairs[0].sent[0], 0, 12);
        send_copy(&desk->schedules[i].pairs[0].sent[0], 1, 40);
    }
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(desk->budget.measured, 28);
}

/* ---- what cannot be counted ---- */

static void is_more_than_can_be_counted(Desk *desk) {
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(desk->budget.measured, INT64_MAX);
    assert_int_equal(desk->budget.points, 0);
    assert_string_equal(desk->result.first->message,
                        "barriers: more than can be counted; the limit is 5 (costs 8 points)");
}

static void test_a_list_that_was_cut(void **state) {
    Desk *desk = *state;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        add_pair(desk, i, SMALL, SHOWN, "\"launches\":[{\"mark\":\"01\"}],\"launches_total\":2");
    is_more_than_can_be_counted(desk);
}

static void test_records_that_are_broken(void **state) {
    Desk *desk = *state;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        add_pair(desk, i, SMALL, SHOWN, "\"launches\":[]");
    text_add(&desk->schedules[1].pairs[0].sent[0], "no record");
    is_more_than_can_be_counted(desk);
}

/* ---- what is said ---- */

static void test_one_is_said_as_one(void **state) {
    Desk *desk = *state;
    desk->line.at_most.text = "0";
    assert_int_equal(
        measured(desk, "barriers", "\"launches\":[{\"mark\":\"01\",\"counters\":{\"barriers\":1}}]"), 1);
    assert_string_equal(desk->result.first->message, "executed 1 barrier; the limit is 0 (costs 8 points)");
}

#define LAUNCHED_AT_4                                                                                        \
    "\"launches\":[{\"mark\":\"01\",\"file\":\"99-test.cu\",\"line\":4,\"counters\":{\"barriers\":7}}]"

static void test_the_line_is_the_launch(void **state) {
    Desk *desk = *state;
    measured(desk, "barriers", LAUNCHED_AT_4);
    assert_int_equal(desk->result.first->line, 4);
    assert_int_equal(desk->result.first->severity, FINDING_NOTE);
    assert_string_equal(desk->result.first->case_name, "forty elements");
}

static void test_a_call_has_a_line_of_its_own(void **state) {
    Desk *desk = *state;
    measured(desk, "device_waits",
             LAUNCHED_AT_4 ",\"calls\":[{\"mark\":\"01\",\"function\":\"cudaDeviceSynchronize\",\"count\":9,"
                           "\"address\":1,\"file\":\"99-test.cu\",\"line\":6}],\"calls_total\":9");
    assert_int_equal(desk->result.first->line, 6);
}

static void test_the_dearer_of_two_calls_may_be_the_first(void **state) {
    static const JudgeCaseSpec twice = {.name = "forty elements", .points = 2, .n = 40, .again = true};
    static const Judge calls_twice = {.lesson = "99-test", .cases = &twice, .case_count = 1};
    Desk *desk = *state;
    desk->check.judge = &calls_twice;
    assert_int_equal(measured(desk, "barriers",
                              "\"launches\":[{\"mark\":\"00 first\",\"counters\":{\"barriers\":9}},"
                              "{\"mark\":\"00\",\"counters\":{\"barriers\":7}}]"),
                     9);
}

/* ---- which case, which line ---- */

static void test_the_case_that_a_line_names(void **state) {
    Desk *desk = *state;
    desk->line.where.text = "two elements";
    assert_int_equal(
        measured(desk, "barriers", "\"launches\":[{\"mark\":\"00\",\"counters\":{\"barriers\":3}}]"), 3);
    assert_string_equal(desk->budget.case_name, "two elements");
    assert_int_equal(desk->diagnostics.errors, 0);
}

static void test_a_case_that_is_not_shown_is_a_fault_of_the_lesson(void **state) {
    static const char *const names[] = {"777 elements", "no such case"};
    Desk *desk = *state;
    for (unsigned i = 0; i < 2; i++) {
        desk->line.where = (Expression){names[i], 12, 3};
        budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
        assert_int_equal(desk->diagnostics.errors, i + 1);
        assert_int_equal(desk->diagnostics.first->line, 12);
        assert_string_equal(desk->budget.case_name, "");
        assert_false(desk->budget.is_measured);
    }
}

static void test_what_is_required_is_told_alone(void **state) {
    Desk *desk = *state;
    BudgetLine lines[] = {desk->line, desk->line};
    BudgetResult results[2] = {0};
    lines[0].why = "the other line";
    lines[1].required = true;
    lines[1].why = "this is what it is about";
    desk->lesson.manifest.budget = (BudgetList){lines, 2};
    desk->result.budget = results;
    desk->result.budget_count = 2;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        add_pair(desk, i, SMALL, SHOWN, LAUNCHED_AT_4);
    budget_judge(&desk->check, desk->schedules, CHECK_SCHEDULES);
    const Finding *told = desk->result.first;
    assert_int_equal(told->severity, FINDING_ERROR);
    assert_string_equal(told->message, "executed 7 barriers; the limit is 5");
    assert_string_equal(told->explanation, "this is what it is about");
    assert_null(told->next);
    assert_int_equal(results[0].measured, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_what_is_empty_of_a_multiprocessor),
        DESK(test_blocks_that_wait),
        DESK(test_the_share_of_a_block),
        DESK(test_copies_that_are_waited_for),
        DESK(test_threads_that_a_block_lacks),
        DESK(test_no_launch_lacks_nothing),
        DESK(test_bytes_are_spread_unevenly),
        DESK(test_a_list_that_was_cut),
        DESK(test_records_that_are_broken),
        DESK(test_one_is_said_as_one),
        DESK(test_the_line_is_the_launch),
        DESK(test_a_call_has_a_line_of_its_own),
        DESK(test_the_dearer_of_two_calls_may_be_the_first),
        DESK(test_the_case_that_a_line_names),
        DESK(test_a_case_that_is_not_shown_is_a_fault_of_the_lesson),
        DESK(test_what_is_required_is_told_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
