/* tests.c - a result as a list of tests; see out.h. */
#include "base/minmax.h"
#include "grading/out/out.h"

#include "autograder/check/result.h"
#include "base/json.h"

#include <string.h>

static TestState passed_if(bool passed) {
    if (passed) return TEST_PASSED;
    return TEST_FAILED;
}

/* Points are never fewer than none, whatever a person has taken off. */
static int at_least_none(int points) {
    return MAX(points, 0);
}

static bool is_taken(const TestList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return true;
    return false;
}

/* Systems drop the second test of a name, or add it to the first: twins get a number. */
static const char *unique_name(const TestList *list, Arena *arena, const char *name) {
    const char *tried = name;
    if (*tried == '\0') tried = "a test";
    for (unsigned twin = 2; tried != NULL && is_taken(list, tried); twin++)
        tried = arena_format(arena, "%s (%u)", name, twin);
    return tried;
}

static Test *add_test(TestList *list, Arena *arena, const char *name) {
    Test *test = &list->items[list->count];
    test->name = text_or(unique_name(list, arena, name), "");
    test->message = "";
    list->count++;
    return test;
}

static void add_case(TestList *list, Arena *arena, struct json_object *entry) {
    Test *test = add_test(list, arena, out_member(arena, entry, "name"));
    const char *verdict = json_text(entry, "verdict", "");
    test->state = passed_if(strcmp(verdict, "pass") == 0);
    if (strcmp(verdict, "not-run") == 0) test->state = TEST_NOT_RUN;
    test->points = (int)json_number(entry, "points", 0);
    test->max_points = (int)json_number(entry, "max_points", 0);
    test->hidden = json_flag(entry, "hidden", false);
    if (test->state != TEST_PASSED) test->message = out_member(arena, entry, "message");
}

/* A line of the budget that gives no points is a finding when it is not kept, and no test of its own. */
static void add_budget(TestList *list, Arena *arena, struct json_object *line) {
    int max_points = (int)json_number(line, "max_points", 0), points = (int)json_number(line, "points", 0);
    if (max_points <= 0) return;
    const char *title = arena_format(arena, "budget: %s", out_member(arena, line, "title"));
    if (title == NULL) title = "budget";
    Test *test = add_test(list, arena, title);
    test->points = points;
    test->max_points = max_points;
    struct json_object *number;
    bool shown = json_object_object_get_ex(line, "expected", &number); /* not of a hidden case */
    bool known = !shown || json_object_object_get_ex(line, "measured", &number);
    test->state = passed_if(points >= max_points);
    if (test->state == TEST_FAILED && !known) test->state = TEST_NOT_RUN;
    if (test->state == TEST_FAILED) test->message = out_member(arena, line, "why");
    if (test->state == TEST_NOT_RUN) test->message = "not measured, because the case is not right";
}

/* "shared-race, line 14: threads 96 and ..." with its explanation below. */
static void add_finding_words(Text *words, Arena *arena, struct json_object *finding) {
    long line = json_number(finding, "line", 0);
    const char *explanation = out_member(arena, finding, "explanation");
    if (words->length > 0) text_add(words, "\n");
    text_add(words, out_member(arena, finding, "kind"));
    if (line > 0) text_format(words, ", line %ld", line);
    text_format(words, ": %s\n", out_member(arena, finding, "message"));
    if (*explanation != '\0') text_format(words, "%s\n", explanation);
}

/* What stands behind a missing point for a clean file: the errors, one after the other. */
static const char *errors_in_words(struct json_object *result, Arena *arena) {
    Text words = text_new();
    JSON_EACH(finding, json_array(result, "findings"))
        if (strcmp(json_text(finding, "severity", ""), "error") == 0)
            add_finding_words(&words, arena, finding);
    const char *kept = arena_keep(arena, &words);
    return text_or(kept, "");
}

/* What is left of the score is for having no mistakes: the test that findings of severity error fail. */
static void add_clean(TestList *list, Arena *arena, const Grade *grade) {
    int points = grade->score, max_points = grade->max_score;
    for (size_t i = 0; i < list->count; i++) {
        points -= list->items[i].points;
        max_points -= list->items[i].max_points;
    }
    const char *errors = errors_in_words(grade->result, arena);
    if (max_points <= 0 && *errors == '\0') return;
    Test *test = add_test(list, arena, "no mistakes found");
    test->points = at_least_none(points);
    test->max_points = at_least_none(max_points);
    bool earned = test->points >= test->max_points;
    test->state = passed_if(*errors == '\0' && earned);
    test->message = errors;
    if (*errors == '\0' && !earned) test->message = "these points need right answers as well";
}

/* The only test of a grade without a result. */
static void add_unjudged(TestList *list, Arena *arena, const Grade *grade) {
    static const char *const names[] = {
        [GRADE_NOTHING] = "handed in", [GRADE_DECIDED] = "judged", [GRADE_REFUSED] = "can be graded",
        [GRADE_FAULT] = "judged",      [GRADE_WAITING] = "judged", [GRADE_EXCUSED] = "excused",
        [GRADE_HELD] = "released"};
    const char *name = names[grade->state];
    if (grade->overridden) name = "judged by a person";
    Test *test = add_test(list, arena, name);
    Text words = text_new();
    out_add_remarks(&words, grade);
    test->message = text_or(arena_copy(arena, words.bytes, words.length), "");
    text_free(&words);
    static const TestState states[] = {
        [GRADE_NOTHING] = TEST_FAILED, [GRADE_DECIDED] = TEST_FAILED,  [GRADE_REFUSED] = TEST_FAILED,
        [GRADE_FAULT] = TEST_NOT_RUN,  [GRADE_WAITING] = TEST_NOT_RUN, [GRADE_EXCUSED] = TEST_PASSED,
        [GRADE_HELD] = TEST_NOT_RUN};
    test->state = states[grade->state];
    if (grade->overridden) test->state = passed_if(grade->points >= grade->max_points);
    test->max_points = grade->max_score;
    if (grade->max_score <= 0) test->max_points = (int)grade->max_points;
    if (grade->state == GRADE_EXCUSED) test->max_points = 0;
}

/* A grade as a list of tests, which is what most systems know: cases, budget lines, one for having no
 * mistakes; or a single one where nothing was judged. */
bool out_tests(TestList *list, Arena *arena, const Grade *grade) {
    bool judged = grade->state == GRADE_DECIDED && grade->result != NULL;
    struct json_object *cases = NULL, *budget = NULL;
    if (judged) {
        cases = json_array(grade->result, "cases");
        budget = json_array(grade->result, "budget");
    }
    *list = (TestList){.items = ARENA_ARRAY(arena, json_length(cases) + json_length(budget) + 1, Test)};
    if (list->items == NULL) return false;
    JSON_EACH(entry, cases)
        add_case(list, arena, entry);
    JSON_EACH(entry, budget)
        add_budget(list, arena, entry);
    if (judged) add_clean(list, arena, grade);
    if (list->count == 0) add_unjudged(list, arena, grade);
    return true;
}
