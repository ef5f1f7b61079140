/* test_settings.c - how cases are run: expressions of a case's parameters, and what is said of one that is
 * wrong. */
#include "autograder/check/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const JudgeCaseSpec specs[] = {{.name = "small", .points = 1, .n = 2},
                                      {.name = "equal", .points = 1, .n = 3},
                                      {.name = "large", .points = 1, .n = 9}};
static const Judge judge = {.lesson = "99-test", .cases = specs, .case_count = 3};

typedef struct Desk {
    Arena *arena;
    Diagnostics diagnostics;
    Lesson lesson;
    Check check;
} Desk;

static int desk_open(void **state) {
    Arena *arena = arena_create();
    Desk *desk = ARENA_NEW(arena, Desk);
    *desk = (Desk){.arena = arena, .lesson = {.name = "99-test", .folder = "lessons/99-test"}};
    diag_init(&desk->diagnostics, arena);
    desk->check =
        (Check){.arena = arena, .judge = &judge, .lesson = &desk->lesson, .diagnostics = &desk->diagnostics};
    desk->check.cases[0] = ARENA_ARRAY(arena, judge.case_count, JudgeCase);
    for (unsigned i = 0; i < judge.case_count; i++) {
        JudgeCase *judged = &desk->check.cases[0][i];
        *judged = (JudgeCase){.spec = &specs[i], .arena = arena, .files = ARENA_NEW(arena, JudgeFiles)};
        assert_true(judge_input_int(judged, "cards", (int32_t)i + 1));
    }
    *state = desk;
    return 0;
}

static int desk_close(void **state) {
    arena_destroy(((Desk *)*state)->arena);
    return 0;
}

static bool reads(Desk *desk, const char *devices) {
    desk->lesson.manifest.devices = (Expression){.text = devices, .line = 12, .column = 10};
    return settings_read(&desk->check);
}

static void one_device_when_nothing_is_said(void **state) {
    Desk *desk = *state;
    assert_true(reads(desk, NULL));
    for (unsigned i = 0; i < judge.case_count; i++) {
        assert_int_equal(desk->check.settings[i].devices, 1);
        assert_int_equal(desk->check.settings[i].ranks, 0);
    }
}

static void parameters_of_the_case(void **state) {
    Desk *desk = *state;
    assert_true(reads(desk, "min(n, 3) + cards - 1"));
    const int wanted[] = {2, 4, 5};
    for (unsigned i = 0; i < judge.case_count; i++)
        assert_int_equal(desk->check.settings[i].devices, wanted[i]);
}

static void cases_that_agree(void **state) {
    Desk *desk = *state;
    assert_true(reads(desk, "max(cards, 2)"));
    assert_true(settings_agree(&desk->check, 0, 1));
    assert_false(settings_agree(&desk->check, 1, 2));
}

static void expect_fault(Desk *desk, const char *devices, const char *message, int column) {
    assert_false(reads(desk, devices));
    const Diagnostic *said = desk->diagnostics.first;
    assert_non_null(said);
    if (strstr(said->message, message) == NULL) fail_msg("said: %s", said->message);
    assert_string_equal(said->file, "lessons/99-test/lesson.yaml");
    assert_int_equal(said->line, 12);
    assert_int_equal(said->column, column);
}

static void a_number_out_of_its_range(void **state) {
    expect_fault(*state, "n", "9 in the case \"large\", and may be from 1 to 8", 10);
}

static void none_at_all(void **state) {
    expect_fault(*state, "cards - 1", "0 in the case \"small\"", 10);
}

static void an_unknown_parameter(void **state) {
    expect_fault(*state, "1 + carts", "carts", 14);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)
    const struct CMUnitTest tests[] = {
        TEST(one_device_when_nothing_is_said),
        TEST(parameters_of_the_case),
        TEST(cases_that_agree),
        TEST(a_number_out_of_its_range),
        TEST(none_at_all),
        TEST(an_unknown_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
