/* request.c - the commands `request` and `answer`: a student asks for another look, the file is judged at
 * once, and a teacher answers with both runs in view.
 *
 * The grade stays what it is until the answer: the new run is a result like any other in the book, which no
 * hand-in points to. `answer --accept` gives the points of the new run as an override, so that they stand
 * through every regrade; answer and points are in the book together, or neither is.
 */
#include "base/minmax.h"
#include "grading/commands.h"

#include "autograder/sandbox/cgroup.h"
#include "autograder/sandbox/trust.h"
#include "autograder/verdict/worker.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/json.h"
#include "grading/book/desk.h"
#include "grading/book/judged.h"
#include "grading/book/table.h"
#include "grading/book/words.h"
#include "grading/run/revision.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_SOURCE = 1 << 20 };

/* The words of both commands, and what they mean. */
typedef struct RequestWords {
    Desk desk;
    const char *student, *lesson, *text;
    const char *file, *points, *author;
    bool accept;
    size_t at_student, at_lesson;
    const Grade *grade;
} RequestWords;

static bool open_grade(RequestWords *words, Session *session, GradebookUse use) {
    Desk *desk = &words->desk;
    if (!desk_open(desk, session, use) ||
        !desk_read_grade(desk, session, words->student, words->lesson, &words->at_student, &words->at_lesson))
        return false;
    words->grade = class_grade(&desk->class, words->at_student, words->at_lesson);
    return true;
}

static const char *key_of(const RequestWords *words) {
    return class_key(&words->desk.class.students[words->at_student]);
}

static const char *lesson_of(const RequestWords *words) {
    return words->desk.class.lessons[words->at_lesson].name;
}

/* "warpschool answer ann 07-block-sum-dynamic TEXT": the command about this grade, to be copied. */
static const char *command_of(const RequestWords *words, Arena *arena, const char *command,
                              const char *rest) {
    Text text = text_new();
    text_format(&text, "warpschool %s ", command);
    escape_shell_word(&text, key_of(words));
    text_format(&text, " %s TEXT%s", lesson_of(words), rest);
    const char *kept = arena_keep(arena, &text);
    return text_or(kept, "");
}

static const Lesson *course_lesson(const RequestWords *words) {
    for (size_t i = 0; i < words->desk.course.count; i++)
        if (strcmp(words->desk.course.lessons[i].name, lesson_of(words)) == 0)
            return &words->desk.course.lessons[i];
    return NULL;
}

/* ---- the file judged at once, as a grading judges it, beside any grading ---- */

/** A file to be judged. */
typedef struct Judging {
    const Lesson *lesson;
    const char *shown; /**< the file's name as people know it */
    const char *bytes;
    size_t length;
    long seed;
} Judging;

static bool is_enough(Session *session, const Course *course) {
    Trust trust;
    trust_probe(&trust, course);
    if (trust.enough) return true;
    session->diagnostics.internal = true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "what this system allows is not enough to run what students hand in: `%s` %s",
                           trust.level, trust.problem),
                  "make doctor says how to get namespaces and limits");
}

/* The result, which the caller puts; NULL with a diagnostic when the judge could not decide, or the sandbox
 * is less than a grading wants. */
static struct json_object *judging_run(const Judging *judging, Session *session, const Course *course) {
    Submission submission = {.path = judging->shown,
                             .name = arena_format(session->arena, "%s.cu", judging->lesson->name)};
    const WorkerOrder order = {.course = course,
                               .lesson = judging->lesson,
                               .judge = judges_find(session->judges, judging->lesson->name),
                               .submission = &submission,
                               .seed = judging->seed,
                               .isolated = true};
    CgroupBase groups;
    if (order.judge == NULL || submission.name == NULL || !is_enough(session, course)) return NULL;
    text_init(&submission.source);
    text_append(&submission.source, judging->bytes, judging->length);
    fflush(stdout);
    cgroup_claim(&groups, "/proc/self");
    struct json_object *result = worker_check(&order);
    text_free(&submission.source);
    if (strcmp(json_text(result, "verdict", "error"), "error") != 0) return result;
    session->diagnostics.internal = true;
    advise(diag_add(&session->diagnostics, DIAG_ERROR, judging->shown, 0, 0, "the judge could not decide: %s",
                    json_text(result, "problem", "no reason is given")),
           arena_string(session->arena,
                        json_text(result, "remedy", "try it again; make doctor looks for what is missing")));
    json_object_put(result);
    return NULL;
}

/* ---- both runs ---- */

static void add_run(const char *head, const char *file, struct json_object *result, Text *out) {
    text_add(out, head);
    table_words(file, out);
    if (result != NULL)
        text_format(out, ": %ld of %ld as judged\n", json_number(result, "score", 0),
                    json_number(result, "max_score", 0));
    else
        text_add(out, ": not judged\n");
}

/* What the grade would be, had the requested file been handed in at the same time: less what lateness took,
 * and with the items of the rubric, as an override has both in it. */
static int64_t points_of_run(const RequestWords *words, struct json_object *result) {
    const PolicyLesson *rules = policy_lesson(&words->desk.policy, lesson_of(words));
    const int most = (int)json_number(result, "max_score", 0), score = (int)json_number(result, "score", 0);
    int64_t weight;
    if (rules != NULL && rules->weight >= 0)
        weight = rules->weight;
    else
        weight = (int64_t)most * POLICY_POINT;
    const long penalty = (long)(words->grade->late_penalty * 100 * (double)POLICY_POINT + 0.5);
    const int64_t points = policy_points(score, most, weight, penalty) +
                           (int64_t)llround(words->grade->item_points * (double)POLICY_POINT);
    return MAX(points, 0);
}

/* Reads the run that the request asked for: of its own file, or once more of the one that counts. */
static bool read_run(const RequestWords *words, Session *session, const GradeRemark *request, BookRun *run) {
    Gradebook *book = words->desk.book;
    const char *hash;
    if (request->file != NULL)
        hash = request->file;
    else
        hash = words->grade->hash;
    int64_t attempt = 0;
    if (hash == NULL ||
        !judged_find(book, key_of(words), lesson_of(words), hash, &attempt, &session->diagnostics) ||
        attempt == 0)
        return desk_refuse(session, command_of(words, session->arena, "request", " --file FILE"),
                           "the run of the request is not in the gradebook: ask again with the file");
    return judged_read(book, session->arena, attempt, run, &session->diagnostics);
}

/* What the grade is, and what the rules make of the new run. Points by hand are none of the rules', and an
 * answer that accepts the run takes their place: so the teacher sees why they were given. */
static void add_points(const RequestWords *words, struct json_object *result, Text *out) {
    const Grade *grade = words->grade;
    text_add(out, grade->overridden ? "by hand:      " : "by the rules: ");
    table_points(grade->points, out);
    if (grade->overridden) {
        text_add(out, " points: ");
        table_words(grade->override_reason, out);
        text_add(out, "\nby the rules: ");
    } else {
        text_add(out, " -> ");
    }
    table_points((double)points_of_run(words, result) / (double)POLICY_POINT, out);
    text_add(out, " points");
    if (grade->overridden) text_add(out, ", which --accept puts in the place of those by hand");
}

static bool add_both(const RequestWords *words, Session *session, const GradeRemark *request, Text *out) {
    BookRun run;
    const Grade *grade = words->grade;
    const bool same =
        request->file == NULL || (grade->hash != NULL && strcmp(request->file, grade->hash) == 0);
    if (!read_run(words, session, request, &run)) return false;
    table_who(&words->desk.class.students[words->at_student], out);
    text_format(out, ", %s\nasked ", lesson_of(words));
    table_time(request->at, out);
    text_add(out, ": ");
    table_words(request->question, out);
    add_run("\nwhat counts:  ", text_or(grade->path, "nothing"), grade->result, out);
    add_run("the request:  ", same ? "the same file" : "another file", run.result, out);
    judged_compare(grade->result, run.result, "    ", out);
    add_points(words, run.result, out);
    text_format(out, "\nanswer it:    %s\n",
                command_of(words, session->arena, "answer", " [--accept | --points N]"));
    json_object_put(run.result);
    return true;
}

/* All that wait, the command's answer without words. */
static bool list_requests(RequestWords *words, Session *session, Text *out) {
    const Class *class = &words->desk.class;
    if (!desk_open(&words->desk, session, GRADEBOOK_READ) || !desk_read_class(&words->desk, session))
        return false;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const GradeRemark *request = class_request(&class->grades[i]);
        if (request == NULL) continue;
        table_who(&class->students[i / class->lesson_count], out);
        text_format(out, ", %s, ", class->lessons[i % class->lesson_count].name);
        table_time(request->at, out);
        text_add(out, ": ");
        table_words(request->question, out);
        text_add(out, "\n");
    }
    if (out->length == 0) text_add(out, "no request waits\n");
    return true;
}

static bool show_request(RequestWords *words, Session *session, Text *out) {
    if (!open_grade(words, session, GRADEBOOK_READ)) return false;
    const GradeRemark *request = class_request(words->grade);
    if (request == NULL)
        return desk_refuse(session, command_of(words, session->arena, "request", " [--file FILE]"),
                           "nobody has asked for another look at this grade");
    return add_both(words, session, request, out);
}

/* ---- a new request ---- */

/* The student's file; without one, that which counts. */
static bool read_file(const RequestWords *words, Session *session, Text *source) {
    const Grade *grade = words->grade;
    if (words->file == NULL && grade->hash == NULL)
        return desk_refuse(session, "name the student's file: --file FILE",
                           "there is no file to look at again");
    if (words->file == NULL)
        return gradebook_read_source(words->desk.book, grade->hash, source, &session->diagnostics);
    if (text_read_named_file(source, words->file, LARGEST_SOURCE)) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, words->file, 0, 0, "cannot read the file: %s",
                           strerror(errno)),
                  "name a program of at most 1 MiB that is no link");
}

/* Judged with the seed of the last grading, by the tools and the lesson as they are now. */
static bool judge(RequestWords *words, Session *session, const Text *source, const char *hash) {
    Gradebook *book = words->desk.book;
    Diagnostics *diagnostics = &session->diagnostics;
    BookGradingList list;
    if (!gradebook_read_gradings(book, session->arena, &list, diagnostics)) return false;
    if (list.count == 0 || course_lesson(words) == NULL)
        return desk_refuse(session, "grade the class first, with this course",
                           "this lesson was not graded yet");
    const BookGrading *last = &list.items[list.count - 1];
    const Judging judging = {.lesson = course_lesson(words),
                             .shown = words->grade->path != NULL ? words->grade->path : lesson_of(words),
                             .bytes = source->bytes,
                             .length = source->length,
                             .seed = last->seed};
    const BookKey key = {
        .student = key_of(words),
        .lesson = lesson_of(words),
        .hash = hash,
        .revision = revision_of_lesson(&words->desk.course, judging.lesson, session->arena, diagnostics),
        .versions = revision_of_tools(&words->desk.course, session->arena, diagnostics),
        .seed = last->seed};
    if (key.revision == NULL || key.versions == NULL) return false;
    struct json_object *result = judging_run(&judging, session, &words->desk.course);
    const bool kept = result != NULL &&
                      gradebook_keep_source(book, hash, source->bytes, source->length, diagnostics) &&
                      gradebook_add_attempt(book, last, &key, result, diagnostics);
    json_object_put(result);
    return kept;
}

static bool ask(RequestWords *words, Session *session, Text *out) {
    char hash[HASH_HEX];
    Text source = text_new();
    if (!desk_check_said(session, words->text, &words->author, "TEXT is missing: what the student asks") ||
        !open_grade(words, session, GRADEBOOK_CHANGE))
        return false;
    if (class_request(words->grade) != NULL)
        return desk_refuse(session, "answer it: warpschool answer STUDENT LESSON TEXT",
                           "a request for this grade waits already");
    bool fine = read_file(words, session, &source);
    hash_bytes(source.bytes, source.length, hash);
    fine = fine && judge(words, session, &source, hash);
    text_free(&source);
    const BookWord word = {.kind = WORD_REQUEST,
                           .student = key_of(words),
                           .lesson = lesson_of(words),
                           .item = words->file != NULL ? hash : NULL,
                           .text = words->text,
                           .author = words->author};
    if (!fine || !gradebook_add_word(words->desk.book, &word, &session->diagnostics)) return false;
    if (!desk_read_again(&words->desk, session)) return false;
    words->grade = class_grade(&words->desk.class, words->at_student, words->at_lesson);
    const GradeRemark *request = class_request(words->grade);
    return request != NULL && add_both(words, session, request, out);
}

static int finish(RequestWords *words, Session *session, bool fine, Text *out) {
    desk_close(&words->desk);
    if (fine)
        commands_print(out);
    else
        text_free(out);
    if (fine) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}

/* `warpschool request`, `request STUDENT LESSON`, `request STUDENT LESSON TEXT [--file FILE]` */
int request_run(Session *session, int argc, char **argv) {
    RequestWords words = {.accept = false};
    const Option options[] = {DESK_OPTIONS(&words.desk),
                              {OPTION_STRING, 0, "file", "FILE",
                               "the student's file; without it, the one that counts is judged again",
                               &words.file},
                              {OPTION_STRING, 0, "author", "NAME", "who writes it down (you)", &words.author},
                              {.kind = OPTION_END}};
    const int at = commands_parse(session, options, argc, argv, 0, 3);
    if (at < 0) return EXIT_USAGE;
    const int given = argc - at;
    if (given == 1 || (given < 3 && words.file != NULL)) {
        desk_refuse(session, "usage: warpschool request [STUDENT LESSON [TEXT [--file FILE]]]",
                    "the words do not fit");
        return EXIT_USAGE;
    }
    Text out = text_new();
    if (given > 0)
        words.student = argv[at];
    else
        words.student = NULL;
    if (given > 1)
        words.lesson = argv[at + 1];
    else
        words.lesson = NULL;
    if (given > 2)
        words.text = argv[at + 2];
    else
        words.text = NULL;
    bool fine;
    if (given == 0)
        fine = list_requests(&words, session, &out);
    else
        fine = given == 2 ? show_request(&words, session, &out) : ask(&words, session, &out);
    return finish(&words, session, fine, &out);
}

/* ---- the answer ---- */

/* The points that the answer gives; -1: the grade stays. */
static bool choose_points(const RequestWords *words, Session *session, const GradeRemark *request,
                          int64_t *points) {
    enum { MOST_POINTS = 100000 };
    BookRun run;
    long given = -1;
    *points = -1;
    if (words->points != NULL &&
        (!policy_decimal(words->points, &given) || given > (long)MOST_POINTS * POLICY_POINT))
        return desk_refuse(session, "give a number such as 7.5, with at most three decimals",
                           "--points must be a decimal number from 0 to 100000");
    if (words->points != NULL) *points = given;
    if (!words->accept) return true;
    if (!read_run(words, session, request, &run)) return false;
    *points = points_of_run(words, run.result);
    json_object_put(run.result);
    return true;
}

static bool answer(RequestWords *words, Session *session, Text *out) {
    int64_t points;
    Gradebook *book;
    if (words->accept && words->points != NULL)
        return desk_refuse(session, "keep one of the two",
                           "--accept gives the points of the new run, and --points others");
    if (!desk_check_said(session, words->text, &words->author, "TEXT is missing: the student reads it") ||
        !open_grade(words, session, GRADEBOOK_CHANGE))
        return false;
    const GradeRemark *request = class_request(words->grade);
    if (request == NULL)
        return desk_refuse(session, "see what waits: warpschool request", "no request for this grade waits");
    if (!choose_points(words, session, request, &points)) return false;
    book = words->desk.book;
    const BookOverride override = {.student = key_of(words),
                                   .lesson = lesson_of(words),
                                   .points = points,
                                   .reason = words->text,
                                   .author = words->author};
    const BookWord word = {.kind = WORD_ANSWER,
                           .student = override.student,
                           .lesson = override.lesson,
                           .text = words->text,
                           .author = words->author};
    if (!gradebook_answer(book, &word, points >= 0 ? &override : NULL, &session->diagnostics)) return false;
    table_words(words->desk.class.students[words->at_student].id, out);
    text_format(out, ", %s: answered, ", lesson_of(words));
    if (points < 0) text_add(out, "and the grade stays\n");
    if (points >= 0) table_points((double)points / (double)POLICY_POINT, out);
    if (points >= 0) text_add(out, points == POLICY_POINT ? " point\n" : " points\n");
    return true;
}

/* `warpschool answer STUDENT LESSON TEXT [--accept | --points N]` */
int answer_run(Session *session, int argc, char **argv) {
    RequestWords words = {.accept = false};
    const Option options[] = {DESK_OPTIONS(&words.desk),
                              {OPTION_FLAG, 0, "accept", NULL,
                               "the new run counts, as if its file had come when the old one did",
                               &words.accept},
                              {OPTION_STRING, 0, "points", "N", "so many points count", &words.points},
                              {OPTION_STRING, 0, "author", "NAME", "who decided it (you)", &words.author},
                              {.kind = OPTION_END}};
    const int at = commands_parse(session, options, argc, argv, 3, 3);
    if (at < 0) return EXIT_USAGE;
    Text out = text_new();
    words.student = argv[at];
    words.lesson = argv[at + 1];
    words.text = argv[at + 2];
    const bool fine = answer(&words, session, &out);
    return finish(&words, session, fine, &out);
}
