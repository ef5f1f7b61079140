/* main.c - the command `warpgrind`: what is asked for, and who does it. */
#include "base/finding.h"
#include "base/options.h"
#include "base/version.h"
#include "check/check.h"
#include "device/command/launcher.h"
#include "device/reshape.h"
#include "device/record/trace.h"
#include "device/report/table.h"
#include "device/state/cards.h"
#include "device/state/codes.h"
#include "gpu/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/** The command line; numbers that were not given are NOT_GIVEN. */
typedef struct Command {
    LauncherOptions launcher;
    bool help, version;
    const char *serve;        /**< a descriptor's number */
    long seed_fd;             /**< another's, which holds the seed */
    const char *sent;         /**< a file */
    const char *stream_order; /**< "late" or "early" */
    const char *reshape;      /**< as reshape_read takes it */
    long explore;
    long seed, steps, memory_mib, own_memory_mib, devices, trace_blocks, divide_from;
    const char *threads; /**< a number, or "auto" */
} Command;

enum {
    OPTION_COUNT = 42,
    MAX_THREADS = 64,
    MAX_SCHEDULES = 10000,
    MAX_DESCRIPTOR = 1 << 20,
    MAX_MEMORY_MIB = GPU_GLOBAL_SPAN >> 20
};
#define NOT_GIVEN LONG_MIN /**< a number's value before the command line is read */
#define CHECK_WORDS "all,none,memory,initialisation,races,synchronisation,counters,notes"
#define COLOUR_WORDS "auto,always,never"
#define ORDER_WORDS "late,early"
#define WITHHOLD_WORDS "shared,constant,texture,atomic,exchange,matrix,results,copies,library,graph"

/** What becomes of the program and of the report; how many options that are. */
static size_t add_run_options(Option *table, Command *command) {
    LauncherOptions *launcher = &command->launcher;
    const Option rows[] = {
        {OPTION_FLAG, 'h', "help", NULL, "show this text", &command->help},
        {OPTION_FLAG, 0, "version", NULL, "show the version", &command->version},
        {OPTION_NUMBER, 0, "seed", "N", "order of blocks, warps and streams; 0 is in order", &command->seed},
        {OPTION_STRING, 0, "report", "FILE", "write the report as JSON", &launcher->report},
        {OPTION_STRING, 0, "sarif", "FILE", "write the findings as SARIF 2.1.0, for editors and reviews",
         &launcher->sarif},
        {OPTION_STRING, 0, "trace", "FILE", "write what happened when, for Perfetto or chrome://tracing",
         &launcher->trace},
        {OPTION_NUMBER, 0, "trace-blocks", "N",
         "blocks of each launch to show in it, 0 to 64; 4 when not given", &command->trace_blocks},
        {OPTION_STRING, 0, "picture", "FILE",
         "write a page that shows what the threads of a launch did; with --serve, into the report",
         &launcher->picture},
        PICTURE_OPTIONS("picture-", launcher->device.pictured),
        {OPTION_STRING, 0, "suppress", "FILE",
         "leave out findings: lines KIND FILE:LINE, KIND KERNEL or KIND *", &launcher->suppress},
        {OPTION_FLAG, 0, "full", NULL, "print every finding in full, not only what fits on a screen",
         &launcher->full},
        {OPTION_FLAG, 0, "annotate", NULL, "print the source with counts for each line", &launcher->annotate},
        {OPTION_NUMBER, 0, "explore", "N", "run under N schedules, and say what depends on the schedule",
         &command->explore},
        {OPTION_FLAG, 0, "smallest", NULL,
         "look for the smallest run that shows each error: the first seed, smaller numbers as arguments, "
         "fewer blocks and threads",
         &launcher->smallest},
        {OPTION_STRING, 0, "reshape", "N:GRID:BLOCK",
         "make launch N smaller: 3:4:64,2 leaves it 4 blocks of 64 x 2 threads", &command->reshape},
        {OPTION_FLAG, 0, "require-kernel", NULL, "exit with 1 if no kernel ran", &launcher->require_kernel},
        {OPTION_FLAG, 'q', "quiet", NULL, "print nothing: look at the exit status", &launcher->quiet},
        {OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &launcher->colour},
    };
    memcpy(table, rows, sizeof rows);
    return sizeof rows / sizeof *rows;
}

/** What the device is like, and how it works when another program starts it. */
static size_t add_device_options(Option *table, Command *command) {
    LauncherOptions *launcher = &command->launcher;
    const Option rows[] = {
        {OPTION_STRING, 0, "stream-order", "WHEN",
         "late: streams work when waited for (usual); early: as soon as they may", &command->stream_order},
        {OPTION_NUMBER, 0, "steps", "N", "warp instructions that a launch may take", &command->steps},
        {OPTION_NUMBER, 0, "memory", "MIB",
         "device memory; half of the machine's when not given, 2048 to 16384", &command->memory_mib},
        {OPTION_NUMBER, 0, "own-memory", "MIB",
         "with --serve: addresses that the device may reserve beside it; no limit when not given",
         &command->own_memory_mib},
        {OPTION_NUMBER, 0, "devices", "N", "virtual devices, 1 to 8; 1 when not given", &command->devices},
        {OPTION_STRING, 0, "card", "NAME", "the card to be like, h100 when not given; warpgrind table cards",
         &launcher->device.card},
        {OPTION_STRING, 0, "threads", "N",
         "host cores that a launch may use, 1 to 64; auto: all; when not given, auto for a single program "
         "and 1 with --serve and for several processes",
         &command->threads},
        {OPTION_NUMBER, 0, "divide-from", "N",
         "divide every launch of at least N warp instructions among the cores, not those that gain by it",
         &command->divide_from},
        {OPTION_FLAG, 0, "recheck", NULL,
         "check also launches that do exactly what an earlier one did, found to be clean",
         &launcher->device.recheck},
        {OPTION_STRING, 0, "checks", "LIST",
         "all, none, or of memory,initialisation,races,synchronisation,counters,notes",
         &launcher->device.checks},
        {OPTION_STRING, 0, "serve", "FD", "be the device for the program at this socket", &command->serve},
        {OPTION_NUMBER, 0, "seed-fd", "FD",
         "with --serve: read the seed there, as command lines can be read by everybody", &command->seed_fd},
        {OPTION_STRING, 0, "withhold", "WHAT",
         "change what goes through shared, constant, texture, atomic, exchange or matrix, or all results "
         "of kernels, or skip copies, library or graph: is it needed?",
         &launcher->device.withhold},
        {OPTION_STRING, 0, "sent", "FILE", "with --serve: keep what the program sends, to compare runs by",
         &command->sent},
        {OPTION_STRING, 0, "program", "FILE", "with --serve: the program's file, for its source lines",
         &launcher->device.program},
    };
    memcpy(table, rows, sizeof rows);
    return sizeof rows / sizeof *rows;
}

/** The table of options: parsing, help and the manual page are made of it. */
static void fill_options(Option *table, Command *command) {
    size_t count = add_run_options(table, command);
    count += add_device_options(table + count, command);
    table[count] = (Option){OPTION_END, 0, NULL, NULL, NULL, NULL};
}

/** The help is made of the table of options, and the manual page of the help. */
static void print_help(const Option *table) {
    Text text = text_new();
    text_add(&text, "Usage: warpgrind [options] PROGRAM [ARGUMENTS...]\n"
                    "       mpirun -n RANKS warpgrind [options] PROGRAM [ARGUMENTS...]\n"
                    "       warpgrind ci [options] -- COMMAND [ARGUMENTS...]\n"
                    "       warpgrind debug [options] PROGRAM [ARGUMENTS...]\n"
                    "       warpgrind explain [KIND]\n"
                    "       warpgrind table api|ptx|cards\n"
                    "       warpgrind [options] --serve=FD --report=FILE\n\n"
                    "Runs a CUDA program on a software GPU and reports the mistakes it finds.\n\n");
    options_help(table, &text);
    text_add(
        &text,
        "\n"
        "Exit status: the program's own when it failed by itself, 1 when errors were found, 0 when not,\n"
        "2 for a wrong command line, 3 for a bug in warpgrind.\n");
    fwrite(text.bytes, 1, text.length, stdout);
    text_free(&text);
}

/* ---- explain ---- */

static int explain_list(void) {
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const FindingInfo *info = finding_info((FindingKind)kind);
        printf("%-20s %-6s %s\n", info->name, info->severity == FINDING_NOTE ? "note" : "error", info->title);
    }
    return EXIT_FINE;
}

/** Explains each kind that is named, and lists them all when none is. */
static int explain(int count, char **kinds) {
    if (count == 0) return explain_list();
    for (int i = 0; i < count; i++) {
        FindingKind kind = finding_by_name(kinds[i]);
        if (kind == FINDING_KIND_COUNT) {
            fprintf(stderr, "warpgrind: there is no kind of finding %s; warpgrind explain lists them\n",
                    kinds[i]);
            return EXIT_USAGE;
        }
        Text text = text_new();
        check_explain(kind, &text);
        fwrite(text.bytes, 1, text.length, stdout);
        text_free(&text);
    }
    return EXIT_FINE;
}

/* ---- table ---- */

static int usage(const char *message) {
    fprintf(stderr, "warpgrind: %s\nTry warpgrind --help.\n", message);
    return EXIT_USAGE;
}

/** Pages of docs/ that are made of tables in the sources; a page is written by redirecting the output. */
static int print_table(const char *which) {
    static const struct {
        const char *name;
        void (*add)(Text *page);
    } tables[] = {{"api", table_api}, {"ptx", table_ptx}, {"cards", cards_table}};
    size_t count = sizeof tables / sizeof *tables, i = 0;
    while (i < count && (which == NULL || strcmp(which, tables[i].name) != 0))
        i++;
    if (i == count) return usage("which table, api, ptx or cards?");
    Text page = text_new();
    tables[i].add(&page);
    fwrite(page.bytes, 1, page.length, stdout);
    text_free(&page);
    return EXIT_FINE;
}

/* ---- serve ---- */

static int fail(const char *path) {
    fprintf(stderr, "warpgrind: %s: %s\n", path, strerror(errno));
    return EXIT_INTERNAL;
}

static int open_new(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* The judge's pipe holds the seed in digits, and nothing after it. */
static bool read_seed(int descriptor, uint64_t *seed) {
    char digits[32], *end;
    ssize_t length = read(descriptor, digits, sizeof digits - 1);
    close(descriptor);
    if (length <= 0) return false;
    digits[length] = '\0';
    errno = 0;
    long value = strtol(digits, &end, 10);
    *seed = (uint64_t)value;
    return errno == 0 && end != digits && *end == '\0' && value >= 0;
}

static int serve(Command *command) {
    char *end;
    errno = 0;
    long socket = strtol(command->serve, &end, 10);
    if (errno != 0 || end == command->serve || *end != 0 || socket < 0 || socket > MAX_DESCRIPTOR)
        return usage("--serve needs the number of an open socket");
    const char *path = command->launcher.report;
    if (path == NULL) return usage("--serve needs --report=FILE");
    int file = open_new(path);
    if (file < 0) return fail(path);
    DeviceOptions *device = &command->launcher.device;
    device->judged = true;
    if (command->seed_fd != NOT_GIVEN && !read_seed((int)command->seed_fd, &device->seed))
        return usage("--seed-fd needs the number of an open descriptor that holds a seed");
    device->picture = command->launcher.picture != NULL;
    path = command->sent;
    if (path != NULL && (device->sent = open_new(path)) < 0) return fail(path);
    path = command->launcher.trace;
    if (path != NULL && (device->trace = launcher_open_trace(path)) < 0) return fail(path);
    /* Locked down as it is, the process could not even run what a sanitizer does at the end. */
    _exit(launcher_serve(device, (int)socket, file));
}

/* ---- main ---- */

/** The cores that this process may use: fewer than the machine has where taskset or a container says so. */
static unsigned host_cores(void) {
    cpu_set_t set;
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
    if (count < 1) return 1;
    if (count > MAX_THREADS) return MAX_THREADS;
    return (unsigned)count;
}

/** All cores when nothing is said. A device that is served has one: it belongs to a judge, who runs two
 * schedules side by side. */
static bool choose_threads(const Command *command, DeviceOptions *device) {
    device->threads_given = command->threads != NULL;
    device->tell_divided = device->threads_given || command->divide_from != NOT_GIVEN;
    if (command->threads == NULL) {
        if (command->serve != NULL)
            device->threads = 1;
        else
            device->threads = host_cores();
    } else if (strcmp(command->threads, "auto") == 0) {
        device->threads = host_cores();
    } else {
        char *end;
        long count = strtol(command->threads, &end, 10);
        if (end == command->threads || *end != 0 || count < 1 || count > MAX_THREADS) return false;
        device->threads = (unsigned)count;
    }
    return true;
}

/* Words and numbers that are not what the option takes: the first one is said. */
static bool check_values(const Command *command, Diagnostics *diagnostics) {
    const LauncherOptions *launcher = &command->launcher;
    const struct {
        const char *name, *value, *words;
        bool many;
    } words[] = {{"checks", launcher->device.checks, CHECK_WORDS, true},
                 {"card", launcher->device.card, cards_names(), false},
                 {"withhold", launcher->device.withhold, WITHHOLD_WORDS, false},
                 {"color", launcher->colour, COLOUR_WORDS, false},
                 {"stream-order", command->stream_order, ORDER_WORDS, false}};
    const struct {
        const char *name;
        long value, least, most;
    } numbers[] = {{"seed", command->seed, 0, LONG_MAX},
                   {"explore", command->explore, 1, MAX_SCHEDULES},
                   {"seed-fd", command->seed_fd, 0, MAX_DESCRIPTOR},
                   {"steps", command->steps, 1, LONG_MAX},
                   {"memory", command->memory_mib, 1, MAX_MEMORY_MIB},
                   {"own-memory", command->own_memory_mib, 1, MAX_MEMORY_MIB},
                   {"devices", command->devices, 1, DEVICE_MAX_DEVICES},
                   {"trace-blocks", command->trace_blocks, 0, TRACE_MOST_BLOCKS},
                   {"divide-from", command->divide_from, 0, LONG_MAX}};
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof words / sizeof *words; i++)
        fine = options_check_words(words[i].name, words[i].value, words[i].words, words[i].many, diagnostics);
    for (size_t i = 0; fine && i < sizeof numbers / sizeof *numbers; i++)
        fine = numbers[i].value == NOT_GIVEN ||
               options_check_range(numbers[i].name, numbers[i].value, numbers[i].least, numbers[i].most,
                                   diagnostics);
    return picture_check_choice(&launcher->device.pictured, "picture-", diagnostics) && fine;
}

/** `warpgrind ci` and `warpgrind debug` are programs of their own, beside this one. */
static int become(const char *name, char **argv) {
    char self[PATH_MAX], path[PATH_MAX + 16];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        snprintf(path, sizeof path, "%.*s-%s", (int)length, self, name);
        execv(path, argv);
    }
    fprintf(stderr, "warpgrind %s: %s\n", name, strerror(errno));
    return EXIT_INTERNAL;
}

static long given(long value, long otherwise) {
    if (value == NOT_GIVEN) return otherwise;
    return value;
}

/** Pages that a program does not touch cost nothing, so a device may have half of the machine's memory: a
 * power of two, as cards have it. Where the addresses of a process are limited (ulimit -v), an eighth of
 * them. */
static long usual_memory_mib(void) {
    enum { FEWEST = 64, LEAST = 2048, MOST = 16384 };
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), mib = LEAST;
    while (mib < MOST && pages > 0 && mib * 2 <= pages / 2 / ((1 << 20) / page))
        mib *= 2;
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) == 0)
        while (mib > FEWEST && (rlim_t)mib << 20 > addresses.rlim_cur / 8)
            mib /= 2;
    return mib;
}

/** Options become the device's settings, a number that was not given its usual value; then the first word
 * decides what is done. */
static int run(Command *command, int argc, char **argv) {
    DeviceOptions *device = &command->launcher.device;
    device->early = command->stream_order != NULL && strcmp(command->stream_order, "early") == 0;
    command->launcher.explore = (unsigned)given(command->explore, 0);
    device->seed = (uint64_t)given(command->seed, 0);
    device->steps = (uint64_t)given(command->steps, 0);
    device->memory_bytes =
        (uint64_t)given(command->memory_mib, command->serve != NULL ? 0 : usual_memory_mib()) << 20;
    device->process_bytes = (uint64_t)given(command->own_memory_mib, 0) << 20;
    device->devices = (unsigned)given(command->devices, 1);
    device->trace_blocks = (unsigned)given(command->trace_blocks, TRACE_USUAL_BLOCKS);
    device->divide_from = (uint64_t)given(command->divide_from, 0);
    if (!choose_threads(command, device)) return usage("--threads takes a number from 1 to 64, or auto");
    if (command->reshape != NULL && !reshape_read(command->reshape, &device->reshape))
        return usage("--reshape takes LAUNCH:GRID:BLOCK, as in 3:4:64,2");
    if (command->serve != NULL) return serve(command);
    if (argc == 0) return usage("which program?");
    if (strcmp(argv[0], "explain") == 0) return explain(argc - 1, argv + 1);
    if (strcmp(argv[0], "table") == 0) return print_table(argv[1]);
    if (strcmp(argv[0], "ci") == 0 || strcmp(argv[0], "debug") == 0) return become(argv[0], argv);
    return launcher_run(&command->launcher, argv);
}

static int tell_usage(const Diagnostics *diagnostics, const char *colour) {
    Text text = text_new();
    diag_render(diagnostics, &text, options_colour(colour, STDERR_FILENO));
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
    return EXIT_USAGE;
}

/** Numbers start as NOT_GIVEN, so that 0 can be told from nothing. */
int main(int argc, char **argv) {
    Command command = {.seed = NOT_GIVEN,
                       .seed_fd = NOT_GIVEN,
                       .explore = NOT_GIVEN,
                       .steps = NOT_GIVEN,
                       .memory_mib = NOT_GIVEN,
                       .own_memory_mib = NOT_GIVEN,
                       .devices = NOT_GIVEN,
                       .trace_blocks = NOT_GIVEN,
                       .divide_from = NOT_GIVEN,
                       .launcher.device.pictured = PICTURE_ANYTHING};
    Option table[OPTION_COUNT];
    fill_options(table, &command);
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    int first = options_parse(table, argc, argv, true, &diagnostics), status = EXIT_FINE;
    if (first < 0 || !check_values(&command, &diagnostics))
        status = tell_usage(&diagnostics, command.launcher.colour);
    else if (command.help)
        print_help(table);
    else if (command.version)
        puts("warpgrind " WARPGRIND_VERSION);
    else
        status = run(&command, argc - first, argv + first);
    arena_destroy(arena);
    return status;
}
