/* exports.c - the table of formats, and how one file is made; see exports.h. */
#include "grading/out/exports.h"

#include "base/json.h"
#include "base/nearest.h"
#include "grading/book/lesson_groups.h"
#include "grading/commands.h"
#include "grading/out/hidden.h"
#include "grading/out/out.h"

#include <string.h>

#define EXPORT_STUDENTS EXPORT_FOR_STUDENTS
#define EXPORT_SYSTEM EXPORT_FOR_SYSTEM
#define EXPORT_STAFF EXPORT_FOR_STAFF

const Export exports_table[] = {
#define EXPORT(name, function, scope, reader, file, help)                                                    \
    {name, function, EXPORT_##scope, EXPORT_##reader, file, help},
#include "grading/out/exports.def"
#undef EXPORT
    {.name = NULL},
};

static const char all_names[] = "the formats are"
#define EXPORT(name, function, scope, reader, file, help) " " name
#include "grading/out/exports.def"
#undef EXPORT
    ;

const Export *exports_find(const char *name, Diagnostics *diagnostics) {
    Nearest nearest = nearest_to(name);
    for (const Export *format = exports_table; format->name != NULL; format++)
        if (strcmp(format->name, name) == 0)
            return format;
        else
            nearest_offer(&nearest, format->name);
    const char *remedy = all_names;
    if (nearest.best != NULL) remedy = arena_format(diagnostics->arena, "Did you mean %s?", nearest.best);
    advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no format `%s`", name), remedy);
    return NULL;
}

/* ---- a part of a class ---- */

/* The grades of the rectangle that begins at `student` and `lesson`, of the part's own extent. */
static bool copy_grades(Class *part, Arena *arena, const Class *whole, size_t student, size_t lesson) {
    part->grades = ARENA_ARRAY(arena, part->student_count * part->lesson_count + 1, Grade);
    if (part->grades == NULL) return false;
    for (size_t i = 0; i < part->student_count; i++)
        for (size_t j = 0; j < part->lesson_count; j++)
            part->grades[i * part->lesson_count + j] =
                whole->grades[(student + i) * whole->lesson_count + lesson + j];
    return true;
}

/* A lesson by itself counts with no others. */
static bool select_lesson(Class *part, Arena *arena) {
    ClassLesson *alone = ARENA_NEW(arena, ClassLesson);
    if (alone == NULL) return false;
    *alone = *part->lessons;
    alone->group = NULL;
    part->lessons = alone;
    part->lesson_count = 1;
    part->group_count = 0;
    return true;
}

bool exports_select(Class *part, Arena *arena, const Class *whole, size_t student, size_t lesson) {
    size_t row = 0;
    if (student != EXPORTS_ALL) row = student;
    size_t column = 0;
    if (lesson != EXPORTS_ALL) column = lesson;
    *part = *whole;
    part->students += row;
    part->lessons += column;
    if (student != EXPORTS_ALL) part->student_count = 1;
    if (lesson != EXPORTS_ALL && !select_lesson(part, arena)) return false;
    return copy_grades(part, arena, whole, row, column);
}

/* ---- one file ---- */

bool exports_fit(const Export *format, const Class *class, Diagnostics *diagnostics) {
    bool student = format->scope == EXPORT_CLASS || class->student_count == 1;
    bool lesson = format->scope != EXPORT_ONE || class->lesson_count == 1;
    if (student && lesson) return true;
    Diagnostic *added = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s holds %s", format->name,
                                 student ? "one lesson" : "the grades of one student");
    if (added != NULL)
        added->remedy = student ? "say which: --lesson NN"
                                : "say which: --student ID; or name a folder for all: -o FOLDER/";
    return false;
}

/* What is told of a grade that is not released: when it is due, and what the lesson is worth. */
static Grade held_back(const Grade *grade) {
    return (Grade){.state = GRADE_HELD,
                   .max_points = grade->max_points,
                   .due = grade->due,
                   .extension_reason = grade->extension_reason};
}

/* A copy without the grades that are not released. */
static bool hold(Class *shown, const ExportJob *job) {
    const Class *class = job->class;
    *shown = *class;
    if (!copy_grades(shown, job->arena, class, 0, 0)) return false;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        if (class->lessons[i % class->lesson_count].held) shown->grades[i] = held_back(&class->grades[i]);
    if (shown->group_count > 0) lesson_groups_drop(shown); /* what is held back is neither low nor high */
    return true;
}

static bool write_held(const Export *format, const ExportJob *job, Text *out) {
    Class shown;
    ExportJob fit = *job;
    fit.class = &shown;
    return hold(&shown, job) && format->write(&fit, out);
}

/* A class whose results have lost what students may not see; the caller puts them. */
static bool hide(Class *shown, const ExportJob *job) {
    const Class *class = job->class;
    if (!hold(shown, job)) return false;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        struct json_object *result = shown->grades[i].result;
        if (result != NULL)
            shown->grades[i].result = hidden_for_student(result, class->hidden_feedback);
        else
            shown->grades[i].result = NULL;
    }
    return true;
}

static bool write_hidden(const Export *format, const ExportJob *job, Text *out) {
    Class shown;
    ExportJob fit = *job;
    fit.class = &shown;
    if (!hide(&shown, job)) return false;
    bool written = format->write(&fit, out);
    for (size_t i = 0; i < shown.student_count * shown.lesson_count; i++)
        json_object_put(shown.grades[i].result);
    return written;
}

static bool write_whole(const Export *format, const ExportJob *job, Text *out) {
    return format->write(job, out);
}

bool exports_write(const Export *format, const ExportJob *job, Text *out) {
    static bool (*const writers[])(const Export *, const ExportJob *,
                                   Text *) = {[EXPORT_FOR_STUDENTS] = write_hidden,
                                              [EXPORT_FOR_SYSTEM] = write_held,
                                              [EXPORT_FOR_STAFF] = write_whole};
    const int errors = job->diagnostics->errors;
    bool written = writers[format->reader](format, job, out);
    if (!out->failed) return written && job->diagnostics->errors == errors;
    diag_add(job->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is not enough memory to write %s",
             format->name);
    return false;
}

/* ---- results without a gradebook ---- */

static Grade grade_of(Arena *arena, struct json_object *result) {
    Grade grade = {.state = GRADE_DECIDED, .result = result, .attempts = 1};
    grade.score = (int)json_number(result, "score", 0);
    grade.max_score = (int)json_number(result, "max_score", 0);
    grade.points = grade.score;
    grade.max_points = grade.max_score;
    if (strcmp(json_text(result, "verdict", "error"), "error") != 0) return grade;
    grade.state = GRADE_FAULT;
    grade.fault = arena_string(arena, json_text(result, "problem", "no reason is given"));
    return grade;
}

/* A class of one student whose lessons are the results, each with a weight of 1. */
bool exports_class_of(Class *class, Arena *arena, struct json_object **results, size_t count,
                      Diagnostics *diagnostics) {
    *class = (Class){.course = "warpschool",
                     .title = "Warpschool",
                     .lesson_count = count,
                     .student_count = 1,
                     .hidden_feedback = true};
    class->lessons = ARENA_ARRAY(arena, count, ClassLesson);
    class->students = ARENA_NEW(arena, ClassStudent);
    class->grades = ARENA_ARRAY(arena, count, Grade);
    if (class->lessons == NULL || class->students == NULL || class->grades == NULL) return false;
    class->students->id = "";
    for (size_t i = 0; i < count; i++) {
        const char *name = out_member(arena, results[i], "lesson");
        if (*name == '\0' || strcmp(json_text(results[i], "schema", ""), "warpschool/result/v1") != 0) {
            diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "this is no result of warpschool check --json");
            return false;
        }
        class->lessons[i] = (ClassLesson){.name = name, .title = name, .weight = 1};
        class->grades[i] = grade_of(arena, results[i]);
    }
    return true;
}

/* ---- check --format ---- */

/* For `check --format`: the format is checked before anything is judged, which is a call without a result. */
bool export_result(Session *session, const char *name, struct json_object *result, Text *out) {
    const Export *format = exports_find(name, &session->diagnostics);
    if (format == NULL) return false;
    if (format->scope == EXPORT_CLASS) {
        return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                               "%s is for a whole class, not for one result", name),
                      "grade the class, then: warpschool export FORMAT");
    }
    if (result == NULL) return true;
    Class class;
    ExportJob job = {.class = &class, .arena = session->arena, .diagnostics = &session->diagnostics};
    return exports_class_of(&class, session->arena, &result, 1, &session->diagnostics) &&
           exports_write(format, &job, out);
}
