/* test_source.c - looking for lines, words and definitions in the student's text; symbols of hostile objects.
 */
#include "autograder/check/source.h"
#include "autograder/compile/symbols.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char program[] = "// vector_add(x) { in a comment\n"
                              "/* vector_add() { */ const char *s = \"vector_add() {\";\n"
                              "void vector_add(float *z, int n);\n"
                              "void my_vector_add(void) { }\n"
                              "void other(void) { vector_add(NULL, (1 + 2)); }\n"
                              "void vector_add(float *z, // the answer\n"
                              "                int n)\n"
                              "{\n"
                              "}\n";

static void test_definition_is_told_from_other_uses(void **state) {
    (void)state;
    assert_int_equal(source_find_definition(program, "vector_add"), 6);
    assert_int_equal(source_find_definition(program, "other"), 5);
    assert_int_equal(source_find_definition(program, "absent"), 0);
}

static void test_word_skips_comments_strings_and_parts_of_words(void **state) {
    (void)state;
    assert_int_equal(source_find_word(program, "vector_add"), 3);
    assert_int_equal(source_find_word(program, "vector"), 0);
}

static void test_host_assigns_to_a_constant(void **state) {
    (void)state;
    char name[8];
    assert_int_equal(
        source_find_constant_assignment("__constant__ float c_b;\nvoid f() { c_b = 1; }", name, 8), 2);
    assert_string_equal(name, "c_b");
    assert_int_equal(
        source_find_constant_assignment("__constant__ int c[2] = {1};\n\nvoid f() { c[i[0]] = 1; }", name, 8),
        3);
    assert_int_equal(
        source_find_constant_assignment("__constant__ int a = 1;\nint b = a; x = a == 1;", name, 8), 0);
    assert_int_equal(source_find_constant_assignment("__constant__ int a[2] = {1, 2}; // a = 1", name, 8), 0);
    static const char *const texts[] = {"__constant__", "__constant__ a[", "__constant__ a; a[",
                                        "__constant__ longer_than_room; x = 1", "__constant__ ="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(source_find_constant_assignment(texts[i], name, 8), 0);
}

static void test_unfinished_text_ends(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\"", "/*", "f(", "f(\"", "f((()", "'", "\\", "f(a)", "\"\\"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(source_find_definition(texts[i], "f"), 0);
}

static void test_lines(void **state) {
    (void)state;
    size_t length = 99;
    assert_memory_equal(source_line("one\ntwo\r\nthree", 2, &length), "two", 3);
    assert_int_equal(length, 3);
    assert_memory_equal(source_line("one\ntwo\r\nthree", 3, &length), "three", 5);
    assert_null(source_line("one\n", 2, &length));
    assert_null(source_line("one", 0, &length));
}

typedef struct Seen {
    bool main_is_defined, library_is_needed;
} Seen;

static void look(void *context, const SymbolView *symbol) {
    Seen *seen = context;
    if (strcmp(symbol->name, "main") == 0 && symbol->defined && symbol->function)
        seen->main_is_defined = true;
    if (strstr(symbol->name, "_cmocka_run_group_tests") != NULL && !symbol->defined)
        seen->library_is_needed = true;
}

/* This very program is an object with a symbol table. */
static void test_symbols_of_an_object(void **state) {
    (void)state;
    Text bytes;
    text_init(&bytes);
    assert_true(text_read_file(&bytes, "/proc/self/exe", (size_t)1 << 28));
    Seen seen = {0};
    assert_true(symbols_visit(bytes.bytes, bytes.length, look, &seen));
    assert_true(seen.main_is_defined);
    assert_true(seen.library_is_needed);
    text_free(&bytes);
}

/* Cut off anywhere, or with any byte of the headers changed, it is refused or read, and never outside its
 * bytes (the suite also runs with the address sanitizer). */
static void test_symbols_of_broken_objects(void **state) {
    (void)state;
    Text bytes;
    text_init(&bytes);
    assert_true(text_read_file(&bytes, "/proc/self/exe", (size_t)1 << 28));
    Seen seen = {0};
    for (size_t length = 0; length < bytes.length; length += bytes.length / 97 + 1) {
        char *exact = malloc(length + 1);
        memcpy(exact, bytes.bytes, length);
        assert_false(symbols_visit(exact, length, look, &seen));
        free(exact);
    }
    for (size_t at = 0; at < 64; at++) {
        char before = bytes.bytes[at];
        bytes.bytes[at] = (char)0xff;
        (void)symbols_visit(bytes.bytes, bytes.length, look, &seen);
        bytes.bytes[at] = before;
    }
    assert_false(symbols_visit("not an object", 13, look, &seen));
    text_free(&bytes);
}

/* Anything that may give code another line than it has; what only looks like it is let be. */
static void test_lines_may_be_forged(void **state) {
    (void)state;
    static const char *const forging[] = {"#line 7 \"x\"",
                                          "int a;\n  # 12 \"x\" 1 3\n",
                                          "%:line 3",
                                          "/* a */ #/* b */ line 3",
                                          "/* a\n*/#li\\\nne 3",
                                          "#define X(a, b) a##b",
                                          "asm(\".loc 1 2\");",
                                          "R\"(\")\"; __asm__ (x)",
                                          "__CONCAT(as, m)(x)",
                                          "#define X(a, ...) a##__VA_ARGS__"};
    static const char *const plain[] = {"#include <cstdio>\n#define N 12\n",
                                        "// see issue #12\nint line = 3;",
                                        "printf(\"#%d, # 3\\n\", 3);",
                                        "#define SAY(format, ...) printf(format, ##__VA_ARGS__)",
                                        "int gasm, asmx;",
                                        ""};
    for (size_t i = 0; i < sizeof forging / sizeof *forging; i++)
        if (!source_forges_lines(forging[i])) fail_msg("believed: %s", forging[i]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (source_forges_lines(plain[i])) fail_msg("not believed: %s", plain[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition_is_told_from_other_uses),
        cmocka_unit_test(test_word_skips_comments_strings_and_parts_of_words),
        cmocka_unit_test(test_host_assigns_to_a_constant),
        cmocka_unit_test(test_unfinished_text_ends),
        cmocka_unit_test(test_lines_may_be_forged),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_symbols_of_an_object),
        cmocka_unit_test(test_symbols_of_broken_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
