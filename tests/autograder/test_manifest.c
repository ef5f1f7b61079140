/* test_manifest.c - lesson.yaml: what is read, and how each kind of mistake in it is reported. */
#include "autograder/course/manifest.h"

#include "temporary.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char good[] =
    "title: A title\n"
    "core: true\n"
    "needs: [04-constant-memory]\n"
    "minutes: {read: 10, do: 25}\n"
    "summary: one line\n"
    "objectives:\n"
    "  - {text: \"put a barrier\", check: shared-race}\n"
    "  - {text: \"any size\", check: \"case: large\"}\n"
    "starter_fails: wrong-answer\n"
    "points: {clean: 3}\n"
    "limits: {seconds: 7, memory_mib: 600, output_kib: 128}\n"
    "must_launch: true\n"
    "devices: \"min(n, 4)\"\n"
    "reserved: [driver_case]\n"
    "hints: [where, idea, code]\n"
    "budget:\n"
    "  - {what: barriers, at_most: \"log2(n) + 1\", points: 2, why: \"one a pass\"}\n"
    "  - {what: bytes_to_host, at_most: 4, required: true, case: large, why: \"the sum\", reference: 4}\n"
    "hints_about: {shared-race: put a barrier, leak: free it}\n";

typedef struct Reading {
    Temporary temporary;
    Arena *arena;
    Diagnostics diagnostics;
    Manifest manifest;
    bool fine;
} Reading;

static void reading_open(Reading *reading, const char *text) {
    temporary_make(&reading->temporary);
    temporary_write(&reading->temporary, "lesson.yaml", text, strlen(text));
    reading->arena = arena_create();
    diag_init(&reading->diagnostics, reading->arena);
    char *path = temporary_path(&reading->temporary, "lesson.yaml");
    reading->fine = manifest_read(&reading->manifest, reading->arena, path, &reading->diagnostics);
    free(path);
}

static void reading_close(Reading *reading) {
    arena_destroy(reading->arena);
    temporary_remove(&reading->temporary);
}

static void test_good_manifest(void **state) {
    (void)state;
    Reading reading;
    reading_open(&reading, good);
    const Manifest *manifest = &reading.manifest;
    assert_true(reading.fine);
    assert_string_equal(manifest->title, "A title");
    assert_true(manifest->core && manifest->must_launch);
    assert_int_equal(manifest->budget.count, 2);
    assert_int_equal(manifest->budget.items[0].points, 2);
    assert_int_equal(manifest->budget.items[0].reference, -1);
    assert_int_equal(manifest->budget.items[1].reference, 4);
    assert_true(manifest->budget.items[1].required && !manifest->budget.items[0].required);
    assert_int_equal(manifest->budget.items[1].at_most.line, 18);
    assert_string_equal(manifest->budget.items[1].where.text, "large");
    assert_null(manifest->budget.items[0].where.text);
    assert_int_equal(manifest->needs.count, 1);
    assert_string_equal(manifest->needs.items[0], "04-constant-memory");
    assert_int_equal(manifest->minutes_read, 10);
    assert_int_equal(manifest->minutes_do, 25);
    assert_int_equal(manifest->objectives.count, 2);
    assert_string_equal(manifest->objectives.items[1].check, "case: large");
    assert_int_equal(manifest->objectives.items[1].line, 8);
    assert_int_equal(manifest->objectives.items[1].column, 5);
    assert_string_equal(manifest->starter_fails, "wrong-answer");
    assert_int_equal(manifest->points_clean, 3);
    assert_int_equal(manifest->limit_seconds, 7);
    assert_int_equal(manifest->limit_memory_mib, 600);
    assert_int_equal(manifest->limit_output_kib, 128);
    assert_string_equal(manifest->reserved.items[0], "driver_case");
    assert_string_equal(manifest->devices.text, "min(n, 4)");
    assert_int_equal(manifest->devices.line, 13);
    assert_int_equal(manifest->hints.count, 3);
    assert_int_equal(manifest->hints_about.count, 2);
    assert_string_equal(manifest->hints_about.items[1].kind, "leak");
    assert_string_equal(manifest->hints_about.items[1].text, "free it");
    reading_close(&reading);
}

/* The good manifest with one piece of text replaced, and what must be said about it at which line. */
typedef struct Mistake {
    const char *from, *to;
    const char *message;
    int line;
} Mistake;

static const Mistake mistakes[] = {
    {"title: A title\n", "", "the key `title` is missing", 1},
    {"title: A title", "titel: A title", "unknown key `titel`", 1},
    {"title: A title", "title: [A title]", "`title` must be a text", 1},
    {"core: true", "core: perhaps", "`core` must be true or false", 2},
    {"do: 25", "do: 9999", "`do` must be a whole number in its range", 4},
    {"do: 25", "do: soon", "`do` must be a whole number in its range", 4},
    {"do: 25", "did: 25", "unknown key `did`", 4},
    {"{read: 10, do: 25}", "35", "minutes must be `key: value` lines", 4},
    {"what: barriers", "what: barrels", "`budget` does not know `barrels`", 17},
    {"log2(n) + 1", "log2(n + 1", "`at_most`: it ends here, `)` is missing", 17},
    {", points: 2", "", "this entry of `budget` decides nothing", 17},
    {"points: 2", "points: 0", "this entry of `budget` decides nothing", 17},
    {"check: shared-race}", "check: \"budget: launches\"}", "`objectives`: `budget` has no line `launches`",
     7},
    {"points: 2", "points: two", "`points` must be a whole number", 17},
    {"why: \"the sum\"", "wye: \"the sum\"", "unknown key `wye`", 18},
    {"reference: 4", "reference: four", "`reference` must be a whole number", 18},
    {"case: large, why", "case: [large], why", "`case` must be the name of a case", 18},
    {"required: true", "required: maybe", "`required` must be true or false", 18},
    {"min(n, 4)", "min(n, 4", "`devices`: it ends here, `)` is missing", 13},
    {"\"min(n, 4)\"", "[4]", "`devices` must be a number, or an expression of the case's parameters", 13},
    {"check: shared-race", "check: shared-rice", "each entry of `objectives` needs a text and a check", 7},
    {"starter_fails: wrong-answer", "starter_fails: bad-luck",
     "`starter_fails` must be the name of a finding", 9},
    {"hints: [where, idea, code]", "hints: []", "`hints` must be a list of texts", 15},
    {"{shared-race: put", "{shared-rice: put", "`shared-rice` is not a kind of finding", 19},
    {"leak: free it", "leak: [free]", "the hint about `leak` must be a text", 19},
    {"{shared-race: put a barrier, leak: free it}", "free it", "`hints_about` must be `kind: text` lines",
     19},
    {"hints: [where, idea, code]", "hints: [where", "this is not YAML", 16},
    {"must_launch: true", "core: false", "the key `core` stands here twice", 12},
    {"must_launch: true", "must_use: [constant, constance]", "`must_use` does not know `constance`", 12},
    {"must_launch: true", "must_use: constant", "`must_use` must be a list of texts", 12},
};

static char *replaced(const Mistake *mistake) {
    const char *at = strstr(good, mistake->from);
    char *text = NULL;
    assert_non_null(at);
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - good), good, mistake->to, at + strlen(mistake->from)) >
                0);
    return text;
}

static void test_mistakes_are_named_with_their_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Reading reading;
        char *text = replaced(&mistakes[i]);
        reading_open(&reading, text);
        assert_false(reading.fine);
        const Diagnostic *found = reading.diagnostics.first;
        while (found != NULL && strstr(found->message, mistakes[i].message) == NULL)
            found = found->next;
        if (found == NULL) fail_msg("not said: %s", mistakes[i].message);
        assert_int_equal(found->line, mistakes[i].line);
        assert_true(text_ends_with(found->file, "lesson.yaml"));
        reading_close(&reading);
        free(text);
    }
}

static void test_objective_of_a_budget_line(void **state) {
    (void)state;
    Reading reading;
    char *text = replaced(&(Mistake){.from = "check: shared-race", .to = "check: \"budget: barriers\""});
    reading_open(&reading, text);
    assert_true(reading.fine);
    assert_string_equal(reading.manifest.objectives.items[0].check, "budget: barriers");
    reading_close(&reading);
    free(text);
}

static void test_empty_and_missing_files(void **state) {
    (void)state;
    Reading reading;
    reading_open(&reading, "");
    assert_false(reading.fine);
    assert_false(
        manifest_read(&reading.manifest, reading.arena, "/nowhere/lesson.yaml", &reading.diagnostics));
    reading_close(&reading);
}

static void test_limits_have_defaults(void **state) {
    (void)state;
    Reading reading;
    Mistake without = {"limits: {seconds: 7, memory_mib: 600, output_kib: 128}\n", "", NULL, 0};
    char *text = replaced(&without);
    reading_open(&reading, text);
    assert_true(reading.fine);
    assert_int_equal(reading.manifest.limit_seconds, 10);
    assert_int_equal(reading.manifest.limit_million_steps, 20);
    reading_close(&reading);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_manifest),
        cmocka_unit_test(test_mistakes_are_named_with_their_lines),
        cmocka_unit_test(test_objective_of_a_budget_line),
        cmocka_unit_test(test_empty_and_missing_files),
        cmocka_unit_test(test_limits_have_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
