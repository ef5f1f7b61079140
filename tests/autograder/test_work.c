/* test_work.c - the learner's files and progress: made, never overwritten, and robust against broken content.
 */
#include "autograder/course/progress.h"
#include "autograder/course/work.h"

#include "temporary.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct Desk {
    Temporary temporary;
    Arena *arena;
    Diagnostics diagnostics;
    Lesson lessons[2];
    Course course;
} Desk;

static int desk_open(void **state) {
    Desk *desk = calloc(1, sizeof *desk);
    temporary_make(&desk->temporary);
    desk->arena = arena_create();
    diag_init(&desk->diagnostics, desk->arena);
    desk->lessons[0].name = "01-first";
    desk->lessons[1].name = "02-second";
    desk->course = (Course){.root = desk->temporary.folder, .lessons = desk->lessons, .count = 2};
    temporary_folder(&desk->temporary, "starter");
    temporary_write(&desk->temporary, "starter/01-first.cu", "starter\n", 8);
    *state = desk;
    return 0;
}

static int desk_close(void **state) {
    Desk *desk = *state;
    arena_destroy(desk->arena);
    temporary_remove(&desk->temporary);
    free(desk);
    return 0;
}

static void assert_content(const char *path, const char *wanted) {
    Text text;
    text_init(&text);
    assert_true(text_read_file(&text, path, 1000));
    assert_string_equal(text.bytes, wanted);
    text_free(&text);
}

static void test_file_is_made_from_the_starter(void **state) {
    Desk *desk = *state;
    bool made = false;
    const char *path = work_file(&desk->course, &desk->lessons[0], &made, &desk->diagnostics);
    assert_non_null(path);
    assert_true(made);
    assert_content(path, "starter\n");
}

static void test_file_is_never_overwritten(void **state) {
    Desk *desk = *state;
    temporary_folder(&desk->temporary, "work");
    temporary_write(&desk->temporary, "work/01-first.cu", "mine\n", 5);
    bool made = true;
    const char *path = work_file(&desk->course, &desk->lessons[0], &made, &desk->diagnostics);
    assert_false(made);
    assert_content(path, "mine\n");
}

static void test_missing_starter_is_said(void **state) {
    Desk *desk = *state;
    bool made;
    assert_null(work_file(&desk->course, &desk->lessons[1], &made, &desk->diagnostics));
    assert_non_null(strstr(desk->diagnostics.first->message, "cannot read the starter"));
}

static void test_reset_keeps_every_old_file(void **state) {
    Desk *desk = *state;
    temporary_folder(&desk->temporary, "work");
    temporary_write(&desk->temporary, "work/01-first.cu", "one\n", 4);
    const char *kept;
    assert_true(work_reset(&desk->course, &desk->lessons[0], &kept, &desk->diagnostics));
    assert_true(text_ends_with(kept, "work/01-first.cu.1"));
    assert_content(kept, "one\n");
    temporary_write(&desk->temporary, "work/01-first.cu", "two\n", 4);
    assert_true(work_reset(&desk->course, &desk->lessons[0], &kept, &desk->diagnostics));
    assert_true(text_ends_with(kept, "work/01-first.cu.2"));
    assert_content(kept, "two\n");
    bool made;
    assert_content(work_file(&desk->course, &desk->lessons[0], &made, &desk->diagnostics), "starter\n");
}

static void test_progress_round_trip(void **state) {
    Desk *desk = *state;
    Progress progress, again;
    temporary_folder(&desk->temporary, "work");
    assert_true(progress_read(&progress, desk->arena, &desk->course));
    assert_ptr_equal(progress_next(&progress, &desk->course), &desk->lessons[0]);
    progress.entries[0].passed = true;
    progress.entries[1].hints = 2;
    assert_true(progress_write(&progress, &desk->course, &desk->diagnostics));
    assert_true(progress_read(&again, desk->arena, &desk->course));
    assert_ptr_equal(progress_next(&again, &desk->course), &desk->lessons[1]);
    assert_int_equal(again.entries[1].hints, 2);
    assert_false(again.entries[1].passed);
}

static void test_broken_progress_is_no_progress(void **state) {
    Desk *desk = *state;
    static const char broken[] = "passed\npassed 99-unknown\nhints 01-first many\nhints 01-first -3\n\0\xff "
                                 "binary\npassed 02-second\n";
    temporary_folder(&desk->temporary, "work");
    temporary_write(&desk->temporary, "work/.progress", broken, sizeof broken - 1);
    Progress progress;
    assert_true(progress_read(&progress, desk->arena, &desk->course));
    assert_false(progress.entries[0].passed);
    assert_int_equal(progress.entries[0].hints, 0);
}

static void test_a_path_is_shown_from_here(void **state) {
    Arena *arena = ((Desk *)*state)->arena;
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(work_shown_path(arena, arena_format(arena, "%s/work/01-first.cu", here)),
                        "work/01-first.cu");
    const char *beside = arena_format(arena, "%s-too/01-first.cu", here);
    assert_string_equal(work_shown_path(arena, beside), beside);
    here[strlen(here) - 1] ^= 1; /* another folder, whose name is as long */
    const char *other = arena_format(arena, "%s/01-first.cu", here);
    assert_string_equal(work_shown_path(arena, other), other);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)
    const struct CMUnitTest tests[] = {
        TEST(test_file_is_made_from_the_starter), TEST(test_file_is_never_overwritten),
        TEST(test_missing_starter_is_said),       TEST(test_reset_keeps_every_old_file),
        TEST(test_progress_round_trip),           TEST(test_broken_progress_is_no_progress),
        TEST(test_a_path_is_shown_from_here),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
