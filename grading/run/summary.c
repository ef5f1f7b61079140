/* summary.c - the class as a table for a terminal; see summary.h. */
#include "grading/run/summary.h"

#include <stdio.h>
#include <string.h>

enum { CELL = 8, WIDEST_NAME = 28 };

/* Pads by characters, not by bytes. */
static void add_padded(Text *out, const char *text, size_t width) {
    Text clean;
    text_init(&clean);
    text_add_visible(&clean, text, strlen(text));
    size_t characters = 0, end = 0;
    for (; end < clean.length; end++) {
        bool begins = (clean.bytes[end] & 0xC0) != 0x80;
        if (begins && characters == width) break;
        characters += begins;
    }
    text_append(out, clean.bytes, end);
    for (; characters < width; characters++)
        text_add(out, " ");
    text_free(&clean);
}

static bool is_shown(const Class *class, size_t lesson) {
    for (size_t student = 0; student < class->student_count; student++)
        if (class_grade(class, student, lesson)->state != GRADE_NOTHING) return true;
    return false;
}

/* The score as judged; what there is no score for in a word. */
static void add_cell(Text *out, const Grade *grade) {
    char cell[32] = "-";
    if (grade->state == GRADE_DECIDED) snprintf(cell, sizeof cell, "%d/%d", grade->score, grade->max_score);
    if (grade->state == GRADE_REFUSED) strcpy(cell, "refused");
    if (grade->state == GRADE_FAULT) strcpy(cell, "look!");
    if (grade->state == GRADE_WAITING) strcpy(cell, "waits");
    text_format(out, "%*s", CELL, cell);
}

static size_t name_width(const Class *class) {
    size_t width = strlen("student");
    for (size_t i = 0; i < class->student_count; i++)
        if (strlen(class->students[i].id) > width) width = strlen(class->students[i].id);
    return width < WIDEST_NAME ? width : WIDEST_NAME;
}

static void add_row(Text *out, const Class *class, size_t student, size_t width) {
    double points = 0, most = 0;
    add_padded(out, class->students[student].id, width);
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++) {
        const Grade *grade = class_grade(class, student, lesson);
        points += grade->points;
        most += grade->max_points;
        if (is_shown(class, lesson)) add_cell(out, grade);
    }
    text_format(out, "  %7.6g of %.6g\n", points, most);
}

void summary_table(const Class *class, Text *out) {
    size_t width = name_width(class);
    add_padded(out, "student", width);
    for (size_t lesson = 0; lesson < class->lesson_count; lesson++)
        if (is_shown(class, lesson)) text_format(out, "%*.2s", CELL, class->lessons[lesson].name);
    text_add(out, "   points\n");
    for (size_t student = 0; student < class->student_count; student++)
        add_row(out, class, student, width);
}

void summary_faults(const Class *class, Text *out) {
    for (size_t student = 0; student < class->student_count; student++)
        for (size_t lesson = 0; lesson < class->lesson_count; lesson++) {
            const Grade *grade = class_grade(class, student, lesson);
            if (grade->state != GRADE_FAULT) continue;
            const char *id = class->students[student].id, *why = grade->fault != NULL ? grade->fault : "";
            text_add(out, "look at ");
            text_add_visible(out, id, strlen(id));
            text_format(out, ", %s: ", class->lessons[lesson].name);
            text_add_visible(out, why, strlen(why));
            text_add(out, "\n");
        }
}

size_t summary_open(const Class *class) {
    size_t open = 0;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        open += class->grades[i].state == GRADE_FAULT || class->grades[i].state == GRADE_WAITING;
    return open;
}
