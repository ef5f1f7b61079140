/* test_headers.c - what counts as a header of CUB or Thrust: by its path, and by what the compiler has read.
 */
#include "autograder/check/headers.h"
#include "base/headers.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Where Debian, CUDA 12 and CUDA 13 have them; not what only has the name, nor what `..` takes elsewhere. */
static void test_paths(void **state) {
    (void)state;
    static const char *const installed[] = {
        "/usr/include/cub/device/dispatch/dispatch_reduce.cuh",
        "/usr/include/cub/device/dispatch/../../agent/agent_reduce.cuh",
        "/usr/include/thrust/reduce.h",
        "/usr/local/cuda-12.4/targets/x86_64-linux/include/cub/cub.cuh",
        "/usr/local/cuda/include/cccl/cub/device/device_reduce.cuh",
        "/opt/cuda/include/cccl/thrust/detail/reduce.inl",
    };
    static const char *const others[] = {
        "/w/include/cub/cub.cuh",
        "/tmp/usr/include/cub/cub.cuh",
        "cub/cub.cuh",
        "usr/include/cub/cub.cuh",
        "/usr/include/cub/../../../w/mine.cuh",
        "/usr/include/cub/../mine/cub.cuh",
        "/usr/include/cubs/cub.cuh",
        "/usr/../w/include/cub/cub.cuh",
        "/w/solution.cu",
        "",
    };
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        assert_true(headers_of_library(installed[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(headers_of_library(others[i]));
    assert_false(headers_of_library(NULL));
}

/* Any header, of the system's or a toolkit's, and no source or header of the learner's own. */
static void test_headers_of_all(void **state) {
    (void)state;
    static const char *const others[] = {"/w/mine.cu", "/w/mine.cuh", "include/mine.cuh", "mine/include/a.h",
                                         ""};
    assert_true(headers_are("/usr/include/cuda/barrier"));
    assert_true(headers_are("/warpschool/include/cooperative_groups/reduce.h"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(headers_are(others[i]));
    assert_false(headers_are(NULL));
}

static const char *code_file(struct json_object *report, size_t launch) {
    struct json_object *launches = json_array(report, "launches");
    return json_text(json_object_array_get_idx(launches, launch), "code_file", "none");
}

/* A kernel is the library's where the compiler has read that header, and not where a line only says so. */
static void test_report(void **state) {
    (void)state;
    static const char rule[] = "student.o: /w/mine.cu \\\n  /usr/include/cub/cub.cuh \\\n"
                               "  /usr/include/cub/device/dispatch/dispatch_reduce.cuh\n";
    static const char said[] =
        "{\"launches\": [{\"code_file\": \"/usr/include/cub/device/dispatch/dispatch_reduce.cuh\"},"
        " {\"code_file\": \"/usr/include/cub/device/dispatch/dispatch_scan.cuh\"},"
        " {\"code_file\": \"/usr/include/thrust/reduce.h\"}, {\"code_file\": \"/w/mine.cu\"}, {}]}";
    char path[] = "/tmp/test-headers-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0 && text_write(file, rule, sizeof rule - 1));
    close(file);
    Check check = {.arena = arena_create()};
    headers_read(&check, path);
    unlink(path);
    struct json_object *report = json_tokener_parse(said);
    headers_check_report(&check, report);
    assert_string_equal(code_file(report, 0), "/usr/include/cub/device/dispatch/dispatch_reduce.cuh");
    assert_string_equal(code_file(report, 1), "none");
    assert_string_equal(code_file(report, 2), "none");
    assert_string_equal(code_file(report, 3), "/w/mine.cu");
    json_object_put(report);
    arena_destroy(check.arena);
}

/* Without such a list nothing is the library's. */
static void test_no_rule(void **state) {
    (void)state;
    Check check = {.arena = arena_create()};
    headers_read(&check, "/nowhere/student.d");
    assert_null(check.headers);
    struct json_object *report =
        json_tokener_parse("{\"launches\": [{\"code_file\": \"/usr/include/cub/cub.cuh\"}]}");
    headers_check_report(&check, report);
    assert_string_equal(code_file(report, 0), "none");
    json_object_put(report);
    arena_destroy(check.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_of_all),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_no_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
