/* learner.c - the commands of a learner: exercise, list, hint, reset; and check, for any file.
 *
 * Each ends by saying what to do next, in commands that can be typed as they stand.
 */
#include "autograder/check.h"

#include "autograder/advise.h"
#include "autograder/coach.h"
#include "autograder/commands.h"
#include "autograder/groups.h"
#include "autograder/progress.h"
#include "autograder/show.h"
#include "autograder/work.h"
#include "autograder/worker.h"
#include "autograder/texts.h"
#include "base/json.h"
#include "base/picture.h"
#include "base/seed.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_SOURCE = 1 << 20 };

/* ---- checking a file ---- */

/* What a check is asked for, by options or by the command that runs it. */
typedef struct CheckOrder {
    const Lesson *lesson;
    const char *path;
    long seed;
    bool json, times;
    const char *picture; /* the file for it; NULL: none is wanted */
    bool own;            /* the learner's: where the system allows no sandbox, it is checked without one */
    bool only_picture;
    const char **kind; /* set to what a hint would be about (coach.h); or NULL */
    bool *drawable;    /* set when a picture would show what is wrong; or NULL */
    bool grade;        /* a seed that nobody knows before, and the hidden cases */
    bool reveal;       /* hidden cases are told in full */
    const char *device;
    const char *format; /* of grading/out/exports.def; NULL */
} CheckOrder;

/* Inside the sandbox the file has its own name when that is a plain one, so that __FILE__ looks familiar. */
static const char *plain_file_name(const char *path, const Lesson *lesson, Arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    bool plain = text_ends_with(name, ".cu") && strlen(name) < 100 && name[0] != '-' && name[0] != '.';
    for (const char *at = name; *at != '\0'; at++)
        plain = plain && (isalnum((unsigned char)*at) || strchr("._-+", *at) != NULL);
    return plain ? name : arena_format(arena, "%s.cu", lesson->name);
}

/* The file is read once, before anything is done with it: what is compiled, searched and quoted are the same
 * bytes. */
static bool read_submission(Session *session, const CheckOrder *order, Submission *submission) {
    text_init(&submission->source);
    submission->path = order->path;
    submission->name = plain_file_name(order->path, order->lesson, session->arena);
    if (text_read_named_file(&submission->source, order->path, LARGEST_SOURCE))
        return submission->name != NULL;
    const SubmissionFacts facts = {.large = errno == EFBIG,
                                   .special = errno == EINVAL,
                                   .link = errno == ELOOP,
                                   .missing = errno == ENOENT,
                                   .why = strerror(errno)};
    diag_add(&session->diagnostics, DIAG_ERROR, order->path, 0, 0, "%s",
             told_submission(session->arena, SUBMISSION_UNREADABLE, &facts));
    return false;
}

static int status_of_result(struct json_object *result) {
    const char *verdict = json_text(result, "verdict", "error");
    if (strcmp(verdict, "pass") == 0) return EXIT_FINE;
    return strcmp(verdict, "fail") == 0 ? EXIT_FOUND : EXIT_INTERNAL;
}

/* False when the result has no form there: what could not be decided, in a format that knows only scores. */
static bool print_formatted(Session *session, const CheckOrder *order, struct json_object *result) {
    Text out;
    text_init(&out);
    bool written = session->format_result(session, order->format, result, &out);
    commands_write(&out);
    return written;
}

/* The same result for programs and for people. */
static void print_result(const Session *session, const CheckOrder *order, struct json_object *result,
                         const char *source) {
    Text out;
    text_init(&out);
    if (order->json) {
        text_add(&out, json_object_to_json_string_ext(result, JSON_C_TO_STRING_PRETTY |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE));
        text_add(&out, "\n");
        commands_write(&out);
        return;
    }
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    show_result(result, source, &style, &out);
    if (order->grade)
        text_format(&out, "\nseed %ld: --seed %ld repeats this check\n", order->seed, order->seed);
    commands_print(&out);
}

static void say_learnt(const Session *session, const CheckOrder *order, struct json_object *result) {
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out;
    text_init(&out);
    coach_passed(&order->lesson->manifest, result, &style, &out);
    commands_print(&out);
}

/* Tools read an object for every file that they name, also for one that is not there. */
static int refuse_file(Session *session, const CheckOrder *order) {
    if (!order->json) return EXIT_USAGE;
    Result result = {.lesson = order->lesson->name,
                     .verdict = VERDICT_ERROR,
                     .device = "warpgrind",
                     .sandbox = "none",
                     .problem = session->diagnostics.first->message,
                     .remedy = "give the path of a source file, at most 1 MiB, that you may read"};
    struct json_object *object = result_to_json(&result);
    print_result(session, order, object, "");
    json_object_put(object);
    return EXIT_USAGE;
}

/* A race or a missed barrier is something that threads do to each other: there a picture says more than
 * words. */
static bool is_drawable(struct json_object *result) {
    struct json_object *findings = json_array(result, "findings");
    for (size_t i = 0; findings != NULL && i < json_object_array_length(findings); i++) {
        const char *kind = json_text(json_object_array_get_idx(findings, i), "kind", "");
        if (strstr(kind, "race") != NULL || strstr(kind, "divergence") != NULL) return true;
    }
    return false;
}

/* The result carries the picture's data; the page is made here, with the source that was checked. */
static bool write_picture(Session *session, const CheckOrder *order, struct json_object *result,
                          const char *source) {
    const char *data = json_text(result, "picture", "");
    if (*data == '\0') {
        if (order->only_picture) printf("There is no picture: no kernel of yours has run.\n");
        return true;
    }
    Text page;
    text_init(&page);
    picture_page(&page, data, order->path, source);
    bool written = !page.failed && text_write_file(order->picture, page.bytes, page.length);
    text_free(&page);
    if (written && order->only_picture)
        printf("The picture of your kernel: %s    (open it in a browser)\n",
               work_shown_path(session->arena, order->picture));
    else if (!written)
        diag_add(&session->diagnostics, DIAG_ERROR, order->picture, 0, 0, "cannot write the picture: %s",
                 strerror(errno));
    return written;
}

/* Again, without a sandbox, since the system allows none: that is for the learner's own file, and said. */
static struct json_object *check_unlocked(WorkerOrder *work, struct json_object *refused) {
    printf("This system allows no sandbox (%s),\nso your own file runs without one. To get one: make "
           "doctor\n\n",
           json_text(refused, "problem", "no reason is given"));
    fflush(stdout);
    json_object_put(refused);
    work->unlocked = true;
    return worker_check(work);
}

/* Runs the check, and a second time without a sandbox where the system allows none and the file is the
 * learner's own. */
static struct json_object *run_check(Session *session, const Course *course, const CheckOrder *order,
                                     const Judge *judge, Submission *submission) {
    WorkerOrder work = {.course = course,
                        .lesson = order->lesson,
                        .judge = judge,
                        .submission = submission,
                        .seed = order->seed,
                        .show_times = order->times,
                        .isolated = order->grade,
                        .revealed = order->reveal,
                        .picture = order->picture != NULL,
                        .unlocked = session->sandbox != NULL && strcmp(session->sandbox, "none") == 0};
    CgroupBase groups;
    fflush(stdout);
    if (order->grade) cgroup_claim(&groups, "/proc/self");
    struct json_object *result = worker_check(&work);
    bool forbidden = strcmp(json_text(result, "sandbox", ""), STAGE_FORBIDDEN) == 0;
    return forbidden && order->own && session->sandbox == NULL ? check_unlocked(&work, result) : result;
}

/* The check and all that is made of its result: picture, report, and what a pass has shown. Exit status. */
static int judge_file(Session *session, const Course *course, const CheckOrder *order, const Judge *judge,
                      Submission *submission) {
    const char *source = submission->source.bytes;
    struct json_object *result = run_check(session, course, order, judge, submission);
    int status = status_of_result(result);
    if (order->kind != NULL) *order->kind = coach_kind(result);
    if (order->drawable != NULL) *order->drawable = is_drawable(result);
    bool written = order->picture == NULL || write_picture(session, order, result, source);
    json_object_object_del(result, "picture"); /* it has become the page */
    if (order->format != NULL)
        written &= print_formatted(session, order, result);
    else if (!order->only_picture || status == EXIT_INTERNAL)
        print_result(session, order, result, source);
    if (order->kind != NULL && status == EXIT_FINE) say_learnt(session, order, result);
    json_object_put(result);
    return written ? status : EXIT_INTERNAL;
}

/* Exit status; the verdict is printed. */
static int check_file(Session *session, const Course *course, const CheckOrder *order) {
    const Judge *judge = judges_find(session->judges, order->lesson->name);
    if (judge == NULL) {
        diag_add(&session->diagnostics, DIAG_ERROR, order->lesson->name, 0, 0,
                 "this lesson has no judge yet");
        return EXIT_INTERNAL;
    }
    Submission submission;
    int status = read_submission(session, order, &submission)
                     ? judge_file(session, course, order, judge, &submission)
                     : refuse_file(session, order);
    text_free(&submission.source);
    return status;
}

/* The devices that the option's text promises; only one of them exists yet. */
static bool device_is_known(Session *session, const char *device) {
    if (device == NULL || strcmp(device, "soft") == 0) return true;
    bool known = strcmp(device, "cuda") == 0 || strcmp(device, "both") == 0;
    Diagnostic *added =
        known ? diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                         "checking on a real GPU is not possible yet")
              : diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no device `%s`", device);
    if (added != NULL)
        added->remedy =
            known ? "use --device soft: its verdict is the one that counts" : "the devices: soft, cuda, both";
    return false;
}

static bool sandbox_is_known(Session *session) {
    const char *which = session->sandbox;
    if (which == NULL || strcmp(which, "full") == 0 || strcmp(which, "none") == 0) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no sandbox `%s`", which),
                  "the sandboxes: full, none");
}

/* Options that contradict each other; and the seed, which is drawn for grading unless one is given.
 * EXIT_FINE, or the status to end with. */
static int settle_order(Session *session, CheckOrder *order) {
    if (order->grade && session->sandbox != NULL && strcmp(session->sandbox, "none") == 0) {
        Diagnostic *added = diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                                     "--grade runs what others have written, and only in the sandbox");
        if (added != NULL)
            added->remedy = "leave --sandbox=none out; make doctor says how to get the sandbox";
        return EXIT_USAGE;
    }
    if (order->reveal && !order->grade) {
        advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "--reveal needs --grade"),
               "only --grade runs hidden cases, of which --reveal tells");
        return EXIT_USAGE;
    }
    if (order->seed == LONG_MIN && !order->grade) order->seed = 0;
    if (order->seed == LONG_MIN && !seed_draw(&order->seed, &session->diagnostics)) return EXIT_INTERNAL;
    if (order->seed < 0) {
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "--seed takes a number from 0 on");
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

int check_command_run(Session *session, int argc, char **argv) {
    CheckOrder order = {.seed = LONG_MIN}; /* not given */
    const Option options[] = {
        {OPTION_FLAG, 0, "json", NULL, "print the result as JSON", &order.json},
        {OPTION_STRING, 0, "format", "FORMAT", "print it as warpschool export does, which lists the formats",
         &order.format},
        {OPTION_NUMBER, 0, "seed", "N", "where inputs and orders of threads start (0)", &order.seed},
        {OPTION_FLAG, 0, "grade", NULL,
         "draw a random seed and print it, unless --seed gives one; run a program for each case, hidden "
         "cases too",
         &order.grade},
        {OPTION_FLAG, 0, "reveal", NULL, "with --grade, for teachers: tell all of hidden cases",
         &order.reveal},
        {OPTION_STRING, 0, "device", "DEVICE", "soft (the software GPU), cuda or both", &order.device},
        {OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
        {OPTION_STRING, 0, "sandbox", "WHICH", "full, or none: run a file that you trust without one",
         &session->sandbox},
        {OPTION_STRING, 0, "picture", "FILE", "write a page that shows what the threads of a launch did",
         &order.picture},
        {OPTION_FLAG, 0, "times", NULL, "print the seconds of each phase", &order.times},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 2, 2);
    if (first < 0 || !sandbox_is_known(session)) return EXIT_USAGE;
    if (order.format != NULL && !session->format_result(session, order.format, NULL, NULL)) return EXIT_USAGE;
    int status = settle_order(session, &order);
    if (status != EXIT_FINE) return status;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    order.lesson = lessons_find(&course, argv[first], &session->diagnostics);
    order.path = argv[first + 1];
    if (order.lesson == NULL) return EXIT_USAGE;
    if (!device_is_known(session, order.device))
        return strcmp(order.device, "cuda") == 0 || strcmp(order.device, "both") == 0 ? EXIT_INTERNAL
                                                                                      : EXIT_USAGE;
    return check_file(session, &course, &order);
}

/* ---- the learner's own work ---- */

/* What every command of a learner starts from. */
typedef struct Desk {
    Course course;
    Progress progress;
    const Lesson *lesson; /* NULL: all passed */
    bool named;           /* by the operand */
} Desk;

/* Course, progress, and the lesson meant by the operand (or the next one). EXIT_FINE, or the status to end
 * with. */
static int open_desk(Session *session, Desk *desk, int argc, char **argv) {
    const Option options[] = {{OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
                              {OPTION_STRING, 0, "sandbox", "WHICH",
                               "full, or none: check your own file without one", &session->sandbox},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0 || !sandbox_is_known(session)) return EXIT_USAGE;
    if (!commands_load_course(session, &desk->course)) return EXIT_INTERNAL;
    if (!progress_read(&desk->progress, session->arena, &desk->course)) return EXIT_INTERNAL;
    desk->lesson = progress_next(&desk->progress, &desk->course);
    desk->named = first < argc && *argv[first] != '\0';
    if (!desk->named) return EXIT_FINE;
    desk->lesson = lessons_find(&desk->course, argv[first], &session->diagnostics);
    return desk->lesson != NULL ? EXIT_FINE : EXIT_USAGE;
}

/* The page as `make notes` builds it. The folder of the lesson has its source alone, which is for authors. */
static void say_page(Session *session, const Desk *desk) {
    const char *page =
        arena_format(session->arena, "%s/site/lessons/%s.html", desk->course.build, desk->lesson->name);
    if (page == NULL) return;
    bool built = access(page, R_OK) == 0;
    printf("The lesson's page: %s%s\n", work_shown_path(session->arena, page), built ? "" : "  (make notes)");
}

/* The last core lesson was passed: what else there is. */
static void offer_groups(Session *session, const Desk *desk) {
    Groups groups;
    if (!groups_read(&groups, session->arena, &desk->course)) return;
    printf("You have finished the core path. The rest is yours to choose from:\n");
    for (size_t i = 0; i < groups.count; i++) {
        const Group *group = &groups.items[i];
        if (groups_count_passed(group, &desk->progress, &desk->course) == group->count) continue;
        printf("  %-22s", group->title);
        for (size_t j = 0; j < group->count; j++)
            if (!progress_of(&desk->progress, &desk->course, group->lessons[j])->passed)
                printf(" %.2s", group->lessons[j]->name);
        printf("\n");
    }
}

/* What to type next, in words for the shell or, inside watch, for its keys. */
static void say_passed(Session *session, const Desk *desk) {
    const Lesson *next = progress_next(&desk->progress, &desk->course);
    if (next != NULL && desk->lesson->manifest.core &&
        progress_next_core(&desk->progress, &desk->course) == NULL)
        offer_groups(session, desk);
    if (next == NULL)
        printf("That was the last lesson: you have passed all %zu.\n", desk->course.count);
    else
        printf("Next: %s    (%s: %s)\n", session->watched ? "press n" : "make exercise", next->name,
               next->manifest.title);
}

/* The last lines after a check that failed say what to do next, in the words of `make watch` or of the shell.
 * */
static void say_not_yet(Session *session, Desk *desk, const char *shown) {
    const char *name = desk->lesson->name;
    long seen = progress_of(&desk->progress, &desk->course, desk->lesson)->hints;
    size_t hints = desk->lesson->manifest.hints.count;
    if (session->watched)
        printf("Next: edit %s and save it\n", shown);
    else
        printf("Next: edit %s, then make exercise LESSON=%.2s\n", shown, name);
    if (seen < (long)hints && session->watched)
        printf("Stuck? press h    (%ld of %zu hints seen)\n", seen, hints);
    else if (seen < (long)hints)
        printf("Stuck? make hint LESSON=%.2s    (%ld of %zu hints seen)\n", name, seen, hints);
    say_page(session, desk);
}

static void say_next(Session *session, Desk *desk, int status, const char *shown) {
    if (status == EXIT_FINE)
        say_passed(session, desk);
    else if (status == EXIT_FOUND)
        say_not_yet(session, desk, shown);
    else
        printf("Next: make doctor looks for what is wrong with the installation\n");
}

int exercise_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) {
        printf("You have passed all %zu lessons. To do one again: make exercise LESSON=01\n",
               desk.course.count);
        return EXIT_FINE;
    }
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    if (path == NULL) return EXIT_INTERNAL;
    const char *shown = work_shown_path(session->arena, path);
    if (made)
        printf("%s is yours now: it was made from the starter. %s\n\n", shown, "This is how it does so far.");
    bool drawable = false;
    const char *kind = NULL;
    CheckOrder order = {
        .lesson = desk.lesson, .path = shown, .own = true, .kind = &kind, .drawable = &drawable};
    status = check_file(session, &desk.course, &order);
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    ProgressEntry before = *entry;
    entry->passed = entry->passed || status == EXIT_FINE;
    /* The same mistake again is no news; another one has a hint of its own. */
    if (status != EXIT_INTERNAL && entry->failed != kind) {
        entry->failed = kind;
        entry->told = false;
    }
    if (entry->passed != before.passed || entry->failed != before.failed)
        progress_write(&desk.progress, &desk.course, &session->diagnostics);
    if (drawable && session->watched)
        printf("See what the threads did: press t for a picture\n");
    else if (drawable)
        printf("See what the threads did: make picture LESSON=%.2s\n", desk.lesson->name);
    say_next(session, &desk, status, shown);
    return status;
}

/* A check of which only the picture is kept. */
int picture_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) desk.lesson = &desk.course.lessons[0];
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    const char *picture =
        arena_format(session->arena, "%s/work/%s.html", desk.course.root, desk.lesson->name);
    if (path == NULL || picture == NULL) return EXIT_INTERNAL;
    CheckOrder order = {.lesson = desk.lesson,
                        .path = work_shown_path(session->arena, path),
                        .picture = picture,
                        .own = true,
                        .only_picture = true};
    return check_file(session, &desk.course, &order);
}

/* Two columns wide: printf pads by bytes, of which a tick has three. */
static const char *mark_of(bool passed, bool next, bool unicode) {
    if (passed) return unicode ? "✓ " : "ok";
    return next ? "> " : "  ";
}

/* "(core, needs 04)": whether it is on the core path, and what comes before it. */
static void print_place(const Lesson *lesson) {
    const TextList *needs = &lesson->manifest.needs;
    if (!lesson->manifest.core && needs->count == 0) return;
    printf(" (%s", lesson->manifest.core ? "core" : "");
    if (needs->count > 0) printf("%sneeds", lesson->manifest.core ? ", " : "");
    for (size_t i = 0; i < needs->count; i++)
        printf(" %.2s", needs->items[i]);
    printf(")");
}

/* A group with its lessons, each with a mark for passed, and one for the lesson that comes next. */
static void print_group(const Desk *desk, const Group *group, bool unicode) {
    printf("%s, %zu of %zu passed\n", group->title,
           groups_count_passed(group, &desk->progress, &desk->course), group->count);
    for (size_t i = 0; i < group->count; i++) {
        const Lesson *lesson = group->lessons[i];
        bool done = progress_of(&desk->progress, &desk->course, lesson)->passed;
        printf("%s %-22s %s", mark_of(done, lesson == desk->lesson, unicode), lesson->name,
               lesson->manifest.title);
        print_place(lesson);
        printf("\n");
    }
    printf("\n");
}

/* The list of the course; its last line is the next step. */
int list_run(Session *session, int argc, char **argv) {
    Desk desk;
    Groups groups;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (!groups_read(&groups, session->arena, &desk.course)) return EXIT_INTERNAL;
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    size_t passed = 0;
    for (size_t i = 0; i < desk.course.count; i++)
        passed += desk.progress.entries[i].passed;
    for (size_t i = 0; i < groups.count; i++)
        print_group(&desk, &groups.items[i], style.unicode);
    if (desk.lesson != NULL)
        printf("%zu of %zu passed. Next: make exercise\n", passed, desk.course.count);
    else
        printf("You have passed all %zu lessons and finished the course. Well done.\n", desk.course.count);
    return EXIT_FINE;
}

/* The hint that follows what went wrong comes before the lesson's own, once. */
static int hint_about(Session *session, Desk *desk, ProgressEntry *entry) {
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    entry->told = true;
    progress_write(&desk->progress, &desk->course, &session->diagnostics);
    Text out;
    text_init(&out);
    text_format(&out, "%s, about %s, which the last check found\n\n", desk->lesson->name, entry->failed);
    coach_hint(&desk->lesson->manifest, entry->failed, &style, &out);
    if (!session->watched)
        text_format(&out, "\nThe lesson's own hints: make hint LESSON=%.2s\n", desk->lesson->name);
    commands_print(&out);
    return EXIT_FINE;
}

/* Hints come one at a time and start again after the last. After a check that failed, the first one is about
 * what it found. */
int hint_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) {
        printf("You have passed all lessons. For the hints of one: make hint LESSON=01\n");
        return EXIT_FINE;
    }
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    const TextList *hints = &desk.lesson->manifest.hints;
    if (entry->failed != NULL && !entry->told) return hint_about(session, &desk, entry);
    if (hints->count == 0) {
        printf("%s has no hints.\n", desk.lesson->name);
        return EXIT_FINE;
    }
    size_t number = (size_t)entry->hints % hints->count;
    bool again = number == 0 && entry->hints > 0;
    entry->hints++;
    bool made;
    if (work_file(&desk.course, desk.lesson, &made, &session->diagnostics) == NULL) return EXIT_INTERNAL;
    progress_write(&desk.progress, &desk.course, &session->diagnostics);
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out;
    text_init(&out);
    if (again)
        text_format(&out, "You have seen all %zu hints of this lesson; they start again.\n\n", hints->count);
    text_format(&out, "%s, hint %zu of %zu\n\n", desk.lesson->name, number + 1, hints->count);
    show_paragraph(hints->items[number], "  ", &style, &out);
    if (!session->watched)
        text_format(&out, "\nNext: edit work/%s.cu, then make exercise LESSON=%.2s\n", desk.lesson->name,
                    desk.lesson->name);
    commands_print(&out);
    return EXIT_FINE;
}

/* The old file is kept under another name, and the lesson counts as not begun. */
int reset_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (!desk.named) {
        advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "which lesson?"),
               "make reset LESSON=01");
        return EXIT_USAGE;
    }
    const char *kept;
    if (!work_reset(&desk.course, desk.lesson, &kept, &session->diagnostics)) return EXIT_INTERNAL;
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    *entry = (ProgressEntry){0};
    progress_write(&desk.progress, &desk.course, &session->diagnostics);
    printf("work/%s.cu is the starter again.\n", desk.lesson->name);
    if (kept != NULL) printf("Your old file is now %s\n", work_shown_path(session->arena, kept));
    if (!session->watched) printf("Next: make exercise LESSON=%.2s\n", desk.lesson->name);
    return EXIT_FINE;
}

/* ---- a lesson's inputs, for running its program by hand ---- */

static bool write_cases(Session *session, const Judge *judge, long seed, const char *folder) {
    for (unsigned i = 0; i < judge->case_count; i++) {
        JudgeCase judged;
        const char *path = arena_format(session->arena, "%s/%02u", folder, i);
        if (path == NULL || !cases_prepare(&judged, judge, i, (uint64_t)seed, 0, session->arena))
            return false;
        if (!cases_write(&judged, path, &session->diagnostics)) return false;
        printf("%s    %s\n", path, judge->cases[i].name);
    }
    return true;
}

/* Writes a lesson's inputs, for programs that ask the judge outside of a check (tests/lessons/card.sh). */
int cases_run(Session *session, int argc, char **argv) {
    long seed = 0;
    const Option options[] = {{OPTION_NUMBER, 0, "seed", "N", "where the inputs start (0)", &seed},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 2, 2);
    if (first < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const Lesson *lesson = lessons_find(&course, argv[first], &session->diagnostics);
    const Judge *judge = lesson != NULL ? judges_find(session->judges, lesson->name) : NULL;
    if (judge == NULL) return EXIT_USAGE;
    if (mkdir(argv[first + 1], 0755) != 0 && errno != EEXIST) {
        diag_add(&session->diagnostics, DIAG_ERROR, argv[first + 1], 0, 0, "cannot make the folder: %s",
                 strerror(errno));
        return EXIT_USAGE;
    }
    return write_cases(session, judge, seed, argv[first + 1]) ? EXIT_FINE : EXIT_INTERNAL;
}
