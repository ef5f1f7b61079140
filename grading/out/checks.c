/* checks.c - results of one lesson in the style of a command-line checker, check50. */
#include "grading/out/out.h"

#include "autograder/commands/commands.h"
#include "base/json.h"

#include <string.h>

static struct json_object *check50_cause(const Test *test) {
    struct json_object *cause = json_object_new_object();
    bool skipped = test->state == TEST_NOT_RUN;
    json_put_visible(cause, "rationale",
                     skipped ? "can't check until a frown turns upside down" : test->message);
    json_object_object_add(cause, "help", NULL);
    return cause;
}

/* `passed` is null for a check that never ran. */
static struct json_object *check50_result(const ExportJob *job, size_t number, const Test *test) {
    struct json_object *object = json_object_new_object(), *data = json_object_new_object();
    bool skipped = test->state == TEST_NOT_RUN, passed = test->state == TEST_PASSED;
    json_put_visible(object, "name", arena_format(job->arena, "check_%zu", number));
    json_put_visible(object, "description", test->name);
    json_object_object_add(object, "passed", skipped ? NULL : json_object_new_boolean(passed));
    json_object_object_add(object, "log", json_object_new_array());
    json_object_object_add(object, "cause", passed ? NULL : check50_cause(test));
    json_put_number(data, "points", test->points);
    json_put_number(data, "max_points", test->max_points);
    json_object_object_add(object, "data", data);
    json_object_object_add(object, "dependency", NULL);
    return object;
}

static struct json_object *check50_error(const Grade *grade) {
    struct json_object *error = json_object_new_object();
    json_put_visible(error, "type", "Undecided");
    json_put_visible(error, "value", text_or(grade->fault, "this was not graded yet"));
    json_object_object_add(error, "traceback", json_object_new_array());
    json_object_object_add(error, "data", json_object_new_object());
    return error;
}

/* The JSON of check50: results, or an error where the grader could not decide, but never both. */
bool export_check50(const ExportJob *job, Text *out) {
    const Grade *grade = &job->class->grades[0];
    struct json_object *object = json_object_new_object(), *results = json_object_new_array();
    TestList tests;
    if (!out_tests(&tests, job->arena, grade)) out->failed = true;
    json_put_visible(object, "slug", arena_format(job->arena, "warpschool/%s", job->class->lessons[0].name));
    for (size_t i = 0; i < tests.count; i++)
        json_object_array_add(results, check50_result(job, i + 1, &tests.items[i]));
    if (!class_is_open(grade)) {
        json_object_object_add(object, "results", results);
    } else {
        json_object_put(results);
        json_object_object_add(object, "error", check50_error(grade));
    }
    json_put_visible(object, "version", WARPSCHOOL_VERSION);
    out_document(out, object);
    return true;
}
