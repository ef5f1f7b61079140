/* test_cell.c - how wide a text is on a terminal, and what of it a column takes. */
#include "grading/book/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_widths(void **state) {
    (void)state;
    assert_int_equal(cell_width(""), 0);
    assert_int_equal(cell_width("Ann"), 3);
    assert_int_equal(cell_width("J\u00f6rg"), 4);
    assert_int_equal(cell_width("e\u0300e\u036fe\u0301"),
                     3); /* marks upon letters, the range's ends as well */
    assert_int_equal(cell_width("\u1100\u115f"), 4);
    assert_int_equal(cell_width("\u10ff\u1160"), 2);
    assert_int_equal(cell_width("\u5b66\u751f"), 4);
    assert_int_equal(cell_width("\U0001f300\U0001f64f"), 4);
    assert_int_equal(cell_width("\U0003fffd\U0003fffe"), 3);
}

static void expect(const char *text, size_t width, const char *cell) {
    Text out;
    text_init(&out);
    cell_add(&out, text, width);
    assert_string_equal(out.bytes, cell);
    text_free(&out);
}

/* A character of two columns is taken whole or not at all. */
static void test_columns(void **state) {
    (void)state;
    expect("Ann", 5, "Ann  ");
    expect("Ann", 2, "An");
    expect("\u5b66\u751f", 4, "\u5b66\u751f");
    expect("\u5b66\u751f", 3, "\u5b66 ");
    expect("e\u0301e", 1, "e\u0301");
    expect("", 2, "  ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
