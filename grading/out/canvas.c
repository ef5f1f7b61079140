/* canvas.c - the class as Canvas's gradebook imports it. */
#include "grading/out/assignments.h"
#include "grading/out/cells.h"

#include "base/escape.h"

#include <string.h>

/* The columns that say who a line is about. Of a class whose roster is a download of Canvas's gradebook they
 * are the roster's, unchanged. */
typedef struct CanvasColumns {
    struct json_object *headers; /* the roster's line of some student; NULL: the usual ones */
    size_t count;                /* of its columns, up to the section: assignments follow */
} CanvasColumns;

/* Canvas's download begins with these two, and the section is the last before the assignments. */
static bool is_canvas_line(struct json_object *line) {
    return cells_find_column(line, "Student") == 0 && cells_find_column(line, "ID") == 1 &&
           cells_find_column(line, "Section") > 0;
}

static CanvasColumns canvas_columns(const ExportJob *job) {
    CanvasColumns columns = {.headers = NULL};
    for (size_t i = 0; columns.headers == NULL && i < job->class->student_count; i++) {
        columns.headers = cells_line_of(job, &job->class->students[i]);
        if (is_canvas_line(columns.headers)) continue;
        json_object_put(columns.headers);
        columns.headers = NULL;
    }
    if (columns.headers != NULL)
        columns.count = (size_t)cells_find_column(columns.headers, "Section") + 1;
    else
        columns.count = 0;
    return columns;
}

/* "07-sum (4711)": an assignment that Canvas has already keeps its name, which has its number. */
static const char *canvas_assignment(const CanvasColumns *columns, const char *lesson) {
    const size_t length = strlen(lesson);
    for (size_t i = columns->count;
         columns->headers != NULL && i < json_object_array_length(columns->headers); i++) {
        const char *name = cells_line_text(columns->headers, i, 0);
        if (strncmp(name, lesson, length) == 0 && strncmp(name + length, " (", 2) == 0) return name;
    }
    return lesson;
}

/* An assignment that Canvas does not know is made. */
static void canvas_header(const ExportJob *job, const CanvasColumns *columns, Text *out) {
    if (columns->headers == NULL) text_add(out, "Student,ID,SIS User ID,SIS Login ID,Section");
    for (size_t i = 0; i < columns->count; i++) {
        if (i > 0) text_add(out, ",");
        escape_cell(out, cells_line_text(columns->headers, i, 0));
    }
    for (size_t j = 0; j < job->class->lesson_count; j++)
        cells_text(out, canvas_assignment(columns, job->class->lessons[j].name));
    text_add(out, "\n    Points Possible");
    for (size_t i = 1; i < (columns->headers != NULL ? columns->count : 5); i++)
        text_add(out, ",");
    for (size_t j = 0; j < job->class->lesson_count; j++)
        cells_number(out, assignments_most(job->class, j));
    text_add(out, "\n");
}

/* What is known of a student whom no download of Canvas lists. Students are found by SIS id and login; an id
 * that is but the login is no SIS id, and one of a roster's is not Canvas's own. */
static const char *canvas_fact(const ExportJob *job, const ClassStudent *student, const char *column) {
    const bool own = job->canvas_ids && student->line == NULL;
    const bool by_login = student->login != NULL && strcmp(student->login, student->id) == 0;
    if (strcmp(column, "Student") == 0) return student->name != NULL ? student->name : student->id;
    if (strcmp(column, "ID") == 0) return own ? student->id : "";
    if (strcmp(column, "SIS User ID") == 0) return own || by_login ? "" : student->id;
    if (strcmp(column, "SIS Login ID") == 0) return text_or(student->login, "");
    if (strcmp(column, "Section") == 0) return text_or(student->section, "");
    return "";
}

/* Canvas's own roster has everybody whom Canvas knows, and what the download calls somebody else may be the
 * number of one of them in another column. Who asks for Canvas's ids by --canvas-ids knows better. */
static bool is_stranger(const ExportJob *job, const CanvasColumns *columns, const ClassStudent *student) {
    return columns->headers != NULL && student->line == NULL && !job->canvas_ids;
}

/* A cell that the roster has is written back; what it lacks is made of what is known. */
static void canvas_student(const ExportJob *job, const CanvasColumns *columns, const ClassStudent *student,
                           Text *out) {
    static const char *const usual[] = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    struct json_object *line = cells_line_of(job, student);
    size_t count;
    if (columns->headers != NULL)
        count = columns->count;
    else
        count = sizeof usual / sizeof *usual;
    for (size_t i = 0; i < count; i++) {
        const char *column;
        if (columns->headers != NULL)
            column = cells_line_text(columns->headers, i, 0);
        else
            column = usual[i];
        long kept = -1;
        if (columns->headers != NULL) kept = cells_find_column(line, column);
        if (i > 0) text_add(out, ",");
        escape_cell(out,
                    kept >= 0 ? cells_line_text(line, (size_t)kept, 1) : canvas_fact(job, student, column));
    }
    json_object_put(line);
}

/* Canvas's gradebook as it imports it. Points stay empty where nothing is decided: a 0 would be a grade. */
bool export_canvas(const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, COLUMN_CANVAS)) return false;
    const Class *class = job->class;
    const CanvasColumns columns = canvas_columns(job);
    canvas_header(job, &columns, out);
    cells_warn_of_unplaced(job, "Canvas");
    Named strangers = {.count = 0};
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        if (is_stranger(job, &columns, student)) {
            named_add(&strangers, student);
            continue;
        }
        canvas_student(job, &columns, student, out);
        for (size_t j = 0; j < class->lesson_count; j++) {
            const Grade *grade = class_grade(class, i, j);
            text_add(out, grade->state == GRADE_EXCUSED ? ",EX" : ",");
            if (class_is_decided(grade)) out_number(out, grade->points);
        }
        text_add(out, "\n");
    }
    cells_warn_of_strangers(job, "Canvas", &strangers);
    json_object_put(columns.headers);
    return true;
}
