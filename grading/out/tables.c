/* tables.c - the whole class as CSV: all that there is, times, LTI, PrairieLearn.
 *
 * RFC 4180 with quoted text; numbers are ours and bare. An undecided grade is an empty cell or a missing
 * line, which each of the imports takes for "no score", never for zero. The limits that stand at a format
 * are those of its importer's source.
 */
#include "base/escape.h"
#include "base/minmax.h"

#include "autograder/check/result.h"
#include "base/json.h"
#include "grading/out/assignments.h"
#include "grading/out/cells.h"
#include "grading/out/named.h"

/* ---- plain ---- */

#define CSV_HEADER                                                                                           \
    "student,lesson,verdict,score,max_score,points,max_points,handed_in,time_from,late_seconds,late_"        \
    "penalty,attempts,overridden,"                                                                           \
    "name,email,login,section,path,remarks,fault,override_reason,override_author,item_points,"               \
    "excuse_reason,excuse_author,due,extension_reason,late_tokens,group,dropped\n"

static void csv_times(Text *out, const Grade *grade) {
    text_add(out, ",");
    out_time(out, grade->handed_in);
    cells_text(out, text_or(grade->time_from, ""));
    text_format(out, ",%lld", (long long)grade->late_seconds);
    cells_number(out, grade->late_penalty);
    text_format(out, ",%d,%s", grade->attempts, grade->overridden ? "yes" : "no");
}

/* The columns of docs/gradebook.md, one line for each grade. Points stay empty where nothing is decided. */
static void csv_line(Text *out, const ClassStudent *student, const ClassLesson *lesson, const Grade *grade) {
    escape_cell(out, student->id);
    cells_text(out, lesson->name);
    text_format(out, ",%s", out_verdict(grade));
    bool judged = grade->state == GRADE_DECIDED;
    text_add(out, ",");
    if (judged) text_format(out, "%d", grade->score);
    text_add(out, ",");
    if (judged) text_format(out, "%d", grade->max_score);
    text_add(out, ",");
    if (class_is_decided(grade)) out_number(out, grade->points);
    cells_number(out, grade->max_points);
    csv_times(out, grade);
    cells_text(out, student->name);
    cells_text(out, student->email);
    cells_text(out, student->login);
    cells_text(out, student->section);
    cells_text(out, grade->path);
    cells_remarks(out, grade);
    cells_text(out, grade->fault);
    cells_text(out, grade->override_reason);
    cells_text(out, grade->override_author);
    cells_number(out, grade->item_points);
    cells_text(out, grade->excuse_reason);
    cells_text(out, grade->excuse_author);
    text_add(out, ",");
    out_time(out, grade->due);
    cells_text(out, grade->extension_reason);
    text_format(out, ",%ld", grade->late_tokens);
    cells_text(out, lesson->group != NULL ? lesson->group->name : "");
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
    Text words = text_new();
    struct json_object *list = json_array(card, "disturbed");
    for (size_t i = 0; i < json_length(list); i++) {
        if (i > 0) text_add(&words, " ");
        text_add(&words, text_or(json_object_get_string(json_object_array_get_idx(list, i)), ""));
    }
    cells_text(out, words.bytes);
    text_free(&words);
}

static void times_line(Text *out, const ClassStudent *student, const ClassLesson *lesson,
                       struct json_object *card, struct json_object *one) {
    struct json_object *times = NULL;
    json_object_object_get_ex(one, "microseconds", &times);
    escape_cell(out, student->id);
    cells_text(out, lesson->name);
    cells_text(out, json_text(one, "name", ""));
    cells_text(out, json_text(one, "verdict", ""));
    time_cell(out, times, "median");
    time_cell(out, times, "least");
    time_cell(out, times, "most");
    time_cell(out, one, "gigabytes_per_second");
    time_cell(out, one, "solution_microseconds");
    cells_text(out, json_text(card, "device", ""));
    cells_text(out, json_text(card, "driver", ""));
    disturbed_cell(out, card);
    cells_text(out, json_text(card, "problem", ""));
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
            JSON_EACH(entry, json_array(card, "cases"))
                times_line(out, &class->students[i], &class->lessons[j], card, entry);
        }
    return true;
}

/* ---- LTI ---- */

/* activityProgress and gradingProgress of Assignment and Grade Services 2.0, section 3.4. */
static const char *lti_progress(const Grade *grade) {
    if (class_is_decided(grade)) return "Completed,FullyGraded";
    if (grade->state == GRADE_NOTHING || grade->state == GRADE_EXCUSED) return "Initialized,NotReady";
    if (grade->state == GRADE_FAULT) return "Submitted,PendingManual";
    return "Submitted,Pending";
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
            cells_text(out, class->lessons[j].name);
            text_add(out, ",");
            if (class_is_decided(grade)) out_number(out, MAX(0, grade->points));
            text_add(out, ",");
            if (class_is_decided(grade)) out_number(out, grade->max_points);
            text_format(out, ",%s,", lti_progress(grade));
            out_time(out, class->graded_at);
            cells_remarks(out, grade);
            text_add(out, "\n");
        }
    return true;
}

/* ---- PrairieLearn, question scores ---- */

enum { PRAIRIELEARN_FEEDBACK = 4000 /* bytes; an uploaded line of more than 10,000 characters is refused */ };

/* PrairieLearn's upload of scores: percent, and feedback of a bounded length. */
static void upload_line(const ExportJob *job, const char *uid, const char *lesson, const Grade *grade,
                        Text *out) {
    Text words = text_new();
    cells_add_remarks(&words, grade);
    escape_cell(out, uid);
    text_add(out, ",1");
    cells_text(out, lesson);
    cells_number(out, grade->max_points > 0 ? grade->points / grade->max_points * 100 : 0);
    cells_text(out, arena_cut(job->arena, words.bytes, PRAIRIELEARN_FEEDBACK));
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
    Named left_out = {.count = 0};
    for (size_t i = 0; i < class->student_count; i++) {
        const ClassStudent *student = &class->students[i];
        const char *uid;
        if (cells_has(student->email))
            uid = student->email;
        else
            uid = student->login;
        for (size_t j = 0; j < class->lesson_count && cells_has(uid); j++)
            if (class_is_decided(class_grade(class, i, j)))
                upload_line(job, uid, class->lessons[j].name, class_grade(class, i, j), out);
        if (!cells_has(uid)) named_add(&left_out, student);
    }
    if (left_out.count > 0)
        advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0,
                        "%s: PrairieLearn knows people by their address",
                        named_words(&left_out, job->arena, "is left out", "are left out")),
               "give the roster a column with e-mail addresses");
    return true;
}
