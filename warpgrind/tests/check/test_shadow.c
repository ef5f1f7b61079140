/* test_shadow.c - which words get a record: all of a range, to its last word or byte, and none beside it. */
#include "check/shadow/shadow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GENERATION = 3, WORD = 4, LENGTH = 4 * SHADOW_SEGMENT_BYTES };
static const uint64_t record = 77;

/* Asks about each `step` bytes from 0 to LENGTH. */
static void expect_range(uint64_t begin, uint64_t end, unsigned step, bool by_byte) {
    ShadowRoom room = {.left = 1 << 22};
    Shadow shadow;
    shadow_init(&shadow, 1, false, &room);
    ShadowPage *page = shadow_touch(&shadow, 0, GENERATION);
    assert_non_null(page);
    if (by_byte) assert_true(shadow_split_bytes(&shadow, page));
    shadow_fill(&shadow, begin, end - begin, record, GENERATION);
    for (uint64_t at = 0; at < LENGTH; at += step)
        assert_int_equal(shadow_record(&shadow, at), at >= begin && at < end ? record : 0);
    shadow_free(&shadow);
}

static void test_words_within_a_segment(void **state) {
    (void)state;
    expect_range(2 * WORD, 5 * WORD, WORD, false);
    expect_range(2 * WORD, 3 * WORD, WORD, false);
}

static void test_a_whole_segment_and_words_on_both_sides(void **state) {
    (void)state;
    expect_range(SHADOW_SEGMENT_BYTES - WORD, 2 * SHADOW_SEGMENT_BYTES + WORD, WORD, false);
}

static void test_bytes(void **state) {
    (void)state;
    expect_range(5, 7, 1, true);
    expect_range(SHADOW_SEGMENT_BYTES - 1, SHADOW_SEGMENT_BYTES + 1, 1, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_within_a_segment),
        cmocka_unit_test(test_a_whole_segment_and_words_on_both_sides),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
