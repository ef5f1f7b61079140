/* test_decide.c - what becomes of a case in two runs: how it ended, what is told of it, which wrong case
 * speaks, where a wrong answer is placed, and what a right one was made of.
 *
 * The judge says of each case in each run what its `expected` holds.
 */
#include "autograder/verdict/verdict.h"
#include "autograder/verdict/withheld.h"
#include "tests/autograder/verdict_desk.h"

#include <signal.h>

static void decide(JudgeCase *judged, JudgeDecision *decision) {
    if (judged->expected != NULL) *decision = *(const JudgeDecision *)judged->expected;
}

static const JudgeDecision right = {.passed = true, .wrong_index = -1},
                           wrong = {.message = "z[0] is 1", .answer = "z"};

static const Judge deciding = {.lesson = "99-test", .cases = specs, .case_count = CASES, .decide = decide};

/* All cases are right in both runs; a report says so little of each that nothing is known of it. */
static Desk *desk_of(void **state) {
    Desk *desk = *state;
    desk->check.judge = &deciding;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        for (unsigned k = 0; k < CASES; k++) {
            desk->ends[i][k].end = RUN_COMPLETED;
            desk->inputs[i][k].expected = (void *)(uintptr_t)&right;
        }
    return desk;
}

static void is_wrong(Desk *desk, unsigned run, unsigned index, const JudgeDecision *decision) {
    desk->inputs[run][index].expected = (void *)(uintptr_t)decision;
}

static void ends(Desk *desk, unsigned index, CaseEnd end) {
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        desk->ends[i][index] = end;
}

static void decide_all(Desk *desk) {
    desk->result.first = desk->result.last = NULL;
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
}

/* ---- one case in two runs ---- */

static void test_right_in_both(void **state) {
    Desk *desk = desk_of(state);
    decide_all(desk);
    assert_null(desk->result.first);
    for (unsigned k = 0; k < CASES; k++) {
        assert_int_equal(desk->cases[k].verdict, CASE_PASS);
        assert_int_equal(desk->cases[k].points, specs[k].points);
        assert_string_equal(desk->cases[k].message, "");
    }
}

static void test_wrong_in_both_is_no_matter_of_order(void **state) {
    static const JudgeDecision known = {
        .message = "z[0] is 1", .answer = "z", .cause = "last", .because = "the last is missing"};
    Desk *desk = desk_of(state);
    is_wrong(desk, 0, SHOWN, &known);
    is_wrong(desk, 1, SHOWN, &known);
    decide_all(desk);
    const CaseResult *result = &desk->cases[SHOWN];
    assert_int_equal(result->verdict, CASE_WRONG);
    assert_int_equal(result->points, 0);
    assert_string_equal(result->message, "z[0] is 1; the last is missing");
    assert_string_equal(result->fact, "z[0] is 1");
    assert_string_equal(result->cause, "last");
    assert_int_equal(desk->check.wrong_schedule, 0); /* the second run is no easier to work out */
}

#define ONE_ORDER "right in one of the two runs, which differ in values and in order: "

static void test_wrong_in_one_is_said_so(void **state) {
    static const JudgeDecision known = {
        .message = "z[0] is 1", .answer = "z", .cause = "last", .because = "the last is missing"};
    Desk *desk = desk_of(state);
    is_wrong(desk, 1, SHOWN, &known);
    decide_all(desk);
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_WRONG);
    assert_int_equal(desk->cases[SHOWN].points, 0);
    assert_string_equal(desk->cases[SHOWN].message, ONE_ORDER "z[0] is 1; the last is missing");
    assert_string_equal(desk->cases[SHOWN].fact, ONE_ORDER "z[0] is 1");
    assert_int_equal(desk->check.wrong_schedule, 1);
}

/* ---- endings ---- */

static void test_a_crash_is_one_finding(void **state) {
    Desk *desk = desk_of(state);
    ends(desk, SHOWN, (CaseEnd){.end = RUN_CRASHED, .detail = SIGSEGV});
    decide_all(desk);
    const Finding *crash = desk->result.first;
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_CRASH);
    assert_null(strstr(desk->cases[SHOWN].message, ONE_ORDER));
    assert_int_equal(crash->kind, FINDING_CRASH);
    assert_string_equal(crash->case_name, "forty elements");
    assert_string_equal(crash->message, desk->cases[SHOWN].message);
    assert_null(crash->next);
}

static void test_what_was_not_run_is_no_finding(void **state) {
    Desk *desk = desk_of(state);
    ends(desk, SHOWN, (CaseEnd){.end = RUN_NOT_RUN});
    decide_all(desk);
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_NOT_RUN);
    assert_string_equal(desk->cases[SHOWN].message, "not run: the time was used up");
    assert_null(desk->result.first);
    desk->schedules[0].crashed_often = true;
    decide_all(desk);
    assert_string_equal(desk->cases[SHOWN].message, "not run: the program had already ended early too often");
    ends(desk, SMALL, (CaseEnd){.end = RUN_CRASHED, .detail = SIGFPE});
    decide_all(desk);
    assert_string_equal(desk->cases[SHOWN].message, "not run: the program had already crashed too often");
}

static int line_of_exit(void **state, const char *printed) {
    Desk *desk = desk_of(state);
    ends(desk, SHOWN, (CaseEnd){.end = RUN_EXITED, .detail = 1, .last_line = printed});
    decide_all(desk);
    assert_int_equal(desk->result.first->kind, FINDING_CRASH);
    return desk->result.first->line;
}

static void test_the_line_that_was_printed_before_the_end(void **state) {
    assert_int_equal(line_of_exit(state, "99-test.cu:12: invalid argument"), 12);
    assert_int_equal(line_of_exit(state, "99-test.cu:1: invalid argument"), 1);
    assert_int_equal(line_of_exit(state, "99-test.cu:0: invalid argument"), 0);
    assert_int_equal(line_of_exit(state, "99-test.cu:12 invalid argument"), 0);
    assert_int_equal(line_of_exit(state, "99-test.cu 12: invalid argument"), 0);
    assert_int_equal(line_of_exit(state, "other.cu:12: invalid argument"), 0);
    assert_int_equal(line_of_exit(state, NULL), 0);
}

/* An error that the device saw explains an ending; a note does not, nor what follows from the ending. */
static void test_what_explains_an_ending(void **state) {
    Desk *desk = desk_of(state);
    ends(desk, SHOWN, (CaseEnd){.end = RUN_CRASHED, .detail = SIGSEGV});
    Finding *finding = add_finding(desk, FINDING_OUT_OF_BOUNDS, SHOWN);
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_null(finding->next);
    finding->severity = FINDING_NOTE;
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(finding->next->kind, FINDING_CRASH);
    finding->next = NULL;
    desk->result.last = finding;
    finding->severity = FINDING_ERROR;
    finding->case_name = specs[HIDDEN].name;
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(finding->next->kind, FINDING_CRASH);
}

static void test_a_wrong_answer_explains_no_ending(void **state) {
    static const FindingKind about_answers[] = {FINDING_WRONG_ANSWER, FINDING_NOT_ON_GPU,
                                                FINDING_NOT_BY_KERNEL, FINDING_NOT_AS_ASKED};
    for (size_t i = 0; i < sizeof about_answers / sizeof *about_answers; i++)
        assert_true(verdict_is_about_answer(about_answers[i]));
    assert_false(verdict_is_about_answer(FINDING_LEAK));
    Desk *desk = desk_of(state);
    is_wrong(desk, 0, SMALL, &wrong);
    is_wrong(desk, 1, SMALL, &wrong);
    ends(desk, SHOWN, (CaseEnd){.end = RUN_CRASHED, .detail = SIGSEGV});
    decide_all(desk);
    assert_int_equal(desk->result.first->kind, FINDING_WRONG_ANSWER);
    assert_int_equal(desk->result.first->next->kind, FINDING_CRASH);
}

/* ---- which wrong case speaks ---- */

/* The case that speaks for two wrong ones of these sizes. */
static const char *speaker(void **state, const JudgeCaseSpec *one, const JudgeCaseSpec *other) {
    Desk *desk = desk_of(state);
    const JudgeCaseSpec both[] = {*one, *other};
    const Judge judge_of_both = {.lesson = "99-test", .cases = both, .case_count = 2, .decide = decide};
    desk->check.judge = &judge_of_both;
    for (unsigned i = 0; i < 2; i++) {
        is_wrong(desk, i, 0, &wrong);
        is_wrong(desk, i, 1, &wrong);
    }
    decide_all(desk);
    desk->check.judge = &deciding;
    assert_null(desk->result.first->next);
    return desk->result.first->case_name;
}

static void test_the_easiest_wrong_case_speaks(void **state) {
    const JudgeCaseSpec two = {.name = "two", .n = 2}, also = {.name = "also two", .n = 2},
                        large = {.name = "large", .n = 200}, none = {.name = "none", .n = 0},
                        twice = {.name = "twice", .n = 2, .again = true};
    assert_string_equal(speaker(state, &two, &large), "two");
    assert_string_equal(speaker(state, &large, &two), "two");
    assert_string_equal(speaker(state, &two, &also), "two");
    assert_string_equal(speaker(state, &two, &none), "two");
    assert_string_equal(speaker(state, &none, &large), "large");
    assert_string_equal(speaker(state, &twice, &large), "large");
    assert_string_equal(speaker(state, &two, &twice), "two");
}

/* What a hidden case shows is told where no other is wrong. */
static void test_a_hidden_case_does_not_take_the_word(void **state) {
    static const JudgeDecision known = {
        .message = "z[0] is 1", .answer = "z", .cause = "last", .because = "the last is missing"};
    Desk *desk = desk_of(state);
    is_wrong(desk, 0, SHOWN, &wrong);
    is_wrong(desk, 0, HIDDEN, &known);
    decide_all(desk);
    assert_string_equal(desk->result.first->case_name, "forty elements");
    is_wrong(desk, 0, SHOWN, &right);
    decide_all(desk);
    assert_string_equal(desk->result.first->case_name, "777 elements");
}

/* ---- where a wrong answer came from ---- */

/* What is explained of element 0, which is wrong in the shown case, whose report has these members. */
static const Finding *placed(Desk *desk, size_t answer_bytes, const char *members) {
    desk->inputs[0][SHOWN].files->answer_bytes = answer_bytes;
    is_wrong(desk, 0, SHOWN, &wrong);
    add_pair(desk, 0, SMALL, SHOWN, members);
    decide_all(desk);
    return desk->result.first;
}

#define NO_CALLS ",\"calls\":[],\"calls_total\":0"
#define WRITES "\"launches\":[{\"mark\":\"01\",\"counters\":{\"global_writes\":4}}],\"launches_total\":1"

static void test_nothing_was_copied_back(void **state) {
    Desk *desk = desk_of(state);
    assert_non_null(strstr(placed(desk, 16, WRITES NO_CALLS)->explanation, "nothing was copied back to `z`"));
}

static void test_nothing_was_copied_back_to_what_the_file_calls_so(void **state) {
    Desk *desk = desk_of(state);
    text_add(&desk->submission.source, "void answer(float *h_z) {\n}\n");
    const Finding *finding = placed(desk, 16, WRITES NO_CALLS);
    assert_non_null(strstr(finding->explanation, "nothing was copied back to `h_z`"));
    assert_true(finding->by_itself);
}

#define COPIED(bytes)                                                                                        \
    "\"copies\":[{\"mark\":\"01\",\"to\":\"host\",\"bytes\":" #bytes                                         \
    ",\"file\":\"99-test.cu\",\"line\":5,\"writers\":[{\"offset\":0,\"bytes\":" #bytes                       \
    ",\"kernel\":\"k\",\"file\":\"99-test.cu\",\"line\":3}]}]" NO_CALLS

/* The first element came back, so its line is that of the write. */
static void test_a_copy_is_too_short_only_for_what_it_lacks(void **state) {
    Desk *desk = desk_of(state);
    const Finding *finding = placed(desk, 16, COPIED(4));
    assert_int_equal(finding->line, 3);
    assert_string_equal(finding->kernel, "k");
    assert_true(finding->only_placed);
}

static void test_a_copy_that_is_too_short(void **state) {
    static const JudgeDecision last = {.message = "z[1] is 1", .answer = "z", .wrong_index = 1};
    Desk *desk = desk_of(state);
    placed(desk, 16, COPIED(4));
    is_wrong(desk, 0, SHOWN, &last);
    decide_all(desk);
    assert_int_equal(desk->result.first->line, 5);
    assert_null(desk->result.first->kernel);
    assert_non_null(strstr(desk->result.first->explanation, "4 of the answer's 16 bytes"));
    assert_non_null(strstr(desk->result.first->explanation, "1 of 4 floats"));
}

/* What another copy's kernel wrote is a part where the host finishes the answer. */
static void test_parts_that_the_host_adds(void **state) {
    Desk *desk = desk_of(state);
    assert_non_null(strstr(placed(desk, 4, COPIED(8))->explanation, "Elements of the answer are written"));
    desk->lesson.manifest.host_finishes = true;
    decide_all(desk);
    assert_non_null(strstr(desk->result.first->explanation, "The host made the answer from"));
}

static void test_a_kernel_wrote_the_wrong_element(void **state) {
    Desk *desk = desk_of(state);
    desk->lesson.manifest.host_finishes = true;
    assert_non_null(strstr(placed(desk, 8, COPIED(8))->explanation, "The element was last written"));
}

/* The call's line, in the report or else in the file; or that of the function which should call it. */
static void test_a_call_that_made_the_answer(void **state) {
    static const JudgeDecision decision = {.message = "ms is 0",
                                           .answer = "ms",
                                           .cause = "no-time",
                                           .advice = "ask for the time",
                                           .call = "cudaEventElapsedTime",
                                           .function = "timed"};
    Desk *desk = desk_of(state);
    is_wrong(desk, 0, SHOWN, &decision);
    add_pair(desk, 0, SMALL, SHOWN,
             "\"calls\":[{\"mark\":\"01\",\"function\":\"cudaEventElapsedTime\",\"count\":1,\"address\":1,"
             "\"file\":\"99-test.cu\",\"line\":6}],\"calls_total\":1");
    decide_all(desk);
    assert_int_equal(desk->result.first->line, 6);
    assert_string_equal(desk->result.first->explanation, "ask for the time");
    run_free(desk->schedules, 1);
    desk->schedules[0].pair_count = 0;
    text_add(&desk->submission.source, "\n\nvoid timed() {\n}\n");
    decide_all(desk);
    assert_int_equal(desk->result.first->line, 3);
    text_add(&desk->submission.source, "// cudaEventElapsedTime\nint x = cudaEventElapsedTime();\n");
    decide_all(desk);
    assert_int_equal(desk->result.first->line, 6);
}

/* ---- what a right answer does not need ---- */

static void test_what_nobody_uses_is_pardoned(void **state) {
    Desk *desk = desk_of(state);
    Finding *finding = add_finding(desk, FINDING_UNINITIALIZED_READ, SHOWN);
    finding->sort = "partial";
    finding->in_driver = true;
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(finding->severity, FINDING_ERROR);
    finding->in_driver = false;
    is_wrong(desk, 1, SMALL, &wrong);
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(finding->severity, FINDING_ERROR);
    is_wrong(desk, 1, SMALL, &right);
    verdict_decide_cases(&desk->check, desk->schedules, CHECK_SCHEDULES);
    assert_int_equal(finding->severity, FINDING_NOTE);
}

/* ---- one template for two types ---- */

static void launch_kernels(Desk *desk, const char *one, const char *other) {
    char members[300];
    snprintf(members, sizeof members,
             "\"launches\":[{\"mark\":\"00\",\"kernel\":\"%s\"},{\"mark\":\"01\",\"kernel\":\"%s\"}]", one,
             other);
    static const char *names[] = {"two elements", "forty elements"};
    desk->lesson.manifest.same_templates = (TextList){.items = names, .count = 2};
    run_free(desk->schedules, 1);
    desk->schedules[0].pair_count = 0;
    add_pair(desk, 0, SMALL, SHOWN, members);
}

static void test_two_types_by_one_template(void **state) {
    Desk *desk = desk_of(state);
    launch_kernels(desk, "k<float>", "k<double>");
    decide_all(desk);
    assert_null(desk->result.first);
    launch_kernels(desk, "k<float>", "of_doubles");
    decide_all(desk);
    assert_int_equal(desk->cases[SMALL].verdict, CASE_PASS);
    assert_int_equal(desk->cases[SHOWN].verdict, CASE_REFUSED);
    assert_int_equal(desk->cases[SHOWN].points, 0);
    assert_int_equal(desk->result.first->kind, FINDING_NOT_AS_ASKED);
    assert_string_equal(desk->result.first->case_name, "forty elements");
}

static void test_templates_of_wrong_answers_are_not_looked_at(void **state) {
    Desk *desk = desk_of(state);
    launch_kernels(desk, "k<float>", "of_doubles");
    for (unsigned index = SMALL; index <= SHOWN; index++) {
        is_wrong(desk, 0, index, &wrong);
        decide_all(desk);
        assert_int_equal(desk->result.first->kind, FINDING_WRONG_ANSWER);
        assert_null(desk->result.first->next);
        is_wrong(desk, 0, index, &right);
    }
}

static void test_templates_of_no_case_are_a_fault_of_the_lesson(void **state) {
    static const char *const names[][3] = {{"two elements", "no such case", ""},
                                           {"no such case", "forty elements", ""},
                                           {"two elements", "forty elements", "777 elements"}};
    Desk *desk = desk_of(state);
    launch_kernels(desk, "k<float>", "of_doubles");
    for (unsigned i = 0; i < 3; i++) {
        desk->lesson.manifest.same_templates =
            (TextList){.items = (const char **)(uintptr_t)names[i], .count = i < 2 ? 2 : 3};
        decide_all(desk);
        assert_int_equal(desk->diagnostics.errors, i + 1);
        assert_null(desk->result.first);
    }
}

/* ---- with something withheld ---- */

enum { WORDS = 4 };

/* The words of the run from which the device withheld something; beyond them stands one that is right. */
static const uint32_t *words_without;

static void decide_words(JudgeCase *judged, JudgeDecision *decision) {
    decide(judged, decision);
    judged->files->answers[0] =
        (JudgeAnswer){.data = (const void *)words_without, .bytes = WORDS * sizeof(uint32_t)};
    judged->files->answer_count = 1;
}

/* Whether the case is still right, where a run without atomic operations left these words of 1, 2, 3, 4. */
static bool stays_right(Desk *desk, const uint32_t *words) {
    static const uint32_t right_words[WORDS + 1] = {1, 2, 3, 4, 5};
    const Judge of_words = {.lesson = "99-test", .cases = specs, .case_count = CASES, .decide = decide_words};
    Withheld withheld = {.index = SHOWN, .count = 1, .uses = {uses_find("atomic")}};
    withheld.schedules[0].ends = desk->ends[0];
    withheld.schedules[0].answers = "/nowhere";
    withheld.schedules[0].pairs[0] = (Pair){.well = true, .report = json_tokener_parse("{\"launches\":[]}")};
    withheld.schedules[0].pair_count = 1;
    desk->inputs[0][SHOWN].files->answers[0] =
        (JudgeAnswer){.data = (const void *)right_words, .bytes = sizeof right_words - sizeof(uint32_t)};
    desk->inputs[0][SHOWN].files->answer_count = 1;
    desk->cases[SHOWN].verdict = CASE_PASS;
    desk->check.judge = &of_words;
    is_wrong(desk, 0, SHOWN, &wrong);
    words_without = words;
    withheld_judge(&desk->check, &desk->schedules[0], &withheld);
    withheld_free(&withheld);
    assert_ptr_equal(desk->inputs[0][SHOWN].files->answers[0].data, right_words);
    return desk->cases[SHOWN].verdict == CASE_PASS;
}

/* Three quarters may be right without; more may not. */
static void test_an_answer_that_does_without(void **state) {
    static const uint32_t three[] = {1, 2, 3, 0, 5}, all[] = {1, 2, 3, 4, 5}, none[] = {0, 0, 0, 0, 5};
    Desk *desk = desk_of(state);
    assert_true(stays_right(desk, three));
    assert_true(stays_right(desk, none));
    assert_null(desk->result.first);
    assert_false(stays_right(desk, all));
    assert_int_equal(desk->result.first->kind, FINDING_NOT_AS_ASKED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK(test_right_in_both),
        DESK(test_wrong_in_both_is_no_matter_of_order),
        DESK(test_wrong_in_one_is_said_so),
        DESK(test_a_crash_is_one_finding),
        DESK(test_what_was_not_run_is_no_finding),
        DESK(test_the_line_that_was_printed_before_the_end),
        DESK(test_what_explains_an_ending),
        DESK(test_a_wrong_answer_explains_no_ending),
        DESK(test_the_easiest_wrong_case_speaks),
        DESK(test_a_hidden_case_does_not_take_the_word),
        DESK(test_nothing_was_copied_back),
        DESK(test_nothing_was_copied_back_to_what_the_file_calls_so),
        DESK(test_a_copy_is_too_short_only_for_what_it_lacks),
        DESK(test_a_copy_that_is_too_short),
        DESK(test_parts_that_the_host_adds),
        DESK(test_a_kernel_wrote_the_wrong_element),
        DESK(test_a_call_that_made_the_answer),
        DESK(test_what_nobody_uses_is_pardoned),
        DESK(test_two_types_by_one_template),
        DESK(test_templates_of_wrong_answers_are_not_looked_at),
        DESK(test_templates_of_no_case_are_a_fault_of_the_lesson),
        DESK(test_an_answer_that_does_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
