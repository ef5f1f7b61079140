/* test_json_npy.c - the two formats that come from other processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/npy.h"

typedef struct Fixture {
    Arena *arena;
    Diagnostics diagnostics;
} Fixture;

static Fixture begin(void) {
    Fixture fixture = {.arena = arena_create()};
    diag_init(&fixture.diagnostics, fixture.arena);
    return fixture;
}

/* ---- JSON ---- */

static void test_json_members(void **state) {
    (void)state;
    Fixture fixture = begin();
    static const char text[] =
        " {\"s\": \"x\", \"n\": -7, \"d\": 2.5, \"b\": true, \"o\": {}, \"a\": [1], \"z\": null}\n";
    struct json_object *object = json_parse_text(text, strlen(text), "r.json", &fixture.diagnostics);
    assert_non_null(object);
    assert_string_equal(json_text(object, "s", "-"), "x");
    assert_int_equal(json_number(object, "n", 0), -7);
    assert_true(json_real(object, "d", 0) == 2.5 && json_real(object, "n", 0) == -7.0);
    assert_true(json_flag(object, "b", false));
    assert_non_null(json_member(object, "o"));
    assert_non_null(json_array(object, "a"));
    /* absent, or of another type: the default */
    assert_string_equal(json_text(object, "n", "-"), "-");
    assert_int_equal(json_number(object, "s", 5), 5);
    assert_int_equal(json_number(object, "z", 5), 5);
    assert_null(json_member(object, "a"));
    assert_null(json_array(object, "o"));
    assert_string_equal(json_text(NULL, "s", "-"), "-");
    json_object_put(object);
    arena_destroy(fixture.arena);
}

static void test_broken_json_is_located(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
    } cases[] = {{"{\n  \"a\": x}", 2, 8}, {"{\"a\": 1", 1, 8}, {"", 1, 1},
                 {"{} {}", 1, 4},          {"{}\nx", 2, 1},     {"null", 1, 1},
                 {"{a: 1}", 1, 2},         {"[1,]", 1, 4},      {"\"open", 1, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture fixture = begin();
        if (json_parse_text(cases[i].text, strlen(cases[i].text), "r.json", &fixture.diagnostics))
            fail_msg("%s is accepted", cases[i].text);
        assert_int_equal(fixture.diagnostics.errors, 1);
        assert_int_equal(fixture.diagnostics.first->line, cases[i].line);
        if (fixture.diagnostics.first->column != cases[i].column)
            fail_msg("%s: column %d", cases[i].text, fixture.diagnostics.first->column);
        arena_destroy(fixture.arena);
    }
}

static void test_deep_json_is_refused(void **state) {
    (void)state;
    Fixture fixture = begin();
    char deep[20001];
    memset(deep, '[', 20000);
    deep[20000] = 0;
    assert_null(json_parse_text(deep, 20000, "r.json", &fixture.diagnostics));
    assert_int_equal(fixture.diagnostics.errors, 1);
    arena_destroy(fixture.arena);
}

static void test_a_bare_number_is_complete_at_the_end(void **state) {
    (void)state;
    Fixture fixture = begin();
    struct json_object *number = json_parse_text("42", 2, "r.json", &fixture.diagnostics);
    assert_non_null(number);
    assert_int_equal(json_object_get_int(number), 42);
    json_object_put(number);
    assert_null(json_read_file("/no/such/file", 100, &fixture.diagnostics));
    assert_int_equal(fixture.diagnostics.errors, 1);
    arena_destroy(fixture.arena);
}

/* Stands before the library's own: which of its versions the product takes it for. */
static int version_taken = JSON_C_VERSION_NUM;

int json_c_version_num(void) {
    return version_taken;
}

/* Characters of two, three and four bytes, and one that a terminal would obey. */
static void check_beyond_ascii(void) {
    Fixture fixture = begin();
    static const char text[] = "{\"a\": \"\xC3\xA9 \xE2\x80\xAE \xF0\x9F\x98\x80 \\u001b\"}";
    struct json_object *object = json_parse_text(text, strlen(text), "r.json", &fixture.diagnostics),
                       *value = NULL;
    assert_non_null(object);
    assert_true(json_object_object_get_ex(object, "a", &value));
    assert_string_equal(json_object_get_string(value), "\xC3\xA9 \xE2\x80\xAE \xF0\x9F\x98\x80 \x1B");
    json_object_put(object);
    arena_destroy(fixture.arena);
}

static void test_json_beyond_ascii(void **state) {
    (void)state;
    check_beyond_ascii();
}

/* What one version gets as escapes means the same to every other one. */
static void test_json_beyond_ascii_by_escapes(void **state) {
    (void)state;
    version_taken = 18 << 8;
    check_beyond_ascii();
    version_taken = JSON_C_VERSION_NUM;
}

/* ---- .npy ---- */

static void make_path(char path[64]) {
    strcpy(path, "/tmp/warpschool-npy-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

static void test_npy_round_trip(void **state) {
    (void)state;
    static const NpyType types[] = {NPY_F32, NPY_F64, NPY_I32, NPY_I64, NPY_U8, NPY_U32};
    static const size_t counts[] = {0, 1, 5, 1000};
    char path[64];
    make_path(path);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            Fixture fixture = begin();
            NpyArray made, read;
            assert_true(npy_make(&made, fixture.arena, types[t], counts[c]));
            for (size_t i = 0; i < counts[c] * npy_type_bytes(types[t]); i++)
                ((uint8_t *)made.data)[i] = (uint8_t)(i * 7);
            assert_true(npy_write(&made, path, &fixture.diagnostics));
            assert_true(npy_read(&read, fixture.arena, path, 1 << 20, &fixture.diagnostics));
            assert_int_equal(read.type, types[t]);
            assert_int_equal(read.dimensions, 1);
            assert_int_equal(read.shape[0], counts[c]);
            assert_int_equal(read.count, counts[c]);
            if (counts[c]) assert_memory_equal(read.data, made.data, counts[c] * npy_type_bytes(types[t]));
            arena_destroy(fixture.arena);
        }
    }
    unlink(path);
}

static void test_npy_shapes(void **state) {
    (void)state;
    char path[64];
    make_path(path);
    Fixture fixture = begin();
    NpyArray made, read;
    npy_make(&made, fixture.arena, NPY_F32, 6);
    made.dimensions = 2;
    made.shape[0] = 2;
    made.shape[1] = 3;
    assert_true(npy_write(&made, path, &fixture.diagnostics));
    assert_true(npy_read(&read, fixture.arena, path, 1 << 20, &fixture.diagnostics));
    assert_int_equal(read.dimensions, 2);
    assert_int_equal(read.shape[1], 3);
    npy_make(&made, fixture.arena, NPY_F64, 1);
    made.dimensions = 0;
    assert_true(npy_write(&made, path, &fixture.diagnostics));
    assert_true(npy_read(&read, fixture.arena, path, 1 << 20, &fixture.diagnostics));
    assert_int_equal(read.dimensions, 0);
    assert_int_equal(read.count, 1);
    assert_false(npy_read(&read, fixture.arena, path, 64, &fixture.diagnostics)); /* past the limit */
    unlink(path);
    arena_destroy(fixture.arena);
}

/* The file that has this header and so many bytes of data. */
static size_t build(uint8_t file[512], const char *header, size_t data_bytes) {
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    size_t length = strlen(header);
    memcpy(file, magic, sizeof magic);
    file[8] = (uint8_t)length;
    file[9] = (uint8_t)(length >> 8);
    memcpy(file + 10, header, length);
    memset(file + 10 + length, 0, data_bytes);
    return 10 + length + data_bytes;
}

static void test_hostile_npy(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t data_bytes;
        bool fine;
    } cases[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8, true},
        {"{'shape': (2, 1), 'fortran_order': False, 'descr': '<f4'}", 8, true},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4, true},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9), }", 0, true},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 7, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 9, false},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8, false},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8, false},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 8, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551617,), }", 4, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }", 4, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", 4, false},
        {"{'descr': '<f4', 'fortran_order': False, }", 4, false},
        {"{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8, false},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2", 8, false},
        {"", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture fixture = begin();
        NpyArray array;
        uint8_t file[512];
        size_t length = build(file, cases[i].header, cases[i].data_bytes);
        bool fine = npy_parse(&array, fixture.arena, file, length, "x.npy", &fixture.diagnostics);
        if (fine != cases[i].fine) fail_msg("%s", cases[i].header);
        assert_int_equal(fixture.diagnostics.errors, !fine);
        arena_destroy(fixture.arena);
    }
}

static void test_every_cut_of_an_npy_is_refused(void **state) {
    (void)state;
    uint8_t file[512];
    size_t length = build(file, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", 8);
    for (size_t cut = 0; cut < length; cut++) {
        Fixture fixture = begin();
        NpyArray array;
        uint8_t *exact = test_malloc(cut ? cut : 1);
        memcpy(exact, file, cut);
        assert_false(npy_parse(&array, fixture.arena, exact, cut, "x.npy", &fixture.diagnostics));
        test_free(exact);
        arena_destroy(fixture.arena);
    }
    Fixture fixture = begin();
    NpyArray array;
    file[6] = 3; /* an unknown version */
    assert_false(npy_parse(&array, fixture.arena, file, length, "x.npy", &fixture.diagnostics));
    arena_destroy(fixture.arena);
}

/* Two loops of C in one: what leaves or cuts short a round does so as in one. */
static void test_a_walk_is_one_loop(void **state) {
    (void)state;
    struct json_object *rows = json_tokener_parse("[[1, 2], [3], [], [4, 5, 6]]");
    int64_t sum = 0, rounds = 0;
    JSON_EACH(row, rows) {
        if (json_length(row) == 0) continue;
        rounds++;
        JSON_EACH(number, row) {
            if (json_object_get_int64(number) == 5) break;
            sum += json_object_get_int64(number);
        }
    }
    assert_int_equal(sum, 1 + 2 + 3 + 4);
    assert_int_equal(rounds, 3);
    JSON_EACH(none, NULL)
        fail_msg("an entry of no array: %p", (void *)none);
    json_object_put(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_walk_is_one_loop),
        cmocka_unit_test(test_json_members),
        cmocka_unit_test(test_broken_json_is_located),
        cmocka_unit_test(test_deep_json_is_refused),
        cmocka_unit_test(test_a_bare_number_is_complete_at_the_end),
        cmocka_unit_test(test_json_beyond_ascii),
        cmocka_unit_test(test_json_beyond_ascii_by_escapes),
        cmocka_unit_test(test_npy_round_trip),
        cmocka_unit_test(test_npy_shapes),
        cmocka_unit_test(test_hostile_npy),
        cmocka_unit_test(test_every_cut_of_an_npy_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
