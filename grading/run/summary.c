/* summary.c - the grades that a person must look at; see summary.h. */
#include "grading/run/summary.h"

#include "grading/book/table.h"

#include <string.h>

/* One line for each grade that a person must look at. */
void summary_faults(const Class *class, Text *out) {
    for (size_t student = 0; student < class->student_count; student++)
        for (size_t lesson = 0; lesson < class->lesson_count; lesson++) {
            const Grade *grade = class_grade(class, student, lesson);
            if (grade->state != GRADE_FAULT) continue;
            const char *why = "";
            if (grade->fault != NULL) why = grade->fault;
            text_add(out, "look at ");
            table_who(&class->students[student], out);
            text_format(out, ", %s: ", class->lessons[lesson].name);
            text_add_visible(out, why, strlen(why));
            text_add(out, "\n");
        }
}

size_t summary_unplaced(const Class *class) {
    size_t files = 0;
    for (size_t i = 0; i < class->student_count; i++)
        files += class->students[i].unplaced_count;
    return files;
}

/* Who handed in files of no lesson, MOST_NAMED of them by id. */
void summary_unplaced_students(const Class *class, Text *out) {
    enum { MOST_NAMED = 10 };
    size_t count = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        if (student->unplaced_count == 0 || count++ >= MOST_NAMED) continue;
        text_add(out, count > 1 ? ", " : "");
        table_who(student, out);
    }
    if (count <= MOST_NAMED) return;
    text_add(out, " and ");
    text_number(out, count - MOST_NAMED);
    text_add(out, " more");
}
