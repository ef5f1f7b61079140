/* test_policy.c - course.yaml: what is read, how each kind of mistake is reported, and the arithmetic of
 * points. */
#include "grading/book/policy.h"

#include "tests/autograder/temporary.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static Lesson lessons[] = {{.name = "01-vector-add", .manifest = {.title = "Vectors"}},
                           {.name = "07-block-sum", .manifest = {.title = "Sums"}}};
static const Course course = {.root = "/", .lessons = lessons, .count = 2};

static const char good[] = "id: cuda-2026\n"
                           "title: CUDA C, autumn 2026\n"
                           "lessons:\n"
                           "  07: {weight: 12.5, due: 2026-11-20 23:59 +01:00}\n"
                           "  01:\n"
                           "late:\n"
                           "  grace_minutes: 15\n"
                           "  percent_per_day: 10\n"
                           "  none_after_days: 5\n"
                           "attempts: best\n"
                           "hidden_feedback: false\n"
                           "card: {percent: 12.5, full_at: 2, none_at: 5, lessons: [07]}\n";

typedef struct Reading {
    Arena *arena;
    Diagnostics diagnostics;
    Policy policy;
    bool fine;
} Reading;

static void reading_open(Reading *reading, const char *text) {
    Temporary temporary;
    temporary_make(&temporary);
    temporary_write(&temporary, "course.yaml", text, strlen(text));
    char *path = temporary_path(&temporary, "course.yaml");
    reading->arena = arena_create();
    diag_init(&reading->diagnostics, reading->arena);
    reading->fine = policy_read(&reading->policy, reading->arena, &course, path, &reading->diagnostics);
    free(path);
    temporary_remove(&temporary);
}

static void test_good_rules(void **state) {
    (void)state;
    Reading reading;
    reading_open(&reading, good);
    assert_true(reading.fine);
    const Policy *policy = &reading.policy;
    assert_string_equal(policy->id, "cuda-2026");
    assert_string_equal(policy->text, good);
    assert_true(policy->listed && policy->attempts == POLICY_BEST && !policy->hidden_feedback);
    assert_int_equal(policy->lesson_count, 2);
    assert_string_equal(policy->lessons[0].name, "07-block-sum"); /* in the file's order */
    assert_string_equal(policy->lessons[0].title, "Sums");
    assert_int_equal(policy->lessons[0].weight, 12500);
    assert_int_equal(policy->lessons[0].due, 1795215540);
    assert_int_equal(policy->lessons[1].weight, -1);
    assert_int_equal(policy->lessons[1].due, 0);
    assert_int_equal(policy->late.grace_minutes, 15);
    assert_int_equal(policy->late.percent_per_day, 10000);
    assert_int_equal(policy->late.none_after_days, 5);
    assert_int_equal(policy->card.percent, 12500);
    assert_int_equal(policy->card.full_at, 2000);
    assert_int_equal(policy->card.none_at, 5000);
    assert_true(policy->lessons[0].timed && !policy->lessons[1].timed);
    arena_destroy(reading.arena);
}

static void test_rules_that_say_little(void **state) {
    (void)state;
    Reading reading;
    reading_open(&reading, "id: x\n");
    const Policy *policy = &reading.policy;
    assert_true(reading.fine && !policy->listed && policy->lesson_count == 2 && policy->hidden_feedback);
    assert_string_equal(policy->title, "x");
    assert_int_equal(policy_penalty(&policy->late, 1000000), 0);
    assert_true(policy->attempts == POLICY_LAST);
    assert_true(policy_read(&reading.policy, reading.arena, &course, NULL, &reading.diagnostics));
    assert_null(reading.policy.id);
    assert_int_equal(reading.policy.lesson_count, 2);
    arena_destroy(reading.arena);
}

typedef struct Mistake {
    const char *from, *to, *message; /* or its remedy */
    int line;
} Mistake;

static const Mistake mistakes[] = {
    {"id: cuda-2026", "ident: cuda-2026", "the key `id` is missing", 1},
    {"title:", "titel:", "unknown key `titel`", 2},
    {"attempts: best", "id: another", "the key `id` stands here twice", 10},
    {"07:", "08:", "there is no lesson `08`", 4},
    {"  01:\n", "  7-:\n", "there is no lesson `7-`", 5},
    {"  01:\n", "  block:\n", "the lesson 07-block-sum stands here twice", 5},
    {"  01:\n", "  01: 5\n", "a lesson's rules must be `key: value` lines", 5},
    {"weight: 12.5", "wait: 12.5", "unknown key `wait`", 4},
    {"weight: 12.5", "weight: 12.5555", "`weight` must be a decimal number", 4},
    {"weight: 12.5", "weight: -1", "`weight` must be a decimal number", 4},
    {"weight: 12.5", "weight: 100001", "`weight` must be a decimal number", 4},
    {"weight: 12.5", "weight: [1]", "`weight` must be a decimal number", 4},
    {" +01:00", "", "`due` must be a date, a time and its zone", 4},
    {"2026-11-20", "2026-02-29", "`due` must be a date, a time and its zone", 4},
    {"23:59", "24:00", "`due` must be a date, a time and its zone", 4},
    {"+01:00", "+01:00x", "`due` must be a date, a time and its zone", 4},
    {"+01:00", "+15:00", "`due` must be a date, a time and its zone", 4},
    {"percent_per_day: 10", "percent_per_day: 10 %", "`percent_per_day` must be a decimal number", 8},
    {"percent_per_day: 10", "percent_per_day: 101", "`percent_per_day` must be a decimal number", 8},
    {"grace_minutes: 15", "grace_minutes: 1.5", "`grace_minutes` must be a whole number", 7},
    {"none_after_days: 5", "none_after_days: never", "`none_after_days` must be a whole number", 9},
    {"attempts: best", "attempts: first", "`attempts` must be last or best", 10},
    {"hidden_feedback: false", "hidden_feedback: no", "`hidden_feedback` must be true or false", 11},
    {"lessons:\n  07: {weight: 12.5, due: 2026-11-20 23:59 +01:00}\n  01:\n", "lessons: {}\n",
     "`lessons` must be lessons and their rules", 3},
    {"percent: 12.5", "percent: 101", "`percent` must be a decimal number", 12},
    {"percent: 12.5, ", "", "the key `percent` is missing", 12},
    {"full_at: 2", "full_at: fast", "`full_at` must be a decimal number", 12},
    {"full_at: 2", "full_at: 5", "`none_at` must be more than `full_at`", 12},
    {"none_at: 5", "non_at: 5", "unknown key `non_at`", 12},
    {"[07]", "[08]", "there is no lesson `08`", 12},
    {"  07: {weight: 12.5, due: 2026-11-20 23:59 +01:00}\n", "", "the lesson 07-block-sum is not one of", 11},
    {"[07]", "07", "`lessons` must be a list of lessons", 12},
    {"card: {percent: 12.5, full_at: 2, none_at: 5, lessons: [07]}", "card: yes",
     "the rule for times on a card must be `key: value` lines", 12},
    {"late:", "late: [", "this is not YAML", 8},
    {"late:", "late:\n\tx: 1", "indent by blanks, not tabs", 7},
};

static char *replaced(const Mistake *mistake) {
    const char *at = strstr(good, mistake->from);
    char *text = NULL;
    assert_non_null(at);
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - good), good, mistake->to, at + strlen(mistake->from)) >
                0);
    return text;
}

static bool says(const Diagnostic *one, const char *words) {
    return strstr(one->message, words) != NULL || (one->remedy != NULL && strstr(one->remedy, words) != NULL);
}

static void test_mistakes_are_named_with_line_and_remedy(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Reading reading;
        char *text = replaced(&mistakes[i]);
        reading_open(&reading, text);
        assert_false(reading.fine);
        const Diagnostic *found = reading.diagnostics.first;
        while (found != NULL && !says(found, mistakes[i].message))
            found = found->next;
        if (found == NULL) fail_msg("not said: %s", mistakes[i].message);
        if (found->line != mistakes[i].line) fail_msg("%s: line %d", mistakes[i].message, found->line);
        assert_true(text_ends_with(found->file, "course.yaml"));
        arena_destroy(reading.arena);
        free(text);
    }
}

/* Two in one column would overwrite each other's points: two lessons, or a lesson and a group. */
static void test_a_column_is_of_one(void **state) {
    (void)state;
    static const char form[] = "id: a\n"
                               "lessons:\n"
                               "  01: {column: {canvas: A}}\n"
                               "  07: {group: sums}\n"
                               "groups:\n"
                               "  sums: {weight: 10, column: {%s: %s}}\n";
    static const struct {
        const char *system, *name;
        bool fine;
    } groups[] = {{"canvas", "A", false}, {"canvas", "B", true}, {"moodle", "A", true}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        Reading reading;
        char text[200];
        snprintf(text, sizeof text, form, groups[i].system, groups[i].name);
        reading_open(&reading, text);
        assert_int_equal(reading.fine, groups[i].fine);
        if (!reading.fine) {
            assert_int_equal(reading.diagnostics.first->line, 6);
            assert_string_equal(reading.diagnostics.first->message,
                                "the column A is that of 01-vector-add as well");
        }
        arena_destroy(reading.arena);
    }
}

static void test_files_that_are_no_rules(void **state) {
    (void)state;
    static const char *const texts[] = {"", "[]", "just a text", "&a [*a]", "\xff\xfe", "id: {id: x}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Reading reading;
        reading_open(&reading, texts[i]);
        assert_false(reading.fine);
        arena_destroy(reading.arena);
    }
    Reading reading;
    reading_open(&reading, good);
    assert_false(
        policy_read(&reading.policy, reading.arena, &course, "/nowhere/course.yaml", &reading.diagnostics));
    assert_non_null(reading.diagnostics.first->remedy);
    arena_destroy(reading.arena);
}

static void test_decimals_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long thousandths; /* -1: refused */
    } cases[] = {{"0", 0},
                 {"7", 7000},
                 {"7.5", 7500},
                 {"0.001", 1},
                 {"12.345", 12345},
                 {"12.3456", -1},
                 {".5", -1},
                 {"5.", -1},
                 {"", -1},
                 {"-1", -1},
                 {"1e3", -1},
                 {"0x1", -1},
                 {"1,5", -1},
                 {" 1", -1},
                 {"1 ", -1},
                 {"nan", -1},
                 {"999999999", 999999999000},
                 {"1000000000", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        long value = -1;
        bool fine = policy_decimal(cases[i].text, &value);
        if (fine != (cases[i].thousandths >= 0) || (fine && value != cases[i].thousandths))
            fail_msg("%s: %ld", cases[i].text, value);
    }
}

static void test_lateness(void **state) {
    (void)state;
    enum { MINUTE = 60, DAY = 86400 };
    const PolicyLate late = {.grace_minutes = 15, .percent_per_day = 12500, .none_after_days = 3};
    static const struct {
        int64_t seconds;
        long penalty;
    } cases[] = {{0, 0},           {15 * MINUTE, 0}, {15 * MINUTE + 1, 12500}, {DAY, 12500},
                 {DAY + 1, 25000}, {3 * DAY, 37500}, {3 * DAY + 1, 100000},    {INT64_C(1) << 40, 100000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(policy_penalty(&late, cases[i].seconds), cases[i].penalty);
    const PolicyLate steep = {.percent_per_day = 60000, .none_after_days = -1};
    assert_int_equal(policy_penalty(&steep, DAY), 60000);
    assert_int_equal(policy_penalty(&steep, 2 * DAY), 100000); /* never below nothing */
    const PolicyLate strict = {.none_after_days = 0};
    assert_int_equal(policy_penalty(&strict, 1), 100000);
    assert_int_equal(policy_late_seconds(0, 500), 0);
    assert_int_equal(policy_late_seconds(400, 0), 0);
    assert_int_equal(policy_late_seconds(400, 500), 100);
}

static void test_points(void **state) {
    (void)state;
    static const struct {
        int score, most;
        int64_t weight;
        long penalty;
        int64_t points;
    } cases[] = {{10, 10, 10000, 0, 10000},
                 {7, 10, 10000, 0, 7000},
                 {1, 3, 10000, 0, 3333},
                 {2, 3, 10000, 0, 6667},
                 {7, 10, 10000, 10000, 6300},
                 {1, 2, 1, 0, 1},
                 {1, 2, 3, 0, 2},
                 {1, 3, 1, 0, 0},
                 {0, 0, 10000, 0, 0},
                 {10, 10, 10000, 100000, 0},
                 {100000, 100000, 100000000, 0, 100000000},
                 {7, 10, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(policy_points(cases[i].score, cases[i].most, cases[i].weight, cases[i].penalty),
                         cases[i].points);
}

static void test_each_allocation_fails_once(void **state) {
    (void)state;
    bool fine = false;
    for (long n = 1; !fine && n < 1000; n++) {
        Arena *arena = arena_create();
        Diagnostics diagnostics;
        Policy policy;
        diag_init(&diagnostics, arena);
        arena_fail_after(n);
        fine = policy_read_text(&policy, arena, &course, good, "course.yaml", &diagnostics);
        arena_fail_after(0);
        assert_true(fine == (diagnostics.errors == 0));
        arena_destroy(arena);
    }
    assert_true(fine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_rules),
        cmocka_unit_test(test_rules_that_say_little),
        cmocka_unit_test(test_mistakes_are_named_with_line_and_remedy),
        cmocka_unit_test(test_a_column_is_of_one),
        cmocka_unit_test(test_files_that_are_no_rules),
        cmocka_unit_test(test_decimals_are_exact),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_each_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
