/* debug.c - `debug`: the learner's own kernel in the debugger, in the first case in which something is wrong.
 *
 * The program is built without optimisation and without a sandbox, as any program of theirs; it lies with the
 * cases' inputs in work/.debug/NN-name. Each case is tried as a check runs it, in both of its orders, until
 * one run is not as it should be: it is that run which the debugger repeats. Editors have it prepared
 * (--prepare), and read from launch.json there how it is run.
 */
#include "autograder/check/cases.h"
#include "autograder/check/seeds.h"
#include "autograder/check/settings.h"
#include "autograder/commands/learner_parts.h"
#include "autograder/course/work.h"
#include "autograder/sandbox/child.h"
#include "autograder/screen/show.h"
#include "autograder/texts.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMPILE_SECONDS = 120, TRIAL_SECONDS = 30, CAPTURE = 1 << 16 };

/* What is debugged, and how it is run. */
typedef struct Debugged {
    Session *session;
    Desk desk;
    const char *folder; /* work/.debug/NN-name */
    const Judge *judge;
    Check check; /* of which cases and settings are used */
    unsigned index, schedule;
    bool found;          /* the run ends with an error of warpgrind's */
    const char *message; /* of the judge, on an answer that is wrong; NULL */
} Debugged;

static const char *in_folder(const Debugged *debugged, const char *name) {
    return arena_format(debugged->session->arena, "%s/%s", debugged->folder, name);
}

static int fail(Debugged *debugged, const char *why) {
    diag_add(&debugged->session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
             TOLD_DEBUG(FAILED, debugged->session->arena, .lesson = debugged->desk.lesson->name, .why = why));
    return EXIT_INTERNAL;
}

static DebugFacts facts_of(const Debugged *debugged) {
    return (DebugFacts){.lesson = debugged->desk.lesson->name,
                        .number = learner_number(debugged->session, debugged->desk.lesson),
                        .message = debugged->message,
                        .place = debugged->judge->cases[debugged->index].name};
}

/* ---- the folder and the program ---- */

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *place) {
    (void)status;
    (void)flag;
    (void)place;
    return remove(path);
}

/* Made anew: answers of a run before would be taken for those of this one. */
static bool make_folder(Debugged *debugged) {
    enum { OPEN_FOLDERS = 16 };
    Arena *arena = debugged->session->arena;
    const char *all = arena_format(arena, "%s/work/.debug", debugged->desk.course.root);
    debugged->folder = arena_format(arena, "%s/%s", all, debugged->desk.lesson->name);
    if (all == NULL || debugged->folder == NULL) return false;
    nftw(debugged->folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    if ((mkdir(all, 0755) != 0 && errno != EEXIST) || mkdir(debugged->folder, 0755) != 0) return false;
    return mkdir(in_folder(debugged, "answers"), 0755) == 0 && mkdir(in_folder(debugged, "cases"), 0755) == 0;
}

/* Runs a command in the folder. What it prints goes nowhere, or with `told` to stderr. The exit status; 128:
 * it did not end by itself. */
static int run_command(const Debugged *debugged, const char *const *argv, int seconds, bool told) {
    Child child, *const children[] = {&child};
    const ChildSetup setup = {.argv = argv,
                              .environment = (const char *const *)environ,
                              .folder = debugged->folder,
                              .extra_fds = {-1, -1},
                              .user = (uid_t)-1,
                              .capture_limit = CAPTURE};
    if (!child_start(&child, &setup)) return 128;
    const double deadline = child_now() + seconds;
    while (!child.ended && child_now() < deadline)
        child_watch(children, 1, deadline);
    if (told) fwrite(child.streams[1].bytes, 1, child.streams[1].length, stderr);
    int status = 128;
    if (!child.ended)
        child_kill(&child);
    else if (WIFEXITED(child.status))
        status = WEXITSTATUS(child.status);
    child_free(&child);
    return status;
}

static bool compile(const Debugged *debugged, const char *source) {
    Arena *arena = debugged->session->arena;
    const char *build = debugged->desk.course.build;
    const char *const argv[] = {
        arena_format(arena, "%s/bin/warpcc", build),
        "-O0",
        "-o",
        in_folder(debugged, "program"),
        source,
        lessons_built(&debugged->desk.course, debugged->desk.lesson, "driver.o", arena),
        arena_format(arena, "%s/lib/libdriver.a", build),
        NULL};
    return run_command(debugged, argv, COMPILE_SECONDS, true) == EXIT_FINE;
}

/* ---- the run that is not as it should be ---- */

static const char *folder_of_case(const Debugged *debugged, unsigned index, unsigned schedule) {
    return arena_format(debugged->session->arena, "cases/%02u-%u", index, schedule);
}

/* The inputs of all cases that students see, for both orders. */
static bool prepare_cases(Debugged *debugged) {
    Check *check = &debugged->check;
    const Seeds seeds = seeds_plain(0);
    for (unsigned k = 0; k < CHECK_SCHEDULES; k++) {
        check->cases[k] = ARENA_ARRAY(check->arena, check->judge->case_count + 1, JudgeCase);
        for (unsigned i = 0; i < check->judge->case_count; i++) {
            const char *folder = in_folder(debugged, folder_of_case(debugged, i, k));
            JudgeCase *judged = &check->cases[k][i];
            if (!cases_prepare(judged, check->judge, i, seeds_of_case(&seeds, i, k), check->arena))
                return false;
            if (!cases_write(judged, folder, check->diagnostics)) return false;
        }
    }
    return settings_read(check);
}

/* One run of one case, as the debugger will repeat it; the words are those of both. */
typedef struct RunWords {
    const char *seed, *order, *devices, *folder;
} RunWords;

static RunWords words_of(const Debugged *debugged, unsigned index, unsigned schedule) {
    Arena *arena = debugged->session->arena;
    const Seeds seeds = seeds_plain(0);
    return (RunWords){.seed = arena_format(arena, "--seed=%ld", seeds_of_order(&seeds, schedule)),
                      .order = schedule == 0 ? "--stream-order=late" : "--stream-order=early",
                      .devices =
                          arena_format(arena, "--devices=%d", (int)debugged->check.settings[index].devices),
                      .folder = folder_of_case(debugged, index, schedule)};
}

/* Whether something is wrong with this run: warpgrind says so, or the judge by its answers. */
static bool goes_wrong(Debugged *debugged, unsigned index, unsigned schedule) {
    const RunWords words = words_of(debugged, index, schedule);
    const char *const argv[] = {
        arena_format(debugged->session->arena, "%s/bin/warpgrind", debugged->desk.course.build),
        "--quiet",
        words.seed,
        words.order,
        words.devices,
        in_folder(debugged, "program"),
        "answers",
        words.folder,
        NULL};
    const int status = run_command(debugged, argv, TRIAL_SECONDS, false);
    debugged->index = index;
    debugged->schedule = schedule;
    debugged->found = status != EXIT_FINE;
    debugged->message = NULL;
    if (debugged->found) return true;
    const char *answers = arena_format(debugged->session->arena, "%s/answers/%s", debugged->folder,
                                       words.folder + strlen("cases/"));
    const int folder = open(answers, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const JudgeDecision decision =
        cases_decide(&debugged->check.cases[schedule][index], debugged->judge, folder);
    if (folder >= 0) close(folder);
    if (!decision.passed) debugged->message = decision.message;
    return !decision.passed;
}

/* The next case by size, of those that are still to come; those without a size come last. */
static unsigned take_smallest(const Judge *judge, bool *taken) {
    unsigned smallest = judge->case_count;
    for (unsigned i = 0; i < judge->case_count; i++) {
        const JudgeCaseSpec *spec = &judge->cases[i], *so_far = &judge->cases[smallest];
        if (taken[i]) continue;
        if (smallest == judge->case_count || (spec->n > 0 && (so_far->n == 0 || spec->n < so_far->n)))
            smallest = i;
    }
    taken[smallest] = true;
    return smallest;
}

/* The smallest case that goes wrong is the easiest to follow. What is found goes before an answer that is
 * wrong: it may well be its cause. Nothing: the first case. */
static void find_run(Debugged *debugged) {
    const unsigned count = debugged->judge->case_count;
    bool *taken = ARENA_ARRAY(debugged->session->arena, count + 1, bool);
    Debugged wrong = {0};
    for (unsigned i = 0; taken != NULL && i < count * CHECK_SCHEDULES; i++) {
        const unsigned k = i % CHECK_SCHEDULES;
        if (!goes_wrong(debugged, k == 0 ? take_smallest(debugged->judge, taken) : debugged->index, k))
            continue;
        if (debugged->found) return;
        if (wrong.message == NULL) wrong = *debugged;
    }
    debugged->index = wrong.index;
    debugged->schedule = wrong.schedule;
    debugged->found = false;
    debugged->message = wrong.message;
}

/* ---- the debugger ---- */

/* For an editor: the members of `launch` that depend on the run. */
static bool write_settings(const Debugged *debugged) {
    const Seeds seeds = seeds_plain(0);
    json_object *settings = json_object_new_object(), *args = json_object_new_array();
    json_object_array_add(args, json_object_new_string("answers"));
    json_object_array_add(
        args, json_object_new_string(folder_of_case(debugged, debugged->index, debugged->schedule)));
    json_object_object_add(settings, "args", args);
    json_put_text(settings, "cwd", debugged->folder);
    json_put_number(settings, "seed", seeds_of_order(&seeds, debugged->schedule));
    json_put_number(settings, "devices", debugged->check.settings[debugged->index].devices);
    json_put_text(settings, "streamOrder", debugged->schedule == 0 ? "late" : "early");
    json_put_flag(settings, "stopOnEntry", !debugged->found);
    const char *text = json_object_to_json_string_ext(settings, JSON_C_TO_STRING_PRETTY);
    bool written = text_write_file(in_folder(debugged, "launch.json"), text, strlen(text));
    json_object_put(settings);
    const char *begin = "start\n";
    if (debugged->found) begin = "run\n";
    return written && text_write_file(in_folder(debugged, "begin"), begin, strlen(begin));
}

static void tell(const Debugged *debugged, DebugText text) {
    const DebugFacts facts = facts_of(debugged);
    const ShowStyle style = show_style(STDOUT_FILENO, debugged->session->colour);
    const char *words = told_debug(debugged->session->arena, text, &facts);
    Text out = text_new();
    if (words != NULL) show_paragraph(words, "", &style, &out);
    commands_print(&out);
    fflush(stdout);
}

static void say_what(const Debugged *debugged) {
    if (debugged->found)
        tell(debugged, DEBUG_FOUND);
    else if (debugged->message != NULL)
        tell(debugged, DEBUG_WRONG);
    else
        tell(debugged, DEBUG_RIGHT);
}

static int become_debugger(Debugged *debugged) {
    const RunWords words = words_of(debugged, debugged->index, debugged->schedule);
    const char *warpgrind =
        arena_format(debugged->session->arena, "%s/bin/warpgrind", debugged->desk.course.build);
    const char *const argv[] = {warpgrind,     "debug",     "-x",      "begin",      words.seed, words.order,
                                words.devices, "./program", "answers", words.folder, NULL};
    if (warpgrind != NULL && chdir(debugged->folder) == 0) execv(warpgrind, (char *const *)argv);
    return fail(debugged, strerror(errno));
}

static int debug_lesson(Debugged *debugged, bool prepare) {
    Session *session = debugged->session;
    bool made;
    const char *source =
        work_file(&debugged->desk.course, debugged->desk.lesson, &made, &session->diagnostics);
    if (source == NULL) return EXIT_INTERNAL;
    if (!make_folder(debugged)) return fail(debugged, strerror(errno));
    if (!compile(debugged, source)) {
        tell(debugged, DEBUG_UNCOMPILED);
        return EXIT_FOUND;
    }
    if (!prepare_cases(debugged)) return EXIT_INTERNAL;
    find_run(debugged);
    if (!write_settings(debugged)) return fail(debugged, strerror(errno));
    say_what(debugged);
    if (prepare) return EXIT_FINE;
    return become_debugger(debugged);
}

int debug_run(Session *session, int argc, char **argv) {
    bool prepare = false;
    const Option options[] = {
        {OPTION_FLAG, 0, "prepare", NULL, "only build the program and its inputs, for an editor", &prepare},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0) return EXIT_USAGE;
    Debugged debugged = {.session = session};
    int status = learner_open_desk(session, &debugged.desk, first < argc ? argv[first] : "");
    if (status != EXIT_FINE) return status;
    if (debugged.desk.lesson == NULL) debugged.desk.lesson = &debugged.desk.course.lessons[0];
    const Lesson *lesson = debugged.desk.lesson;
    const Judge *judge = judges_find(session->judges, lesson->name);
    if (judge != NULL)
        debugged.judge = judges_without_hidden(judge, session->arena);
    else
        debugged.judge = NULL;
    if (debugged.judge == NULL) return fail(&debugged, plain_order(ORDER_NO_JUDGE));
    debugged.check = (Check){.arena = session->arena,
                             .course = &debugged.desk.course,
                             .lesson = lesson,
                             .judge = debugged.judge,
                             .diagnostics = &session->diagnostics};
    if (lesson->manifest.ranks.text == NULL) return debug_lesson(&debugged, prepare);
    tell(&debugged, DEBUG_RANKS);
    return EXIT_FOUND;
}
