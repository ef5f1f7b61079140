/* run_start.c - what a pair starts from: folders and groups of its schedule, then the devices and the program
 * with their arguments and limits; see run.h.
 */
#include "autograder/run/run_parts.h"

#include "autograder/check/settings.h"
#include "autograder/run/ranks.h"
#include "autograder/sandbox/sandbox.h"
#include "base/halt.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* Processor time beyond the time allowed: the clock ends a program first, and the limit of what it may
       use is there for several threads. */
    PROGRAM_SPARE_SECONDS = 5,
    ANSWERS_MIB = 64,
    SCRATCH_MIB = 64,
    CARD_SHARE = 4,      /* of the memory that the manifest allows, the part that is the card's */
    ADDRESSES_SHARE = 8, /* addresses that a device may reserve beside that, by the same measure */
    DEVICE_CAPTURE = 1 << 16,
    FLOOD_FACTOR = 16, /* printing this many times the limit is printing without end */
    PROGRAM_PROCESSES = 64,
    DEVICE_PROCESSES = 8, /* itself, the reader of the program's debug information, and those of earlier
                             devices that are about to end */
    GROUP_SPARE_MIB =
        256, /* of a group, beyond what its processes may have: files in memory, the kernel's share */
    PROGRAM_SPARE_MIB = 1024 /* addresses of libraries, the window, and stacks */
};

/* ---- room for a schedule ---- */

/* Each schedule has folders of its own, of limited size, that only its program may write to. */
bool run_make_room(Check *check, Schedule *schedule) {
    schedule->seed = seeds_of_order(&check->seeds, schedule->number);
    schedule->answers = arena_format(check->arena, STAGE "/answers%u", schedule->room);
    schedule->ends = ARENA_ARRAY(check->arena, check->judge->case_count, CaseEnd);
    if (schedule->answers == NULL || schedule->ends == NULL) return run_fault(check, "find memory");
    const char *scratch = arena_format(check->arena, STAGE "/scratch%u", schedule->room);
    return scratch != NULL &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, schedule->answers, ANSWERS_MIB,
                            check->diagnostics) &&
           stage_add_output(&check->stage, STAGE_FOR_PROGRAM, scratch, SCRATCH_MIB, check->diagnostics);
}

/* One for all programs of a schedule, and one for all devices: of each, one pair's are there at a time. What
 * has ended counts until it is reaped, so watch_all does that at each turn. */
bool run_make_groups(Running *running) {
    const Check *check = running->check;
    const long memory = check->lesson->manifest.limit_memory_mib;
    long ranks = 1;
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (check->settings[i].ranks > ranks) ranks = (long)check->settings[i].ranks;
    const unsigned number = running->schedule->room;
    const char *program = arena_format(check->arena, "program%u", number),
               *device = arena_format(check->arena, "device%u", number);
    bool made = program != NULL && device != NULL &&
                stage_make_group(&check->stage, &running->program_group, program,
                                 memory + PROGRAM_SPARE_MIB + GROUP_SPARE_MIB,
                                 PROGRAM_PROCESSES + SANDBOX_PROCESSES) &&
                stage_make_group(&check->stage, &running->device_group, device,
                                 (memory + GROUP_SPARE_MIB) * ranks, DEVICE_PROCESSES * ranks);
    return made || run_fault(check, "make the groups of processes");
}

/* ---- a pair ---- */

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
    return arena_format(running->check->arena, STAGE "/reports/%u-%u-%u.%s", schedule->room,
                        schedule->pair_count, rank, kind);
}

/* What of the run is to be pictured, as up to five options; how many they are. */
static size_t add_picture(Arena *arena, const PictureChoice *choice, const char **argv) {
    size_t count = 0;
    argv[count++] = "--picture=report";
    if (choice->launch > 0) argv[count++] = arena_format(arena, "--picture-launch=%ld", choice->launch);
    if (choice->blocks != NULL) argv[count++] = arena_format(arena, "--picture-block=%s", choice->blocks);
    if (choice->warp >= 0) argv[count++] = arena_format(arena, "--picture-warp=%ld", choice->warp);
    if (choice->from > 0) argv[count++] = arena_format(arena, "--picture-from=%ld", choice->from);
    return count;
}

/* The device's arguments; NULL without memory. Streams work late in the first schedule and early in the
 * second: a missing wait shows where they work late, one too few between streams where they work early. */
static const char *const *device_words(const Running *running, const char *report, const char *sent) {
    const Check *check = running->check;
    Arena *arena = check->arena;
    long mib = check->lesson->manifest.limit_memory_mib;
    int devices = (int)check->settings[run_current_pair(running)->first_case].devices;
    const char *order = "early";
    if (running->schedule->number == 0) order = "late";
    const char *const words[] = {
        STAGE "/device/bin/warpgrind",
        "--serve=3",
        "--seed-fd=4",
        arena_format(arena, "--steps=%ld000000", check->lesson->manifest.limit_million_steps),
        arena_format(arena, "--memory=%ld", mib / CARD_SHARE),
        arena_format(arena, "--own-memory=%ld", mib * ADDRESSES_SHARE),
        arena_format(arena, "--devices=%d", devices),
        arena_format(arena, "--report=%s", report),
        arena_format(arena, "--sent=%s", sent),
        arena_format(arena, "--stream-order=%s", order)};
    enum { COUNT = sizeof words / sizeof *words };
    const char **argv = ARENA_ARRAY(arena, COUNT + 9, const char *);
    for (size_t i = 0; argv != NULL && i < COUNT; i++) {
        if (words[i] == NULL) return NULL;
        argv[i] = words[i];
    }
    size_t count = COUNT;
    if (argv != NULL && !running->alone) argv[count++] = "--program=" STAGE "/object/program";
    if (argv != NULL && check->picture != NULL) count += add_picture(arena, check->picture, argv + count);
    const char *card = check->lesson->manifest.card;
    if (argv != NULL && card != NULL) argv[count++] = arena_format(arena, "--card=%s", card);
    const char *withheld = running->schedule->withheld;
    if (argv != NULL && withheld != NULL) argv[count] = arena_format(arena, "--withhold=%s", withheld);
    return argv;
}

/* A device for one rank, as another user, with the program's socket on descriptor 3. Its seed comes through a
 * pipe, since command lines can be read by everybody. */
bool run_start_device(Running *running, unsigned rank, int socket) {
    const Check *check = running->check;
    Schedule *schedule = running->schedule;
    const char *report = report_file(running, rank, "json"), *sent = report_file(running, rank, "sent");
    running->report_paths[rank] = report;
    running->sent_paths[rank] = sent;
    const char *const *argv = NULL;
    if (report != NULL && sent != NULL) argv = device_words(running, report, sent);
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
unsigned run_end_of_cases(const Running *running) {
    const Check *check = running->check;
    unsigned first = run_current_pair(running)->first_case, end = first + 1;
    const bool apart = check->isolated || check->picture != NULL;
    while (!apart && running->schedule->withheld == NULL && end < check->judge->case_count &&
           settings_agree(check, first, end))
        end++;
    return end;
}

/* The program's arguments: the folder for answers, then the folders of the cases from this pair's first on.
 * */
static const char *const *program_words(const Running *running) {
    const Check *check = running->check;
    unsigned first = run_current_pair(running)->first_case;
    const char **argv = ARENA_ARRAY(check->arena, check->judge->case_count + 6, const char *);
    if (argv == NULL) return NULL;
    size_t count = ranks_add_words(check, first, running->ranks, argv);
    argv[count++] = "/object/program";
    argv[count++] = "/answers";
    for (unsigned i = first; i < run_end_of_cases(running); i++) {
        argv[count] = arena_format(check->arena, "/cases/%02u", i);
        if (argv[count++] == NULL) return NULL;
    }
    return argv;
}

/* The folder of inputs that the program gets, and its place inside: all cases, or, when each has a program of
 * its own, just the one. */
static void choose_inputs(const Running *running, const char **inputs, const char **place) {
    Arena *arena = running->check->arena;
    unsigned schedule = running->schedule->number, first = run_current_pair(running)->first_case;
    *inputs = arena_format(arena, STAGE "/cases%u", schedule);
    *place = "/cases";
    if (!running->check->isolated) return;
    *inputs = arena_format(arena, STAGE "/cases%u/%02u", schedule, first);
    *place = arena_format(arena, "/cases/%02u", first);
}

long run_processor_seconds(const Check *check) {
    return check->lesson->manifest.limit_seconds + PROGRAM_SPARE_SECONDS;
}

/* The student's program in the sandbox, with a device's socket for each rank as its only extra descriptors.
 */
static bool start_program(Running *running, const int *sockets) {
    const Check *check = running->check;
    const Manifest *manifest = &check->lesson->manifest;
    const bool mpi = check->settings[run_current_pair(running)->first_case].ranks > 0;
    const char *library = arena_format(check->arena, "%s/lib", check->course->build);
    const char *inputs, *cases;
    choose_inputs(running, &inputs, &cases);
    const char *scratch = arena_format(check->arena, STAGE "/scratch%u", running->schedule->room);
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
        .environment =
            ranks_environment(check->arena, "WARPGRIND_SOCKET", ranks_name_sockets(check, running->ranks)),
        .hidden = check->course->root,
        .folder = "/answers",
        /* Left-over bytes, as between the members of a structure, are then the same in both schedules. */
        .fixed_addresses = true,
        .limits = {.cpu_seconds = run_processor_seconds(check),
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
bool run_start_pair(Running *running) {
    int programs[CHECK_MOST_RANKS] = {0};
    unsigned made = 0;
    const unsigned first = run_current_pair(running)->first_case;
    running->ranks = ranks_to_start(running->check, first, run_end_of_cases(running));
    bool fine = true;
    while (fine && made < running->ranks) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) break;
        programs[made] = ends[1];
        fine = run_start_device(running, made++, ends[0]);
        close(ends[0]);
    }
    fine = fine && made == running->ranks && start_program(running, programs);
    close_sockets(programs, made);
    running->state = STATE_RUNNING;
    running->halted = false;
    return fine || run_fault(running->check, "start the device and the program");
}
