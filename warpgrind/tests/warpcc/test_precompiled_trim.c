/* test_precompiled_trim.c - bitstreams made here by hand: the list is found behind what must be skipped, and
 * a record that says a wrong length ends the search. */
#include "warpcc/warpcc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    WIDTH = 4, /* of the numbers in the block */
    ENTER = 1,
    DEFINE = 2,
    UNABBREVIATED = 3,
    OWN = 4, /* the block's one abbreviation */
    AST = 8,
    THE_LIST = 64,
    FILE_BYTES = 1 << 12,
    TOO_LONG_SECONDS = 20
};

enum { ARRAY = 3, BLOB = 5 };

typedef struct Writer {
    char bytes[FILE_BYTES];
    uint64_t at;
} Writer;

static void put(Writer *writer, uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; i++, writer->at++)
        if (value >> i & 1) writer->bytes[writer->at / 8] |= (char)(1 << writer->at % 8);
}

static void put_variable(Writer *writer, uint64_t value, unsigned width) {
    const uint64_t more = UINT64_C(1) << (width - 1);
    for (; value >= more; value >>= width - 1)
        put(writer, (value & (more - 1)) | more, width);
    put(writer, value, width);
}

static void put_to_word(Writer *writer) {
    writer->at = (writer->at + 31) / 32 * 32;
}

static void begin(Writer *writer) {
    *writer = (Writer){.bytes = "CPCH", .at = 32};
    put(writer, ENTER, 2);
    put_variable(writer, AST, 8);
    put_variable(writer, WIDTH, 4);
    put_to_word(writer);
    put(writer, FILE_BYTES / 4, 32);
}

/* The abbreviation is one field, or an array of a field that takes no bits. */
static void define(Writer *writer, unsigned encoding) {
    put(writer, DEFINE, WIDTH);
    put_variable(writer, encoding == ARRAY ? 2 : 1, 5);
    put(writer, 0, 1);
    put(writer, encoding, 3);
    if (encoding != ARRAY) return;
    put(writer, 1, 1);
    put_variable(writer, 7, 8);
}

static void put_list(Writer *writer) {
    put(writer, UNABBREVIATED, WIDTH);
    put_variable(writer, THE_LIST, 6);
    put_variable(writer, 0, 6);
}

/* Whether the list is found behind a record of one field, of this length; `bytes` of a blob are there. */
static bool is_found_behind(unsigned encoding, uint64_t length, unsigned bytes) {
    Writer *writer = calloc(1, sizeof *writer);
    assert_non_null(writer);
    begin(writer);
    define(writer, encoding);
    put(writer, OWN, WIDTH);
    put_variable(writer, length, 6);
    if (encoding == BLOB) {
        put_to_word(writer);
        writer->at += UINT64_C(8) * bytes;
        put_to_word(writer);
    }
    put_list(writer);
    Text header;
    text_init(&header);
    text_append(&header, writer->bytes, sizeof writer->bytes);
    const bool found = precompiled_trim(&header);
    assert_int_equal(found, memcmp(header.bytes, writer->bytes, sizeof writer->bytes) != 0);
    text_free(&header);
    free(writer);
    return found;
}

static void test_records_are_skipped(void **state) {
    (void)state;
    assert_true(is_found_behind(BLOB, 5, 5));
    assert_true(is_found_behind(BLOB, 0, 0));
    assert_true(is_found_behind(ARRAY, 3, 0));
}

static void test_blob_past_the_end(void **state) {
    (void)state;
    assert_false(is_found_behind(BLOB, FILE_BYTES, 0));
    assert_false(is_found_behind(BLOB, UINT64_C(8) * FILE_BYTES, 0));
    assert_false(is_found_behind(BLOB, UINT64_C(1) << 61, 0)); /* eight times that is 0 */
}

static void test_array_past_the_end(void **state) {
    (void)state;
    alarm(TOO_LONG_SECONDS);
    assert_false(is_found_behind(ARRAY, UINT64_C(1) << 60, 0));
    alarm(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_are_skipped),
        cmocka_unit_test(test_blob_past_the_end),
        cmocka_unit_test(test_array_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
