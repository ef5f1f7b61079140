/* leaderboard.c - the best budgets of a class, lesson by lesson: programs that pass, of students who asked to
 * stand there, under the names that they chose. Grades that are not released are not in its class. */
#include "base/json.h"
#include "grading/book/volunteers.h"
#include "grading/out/out.h"
#include "grading/out/page.h"

#include <stdlib.h>
#include <string.h>

/* A line of a budget in somebody's program. */
typedef struct Entry {
    const char *name;
    double measured;
    int64_t handed_in;
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *one = a, *other = b;
    if (one->measured < other->measured || one->measured > other->measured)
        return one->measured < other->measured ? -1 : 1;
    return (one->handed_in > other->handed_in) - (one->handed_in < other->handed_in);
}

/* The line of that title, when it was measured; NULL. */
static struct json_object *find_line(struct json_object *result, const char *title) {
    struct json_object *budget = json_array(result, "budget"), *measured;
    JSON_EACH(line, budget) {
        if (strcmp(json_text(line, "title", ""), title) == 0 &&
            json_object_object_get_ex(line, "measured", &measured))
            return line;
    }
    return NULL;
}

static bool takes_part(const Class *class, size_t student, size_t lesson) {
    const Grade *grade = class_grade(class, student, lesson);
    return grade->state == GRADE_DECIDED && grade->result != NULL &&
           strcmp(json_text(grade->result, "verdict", ""), "pass") == 0 &&
           volunteers_name(class, &class->students[student]) != NULL;
}

static void add_entries(Text *out, const char *title, const Entry *entries, size_t count) {
    page_element(out, "h3", NULL, title);
    page_begin_table(out, {"rank", NULL}, {"who", NULL}, {"measured", "number"});
    size_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || entries[i].measured > entries[i - 1].measured) rank = i + 1;
        escape_html(out, "<tr><td>%zu</td><td>%s</td>", rank, entries[i].name);
        page_number(out, entries[i].measured);
        text_add(out, "</tr>\n");
    }
    page_end_table(out);
}

/* One line of the budget: whoever needs least stands first, of equals who was there first. */
static void add_line(Text *out, Arena *arena, const Class *class, size_t lesson, const char *title) {
    Entry *entries = ARENA_ARRAY(arena, class->student_count + 1, Entry);
    size_t count = 0;
    for (size_t i = 0; entries != NULL && i < class->student_count; i++) {
        if (!takes_part(class, i, lesson)) continue;
        const Grade *grade = class_grade(class, i, lesson);
        struct json_object *line = find_line(grade->result, title);
        if (line == NULL) continue;
        entries[count++] = (Entry){volunteers_name(class, &class->students[i]),
                                   json_real(line, "measured", 0), grade->handed_in};
    }
    if (entries == NULL) out->failed = true;
    if (count == 0) return;
    qsort(entries, count, sizeof *entries, compare_entries);
    add_entries(out, title, entries, count);
}

/* The titles are those of the first program that takes part: a lesson has one budget for all. */
static void add_lesson(Text *out, Arena *arena, const Class *class, size_t lesson, bool *begun) {
    size_t student = 0;
    while (student < class->student_count && !takes_part(class, student, lesson))
        student++;
    if (student == class->student_count) return;
    struct json_object *budget = json_array(class_grade(class, student, lesson)->result, "budget");
    if (json_length(budget) == 0) return;
    *begun = true;
    page_element(out, "h2", NULL, class->lessons[lesson].name);
    JSON_EACH(entry, budget)
        add_line(out, arena, class, lesson, json_text(entry, "title", ""));
}

bool export_leaderboard(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    bool begun = false;
    volunteers_check(class, class->rules, job->diagnostics);
    page_begin(out, class->title != NULL ? class->title : class->course);
    page_element(
        out, "p", "facts",
        "The least that programs of volunteers needed, of those that pass. To stand here, or no longer, "
        "ask your teacher.");
    for (size_t i = 0; i < class->lesson_count; i++)
        add_lesson(out, job->arena, class, i, &begun);
    if (!begun) page_element(out, "p", NULL, "Nobody stands here yet.");
    page_end(out);
    return !out->failed;
}
