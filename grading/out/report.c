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

/* Something that happened to several programs: a case that failed, a kind of finding. */
typedef struct Common {
    const char *name, *severity; /* severity NULL: a case */
    struct json_object *example; /* the first finding of the kind; borrowed from a result */
    size_t programs;
    size_t last; /* the student who was counted last, from 1: several findings of one program count once */
} Common;

/* Cases or kinds of findings, with how many programs share each. */
typedef struct CommonList {
    Common *items;
    size_t count, room;
} CommonList;

static Common *common_get(CommonList *list, const char *name, const char *severity) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0 &&
            (severity == NULL || strcmp(list->items[i].severity, severity) == 0))
            return &list->items[i];
    if (list->count == list->room) return NULL;
    Common *added = &list->items[list->count++];
    *added = (Common){.name = name, .severity = severity};
    return added;
}

static void common_add(CommonList *list, const char *name, const char *severity, struct json_object *example,
                       size_t student) {
    Common *common = common_get(list, name, severity);
    if (common == NULL || common->last == student + 1) return;
    if (common->example == NULL) common->example = example;
    common->last = student + 1;
    common->programs++;
}

/* The most common first; of equals the one that came first by name. */
static int compare_common(const void *a, const void *b) {
    const Common *one = a, *other = b;
    if (one->programs != other->programs) return one->programs < other->programs ? 1 : -1;
    return strcmp(one->name, other->name);
}

/* What there is to say of a lesson. */
typedef struct Summary {
    const Class *class;
    size_t lesson;
    size_t judged, open, nothing, refused;
    size_t tenths[11]; /* programs with 0 to 9 %, 10 to 19 %, ..., 100 % of the score */
    double seconds;
    CommonList cases, findings;
} Summary;

/* Every case and finding of the class may be a new one, so that many rows are enough. */
static bool make_room(Summary *summary, Arena *arena) {
    size_t cases = 0, findings = 0;
    for (size_t i = 0; i < summary->class->student_count; i++) {
        struct json_object *result = class_grade(summary->class, i, summary->lesson)->result;
        cases += result != NULL ? json_length(json_array(result, "cases")) : 0;
        findings += result != NULL ? json_length(json_array(result, "findings")) : 0;
    }
    summary->cases = (CommonList){ARENA_ARRAY(arena, cases + 1, Common), 0, cases};
    summary->findings = (CommonList){ARENA_ARRAY(arena, findings + 1, Common), 0, findings};
    return summary->cases.items != NULL && summary->findings.items != NULL;
}

/* What one program adds: cases that it failed, and kinds of findings that it has. */
static void count_result(Summary *summary, const Grade *grade, size_t student) {
    struct json_object *cases = json_array(grade->result, "cases"),
                       *findings = json_array(grade->result, "findings");
    JSON_EACH(entry, cases)
        if (strcmp(json_text(entry, "verdict", ""), "pass") != 0)
            common_add(&summary->cases, json_text(entry, "name", ""), NULL, NULL, student);
    JSON_EACH(entry, findings) {
        common_add(&summary->findings, json_text(entry, "kind", ""), json_text(entry, "severity", "note"),
                   entry, student);
    }
    summary->seconds += json_real(grade->result, "seconds", 0);
}

/* Only decided grades have points; the others are counted by state. `tenths` has eleven places: 0 to 9 %, and
 * so on, and 100 % by itself. */
static void count_grade(Summary *summary, size_t student) {
    const Grade *grade = class_grade(summary->class, student, summary->lesson);
    summary->nothing += grade->state == GRADE_NOTHING;
    summary->refused += grade->state == GRADE_REFUSED;
    summary->open += grade->state == GRADE_FAULT || grade->state == GRADE_WAITING;
    if (grade->state != GRADE_DECIDED || grade->result == NULL) return;
    summary->judged++;
    int tenth = 0;
    if (grade->max_score > 0) tenth = 10 * grade->score / grade->max_score;
    summary->tenths[tenth < 0 || tenth > 10 ? 0 : tenth]++;
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
    text_add(out,
             "<h3>Points</h3>\n<table>\n<thead><tr><th scope=\"col\">of the score</th><th scope=\"col\" "
             "class=\"number\">programs</th><th scope=\"col\" class=\"share\"></th></tr></thead>\n<tbody>\n");
    for (size_t i = sizeof summary->tenths / sizeof *summary->tenths; i-- > 0;) {
        if (i == 10)
            text_add(out, "<tr><td>100 %</td>");
        else
            text_format(out, "<tr><td>%zu to %zu %%</td>", 10 * i, 10 * i + 9);
        page_number(out, (double)summary->tenths[i]);
        page_bar(out, summary->tenths[i], summary->judged);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n");
}

/* Cases by how many programs failed them. */
static void add_cases(Text *out, const Summary *summary) {
    const CommonList *list = &summary->cases;
    if (list->count == 0) return;
    text_add(out,
             "<h3>Cases that failed</h3>\n<table>\n<thead><tr><th scope=\"col\">case</th><th scope=\"col\" "
             "class=\"number\">programs</th><th scope=\"col\" class=\"share\"></th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < list->count; i++) {
        text_add(out, "<tr><td>");
        page_text(out, list->items[i].name);
        text_add(out, "</td>");
        page_number(out, (double)list->items[i].programs);
        page_bar(out, list->items[i].programs, summary->judged);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</tbody>\n</table>\n");
}

/* "shared-race in 12 of 30 programs", and one of them: its words name threads and lines, and no person. */
static void add_findings(Text *out, const Summary *summary) {
    const CommonList *list = &summary->findings;
    if (list->count > 0) text_add(out, "<h3>What was found</h3>\n");
    for (size_t i = 0; i < list->count; i++) {
        const Common *common = &list->items[i];
        bool error = strcmp(common->severity, "error") == 0;
        page_begin_finding(out, error);
        page_text(out, common->name);
        add_number(out, "</span> in ", (double)common->programs, " of ");
        add_number(out, "", (double)summary->judged, summary->judged == 1 ? " program" : " programs");
        text_add(out, error ? ", for example:</p>\n" : " (a note), for example:</p>\n");
        page_element(out, "p", "words", json_text(common->example, "message", ""));
        page_element(out, "p", "words", json_text(common->example, "explanation", ""));
        text_add(out, "</div>\n");
    }
}

/* Counts first, then sorts, then writes: nothing of a lesson is kept for the next one. */
static bool add_lesson(Text *out, Arena *arena, const Class *class, size_t lesson) {
    Summary summary = {.class = class, .lesson = lesson};
    if (!make_room(&summary, arena)) return false;
    for (size_t student = 0; student < class->student_count; student++)
        count_grade(&summary, student);
    qsort(summary.cases.items, summary.cases.count, sizeof(Common), compare_common);
    qsort(summary.findings.items, summary.findings.count, sizeof(Common), compare_common);
    text_add(out, "<h2>");
    page_text(out, class->lessons[lesson].name);
    text_add(out, "</h2>\n");
    add_facts(out, &summary);
    if (summary.judged == 0) return true;
    add_distribution(out, &summary);
    add_cases(out, &summary);
    add_findings(out, &summary);
    return true;
}

/* Here somebody has a name: only a person can say what was meant, and may have to ask. */
static void add_unplaced(Text *out, const Class *class) {
    bool begun = false;
    for (size_t i = 0; i < class->student_count; i++)
        for (size_t j = 0; j < class->students[i].unplaced_count; j++) {
            const ClassUnplaced *file = &class->students[i].unplaced[j];
            if (!begun)
                text_add(out,
                         "<h2>Files of no lesson</h2>\n<p>They count for nothing, and their students have no "
                         "points for the lesson that was meant.</p>\n<table>\n<thead><tr><th "
                         "scope=\"col\">student</th><th scope=\"col\">file</th><th scope=\"col\">why"
                         "</th></tr></thead>\n<tbody>\n");
            begun = true;
            text_add(out, "<tr><td>");
            page_who(out, &class->students[i]);
            text_add(out, "</td><td>");
            page_text(out, file->path);
            text_add(out, "</td><td>");
            page_text(out, file->refused);
            text_add(out, "</td></tr>\n");
        }
    if (begun) text_add(out, "</tbody>\n</table>\n");
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
    text_add(out, ", sandbox: ");
    page_text(out, text_or(class->sandbox, "unknown"));
    text_add(out, "</p>\n");
    fine = glance_add(out, job);
    add_unplaced(out, class);
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++)
        fine = add_lesson(out, job->arena, class, lesson) && fine;
    page_end(out);
    if (!fine && job->diagnostics->errors == errors) out->failed = true;
    return fine && !out->failed;
}
