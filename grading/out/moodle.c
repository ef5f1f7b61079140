/* moodle.c - the class as Moodle's import of grades takes it. The limits that stand here are those of its
 * source. */
#include "grading/out/assignments.h"
#include "grading/out/cells.h"
#include "grading/out/named.h"

#include "base/escape.h"

#include <string.h>

enum {
    MOODLE_MOST = 100 /* a larger value stops the whole import, unless the site allows unlimited grades */
};

/* The columns by which Moodle may find a student. A line whose cell is empty there gets the
 * student of the line before. So a student who lacks what most others have is left out, and a column that
 * most lack is. */
typedef struct MoodleColumns {
    bool id, login, email;
} MoodleColumns;

static void leave_column_out(const ExportJob *job, const char *column, size_t lack) {
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "the column %s is left out, because %zu of %zu students have none", column, lack,
                    job->class->student_count),
           "map students by another column, or complete the roster");
}

/* Whether a student's id is the number that Moodle's grading worksheet gives to a participant of an
 * assignment ("Participant 41"), which its import takes for another thing. */
static bool is_participant(const ExportJob *job, const ClassStudent *student) {
    static const char word[] = "Participant ";
    struct json_object *line = cells_line_of(job, student);
    const long column = cells_find_column(line, "Identifier");
    const char *cell = "";
    if (column >= 0) cell = cells_line_text(line, (size_t)column, 1);
    const bool same = text_starts_with(cell, word) && strcmp(cell + strlen(word), student->id) == 0;
    json_object_put(line);
    return same;
}

/* Moodle gives a line whose key is empty to the student of the line before. So a column is a key only when
 * most have it, and who lacks it is left out and told. */
static MoodleColumns choose_columns(const ExportJob *job) {
    const Class *class = job->class;
    size_t logins = 0, emails = 0, participants = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        logins += cells_has(class->students[i].login);
        emails += cells_has(class->students[i].email);
        participants += is_participant(job, &class->students[i]);
    }
    MoodleColumns columns = {.login = 2 * logins > class->student_count,
                             .email = 2 * emails > class->student_count};
    columns.id = 2 * participants <= class->student_count || !(columns.login || columns.email);
    if (!columns.login) leave_column_out(job, "username", class->student_count - logins);
    if (!columns.email) leave_column_out(job, "email", class->student_count - emails);
    return columns;
}

/* What a student lacks of the columns: a sum of the two. */
enum { LACKS_LOGIN = 1, LACKS_EMAIL = 2, LACKS_ALL };

static int lacks(const ClassStudent *student, const MoodleColumns *columns) {
    int lacking = 0;
    if (columns->login && !cells_has(student->login)) lacking += LACKS_LOGIN;
    if (columns->email && !cells_has(student->email)) lacking += LACKS_EMAIL;
    return lacking;
}

static void tell_left_out(const ExportJob *job, const Named *named, const char *lacking) {
    if (named->count == 0) return;
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "%s: without %s, Moodle may give these grades to somebody else",
                    named_words(named, job->arena, "is left out", "are left out"), lacking),
           "complete the roster; a folder that matches none of its lines has no more than a name");
}

/* More than 100 points for a lesson are told in percent. */
static double moodle_scale(const Class *class, size_t lesson) {
    double most = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        const Grade *grade = class_grade(class, i, lesson);
        if (class_is_decided(grade) && grade->points > most) most = grade->points;
        if (grade->max_points > most) most = grade->max_points;
    }
    if (most > (double)MOODLE_MOST) return (double)MOODLE_MOST / most;
    return 1;
}

static void moodle_header(const ExportJob *job, const MoodleColumns *columns, Text *out) {
    if (columns->login) text_add(out, "username,");
    if (columns->id) text_add(out, "idnumber,");
    if (columns->email) text_add(out, "email,");
    text_add(out, "firstname,lastname");
    for (size_t j = 0; j < job->class->lesson_count; j++) {
        const char *name = job->class->lessons[j].name;
        bool scaled = moodle_scale(job->class, j) < 1;
        cells_text(out, scaled ? arena_format(job->arena, "%s (percent)", name) : name);
        cells_text(out, arena_format(job->arena, "%s (feedback)", name));
    }
    text_add(out, "\n");
}

/* Moodle shows feedback as HTML. */
static void moodle_feedback(Text *out, const Grade *grade) {
    Text words = text_new(), html = text_new();
    cells_add_remarks(&words, grade);
    escape_add(&html, ESCAPE_HTML, words.bytes);
    cells_text(out, html.bytes);
    text_free(&words);
    text_free(&html);
}

/* The names that Moodle itself has given, where the roster is one of its tables: of one that is made of both,
 * nobody knows where "Ben Ray, Jr." is cut. */
static void moodle_names(const ExportJob *job, const ClassStudent *person, const char **first,
                         const char **last) {
    struct json_object *line = cells_line_of(job, person);
    const long given = cells_find_column(line, "First name");
    long family = cells_find_column(line, "Last name");
    if (family < 0) family = cells_find_column(line, "Surname");
    cells_split_name(person->name, job->arena, first, last);
    if (given >= 0 && family >= 0) {
        *first = arena_string(job->arena, cells_line_text(line, (size_t)given, 1));
        *last = arena_string(job->arena, cells_line_text(line, (size_t)family, 1));
    }
    json_object_put(line);
}

/* A "-" stands for no grade. Points are scaled to what Moodle counts a lesson by. */
static void moodle_student(const ExportJob *job, size_t student, const MoodleColumns *columns, Text *out) {
    const ClassStudent *person = &job->class->students[student];
    const char *first, *last;
    const struct {
        bool there;
        const char *text;
    } keys[] = {{columns->login, person->login}, {columns->id, person->id}, {columns->email, person->email}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!keys[i].there) continue;
        escape_cell(out, keys[i].text);
        text_add(out, ",");
    }
    moodle_names(job, person, &first, &last);
    escape_cell(out, text_or(first, ""));
    cells_text(out, text_or(last, ""));
    for (size_t j = 0; j < job->class->lesson_count; j++) {
        const Grade *grade = class_grade(job->class, student, j);
        text_add(out, ",");
        if (class_is_decided(grade))
            out_number(out, grade->points * moodle_scale(job->class, j));
        else
            text_add(out, "-");
        moodle_feedback(out, grade);
    }
    text_add(out, "\n");
}

/* Moodle's table of grades. */
bool export_moodle(const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, COLUMN_MOODLE)) return false;
    MoodleColumns columns = choose_columns(job);
    moodle_header(job, &columns, out);
    Named left_out[LACKS_ALL + 1] = {0};
    for (size_t i = 0; i < job->class->student_count; i++) {
        const ClassStudent *student = &job->class->students[i];
        const int lacking = lacks(student, &columns);
        if (lacking == 0)
            moodle_student(job, i, &columns, out);
        else
            named_add(&left_out[lacking], student);
    }
    tell_left_out(job, &left_out[LACKS_LOGIN], "username");
    tell_left_out(job, &left_out[LACKS_EMAIL], "email");
    tell_left_out(job, &left_out[LACKS_ALL], "username and email");
    return true;
}
