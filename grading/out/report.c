/* report.c - the class report: how the points are spread, which cases failed and what was found in how many
 * programs, lesson by lesson, each kind of finding with an example that names nobody. For the course's staff.
 */
#include "autograder/check/result.h"
#include "base/json.h"
#include "grading/book/table.h"
#include "grading/out/glance.h"
#include "grading/out/out.h"
#include "grading/out/page.h"

#include <stdlib.h>
#include <string.h>

/* What there is to say of a lesson. */
typedef struct Summary {
    const Class *class;
    size_t lesson;
    size_t judged, open, nothing, refused;
    size_t tenths[TENTHS]; /* programs by glance_tenth */
    double seconds;
    TallyList cases, findings;
} Summary;

/* What one program adds: cases that it failed, and kinds of findings that it has. */
static void count_result(Summary *summary, const Grade *grade, size_t student) {
    JSON_EACH(entry, json_array(grade->result, "cases"))
        if (strcmp(json_text(entry, "verdict", ""), "pass") != 0)
            tally_add(&summary->cases, entry, json_text(entry, "name", ""), NULL, student);
    JSON_EACH(entry, json_array(grade->result, "findings"))
        tally_add(&summary->findings, entry, json_text(entry, "kind", ""), NULL, student);
    summary->seconds += json_real(grade->result, "seconds", 0);
}

/* Only decided grades have points; the others are counted by state. */
static void count_grade(Summary *summary, size_t student) {
    const Grade *grade = class_grade(summary->class, student, summary->lesson);
    summary->nothing += grade->state == GRADE_NOTHING;
    summary->refused += grade->state == GRADE_REFUSED;
    summary->open += grade->state == GRADE_FAULT || grade->state == GRADE_WAITING;
    if (grade->state != GRADE_DECIDED || grade->result == NULL) return;
    summary->judged++;
    summary->tenths[glance_tenth(grade)]++;
    count_result(summary, grade, student);
}

/* ---- on the page ---- */

/* With as many decimals as on the terminal, so that one lesson has one mean. */
static void add_number(Text *out, const char *before, double number, const char *after) {
    text_add(out, before);
    table_points(number, out);
    text_add(out, after);
}

/* The figures of a lesson; mean and median are those that `gradebook --lesson` shows. */
static void add_facts(Text *out, const Summary *summary) {
    text_add(out, "<p>");
    add_number(out, "", (double)summary->judged, " graded");
    add_number(out, ", ", (double)summary->nothing, " handed in nothing");
    if (summary->refused > 0) add_number(out, ", ", (double)summary->refused, " refused");
    if (summary->open > 0)
        add_number(out, ", <span class=\"failed\">", (double)summary->open, " to look at</span>");
    Text averages = text_new();
    if (table_averages(summary->class, summary->lesson, &averages)) text_format(out, "; %s", averages.bytes);
    text_free(&averages);
    if (summary->judged > 0) add_number(out, "; judging took ", summary->seconds, " seconds");
    text_add(out, ".</p>\n");
}

/* Programs by tenths of the score, the best first. */
static void add_distribution(Text *out, const Summary *summary) {
    page_element(out, "h3", NULL, "Points");
    page_begin_table(out, {"of the score", NULL}, {"programs", "number"}, {"", "share"});
    for (size_t i = TENTHS; i-- > 0;) {
        if (i == 10)
            text_add(out, "<tr><td>100 %</td>");
        else
            text_format(out, "<tr><td>%zu to %zu %%</td>", 10 * i, 10 * i + 9);
        page_number(out, (double)summary->tenths[i]);
        page_bar(out, summary->tenths[i], summary->judged);
        text_add(out, "</tr>\n");
    }
    page_end_table(out);
}

/* Cases by how many programs failed them. */
static void add_cases(Text *out, const Summary *summary) {
    const TallyList *list = &summary->cases;
    if (list->count == 0) return;
    page_element(out, "h3", NULL, "Cases that failed");
    page_begin_table(out, {"case", NULL}, {"programs", "number"}, {"", "share"});
    for (size_t i = 0; i < list->count; i++) {
        escape_html(out, "<tr><td>%s</td>", list->items[i].name);
        page_number(out, (double)list->items[i].programs);
        page_bar(out, list->items[i].programs, summary->judged);
        text_add(out, "</tr>\n");
    }
    page_end_table(out);
}

/* "shared-race in 12 of 30 programs", and one of them: its words name threads and lines, and no person. */
static void add_findings(Text *out, const Summary *summary) {
    const TallyList *list = &summary->findings;
    if (list->count > 0) text_add(out, "<h3>What was found</h3>\n");
    for (size_t i = 0; i < list->count; i++) {
        const Tally *common = &list->items[i];
        page_begin_finding(out, common->error);
        escape_add(out, ESCAPE_HTML, common->name);
        add_number(out, "</span> in ", (double)common->programs, " of ");
        add_number(out, "", (double)summary->judged, summary->judged == 1 ? " program" : " programs");
        text_add(out, common->error ? ", for example:</p>\n" : " (a note), for example:</p>\n");
        page_element(out, "p", "words", json_text(common->example, "message", ""));
        page_element(out, "p", "words", json_text(common->example, "explanation", ""));
        text_add(out, "</div>\n");
    }
}

/* Counts first, then sorts, then writes: nothing of a lesson is kept for the next one. */
static bool add_lesson(Text *out, Arena *arena, const Class *class, size_t lesson) {
    Summary summary = {
        .class = class, .lesson = lesson, .cases = {.arena = arena}, .findings = {.arena = arena}};
    for (size_t student = 0; student < class->student_count; student++)
        count_grade(&summary, student);
    tally_sort(&summary.cases);
    tally_sort(&summary.findings);
    page_element(out, "h2", NULL, class->lessons[lesson].name);
    add_facts(out, &summary);
    if (summary.judged == 0) return true;
    add_distribution(out, &summary);
    add_cases(out, &summary);
    add_findings(out, &summary);
    return !summary.cases.failed && !summary.findings.failed;
}

/* Here somebody has a name: only a person can say what was meant, and may have to ask. */
static void add_unplaced(Text *out, const Class *class) {
    bool begun = false;
    for (size_t i = 0; i < class->student_count; i++)
        for (size_t j = 0; j < class->students[i].unplaced_count; j++) {
            const ClassUnplaced *file = &class->students[i].unplaced[j];
            if (!begun) {
                text_add(out,
                         "<h2>Files of no lesson</h2>\n<p>They count for nothing, and their students have no "
                         "points for the lesson that was meant.</p>\n");
                page_begin_table(out, {"student", NULL}, {"file", NULL}, {"why", NULL});
            }
            begun = true;
            text_add(out, "<tr><td>");
            page_who(out, &class->students[i]);
            escape_html(out, "</td><td>%s</td><td>%s</td></tr>\n", file->path, file->refused);
        }
    if (begun) page_end_table(out);
}

/* The page of a class for those who teach it. */
bool export_report(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    bool fine = true;
    const int errors = job->diagnostics->errors;
    page_begin(out, class->title != NULL ? class->title : class->course);
    text_add(out, "<p class=\"facts\">");
    add_number(out, "", (double)class->student_count, class->student_count == 1 ? " student" : " students");
    if (class->graded_at != 0) text_add(out, ", graded ");
    out_time(out, class->graded_at);
    escape_html(out, ", sandbox: %s</p>\n", text_or(class->sandbox, "unknown"));
    fine = glance_add(out, job);
    add_unplaced(out, class);
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++)
        fine = add_lesson(out, job->arena, class, lesson) && fine;
    page_end(out);
    if (!fine && job->diagnostics->errors == errors) out->failed = true;
    return fine && !out->failed;
}
