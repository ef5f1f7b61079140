/* test_escape.c - markup whose texts are escaped, and whose own signs are not. */
#include "base/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_texts(void **state) {
    (void)state;
    Text out = text_new();
    const char *none = NULL;
    escape_html(&out, "<td class=\"a\">%s</td><td>%s%s</td>", "<b> & \"c\"", "", none);
    assert_string_equal(out.bytes, "<td class=\"a\">&lt;b&gt; &amp; &quot;c&quot;</td><td></td>");
    text_clear(&out);
    escape_format(&out, ESCAPE_MARKDOWN, "| %s |", "a|b");
    assert_string_equal(out.bytes, "| a\\|b |");
    text_free(&out);
}

/* A text that looks like a conversion is none. */
static void test_percent(void **state) {
    (void)state;
    Text out = text_new();
    escape_html(&out, "%s: 100 %%", "%s %d");
    assert_string_equal(out.bytes, "%s %d: 100 %");
    text_free(&out);
}

static void test_numbers(void **state) {
    (void)state;
    Text out = text_new();
    escape_html(&out, "%d %u %ld %zu %s", -1, 4000000000U, -5000000000L, (size_t)6000000000, "end");
    assert_string_equal(out.bytes, "-1 4000000000 -5000000000 6000000000 end");
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_percent),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
