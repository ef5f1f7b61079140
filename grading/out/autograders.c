/* autograders.c - the results files of autograding services: Gradescope, PrairieLearn, Classroom 50, Autolab.
 *
 * Each service shows students a list of tests and takes a score. The score is what counts after the policy;
 * the tests keep the points as judged, and the remarks say what lies between.
 */
#include "grading/out/assignments.h"
#include "grading/out/out.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "07-block-sum-dynamic: two threads" where a file holds several lessons. */
static const char *full_name(const ExportJob *job, size_t lesson, const char *name) {
    if (job->class->lesson_count == 1) return name;
    const char *full = arena_format(job->arena, "%s: %s", job->class->lessons[lesson].name, name);
    if (full != NULL) return full;
    return name;
}

typedef struct json_object *TestWriter(const ExportJob *job, size_t lesson, size_t number, const Test *test);

/* The tests of all lessons as a JSON list; NULL without memory. */
static struct json_object *list_tests(const ExportJob *job, TestWriter *write) {
    struct json_object *all = json_object_new_array();
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        TestList tests;
        if (!out_tests(&tests, job->arena, &job->class->grades[i])) continue;
        for (size_t j = 0; j < tests.count; j++)
            json_object_array_add(all, write(job, i, j + 1, &tests.items[j]));
    }
    return all;
}

static void add_all_feedback(const ExportJob *job, Text *out) {
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        if (i > 0) text_add(out, "\n");
        out_add_feedback(out, job, i);
    }
}

static void put_feedback(const ExportJob *job, struct json_object *object, const char *key, size_t limit) {
    Text words = text_new();
    add_all_feedback(job, &words);
    json_put_visible(object, key, arena_cut(job->arena, words.bytes, limit));
    text_free(&words);
}

/* ---- Gradescope ---- */

enum { GRADESCOPE_OUTPUT = 100000 /* bytes of text that a page still shows well */ };

/* NOTE: with one test of visibility "hidden" students cannot see their total, so hidden cases are visible
 * tests here: their names and messages tell the concept alone. */
static struct json_object *gradescope_test(const ExportJob *job, size_t lesson, size_t number,
                                           const Test *test) {
    struct json_object *object = json_object_new_object(), *tags = json_object_new_array();
    const char *place = arena_format(job->arena, "%zu.%zu", lesson + 1, number);
    json_put_visible(object, "name", full_name(job, lesson, test->name));
    json_put_visible(object, "number", place);
    json_put_number(object, "score", test->points);
    json_put_number(object, "max_score", test->max_points);
    json_put_visible(object, "status", test->state == TEST_PASSED ? "passed" : "failed");
    json_put_visible(object, "output", arena_cut(job->arena, test->message, GRADESCOPE_OUTPUT));
    json_put_visible(object, "output_format", "text");
    json_put_visible(object, "visibility", "visible");
    if (test->hidden) json_object_array_add(tags, json_new_visible("hidden"));
    json_object_object_add(object, "tags", tags);
    return object;
}

static double seconds_of(const Class *class) {
    double seconds = 0;
    for (size_t i = 0; i < class->lesson_count; i++)
        seconds += json_real(class->grades[i].result, "seconds", 0);
    if (isfinite(seconds)) return seconds;
    return 0;
}

/* results.json of Gradescope. What the program printed stays hidden, as it may show what a hidden case asks.
 * */
bool export_gradescope(const ExportJob *job, Text *out) {
    if (!out_all_decided(job)) return false;
    struct json_object *object = json_object_new_object();
    out_put_number(object, "score", out_points(job->class));
    out_put_number(object, "execution_time", seconds_of(job->class));
    put_feedback(job, object, "output", GRADESCOPE_OUTPUT);
    json_put_visible(object, "output_format", "text");
    json_put_visible(object, "test_output_format", "text");
    json_put_visible(object, "test_name_format", "text");
    json_put_visible(object, "visibility", "visible");
    json_put_visible(object, "stdout_visibility", "hidden");
    json_object_object_add(object, "tests", list_tests(job, gradescope_test));
    out_document(out, object);
    return true;
}

/* ---- PrairieLearn ---- */

enum {
    PRAIRIELEARN_LIMIT = 1000000, /* of the whole file; it is refused past 1 MB */
    PRAIRIELEARN_OUTPUT = 100000,
    PRAIRIELEARN_LEAST = 100 /* a message is not worth cutting further */
};

static struct json_object *prairielearn_test(const ExportJob *job, size_t lesson, size_t number,
                                             const Test *test) {
    (void)number;
    struct json_object *object = json_object_new_object();
    json_put_visible(object, "name", full_name(job, lesson, test->name));
    json_put_number(object, "points", test->points);
    json_put_number(object, "max_points", test->max_points);
    json_put_visible(object, "message", test->message);
    return object;
}

static void shorten_messages(const ExportJob *job, struct json_object *tests, size_t limit) {
    for (size_t i = 0; i < json_object_array_length(tests); i++) {
        struct json_object *test = json_object_array_get_idx(tests, i);
        json_put_visible(test, "message", arena_cut(job->arena, json_text(test, "message", ""), limit));
    }
}

static double share(const Class *class) {
    double points = out_points(class), most = out_max_points(class);
    if (!(most > 0) || !(points > 0)) return 0;
    if (points < most) return points / most;
    return 1;
}

/* A file that could not be graded costs no attempt, and a fault of the grader gives no score. */
static const char *ungradable(const Class *class) {
    for (size_t i = 0; i < class->lesson_count; i++) {
        const Grade *grade = &class->grades[i];
        if (class_is_open(grade)) return "The grader could not decide; please tell your instructor.";
        if (grade->state == GRADE_HELD) return "The grade is not released yet.";
        if (grade->state == GRADE_REFUSED && !grade->overridden) return text_or(grade->refused, "refused");
    }
    return NULL;
}

static struct json_object *prairielearn_document(const ExportJob *job, size_t limit) {
    const char *problem = ungradable(job->class);
    struct json_object *object = json_object_new_object(), *tests = list_tests(job, prairielearn_test);
    json_put_flag(object, "gradable", problem == NULL);
    if (problem == NULL) out_put_number(object, "score", share(job->class));
    if (problem != NULL) json_put_visible(object, "format_errors", arena_cut(job->arena, problem, limit));
    put_feedback(job, object, "output", limit);
    shorten_messages(job, tests, limit);
    json_object_object_add(object, "tests", tests);
    return object;
}

/* Texts are cut shorter and shorter until the file is small enough; the points stay. */
bool export_prairielearn(const ExportJob *job, Text *out) {
    for (size_t limit = PRAIRIELEARN_OUTPUT;; limit /= 4) {
        text_clear(out);
        out_document(out, prairielearn_document(job, limit));
        if (out->length <= PRAIRIELEARN_LIMIT || out->failed) return true;
        if (limit > PRAIRIELEARN_LEAST) continue;
        text_clear(out);
        diag_add(job->diagnostics, DIAG_ERROR, NULL, 0, 0,
                 "PrairieLearn takes at most 1 MB, and these are too many tests for it");
        return false;
    }
}

/* ---- Classroom 50 ---- */

/* What the service stamps comes from its runner's environment; without it, for trying it out, the course's
 * own names. */
static void put_stamp(struct json_object *object, const char *key, const char *variable,
                      const char *otherwise) {
    const char *value = getenv(variable);
    if (value == NULL || *value == '\0') value = otherwise;
    if (value != NULL) json_put_visible(object, key, value);
}

static struct json_object *classroom50_test(const ExportJob *job, size_t lesson, size_t number,
                                            const Test *test) {
    (void)number;
    struct json_object *object = json_object_new_object();
    json_put_visible(object, "test-name", full_name(job, lesson, test->name));
    json_put_flag(object, "passed", test->state == TEST_PASSED);
    json_put_number(object, "score", test->points);
    json_put_number(object, "max-score", test->max_points);
    json_put_visible(object, "message", test->message);
    return object;
}

static void put_stamps(struct json_object *object, const Class *class) {
    put_stamp(object, "classroom", "CLASSROOM", class->course);
    put_stamp(object, "assignment", "ASSIGNMENT", class->lesson_count > 0 ? class->lessons[0].name : "");
    put_stamp(object, "assignment_type", "ASSIGNMENT_TYPE", "individual");
    put_stamp(object, "owner", "OWNER",
              getenv("USERNAME") != NULL ? getenv("USERNAME") : class->students[0].login);
    put_stamp(object, "submission", "SUBMISSION_TAG", NULL);
    put_stamp(object, "commit", "COMMIT_URL", NULL);
    put_stamp(object, "release", "RELEASE_URL", NULL);
    put_stamp(object, "review", "REVIEW_URL", NULL);
}

/* Scores are whole numbers there. */
bool export_classroom50(const ExportJob *job, Text *out) {
    if (!out_all_decided(job)) return false;
    struct json_object *object = json_object_new_object();
    Text when = text_new();
    out_time(&when, job->class->grades[0].handed_in);
    json_put_visible(object, "schema", "classroom50/result/v1");
    put_stamps(object, job->class);
    put_stamp(object, "datetime", "COMMIT_TIME", when.length > 0 ? when.bytes : NULL);
    json_put_number(object, "score", (int64_t)llround(out_points(job->class)));
    json_put_number(object, "max-score", (int64_t)llround(out_max_points(job->class)));
    json_object_object_add(object, "tests", list_tests(job, classroom50_test));
    text_free(&when);
    out_document(out, object);
    return true;
}

/* ---- Autolab ---- */

enum { AUTOLAB_HINT = 1000 };

static struct json_object *autolab_mark(bool passed, const char *hint) {
    struct json_object *mark = json_object_new_object();
    json_put_flag(mark, "passed", passed);
    if (*hint != '\0') json_put_visible(mark, "hint", hint);
    return mark;
}

/* Autolab's stage "Build" says whether the file compiles, and "Test" has a line for each test. */
static void autolab_lesson(const ExportJob *job, size_t lesson, struct json_object *build,
                           struct json_object *run) {
    const Grade *grade = &job->class->grades[lesson];
    TestList tests;
    json_object_object_add(build, job->class->lessons[lesson].name, autolab_mark(out_compiles(grade), ""));
    if (!out_tests(&tests, job->arena, grade)) return;
    for (size_t i = 0; i < tests.count; i++) {
        const Test *test = &tests.items[i];
        json_object_object_add(
            run, full_name(job, lesson, test->name),
            autolab_mark(test->state == TEST_PASSED, arena_cut(job->arena, test->message, AUTOLAB_HINT)));
    }
}

/* One line: Autolab reads lines. */
static void autolab_line(Text *out, struct json_object *object) {
    const char *line =
        json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (line == NULL) out->failed = true;
    text_format(out, "%s\n", text_or(line, ""));
    json_object_put(object);
}

/* The line with the stages that Autolab draws ("semantic" presentation). */
static void autolab_stages(const ExportJob *job, Text *out) {
    struct json_object *object = json_object_new_object(), *stages = json_object_new_array(),
                       *build = json_object_new_object(), *run = json_object_new_object();
    for (size_t i = 0; i < job->class->lesson_count; i++)
        autolab_lesson(job, i, build, run);
    json_object_array_add(stages, json_new_visible("Build"));
    json_object_array_add(stages, json_new_visible("Test"));
    json_put_visible(object, "_presentation", "semantic");
    json_object_object_add(object, "stages", stages);
    json_object_object_add(object, "Build", build);
    json_object_object_add(object, "Test", run);
    autolab_line(out, object);
}

/* The problems of the assessment must have the lessons' names. */
bool export_autolab(const ExportJob *job, Text *out) {
    if (!out_all_decided(job)) return false;
    struct json_object *object = json_object_new_object(), *scores = json_object_new_object(),
                       *board = json_object_new_array();
    autolab_stages(job, out);
    Class view;
    ExportJob seen;
    const bool fine = assignments_seen(&seen, &view, job, COLUMN_AUTOLAB);
    for (size_t i = 0; fine && i < view.lesson_count; i++) {
        const Grade *grade = &view.grades[i];
        out_put_number(scores, view.lessons[i].name, class_is_decided(grade) ? grade->points : 0);
    }
    Text sum = text_new();
    out_number(&sum, out_points(job->class));
    json_object_array_add(board, json_object_new_double_s(out_points(job->class), sum.bytes));
    text_free(&sum);
    json_object_object_add(object, "scores", scores);
    json_object_object_add(object, "scoreboard", board);
    autolab_line(out, object);
    return fine;
}
