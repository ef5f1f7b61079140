/* test_fatbin.c - images that programs embed: text, packed entries, machine code only, and damaged ones. */
#include "device/image/fatbin.h"

#include <lz4.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n// padding padding padding padding\n";

enum { HEADER = 16, ENTRY = 64, PTX = 1, ELF = 2 };

typedef struct Fixture {
    Arena *arena;
    Diagnostics diagnostics;
    FatbinImage image;
    uint8_t bytes[4096];
    size_t length;
} Fixture;

static void put(uint8_t *at, uint64_t value, size_t bytes) {
    memcpy(at, &value, bytes);
}

static void start(Fixture *f) {
    *f = (Fixture){.arena = arena_create()};
    diag_init(&f->diagnostics, f->arena);
    put(f->bytes, 0xBA55ED50, 4);
    put(f->bytes + 4, 1, 2);
    put(f->bytes + 6, HEADER, 2);
    f->length = HEADER;
}

static void add_entry(Fixture *f, unsigned kind, unsigned architecture, uint64_t flags, const void *data,
                      size_t bytes, size_t plain) {
    uint8_t *entry = f->bytes + f->length;
    size_t padded = (bytes + 7) / 8 * 8;
    put(entry, kind, 2);
    put(entry + 4, ENTRY, 4);
    put(entry + 8, padded, 8);
    put(entry + 16, bytes, 4);
    put(entry + 28, architecture, 4);
    put(entry + 40, flags, 8);
    put(entry + 56, plain, 8);
    memcpy(entry + ENTRY, data, bytes);
    f->length += ENTRY + padded;
    put(f->bytes + 8, f->length - HEADER, 8);
}

static bool find(Fixture *f) {
    return fatbin_find_ptx(&f->image, f->arena, f->bytes, f->length, 90, &f->diagnostics);
}

static void finish(Fixture *f) {
    arena_destroy(f->arena);
}

static void text_is_taken_as_it_is(void **state) {
    (void)state;
    Fixture f;
    start(&f);
    memcpy(f.bytes, ptx, sizeof ptx);
    f.length = sizeof ptx + 20; /* zeros behind the text do not count */
    assert_true(find(&f));
    assert_string_equal(f.image.texts[0].bytes, ptx);
    assert_int_equal(f.image.texts[0].length, strlen(ptx));
    finish(&f);
}

static void plain_entry(void **state) {
    (void)state;
    Fixture f;
    start(&f);
    add_entry(&f, PTX, 75, 0, ptx, sizeof ptx, 0);
    assert_true(find(&f));
    assert_string_equal(f.image.texts[0].bytes, ptx);
    finish(&f);
}

static void zstandard_entry(void **state) {
    (void)state;
    Fixture f;
    char packed[512];
    size_t bytes = ZSTD_compress(packed, sizeof packed, ptx, sizeof ptx, 3);
    assert_false(ZSTD_isError(bytes));
    start(&f);
    add_entry(&f, PTX, 80, 0x8011, packed, bytes, sizeof ptx);
    assert_true(find(&f));
    assert_string_equal(f.image.texts[0].bytes, ptx);
    finish(&f);
}

static void lz4_entry(void **state) {
    (void)state;
    Fixture f;
    char packed[512];
    int bytes = LZ4_compress_default(ptx, packed, sizeof ptx, sizeof packed);
    assert_true(bytes > 0);
    start(&f);
    add_entry(&f, PTX, 80, 0x2011, packed, (size_t)bytes, sizeof ptx);
    assert_true(find(&f));
    assert_string_equal(f.image.texts[0].bytes, ptx);
    finish(&f);
}

static void ptx_is_chosen_among_machine_code(void **state) {
    (void)state;
    Fixture f;
    start(&f);
    add_entry(&f, ELF, 90, 0, "\177ELF....", 8, 0);
    add_entry(&f, PTX, 75, 0, ptx, sizeof ptx, 0);
    assert_true(find(&f));
    assert_int_equal(f.image.text_count, 1);
    assert_false(f.image.only_machine_code);
    finish(&f);
}

/* As nvcc -rdc=true leaves them: a fat binary for each source, one behind the other. Each gives its newest
 * PTX, and one that has only code for newer cards gives none. */
static void sources_to_be_linked(void **state) {
    (void)state;
    static const char old[] = ".version 7.0\n.target sm_70\n",
                      second[] = ".version 7.0\n.target sm_75\n// second\n";
    Fixture f, one;
    start(&f);
    add_entry(&f, PTX, 70, 0, old, sizeof old, 0);
    add_entry(&f, PTX, 75, 0, ptx, sizeof ptx, 0);
    static const struct {
        unsigned architecture;
        const char *text;
    } others[] = {{75, second}, {120, ptx}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        start(&one);
        add_entry(&one, PTX, others[i].architecture, 0, others[i].text, strlen(others[i].text) + 1, 0);
        memcpy(f.bytes + f.length, one.bytes, one.length);
        f.length += one.length;
        finish(&one);
    }
    assert_true(find(&f));
    assert_int_equal(f.image.text_count, 2);
    assert_string_equal(f.image.texts[0].bytes, ptx);
    assert_string_equal(f.image.texts[1].bytes, second);
    finish(&f);
}

/* What a message names of PTX that is too new is the target that asks for the least. */
static void ptx_that_is_too_new(void **state) {
    (void)state;
    static const unsigned orders[][2] = {{120, 121}, {121, 120}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        Fixture f;
        start(&f);
        add_entry(&f, PTX, orders[i][0], 0, ptx, sizeof ptx, 0);
        add_entry(&f, PTX, orders[i][1], 0, ptx, sizeof ptx, 0);
        assert_true(find(&f));
        assert_int_equal(f.image.text_count, 0);
        assert_int_equal(f.image.too_new, 120);
        finish(&f);
    }
}

static void machine_code_alone_is_named(void **state) {
    (void)state;
    Fixture f;
    start(&f);
    add_entry(&f, ELF, 90, 0, "\177ELF....", 8, 0);
    add_entry(&f, ELF, 100, 0, "\177ELF....", 8, 0);
    assert_true(find(&f));
    assert_int_equal(f.image.text_count, 0);
    assert_true(f.image.only_machine_code);
    assert_string_equal(f.image.architectures, "sm_90, sm_100");
    finish(&f);
}

static void lengths_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        uint64_t value;
        size_t bytes;
    } damages[] = {
        {8, 1 << 20, 8},                  /* files_bytes past the image */
        {6, 8, 2},                        /* header shorter than a header */
        {HEADER + 4, 8, 4},               /* entry header shorter than a header */
        {HEADER + 4, 1 << 20, 4},         /* entry header past the image */
        {HEADER + 8, UINT64_MAX - 10, 8}, /* entry past the image, with overflow */
        {HEADER + 16, 1 << 30, 4},        /* more packed bytes than the entry has */
        {HEADER + 56, UINT64_MAX, 8},     /* unpacks to more than the limit */
        {HEADER + 56, 3, 8},              /* unpacks to more than it says */
    };
    char packed[512];
    size_t bytes = ZSTD_compress(packed, sizeof packed, ptx, sizeof ptx, 3);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        Fixture f;
        start(&f);
        add_entry(&f, PTX, 80, 0x8000, packed, bytes, sizeof ptx);
        put(f.bytes + damages[i].offset, damages[i].value, damages[i].bytes);
        assert_false(find(&f));
        assert_int_equal(f.diagnostics.errors, 1);
        finish(&f);
    }
}

static void anything_else_is_no_image(void **state) {
    (void)state;
    Fixture f;
    start(&f);
    memcpy(f.bytes, "hello", 6);
    f.length = 6;
    assert_false(find(&f));
    f.length = 0;
    assert_false(find(&f));
    finish(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_taken_as_it_is),
        cmocka_unit_test(plain_entry),
        cmocka_unit_test(zstandard_entry),
        cmocka_unit_test(lz4_entry),
        cmocka_unit_test(ptx_is_chosen_among_machine_code),
        cmocka_unit_test(sources_to_be_linked),
        cmocka_unit_test(ptx_that_is_too_new),
        cmocka_unit_test(machine_code_alone_is_named),
        cmocka_unit_test(lengths_that_do_not_fit_are_refused),
        cmocka_unit_test(anything_else_is_no_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
