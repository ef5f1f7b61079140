/* test_run.c - pieces of a grading: the line of progress, names of tasks, jobs and results as files. */
#include "grading/run/meter.h"
#include "grading/run/task.h"

#include "autograder/check/result.h"
#include "autograder/sandbox/trust.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the line of progress ---- */

static void assert_line(size_t done, size_t all, double seconds, const char *wanted) {
    Text line;
    text_init(&line);
    meter_line(&line, done, all, seconds);
    assert_string_equal(line.bytes, wanted);
    text_free(&line);
}

static void progress_has_rate_and_time_left(void **state) {
    (void)state;
    assert_line(0, 300, 1, "[....................]  0 of 300");
    assert_line(150, 300, 30, "[##########..........]  150 of 300, 5.0 per second, 0:30 left");
    assert_line(10, 36010, 10, "[....................]  10 of 36,010, 1.0 per second, 10:00:00 left");
    assert_line(300, 300, 60, "[####################]  300 of 300, 5.0 per second, 0:00 left");
    assert_line(0, 0, 0, "[####################]  0 of 0");
}

/* ---- tasks ---- */

static Task task_of(const char *student, const char *hash, const char *revision, long seed) {
    Task task = {.key = {.student = student,
                         .lesson = "01-vector-add",
                         .hash = hash,
                         .revision = revision,
                         .versions = "v",
                         .seed = seed}};
    task_name(&task);
    return task;
}

static void a_task_is_named_after_all_but_the_seed(void **state) {
    (void)state;
    Task task = task_of("ann", "aa", "r", 1), same = task_of("ann", "aa", "r", 2),
         other = task_of("bob", "aa", "r", 1);
    Task shifted = task_of("ann", "a", "ar", 1);
    assert_int_equal(strlen(task.name), TASK_NAME - 1);
    assert_string_equal(task.name, same.name);
    assert_string_not_equal(task.name, other.name);
    assert_string_not_equal(task.name, shifted.name);
}

/* ---- files ---- */

typedef struct Place {
    char folder[64];
    Arena *arena;
    Diagnostics diagnostics;
} Place;

static int make_place(void **state) {
    Place *place = calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/test-run-XXXXXX");
    place->arena = arena_create();
    diag_init(&place->diagnostics, place->arena);
    *state = place;
    return mkdtemp(place->folder) != NULL ? 0 : -1;
}

static const char *in_place(const Place *place, const char *name) {
    return arena_format(place->arena, "%s/%s", place->folder, name);
}

static int leave_place(void **state) {
    Place *place = *state;
    const char *const names[] = {"a.job", "a.cu", "a.result"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_place(place, names[i]));
    int status = rmdir(place->folder);
    arena_destroy(place->arena);
    free(place);
    return status;
}

static void a_job_is_read_as_it_was_written(void **state) {
    Place *place = *state;
    const Job job = {
        .lesson = "01-vector-add", .shown = "ann/\"x\".cu", .seed = 281474976710655, .weak = true};
    Job read;
    assert_true(job_write(&job, place->folder, "a", "int x;", 6, &place->diagnostics));
    assert_true(job_read(&read, in_place(place, "a.job"), place->arena, &place->diagnostics));
    assert_string_equal(read.lesson, job.lesson);
    assert_string_equal(read.shown, job.shown);
    assert_string_equal(read.source, "a.cu");
    assert_true(read.seed == job.seed && read.weak);
}

static bool is_taken(const Place *place, const char *json) {
    const char *path = in_place(place, "a.result");
    assert_true(text_write_file(path, json, strlen(json)));
    struct json_object *result = job_read_result(path, "01-vector-add", 7);
    json_object_put(result);
    return result != NULL;
}

static void only_results_that_make_sense_are_taken(void **state) {
    const Place *place = *state;
    assert_null(job_read_result(in_place(place, "none.result"), "01-vector-add", 7));
#define RESULT(lesson, seed, verdict, score)                                                                 \
    "{\"lesson\": \"" lesson "\", \"seed\": " seed ", \"verdict\": \"" verdict "\", \"score\": " score       \
    ", \"max_score\": 10}"
    assert_true(is_taken(place, RESULT("01-vector-add", "7", "pass", "10")));
    assert_true(is_taken(place, RESULT("01-vector-add", "7", "error", "0")));
    assert_false(is_taken(place, RESULT("07-block-sum-dynamic", "7", "pass", "10")));
    assert_false(is_taken(place, RESULT("01-vector-add", "8", "pass", "10")));
    assert_false(is_taken(place, RESULT("01-vector-add", "7", "excellent", "10")));
    assert_false(is_taken(place, RESULT("01-vector-add", "7", "pass", "11")));
    assert_false(is_taken(place, RESULT("01-vector-add", "7", "fail", "-1")));
    assert_false(is_taken(place, "{\"lesson\": \"01-vector-add\", \"seed\": 7, \"verd"));
    assert_false(is_taken(place, ""));
    assert_false(is_taken(place, "[]"));
    /* Good, but for its size: what a reader takes ends somewhere. */
    char *large = arena_alloc(place->arena, RESULT_LARGEST + 2);
    memset(large, ' ', RESULT_LARGEST + 1);
    static const char good[] = RESULT("01-vector-add", "7", "pass", "10");
    memcpy(large, good, strlen(good));
    assert_false(is_taken(place, large));
    large[RESULT_LARGEST] = '\0';
    assert_true(is_taken(place, large));
}

static void a_spool_is_locked_private_and_gone_when_empty(void **state) {
    Place *place = *state;
    Spool spool, second;
    const char *folder = in_place(place, "jobs");
    assert_true(spool_open(&spool, place->arena, folder, "book.db", &place->diagnostics));
    assert_int_equal(place->diagnostics.errors, 0);
    assert_false(spool_open(&second, place->arena, folder, "book.db", &place->diagnostics));
    assert_non_null(strstr(place->diagnostics.first->message, "another grading"));
    assert_true(text_write_file(in_place(place, "jobs/left.result.XYZ"), "x", 1));
    spool_empty(&spool);
    spool_close(&spool);
    assert_int_equal(access(folder, F_OK), -1);
}

/* ---- what a result was made with ---- */

static void levels_are_compared_by_what_they_keep_apart(void **state) {
    (void)state;
    const TrustSet wanted = trust_layers("user+namespaces+seccomp+cgroup1+limits");
    assert_true(trust_is_as_good(wanted, wanted));
    assert_true(trust_is_as_good(trust_layers("user+namespaces+seccomp+cgroup2+limits"), wanted));
    assert_true(trust_is_as_good(trust_layers("user+namespaces+seccomp+limits"), wanted));
    assert_false(trust_is_as_good(trust_layers("user+namespaces+cgroup1+limits"), wanted));
    assert_false(trust_is_as_good(trust_layers("namespaces+seccomp+cgroup1+limits"), wanted));
    assert_true(trust_is_as_good(wanted, trust_layers("namespaces+limits")));
    assert_false(trust_is_as_good(trust_layers("limits"), trust_layers("limits")));
    assert_false(trust_is_as_good(trust_layers("none"), 0));
}

/* A whole and good result, from a machine that locks less in than this one: it is judged again. */
static void a_result_of_a_weaker_machine_is_not_taken(void **state) {
    Place *place = *state;
    const BookGrading grading = {.seed = 7, .sandbox = "namespaces+seccomp+limits"};
    TaskRoom room = {.grading = &grading, .diagnostics = &place->diagnostics};
    Task task = task_of("ann", "aa", "r", 7);
    static const char result[] = "{\"lesson\": \"01-vector-add\", \"seed\": 7, \"verdict\": \"pass\", "
                                 "\"score\": 1, \"max_score\": 1, \"sandbox\": \"namespaces+limits\"}";
    task.state = TASK_RUNNING;
    task.tries = 1;
    assert_true(spool_open(&room.spool, place->arena, in_place(place, "jobs"), "b", &place->diagnostics));
    SpoolPath path = spool_path(&room.spool, task.name, ".result");
    assert_true(text_write_file(path.bytes, result, strlen(result)));
    assert_true(task_collect(&room, &task, NULL));
    assert_int_equal(task.state, TASK_WAITING);
    assert_int_equal(access(path.bytes, F_OK), -1);
    spool_close(&room.spool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_has_rate_and_time_left),
        cmocka_unit_test(a_task_is_named_after_all_but_the_seed),
        cmocka_unit_test(levels_are_compared_by_what_they_keep_apart),
        cmocka_unit_test_setup_teardown(a_result_of_a_weaker_machine_is_not_taken, make_place, leave_place),
        cmocka_unit_test_setup_teardown(a_job_is_read_as_it_was_written, make_place, leave_place),
        cmocka_unit_test_setup_teardown(only_results_that_make_sense_are_taken, make_place, leave_place),
        cmocka_unit_test_setup_teardown(a_spool_is_locked_private_and_gone_when_empty, make_place,
                                        leave_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
