/* glance.c - the class at a glance; see glance.h. */
#include "grading/out/glance.h"
#include "base/minmax.h"

#include "base/json.h"
#include "grading/book/handins.h"
#include "grading/book/table.h"
#include "grading/out/out.h"
#include "grading/out/page.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_TRIED = 2, SECONDS_AN_HOUR = 3600 };

/* A lesson in one row. */
typedef struct LessonFacts {
    size_t judged, passed;
    size_t tenths[TENTHS]; /* programs with 0 to 9 %, 10 to 19 %, ..., 100 % of the score */
    double *hours;         /* from the first file to the one that passed, of each who passed */
    double *files;         /* how many it took */
    size_t timed;
} LessonFacts;

static Tally *find_tally(TallyList *list, const char *name, const char *lesson) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0 && list->items[i].lesson == lesson) return &list->items[i];
    if (list->count == list->room) {
        Tally *more = ARENA_ARRAY(list->arena, 2 * list->room + 16, Tally);
        list->failed |= more == NULL;
        if (more == NULL) return NULL;
        if (list->count > 0) memcpy(more, list->items, list->count * sizeof *more);
        list->items = more;
        list->room = 2 * list->room + 16;
    }
    list->items[list->count] = (Tally){.name = name, .lesson = lesson};
    return &list->items[list->count++];
}

Tally *tally_add(TallyList *list, struct json_object *entry, const char *name, const char *lesson,
                 size_t program) {
    Tally *one = find_tally(list, name, lesson);
    if (one == NULL) return NULL;
    if (one->example == NULL) one->example = entry;
    one->error |= strcmp(json_text(entry, "severity", ""), "error") == 0;
    one->programs += one->last != program + 1;
    one->last = program + 1;
    return one;
}

static int compare_tallies(const void *a, const void *b) {
    const Tally *one = a, *other = b;
    if (one->error != other->error) return one->error ? -1 : 1;
    if (one->programs != other->programs) return one->programs < other->programs ? 1 : -1;
    return strcmp(one->name, other->name);
}

void tally_sort(TallyList *list) {
    if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_tallies);
}

/* ---- lessons ---- */

size_t glance_tenth(const Grade *grade) {
    int tenth = 0;
    if (grade->max_score > 0) tenth = 10 * grade->score / grade->max_score;
    if (tenth < 0 || tenth >= TENTHS) return 0;
    return (size_t)tenth;
}

static void count_points(LessonFacts *facts, const Class *class, size_t lesson) {
    for (size_t i = 0; i < class->student_count; i++) {
        const Grade *grade = class_grade(class, i, lesson);
        if (grade->state != GRADE_DECIDED || grade->result == NULL) continue;
        facts->judged++;
        facts->passed += strcmp(json_text(grade->result, "verdict", ""), "pass") == 0;
        facts->tenths[glance_tenth(grade)]++;
    }
}

/* A student's files of a lesson, from the first to the first that passed, with the times at which each was
 * there first. Without a time that is known, only their number counts. */
static void time_group(LessonFacts *facts, const HandIn *group, size_t count) {
    double files = 0, hours = -1;
    for (size_t i = 0; i < count; i++) {
        const HandIn *since = handins_since(group, i, false);
        if (group[i].file.hash == NULL || since != &group[i]) continue;
        files++;
        bool passed = false;
        for (size_t j = i; j < count; j++)
            passed = passed || (group[j].passed && group[j].file.hash != NULL &&
                                strcmp(group[j].file.hash, group[i].file.hash) == 0);
        if (!passed) continue;
        if (group[0].file.time > 0 && group[i].file.time >= group[0].file.time)
            hours = (double)(group[i].file.time - group[0].file.time) / (double)SECONDS_AN_HOUR;
        facts->files[facts->timed] = files;
        facts->hours[facts->timed++] = MAX(0, hours);
        return;
    }
}

static bool time_lessons(LessonFacts *facts, const ExportJob *job) {
    const Class *class = job->class;
    const HandInsWanted all = {NULL, NULL, 0};
    HandInList rows;
    if (job->book == NULL) return true;
    if (!handins_read(job->book, job->arena, &all, &rows, job->diagnostics)) return false;
    for (size_t first = 0, count; first < rows.count; first += count) {
        count = handins_group(&rows, first);
        for (size_t i = 0; i < class->lesson_count; i++)
            if (strcmp(class->lessons[i].name, rows.items[first].file.lesson) == 0 &&
                facts[i].timed < class->student_count)
                time_group(&facts[i], &rows.items[first], count);
    }
    return true;
}

static int compare_numbers(const void *a, const void *b) {
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare_numbers);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* "40 minutes", "7 hours", "3 days" */
static void add_duration(Text *out, double hours) {
    const char *unit = "days";
    double number = hours / 24;
    if (hours < 48) {
        unit = "hours";
        number = hours;
    }
    if (hours < 2) {
        unit = "minutes";
        number = hours * 60;
    }
    text_format(out, "%.0f %s", number, unit);
}

/* Eleven small bars, the worst left; each is as high as its share of the largest. */
static void add_bars(Text *out, const LessonFacts *facts) {
    size_t most = 1;
    for (size_t i = 0; i < TENTHS; i++)
        if (facts->tenths[i] > most) most = facts->tenths[i];
    text_add(out, "<td class=\"bars\"><span class=\"spark\" role=\"img\" aria-label=\"programs by tenths of "
                  "the score:");
    for (size_t i = 0; i < TENTHS; i++)
        text_format(out, " %zu", facts->tenths[i]);
    text_add(out, "\">");
    for (size_t i = 0; i < TENTHS; i++)
        text_format(out, "<span style=\"height: %zu%%\"></span>", 100 * facts->tenths[i] / most);
    text_add(out, "</span></td>");
}

static void add_lesson(Text *out, const ClassLesson *lesson, LessonFacts *facts) {
    escape_html(out, "<tr><td>%s</td>", lesson->name);
    page_number(out, (double)facts->judged);
    page_number(out, (double)facts->passed);
    add_bars(out, facts);
    text_add(out, "<td>");
    if (facts->timed > 0) {
        add_duration(out, median(facts->hours, facts->timed));
        text_add(out, ", ");
        const double files = median(facts->files, facts->timed);
        out_number(out, files);
        text_add(out, files > 1 ? " files" : " file");
    }
    text_add(out, "</td></tr>\n");
}

static bool add_lessons(Text *out, const ExportJob *job) {
    const Class *class = job->class;
    LessonFacts *facts = ARENA_ARRAY(job->arena, class->lesson_count + 1, LessonFacts);
    if (facts == NULL) return false;
    for (size_t i = 0; i < class->lesson_count; i++) {
        facts[i].hours = ARENA_ARRAY(job->arena, class->student_count + 1, double);
        facts[i].files = ARENA_ARRAY(job->arena, class->student_count + 1, double);
        if (facts[i].hours == NULL || facts[i].files == NULL) return false;
        count_points(&facts[i], class, i);
    }
    if (!time_lessons(facts, job)) return false;
    page_begin_table(out, {"lesson", NULL}, {"graded", "number"}, {"passed", "number"}, {"points", "bars"},
                     {"to pass", NULL});
    for (size_t i = 0; i < class->lesson_count; i++)
        add_lesson(out, &class->lessons[i], &facts[i]);
    page_end_table(out);
    page_element(
        out, "p", "facts",
        "Points: programs with 0 to 9 % of the score, 10 to 19 %, and so on up to 100 %. To pass: from "
        "the first file to the one that passed, the median of those who passed.");
    return true;
}

/* ---- cases and findings ---- */

/* A case that did not run, as of a program that does not compile, says nothing of the case. */
static void count_cases(TallyList *list, const Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        if (class->grades[i].state != GRADE_DECIDED) continue;
        JSON_EACH(entry, json_array(class->grades[i].result, "cases")) {
            const char *verdict = json_text(entry, "verdict", "");
            if (strcmp(verdict, "not-run") == 0) continue;
            Tally *one = tally_add(list, entry, json_text(entry, "name", ""),
                                   class->lessons[i % class->lesson_count].name, i);
            if (one != NULL) one->passed += strcmp(verdict, "pass") == 0;
        }
    }
}

static void add_impossible(Text *out, const TallyList *list) {
    bool begun = false;
    for (size_t i = 0; i < list->count; i++) {
        const Tally *one = &list->items[i];
        if (one->passed > 0 || one->programs < LEAST_TRIED) continue;
        if (!begun) {
            page_element(out, "h2", NULL, "Cases that nobody passes");
            page_begin_table(out, {"lesson", NULL}, {"case", NULL}, {"programs", "number"});
        }
        begun = true;
        escape_html(out, "<tr><td>%s</td><td class=\"failed\">%s</td>", one->lesson, one->name);
        page_number(out, (double)one->programs);
        text_add(out, "</tr>\n");
    }
    if (begun) page_end_table(out);
}

static void count_findings(TallyList *list, const Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        JSON_EACH(entry, json_array(class->grades[i].result, "findings"))
            tally_add(list, entry, json_text(entry, "kind", ""), NULL, i);
}

static void add_findings(Text *out, TallyList *list) {
    if (list->count == 0) return;
    tally_sort(list);
    size_t most = 1;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].programs > most) most = list->items[i].programs;
    page_element(out, "h2", NULL, "What was found");
    page_begin_table(out, {"kind", NULL}, {"programs", "number"}, {"", "share"});
    for (size_t i = 0; i < list->count; i++) {
        const Tally *one = &list->items[i];
        escape_html(out, one->error ? "<tr><td>%s</td>" : "<tr><td>%s (a note)</td>", one->name);
        page_number(out, (double)one->programs);
        page_bar(out, one->programs, most);
        text_add(out, "</tr>\n");
    }
    page_end_table(out);
}

/* ---- who has stopped ---- */

static bool is_there(const Grade *grade) {
    return grade->state != GRADE_NOTHING;
}

/* A lesson counts as begun when a third of the class has handed in something. */
static size_t find_begun(const Class *class, Arena *arena, size_t **begun) {
    size_t count = 0;
    *begun = ARENA_ARRAY(arena, class->lesson_count + 1, size_t);
    for (size_t i = 0; *begun != NULL && i < class->lesson_count; i++) {
        size_t there = 0;
        for (size_t j = 0; j < class->student_count; j++)
            there += is_there(class_grade(class, j, i));
        if (there > 0 && 3 * there >= class->student_count) (*begun)[count++] = i;
    }
    return count;
}

/* Somebody who handed in something, and nothing for the last two lessons that the class has begun. Who never
 * began is told by the table of grades. */
static bool has_stopped(const Class *class, size_t student, const size_t *begun, size_t count, size_t *last) {
    bool any = false;
    if (count < 3) return false;
    for (size_t i = 0; i < class->lesson_count; i++)
        if (class_grade(class, student, i)->path != NULL) {
            any = true;
            *last = i;
        }
    return any && !is_there(class_grade(class, student, begun[count - 1])) &&
           !is_there(class_grade(class, student, begun[count - 2])) && *last < begun[count - 2];
}

static bool add_stopped(Text *out, const ExportJob *job) {
    const Class *class = job->class;
    size_t *begun, shown = 0;
    const size_t count = find_begun(class, job->arena, &begun);
    for (size_t i = 0; begun != NULL && i < class->student_count; i++) {
        size_t last = 0;
        if (!has_stopped(class, i, begun, count, &last)) continue;
        if (shown++ == 0) {
            text_add(out,
                     "<h2>Who has stopped</h2>\n<p>They handed in something, and nothing for the last two "
                     "lessons that a third of the class has begun.</p>\n");
            page_begin_table(out, {"student", NULL}, {"last lesson", NULL}, {"handed in", NULL});
        }
        text_add(out, "<tr><td>");
        page_who(out, &class->students[i]);
        escape_html(out, "</td><td>%s</td><td>", class->lessons[last].name);
        if (class_grade(class, i, last)->handed_in != 0)
            table_time(class_grade(class, i, last)->handed_in, out);
        text_add(out, "</td></tr>\n");
    }
    if (shown > 0) page_end_table(out);
    return begun != NULL;
}

bool glance_add(Text *out, const ExportJob *job) {
    TallyList cases = {.arena = job->arena}, findings = cases;
    if (!add_lessons(out, job)) return false;
    count_cases(&cases, job->class);
    add_impossible(out, &cases);
    if (!add_stopped(out, job)) return false;
    count_findings(&findings, job->class);
    add_findings(out, &findings);
    return !cases.failed && !findings.failed;
}
