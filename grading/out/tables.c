/* tables.c - the whole class as CSV, for gradebooks that import it: Canvas, Moodle, LTI, PrairieLearn; and
 * our own.
 *
 * RFC 4180 with quoted text; numbers are ours and bare. An undecided grade is an empty cell or a missing
 * line, which each of these imports takes for "no score", never for zero. The limits that stand at each
 * format are those of its importer's source.
 */
#include "base/escape.h"

#include "autograder/advise.h"
#include "autograder/check/result.h"
#include "base/json.h"
#include "grading/out/assignments.h"
#include "grading/out/out.h"

#include <string.h>

static void text_cell(Text *out, const char *text) {
    text_add(out, ",");
    escape_cell(out, text);
}

static void number_cell(Text *out, double number) {
    text_add(out, ",");
    out_number(out, number);
}

static const char *or_empty(const char *text) {
    return text != NULL ? text : "";
}

/* What is to be said of a grade, for one cell, where lines become blanks: what people wrote gets the full
 * stop that stands between it and the next sentence, and the last newline goes. */
static void add_remarks(Text *out, const Grade *grade) {
    Text lines;
    text_init(&lines);
    out_add_remarks(&lines, grade);
    for (const char *line = lines.bytes; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        text_format(out, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
        if (*line == '\0') break;
        if (length > 0 && strchr(".!?:;", line[-2]) == NULL) text_add(out, ".");
        text_add(out, "\n");
    }
    text_free(&lines);
}

static void remarks_cell(Text *out, const Grade *grade) {
    Text words;
    text_init(&words);
    add_remarks(&words, grade);
    text_cell(out, words.bytes);
    text_free(&words);
}

/* ---- plain ---- */

#define CSV_HEADER                                                                                           \
    "student,lesson,verdict,score,max_score,points,max_points,handed_in,time_from,late_seconds,late_"        \
    "penalty,attempts,overridden,"                                                                           \
    "name,email,login,section,path,remarks,fault,override_reason,override_author,item_points,"               \
    "excuse_reason,excuse_author,due,extension_reason,late_tokens,group,dropped\n"

static void csv_times(Text *out, const Grade *grade) {
    text_add(out, ",");
    out_time(out, grade->handed_in);
    text_cell(out, or_empty(grade->time_from));
    text_format(out, ",%lld", (long long)grade->late_seconds);
    number_cell(out, grade->late_penalty);
    text_format(out, ",%d,%s", grade->attempts, grade->overridden ? "yes" : "no");
}

/* The columns of docs/gradebook.md, one line for each grade. Points stay empty where nothing is decided. */
static void csv_line(Text *out, const ClassStudent *student, const ClassLesson *lesson, const Grade *grade) {
    escape_cell(out, student->id);
    text_cell(out, lesson->name);
    text_format(out, ",%s", out_verdict(grade));
    bool judged = grade->state == GRADE_DECIDED;
    text_add(out, ",");
    if (judged) text_format(out, "%d", grade->score);
    text_add(out, ",");
    if (judged) text_format(out, "%d", grade->max_score);
    text_add(out, ",");
    if (class_is_decided(grade)) out_number(out, grade->points);
    number_cell(out, grade->max_points);
    csv_times(out, grade);
    text_cell(out, student->name);
    text_cell(out, student->email);
    text_cell(out, student->login);
    text_cell(out, student->section);
    text_cell(out, grade->path);
    remarks_cell(out, grade);
    text_cell(out, grade->fault);
    text_cell(out, grade->override_reason);
    text_cell(out, grade->override_author);
    number_cell(out, grade->item_points);
    text_cell(out, grade->excuse_reason);
    text_cell(out, grade->excuse_author);
    text_add(out, ",");
    out_time(out, grade->due);
    text_cell(out, grade->extension_reason);
    text_format(out, ",%ld", grade->late_tokens);
    text_cell(out, lesson->group != NULL ? lesson->group->name : "");
    text_format(out, ",%s\n", grade->dropped_from != NULL ? "yes" : "no");
}

bool export_csv(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    text_add(out, CSV_HEADER);
    for (size_t i = 0; i < class->student_count; i++)
        for (size_t j = 0; j < class->lesson_count; j++)
            csv_line(out, &class->students[i], &class->lessons[j], class_grade(class, i, j));
    return true;
}

/* ---- times ---- */

static void time_cell(Text *out, struct json_object *times, const char *key) {
    struct json_object *value = NULL;
    text_add(out, ",");
    if (json_object_object_get_ex(times, key, &value)) out_number(out, json_object_get_double(value));
}

/* "busy throttled", what makes the times of a card longer than they need be. */
static void disturbed_cell(Text *out, struct json_object *card) {
    Text words;
    text_init(&words);
    struct json_object *list = json_array(card, "disturbed");
    for (size_t i = 0; i < result_list_length(list); i++)
        text_format(&words, "%s%s", i > 0 ? " " : "",
                    json_object_get_string(json_object_array_get_idx(list, i)));
    text_cell(out, words.bytes);
    text_free(&words);
}

static void times_line(Text *out, const ClassStudent *student, const ClassLesson *lesson,
                       struct json_object *card, struct json_object *one) {
    struct json_object *times = NULL;
    json_object_object_get_ex(one, "microseconds", &times);
    escape_cell(out, student->id);
    text_cell(out, lesson->name);
    text_cell(out, json_text(one, "name", ""));
    text_cell(out, json_text(one, "verdict", ""));
    time_cell(out, times, "median");
    time_cell(out, times, "least");
    time_cell(out, times, "most");
    time_cell(out, one, "gigabytes_per_second");
    time_cell(out, one, "solution_microseconds");
    text_cell(out, json_text(card, "device", ""));
    text_cell(out, json_text(card, "driver", ""));
    disturbed_cell(out, card);
    text_cell(out, json_text(card, "problem", ""));
    text_add(out, "\n");
}

bool export_times(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    text_add(out,
             "student,lesson,case,verdict,median_us,least_us,most_us,gigabytes_per_second,solution_us,card,"
             "driver,disturbed,problem\n");
    for (size_t i = 0; i < class->student_count; i++)
        for (size_t j = 0; j < class->lesson_count; j++) {
            struct json_object *card = NULL;
            json_object_object_get_ex(class_grade(class, i, j)->result, "card", &card);
            struct json_object *cases = json_array(card, "cases");
            for (size_t k = 0; k < result_list_length(cases); k++)
                times_line(out, &class->students[i], &class->lessons[j], card,
                           json_object_array_get_idx(cases, k));
        }
    return true;
}

/* ---- Canvas ---- */

/* The columns that say who a line is about. Of a class whose roster is a download of Canvas's gradebook they
 * are the roster's, unchanged. */
typedef struct CanvasColumns {
    struct json_object *headers; /* the roster's line of some student; NULL: the usual ones */
    size_t count;                /* of its columns, up to the section: assignments follow */
} CanvasColumns;

static const char *line_text(struct json_object *line, size_t column, size_t part) {
    struct json_object *cell = json_object_array_get_idx(line, column);
    const char *text = json_object_get_string(json_object_array_get_idx(cell, part));
    return text != NULL ? text : "";
}

static long find_column(struct json_object *line, const char *name) {
    for (size_t i = 0; line != NULL && i < json_object_array_length(line); i++)
        if (strcmp(line_text(line, i, 0), name) == 0) return (long)i;
    return -1;
}

/* A student's line of the roster; NULL: none. The caller puts it. */
static struct json_object *line_of(const ExportJob *job, const ClassStudent *student) {
    if (student->line == NULL) return NULL;
    return json_parse_text(student->line, strlen(student->line), student->id, job->diagnostics);
}

/* Canvas's download begins with these two, and the section is the last before the assignments. */
static bool is_canvas_line(struct json_object *line) {
    return find_column(line, "Student") == 0 && find_column(line, "ID") == 1 &&
           find_column(line, "Section") > 0;
}

static CanvasColumns canvas_columns(const ExportJob *job) {
    CanvasColumns columns = {.headers = NULL};
    for (size_t i = 0; columns.headers == NULL && i < job->class->student_count; i++) {
        columns.headers = line_of(job, &job->class->students[i]);
        if (is_canvas_line(columns.headers)) continue;
        json_object_put(columns.headers);
        columns.headers = NULL;
    }
    columns.count = columns.headers != NULL ? (size_t)find_column(columns.headers, "Section") + 1 : 0;
    return columns;
}

/* "07-sum (4711)": an assignment that Canvas has already keeps its name, which has its number. */
static const char *canvas_assignment(const CanvasColumns *columns, const char *lesson) {
    const size_t length = strlen(lesson);
    for (size_t i = columns->count;
         columns->headers != NULL && i < json_object_array_length(columns->headers); i++) {
        const char *name = line_text(columns->headers, i, 0);
        if (strncmp(name, lesson, length) == 0 && strncmp(name + length, " (", 2) == 0) return name;
    }
    return lesson;
}

/* Those of any student whom nobody has excused. */
static double canvas_points_possible(const Class *class, size_t lesson) {
    for (size_t i = 0; i < class->student_count; i++)
        if (class_grade(class, i, lesson)->state != GRADE_EXCUSED)
            return class_grade(class, i, lesson)->max_points;
    return class->student_count > 0 ? class->lessons[lesson].weight : 0;
}

/* An assignment that Canvas does not know is made. */
static void canvas_header(const ExportJob *job, const CanvasColumns *columns, Text *out) {
    if (columns->headers == NULL) text_add(out, "Student,ID,SIS User ID,SIS Login ID,Section");
    for (size_t i = 0; i < columns->count; i++) {
        if (i > 0) text_add(out, ",");
        escape_cell(out, line_text(columns->headers, i, 0));
    }
    for (size_t j = 0; j < job->class->lesson_count; j++)
        text_cell(out, canvas_assignment(columns, job->class->lessons[j].name));
    text_add(out, "\n    Points Possible");
    for (size_t i = 1; i < (columns->headers != NULL ? columns->count : 5); i++)
        text_add(out, ",");
    for (size_t j = 0; j < job->class->lesson_count; j++)
        number_cell(out, canvas_points_possible(job->class, j));
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
    if (strcmp(column, "SIS Login ID") == 0) return or_empty(student->login);
    return strcmp(column, "Section") == 0 ? or_empty(student->section) : "";
}

/* A cell that the roster has is written back; what it lacks is made of what is known. */
static void canvas_student(const ExportJob *job, const CanvasColumns *columns, const ClassStudent *student,
                           Text *out) {
    static const char *const usual[] = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    struct json_object *line = line_of(job, student);
    const size_t count = columns->headers != NULL ? columns->count : sizeof usual / sizeof *usual;
    for (size_t i = 0; i < count; i++) {
        const char *column = columns->headers != NULL ? line_text(columns->headers, i, 0) : usual[i];
        const long kept = columns->headers != NULL ? find_column(line, column) : -1;
        if (i > 0) text_add(out, ",");
        escape_cell(out, kept >= 0 ? line_text(line, (size_t)kept, 1) : canvas_fact(job, student, column));
    }
    json_object_put(line);
}

/* Canvas takes no comments from a CSV file, so the course's staff are told. */
static void canvas_warn(const ExportJob *job, const ClassStudent *student) {
    if (student->unplaced_count == 0) return;
    const ClassUnplaced *file = &student->unplaced[0];
    const char *more = student->unplaced_count > 1 ? ", and more" : "";
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "student %s has files of no lesson, which Canvas will not say: %s: %s%s", student->id,
                    file->path, file->refused, more),
           "send the student's feedback page, or ask for the files again");
}

/* Canvas's gradebook as it imports it. Points stay empty where nothing is decided: a 0 would be a grade. */
bool export_canvas(const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, COLUMN_CANVAS)) return false;
    const Class *class = job->class;
    const CanvasColumns columns = canvas_columns(job);
    canvas_header(job, &columns, out);
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        canvas_warn(job, student);
        canvas_student(job, &columns, student, out);
        for (size_t j = 0; j < class->lesson_count; j++) {
            const Grade *grade = class_grade(class, i, j);
            text_add(out, grade->state == GRADE_EXCUSED ? ",EX" : ",");
            if (class_is_decided(grade)) out_number(out, grade->points);
        }
        text_add(out, "\n");
    }
    json_object_put(columns.headers);
    return true;
}

/* ---- Moodle ---- */

enum {
    MOODLE_MOST = 100 /* a larger value stops the whole import, unless the site allows unlimited grades */
};

/* The columns by which Moodle may find a student, besides the id. A line whose cell is empty there gets the
 * student of the line before. So a student who lacks what most others have is left out, and a column that
 * most lack is. */
typedef struct MoodleColumns {
    bool login, email;
} MoodleColumns;

static bool has(const char *text) {
    return text != NULL && *text != '\0';
}

static void leave_column_out(const ExportJob *job, const char *column, size_t lack) {
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "the column %s is left out, because %zu of %zu students have none", column, lack,
                    job->class->student_count),
           "map students by idnumber, or complete the roster");
}

/* Moodle gives a line whose key is empty to the student of the line before. So a column is a key only when
 * most have it, and who lacks it is left out and told. */
static MoodleColumns choose_columns(const ExportJob *job) {
    const Class *class = job->class;
    size_t logins = 0, emails = 0;
    for (size_t i = 0; i < class->student_count; i++) {
        logins += has(class->students[i].login);
        emails += has(class->students[i].email);
    }
    MoodleColumns columns = {.login = 2 * logins > class->student_count,
                             .email = 2 * emails > class->student_count};
    if (!columns.login) leave_column_out(job, "username", class->student_count - logins);
    if (!columns.email) leave_column_out(job, "email", class->student_count - emails);
    return columns;
}

/* What the student lacks of the columns; NULL: nothing. */
static const char *lacks(const ClassStudent *student, const MoodleColumns *columns) {
    bool login = columns->login && !has(student->login), email = columns->email && !has(student->email);
    if (login && email) return "username and email";
    if (login) return "username";
    return email ? "email" : NULL;
}

static void leave_student_out(const ExportJob *job, const ClassStudent *student, const char *lacking) {
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                    "student %s is left out: without %s, Moodle may give these grades to somebody else",
                    student->id, lacking),
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
    return most > (double)MOODLE_MOST ? (double)MOODLE_MOST / most : 1;
}

static void moodle_header(const ExportJob *job, const MoodleColumns *columns, Text *out) {
    text_add(out, columns->login ? "username,idnumber" : "idnumber");
    text_add(out, columns->email ? ",email,firstname,lastname" : ",firstname,lastname");
    for (size_t j = 0; j < job->class->lesson_count; j++) {
        const char *name = job->class->lessons[j].name;
        bool scaled = moodle_scale(job->class, j) < 1;
        text_cell(out, scaled ? arena_format(job->arena, "%s (percent)", name) : name);
        text_cell(out, arena_format(job->arena, "%s (feedback)", name));
    }
    text_add(out, "\n");
}

/* Moodle shows feedback as HTML. */
static void moodle_feedback(Text *out, const Grade *grade) {
    Text words, html;
    text_init(&words);
    text_init(&html);
    add_remarks(&words, grade);
    escape_add(&html, ESCAPE_HTML, words.bytes);
    text_cell(out, html.bytes);
    text_free(&words);
    text_free(&html);
}

/* "Last, First" or "First Last": Moodle wants both parts. */
static void name_cells(Text *out, Arena *arena, const char *name) {
    name = or_empty(name);
    const char *comma = strchr(name, ','), *space = strrchr(name, ' ');
    const char *first = name, *last = "";
    if (comma != NULL) {
        first = comma + 1 + strspn(comma + 1, " ");
        last = arena_copy(arena, name, (size_t)(comma - name));
    } else if (space != NULL) {
        first = arena_copy(arena, name, (size_t)(space - name));
        last = space + 1;
    }
    text_cell(out, first);
    text_cell(out, last);
}

/* A "-" stands for no grade. Points are scaled to what Moodle counts a lesson by. */
static void moodle_student(const ExportJob *job, size_t student, const MoodleColumns *columns, Text *out) {
    const ClassStudent *person = &job->class->students[student];
    if (columns->login) escape_cell(out, person->login);
    if (columns->login) text_add(out, ",");
    escape_cell(out, person->id);
    if (columns->email) text_cell(out, person->email);
    name_cells(out, job->arena, person->name);
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
    for (size_t i = 0; i < job->class->student_count; i++) {
        const ClassStudent *student = &job->class->students[i];
        const char *lacking = lacks(student, &columns);
        if (lacking != NULL)
            leave_student_out(job, student, lacking);
        else
            moodle_student(job, i, &columns, out);
    }
    return true;
}

/* ---- LTI ---- */

/* activityProgress and gradingProgress of Assignment and Grade Services 2.0, section 3.4. */
static const char *lti_progress(const Grade *grade) {
    if (class_is_decided(grade)) return "Completed,FullyGraded";
    switch (grade->state) {
    case GRADE_NOTHING:
    case GRADE_EXCUSED:
        return "Initialized,NotReady";
    case GRADE_FAULT:
        return "Submitted,PendingManual";
    case GRADE_DECIDED:
    case GRADE_REFUSED:
    case GRADE_WAITING:
    case GRADE_HELD:
        return "Submitted,Pending";
    }
    BUG("grade state %d", (int)grade->state);
}

/* The members of an LTI 1.3 score as columns (Assignment and Grade Services 2.0). A score is not negative
 * there. */
bool export_lti(const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, COLUMN_LTI)) return false;
    const Class *class = job->class;
    text_add(out,
             "userId,lineItem,scoreGiven,scoreMaximum,activityProgress,gradingProgress,timestamp,comment\n");
    for (size_t i = 0; i < class->student_count; i++)
        for (size_t j = 0; j < class->lesson_count; j++) {
            const Grade *grade = class_grade(class, i, j);
            escape_cell(out, class->students[i].id);
            text_cell(out, class->lessons[j].name);
            text_add(out, ",");
            if (class_is_decided(grade)) out_number(out, grade->points < 0 ? 0 : grade->points);
            text_add(out, ",");
            if (class_is_decided(grade)) out_number(out, grade->max_points);
            text_format(out, ",%s,", lti_progress(grade));
            out_time(out, class->graded_at);
            remarks_cell(out, grade);
            text_add(out, "\n");
        }
    return true;
}

/* ---- PrairieLearn, question scores ---- */

enum { PRAIRIELEARN_FEEDBACK = 4000 /* bytes; an uploaded line of more than 10,000 characters is refused */ };

/* PrairieLearn's upload of scores: percent, and feedback of a bounded length. */
static void upload_line(const ExportJob *job, const char *uid, const char *lesson, const Grade *grade,
                        Text *out) {
    Text words;
    text_init(&words);
    add_remarks(&words, grade);
    escape_cell(out, uid);
    text_add(out, ",1");
    text_cell(out, lesson);
    number_cell(out, grade->max_points > 0 ? grade->points / grade->max_points * 100 : 0);
    text_cell(out, arena_cut(job->arena, words.bytes, PRAIRIELEARN_FEEDBACK));
    text_add(out, "\n");
    text_free(&words);
}

/* A user there is known by an address; the questions must have the lessons' names. */
bool export_prairielearn_upload(const ExportJob *whole, Text *out) {
    Class view;
    ExportJob seen, *job = &seen;
    if (!assignments_seen(job, &view, whole, COLUMN_PRAIRIELEARN)) return false;
    const Class *class = job->class;
    text_add(out, "uid,instance,qid,score_perc,feedback\n");
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        const char *uid = student->email != NULL && *student->email != '\0' ? student->email : student->login;
        for (size_t j = 0; j < class->lesson_count && uid != NULL; j++)
            if (class_is_decided(class_grade(class, i, j)))
                upload_line(job, uid, class->lessons[j].name, class_grade(class, i, j), out);
        advise(uid != NULL ? NULL
                           : diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                                      "student %s is left out: PrairieLearn knows people by their address",
                                      student->id),
               "give the roster a column with e-mail addresses");
    }
    return true;
}
