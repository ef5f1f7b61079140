/* test_expression.c - what a budget's expressions are worth, and where they are wrong. */
#include "autograder/course/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool look_up(void *self, const char *name, size_t length, int64_t *value) {
    (void)self;
    *value = length == 1 && *name == 'n' ? 1009 : 256;
    return (length == 1 && *name == 'n') || (length == 7 && strncmp(name, "threads", 7) == 0);
}

static const struct {
    const char *text;
    int64_t value;
} right[] = {
    {"7", 7},
    {" 2 + 3 * 4 ", 14},
    {"(2 + 3) * 4", 20},
    {"20 - 3 - 2", 15},
    {"100 / 10 / 3", 3},
    {"-2 * -(3)", 6},
    {"n / 8", 126},
    {"ceil(n, threads)", 4},
    {"ceil(1024, threads)", 4},
    {"min(n, threads) + max(n, threads)", 1265},
    {"log2(1) + log2(2) + log2(1009)", 11},
    {"min(3, min(2, max(1, 0)))", 1},
};

static const struct {
    const char *text;
    size_t offset;
    const char *says;
} wrong[] = {
    {"", 0, "ends"},
    {"n +", 3, "ends"},
    {"2 n", 2, "does not belong"},
    {"(n", 2, "`)` is missing"},
    {"n + rows", 4, "no parameter `rows`"},
    {"sqrt(n)", 0, "no function `sqrt`"},
    {"ceil(n)", 0, "takes 2, not 1"},
    {"n / (n - 1009)", 2, "divides by 0"},
    {"(0 - n) / 2", 8, "negative"},
    {"log2(0)", 0, "from 1 on"},
    {"99999999999999999999", 0, "too large"},
    {"n * 9223372036854775807", 2, "too large"},
    {"9223372036854775807 + n", 20, "too large"},
    {"2 * $", 4, "`$` stands"},
};

static void test_values(void **state) {
    Arena *arena = *state = arena_create();
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        int64_t value;
        ExpressionError error;
        if (!expression_evaluate(right[i].text, look_up, NULL, arena, &value, &error))
            fail_msg("%s: %s", right[i].text, error.message);
        assert_int_equal(value, right[i].value);
    }
    arena_destroy(arena);
}

static void test_errors_say_where(void **state) {
    Arena *arena = *state = arena_create();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t value;
        ExpressionError error;
        assert_false(expression_evaluate(wrong[i].text, look_up, NULL, arena, &value, &error));
        if (strstr(error.message, wrong[i].says) == NULL || error.offset != wrong[i].offset)
            fail_msg("%s: %s at %zu", wrong[i].text, error.message, error.offset);
    }
    arena_destroy(arena);
}

/* A hostile or careless manifest neither overflows the stack nor is read past its end. */
static void test_deep_parentheses_are_refused(void **state) {
    Arena *arena = *state = arena_create();
    char text[4096];
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    int64_t value;
    ExpressionError error;
    assert_false(expression_evaluate(text, look_up, NULL, arena, &value, &error));
    assert_non_null(strstr(error.message, "too many parentheses"));
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_errors_say_where),
        cmocka_unit_test(test_deep_parentheses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
