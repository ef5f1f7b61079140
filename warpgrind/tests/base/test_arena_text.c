/* test_arena_text.c - memory and text. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"

/* ---- arena ---- */

static void test_pieces_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    Arena *arena = arena_create();
    char *last_end = NULL;
    for (size_t bytes = 0; bytes < 3000; bytes += 7) {
        char *piece = arena_alloc(arena, bytes);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 16, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(piece[i], 0);
        memset(piece, 0xFF, bytes);
        assert_ptr_not_equal(piece, last_end ? last_end - bytes : NULL);
        last_end = piece + bytes;
    }
    arena_destroy(arena);
}

static void test_large_pieces_leave_the_chunk_in_use(void **state) {
    (void)state;
    Arena *arena = arena_create();
    char *first = arena_alloc(arena, 16);
    char *large = arena_alloc(arena, 10 << 20);
    assert_non_null(large);
    large[(10 << 20) - 1] = 1;
    assert_ptr_equal(arena_alloc(arena, 16), first + 16);
    arena_destroy(arena);
}

static void test_overflow_is_no_memory(void **state) {
    (void)state;
    Arena *arena = arena_create();
    assert_null(arena_array(arena, SIZE_MAX / 2, 3));
    assert_null(arena_alloc(arena, SIZE_MAX));
    assert_null(arena_alloc(arena, SIZE_MAX - 20));
    assert_null(arena_copy(arena, "", SIZE_MAX));
    assert_non_null(arena_array(arena, 0, 8));
    arena_destroy(arena);
}

static void test_strings(void **state) {
    (void)state;
    Arena *arena = arena_create();
    assert_string_equal(arena_copy(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_string(arena, "abc"), "abc");
    assert_string_equal(arena_format(arena, "%s-%03d", "x", 7), "x-007");
    assert_string_equal(arena_number(arena, 0), "0");
    assert_string_equal(arena_number(arena, 999), "999");
    assert_string_equal(arena_number(arena, 1000), "1,000");
    assert_string_equal(arena_number(arena, 12345), "12,345");
    assert_string_equal(arena_number(arena, UINT64_MAX), "18,446,744,073,709,551,615");
    arena_destroy(arena);
}

static void test_the_chosen_allocation_fails_once(void **state) {
    (void)state;
    Arena *arena = arena_create();
    arena_fail_after(2);
    assert_non_null(arena_alloc(arena, 1));
    assert_null(arena_alloc(arena, 1));
    assert_non_null(arena_alloc(arena, 1));
    arena_fail_after(1);
    assert_null(arena_create());
    arena_fail_after(0);
    arena_destroy(arena);
    arena_destroy(NULL);
}

/* ---- text ---- */

static void test_text_grows(void **state) {
    (void)state;
    Text text;
    text_init(&text);
    assert_string_equal(text.bytes, "");
    for (int i = 0; i < 1000; i++)
        text_format(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_int_equal(text.bytes[2000], 0);
    text_clear(&text);
    assert_string_equal(text.bytes, "");
    text_append(&text, "a\0b", 3);
    assert_memory_equal(text.bytes, "a\0b", 4);
    text_free(&text);
    assert_string_equal(text.bytes, "");
}

static void test_too_much_text_fails_quietly(void **state) {
    (void)state;
    Text text;
    text_init(&text);
    text_add(&text, "kept");
    text_append(&text, "x", SIZE_MAX / 2);
    assert_true(text.failed);
    text_add(&text, "more");
    assert_string_equal(text.bytes, "kept");
    text_free(&text);
}

/* Overlong forms, surrogates, halves of characters and lone bytes are replaced; real characters stay. */
static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"caf\xC3\xA9\n\x1B", "caf\xC3\xA9\n\x1B"},
        {"a\xE9z", "a\xEF\xBF\xBDz"},
        {"\xC3", "\xEF\xBF\xBD"},
        {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text;
        text_init(&text);
        text_add_utf8(&text, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(text.bytes, cases[i].text);
        text_free(&text);
    }
}

static void test_visible(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *shown;
    } cases[] = {{"plain\ttext\n", "plain\ttext\n"},
                 {"\x1b[31mred", "\\x1B[31mred"},
                 {"\r\b\x7f", "\\x0D\\x08\\x7F"},
                 {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
                 {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
                 {"\xc0\xaf", "\\xC0\\xAF"},          /* overlong */
                 {"\xed\xa0\x80", "\\xED\\xA0\\x80"}, /* a surrogate */
                 {"\xc2\x9b"
                  "31m",
                  "\\xC2\\x9B31m"}, /* a control character of 8 bits */
                 {"\xe2\x80\xae"
                  "evil",
                  "\\xE2\\x80\\xAE"
                  "evil"},                            /* turns the writing round */
                 {"\xd8\x9c", "\\xD8\\x9C"},          /* so does the Arabic letter mark */
                 {"\xef\xbf\xbf", "\\xEF\\xBF\\xBF"}, /* no character */
                 {"\xef\xbf\xbd\xd8\x9b", "\xef\xbf\xbd\xd8\x9b"},
                 {"\xf3\xa0\x81\xa1", "\\xF3\\xA0\\x81\\xA1"}, /* an invisible tag */
                 {"\xe2\x82", "\\xE2\\x82"},                   /* cut short */
                 {"\xf5\x80\x80\x80", "\\xF5\\x80\\x80\\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text;
        text_init(&text);
        text_add_visible(&text, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(text.bytes, cases[i].shown);
        text_free(&text);
    }
}

static void test_prefix_and_suffix(void **state) {
    (void)state;
    assert_true(text_starts_with("kernel.cu", "kernel") && !text_starts_with("ker", "kernel"));
    assert_true(text_ends_with("kernel.cu", ".cu") && !text_ends_with("u", ".cu") && text_ends_with("x", ""));
}

/* ---- files ---- */

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/warpschool-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static void path_of(char path[128], const char *name) {
    snprintf(path, 128, "%s/%s", folder, name);
}

static void test_files_are_written_whole(void **state) {
    (void)state;
    char path[128];
    path_of(path, "a.txt");
    Text text;
    text_init(&text);
    umask(022);
    assert_true(text_write_file(path, "first", 5));
    assert_true(text_write_file(path, "second\0", 7));
    assert_true(text_read_file(&text, path, 7));
    assert_memory_equal(text.bytes, "second\0", 8);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644); /* as any file made under this umask */
    assert_false(text_read_file(&text, path, 6));
    assert_int_equal(errno, EFBIG);
    unlink(path);
    text_free(&text);
}

static void test_only_regular_files_are_read(void **state) {
    (void)state;
    char path[128];
    path_of(path, "fifo");
    Text text;
    text_init(&text);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(text_read_file(&text, path, 100)); /* and does not wait for a writer */
    assert_int_equal(errno, EINVAL);
    unlink(path);
    assert_false(text_read_file(&text, folder, 100));
    assert_false(text_read_file(&text, path, 100));
    assert_int_equal(errno, ENOENT);
    text_free(&text);
}

/* A device of the test's own: only root can make one, and only root could lose one. */
static void test_a_device_stays_a_device(void **state) {
    (void)state;
    char path[128];
    struct stat info;
    path_of(path, "null");
    if (mknod(path, S_IFCHR | 0600, makedev(1, 3)) != 0) skip();
    bool written = text_write_file(path, "x", 1);
    assert_int_equal(lstat(path, &info), 0);
    assert_int_equal(unlink(path), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_true(written);
}

/* The same without a root's rights: a file of the test's own is what a descriptor's name leads to. */
static void test_a_descriptors_name_is_written_to(void **state) {
    (void)state;
    char path[128], name[64];
    path_of(path, "open.txt");
    Text text;
    text_init(&text);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    const char *const folders[] = {"/dev/fd", "/proc/self/fd"};
    for (size_t i = 0; i < 2; i++) {
        struct stat info;
        snprintf(name, sizeof name, "%s/%d", folders[i], fd);
        assert_true(text_write(fd, "a", 1));
        assert_true(text_write_file(name, "b", 1)); /* behind what was written, not over it */
        assert_true(text_write(fd, "c", 1));
        assert_int_equal(lstat(name, &info), 0);
        assert_true(S_ISLNK(info.st_mode));
    }
    assert_true(text_read_file(&text, path, 100));
    assert_string_equal(text.bytes, "abcabc");
    snprintf(name, sizeof name, "/proc/self/fd/%d", 1000); /* none that is open */
    assert_false(text_write_file(name, "x", 1));
    close(fd);
    unlink(path);
    text_free(&text);
}

/* A folder below /dev that holds files like any other. */
static void test_shared_memory_holds_files(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "/dev/shm/warpgrind-test-%d", (int)getpid());
    if (access("/dev/shm", W_OK) != 0) skip();
    assert_true(text_write_file(path, "x", 1));
    assert_int_equal(unlink(path), 0);
}

static void test_a_failed_write_leaves_nothing(void **state) {
    (void)state;
    char path[128];
    path_of(path, "no/such/folder");
    assert_false(text_write_file(path, "x", 1));
    assert_int_equal(errno, ENOENT);
    assert_false(text_write_file(folder, "x", 1)); /* a folder is in the way */
    assert_int_equal(rmdir(folder), 0);            /* nothing lies in it */
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void test_a_text_is_kept_whole(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Text text = text_new();
    text_append(&text, "a\0b", 3);
    assert_memory_equal(arena_keep(arena, &text), "a\0b", 4);
    assert_int_equal(text.length, 0); /* freed, and as good as a new one */
    text_add(&text, "cut");
    text.failed = true;
    assert_null(arena_keep(arena, &text));
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(test_large_pieces_leave_the_chunk_in_use),
        cmocka_unit_test(test_overflow_is_no_memory),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_the_chosen_allocation_fails_once),
        cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_a_text_is_kept_whole),
        cmocka_unit_test(test_too_much_text_fails_quietly),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_visible),
        cmocka_unit_test(test_prefix_and_suffix),
        cmocka_unit_test(test_files_are_written_whole),
        cmocka_unit_test(test_only_regular_files_are_read),
        cmocka_unit_test(test_a_device_stays_a_device),
        cmocka_unit_test(test_a_descriptors_name_is_written_to),
        cmocka_unit_test(test_shared_memory_holds_files),
        cmocka_unit_test(test_a_failed_write_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
