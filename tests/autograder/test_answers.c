/* test_answers.c - what a hostile program may leave where an answer is expected. */
#include "autograder/check/answers.h"

#include "temporary.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { LIMIT = 4096 };

typedef struct Place {
    Temporary temporary;
    Arena *arena;
    int fd;
    NpyArray array;
} Place;

static int place_open(void **state) {
    Place *place = calloc(1, sizeof *place);
    temporary_make(&place->temporary);
    place->arena = arena_create();
    place->fd = open(place->temporary.folder, O_RDONLY | O_DIRECTORY);
    *state = place;
    return place->fd < 0;
}

static int place_close(void **state) {
    Place *place = *state;
    close(place->fd);
    arena_destroy(place->arena);
    temporary_remove(&place->temporary);
    free(place);
    return 0;
}

static AnswerStatus read_z(Place *place) {
    return answers_read(&place->array, place->arena, place->fd, "z", LIMIT);
}

static void write_array(const Place *place, const char *name, size_t count) {
    NpyArray array;
    Diagnostics diagnostics;
    diag_init(&diagnostics, place->arena);
    assert_true(npy_make(&array, place->arena, NPY_F32, count));
    char *path = temporary_path(&place->temporary, name);
    assert_true(npy_write(&array, path, &diagnostics));
    free(path);
}

static void test_array_is_read(void **state) {
    Place *place = *state;
    write_array(place, "z.npy", 10);
    assert_int_equal(read_z(place), ANSWER_READ);
    assert_int_equal(place->array.count, 10);
}

static void test_nothing_is_missing(void **state) {
    Place *place = *state;
    assert_int_equal(read_z(place), ANSWER_MISSING);
    assert_int_equal(answers_read(&place->array, place->arena, -1, "z", LIMIT), ANSWER_MISSING);
}

static void test_symlink_is_refused(void **state) {
    Place *place = *state;
    write_array(place, "real.npy", 10);
    assert_int_equal(symlinkat("real.npy", place->fd, "z.npy"), 0); /* even to a good array */
    assert_int_equal(read_z(place), ANSWER_NOT_A_FILE);
}

static void test_link_outside_is_refused(void **state) {
    Place *place = *state;
    assert_int_equal(symlinkat("/etc/passwd", place->fd, "z.npy"), 0);
    assert_int_equal(read_z(place), ANSWER_NOT_A_FILE);
}

static void test_way_up_is_refused(void **state) {
    Place *place = *state;
    assert_int_equal(answers_read(&place->array, place->arena, place->fd, "../../etc/passwd", LIMIT),
                     ANSWER_NOT_A_FILE);
    assert_int_equal(answers_read(&place->array, place->arena, place->fd, "/etc/passwd", LIMIT),
                     ANSWER_NOT_A_FILE);
}

static void test_fifo_does_not_block(void **state) {
    Place *place = *state;
    assert_int_equal(mkfifoat(place->fd, "z.npy", 0600), 0);
    assert_int_equal(read_z(place), ANSWER_NOT_A_FILE);
}

static void test_folder_is_refused(void **state) {
    Place *place = *state;
    temporary_folder(&place->temporary, "z.npy");
    assert_int_equal(read_z(place), ANSWER_NOT_A_FILE);
}

static void test_large_file_is_refused(void **state) {
    Place *place = *state;
    write_array(place, "z.npy", LIMIT); /* four bytes each */
    assert_int_equal(read_z(place), ANSWER_TOO_LARGE);
}

static void test_sparse_giant_is_refused(void **state) {
    Place *place = *state;
    temporary_write(&place->temporary, "z.npy", "x", 1);
    char *path = temporary_path(&place->temporary, "z.npy");
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    free(path);
    assert_int_equal(read_z(place), ANSWER_TOO_LARGE);
}

/* Every proper prefix of a good file is malformed. */
static void test_short_files_are_malformed(void **state) {
    Place *place = *state;
    write_array(place, "good.npy", 4);
    char *path = temporary_path(&place->temporary, "good.npy");
    Text bytes;
    text_init(&bytes);
    assert_true(text_read_file(&bytes, path, LIMIT));
    free(path);
    for (size_t length = 0; length < bytes.length; length++) {
        temporary_write(&place->temporary, "z.npy", bytes.bytes, length);
        assert_int_equal(read_z(place), ANSWER_MALFORMED);
    }
    text_free(&bytes);
}

static void test_every_refusal_has_a_sentence(void **state) {
    Place *place = *state;
    for (int status = ANSWER_MISSING; status <= ANSWER_UNREADABLE; status++)
        assert_non_null(strstr(answers_explain((AnswerStatus)status, place->arena, "z"), "`z`"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)
    const struct CMUnitTest tests[] = {
        TEST(test_array_is_read),
        TEST(test_nothing_is_missing),
        TEST(test_symlink_is_refused),
        TEST(test_link_outside_is_refused),
        TEST(test_way_up_is_refused),
        TEST(test_fifo_does_not_block),
        TEST(test_folder_is_refused),
        TEST(test_large_file_is_refused),
        TEST(test_sparse_giant_is_refused),
        TEST(test_short_files_are_malformed),
        TEST(test_every_refusal_has_a_sentence),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
