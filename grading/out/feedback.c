/* feedback.c - the page that a student gets: points, cases, and what was found, in the words of `check`.
 *
 * Its class has one student, and results from which hidden_for_student took what students may not see.
 */
#include "autograder/screen/show.h"
#include "base/json.h"
#include "grading/out/out.h"
#include "grading/out/page.h"

#include <string.h>

static void add_points(Text *out, const Grade *grade) {
    if (class_is_decided(grade))
        page_number(out, grade->points);
    else
        text_add(out, "<td class=\"number\">-</td>");
    page_number(out, grade->max_points);
}

/* All lessons at a glance. */
static void add_overview(Text *out, const Class *class) {
    page_begin_table(out, {"lesson", NULL}, {"points", "number"}, {"of", "number"});
    for (size_t i = 0; i < class->lesson_count; i++) {
        escape_html(out, "<tr><td><a href=\"#lesson-%zu\">%s</a></td>", i + 1, class->lessons[i].name);
        add_points(out, class_grade(class, 0, i));
        text_add(out, "</tr>\n");
    }
    text_add(out, "<tr><th scope=\"row\">sum</th>");
    page_number(out, out_points(class));
    page_number(out, out_max_points(class));
    text_add(out, "</tr>\n");
    page_end_table(out);
}

/* Without its message where that stands elsewhere on the page. */
static void add_test(Text *out, const Test *test, bool message) {
    static const char *const states[] = {
        [TEST_PASSED] = "passed", [TEST_FAILED] = "failed", [TEST_NOT_RUN] = "not run"};
    static const char *const kinds[] = {
        [TEST_PASSED] = "passed", [TEST_FAILED] = "failed", [TEST_NOT_RUN] = "skipped"};
    escape_html(out, "<tr><td>%s", test->name);
    if (message && *test->message != '\0') page_element(out, "div", "words", test->message);
    text_format(out, "</td><td class=\"%s\">%s</td>", kinds[test->state], states[test->state]);
    page_number(out, test->points);
    page_number(out, test->max_points);
    text_add(out, "</tr>\n");
}

/* The last test is the one for having no mistakes: its message is the findings, which follow the table. */
static bool add_tests(Text *out, Arena *arena, const Grade *grade) {
    TestList list;
    if (!out_tests(&list, arena, grade)) return false;
    page_begin_table(out, {"what was tried", NULL}, {"verdict", NULL}, {"points", "number"},
                     {"of", "number"});
    for (size_t i = 0; i < list.count; i++)
        add_test(out, &list.items[i], i + 1 < list.count);
    page_end_table(out);
    return true;
}

/* What stands in the student's file there, as `check` shows it. Of a hidden case the numbers of the lines are
 * all that is told. */
static void add_lines(Text *out, struct json_object *finding, const char *source) {
    static const ShowStyle style = {.unicode = true};
    if (text_starts_with(json_text(finding, "case", ""), "hidden: ")) return;
    Text lines = text_new();
    show_finding_lines(finding, source, &style, &lines);
    /* Wider than a phone: it scrolls, by keyboard too. */
    if (lines.length > 0)
        escape_html(out,
                    "<pre class=\"lines\" tabindex=\"0\" role=\"group\" aria-label=\"Your lines\">%s</pre>\n",
                    lines.bytes);
    out->failed |= lines.failed;
    text_free(&lines);
}

/* A finding with the lines of the student's own file that it is about. */
static void add_finding(Text *out, struct json_object *finding, const char *source) {
    bool error = strcmp(json_text(finding, "severity", "note"), "error") == 0;
    long line = json_number(finding, "line", 0), other = json_number(finding, "other_line", 0);
    page_begin_finding(out, error);
    escape_html(out, "%s</span>", json_text(finding, "kind", ""));
    if (line > 0) text_format(out, ", line %ld", line);
    if (other > 0) text_format(out, " (and line %ld)", other);
    text_add(out, "</p>\n");
    page_element(out, "p", "words", json_text(finding, "message", ""));
    add_lines(out, finding, source);
    page_element(out, "p", "words", json_text(finding, "explanation", ""));
    text_add(out, "</div>\n");
}

static void add_findings(Text *out, struct json_object *result, const char *source) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = json_length(findings);
    if (count > 0) text_add(out, "<h3>What was found</h3>\n");
    for (size_t i = 0; i < count; i++)
        add_finding(out, json_object_array_get_idx(findings, i), source);
}

/* The findings beside the lines of the file that was judged, when there is a gradebook that has it. */
static bool add_judged(Text *out, const ExportJob *job, const Grade *grade) {
    Text source = text_new();
    bool fine = out_read_source(job, grade, &source) && add_tests(out, job->arena, grade);
    if (fine) add_findings(out, grade->result, source.bytes);
    text_free(&source);
    return fine;
}

/* A lesson of a student's page: remarks first, then what the judge found. */
static bool add_lesson(Text *out, const ExportJob *job, size_t lesson) {
    const Class *class = job->class;
    const Grade *grade = class_grade(class, 0, lesson);
    const char *title = class->lessons[lesson].title;
    escape_html(out, "<h2 id=\"lesson-%zu\">%s%s%s</h2>\n", lesson + 1, class->lessons[lesson].name,
                title != NULL ? ": " : "", title);
    Text remarks = text_new();
    out_add_remarks(&remarks, grade);
    if (remarks.length > 0) page_element(out, "p", "remark", remarks.bytes);
    bool fine = !remarks.failed;
    text_free(&remarks);
    if (grade->result == NULL) return fine;
    return add_judged(out, job, grade) && fine;
}

/* Files of no lesson: a student whose other files were fine would hear of them nowhere else. */
static void add_unplaced(Text *out, const ClassStudent *student) {
    Text words = text_new();
    if (student->unplaced_count == 0) return;
    out_add_unplaced(&words, student->unplaced, student->unplaced_count);
    page_element(out, "p", "remark", words.bytes);
    out->failed |= words.failed;
    text_free(&words);
}

/* A page for one student that needs no other file. A diagnostic that says what failed is enough; otherwise
 * the page counts as one that ran out of memory. */
bool export_feedback(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    const ClassStudent *student = &class->students[0];
    page_begin(out, class->title != NULL ? class->title : class->course);
    page_element(out, "p", "facts", student->name != NULL ? student->name : student->id);
    add_unplaced(out, student);
    add_overview(out, class);
    bool fine = true;
    int errors = job->diagnostics->errors;
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++)
        fine = add_lesson(out, job, lesson) && fine;
    page_end(out);
    if (!fine && job->diagnostics->errors == errors) out->failed = true;
    return fine && !out->failed;
}
