/* card_run.c - the cases on the card: one program for as many as go well, a new one behind each that does
 * not; see card_parts.h. */
#include "autograder/card/card_parts.h"

#include "autograder/check/settings.h"
#include "autograder/run/ranks.h"
#include "autograder/texts.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_PROGRAMS = 8,   /* that do not go well */
    CONTEXT_SECONDS = 5, /* until a program has the card, beside what the manifest allows */
    PROGRAM_PROCESSES = 64,
    ANSWERS_MIB = 64,
    SCRATCH_MIB = 256, /* the driver's cache of compiled code lies there */
    FLOOD_FACTOR = 16
};

/* What a program of some cases needs. */
typedef struct Going {
    Check *check;
    const Card *card;
    CardEnd *ends;
    unsigned first, end; /* the cases of this program: all that are run in the same way */
    Child child;
} Going;

/* Nodes of the driver (its documentation, "Device nodes") and of the cards. LIMIT: which of them the program
 * uses is said by CUDA_VISIBLE_DEVICES alone, which a program can change; only a cluster that takes the other
 * cards away from its jobs (Slurm's ConstrainDevices) keeps it from them. */
static const char *const *device_nodes(Arena *arena) {
    static const char *const patterns[] = {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
                                           "/dev/nvidia[0-9]"};
    enum { MOST = CARD_MOST + 4 };
    const char **nodes = ARENA_ARRAY(arena, MOST + 1, const char *);
    size_t count = 0;
    for (size_t i = 0; nodes != NULL && i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0) continue;
        for (size_t j = 0; j < found.gl_pathc && count < MOST; j++)
            nodes[count++] = arena_string(arena, found.gl_pathv[j]);
        globfree(&found);
    }
    return nodes;
}

static const char *const *program_words(const Going *going) {
    Arena *arena = going->check->arena;
    const Check *check = going->check;
    const char **argv = ARENA_ARRAY(arena, going->end - going->first + 6, const char *);
    if (argv == NULL) return NULL;
    size_t count =
        ranks_add_words(check, going->first, ranks_to_start(check, going->first, going->end), argv);
    argv[count++] = "/object/program";
    argv[count++] = "/answers";
    for (unsigned i = going->first; i < going->end; i++)
        argv[count++] = arena_format(arena, "/cases/%02u", i);
    return argv;
}

static bool has_ranks(const Going *going) {
    return going->check->settings[going->first].ranks > 0;
}

/* "0,1": as many cards as the case has devices. */
static const char *visible_cards(const Going *going) {
    Text list = text_new();
    for (int64_t i = 0; i < going->check->settings[going->first].devices; i++)
        text_format(&list, i > 0 ? ",%u" : "%u", going->card->numbers[i]);
    return arena_keep(going->check->arena, &list);
}

static bool start(Going *going) {
    const Check *check = going->check;
    const Manifest *manifest = &check->lesson->manifest;
    enum { ALWAYS = 4, MOST = 6 };
    SandboxBind binds[MOST + 1] = {{STAGE "/scratch0", "/tmp", true, false},
                                   {STAGE "/object", "/object", false, false},
                                   {STAGE "/cases0", "/cases", false, false},
                                   {CARD_ANSWERS, "/answers", true, false}};
    size_t count = ALWAYS;
    if (has_ranks(going)) binds[count++] = (SandboxBind){STAGE "/scratch0", RANKS_SHARED, true, false};
    binds[count] = card_show_toolkit(going->card);
    const size_t capture = (size_t)manifest->limit_output_kib * 1024;
    const SandboxPlan plan = {
        .argv = program_words(going),
        .binds = binds,
        .devices = device_nodes(check->arena),
        .environment = ranks_environment(check->arena, "CUDA_VISIBLE_DEVICES", visible_cards(going)),
        .hidden = check->course->root,
        .folder = "/answers",
        .with_proc = true,
        .filter = has_ranks(going) ? FILTER_FOR_RANKS : FILTER_FOR_CARD,
        /* A context reserves more addresses than there is memory: no limit can be set. */
        .limits = {.cpu_seconds = manifest->limit_seconds + CONTEXT_SECONDS,
                   .processes = PROGRAM_PROCESSES,
                   .file_mib = ANSWERS_MIB,
                   .files = 256},
        .extra_fd = -1,
        .capture_limit = capture,
        .flood_limit = capture * FLOOD_FACTOR};
    return plan.argv != NULL && plan.devices != NULL && plan.environment != NULL &&
           sandbox_start(&going->child, &check->stage, &plan);
}

/* ---- how it ended ---- */

static bool was_begun(unsigned index) {
    char path[64];
    snprintf(path, sizeof path, CARD_ANSWERS "/%02u", index);
    return access(path, F_OK) == 0;
}

static CardEnd end_of(const Going *going) {
    Arena *arena = going->check->arena;
    const Child *child = &going->child;
    const Text *said = &child->streams[1]; /* at its end, as a rule, what CHECK says of a CUDA error */
    const bool ranks = has_ranks(going);
    int signal = sandbox_signal(child);
    if (signal == 0 && ranks) signal = ranks_signal(&child->streams[0]); /* mpiexec itself has ended well */
    if (signal == SIGKILL && ranks) signal = 0; /* one of the others, which mpiexec has stopped */
    size_t length;
    if (ranks)
        length = ranks_words_begin(said);
    else
        length = said->length;
    const CardFacts facts = {.printed = check_last_line(arena, said->bytes, length),
                             .status = sandbox_exit_status(child),
                             .signal = strsignal(signal)};
    if (!child->ended)
        return (CardEnd){CASE_TIMEOUT,
                         told_card(arena, child_floods(child) ? CARD_FLOODED : CARD_STOPPED, &facts)};
    switch (signal) {
    case 0:
        return (CardEnd){CASE_EXIT, told_card(arena, CARD_EXITED, &facts)};
    case SIGXCPU:
        return (CardEnd){CASE_TIMEOUT, told_card(arena, CARD_STOPPED, &facts)};
    case SIGSYS:
        return (CardEnd){CASE_CRASH, plain_card(CARD_FORBIDDEN)};
    default:
        return (CardEnd){CASE_CRASH, told_card(arena, CARD_CRASHED, &facts)};
    }
}

/* Until the program has ended, or had its time, in which nobody counts who waits for a processor: ranks on a
 * busy machine wait for each other's. */
static void await_end(Going *going) {
    static const double pause = 0.2;
    Child *const children[] = {&going->child};
    const double limit = (double)going->check->lesson->manifest.limit_seconds + (double)CONTEXT_SECONDS;
    ChildClock clock = {.most = (double)CHILD_MOST_WAITING * limit};
    const double deadline = child_clock_now(&clock) + limit;
    while (!going->child.ended && !child_floods(&going->child) && child_clock_now(&clock) < deadline) {
        child_watch(children, 1, child_now() + pause);
        child_clock_look(&clock, child_times(&going->child));
    }
}

/* Runs one program; the case behind the one in which it ended. */
static unsigned go(Going *going, bool *well) {
    await_end(going);
    unsigned last = going->first;
    for (unsigned i = going->first; i < going->end; i++)
        if (was_begun(i)) last = i;
    for (unsigned i = going->first; i < last; i++)
        going->ends[i] = (CardEnd){CASE_PASS, ""};
    *well = going->child.ended && last + 1 == going->end && sandbox_exit_status(&going->child) == 0;
    going->ends[last] = *well ? (CardEnd){CASE_PASS, ""} : end_of(going);
    const Text *said = &going->child.streams[0];
    size_t length;
    if (has_ranks(going))
        length = ranks_words_begin(said);
    else
        length = said->length;
    if (going->check->result->output == NULL && length > 0)
        going->check->result->output = check_last_line(going->check->arena, said->bytes, length);
    if (!going->child.ended) child_kill(&going->child);
    child_free(&going->child);
    return last + 1;
}

/* ---- all cases ---- */

/* A case that this machine cannot run; false when it can. */
static bool leave_out(const Going *going, unsigned index) {
    const CaseSettings *settings = &going->check->settings[index];
    const CardFacts facts = {.devices = (SayCount)settings->devices, .cards = going->card->count};
    if (settings->devices <= going->card->count) return false;
    going->ends[index] = (CardEnd){CASE_NOT_RUN, told_card(going->check->arena, CARD_FEWER, &facts)};
    return true;
}

static unsigned end_of_cases(const Check *check, unsigned first) {
    unsigned end = first + 1;
    while (end < check->judge->case_count && settings_agree(check, first, end))
        end++;
    return end;
}

static bool make_room(Check *check) {
    return stage_add_output(&check->stage, STAGE_FOR_PROGRAM, CARD_ANSWERS, ANSWERS_MIB,
                            check->diagnostics) &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, STAGE "/scratch0", SCRATCH_MIB,
                            check->diagnostics);
}

bool card_run(Check *check, const Card *card, CardEnd *ends) {
    if (!make_room(check)) return false;
    Going going = {.check = check, .card = card, .ends = ends};
    unsigned failed = 0;
    for (unsigned next = 0; next < check->judge->case_count;) {
        if (failed == MOST_PROGRAMS) {
            ends[next++] = (CardEnd){CASE_NOT_RUN, plain_card(CARD_CRASHED_OFTEN)};
            continue;
        }
        if (leave_out(&going, next)) {
            next++;
            continue;
        }
        going.first = next;
        going.end = end_of_cases(check, next);
        bool well = false;
        if (!start(&going)) {
            diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot start the program: %s",
                     strerror(errno));
            return false;
        }
        next = go(&going, &well);
        failed += !well;
    }
    return true;
}
