/* test_hidden.c - hidden cases: who runs them, and how little a result says of them. */
#include "autograder/check/hidden.h"
#include "lessons/judges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const JudgeCaseSpec specs[] = {
    {.name = "two elements", .points = 1, .n = 2},
    {.name = "777 elements", .concept = "a size that is no multiple of the block", .points = 2, .n = 777}};
static const Judge judge = {.lesson = "99-test", .cases = specs, .case_count = 2};

typedef struct Desk {
    Arena *arena;
    CaseResult cases[2];
    Result result;
    Check check;
} Desk;

static int desk_open(void **state) {
    Desk *desk = calloc(1, sizeof *desk);
    desk->arena = arena_create();
    desk->cases[0] = (CaseResult){.name = specs[0].name, .verdict = CASE_WRONG, .message = "`z[1]` is 5"};
    desk->cases[1] = (CaseResult){.name = specs[1].name, .verdict = CASE_WRONG, .message = "`z[776]` is 5"};
    desk->result = (Result){.cases = desk->cases, .case_count = 2};
    desk->check = (Check){.arena = desk->arena, .judge = &judge, .result = &desk->result};
    *state = desk;
    return 0;
}

static int desk_close(void **state) {
    Desk *desk = *state;
    arena_destroy(desk->arena);
    free(desk);
    return 0;
}

static Finding *add_finding(Desk *desk, const JudgeCaseSpec *spec) {
    Finding *finding = result_add(&desk->result, desk->arena, FINDING_OUT_OF_BOUNDS);
    assert_non_null(finding);
    finding->case_name = spec != NULL ? spec->name : NULL;
    finding->message = "thread 777 reads x[777]";
    finding->explanation = "there are 777 elements";
    finding->line = 777;
    finding->column = 777;
    finding->kernel = "fault_at_777";
    finding->other_line = 776;
    finding->other_what = "writes x[776]";
    finding->count = 777;
    return finding;
}

static void test_check_has_no_hidden_case(void **state) {
    Desk *desk = *state;
    const Judge *shown = judges_without_hidden(&judge, desk->arena);
    assert_non_null(shown);
    assert_int_equal(shown->case_count, 1);
    assert_string_equal(shown->lesson, "99-test");
}

static void test_only_the_concept_is_told(void **state) {
    Desk *desk = *state;
    const Finding *finding = add_finding(desk, &specs[1]);
    hidden_redact(&desk->check);
    assert_string_equal(desk->cases[1].name, "hidden: a size that is no multiple of the block");
    assert_string_equal(desk->cases[1].concept, "a size that is no multiple of the block");
    assert_string_equal(desk->cases[1].message, "the answer is wrong");
    assert_string_equal(finding->case_name, desk->cases[1].name);
    assert_non_null(strstr(finding->message, ", in a hidden case: a size that is no multiple of the block"));
    assert_ptr_equal(strstr(finding->explanation, "The cases that you can see"), finding->explanation);
    assert_int_equal(finding->line, 0);
    assert_null(finding->kernel);
    assert_int_equal(finding->count, 1);
    struct json_object *json = result_to_json(&desk->result);
    const char *text = json_object_to_json_string(json);
    assert_non_null(strstr(text, "\"hidden\": true, \"concept\": \"a size"));
    assert_null(strstr(text, "777"));
    assert_null(strstr(text, "776"));
    json_object_put(json);
}

/* A kind for each bit of a size would tell it; what follows from the others must still point to somebody. */
static void test_a_hidden_case_has_one_finding(void **state) {
    Desk *desk = *state;
    Finding *shown = add_finding(desk, &specs[0]), *first = add_finding(desk, &specs[1]);
    Finding *again = add_finding(desk, &specs[1]), *of_none = add_finding(desk, NULL);
    again->line = 4;
    again->kind = FINDING_SHARED_RACE;
    again->cause = first;
    shown->cause = again;
    first->cause = shown;
    of_none->cause = shown;
    hidden_redact(&desk->check);
    assert_ptr_equal(desk->result.first, shown);
    assert_ptr_equal(shown->next, first);
    assert_ptr_equal(first->next, of_none);
    assert_ptr_equal(desk->result.last, of_none);
    assert_null(shown->cause);
    assert_null(first->cause);
    assert_ptr_equal(of_none->cause, shown);
    assert_int_equal(shown->line, 777);
}

static void test_each_ending_has_its_words(void **state) {
    Desk *desk = *state;
    for (CaseVerdict verdict = CASE_PASS; verdict <= CASE_NOT_RUN; verdict++) {
        desk->cases[1].verdict = verdict;
        desk->cases[1].message = "777";
        hidden_redact(&desk->check);
        assert_null(strstr(desk->cases[1].message, "777"));
        assert_int_equal(verdict == CASE_PASS, *desk->cases[1].message == '\0');
    }
}

static void test_other_cases_are_told_in_full(void **state) {
    Desk *desk = *state;
    const Finding *shown = add_finding(desk, &specs[0]), *of_none = add_finding(desk, NULL);
    hidden_redact(&desk->check);
    assert_string_equal(desk->cases[0].name, "two elements");
    assert_null(desk->cases[0].concept);
    assert_string_equal(desk->cases[0].message, "`z[1]` is 5");
    assert_string_equal(shown->message, "thread 777 reads x[777]");
    assert_int_equal(shown->count, 777);
    assert_string_equal(of_none->message, "thread 777 reads x[777]");
}

static void test_teachers_may_see_all(void **state) {
    Desk *desk = *state;
    const Finding *finding = add_finding(desk, &specs[1]);
    desk->check.revealed = true;
    hidden_redact(&desk->check);
    assert_string_equal(desk->cases[1].name, "777 elements");
    assert_string_equal(desk->cases[1].message, "`z[776]` is 5");
    assert_string_equal(desk->cases[1].concept, "a size that is no multiple of the block");
    assert_string_equal(finding->message, "thread 777 reads x[777]");
}

/* Of the course's lessons. Two hidden cases of one lesson with the same concept could not be told apart. */
static void check_judge(const Judge *each) {
    bool hidden = false;
    for (unsigned i = 0; i < each->case_count; i++) {
        const char *concept = each->cases[i].concept;
        if (concept == NULL && hidden) fail_msg("%s: hidden cases stand last", each->lesson);
        hidden = concept != NULL;
        if (!hidden) continue;
        assert_true(each->cases[i].points > 0);
        if (strpbrk(concept, "0123456789") != NULL) fail_msg("%s: tells \"%s\"", each->lesson, concept);
        for (unsigned j = 0; j < i; j++)
            if (each->cases[j].concept != NULL) assert_string_not_equal(each->cases[j].concept, concept);
    }
}

static void test_lessons_have_hidden_cases(void **state) {
    Desk *desk = *state;
    static const char *const core[] = {
        "01-vector-add",        "03-grid-stride",      "04-constant-memory",     "05-matrix-2d",
        "07-block-sum-dynamic", "08-block-sum-static", "09-constant-and-device", "10-any-block-size",
        "11-grid-sum-partials", "12-grid-sum-atomic",  "14-streams-and-events",  "22-transpose",
        "23-matrix-product"};
    for (Judges each = lessons_judges; *each != NULL; each++)
        check_judge(*each);
    for (size_t i = 0; i < sizeof core / sizeof *core; i++) {
        const Judge *all = judges_find(lessons_judges, core[i]),
                    *shown = judges_without_hidden(all, desk->arena);
        assert_true(shown->case_count < all->case_count);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_check_has_no_hidden_case),      TEST(test_only_the_concept_is_told),
        TEST(test_each_ending_has_its_words),     TEST(test_other_cases_are_told_in_full),
        TEST(test_a_hidden_case_has_one_finding), TEST(test_teachers_may_see_all),
        TEST(test_lessons_have_hidden_cases),
    };
    return cmocka_run_group_tests_name("hidden", tests, NULL, NULL);
}
