/* test_fingerprint.c - a run's fingerprint, however its words are added. */
#include "base/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const uint32_t words[] = {0, UINT32_MAX, 7, 0x80000000, UINT32_MAX, 1, 0xdeadbeef, 0};

static uint64_t one_by_one(uint64_t print, const uint32_t *first, int count) {
    for (int i = 0; i < count; i++)
        print = fingerprint_add(print, first[i]);
    return print;
}

static void four_at_once_are_four_one_by_one(void **state) {
    (void)state;
    const uint64_t begin[] = {0, 1, FINGERPRINT_BASE, FINGERPRINT_PRIME - 1};
    for (int i = 0; i < 4; i++)
        for (int at = 0; at <= 4; at++)
            assert_int_equal(fingerprint_add_four(begin[i], words + at), one_by_one(begin[i], words + at, 4));
}

static void the_last_words_have_their_own(void **state) {
    (void)state;
    uint64_t power = 1;
    for (int i = 0; i < 5; i++)
        power = fingerprint_multiply(power, FINGERPRINT_BASE);
    const uint64_t before = one_by_one(0, words, 3), whole = one_by_one(0, words, 8);
    assert_int_equal(fingerprint_rest(whole, before, power), one_by_one(0, words + 3, 5));
}

static void zeros_count(void **state) {
    (void)state;
    const uint32_t zeros[2] = {0};
    assert_int_not_equal(one_by_one(0, zeros, 1), one_by_one(0, zeros, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_at_once_are_four_one_by_one),
        cmocka_unit_test(the_last_words_have_their_own),
        cmocka_unit_test(zeros_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
