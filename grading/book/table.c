/* table.c - the view of a class as text; see table.h. */
#include "grading/book/table.h"
#include "base/escape.h"
#include "base/minmax.h"

#include "grading/book/cell.h"
#include "grading/book/lesson_groups.h"
#include "grading/book/lost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMN = 9, WIDEST_ID = 28, WIDEST_NAME = 20, LEAST_COLUMNS = 3, SECONDS_A_DAY = 86400 };

/* ---- words and cells ---- */

void table_words(const char *words, Text *out) {
    size_t start = out->length;
    text_add_visible(out, words, strlen(words));
    for (size_t i = start; i < out->length; i++)
        if (out->bytes[i] == '\n' || out->bytes[i] == '\t') out->bytes[i] = ' ';
}

/* A cell: what of the text is shown in `width` columns, and blanks up to that. */
static void add_cell(const char *text, size_t width, Text *out) {
    Text clean = text_new();
    table_words(text, &clean);
    cell_add(out, clean.bytes, width);
    text_free(&clean);
}

void table_points(double points, Text *out) {
    char number[32];
    int length = snprintf(number, sizeof number, "%.3f", points);
    while (length > 0 && number[length - 1] == '0')
        length--;
    if (length > 0 && number[length - 1] == '.') length--;
    text_append(out, number, (size_t)length);
}

void table_time(int64_t time, Text *out) {
    char words[40];
    time_t seconds = (time_t)time;
    struct tm at;
    if (gmtime_r(&seconds, &at) != NULL && strftime(words, sizeof words, "%Y-%m-%d %H:%M UTC", &at) > 0)
        text_add(out, words);
}

static void add_count(Text *out, size_t count, const char *one, const char *many) {
    text_number(out, count);
    text_format(out, " %s", count == 1 ? one : many);
}

/* ---- the class ---- */

/* What a cell says when there are no points to show, and what its sign means. */
static const struct {
    const char *sign, *meaning;
} signs[] = {
    [GRADE_NOTHING] = {"-", "nothing was handed in"},
    [GRADE_DECIDED] = {NULL, NULL},
    [GRADE_REFUSED] = {"refused", "the file could not be graded, 0 points"},
    [GRADE_FAULT] = {"look!", "the grader failed, and a person must look"},
    [GRADE_WAITING] = {"waits", "not graded yet"},
    [GRADE_EXCUSED] = {"excused", "does not count for this student"},
    [GRADE_HELD] = {"held", "not released yet"},
};

/* Instead of "-": the lesson's file may be one that was refused. */
static const char unplaced_sign[] = "-?";

static bool is_unplaced(const Grade *grade) {
    return grade->unplaced_count > 0 && !grade->overridden;
}

/* In parentheses where it does not count. */
static void add_sign(const Grade *grade, Text *cell) {
    if (grade->dropped_from != NULL) text_add(cell, "(");
    if (grade->state == GRADE_DECIDED || grade->overridden)
        table_points(grade->points, cell);
    else
        text_add(cell, is_unplaced(grade) ? unplaced_sign : signs[grade->state].sign);
    if (grade->overridden) text_add(cell, "*");
    if (!grade->overridden && grade->late_penalty > 0) text_add(cell, "~");
    if (grade->dropped_from != NULL) text_add(cell, ")");
}

static void add_right(const char *text, Text *out) {
    text_format(out, "%*s", COLUMN, text);
}

static void add_points_right(double points, Text *out) {
    Text number = text_new();
    table_points(points, &number);
    add_right(number.bytes, out);
    text_free(&number);
}

static size_t id_width(const Class *class) {
    size_t width = strlen("student");
    for (size_t i = 0; i < class->student_count; i++)
        width = MAX(width, cell_width(class->students[i].id));
    return MIN(width, WIDEST_ID);
}

/* A name that says more than the id does. */
static const char *own_name(const ClassStudent *student) {
    const bool known = student->name != NULL && *student->name != '\0';
    if (known && strcmp(student->name, student->id) != 0) return student->name;
    return NULL;
}

/* Of the names beside the ids; 0 where there are none, or no room for some lessons beside them. */
static size_t name_width(const Class *class, size_t ids, unsigned room) {
    size_t width = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        const char *name = own_name(&class->students[i]);
        if (name != NULL) width = MAX(width, cell_width(name));
    }
    if (width > 0) width = MAX(width, strlen("name"));
    if (width > WIDEST_NAME) width = WIDEST_NAME;
    if (width > 0 && ids + 1 + width + LEAST_COLUMNS * COLUMN <= room) return width;
    return 0;
}

void table_who(const ClassStudent *student, Text *out) {
    table_words(student->id, out);
    if (own_name(student) == NULL) return;
    text_add(out, " (");
    table_words(own_name(student), out);
    text_add(out, ")");
}

/* Some of the lessons' columns; after the last ones the sum of all. */
typedef struct Columns {
    const Class *class;
    size_t first, end, ids, names; /* names: 0 where there are none */
} Columns;

/* Who a line is about, or what it is. */
static void add_line_head(const Columns *columns, const char *id, const char *name, Text *out) {
    add_cell(id, columns->ids, out);
    if (columns->names == 0) return;
    text_add(out, " ");
    add_cell(text_or(name, ""), columns->names, out);
}

static void add_head(const Columns *columns, Text *out) {
    const Class *class = columns->class;
    add_line_head(columns, "student", "name", out);
    for (size_t lesson = columns->first; lesson < columns->end; lesson++)
        text_format(out, "%*.2s", COLUMN, class->lessons[lesson].name);
    if (columns->end == class->lesson_count) add_right("sum", out);
    text_add(out, "\n");
}

/* A student's line of the class, with the lessons that this part of the table has room for. */
static void add_row(const Columns *columns, size_t student, Text *out) {
    const Class *class = columns->class;
    add_line_head(columns, class->students[student].id, own_name(&class->students[student]), out);
    for (size_t lesson = columns->first; lesson < columns->end; lesson++) {
        Text cell = text_new();
        add_sign(class_grade(class, student, lesson), &cell);
        add_right(cell.bytes, out);
        text_free(&cell);
    }
    if (columns->end == class->lesson_count)
        add_points_right(lesson_groups_sum(class, student, NULL).points, out);
    text_add(out, "\n");
}

/* The last line: how many points there are for each lesson. */
static void add_most(const Columns *columns, Text *out) {
    const Class *class = columns->class;
    add_line_head(columns, "of", NULL, out);
    for (size_t lesson = columns->first; lesson < columns->end; lesson++)
        add_points_right(class->lessons[lesson].weight, out);
    if (columns->end == class->lesson_count) add_points_right(lesson_groups_most(class, NULL), out);
    text_add(out, "\n");
}

static void add_requests(const Class *class, Text *out) {
    size_t requests = 0;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        requests += class_request(&class->grades[i]) != NULL;
    if (requests == 0) return;
    text_add(out, "\n");
    add_count(out, requests, "request for another look waits", "requests for another look wait");
    text_add(out, ": warpschool request\n");
}

/* Only the signs that stand somewhere in the table. */
static void add_legend(const Class *class, Text *out) {
    bool seen[GRADE_STATES] = {false}, late = false, overridden = false, unplaced = false, dropped = false;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const Grade *grade = &class->grades[i];
        unplaced = unplaced || is_unplaced(grade);
        seen[grade->state] = seen[grade->state] || (!grade->overridden && !is_unplaced(grade));
        late = late || (!grade->overridden && grade->late_penalty > 0);
        overridden = overridden || grade->overridden;
        dropped = dropped || grade->dropped_from != NULL;
    }
    seen[GRADE_DECIDED] = false; /* has points and no sign */
    bool any = late || overridden || unplaced || dropped;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        any = any || seen[i];
    if (any) text_add(out, "\n");
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (seen[i]) text_format(out, "%-8s %s\n", signs[i].sign, signs[i].meaning);
    if (unplaced)
        text_format(out, "%-8s nothing under this name, but a file of no lesson: gradebook --student ID\n",
                    unplaced_sign);
    if (dropped) text_add(out, "( )      dropped: among the lowest of its group\n");
    if (late) text_add(out, "~        less a part for lateness\n");
    if (overridden) text_add(out, "*        changed by hand: warpschool gradebook --overrides\n");
    add_requests(class, out);
    if (class->anonymous) text_add(out, "\nStudents go by numbers until their grades are released.\n");
    if (class->removed_count == 0) return;
    text_add(out, "\n");
    add_count(out, class->removed_count, "student was", "students were");
    text_add(out, " removed: warpschool gradebook --history\n");
}

/* A table wider than the terminal is cut into parts below each other, each with all students. The sum stands
 * in the last one. */
void table_class(const Class *class, unsigned width, Text *out) {
    table_words(class->title, out);
    text_add(out, ": ");
    add_count(out, class->student_count, "student", "students");
    if (class->graded_at != 0) {
        text_add(out, ", graded ");
        table_time(class->graded_at, out);
    }
    text_add(out, "\n\n");
    Columns columns = {.class = class, .ids = id_width(class)};
    columns.names = name_width(class, columns.ids, width);
    const size_t heads = columns.ids + columns.names + (columns.names > 0);
    size_t room = 1;
    if (width > heads + 2 * COLUMN) room = (width - heads) / COLUMN - 1;
    do {
        columns.end = MIN(columns.first + room, class->lesson_count);
        add_head(&columns, out);
        for (size_t student = 0; student < class->student_count; student++)
            add_row(&columns, student, out);
        add_most(&columns, out);
        columns.first = columns.end;
        if (columns.first < class->lesson_count) text_add(out, "\n");
    } while (columns.first < class->lesson_count);
    add_legend(class, out);
}

/* ---- one grade in words ---- */

/* Another date than everybody's. */
static void add_extension(const Grade *grade, Text *out) {
    if (grade->extension_reason == NULL) return;
    text_add(out, "    due ");
    table_time(grade->due, out);
    text_add(out, " for this student: ");
    table_words(grade->extension_reason, out);
    text_add(out, "\n");
}

void table_late(int64_t seconds, Text *out) {
    const int64_t days = seconds / SECONDS_A_DAY, minutes = seconds % SECONDS_A_DAY / 60;
    if (days > 0) {
        add_count(out, (size_t)days, "day", "days");
        text_add(out, ", ");
    }
    text_format(out, "%d:%02d hours", (int)(minutes / 60), (int)(minutes % 60));
}

/* How late the file came, and what that costs. */
static void add_late(const Grade *grade, Text *out) {
    if (grade->late_seconds == 0) return;
    text_add(out, "    late by ");
    table_late(grade->late_seconds, out);
    text_add(out, ": ");
    table_points(100 * grade->late_penalty, out);
    text_add(out, " % less");
    if (grade->late_tokens > 0) text_add(out, ", for ");
    if (grade->late_tokens > 0) add_count(out, (size_t)grade->late_tokens, "late day", "late days");
    text_add(out, "\n");
}

static void add_said(const char *head, const char *words, Text *out) {
    if (words == NULL) return;
    text_format(out, "    %s", head);
    table_words(words, out);
    text_add(out, "\n");
}

static void add_summary(const Grade *grade, Text *out) {
    if (class_is_decided(grade)) {
        table_points(grade->points, out);
        text_add(out, " of ");
        table_points(grade->max_points, out);
        text_add(out, " points");
    } else {
        text_add(out, signs[grade->state].meaning);
    }
}

static void add_answer(const GradeRemark *remark, Text *out) {
    text_add(out, "    answered, by ");
    table_words(remark->author, out);
    text_add(out, ": ");
    table_words(remark->text, out);
    text_add(out, "\n");
}

/* Whose grade, and of which lesson. */
typedef struct GradeOf {
    const char *student, *lesson;
} GradeOf;

static void add_unanswered(const GradeOf *of, Text *out) {
    text_add(out, "    no answer yet; both runs: warpschool request ");
    escape_shell_word(out, of->student);
    text_format(out, " %s\n", of->lesson);
}

/* "style: -1, by eve: names say nothing", "comment, by eve: well done". */
static void add_remarks(const Grade *grade, const GradeOf *of, Text *out) {
    for (size_t i = 0; i < grade->remark_count; i++) {
        const GradeRemark *remark = &grade->remarks[i];
        if (remark->question != NULL) {
            add_said("asked for another look: ", remark->question, out);
            if (remark->text == NULL) add_unanswered(of, out);
            if (remark->text != NULL) add_answer(remark, out);
            continue;
        }
        text_add(out, "    ");
        if (remark->item != NULL) {
            table_words(remark->item, out);
            text_add(out, remark->points > 0 ? ": +" : ": ");
            table_points(remark->points, out);
        } else {
            text_add(out, "comment");
        }
        text_add(out, ", by ");
        table_words(remark->author, out);
        text_add(out, ": ");
        table_words(remark->text, out);
        text_add(out, "\n");
    }
}

/* Why a grade is what it is: everything that had a part in it. */
static void add_reasons(const Grade *grade, const GradeOf *of, Text *out) {
    if (grade->state == GRADE_DECIDED)
        text_format(out, "    judged: %d of %d\n", grade->score, grade->max_score);
    if (grade->state == GRADE_DECIDED && grade->result != NULL) lost_add(grade->result, "        ", out);
    add_extension(grade, out);
    add_late(grade, out);
    add_said("refused: ", grade->refused, out);
    add_said("the grader failed: ", grade->fault, out);
    add_said("what to do: ", grade->remedy, out);
    add_said("note: ", grade->note, out);
    add_said("dropped, as one of the lowest of the group ", grade->dropped_from, out);
    add_remarks(grade, of, out);
    if (grade->state == GRADE_EXCUSED) {
        add_said("excused, by ", grade->excuse_author, out);
        add_said("    because: ", grade->excuse_reason, out);
    }
    if (grade->overridden) {
        add_said("changed by hand, by ", grade->override_author, out);
        add_said("    because: ", grade->override_reason, out);
    }
}

/* Which file counts, when it came, and who says so. */
static void add_file(const Grade *grade, Text *out) {
    if (grade->path == NULL) return;
    text_add(out, "    ");
    table_words(grade->path, out);
    if (grade->handed_in != 0) {
        text_add(out, ", handed in ");
        table_time(grade->handed_in, out);
        if (grade->time_from != NULL) text_format(out, " (the %s's time)", grade->time_from);
    }
    if (grade->attempts > 1) text_format(out, ", one of %d files", grade->attempts);
    text_add(out, "\n");
}

/* ---- a student ---- */

static void add_person(const ClassStudent *student, Text *out) {
    const char *facts[] = {student->name, student->email, student->login, student->section};
    table_words(student->id, out);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (facts[i] == NULL) continue;
        text_add(out, ", ");
        table_words(facts[i], out);
    }
    text_add(out, "\n");
}

static void add_unplaced(const ClassStudent *student, Text *out) {
    if (student->unplaced_count > 0) text_add(out, "\nrefused, and of no lesson:\n");
    for (size_t i = 0; i < student->unplaced_count; i++) {
        text_add(out, "    ");
        table_words(student->unplaced[i].path, out);
        text_add(out, ": ");
        table_words(student->unplaced[i].refused, out);
        text_add(out, "\n");
        add_said("    what to do: ", student->unplaced[i].remedy, out);
    }
}

/* "late days: 2 of 3 are spent", in courses that have them. */
static void add_late_days(const Class *class, size_t student, Text *out) {
    long spent = 0;
    if (class->late_tokens == 0) return;
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++)
        spent += class_grade(class, student, lesson)->late_tokens;
    text_format(out, "late days: %ld of %ld are spent\n", spent, class->late_tokens);
}

static void add_sum(const char *name, GroupSum sum, Text *out) {
    table_words(name, out);
    text_add(out, ": ");
    table_points(sum.points, out);
    text_add(out, " of ");
    table_points(sum.most, out);
    text_add(out, " points\n");
}

/* All of one student's grades, each with its reasons. */
void table_student(const Class *class, size_t student, Text *out) {
    add_person(&class->students[student], out);
    add_unplaced(&class->students[student], out);
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++) {
        const Grade *grade = class_grade(class, student, lesson);
        text_format(out, "\n%s: ", class->lessons[lesson].name);
        add_summary(grade, out);
        text_add(out, "\n");
        add_file(grade, out);
        add_reasons(grade, &(GradeOf){class->students[student].id, class->lessons[lesson].name}, out);
    }
    text_add(out, "\n");
    for (size_t i = 0; i < class->group_count; i++)
        add_sum(class->groups[i].name, lesson_groups_sum(class, student, &class->groups[i]), out);
    add_sum("sum", lesson_groups_sum(class, student, NULL), out);
    add_late_days(class, student, out);
}

/* ---- a lesson ---- */

static int compare_points(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* A refused file has its zero and an override its points; who handed in nothing, or waits, is left out. The
 * median of an even number is the mean of the two in the middle. */
bool table_averages(const Class *class, size_t lesson, Text *out) {
    double *points = calloc(class->student_count + 1, sizeof *points), sum = 0;
    size_t count = 0;
    for (size_t student = 0; points != NULL && student < class->student_count; student++) {
        const Grade *grade = class_grade(class, student, lesson);
        if (!class_is_decided(grade)) continue;
        points[count++] = grade->points;
        sum += grade->points;
    }
    if (count > 0) {
        qsort(points, count, sizeof *points, compare_points);
        text_add(out, "mean ");
        table_points(sum / (double)count, out);
        text_add(out, ", median ");
        table_points((points[(count - 1) / 2] + points[count / 2]) / 2, out);
        text_add(out, " of ");
        table_points(class->lessons[lesson].weight, out);
        text_add(out, " points");
    }
    free(points);
    return count > 0;
}

/* How many grades are in which state; only states that there are. */
static void add_states(const Class *class, size_t lesson, Text *out) {
    size_t states[GRADE_STATES] = {0}, full = 0;
    for (size_t student = 0; student < class->student_count; student++) {
        const Grade *grade = class_grade(class, student, lesson);
        states[grade->state]++;
        full += grade->state == GRADE_DECIDED && grade->score == grade->max_score;
    }
    text_number(out, states[GRADE_DECIDED]);
    text_add(out, " graded, ");
    text_number(out, full);
    text_add(out, " with all points");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (states[i] == 0 || signs[i].sign == NULL) continue;
        text_format(out, "; %s: ", signs[i].meaning);
        text_number(out, states[i]);
    }
    text_add(out, "\n");
}

/* Whether students have the grades, in courses where that is an act. */
static void add_release(const ClassLesson *lesson, Text *out) {
    if (lesson->held) text_add(out, "not released: warpschool gradebook --release LESSON\n");
    if (lesson->released_by == NULL) return;
    text_add(out, "released ");
    table_time(lesson->released_at, out);
    text_add(out, ", by ");
    table_words(lesson->released_by, out);
    text_add(out, "\n");
}

/* All grades of one lesson, after the figures of all of them together. */
void table_lesson(const Class *class, size_t lesson, Text *out) {
    const ClassLesson *facts = &class->lessons[lesson];
    text_format(out, "%s, ", facts->name);
    table_words(text_or(facts->title, ""), out);
    if (facts->due != 0) {
        text_add(out, ", due ");
        table_time(facts->due, out);
    }
    text_add(out, "\n");
    add_release(facts, out);
    add_states(class, lesson, out);
    if (table_averages(class, lesson, out)) text_add(out, "\n");
    for (size_t student = 0; student < class->student_count; student++) {
        const Grade *grade = class_grade(class, student, lesson);
        text_add(out, "\n");
        table_who(&class->students[student], out);
        text_add(out, ": ");
        add_summary(grade, out);
        text_add(out, "\n");
        add_file(grade, out);
        add_reasons(grade, &(GradeOf){class->students[student].id, class->lessons[lesson].name}, out);
    }
}

bool table_is_open(const Grade *grade) {
    return class_is_open(grade);
}
