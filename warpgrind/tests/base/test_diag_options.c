/* test_diag_options.c - messages with their caret, and command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/options.h"

/* ---- diagnostics ---- */

static void assert_rendered(const Diagnostics *list, bool colour, const char *expected) {
    Text text;
    text_init(&text);
    diag_render(list, &text, colour);
    assert_string_equal(text.bytes, expected);
    text_free(&text);
}

static void test_place_caret_and_remedy(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Diagnostics list;
    diag_init(&list, arena);
    Diagnostic *error = diag_add(&list, DIAG_ERROR, "a.cu", 3, 6, "no %s here", "sense");
    error->source_line = "\tint x = y;";
    error->remedy = "Say z.";
    diag_add(&list, DIAG_WARNING, "b.cu", 0, 0, "odd");
    diag_add(&list, DIAG_NOTE, NULL, 0, 0, "by the way");
    assert_int_equal(list.errors, 1);
    assert_int_equal(list.warnings, 1);
    assert_rendered(&list, false,
                    "a.cu:3:6: error: no sense here\n"
                    "    \tint x = y;\n"
                    "    \t    ^\n" /* the tab is repeated, so that the caret stands right */
                    "    Say z.\n"
                    "b.cu: warning: odd\n"
                    "note: by the way\n");
    arena_destroy(arena);
}

static void test_columns_count_bytes_and_carets_characters(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Diagnostics list;
    diag_init(&list, arena);
    diag_add(&list, DIAG_ERROR, "a", 1, 4, "x")->source_line = "\xc3\xbc b";
    assert_rendered(&list, false, "a:1:4: error: x\n    \xc3\xbc b\n      ^\n");
    arena_destroy(arena);
}

static void test_untrusted_text_stays_harmless(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Diagnostics list;
    diag_init(&list, arena);
    Diagnostic *error = diag_add(&list, DIAG_ERROR, "\x1b]0;a", 1, 500, "%s", "\x1b[2J");
    error->source_line = "\x1b[31m\nsecond line";
    assert_rendered(&list, false, "\\x1B]0;a:1:500: error: \\x1B[2J\n    \\x1B[31m\n");
    arena_destroy(arena);
}

static void test_colour(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Diagnostics list;
    diag_init(&list, arena);
    diag_add(&list, DIAG_ERROR, "a", 1, 0, "x");
    assert_rendered(&list, true, "\x1b[1ma:1:\x1b[0m \x1b[1;31merror:\x1b[0m x\n");
    arena_destroy(arena);
}

static void test_without_memory_errors_are_still_counted(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Diagnostics list;
    diag_init(&list, arena);
    arena_fail_after(1);
    assert_null(diag_add(&list, DIAG_ERROR, "a", 1, 0, "x"));
    arena_fail_after(0);
    assert_int_equal(list.errors, 1);
    assert_null(list.first);
    arena_destroy(arena);
}

/* ---- options ---- */

typedef struct Values {
    bool quiet;
    const char *report;
    long seed;
} Values;

typedef struct Parsed {
    Values values;
    int first; /* operand, or -1 */
    Arena *arena;
    Diagnostics diagnostics;
    char *argv[12];
    int argc;
} Parsed;

/* Parses the words of `line`, separated by blanks. */
static Parsed parse(char *line, bool stop_at_operand) {
    Parsed parsed = {.arena = arena_create(), .argc = 1};
    const Option table[] = {{OPTION_FLAG, 'q', "quiet", NULL, "say less", &parsed.values.quiet},
                            {OPTION_STRING, 0, "report", "FILE", "write a report", &parsed.values.report},
                            {OPTION_NUMBER, 's', "seed", "N", "order of blocks", &parsed.values.seed},
                            {.kind = OPTION_END}};
    parsed.argv[0] = line; /* stands for the program */
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        parsed.argv[parsed.argc++] = word;
    diag_init(&parsed.diagnostics, parsed.arena);
    parsed.first = options_parse(table, parsed.argc, parsed.argv, stop_at_operand, &parsed.diagnostics);
    return parsed;
}

#define PARSE(text, stop) parse((char[]){text}, stop)

static void test_options_of_all_kinds(void **state) {
    (void)state;
    Parsed parsed = PARSE("-q --report=r.json -s 7 a b", false);
    assert_int_equal(parsed.first, 5);
    assert_true(parsed.values.quiet);
    assert_string_equal(parsed.values.report, "r.json");
    assert_int_equal(parsed.values.seed, 7);
    arena_destroy(parsed.arena);
    parsed = PARSE("--seed 0x10 --rep x", false);
    assert_int_equal(parsed.values.seed, 16);
    assert_string_equal(parsed.values.report, "x"); /* an unambiguous beginning is enough */
    arena_destroy(parsed.arena);
}

static void test_operands_and_options_mix(void **state) {
    (void)state;
    Parsed parsed = PARSE("a -q b --seed 3", false);
    assert_int_equal(parsed.first, 4);
    assert_string_equal(parsed.argv[4], "a");
    assert_string_equal(parsed.argv[5], "b");
    assert_int_equal(parsed.values.seed, 3);
    arena_destroy(parsed.arena);
}

static void test_options_of_another_program_are_left_alone(void **state) {
    (void)state;
    Parsed parsed = PARSE("-q program --seed x --what", true);
    assert_int_equal(parsed.first, 2);
    assert_string_equal(parsed.argv[2], "program");
    assert_int_equal(parsed.values.seed, 0);
    arena_destroy(parsed.arena);
    parsed = PARSE("-- -q", true);
    assert_int_equal(parsed.first, 2);
    assert_false(parsed.values.quiet);
    arena_destroy(parsed.arena);
}

static void test_what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *line, *message, *remedy;
    } cases[] = {
        {"--sead 3", "unknown or ambiguous option --sead", "Did you mean --seed?"},
        {"--reprot=x", "unknown or ambiguous option --reprot", "Did you mean --report?"},
        {"--xyzzy", "unknown or ambiguous option --xyzzy", NULL},
        {"-x", "unknown option -x", NULL},
        {"-qx", "unknown option -x", NULL},
        {"--seed", "option --seed needs a value", NULL},
        {"--seed 3x", "--seed needs a whole number, not \"3x\"", NULL},
        {"--seed=", "--seed needs a whole number, not \"\"", NULL},
        {"-s 99999999999999999999", "--seed needs a whole number, not \"99999999999999999999\"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[64];
        strcpy(line, cases[i].line);
        Parsed parsed = parse(line, false);
        assert_int_equal(parsed.first, -1);
        assert_int_equal(parsed.diagnostics.errors, 1);
        assert_string_equal(parsed.diagnostics.first->message, cases[i].message);
        if (cases[i].remedy)
            assert_string_equal(parsed.diagnostics.first->remedy, cases[i].remedy);
        else
            assert_null(parsed.diagnostics.first->remedy);
        arena_destroy(parsed.arena);
    }
}

static void test_help(void **state) {
    (void)state;
    bool flag;
    long number;
    const Option table[] = {{OPTION_FLAG, 'q', "quiet", NULL, "say less", &flag},
                            {OPTION_NUMBER, 0, "seed", "N", "order of blocks", &number},
                            {.kind = OPTION_END}};
    Text text;
    text_init(&text);
    options_help(table, &text);
    assert_string_equal(text.bytes, "  -q, --quiet                 say less\n"
                                    "      --seed N                order of blocks\n");
    text_free(&text);
}

static void test_colour_is_decided_by_mode_and_surroundings(void **state) {
    (void)state;
    int pipe_like = 99; /* no terminal: not even open */
    assert_true(options_colour("always", pipe_like));
    assert_false(options_colour("never", pipe_like));
    setenv("NO_COLOR", "1", 1);
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_false(options_colour("auto", pipe_like));
    assert_true(options_colour("always", pipe_like));
    unsetenv("NO_COLOR");
    assert_true(options_colour(NULL, pipe_like));
    unsetenv("CLICOLOR_FORCE");
    assert_false(options_colour(NULL, pipe_like));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place_caret_and_remedy),
        cmocka_unit_test(test_columns_count_bytes_and_carets_characters),
        cmocka_unit_test(test_untrusted_text_stays_harmless),
        cmocka_unit_test(test_colour),
        cmocka_unit_test(test_without_memory_errors_are_still_counted),
        cmocka_unit_test(test_options_of_all_kinds),
        cmocka_unit_test(test_operands_and_options_mix),
        cmocka_unit_test(test_options_of_another_program_are_left_alone),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_colour_is_decided_by_mode_and_surroundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
