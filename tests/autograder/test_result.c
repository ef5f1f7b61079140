/* test_result.c - how large a result can be, and what becomes of one that is larger. */
#include "autograder/verdict/worker.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MANY = 5000, LISTED = 200, LONG_NAME = 200000, LONGEST = 2000 };

static const char *long_name(Arena *arena) {
    char *name = arena_alloc(arena, LONG_NAME + 1);
    assert_non_null(name);
    memset(name, 1, LONG_NAME); /* JSON takes six bytes for each */
    return name;
}

/* The last finding follows from the first one, the first from the last. */
static void add_many(Result *result, Arena *arena, size_t count) {
    const char *name = long_name(arena);
    for (size_t i = 0; i < count; i++) {
        Finding *finding = result_add(result, arena, FINDING_SHARED_RACE);
        assert_non_null(finding);
        finding->file = finding->kernel = finding->message = finding->explanation = finding->other_what =
            name;
        finding->other_line = 1;
    }
    result->first->cause = result->last;
    result->first->next->cause = result->first;
}

static void test_findings_and_texts_are_bounded(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Result result = {.lesson = "99-test"};
    add_many(&result, arena, MANY);
    result_bound(&result, arena);
    struct json_object *json = result_to_json(&result);
    struct json_object *findings = json_array(json, "findings");
    assert_int_equal(json_object_array_length(findings), LISTED);
    assert_int_equal(json_number(json, "findings_left_out", 0), MANY - LISTED);
    struct json_object *first = json_object_array_get_idx(findings, 0);
    static const char *const texts[] = {"file", "kernel", "message", "explanation", "other_what"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(strlen(json_text(first, texts[i], "")), LONGEST);
    assert_int_equal(json_number(first, "follows", -1), -1);
    assert_int_equal(json_number(json_object_array_get_idx(findings, 1), "follows", -1), 0);
    assert_true(strlen(json_object_to_json_string(json)) < RESULT_LARGEST);
    json_object_put(json);
    arena_destroy(arena);
}

static void test_a_usual_result_is_left_alone(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Result result = {.lesson = "99-test"};
    result_bound(&result, arena);
    Finding *finding = result_add(&result, arena, FINDING_SHARED_RACE);
    finding->message = "two threads touch temp[3]";
    result_bound(&result, arena);
    assert_ptr_equal(result.last, finding);
    assert_string_equal(finding->message, "two threads touch temp[3]");
    struct json_object *json = result_to_json(&result);
    assert_int_equal(json_number(json, "findings_left_out", -1), -1);
    json_object_put(json);
    arena_destroy(arena);
}

/* A process that writes a result and so many blanks more, which JSON allows. */
static struct json_object *take_from_writer(size_t blanks) {
    static const Lesson lesson = {.name = "99-test"};
    static const char result[] = "{\"verdict\": \"pass\"}";
    const WorkerOrder order = {.lesson = &lesson};
    char spaces[1 << 16];
    int ends[2];
    memset(spaces, ' ', sizeof spaces);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        bool sent = write(ends[1], result, strlen(result)) == (ssize_t)strlen(result);
        for (size_t left = blanks; sent && left > 0;) {
            ssize_t part = write(ends[1], spaces, left < sizeof spaces ? left : sizeof spaces);
            sent = part > 0;
            left -= sent ? (size_t)part : 0;
        }
        _exit(sent ? 0 : 3);
    }
    close(ends[1]);
    return worker_take(&order, pid, ends[0]);
}

/* Neither believed in part, nor waited for. */
static void test_a_result_that_is_too_large_is_a_fault(void **state) {
    (void)state;
    struct json_object *json = take_from_writer(1 << 20);
    assert_string_equal(json_text(json, "verdict", ""), "pass");
    json_object_put(json);
    json = take_from_writer((size_t)RESULT_LARGEST + (1 << 20));
    assert_string_equal(json_text(json, "verdict", ""), "error");
    assert_string_equal(json_text(json, "problem", ""), "the check itself failed before it had a result");
    json_object_put(json);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_and_texts_are_bounded),
        cmocka_unit_test(test_a_usual_result_is_left_alone),
        cmocka_unit_test(test_a_result_that_is_too_large_is_a_fault),
    };
    return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
