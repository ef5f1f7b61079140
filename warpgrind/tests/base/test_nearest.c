/* test_nearest.c - the word that somebody may have meant. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_distances(void **state) {
    (void)state;
    assert_int_equal(nearest_distance("seed", "seed"), 0);
    assert_int_equal(nearest_distance("sead", "seed"), 1);
    assert_int_equal(nearest_distance("reprot", "report"), 2);
    assert_int_equal(nearest_distance("", "abc"), 3);
    assert_int_equal(nearest_distance("abc", ""), 3);
    assert_int_equal(nearest_distance("kitten", "sitting"), 3);
    static const char long_word[] =
        "a word of more than sixty-four letters, which nobody would mistake for one";
    assert_int_equal(nearest_distance("a", long_word), SIZE_MAX);
    assert_true(nearest_distance(long_word, "a") > 64);
}

static void test_the_nearest_is_kept(void **state) {
    (void)state;
    Nearest nearest = nearest_to("grdae");
    assert_null(nearest.best);
    assert_false(nearest_offer(&nearest, "override"));
    assert_false(nearest_offer(&nearest, NULL));
    assert_true(nearest_offer(&nearest, "grade"));
    assert_false(nearest_offer(&nearest, "regrade"));
    assert_false(nearest_offer(&nearest, "grade")); /* of equals the first */
    assert_true(nearest_offer(&nearest, "grda"));
    assert_string_equal(nearest.best, "grda");
}

static void test_what_is_far_is_nothing(void **state) {
    (void)state;
    Nearest nearest = nearest_to("xyzzy");
    assert_false(nearest_offer(&nearest, "grade"));
    assert_null(nearest.best);
    Nearest strict = nearest_within("sead", 1);
    assert_false(nearest_offer(&strict, "seed"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_the_nearest_is_kept),
        cmocka_unit_test(test_what_is_far_is_nothing),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
