/* check_command.c - checks a file as a command asks for it, and prints what came out; the command check, for
 * any file. See check_command.h.
 */
#include "autograder/commands/check_command.h"

#include "autograder/check/check.h"
#include "autograder/course/work.h"
#include "autograder/screen/coach.h"
#include "autograder/screen/show.h"
#include "autograder/texts.h"
#include "autograder/verdict/worker.h"
#include "base/json.h"
#include "base/escape.h"
#include "base/picture.h"
#include "base/seed.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_SOURCE = 1 << 20 };

/* Inside the sandbox the file has its own name when that is a plain one, so that __FILE__ looks familiar. */
static const char *plain_file_name(const char *path, const Lesson *lesson, Arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *name = path;
    if (slash != NULL) name = slash + 1;
    bool plain = text_ends_with(name, ".cu") && strlen(name) < 100 && name[0] != '-' && name[0] != '.';
    for (const char *at = name; *at != '\0'; at++)
        plain = plain && (isalnum((unsigned char)*at) || strchr("._-+", *at) != NULL);
    if (plain) return name;
    return arena_format(arena, "%s.cu", lesson->name);
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
    if (strcmp(verdict, "fail") == 0) return EXIT_FOUND;
    return EXIT_INTERNAL;
}

/* False when the result has no form there: what could not be decided, in a format that knows only scores. */
static bool print_formatted(Session *session, const CheckOrder *order, struct json_object *result) {
    Text out = text_new();
    bool written = session->format_result(session, order->format, result, &out);
    commands_write(&out);
    return written;
}

/* The same result for programs and for people. */
static void print_result(const Session *session, const CheckOrder *order, struct json_object *result,
                         const char *source) {
    Text out = text_new();
    if (order->json) {
        text_add(&out, json_object_to_json_string_ext(result, JSON_C_TO_STRING_PRETTY |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE));
        text_add(&out, "\n");
        commands_write(&out);
        return;
    }
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    show_result(result, source, &style, &out);
    if (order->grade) {
        say_order(&out, ORDER_SEED, &(OrderFacts){.seed = order->seed});
        text_add(&out, "\n");
    }
    commands_print(&out);
}

static void say_learnt(const Session *session, const CheckOrder *order, struct json_object *result) {
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out = text_new();
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
                     .remedy = plain_submission(SUBMISSION_REMEDY)};
    struct json_object *object = result_to_json(&result);
    print_result(session, order, object, "");
    json_object_put(object);
    return EXIT_USAGE;
}

/* A wrong answer of a kernel that stands first has nothing that explains it. */
static bool is_unexplained(struct json_object *finding) {
    return strcmp(json_text(finding, "kind", ""), "wrong-answer") == 0 &&
           *json_text(finding, "kernel", "") != '\0';
}

/* A race or a missed barrier is something that threads do to each other: there a picture says more than
 * words. So it does where nobody knows what is wrong. */
static bool is_drawable(struct json_object *result) {
    struct json_object *findings = json_array(result, "findings");
    if (json_length(findings) > 0 && is_unexplained(json_object_array_get_idx(findings, 0))) return true;
    JSON_EACH(finding, findings) {
        const char *kind = json_text(finding, "kind", "");
        if (strstr(kind, "race") != NULL || strstr(kind, "divergence") != NULL) return true;
    }
    return false;
}

/* The command that makes the picture again. */
static const char *again_words(Session *session, const CheckOrder *order) {
    if (order->only_picture)
        return arena_format(session->arena, "make picture LESSON=%.2s", order->lesson->name);
    Text words = text_new();
    text_format(&words, "warpschool check %.2s ", order->lesson->name);
    escape_shell_word(&words, order->path);
    text_add(&words, " --picture ");
    escape_shell_word(&words, order->picture);
    return arena_keep(session->arena, &words);
}

/* The result carries the picture's data; the page is made here, with the source that was checked. */
static bool write_picture(Session *session, const CheckOrder *order, struct json_object *result,
                          const char *source) {
    const char *data = json_text(result, "picture", "");
    if (*data == '\0') {
        if (order->only_picture) commands_say(plain_order(ORDER_NO_PICTURE));
        return true;
    }
    Text page = text_new();
    const PictureCommand again = {again_words(session, order), NULL, .variables = order->only_picture};
    picture_page(&page, data, order->path, source, &again);
    bool written = !page.failed && text_write_file(order->picture, page.bytes, page.length);
    text_free(&page);
    if (written && order->only_picture)
        commands_say_beside(
            TOLD_ORDER(PICTURE, session->arena, .path = work_shown_path(session->arena, order->picture)), 4,
            plain_order(ORDER_OPEN));
    else if (!written)
        diag_add(&session->diagnostics, DIAG_ERROR, order->picture, 0, 0, "%s",
                 TOLD_ORDER(UNWRITTEN, session->arena, .why = strerror(errno)));
    return written;
}

/* The last event: the result, and what is said beside it. */
static void print_last_event(const Session *session, struct json_object *result) {
    struct json_object *event = json_object_new_object();
    json_put_text(event, "event", "result");
    json_put_flag(event, "drawable", is_drawable(result));
    json_put_flag(event, "unlocked",
                  session->sandbox == NULL && text_same(json_text(result, "sandbox", ""), "none"));
    json_object_object_add(event, "result", json_object_get(result));
    Text line = text_new();
    text_add(&line,
             json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_add(&line, "\n");
    json_object_put(event);
    commands_write(&line);
}

static void say_unlocked(Session *session, struct json_object *refused) {
    commands_say(TOLD_ORDER(FORBIDDEN, session->arena, .why = json_text(refused, "problem", NULL)));
    commands_say(plain_order(ORDER_UNLOCKED));
    printf("\n");
    fflush(stdout);
}

/* Again, without a sandbox, since the system allows none: that is for the learner's own file, and said. */
static struct json_object *check_unlocked(Session *session, WorkerOrder *work, struct json_object *refused) {
    if (!work->events) say_unlocked(session, refused);
    json_object_put(refused);
    work->unlocked = true;
    return worker_check(work);
}

static bool asks_for(const CheckOrder *order, const char *device) {
    return order->device != NULL && strcmp(order->device, device) == 0;
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
                        .events = order->events,
                        .bounded = order->bounded,
                        .isolated = order->grade,
                        .revealed = order->reveal,
                        .picture = order->picture != NULL ? &order->choice : NULL,
                        .unlocked = session->sandbox != NULL && strcmp(session->sandbox, "none") == 0,
                        .on_card = asks_for(order, "cuda")};
    CgroupBase groups;
    fflush(stdout);
    if (order->grade || order->bounded) cgroup_claim(&groups, "/proc/self");
    struct json_object *result = worker_check(&work);
    bool forbidden = strcmp(json_text(result, "sandbox", ""), STAGE_FORBIDDEN) == 0;
    if (forbidden && order->own && session->sandbox == NULL) return check_unlocked(session, &work, result);
    return result;
}

/* The card's result becomes a member of the software GPU's, which is on the screen by then. A file that does
 * not compile is told once. */
static void ask_card(const Course *course, const CheckOrder *order, const Judge *judge,
                     Submission *submission, struct json_object *result) {
    const WorkerOrder work = {.course = course,
                              .lesson = order->lesson,
                              .judge = judge,
                              .submission = submission,
                              .seed = order->seed,
                              .on_card = true,
                              .unlocked = strcmp(json_text(result, "sandbox", ""), "none") == 0};
    if (!asks_for(order, "both") || !result_has_program(result)) return;
    fflush(stdout);
    json_object_object_add(result, "card", worker_check(&work));
}

/* Below what the software GPU has said. */
static void print_card(const Session *session, struct json_object *result) {
    const ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out = text_new();
    show_card(result, &style, &out);
    commands_print(&out);
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
    const bool for_programs = order->json || order->events || order->format != NULL;
    if (for_programs) ask_card(course, order, judge, submission, result);
    if (order->events)
        print_last_event(session, result);
    else if (order->format != NULL)
        written &= print_formatted(session, order, result);
    else if (!order->only_picture || status == EXIT_INTERNAL)
        print_result(session, order, result, source);
    if (!for_programs) {
        ask_card(course, order, judge, submission, result);
        print_card(session, result);
    }
    if (order->kind != NULL && status == EXIT_FINE && !order->events) say_learnt(session, order, result);
    json_object_put(result);
    if (written) return status;
    return EXIT_INTERNAL;
}

/* The file is read here, and only then is anything done with it; one that cannot be read has a result, too.
 */
int check_command_file(Session *session, const Course *course, const CheckOrder *order) {
    const Judge *judge = judges_find(session->judges, order->lesson->name);
    if (judge == NULL) {
        diag_add(&session->diagnostics, DIAG_ERROR, order->lesson->name, 0, 0, "%s",
                 plain_order(ORDER_NO_JUDGE));
        return EXIT_INTERNAL;
    }
    Submission submission;
    int status;
    if (read_submission(session, order, &submission))
        status = judge_file(session, course, order, judge, &submission);
    else
        status = refuse_file(session, order);
    text_free(&submission.source);
    return status;
}

/* An option's value that there is not, and what there is; always false. */
static bool refuse_option(Session *session, const char *what, const char *remedy) {
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", what), remedy);
}

bool check_command_knows_device(Session *session, const char *device) {
    static const char *const known[] = {"soft", "cuda", "both"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (device == NULL || strcmp(device, known[i]) == 0) return true;
    return refuse_option(session, TOLD_ORDER(DEVICE, session->arena, .name = device),
                         plain_order(ORDER_DEVICE_REMEDY));
}

bool check_command_knows_sandbox(Session *session) {
    const char *which = session->sandbox;
    if (which == NULL || strcmp(which, "full") == 0 || strcmp(which, "none") == 0) return true;
    return refuse_option(session, TOLD_ORDER(SANDBOX, session->arena, .name = which),
                         plain_order(ORDER_SANDBOX_REMEDY));
}

/* Options that contradict each other; and the seed, which is drawn for grading unless one is given.
 * EXIT_FINE, or the status to end with. */
static int settle_order(Session *session, CheckOrder *order) {
    if (order->grade && session->sandbox != NULL && strcmp(session->sandbox, "none") == 0) {
        refuse_option(session, plain_order(ORDER_GRADE), plain_order(ORDER_GRADE_REMEDY));
        return EXIT_USAGE;
    }
    if (!check_command_knows_device(session, order->device)) return EXIT_USAGE;
    if (order->grade && (asks_for(order, "cuda") || asks_for(order, "both"))) {
        refuse_option(session, plain_card(CARD_GRADED), plain_card(CARD_GRADED_REMEDY));
        return EXIT_USAGE;
    }
    if (order->reveal && !order->grade) {
        refuse_option(session, plain_order(ORDER_REVEAL), plain_order(ORDER_REVEAL_REMEDY));
        return EXIT_USAGE;
    }
    if (order->seed == LONG_MIN && !order->grade) order->seed = 0;
    if (order->seed == LONG_MIN && !seed_draw(&order->seed, &session->diagnostics)) return EXIT_INTERNAL;
    if (order->seed < 0) {
        refuse_option(session, plain_order(ORDER_LOW_SEED), NULL);
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

int check_command_run(Session *session, int argc, char **argv) {
    CheckOrder order = {.seed = LONG_MIN, .choice = PICTURE_ANYTHING}; /* not given */
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
        PICTURE_OPTIONS("picture-", order.choice),
        {OPTION_FLAG, 0, "times", NULL, "print the seconds of each phase", &order.times},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 2, 2);
    if (first < 0 || !check_command_knows_sandbox(session) ||
        !picture_check_choice(&order.choice, "picture-", &session->diagnostics))
        return EXIT_USAGE;
    if (order.format != NULL && !session->format_result(session, order.format, NULL, NULL)) return EXIT_USAGE;
    int status = settle_order(session, &order);
    if (status != EXIT_FINE) return status;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    order.lesson = lessons_find(&course, argv[first], &session->diagnostics);
    order.path = argv[first + 1];
    if (order.lesson == NULL) return EXIT_USAGE;
    return check_command_file(session, &course, &order);
}
