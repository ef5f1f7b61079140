/* run.c - starts pairs of device and program, watches all of them in one loop, and finds out how each case
 * ended; see run.h.
 *
 * A schedule is in one of three states: its program runs; the program is gone and the device writes its
 * report; done. Which case a program was in shows in the answers' folders that its driver made.
 */
#include "autograder/run.h"

#include "autograder/hidden.h"
#include "autograder/ranks.h"
#include "autograder/sandbox.h"
#include "autograder/settings.h"
#include "autograder/texts.h"
#include "base/json.h"
#include "base/marks.h"
#include "base/halt.h"
#include "base/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    REPORT_SECONDS = 5, /* for a device to write its report when the program is gone */
    LATE_SECONDS = 1,   /* the same, when the time of all is up */
    REAP_SECONDS = 5,   /* for the last processes to die */
    /* Processor time beyond the time allowed: the clock ends a program first, and the limit of what it may
       use is there for several threads. */
    PROGRAM_SPARE_SECONDS = 5,
    ANSWERS_MIB = 64,
    SCRATCH_MIB = 64,
    CARD_SHARE = 4,      /* of the memory that the manifest allows, the part that is the card's */
    ADDRESSES_SHARE = 8, /* addresses that a device may reserve beside that, by the same measure */
    REPORTS_MIB = 128,
    LARGEST_REPORT = 32 << 20,
    LARGEST_SENT = 80 << 20, /* the device keeps 64 MiB, and what tells them apart */
    DEVICE_CAPTURE = 1 << 16,
    FLOOD_FACTOR = 16, /* printing this many times the limit is printing without end */
    LARGEST_SHOWN = 4096,
    PROGRAM_PROCESSES = 64,
    DEVICE_PROCESSES = 8, /* itself, the reader of the program's debug information, and those of earlier
                             devices that are about to end */
    GROUP_SPARE_MIB =
        256, /* of a group, beyond what its processes may have: files in memory, the kernel's share */
    PROGRAM_SPARE_MIB = 1024 /* addresses of libraries, the window, and stacks */
};

/* Where a pair of program and device is: both run, the program is gone and the report is awaited, or nothing
 * is left to do. */
typedef enum RunState { STATE_RUNNING, STATE_REPORTING, STATE_DONE } RunState;

/* A schedule while it runs: its current pair, and the time that is left to all of them together. */
typedef struct Running {
    Check *check;
    Schedule *schedule;
    RunState state;
    unsigned deaths; /* of programs that did not get to the end of their cases */
    Child devices[RUN_MOST_RANKS], program;
    Cgroup device_group, program_group;
    long device_kills, program_kills; /* of theirs, those that earlier pairs had */
    unsigned ranks;                   /* of the program, each with a device process of its own */
    ChildClock clock;                 /* the schedule's own */
    double deadline;                  /* of the schedule's programs together, by its own clock */
    double report_deadline;           /* by the same */
    bool halted;                      /* the devices were told to end what they run */
    const char *report_paths[RUN_MOST_RANKS], *sent_paths[RUN_MOST_RANKS];
} Running;

static bool fault(const Check *check, const char *what) {
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot %s: %s", what, strerror(errno));
    return false;
}

/* The schedule's own clock, which stands while its processes wait for a processor. */
static double own_now(const Running *running) {
    return child_clock_now(&running->clock);
}

static void note_waiting(Running *running) {
    ChildTimes all = child_times(&running->program);
    for (unsigned i = 0; i < running->ranks; i++) {
        ChildTimes times = child_times(&running->devices[i]);
        all.ran += times.ran;
        all.waited += times.waited;
    }
    child_clock_look(&running->clock, all);
}

/* The pair that runs; those before it have ended. */
static Pair *current_pair(const Running *running) {
    return &running->schedule->pairs[running->schedule->pair_count];
}

/* ---- starting ---- */

/* A pipe that holds the schedule's seed, for the device to read: everybody on the machine may read its
 * command line. -1 when there can be none. */
static int open_seed(const Schedule *schedule) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    bool written = dprintf(ends[1], "%ld", schedule->seed) > 0;
    close(ends[1]);
    if (written) return ends[0];
    close(ends[0]);
    return -1;
}

/* Where a device of the current pair leaves its report, or what it was sent. */
static const char *report_file(const Running *running, unsigned rank, const char *kind) {
    const Schedule *schedule = running->schedule;
    return arena_format(running->check->arena, STAGE "/reports/%u-%u-%u.%s", schedule->number,
                        schedule->pair_count, rank, kind);
}

/* The device's arguments; NULL without memory. Streams work late in the first schedule and early in the
 * second: a missing wait shows where they work late, one too few between streams where they work early. */
static const char *const *device_words(const Running *running, const char *report, const char *sent) {
    const Check *check = running->check;
    Arena *arena = check->arena;
    long mib = check->lesson->manifest.limit_memory_mib;
    int devices = (int)check->settings[current_pair(running)->first_case].devices;
    const char *order = running->schedule->number == 0 ? "late" : "early";
    const char *const words[] = {
        STAGE "/device/bin/warpgrind",
        "--serve=3",
        "--seed-fd=4",
        "--program=" STAGE "/object/program",
        arena_format(arena, "--steps=%ld000000", check->lesson->manifest.limit_million_steps),
        arena_format(arena, "--memory=%ld", mib / CARD_SHARE),
        arena_format(arena, "--own-memory=%ld", mib * ADDRESSES_SHARE),
        arena_format(arena, "--devices=%d", devices),
        arena_format(arena, "--report=%s", report),
        arena_format(arena, "--sent=%s", sent),
        arena_format(arena, "--stream-order=%s", order)};
    enum { COUNT = sizeof words / sizeof *words };
    const char **argv = ARENA_ARRAY(arena, COUNT + 2, const char *);
    for (size_t i = 0; argv != NULL && i < COUNT; i++) {
        if (words[i] == NULL) return NULL;
        argv[i] = words[i];
    }
    if (argv != NULL && check->picture) argv[COUNT] = "--picture=report";
    return argv;
}

/* A device for one rank, as another user, with the program's socket on descriptor 3. Its seed comes through a
 * pipe, since command lines can be read by everybody. */
static bool start_device(Running *running, unsigned rank, int socket) {
    const Check *check = running->check;
    Schedule *schedule = running->schedule;
    const char *report = report_file(running, rank, "json"), *sent = report_file(running, rank, "sent");
    running->report_paths[rank] = report;
    running->sent_paths[rank] = sent;
    const char *const *argv = report != NULL && sent != NULL ? device_words(running, report, sent) : NULL;
    if (argv == NULL) return false;
    int seed = open_seed(schedule);
    if (seed < 0) return false;
    bool started =
        child_start(&running->devices[rank], &(ChildSetup){.argv = argv,
                                                           .extra_fds = {socket, seed},
                                                           .group_entries = running->device_group.entries,
                                                           .group_count = running->device_group.count,
                                                           .user = check->stage.device_user,
                                                           .ignored_signal = HALT_SIGNAL,
                                                           .capture_limit = DEVICE_CAPTURE});
    close(seed);
    return started;
}

/* The case behind the last one of this program: all that are run in the same way, one after the other. */
static unsigned end_of_cases(const Running *running) {
    const Check *check = running->check;
    unsigned first = current_pair(running)->first_case, end = first + 1;
    while (!check->isolated && end < check->judge->case_count && settings_agree(check, first, end))
        end++;
    return end;
}

/* The program's arguments: the folder for answers, then the folders of the cases from this pair's first on.
 * */
static const char *const *program_words(const Running *running) {
    const Check *check = running->check;
    unsigned first = current_pair(running)->first_case;
    const char **argv = ARENA_ARRAY(check->arena, check->judge->case_count + 6, const char *);
    if (argv == NULL) return NULL;
    size_t count = ranks_add_words(check, first, running->ranks, argv);
    argv[count++] = "/object/program";
    argv[count++] = "/answers";
    for (unsigned i = first; i < end_of_cases(running); i++) {
        argv[count] = arena_format(check->arena, "/cases/%02u", i);
        if (argv[count++] == NULL) return NULL;
    }
    return argv;
}

/* The folder of inputs that the program gets, and its place inside: all cases, or, when each has a program of
 * its own, just the one. */
static void choose_inputs(const Running *running, const char **inputs, const char **place) {
    Arena *arena = running->check->arena;
    unsigned schedule = running->schedule->number, first = current_pair(running)->first_case;
    *inputs = arena_format(arena, STAGE "/cases%u", schedule);
    *place = "/cases";
    if (!running->check->isolated) return;
    *inputs = arena_format(arena, STAGE "/cases%u/%02u", schedule, first);
    *place = arena_format(arena, "/cases/%02u", first);
}

/* The student's program in the sandbox, with a device's socket for each rank as its only extra descriptors.
 */
static bool start_program(Running *running, const int *sockets) {
    const Check *check = running->check;
    const Manifest *manifest = &check->lesson->manifest;
    const bool mpi = check->settings[current_pair(running)->first_case].ranks > 0;
    const char *library = arena_format(check->arena, "%s/lib", check->course->build);
    const char *inputs, *cases;
    choose_inputs(running, &inputs, &cases);
    const char *scratch = arena_format(check->arena, STAGE "/scratch%u", running->schedule->number);
    /* /tmp comes first: the checkout may lie below it. */
    const SandboxBind binds[] = {{scratch, "/tmp", true, false},
                                 {STAGE "/run", library, false, true},
                                 {STAGE "/object", "/object", false, false},
                                 {inputs, cases, false, false},
                                 {running->schedule->answers, "/answers", true, false},
                                 {mpi ? scratch : NULL, RANKS_SHARED, true, false},
                                 {NULL, NULL, false, false}};
    size_t capture = (size_t)manifest->limit_output_kib * 1024;
    SandboxPlan plan = {
        .argv = program_words(running),
        .binds = binds,
        .environment = ranks_environment(check, running->ranks),
        .hidden = check->course->root,
        .folder = "/answers",
        /* Left-over bytes, as between the members of a structure, are then the same in both schedules. */
        .fixed_addresses = true,
        .limits = {.cpu_seconds = manifest->limit_seconds + PROGRAM_SPARE_SECONDS,
                   .memory_mib = manifest->limit_memory_mib + PROGRAM_SPARE_MIB,
                   .processes = PROGRAM_PROCESSES,
                   .file_mib = ANSWERS_MIB},
        .group = &running->program_group,
        .extra_fd = sockets[0],
        .more_fds = sockets + 1,
        .more_count = running->ranks - 1,
        .with_proc = mpi,
        .filter = mpi ? FILTER_FOR_RANKS : FILTER_FOR_PROGRAM,
        .capture_limit = capture,
        .flood_limit = capture * FLOOD_FACTOR};
    return plan.argv != NULL && plan.environment != NULL && library != NULL && scratch != NULL &&
           inputs != NULL && cases != NULL && sandbox_start(&running->program, &check->stage, &plan);
}

static void close_sockets(const int *sockets, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        close(sockets[i]);
}

/* Our copies of both ends are closed at once: each side notices the other's death. */
static bool start_pair(Running *running) {
    int programs[RUN_MOST_RANKS];
    unsigned made = 0;
    const unsigned first = current_pair(running)->first_case;
    running->ranks = ranks_to_start(running->check, first, end_of_cases(running));
    bool fine = true;
    while (fine && made < running->ranks) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) break;
        programs[made] = ends[1];
        fine = start_device(running, made++, ends[0]);
        close(ends[0]);
    }
    fine = fine && made == running->ranks && start_program(running, programs);
    close_sockets(programs, made);
    running->state = STATE_RUNNING;
    running->halted = false;
    return fine || fault(running->check, "start the device and the program");
}

/* ---- how it ended ---- */

static bool case_was_begun(const Running *running, unsigned index) {
    char path[256];
    snprintf(path, sizeof path, "%s/%02u", running->schedule->answers, index);
    return access(path, F_OK) == 0;
}

static unsigned last_begun(const Running *running, unsigned first) {
    for (unsigned i = end_of_cases(running); i > first; i--)
        if (case_was_begun(running, i - 1)) return i - 1;
    return first;
}

static const char *visible_copy(Arena *arena, const char *bytes, size_t length) {
    Text text;
    text_init(&text);
    text_add_visible(&text, bytes, length);
    const char *copy = arena_copy(arena, text.bytes, text.length);
    text_free(&text);
    return copy;
}

static const char *last_line(Arena *arena, const Text *said) {
    enum { LONGEST = 200 };
    size_t end = ranks_words_begin(said);
    while (end > 0 && said->bytes[end - 1] == '\n')
        end--;
    size_t begin = end;
    while (begin > 0 && said->bytes[begin - 1] != '\n')
        begin--;
    if (begin == end) return NULL;
    return visible_copy(arena, said->bytes + begin, end - begin < LONGEST ? end - begin : LONGEST);
}

/* Limits of the kernel end a program by a signal of their own; all other signals are crashes. */
static RunEnd end_by_signal(int number) {
    switch (number) {
    case SIGXCPU:
        return RUN_CPU_LIMIT;
    case SIGXFSZ:
        return RUN_FILE_LIMIT;
    case SIGSYS:
        return RUN_FORBIDDEN;
    default:
        return RUN_CRASHED;
    }
}

/* Whether the kernel has killed processes of a group for memory that the group was not to have; counts them.
 */
static bool has_new_kills(const Cgroup *group, long *known) {
    long kills = cgroup_kills(group), before = *known;
    *known = kills;
    return kills > before;
}

/* How the program ended. A kill for want of memory looks like any other SIGKILL, and is told by the group's
 * count; with ranks it is mpiexec that ends, which prints the signal of a rank. */
static CaseEnd end_of_program(Running *running) {
    const Child *program = &running->program;
    int number = sandbox_signal(program);
    if (number == 0 && running->ranks > 1) number = ranks_signal(&program->streams[0]);
    if (has_new_kills(&running->program_group, &running->program_kills))
        return (CaseEnd){.end = RUN_TOGETHER};
    CaseEnd end = {.end = RUN_EXITED,
                   .detail = sandbox_exit_status(program),
                   .last_line = last_line(running->check->arena, &program->streams[1])};
    if (number == 0) return end;
    end.end = end_by_signal(number);
    end.detail = number;
    return end;
}

/* A program can print its inputs: what it prints in a hidden case is not kept. */
static void keep_output(Running *running) {
    Schedule *schedule = running->schedule;
    bool told = running->check->revealed || !hidden_case(running->check, current_pair(running)->first_case);
    if (schedule->output != NULL || !told) return;
    Text all;
    text_init(&all);
    for (int stream = 0; stream < 2; stream++) {
        const Text *text = &running->program.streams[stream];
        size_t length = running->ranks > 1 ? ranks_words_begin(text) : text->length;
        text_append(&all, text->bytes, length < LARGEST_SHOWN ? length : LARGEST_SHOWN);
    }
    if (all.length > 0) schedule->output = visible_copy(running->check->arena, all.bytes, all.length);
    text_free(&all);
}

/* The program is gone: cases before the last one it began are complete, that one ended as the program did. */
static void note_program_end(Running *running, CaseEnd end) {
    Schedule *schedule = running->schedule;
    Pair *pair = current_pair(running);
    unsigned count = end_of_cases(running);
    pair->last_case = last_begun(running, pair->first_case);
    if (!hidden_case(running->check, pair->first_case)) schedule->told_until = child_now();
    pair->well = end.end == RUN_EXITED && end.detail == 0 && pair->last_case + 1 == count;
    for (unsigned i = pair->first_case; i < pair->last_case; i++)
        schedule->ends[i] = (CaseEnd){.end = RUN_COMPLETED};
    if (pair->well) end = (CaseEnd){.end = RUN_COMPLETED};
    schedule->ends[pair->last_case] = end;
    keep_output(running);
    running->state = STATE_REPORTING;
    double soon = own_now(running) + REPORT_SECONDS, latest = running->deadline + LATE_SECONDS;
    running->report_deadline = soon < latest ? soon : latest;
}

/* ---- the report, and on ---- */

static const char *how_device_ended(const Running *running, const Child *device) {
    const Text *said = &device->streams[1];
    Arena *arena = running->check->arena;
    const char *words = said->length > 0 ? visible_copy(arena, said->bytes, said->length) : NULL;
    const bool killed = WIFSIGNALED(device->status);
    return TOLD_DEVICE(ENDED, arena, .signal = killed ? strsignal(WTERMSIG(device->status)) : NULL,
                       .said = words);
}

/* A device that cannot start, or that somebody kills, is not the submission's fault. */
static int fatal_signal(int status) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGSYS};
    for (size_t i = 0; WIFSIGNALED(status) && i < sizeof own / sizeof *own; i++)
        if (WTERMSIG(status) == own[i]) return own[i];
    return 0;
}

/* The driver's last word comes from its own code, when all cases are done, and the program says goodbye after
 * it. Student code may have ended the process before. */
static bool has_finished(const Check *check, struct json_object *report) {
    struct json_object *mark = json_member(report, "last_mark");
    bool last = strcmp(json_text(mark, "text", ""), MARK_END) == 0;
    return last && check_is_drivers(check, (uint64_t)json_number(mark, "address", 0)) &&
           json_number(report, "exit_status", -1) == 0;
}

/* One rank's; false when its device left none. */
static bool add_report(Running *running, Pair *pair, unsigned rank, struct json_object *all) {
    Diagnostics ignored;
    diag_init(&ignored, running->check->arena);
    struct json_object *report = json_read_file(running->report_paths[rank], LARGEST_REPORT, &ignored);
    if (report == NULL && has_new_kills(&running->device_group, &running->device_kills)) {
        running->schedule->ends[pair->last_case].end = RUN_MEMORY;
        pair->stopped = true;
        return false;
    }
    if (report == NULL) {
        pair->device_said = how_device_ended(running, &running->devices[rank]);
        pair->device_signal = fatal_signal(running->devices[rank].status);
        return false;
    }
    if (pair->well && !has_finished(running->check, report)) {
        pair->well = false;
        running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_EXITED};
    }
    if (running->ranks > 1) json_object_object_add(report, "rank", json_object_new_int((int)rank));
    json_object_array_add(all, report);
    return true;
}

/* The devices of a pair have ended: their reports become one, and what they were sent is kept for comparing
 * the runs. */
static void take_report(Running *running) {
    Schedule *schedule = running->schedule;
    Pair *pair = current_pair(running);
    struct json_object *all = json_object_new_array();
    bool whole = all != NULL;
    for (unsigned i = 0; whole && i < running->ranks; i++)
        whole = add_report(running, pair, i, all);
    pair->report = whole ? merge_reports(all) : NULL;
    json_object_put(all);
    pair->ranks = running->ranks;
    for (unsigned i = 0; i < pair->ranks; i++) {
        text_init(&pair->sent[i]);
        text_read_file(&pair->sent[i], running->sent_paths[i], LARGEST_SENT);
    }
    schedule->pair_count++;
}

static bool has_member(struct json_object *list, const char *key, const char *value) {
    for (size_t i = 0; list != NULL && i < json_object_array_length(list); i++)
        if (strcmp(json_text(json_object_array_get_idx(list, i), key, ""), value) == 0) return true;
    return false;
}

/* A loop that stands is a hang; one that gets on, and takes too many steps, only ends its launch so. */
static bool has_hang(const Pair *pair) {
    return has_member(json_array(pair->report, "findings"), "kind", "hang") ||
           has_member(json_array(pair->report, "launches"), "status", "hang");
}

/* A kernel that does not end in one case seldom ends in the next, and each costs the whole budget. */
static void note_hang(Running *running, const Pair *pair) {
    const Judge *judge = running->check->judge;
    if (has_hang(pair)) running->schedule->hung_case = judge->cases[pair->last_case].name;
}

/* Who starts the ranks says how one of them ended, and that may be one of the others, which it has killed. */
static void note_ranks_apart(Running *running, const Pair *pair) {
    if (has_member(json_array(pair->report, "findings"), "kind", "ranks-apart"))
        running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_APART};
}

/* A pair has ended, by itself or in the middle of a case: the next pair takes the cases that are left. Time,
 * deaths (RUN_MOST) and pairs are bounded, since a program that dies in each case would be started for each
 * of them. */
static bool go_on(Running *running) {
    Schedule *schedule = running->schedule;
    Pair *pair = current_pair(running);
    unsigned next = pair->last_case + 1;
    bool again = next < running->check->judge->case_count && own_now(running) < running->deadline;
    take_report(running);
    running->deaths += !pair->well;
    note_hang(running, pair);
    note_ranks_apart(running, pair);
    again = again && schedule->hung_case == NULL;
    for (unsigned i = 0; i < running->ranks; i++)
        child_free(&running->devices[i]);
    child_free(&running->program);
    running->state = STATE_DONE;
    if (!running->check->isolated && running->deaths == RUN_MOST) again = false;
    if (!again || schedule->pair_count == RUN_MOST_PAIRS) return true;
    *current_pair(running) = (Pair){.first_case = next};
    return start_pair(running);
}

/* What was found and done so far is worth more than the launch that a device is in. */
static void halt_devices(Running *running) {
    for (unsigned i = 0; !running->halted && i < running->ranks; i++)
        child_signal(&running->devices[i], HALT_SIGNAL);
    running->halted = true;
}

static void stop_program(Running *running, RunEnd why) {
    child_kill(&running->program);
    halt_devices(running);
    note_program_end(running, (CaseEnd){.end = why});
}

static void kill_devices(Running *running) {
    for (unsigned i = 0; i < running->ranks; i++)
        child_kill(&running->devices[i]);
}

static bool devices_ended(const Running *running) {
    bool ended = true;
    for (unsigned i = 0; i < running->ranks; i++)
        ended = ended && running->devices[i].ended;
    return ended;
}

/* The device is still in a kernel when the program is gone: so that is what the case's time went into. */
#define WRITING_SECONDS 0.5 /* of them, what the report itself needs: the launch ends before */

static void hurry_devices(Running *running) {
    if (devices_ended(running) || own_now(running) < running->report_deadline - WRITING_SECONDS) return;
    Pair *pair = current_pair(running);
    if (!running->halted) running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_TIMEOUT};
    halt_devices(running);
    if (own_now(running) < running->report_deadline) return;
    kill_devices(running);
    pair->stopped = true;
}

/* What the device has in memory right now, as the system counts it; 0 when that is not known. */
static long resident_mib(const Child *device) {
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)device->pid);
    FILE *file = device->ended ? NULL : fopen(path, "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    fclose(file);
    return (long)((double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576.0);
}

/* Its addresses are limited too, but most of them are reserved and never used. */
static void bound_device(Running *running) {
    long most = 0;
    for (unsigned i = 0; i < running->ranks; i++) {
        long mib = resident_mib(&running->devices[i]);
        if (mib > most) most = mib;
    }
    if (most <= running->check->lesson->manifest.limit_memory_mib) return;
    if (running->state == STATE_RUNNING)
        stop_program(running, RUN_MEMORY);
    else
        running->schedule->ends[current_pair(running)->last_case].end = RUN_MEMORY;
    kill_devices(running);
    current_pair(running)->stopped = true;
}

/* That it is late proves nothing: no verdict. */
static bool starved(const Running *running) {
    diag_add(running->check->diagnostics, DIAG_ERROR, NULL, 0, 0,
             "the machine is too busy: the program had %.1f of its %ld seconds of a processor, and waited "
             "for one for %.0f",
             running->clock.all.ran, running->check->lesson->manifest.limit_seconds,
             running->clock.all.waited);
    return false;
}

/* Looks at what has changed; false when a new pair could not be started, or nothing can be said. */
static bool step(Running *running) {
    note_waiting(running);
    bound_device(running);
    if (running->state == STATE_RUNNING) {
        if (running->program.ended)
            note_program_end(running, end_of_program(running));
        else if (child_floods(&running->program))
            stop_program(running, RUN_FLOODED);
        else if (own_now(running) >= running->deadline && child_clock_starved(&running->clock))
            return starved(running);
        else if (own_now(running) >= running->deadline)
            stop_program(running, RUN_TIMEOUT);
    }
    if (running->state == STATE_REPORTING) {
        hurry_devices(running);
        if (devices_ended(running)) return go_on(running);
    }
    return true;
}

/* How often the devices' memory is looked at. */
#define LOOK_SECONDS 0.05

static double next_deadline(const Running *all, unsigned count) {
    double next = child_now() + LOOK_SECONDS;
    for (unsigned i = 0; i < count; i++) {
        double own = all[i].state == STATE_RUNNING ? all[i].deadline : all[i].report_deadline;
        own += all[i].clock.all.waited;
        if (all[i].state != STATE_DONE && own < next) next = own;
    }
    return next;
}

/* One loop watches the processes of all schedules; between events it sleeps until the next deadline. */
static bool watch_all(Running *all, unsigned count) {
    Child *children[(1 + RUN_MOST_RANKS) * CHECK_SCHEDULES];
    unsigned watched = 0;
    for (unsigned i = 0; i < count; i++) {
        children[watched++] = &all[i].program;
        for (unsigned rank = 0; rank < RUN_MOST_RANKS; rank++)
            children[watched++] = &all[i].devices[rank];
    }
    for (;;) {
        bool busy = false;
        child_reap_orphans(children, watched);
        for (unsigned i = 0; i < count; i++) {
            if (all[i].state != STATE_DONE && !step(&all[i])) return false;
            busy = busy || all[i].state != STATE_DONE;
        }
        if (!busy) return true;
        child_watch(children, watched, next_deadline(all, count));
    }
}

/* Each schedule has folders of its own, of limited size, that only its program may write to. */
static bool make_room(Check *check, Schedule *schedule, unsigned number) {
    schedule->number = number;
    schedule->seed = check->seed + number;
    schedule->answers = arena_format(check->arena, STAGE "/answers%u", number);
    schedule->ends = ARENA_ARRAY(check->arena, check->judge->case_count, CaseEnd);
    if (schedule->answers == NULL || schedule->ends == NULL) return fault(check, "find memory");
    const char *scratch = arena_format(check->arena, STAGE "/scratch%u", number);
    return scratch != NULL &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, schedule->answers, ANSWERS_MIB,
                            check->diagnostics) &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, scratch, SCRATCH_MIB, check->diagnostics);
}

/* One for all programs of a schedule, and one for all devices: of each, one pair's are there at a time. What
 * has ended counts until it is reaped, so watch_all does that at each turn. */
static bool make_groups(Running *running) {
    const Check *check = running->check;
    const long memory = check->lesson->manifest.limit_memory_mib;
    long ranks = 1;
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (check->settings[i].ranks > ranks) ranks = (long)check->settings[i].ranks;
    const unsigned number = running->schedule->number;
    const char *program = arena_format(check->arena, "program%u", number),
               *device = arena_format(check->arena, "device%u", number);
    bool made = program != NULL && device != NULL &&
                stage_make_group(&check->stage, &running->program_group, program,
                                 memory + PROGRAM_SPARE_MIB + GROUP_SPARE_MIB,
                                 PROGRAM_PROCESSES + SANDBOX_PROCESSES) &&
                stage_make_group(&check->stage, &running->device_group, device,
                                 (memory + GROUP_SPARE_MIB) * ranks, DEVICE_PROCESSES * ranks);
    return made || fault(check, "make the groups of processes");
}

/* Starts the schedules side by side and leaves when nothing of theirs runs any more: what they wrote is read
 * only after all of their processes are dead. */
bool run_schedules(Check *check, Schedule *schedules, unsigned count) {
    Running all[CHECK_SCHEDULES] = {0};
    if (count > CHECK_SCHEDULES) BUG("%u schedules", count);
    double deadline = child_now() + (double)check->lesson->manifest.limit_seconds;
    bool fine =
        stage_add_output(&check->stage, STAGE_FOR_DEVICE, STAGE "/reports", REPORTS_MIB, check->diagnostics);
    for (unsigned i = 0; fine && i < count; i++) {
        all[i] = (Running){.check = check,
                           .schedule = &schedules[i],
                           .clock.most = CHILD_MOST_WAITING * (double)check->lesson->manifest.limit_seconds,
                           .deadline = deadline};
        fine = make_room(check, &schedules[i], i) && make_groups(&all[i]) && start_pair(&all[i]);
    }
    fine = fine && watch_all(all, count);
    for (unsigned i = 0; i < count; i++) {
        child_kill(&all[i].program);
        kill_devices(&all[i]);
    }
    if (!child_reap_rest(child_now() + REAP_SECONDS)) return fault(check, "see the last process end");
    for (unsigned i = 0; i < count; i++) {
        cgroup_remove(&all[i].program_group);
        cgroup_remove(&all[i].device_group);
    }
    return fine;
}

void run_free(Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < schedules[i].pair_count; j++) {
            if (schedules[i].pairs[j].report != NULL) json_object_put(schedules[i].pairs[j].report);
            for (unsigned k = 0; k < schedules[i].pairs[j].ranks; k++)
                text_free(&schedules[i].pairs[j].sent[k]);
        }
}
