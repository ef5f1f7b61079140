/* ci.c - what CI systems and people read: JUnit XML, GitHub annotations, Markdown, plain text. */
#include "base/escape.h"
#include "grading/out/out.h"

#include "base/json.h"

#include <string.h>

/* ---- JUnit XML ---- */

#define add_xml(out, ...) escape_format((out), ESCAPE_XML, __VA_ARGS__)

/* The counts that stand in the head of a suite. */
typedef struct JunitCounts {
    size_t tests, failures, errors, skipped;
} JunitCounts;

static JunitCounts count_tests(const TestList *tests, const Grade *grade) {
    JunitCounts counts = {.tests = tests->count, .errors = class_is_open(grade) ? tests->count : 0};
    if (counts.errors > 0) return counts;
    for (size_t i = 0; i < tests->count; i++) {
        counts.failures += tests->items[i].state == TEST_FAILED;
        counts.skipped += tests->items[i].state == TEST_NOT_RUN;
    }
    return counts;
}

static void add_counts(Text *out, const JunitCounts *counts, double seconds) {
    text_format(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"", counts->tests,
                counts->failures, counts->errors, counts->skipped);
    out_number(out, seconds);
    text_add(out, "\"");
}

/* The first line as the attribute, everything as the element's text. */
static void junit_problem(Text *out, Arena *arena, const char *element, const Test *test) {
    const char *first = arena_copy(arena, test->message, strcspn(test->message, "\n"));
    if (strcmp(element, "skipped") == 0)
        add_xml(out, "      <skipped message=\"%s\"/>\n", first);
    else
        add_xml(out, "      <%s message=\"%s\" type=\"%s\">%s</%s>\n", element, first,
                test->hidden ? "hidden case" : "case", test->message, element);
}

/* GitLab shows the class name as the suite and drops a second case with the same names, which unique test
 * names rule out. */
static void junit_case(Text *out, const ExportJob *job, size_t lesson, const Test *test) {
    add_xml(out, "    <testcase name=\"%s\" classname=\"%s\"", test->name, job->class->lessons[lesson].name);
    text_add(out, test->state == TEST_PASSED ? "/>\n" : ">\n");
    if (test->state == TEST_PASSED) return;
    const char *element = "failure";
    if (test->state == TEST_NOT_RUN) element = "skipped";
    junit_problem(out, job->arena, class_is_open(&job->class->grades[lesson]) ? "error" : element, test);
    text_add(out, "    </testcase>\n");
}

/* A lesson is a suite, and its counts stand before its cases, which is why the cases are known first. */
static void junit_suite(Text *out, const ExportJob *job, size_t lesson, JunitCounts *all) {
    const Grade *grade = &job->class->grades[lesson];
    TestList tests;
    if (!out_tests(&tests, job->arena, grade)) out->failed = true;
    JunitCounts counts = count_tests(&tests, grade);
    add_xml(out, "  <testsuite name=\"%s\"", job->class->lessons[lesson].name);
    add_counts(out, &counts, json_real(grade->result, "seconds", 0));
    if (grade->handed_in > 0) {
        text_add(out, " timestamp=\"");
        out_time(out, grade->handed_in);
        text_add(out, "\"");
    }
    text_add(out, ">\n");
    for (size_t i = 0; i < tests.count; i++)
        junit_case(out, job, lesson, &tests.items[i]);
    text_add(out, "  </testsuite>\n");
    all->tests += counts.tests;
    all->failures += counts.failures;
    all->errors += counts.errors;
    all->skipped += counts.skipped;
}

/* JUnit's XML as CI systems read it. */
bool export_junit(const ExportJob *job, Text *out) {
    JunitCounts all = {0};
    double seconds = 0;
    Text suites = text_new();
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        junit_suite(&suites, job, i, &all);
        seconds += json_real(job->class->grades[i].result, "seconds", 0);
    }
    add_xml(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"%s\"", job->class->title);
    add_counts(out, &all, seconds);
    text_add(out, ">\n");
    text_append(out, suites.bytes, suites.length);
    text_add(out, "</testsuites>\n");
    out->failed |= suites.failed;
    text_free(&suites);
    return true;
}

/* ---- GitHub ---- */

enum { GITHUB_MOST = 10 /* annotations of a kind that a step may make */ };

#define add_property(out, ...) escape_format((out), ESCAPE_GITHUB_PROPERTY, __VA_ARGS__)

static void github_place(Text *out, const ExportJob *job, struct json_object *finding) {
    const char *file = out_member(job->arena, finding, "file");
    long line = json_number(finding, "line", 0);
    if (*file == '\0') return;
    add_property(out, "file=%s,", file);
    if (line > 0) text_format(out, "line=%ld,endLine=%ld,", line, line);
}

/* A workflow command: one line, in which everything is escaped that would end it. */
static void github_finding(Text *out, const ExportJob *job, struct json_object *finding,
                           const char *command) {
    text_format(out, "::%s ", command);
    github_place(out, job, finding);
    add_property(out, "title=%s::", out_member(job->arena, finding, "kind"));
    escape_add(out, ESCAPE_GITHUB_DATA, out_member(job->arena, finding, "message"));
    escape_add(out, ESCAPE_GITHUB_DATA, "\n");
    escape_add(out, ESCAPE_GITHUB_DATA, out_member(job->arena, finding, "explanation"));
    text_add(out, "\n");
}

/* GitHub shows a limited number of annotations of each kind for a step: `room` is how many are left. */
static void github_findings(Text *out, const ExportJob *job, const char *severity, const char *command,
                            size_t room) {
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        struct json_object *findings = json_array(job->class->grades[i].result, "findings");
        for (size_t j = 0; findings != NULL && room > 0 && j < json_object_array_length(findings); j++) {
            struct json_object *finding = json_object_array_get_idx(findings, j);
            if (strcmp(json_text(finding, "severity", ""), severity) != 0) continue;
            github_finding(out, job, finding, command);
            room--;
        }
    }
}

/* What was not judged is an error of its own, as there is no finding to show. */
static void github_undecided(Text *out, const ExportJob *job) {
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        const Grade *grade = &job->class->grades[i];
        if (grade->state == GRADE_DECIDED) continue;
        add_property(out, "::error title=%s::", job->class->lessons[i].name);
        Text words = text_new();
        out_add_remarks(&words, grade);
        escape_add(out, ESCAPE_GITHUB_DATA, words.bytes);
        text_free(&words);
        text_add(out, "\n");
    }
}

/* The two notices at the end are those that GitHub Classroom's graders made, which scripts of courses still
 * read. */
bool export_github(const ExportJob *job, Text *out) {
    github_undecided(out, job);
    github_findings(out, job, "error", "error", GITHUB_MOST);
    github_findings(out, job, "note", "notice", GITHUB_MOST - 2);
    text_add(out, "::notice title=Autograding complete::Points ");
    out_number(out, out_points(job->class));
    text_add(out, "/");
    out_number(out, out_max_points(job->class));
    text_add(out, "\n::notice title=Autograding report::{\"totalPoints\":");
    out_number(out, out_points(job->class));
    text_add(out, ",\"maxPoints\":");
    out_number(out, out_max_points(job->class));
    text_add(out, "}\n");
    return true;
}

/* ---- Markdown ---- */

static void markdown_row(Text *out, const Test *test) {
    static const char *const words[] = {
        [TEST_PASSED] = "passed", [TEST_FAILED] = "not yet", [TEST_NOT_RUN] = "not run"};
    escape_format(out, ESCAPE_MARKDOWN, "| %s | %s | %d/%d | %s |\n", test->name, words[test->state],
                  test->points, test->max_points, test->message);
}

/* A lesson's tests as a table, and below it what the tests do not say. */
static void markdown_lesson(Text *out, const ExportJob *job, size_t lesson) {
    const Grade *grade = &job->class->grades[lesson];
    TestList tests;
    if (!out_tests(&tests, job->arena, grade)) out->failed = true;
    escape_format(out, ESCAPE_MARKDOWN, "\n### %s\n\n| test | | points | |\n|---|---|---|---|\n",
                  job->class->lessons[lesson].name);
    for (size_t i = 0; i < tests.count; i++)
        markdown_row(out, &tests.items[i]);
    Text remarks = text_new();
    out_add_remarks(&remarks, grade);
    if (remarks.length > 0) escape_format(out, ESCAPE_MARKDOWN, "\n%s\n", remarks.bytes);
    text_free(&remarks);
}

bool export_markdown(const ExportJob *job, Text *out) {
    text_add(out, "## ");
    out_number(out, out_points(job->class));
    text_add(out, " of ");
    out_number(out, out_max_points(job->class));
    text_add(out, " points\n");
    for (size_t i = 0; i < job->class->lesson_count; i++)
        markdown_lesson(out, job, i);
    return true;
}

/* ---- text ---- */

/* Files of no lesson come first: all lessons may be fine without them. */
bool export_text(const ExportJob *job, Text *out) {
    const ClassStudent *student = &job->class->students[0];
    out_add_unplaced(out, student->unplaced, student->unplaced_count);
    if (student->unplaced_count > 0) text_add(out, "\n");
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        if (i > 0) text_add(out, "\n");
        out_add_feedback(out, job, i);
    }
    return true;
}
