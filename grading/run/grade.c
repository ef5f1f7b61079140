/* grade.c - the commands `grade`, from what was handed in to grades, and `regrade`, from the book's own
 * sources; see order.h. */
#include "grading/commands.h"

#include "grading/intake/intake.h"
#include "grading/run/edge.h"
#include "grading/run/explain.h"
#include "grading/run/order.h"
#include "grading/run/watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A gradebook is made only when there is something to put into it. */
static bool is_there(Session *session, const char *path, const char *what, const char *remedy) {
    if (access(path, R_OK) == 0) return true;
    return advise(
        diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "cannot read %s: %s", what, strerror(errno)),
        remedy);
}

/* ---- grade ---- */

/* The list as the book wants it; the strings stay the intake's. */
static BookHanded *handed_of(const Intake *intake, Arena *arena) {
    BookHanded *list = ARENA_ARRAY(arena, intake->handed_count + 1, BookHanded);
    for (size_t i = 0; list != NULL && i < intake->handed_count; i++) {
        const Handed *handed = &intake->handed[i];
        list[i] = (BookHanded){.student = intake->people[handed->person].id,
                               .lesson = handed->lesson,
                               .path = handed->path,
                               .time = handed->time,
                               .time_from = handed->time != 0 ? handed->time_from : NULL,
                               .refused = handed->refused,
                               .remedy = handed->remedy,
                               .note = handed->note};
        if (handed->refused != NULL) continue;
        list[i].hash = handed->hash;
        list[i].bytes = handed->bytes;
        list[i].length = handed->length;
    }
    return list;
}

/* The intake's people as the gradebook keeps them. */
static BookStudent *students_of(const Intake *intake, Arena *arena) {
    BookStudent *list = ARENA_ARRAY(arena, intake->people_count + 1, BookStudent);
    for (size_t i = 0; list != NULL && i < intake->people_count; i++) {
        const Person *person = &intake->people[i];
        list[i] = (BookStudent){.id = person->id,
                                .name = person->name,
                                .email = person->email,
                                .login = person->login,
                                .section = person->section,
                                .line = person->line,
                                .listed = person->listed};
    }
    return list;
}

static bool keep(Order *order, const Intake *intake, Arena *arena) {
    BookHanded *handed = handed_of(intake, arena);
    BookStudent *students = students_of(intake, arena);
    Diagnostics *diagnostics = &order->session->diagnostics;
    if (handed == NULL || students == NULL) return false;
    if (!refusals_read(&order->refusals, intake, order->session->arena)) return false;
    bool kept = gradebook_hand_in(order->desk.book, &order->grading, students, intake->people_count, handed,
                                  intake->handed_count, diagnostics);
    if (kept) edge_pass(EDGE_KEPT);
    return kept && order_add_tasks(order, handed, intake->handed_count);
}

/* Somebody may still be copying what is read: a file of which half is there would be graded like any other.
 */
static void warn_of_change(Order *order, const char *path) {
    order->changed = true;
    advise(diag_add(&order->session->diagnostics, DIAG_WARNING, path, 0, 0,
                    "has changed while it was read: a file that was being written may be graded by half"),
           "once nothing comes any more, give the same command again: it judges what is new");
}

/* The sources have an arena of their own, which ends before the first job starts: from then on they are in
 * the book. */
static int grade(Order *order, const IntakeOptions *options) {
    Arena *arena = arena_create();
    Intake intake = {0};
    if (arena == NULL) return EXIT_INTERNAL;
    uint64_t before;
    if (order->looked != 0)
        before = order->looked;
    else
        before = watch_fingerprint(options->path);
    bool read = intake_read(&intake, arena, &order->desk.course, options, &order->session->diagnostics);
    const bool changed = read && before != watch_fingerprint(options->path);
    if (changed && order->looked != 0) {
        arena_destroy(arena);
        return WATCH_CHANGED;
    }
    if (changed) warn_of_change(order, options->path);
    bool kept = read && order_begin(order) && keep(order, &intake, arena);
    arena_destroy(arena);
    if (kept) return order_finish(order);
    return diag_status(&order->session->diagnostics);
}

/* Said before anything is read: whoever names columns believes that a roster is read. */
static bool check_roster(Session *session, const IntakeOptions *intake) {
    if (intake->columns == NULL || intake->roster != NULL) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "--columns names the columns of a roster, and there is none"),
                  "name it as well: --roster FILE");
}

/* The folder, or with --explain a student and a lesson. */
static bool fits(Session *session, int given, bool explain, const char *output) {
    if (given == (explain ? 2 : 1) && (explain || output == NULL)) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "the words do not fit"),
                  "usage: warpschool grade DIR; warpschool grade --explain STUDENT LESSON [--output FILE]");
}

/* The lesson of --lesson, of all programs that are named as none. */
static bool find_others(Order *order, const char *name, const Lesson **others) {
    Desk *desk = &order->desk;
    Diagnostics *diagnostics = &order->session->diagnostics;
    *others = lessons_find(&desk->course, name, diagnostics);
    if (*others == NULL) return false;
    if (policy_lesson(&desk->policy, (*others)->name) != NULL) return true;
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "lesson %s does not count in this course",
                           (*others)->name),
                  "name one that course.yaml has, or put it there");
}

static int grade_once(Order *order, IntakeOptions *intake, const char *lesson) {
    Session *session = order->session;
    if (!is_there(session, intake->path, "the submissions", "give the folder or the archive that holds them"))
        return EXIT_USAGE;
    if (!desk_open(&order->desk, session, GRADEBOOK_WRITE)) return diag_status(&session->diagnostics);
    intake->every_file = order->desk.policy.attempts == POLICY_BEST;
    intake->nameless = order->desk.policy.anonymous;
    if (lesson != NULL && !find_others(order, lesson, &intake->others)) return EXIT_USAGE;
    return grade(order, intake);
}

/* A round of a watch, in a process of its own. */
typedef struct Round {
    Order *order;
    IntakeOptions *intake;
    const char *lesson;
} Round;

static int grade_round(void *context, uint64_t looked) {
    const Round *round = context;
    round->order->looked = looked;
    const int status = grade_once(round->order, round->intake, round->lesson);
    order_close(round->order);
    return status;
}

/* `warpschool grade DIR`, `warpschool grade --explain STUDENT LESSON` */
int grade_run(Session *session, int argc, char **argv) {
    enum { STILL_SECONDS = 5 };
    Order order = order_new(session);
    IntakeOptions intake = {0};
    ExplainOrder explained = {.output = NULL};
    bool explain = false;
    Round round = {.order = &order, .intake = &intake};
    WatchOrder watch = {.still = STILL_SECONDS, .round = grade_round, .context = &round};
    bool watches = false;
    const Option options[] = {
        ORDER_OPTIONS(&order),
        {OPTION_STRING, 0, "roster", "FILE", "a CSV file of who is in the class", &intake.roster},
        {OPTION_STRING, 0, "columns", "NAMES", "the roster's columns: id=NAME,name=NAME,email=NAME",
         &intake.columns},
        {OPTION_FLAG, 0, "strangers", NULL, "grade even when the roster matches hardly anybody",
         &intake.strangers},
        {OPTION_STRING, 0, "lesson", "LESSON", "the lesson of all programs that are named as none",
         &round.lesson},
        {OPTION_FLAG, 0, "watch", NULL, "go on, and grade what comes into the folder", &watches},
        {OPTION_NUMBER, 0, "still", "SECONDS", "with --watch: after so long without a change (5)",
         &watch.still},
        {OPTION_FLAG, 0, "explain", NULL,
         "judge nothing: say what the grade of STUDENT LESSON was made from, and how to repeat it", &explain},
        {OPTION_STRING, 'o', "output", "FILE", "with --explain: write the file that was judged",
         &explained.output},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 1, 2), status = EXIT_USAGE;
    if (first >= 0 && !fits(session, argc - first, explain, explained.output)) first = -1;
    if (first >= 0 && explain) {
        explained.student = argv[first];
        explained.lesson = argv[first + 1];
        status = explain_grade(session, &order.desk, &explained);
    } else if (first >= 0 && order_check(&order) && check_roster(session, &intake)) {
        intake.path = watch.path = argv[first];
        watch.gradebook = order.desk.gradebook != NULL ? order.desk.gradebook : GRADEBOOK_USUAL;
        status = watches ? watch_submissions(session, &watch) : grade_once(&order, &intake, round.lesson);
    }
    order_close(&order);
    return status;
}

/* ---- regrade ---- */

/* The words of `warpschool regrade`. */
typedef struct Again {
    const char *student, *lesson; /* NULL: all */
    bool changed;
} Again;

/* The student's id, for whom --student may have named by login or address; NULL with a diagnostic. */
static const char *find_student(Order *order, const char *query) {
    size_t student;
    Desk *desk = &order->desk;
    bool found =
        desk_read_class(desk, order->session) && desk_find_student(desk, order->session, query, &student);
    const char *id = NULL;
    if (found) id = class_key(&desk->class.students[student]);
    class_free(&desk->class);
    return id;
}

/* Judges again what was handed in earlier: the files that count, or all of them where the best one does. With
 * --changed only those that the lesson in its present form has not judged. */
static int regrade(Order *order, const Again *again) {
    Session *session = order->session;
    Diagnostics *diagnostics = &session->diagnostics;
    const Lesson *lesson = NULL;
    if (again->lesson != NULL) {
        lesson = lessons_find(&order->desk.course, again->lesson, diagnostics);
        if (lesson == NULL) return EXIT_USAGE;
    }
    const char *student = NULL;
    if (again->student != NULL) student = find_student(order, again->student);
    if (again->student != NULL && student == NULL) return diag_status(diagnostics);
    BookHandedList list;
    bool all = order->desk.policy.attempts == POLICY_BEST;
    if (!gradebook_read_handed(order->desk.book, session->arena, student,
                               lesson != NULL ? lesson->name : NULL, all, &list, diagnostics))
        return diag_status(diagnostics);
    if (list.count == 0) {
        advise(diag_add(diagnostics, DIAG_ERROR, gradebook_path(order->desk.book), 0, 0,
                        "nothing that was handed in fits what is to be graded again"),
               "`warpschool gradebook` shows who handed in what");
        return EXIT_USAGE;
    }
    if (!order_begin(order) || (again->changed && !order_leave_known(order, &list)) ||
        !gradebook_hand_in(order->desk.book, &order->grading, NULL, 0, list.items, list.count, diagnostics))
        return diag_status(diagnostics);
    if (order_add_tasks(order, list.items, list.count)) return order_finish(order);
    return diag_status(diagnostics);
}

/* `warpschool regrade` */
int regrade_run(Session *session, int argc, char **argv) {
    Order order = order_new(session);
    Again again = {0};
    const Option options[] = {
        ORDER_OPTIONS(&order),
        {OPTION_STRING, 0, "student", "ID", "only this student's files", &again.student},
        {OPTION_STRING, 0, "lesson", "LESSON", "only this lesson's files", &again.lesson},
        {OPTION_FLAG, 0, "changed", NULL, "only lessons whose own files have changed since", &again.changed},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 0), status = EXIT_USAGE;
    const char *book = GRADEBOOK_USUAL;
    if (order.desk.gradebook != NULL) book = order.desk.gradebook;
    if (first >= 0 && order_check(&order) &&
        is_there(session, book, "the gradebook", "name it with --gradebook")) {
        bool open = desk_open(&order.desk, session, GRADEBOOK_WRITE);
        if (open)
            status = regrade(&order, &again);
        else
            status = diag_status(&session->diagnostics);
    }
    order_close(&order);
    return status;
}
