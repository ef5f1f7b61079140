/* test_shadow.c - which words get a record: all of a range, to its last word or byte, and none beside it;
 * and in whatever form a page has its records, they are the same. */
#include "check/shadow/sectors.h"

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

/* ---- by sector ---- */

enum { TURNS = 4000, PAGE = SHADOW_PAGE_BYTES };

static uint32_t next(uint32_t *state, uint32_t below) {
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*state * below >> 32);
}

static void begin(Shadow *shadow, ShadowRoom *room) {
    *room = (ShadowRoom){.left = 1 << 22};
    shadow_init(shadow, 1, true, room);
}

/** What the page has for one byte. */
static uint64_t record_at(const Shadow *shadow, uint64_t at) {
    const ShadowPage *page = shadow_glance(shadow, at);
    if (!page) return 0;
    if (sectors_has(page) || page->exploded >> at / SHADOW_SEGMENT_BYTES & 1)
        return shadow_record(shadow, at);
    return shadow_word(page, (unsigned)at / SHADOW_SEGMENT_BYTES, 0, at % SHADOW_SEGMENT_BYTES / 4);
}

/** Of what a host wrote, or an earlier generation has, the thread has no meaning. */
static void expect_page(const Shadow *shadow, const uint64_t wanted[PAGE]) {
    for (unsigned at = 0; at < PAGE; at++) {
        const uint64_t got = record_at(shadow, at);
        assert_int_equal(record_site(got), record_site(wanted[at]));
        assert_int_equal(record_time(got), record_time(wanted[at]));
        if (record_time(got) != RECORD_TIME_OLD) assert_int_equal(got, wanted[at]);
        assert_int_equal(record_site(shadow_record(shadow, at)), record_site(wanted[at]));
    }
}

/** A warp's lanes write a sector, so many bytes each; false where the page has cells. */
static bool put_sector(Shadow *shadow, uint32_t generation, unsigned sector, unsigned shift, uint64_t me,
                       uint64_t wanted[PAGE]) {
    const ShadowPage *page = sectors_touch(shadow, sector * SHADOW_SECTOR_BYTES, generation);
    if (!page) return false;
    *sectors_records(shadow, page, sector) = me;
    sectors_shifts(shadow, page)[sector] = (uint8_t)shift;
    for (unsigned at = 0; at < SHADOW_SECTOR_BYTES; at++)
        wanted[sector * SHADOW_SECTOR_BYTES + at] = me + (at >> shift) * RECORD_LANE;
    return true;
}

static void fill(Shadow *shadow, uint32_t generation, unsigned begin, unsigned bytes, uint64_t me,
                 uint64_t wanted[PAGE]) {
    shadow_fill(shadow, begin, bytes, me, generation);
    for (unsigned at = begin; at < begin + bytes; at++)
        wanted[at] = me;
}

static void age(uint64_t wanted[PAGE]) {
    for (unsigned at = 0; at < PAGE; at++)
        wanted[at] = record_aged(wanted[at]);
}

/* Sectors of all widths, copies of the host's, looks by those who want segments or cells, and new
 * generations, in any order. */
static void test_forms_of_a_page(void **state) {
    (void)state;
    static uint64_t wanted[PAGE];
    ShadowRoom room = {.left = 1 << 22};
    Shadow shadow;
    uint32_t random = 1, generation = GENERATION;
    unsigned put = 0;
    shadow_init(&shadow, 1, true, &room);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const uint64_t site = (uint64_t)(SHADOW_MAX_WAYS + turn) << RECORD_SITE_SHIFT,
                       old = site | RECORD_TIME_OLD;
        switch (next(&random, 30)) {
        case 0:
            fill(&shadow, generation, next(&random, PAGE / 4) * 4, WORD, old, wanted);
            break;
        case 1:
            fill(&shadow, generation, next(&random, SHADOW_SEGMENTS) * SHADOW_SEGMENT_BYTES,
                 SHADOW_SEGMENT_BYTES, old, wanted);
            break;
        case 2:
            fill(&shadow, generation, 0, PAGE, old, wanted);
            break;
        case 3:
            assert_non_null(shadow_touch(&shadow, 0, generation));
            break;
        case 4:
            generation++;
            assert_non_null(shadow_touch(&shadow, 0, generation));
            age(wanted);
            break;
        case 5:
            generation++;
            if (sectors_touch(&shadow, 0, generation)) put++;
            shadow_touch(&shadow, 0, generation);
            age(wanted);
            break;
        default:
            put += put_sector(&shadow, generation, next(&random, SHADOW_SECTORS), next(&random, 5),
                              site | next(&random, 1000) * RECORD_LANE | 9, wanted);
        }
        expect_page(&shadow, wanted);
    }
    assert_true(put > TURNS / 8);
    shadow_fill(&shadow, 0, PAGE, record, generation);
    assert_int_equal(room.left + sizeof(ShadowPage) + SHADOW_FAN * sizeof(ShadowPage *), 1 << 22);
    shadow_free(&shadow);
}

/* What the four sectors of a segment have in common goes back into one record. */
static void test_a_segment_comes_back(void **state) {
    (void)state;
    static uint64_t wanted[PAGE];
    ShadowRoom room;
    Shadow shadow;
    begin(&shadow, &room);
    for (unsigned sector = 0; sector < 4; sector++)
        put_sector(&shadow, GENERATION, sector, 2, 5 + sector * 8 * RECORD_LANE, wanted);
    assert_int_equal(shadow_alike(&shadow, 0), SHADOW_SECTOR_BYTES);
    const ShadowPage *page = shadow_touch(&shadow, 0, GENERATION);
    assert_int_equal(page->exploded, 0);
    assert_int_equal(page->segments[0][0], 5);
    assert_int_equal(shadow_alike(&shadow, 0), SHADOW_SEGMENT_BYTES);
    put_sector(&shadow, GENERATION, 1, 2, 5, wanted);
    page = shadow_touch(&shadow, 0, GENERATION);
    assert_int_equal(page->exploded, 1);
    assert_false(page->by_byte);
    assert_int_equal(shadow_alike(&shadow, 0), 0);
    assert_null(sectors_touch(&shadow, 0, GENERATION));
    expect_page(&shadow, wanted);
    shadow_free(&shadow);
}

/* Four warps' bytes are no lanes of one segment, though one follows the other. */
static void test_bytes_make_no_segment(void **state) {
    (void)state;
    static uint64_t wanted[PAGE];
    ShadowRoom room;
    Shadow shadow;
    begin(&shadow, &room);
    for (unsigned sector = 0; sector < 4; sector++)
        put_sector(&shadow, GENERATION, sector, 0, 5 + sector * 32 * RECORD_LANE, wanted);
    assert_true(shadow_touch(&shadow, 0, GENERATION)->by_byte);
    expect_page(&shadow, wanted);
    shadow_free(&shadow);
}

/* Out of date, and nobody asks: it is of no generation that anybody sees. */
static void test_who_looks_sees_its_generation(void **state) {
    (void)state;
    static uint64_t wanted[PAGE];
    ShadowRoom room;
    Shadow shadow;
    begin(&shadow, &room);
    put_sector(&shadow, GENERATION, 7, 0, 5, wanted);
    assert_non_null(sectors_peek(&shadow, 0, GENERATION));
    assert_null(sectors_peek(&shadow, 0, GENERATION + 1));
    assert_null(shadow_peek(&shadow, 0, GENERATION + 1));
    assert_int_equal(shadow_record_of(&shadow, 7 * SHADOW_SECTOR_BYTES + 3, GENERATION), 5 + 3 * RECORD_LANE);
    assert_int_equal(shadow_record_of(&shadow, 7 * SHADOW_SECTOR_BYTES, GENERATION + 1), 0);
    /* in a page that nobody has touched */
    assert_int_equal(shadow_record(&shadow, PAGE), 0);
    assert_int_equal(shadow_record_of(&shadow, PAGE, GENERATION), 0);
    assert_int_equal(shadow_alike(&shadow, PAGE), SHADOW_SEGMENT_BYTES);
    shadow_free(&shadow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_within_a_segment),
        cmocka_unit_test(test_a_whole_segment_and_words_on_both_sides),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_forms_of_a_page),
        cmocka_unit_test(test_a_segment_comes_back),
        cmocka_unit_test(test_bytes_make_no_segment),
        cmocka_unit_test(test_who_looks_sees_its_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
