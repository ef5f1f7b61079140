/* out.c - words and values that the formats share; see out.h. */
#include "grading/out/out.h"

#include "autograder/screen/show.h"
#include "base/json.h"
#include "grading/book/lesson_groups.h"
#include "grading/book/lost.h"
#include "grading/book/table.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { FEEDBACK_WIDTH = 78, NUMBER_ROOM = 400 /* of the largest double with four decimals */ };

/* ---- values ---- */

void out_number(Text *out, double number) {
    char digits[NUMBER_ROOM];
    if (!isfinite(number)) BUG("points that are no number");
    int length = snprintf(digits, sizeof digits, "%.4f", number);
    while (digits[length - 1] == '0')
        length--;
    if (digits[length - 1] == '.') length--;
    bool negative_zero = length == 2 && digits[0] == '-' && digits[1] == '0';
    text_append(out, digits + negative_zero, (size_t)(length - negative_zero));
}

void out_time(Text *out, int64_t time) {
    char words[64];
    struct tm fields;
    time_t seconds = (time_t)time;
    if (time <= 0 || gmtime_r(&seconds, &fields) == NULL) return;
    if (strftime(words, sizeof words, "%Y-%m-%dT%H:%M:%SZ", &fields) > 0) text_add(out, words);
}

static const char *visible(Arena *arena, const char *bytes, size_t length) {
    Text clean = text_new();
    text_add_visible(&clean, bytes, length);
    const char *kept = arena_keep(arena, &clean);
    if (kept != NULL) return kept;
    return "";
}

/* The whole string, a NUL in it included. */
const char *out_member(Arena *arena, struct json_object *object, const char *key) {
    struct json_object *member;
    if (!json_object_is_type(object, json_type_object) || !json_object_object_get_ex(object, key, &member) ||
        !json_object_is_type(member, json_type_string))
        return "";
    return visible(arena, json_object_get_string(member), (size_t)json_object_get_string_len(member));
}

void out_put_number(struct json_object *object, const char *key, double number) {
    Text digits = text_new();
    out_number(&digits, number);
    json_object_object_add(object, key, json_object_new_double_s(number, digits.bytes));
    text_free(&digits);
}

void out_document(Text *out, struct json_object *object) {
    const char *document =
        json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (document == NULL) out->failed = true;
    text_add(out, text_or(document, ""));
    text_add(out, "\n");
    json_object_put(object);
}

/* ---- grades ---- */

/* Formats that end in a grade elsewhere are written only when every grade is decided, so that nobody gets a
 * zero for a fault of the grader. */
bool out_all_decided(const ExportJob *job) {
    const Class *class = job->class;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const Grade *grade = &class->grades[i];
        const char *lesson = class->lessons[i % class->lesson_count].name;
        if (grade->state == GRADE_HELD)
            return advise(diag_add(job->diagnostics, DIAG_ERROR, lesson, 0, 0, "this is not released"),
                          "let it out: warpschool gradebook --release LESSON; nothing was written, so that "
                          "nobody gets a zero meanwhile");
        if (!class_is_open(grade)) continue;
        return advise(diag_add(job->diagnostics, DIAG_ERROR, lesson, 0, 0, "this is not decided: %s",
                               text_or(grade->fault, "it was not graded yet")),
                      "grade it again, or give points with `warpschool override`; nothing was written, "
                      "so that nobody gets a zero "
                      "for a fault of the grader");
    }
    return true;
}

double out_points(const Class *class) {
    return lesson_groups_sum(class, 0, NULL).points;
}

double out_max_points(const Class *class) {
    return lesson_groups_sum(class, 0, NULL).most;
}

/* One word for a grade, as the exports' pages list them. */
const char *out_verdict(const Grade *grade) {
    static const char *const words[] = {
        [GRADE_NOTHING] = "nothing", [GRADE_REFUSED] = "refused", [GRADE_FAULT] = "fault",
        [GRADE_WAITING] = "waiting", [GRADE_EXCUSED] = "excused", [GRADE_HELD] = "held"};
    if (grade->state != GRADE_DECIDED) return words[grade->state];
    if (strcmp(json_text(grade->result, "verdict", ""), "pass") == 0) return "pass";
    return "fail";
}

bool out_compiles(const Grade *grade) {
    JSON_EACH(finding, json_array(grade->result, "findings"))
        if (strcmp(json_text(finding, "kind", ""), "compile-error") == 0) return false;
    return grade->state == GRADE_DECIDED;
}

/* ---- feedback ---- */

/* An untrusted text behind words of ours, on a line of its own. */
static void add_line(Text *out, const char *words, const char *text) {
    if (text == NULL || *text == '\0') return;
    text_add(out, words);
    text_add_visible(out, text, strlen(text));
    text_add(out, "\n");
}

/* What counts, where it is not what was judged; a person's word comes with its reason. */
static void add_points(Text *out, const Grade *grade) {
    bool same = grade->points == grade->score && grade->max_points == grade->max_score;
    if (!class_is_decided(grade) || (same && !grade->overridden)) return;
    text_add(out, "Counted as ");
    out_number(out, grade->points);
    text_add(out, " of ");
    out_number(out, grade->max_points);
    if (!grade->overridden)
        text_add(out, " points.\n");
    else if (grade->override_reason == NULL || *grade->override_reason == '\0')
        text_add(out, " points, set by hand.\n");
    else
        add_line(out, " points, set by hand: ", grade->override_reason);
}

static void add_lateness(Text *out, const Grade *grade) {
    if (grade->extension_reason != NULL && grade->state != GRADE_EXCUSED) {
        text_add(out, "Due for you on ");
        table_time(grade->due, out);
        add_line(out, ": ", grade->extension_reason);
    }
    if (grade->late_seconds <= 0 || grade->state == GRADE_EXCUSED) return;
    text_add(out, "Handed in ");
    table_late(grade->late_seconds, out);
    text_add(out, " late");
    if (grade->late_penalty > 0 && !grade->overridden) {
        text_add(out, ": ");
        out_number(out, grade->late_penalty * 100);
        text_add(out, " % are taken off");
    }
    text_add(out, ".\n");
    if (grade->late_tokens > 0)
        text_format(out, "Late days of yours that are spent on it: %ld.\n", grade->late_tokens);
}

/* A refusal goes on where the file's name ends: "ann/07.cu" "is a symbolic link". */
static void add_refusal(Text *out, const Grade *grade) {
    text_add(out, "Not graded: ");
    if (grade->path != NULL) text_add_visible(out, grade->path, strlen(grade->path));
    add_line(out, " ", text_or(grade->refused, "was refused"));
    add_line(out, "What to do: ", grade->remedy);
}

void out_add_unplaced(Text *out, const ClassUnplaced *files, size_t count) {
    enum { MOST_TOLD = 5 }; /* these lines stand in the remarks of many lessons */
    for (size_t i = 0; i < count && i < MOST_TOLD; i++) {
        text_add(out, "Not graded: ");
        text_add_visible(out, files[i].path, strlen(files[i].path));
        add_line(out, ": ", files[i].refused);
        add_line(out, "What to do: ", files[i].remedy);
    }
    if (count <= MOST_TOLD) return;
    text_number(out, count - MOST_TOLD);
    text_add(out, " more could not be graded.\n");
}

static void add_nothing(Text *out, const Grade *grade) {
    if (grade->unplaced_count == 0) {
        text_add(out, "Nothing was handed in.\n");
        return;
    }
    text_add(out, "Nothing was handed in under this lesson's name.\n");
    out_add_unplaced(out, grade->unplaced, grade->unplaced_count);
}

/* What a teacher has said: "Comment: ...", "style, -1 point: ...". */
static void add_said(Text *out, const Grade *grade) {
    for (size_t i = 0; i < grade->remark_count; i++) {
        const GradeRemark *remark = &grade->remarks[i];
        if (remark->question != NULL) {
            add_line(out, "You asked for another look: ", remark->question);
            add_line(out, "Answer: ", text_or(remark->text, "there is none yet."));
            continue;
        }
        if (remark->item == NULL) {
            add_line(out, "Comment: ", remark->text);
            continue;
        }
        const bool one =
            !(remark->points < -1 || remark->points > 1) && !(remark->points > -1 && remark->points < 1);
        text_add_visible(out, remark->item, strlen(remark->item));
        text_add(out, remark->points > 0 ? ", +" : ", ");
        out_number(out, remark->points);
        text_add(out, one ? " point" : " points");
        if (grade->overridden) text_add(out, " (not counted, since the points were set by hand)");
        add_line(out, ": ", remark->text);
    }
}

void out_add_remarks(Text *out, const Grade *grade) {
    if (grade->parts != NULL) {
        text_add(out, grade->parts);
        return;
    }
    if (grade->state == GRADE_NOTHING) add_nothing(out, grade);
    if (grade->state == GRADE_WAITING && !grade->overridden) text_add(out, "This was not graded yet.\n");
    if (grade->state == GRADE_REFUSED) add_refusal(out, grade);
    if (grade->state == GRADE_FAULT && !grade->overridden)
        text_add(
            out,
            "The grader could not decide. This says nothing about your code; a person will look at it.\n");
    if (grade->note != NULL) {
        text_add(out, "Note: ");
        text_add_visible(out, grade->note, strlen(grade->note));
        text_add(out, ".\n"); /* in a cell, the next sentence follows on the same line */
    }
    if (grade->state == GRADE_HELD) text_add(out, "The grade is not released yet.\n");
    add_line(out, "Dropped, so it does not count: one of your lowest of the group ", grade->dropped_from);
    if (grade->state == GRADE_EXCUSED && grade->excuse_reason != NULL)
        add_line(out, "Excused, so this lesson does not count for you: ", grade->excuse_reason);
    add_lateness(out, grade);
    add_said(out, grade);
    add_points(out, grade);
}

bool out_read_source(const ExportJob *job, const Grade *grade, Text *source) {
    return job->book == NULL || grade->hash == NULL ||
           gradebook_read_source(job->book, grade->hash, source, job->diagnostics);
}

static void add_shown(Text *out, const ExportJob *job, const Grade *grade) {
    const ShowStyle style = {.unicode = true, .width = FEEDBACK_WIDTH};
    Text shown = text_new(), source = text_new();
    if (out_read_source(job, grade, &source)) show_result(grade->result, source.bytes, &style, &shown);
    text_add_visible(out, shown.bytes, shown.length);
    out->failed |= shown.failed;
    text_free(&source);
    text_free(&shown);
}

/* The cases may all be right, and points be missing. */
static void add_lost(Text *out, const Grade *grade) {
    Text lost = text_new();
    lost_add(grade->result, "  ", &lost);
    if (lost.length > 0) text_format(out, "Missing points:\n%s\n", lost.bytes);
    out->failed |= lost.failed;
    text_free(&lost);
}

void out_add_feedback(Text *out, const ExportJob *job, size_t lesson) {
    const Grade *grade = &job->class->grades[lesson];
    const char *name = job->class->lessons[lesson].name;
    if (grade->result == NULL || grade->state != GRADE_DECIDED) {
        text_add_visible(out, name, strlen(name));
        text_add(out, "\n\n");
    } else {
        add_shown(out, job, grade);
        add_lost(out, grade);
    }
    out_add_remarks(out, grade);
}
