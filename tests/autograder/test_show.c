/* test_show.c - a result on the screen says nothing twice. */
#include "autograder/screen/show.h"

#include "base/say.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void show(const char *findings, Text *out) {
    const ShowStyle style = {.width = 100, .rows = 40};
    Text json;
    text_init(&json);
    text_format(&json, "{\"lesson\": \"20\", \"verdict\": \"fail\", \"cases\": [], \"findings\": [%s]}",
                findings);
    struct json_object *result = json_tokener_parse(json.bytes);
    assert_non_null(result);
    text_init(out);
    show_result(result, "a;\nb;\nc;\n", &style, out);
    json_object_put(result);
    text_free(&json);
}

static unsigned count_of(const Text *screen, const char *words) {
    unsigned count = 0;
    for (const char *at = screen->bytes; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

#define RACE(line, words)                                                                                    \
    "{\"kind\": \"shared-race\", \"severity\": \"error\", \"file\": \"x.cu\", \"line\": " #line              \
    ", \"message\": \"" words "\", \"explanation\": \"Why.\"}"

/* The second party of a race is another, and nothing that is told of it. */
static void test_the_same_at_the_same_line_is_told_once(void **state) {
    (void)state;
    Text screen;
    show(RACE(1, "two threads meet") "," RACE(1, "two threads meet"), &screen);
    assert_int_equal(count_of(&screen, "two threads meet"), 1);
    assert_int_equal(count_of(&screen, "more"), 0);
    text_free(&screen);
}

static void test_other_lines_of_the_same_share_one(void **state) {
    (void)state;
    Text screen;
    show(RACE(1, "two threads meet") "," RACE(2, "two threads meet") "," RACE(3, "two threads meet"),
         &screen);
    assert_int_equal(count_of(&screen, "two threads meet"), 1);
    assert_int_equal(count_of(&screen, "1 more:\n  shared-race, lines 2, 3: the same as above\n"), 1);
    text_free(&screen);
}

/* Of what is not told in full, the words stand in the one line. */
static void test_what_follows_shares_a_line_too(void **state) {
    (void)state;
    Text screen;
    show(RACE(1, "first") "," RACE(1, "first") "," RACE(2, "other") "," RACE(3, "other"), &screen);
    assert_int_equal(count_of(&screen, "first"), 1);
    assert_int_equal(count_of(&screen, "1 more:\n  shared-race, lines 2, 3: other\n"), 1);
    text_free(&screen);
}

/* A line of two columns: the second is its last. */
static void test_a_place_is_pointed_to(void **state) {
    (void)state;
    static const char finding[] = "{\"kind\": \"shared-race\", \"severity\": \"error\", \"file\": \"x.cu\", "
                                  "\"line\": 1, \"column\": %d, \"message\": \"two threads meet\"}";
    static const char *const shown[] = {"  |  ^\n", "  | ^\n"};
    for (int column = 0; column <= 3; column++) {
        Text screen, words = text_new();
        text_format(&words, finding, column);
        show(words.bytes, &screen);
        assert_int_equal(count_of(&screen, "   1 | a;\n"), 1);
        assert_int_equal(count_of(&screen, shown[0]), column == 2);
        assert_int_equal(count_of(&screen, shown[1]), column == 1);
        text_free(&screen);
        text_free(&words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_at_the_same_line_is_told_once),
        cmocka_unit_test(test_other_lines_of_the_same_share_one),
        cmocka_unit_test(test_what_follows_shares_a_line_too),
        cmocka_unit_test(test_a_place_is_pointed_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
