/* test_seeds.c - one number becomes the seeds of cases and schedules: nearby ones for students, and such for
 * a grade that none of them tells another. */
#include "autograder/check/seeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 40, SCHEDULES = 2, ALL = CASES * SCHEDULES };

static void take_all(const Seeds *seeds, uint64_t all[ALL]) {
    for (unsigned i = 0; i < ALL; i++)
        all[i] = seeds_of_case(seeds, i / SCHEDULES, i % SCHEDULES);
}

static void expect_all_different(const uint64_t all[ALL]) {
    for (unsigned i = 0; i < ALL; i++)
        for (unsigned j = 0; j < i; j++)
            assert_true(all[i] != all[j]);
}

static void test_plain_seeds_begin_at_the_given_one(void **state) {
    (void)state;
    uint64_t all[ALL];
    const Seeds seeds = seeds_plain(7);
    assert_int_equal(seeds_of_case(&seeds, 0, 0), 7);
    assert_int_equal(seeds_of_order(&seeds, 0), 7);
    assert_int_equal(seeds_of_order(&seeds, 1), 8);
    take_all(&seeds, all);
    expect_all_different(all);
}

/* Worked out by another implementation of SHA-256: a grading is repeated by its number years later. */
static void test_secret_seeds_are_the_same_for_ever(void **state) {
    (void)state;
    const Seeds seeds = seeds_secret(5);
    assert_int_equal(seeds.given, 5);
    assert_true(seeds_of_case(&seeds, 3, 1) == UINT64_C(0x851ee3072509c532));
    assert_int_equal(seeds_of_order(&seeds, 1), 162224571163930);
}

/* No distance between two of them is that between the same two of another number. */
static void test_no_secret_seed_tells_another(void **state) {
    (void)state;
    uint64_t ones[ALL], others[ALL];
    const Seeds one = seeds_secret(5), other = seeds_secret(6);
    take_all(&one, ones);
    take_all(&other, others);
    expect_all_different(ones);
    for (unsigned i = 1; i < ALL; i++)
        assert_true(ones[i] - ones[0] != others[i] - others[0]);
    assert_true(seeds_of_order(&one, 1) != seeds_of_order(&one, 0) + 1);
    assert_true(ones[0] != 5 && seeds_of_order(&one, 0) != 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_seeds_begin_at_the_given_one),
        cmocka_unit_test(test_secret_seeds_are_the_same_for_ever),
        cmocka_unit_test(test_no_secret_seed_tells_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
