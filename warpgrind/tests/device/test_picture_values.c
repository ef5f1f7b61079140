/* test_picture_values.c - rows of values as the picture's record has them: as few numbers as say them. */
#include "device/record/picture_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect_list(const char *list, const char *const *texts, unsigned count) {
    PictureRow row = {0};
    for (unsigned i = 0; i < count; i++)
        picture_row_add_text(&row, texts[i]);
    Text out = text_new();
    picture_row_write_list(&row, &out);
    assert_string_equal(out.bytes, list);
    text_free(&out);
}

#define EXPECT_LIST(list, ...)                                                                               \
    expect_list(list, (const char *const[]){__VA_ARGS__},                                                    \
                sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static void a_row_of_nothing_is_an_empty_list(void **state) {
    (void)state;
    expect_list("[]", NULL, 0);
}

static void a_row_is_as_short_as_it_can_be(void **state) {
    (void)state;
    EXPECT_LIST("[7]", "7");
    EXPECT_LIST("[7]", "7", "7", "7");
    EXPECT_LIST("[7,8]", "7", "8");
    EXPECT_LIST("[7,-2]", "7", "5", "3", "1");
    EXPECT_LIST("[7,5,3,2]", "7", "5", "3", "2");
    EXPECT_LIST("[0.5,1,1.5]", "0.5", "1", "1.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_nothing_is_an_empty_list),
        cmocka_unit_test(a_row_is_as_short_as_it_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
