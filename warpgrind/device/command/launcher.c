/* launcher.c - see launcher.h.
 *
 * The launcher forks twice: the device, which locks itself down and leaves its report in a memfd, and the
 * program. When the program has ended, however it did, its end of the socket is shut, so the device always
 * comes to its end as well.
 */
#include "device/command/launcher.h"
#include "base/merge.h"
#include "device/command/hub.h"
#include "device/command/smallest.h"
#include "device/command/supervise.h"
#include "device/process/lockdown.h"
#include "device/record/sent.h"
#include "device/report/conclude.h"
#include "device/report/explore.h"
#include "device/state/state.h"
#include "device/texts.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RESERVED_FOR_REPORT = 128 << 20 };

/** One run of the program: with --explore there are several. */
typedef struct Run {
    LauncherOptions options; /**< this run's own */
    int program_end, device_end, report_file;
    int listener, control, results; /**< of the hub; -1: there is none */
    char hub[HUB_NAME_BYTES];       /**< where the program's processes ask for devices of their own */
    int output; /**< where the program prints to instead of our standard output; -1: there */
    unsigned
        unseen; /**< seconds that it has, reading and printing nothing; 0: it is seen, and has any time */
    Supervisor *supervisor;
    int program_status, device_status;
} Run;

/* ---- the device ---- */

static bool write_report(const Device *device, int file) {
    struct json_object *report = device_report(device);
    if (report == NULL) return false;
    const char *text =
        json_object_to_json_string_ext(report, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool written = text != NULL && text_write(file, text, strlen(text)) && text_write(file, "\n", 1);
    json_object_put(report);
    return written;
}

/* Limits what the process takes from here on: device memory is reserved already, and has its own limit. What
 * a report needs is set aside, since a program may have used up all the rest. A sanitizer's run-time reserves
 * terabytes of addresses. */
static void *limit_memory(uint64_t bytes) {
#ifndef __SANITIZE_ADDRESS__
    unsigned long pages = 0;
    FILE *file = NULL;
    if (bytes != 0) file = fopen("/proc/self/statm", "re");
    if (file == NULL) return MAP_FAILED;
    bool known = fscanf(file, "%lu", &pages) == 1;
    fclose(file);
    uint64_t most = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + bytes;
    const struct rlimit limit = {most, most};
    if (known && setrlimit(RLIMIT_AS, &limit) == 0)
        return mmap(NULL, RESERVED_FOR_REPORT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#else
    (void)bytes;
#endif
    return MAP_FAILED;
}

int launcher_serve(const DeviceOptions *options, int socket, int report_file) {
    const int keep[] = {socket, report_file, options->trace, options->sent, options->debug};
    lockdown_close_others(keep, sizeof keep / sizeof *keep);
    lockdown_hide();
    Device *device = device_create(options, socket);
    if (device == NULL) return conclude_fail(plain_failure(FAILURE_DEVICE));
    void *reserved = limit_memory(options->process_bytes);
    if (!lockdown_enter(options->threads > 1)) {
        device_destroy(device);
        return conclude_fail(plain_failure(FAILURE_LOCKDOWN));
    }
    device_serve(device);
    if (reserved != MAP_FAILED) munmap(reserved, RESERVED_FOR_REPORT);
    bool written = write_report(device, report_file);
    if (!written) return conclude_fail(plain_failure(FAILURE_REPORT));
    if (device->sent != NULL && !sent_write(device->sent, options->sent))
        return conclude_fail(plain_failure(FAILURE_SENT));
    return EXIT_FINE; /* the process ends: giving back every piece of memory would only take time */
}

/* ---- the program ---- */

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *launcher_find(const char *name) {
    if (strchr(name, '/') != NULL) {
        if (is_program(name)) return strdup(name);
        if (access(name, X_OK) == 0) errno = EACCES;
        return NULL;
    }
    const char *path = getenv("PATH");
    char *copy = strdup(text_or(path, "/usr/bin:/bin")), *rest = copy, *found = NULL;
    for (char *folder; found == NULL && copy != NULL && (folder = strsep(&rest, ":")) != NULL;) {
        if (asprintf(&found, "%s/%s", folder[0] ? folder : ".", name) < 0) found = NULL;
        if (found != NULL && !is_program(found)) {
            free(found);
            found = NULL;
        }
    }
    free(copy);
    if (found == NULL) errno = ENOENT;
    return found;
}

/** libcudart.so is in ../lib, seen from our own program. */
static bool set_library_path(void) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return false;
    self[length] = 0;
    const char *home = dirname(dirname(self));
    const char *old = getenv("LD_LIBRARY_PATH");
    char *value = NULL;
    int made;
    if (old != NULL)
        made = asprintf(&value, "%s/lib:%s", home, old);
    else
        made = asprintf(&value, "%s/lib", home);
    if (made < 0) return false;
    bool set = setenv("LD_LIBRARY_PATH", value, 1) == 0;
    free(value);
    return set;
}

/** A report after the program begins on a line of its own. */
static bool set_line_variable(const LauncherOptions *options) {
    if (options->quiet) return unsetenv(WIRE_LINE_VARIABLE) == 0;
    return setenv(WIRE_LINE_VARIABLE, "1", 1) == 0;
}

bool launcher_connect(int socket) {
    char number[16];
    snprintf(number, sizeof number, "%d", socket);
    return fcntl(socket, F_SETFD, 0) == 0 && setenv(WIRE_SOCKET_VARIABLE, number, 1) == 0 &&
           set_library_path();
}

/** The clock goes on through execve. A program that takes far longer than it did the first time is ended. */
static bool hide_program(unsigned seconds) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (dup2(nothing, i) < 0) return false;
    alarm(seconds);
    return true;
}

/** The child becomes the program: the device's socket stays open under the number that the environment names,
 * and everything else has been opened so that it closes by itself. */
_Noreturn static void become_program(const char *program, char **argv, const Run *run) {
    int socket = run->program_end;
    char hub[HUB_NAME_BYTES + 16];
    snprintf(hub, sizeof hub, "%ld %s", (long)getpid(), run->hub);
    if (!launcher_connect(socket) || setenv(HUB_VARIABLE, hub, 1) != 0 || !set_line_variable(&run->options) ||
        (run->output >= 0 && dup2(run->output, STDOUT_FILENO) < 0) ||
        (run->unseen > 0 && !hide_program(run->unseen))) {
        conclude_fail(plain_failure(FAILURE_PREPARE));
        _exit(EXIT_INTERNAL);
    }
    supervise_release(run->supervisor);
    execv(program, argv);
    fprintf(stderr, "warpgrind: %s cannot be run: %s\n", program, strerror(errno));
    _exit(EXIT_USAGE);
}

/* ---- processes that the program starts ---- */

/* One of them asks for a device: the hub answers from here on. */
static void open_hub(void *self) {
    Run *run = self;
    int control[2];
    if (run->listener < 0) return;
    fcntl(run->listener, F_SETFL, O_NONBLOCK); /* the next ones are the hub's to hear */
    run->results = memfd_create("warpgrind-reports", MFD_CLOEXEC);
    if (run->results >= 0 && pipe2(control, O_CLOEXEC) == 0) {
        HubPlan plan = {.options = &run->options,
                        .listener = run->listener,
                        .control = control[0],
                        .results = run->results,
                        .elsewhere = -1};
        run->control = control[1];
        run->supervisor->hub = hub_start(&plan);
        close(control[0]);
    }
    close(run->listener);
    run->listener = -1;
}

/* Without it the program's own process has a device, and others have none. */
static void listen_for_others(Run *run) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(run->hub, sizeof run->hub, "warpgrind-%ld-%ld%09ld", (long)getpid(), (long)now.tv_sec,
             now.tv_nsec);
    run->control = run->results = -1;
    run->listener = hub_listen(run->hub);
    if (run->listener < 0) return;
    run->supervisor->knock = open_hub;
    run->supervisor->knock_self = run;
    fcntl(run->listener, F_SETOWN, getpid());
    fcntl(run->listener, F_SETFL, O_NONBLOCK | O_ASYNC);
}

/* The reports of all processes become one; the program's own counts where it has called the runtime. */
static struct json_object *add_others(Run *run, struct json_object *own) {
    if (run->listener >= 0) close(run->listener);
    run->listener = -1;
    if (run->control < 0) return own;
    close(run->control);
    supervise_hub(run->supervisor);
    struct json_object *list = conclude_read(run->results), *all = json_object_new_array();
    if (own != NULL && (merge_was_used(own) || list == NULL))
        json_object_array_add(all, json_object_get(own));
    JSON_EACH(entry, list)
        json_object_array_add(all, json_object_get(entry));
    struct json_object *merged;
    if (json_object_array_length(all) > 0)
        merged = merge_reports(all);
    else
        merged = json_object_get(own);
    if (merged != NULL) conclude_add_ending(merged, run->program_status, run->supervisor->stopped_by);
    json_object_put(all);
    json_object_put(list);
    json_object_put(own);
    return merged;
}

/* ---- running both ---- */

static bool start_program(const char *program, char **argv, Run *run) {
    Supervisor *supervisor = run->supervisor;
    supervisor->program = fork();
    if (supervisor->program == 0) {
        supervise_follow(supervisor);
        become_program(program, argv, run);
    }
    return supervisor->program > 0;
}

/** The device is forked first, then the program, each with its end of a socket pair. The device's report is a
 * file in memory: it locks itself down and could open no file later. */
static bool start(Run *run, char **argv) {
    int ends[2];
    const DeviceOptions *options = &run->options.device;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    run->device_end = ends[0];
    run->program_end = ends[1];
    run->report_file = memfd_create("warpgrind-report", MFD_CLOEXEC);
    if (run->report_file < 0) return false;
    Supervisor *supervisor = run->supervisor;
    supervisor->device = fork();
    if (supervisor->device < 0) return false;
    if (supervisor->device == 0) {
        supervise_follow(supervisor);
        _exit(launcher_serve(options, run->device_end, run->report_file));
    }
    listen_for_others(run);
    bool started = start_program(options->program, argv, run);
    close(run->device_end);
    return started;
}

/* The program has ended. Children that it left behind may hold its end open. */
static void end_wire(const Run *run) {
    shutdown(run->program_end, SHUT_RDWR);
    close(run->program_end);
}

/* The report of one run; NULL when there is none, which has been said. */
static struct json_object *run_once(Run *run, char **argv) {
    if (!start(run, argv)) {
        conclude_fail(plain_failure(FAILURE_PROCESSES));
        return NULL;
    }
    run->program_status = supervise_program(run->supervisor);
    end_wire(run);
    run->device_status = supervise_device(run->supervisor);
    struct json_object *json = conclude_take_report(run->report_file, run->device_status);
    if (json != NULL) conclude_add_ending(json, run->program_status, run->supervisor->stopped_by);
    return add_others(run, json);
}

/* What the run's endings make of the exit status by themselves. */
static int status_of(const Run *run) {
    return conclude_status(run->program_status, run->supervisor->stopped_by);
}

/* ---- smaller runs ---- */

/* The runs that --smallest asks for, and how long each may take. */
typedef struct Trials {
    const LauncherOptions *options;
    Supervisor *supervisor;
    unsigned seconds;
} Trials;

static struct json_object *run_unseen(void *self, const DeviceOptions *device, char **argv) {
    const Trials *trials = self;
    Run run = {.options = *trials->options,
               .output = -1,
               .unseen = trials->seconds,
               .supervisor = trials->supervisor};
    run.options.device = *device;
    struct json_object *json = run_once(&run, argv);
    if (trials->supervisor->stopped_by == 0) return json;
    json_object_put(json);
    return NULL;
}

/* `begun`: when the first run was. Once warpgrind has been told to stop, there are no more. */
static void find_smallest(const LauncherOptions *options, struct json_object *json, char **argv,
                          Supervisor *supervisor, time_t begun) {
    enum { LEAST_SECONDS = 20, TIMES = 10 };
    const unsigned seconds = LEAST_SECONDS + TIMES * (unsigned)(time(NULL) - begun);
    Trials trials = {.options = options, .supervisor = supervisor, .seconds = seconds};
    if (options->smallest && json_array(json, "processes") != NULL)
        fprintf(stderr, "%s\n", plain_failure(FAILURE_SMALLEST_SEVERAL));
    else if (options->smallest && supervisor->stopped_by == 0)
        smallest_find(json, options, argv, run_unseen, &trials);
}

/* ---- many schedules ---- */

/* What a run has printed: its hash, and for the first run the text itself, which is passed on. */
static uint64_t take_output(int file, bool show_it) {
    uint64_t hash = 1;
    char bytes[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t count; (count = read(file, bytes, sizeof bytes)) > 0;) {
        for (ssize_t i = 0; i < count; i++)
            hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
        if (show_it) text_write(STDOUT_FILENO, bytes, (size_t)count);
    }
    close(file);
    return hash;
}

static struct json_object *run_seed(const LauncherOptions *options, unsigned seed, Run *run, char **argv,
                                    uint64_t *output) {
    run->options = *options;
    run->options.device.seed = seed;
    if (seed != 0) { /* the report, the trace and the picture are the first schedule's */
        run->options.trace = NULL;
        run->options.device.trace = 0;
        run->options.device.picture = false;
    }
    run->output = memfd_create("warpgrind-output", MFD_CLOEXEC);
    if (run->output < 0) return NULL;
    struct json_object *json = run_once(run, argv);
    *output = take_output(run->output, seed == 0);
    return json;
}

/* The other schedules, until warpgrind is told to stop: what a run has found until then counts, but it is
 * compared with nothing. False when a run left no report. */
static bool explore_rest(const LauncherOptions *options, char **argv, struct json_object *all,
                         uint64_t first_output, Supervisor *supervisor, unsigned *differences) {
    for (unsigned seed = 1; seed < options->explore && supervisor->stopped_by == 0; seed++) {
        Run run = {.supervisor = supervisor};
        uint64_t output = 0;
        struct json_object *json = run_seed(options, seed, &run, argv, &output);
        if (json == NULL) return false;
        if (supervisor->stopped_by != 0) {
            conclude_add_ending(all, run.program_status, supervisor->stopped_by);
            explore_merge(all, json);
        } else {
            *differences += explore_add(all, json, first_output, output);
        }
        json_object_put(json);
    }
    return true;
}

/** Runs the program once for each schedule. The first run's report becomes the result, to which the others
 * add what they show differently. */
static int explore(const LauncherOptions *options, char **argv, Supervisor *supervisor) {
    Run first = {.supervisor = supervisor};
    const time_t begun = time(NULL);
    uint64_t first_output = 0;
    struct json_object *all = run_seed(options, 0, &first, argv, &first_output);
    if (all == NULL) return EXIT_INTERNAL;
    unsigned differences = explore_add(all, all, 0, 0);
    bool fine = explore_rest(options, argv, all, first_output, supervisor, &differences);
    if (fine) find_smallest(options, all, argv, supervisor, begun);
    supervise_end(supervisor);
    int status = EXIT_INTERNAL;
    if (fine) status = conclude_report(options, all, status_of(&first), differences);
    json_object_put(all);
    return status;
}

static int run_program(const LauncherOptions *options, char **argv, Supervisor *supervisor) {
    Run run = {.options = *options, .output = -1, .supervisor = supervisor};
    const time_t begun = time(NULL);
    struct json_object *json = run_once(&run, argv);
    if (json == NULL) return EXIT_INTERNAL;
    find_smallest(options, json, argv, supervisor, begun);
    supervise_end(supervisor);
    conclude_add_replay(json, options, argv);
    int status = conclude_report(options, json, status_of(&run), 0);
    json_object_put(json);
    return status;
}

/* ---- one of several that mpirun starts ---- */

static int run_rank(const LauncherOptions *options, HubRank rank, char **argv, Supervisor *supervisor) {
    Run run = {.options = *options, .output = -1, .supervisor = supervisor};
    HubSeat seat;
    if (!hub_join(options, rank, options->device.program, &seat))
        return conclude_fail(plain_failure(FAILURE_RANK));
    run.program_end = seat.wire;
    memcpy(run.hub, seat.name, sizeof run.hub);
    supervisor->device = seat.device; /* the hub's child; it is told when we are */
    if (!start_program(options->device.program, argv, &run))
        return conclude_fail(plain_failure(FAILURE_START));
    run.program_status = supervise_program(supervisor);
    end_wire(&run);
    supervisor->device = 0;
    return hub_leave(&seat, run.program_status, supervisor->stopped_by, status_of(&run));
}

static int run_as(const LauncherOptions *options, char **argv, Supervisor *supervisor) {
    HubRank rank = hub_rank();
    if (rank.rank >= 0 && rank.ranks > 1) return run_rank(options, rank, argv, supervisor);
    if (options->explore > 0) return explore(options, argv, supervisor);
    return run_program(options, argv, supervisor);
}

int launcher_open_trace(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
    if (file < 0 || file > STDERR_FILENO) return file;
    int higher = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* 0 means no trace */
    close(file);
    return higher;
}

int launcher_run(const LauncherOptions *options, char **argv) {
    char *program = launcher_find(argv[0]);
    if (program == NULL) {
        fprintf(stderr, "warpgrind: %s cannot be run: %s\n", argv[0], strerror(errno));
        return EXIT_USAGE;
    }
    LauncherOptions own = *options;
    own.device.program = program;
    own.argv = argv;
    own.device.lines = own.annotate;
    own.device.picture = own.picture != NULL;
    HubRank rank = hub_rank();
    bool one_of_many = rank.rank >= 0 && rank.ranks > 1;
    if (one_of_many && (own.explore > 0 || own.smallest)) {
        FailureText why = FAILURE_SMALLEST_INSIDE;
        if (own.explore > 0) why = FAILURE_EXPLORE_INSIDE;
        fprintf(stderr, "%s\n", plain_failure(why));
        free(program);
        return EXIT_USAGE;
    }
    /* The ranks' traces are the hub's to open. */
    if (!one_of_many && own.trace != NULL && (own.device.trace = launcher_open_trace(own.trace)) < 0) {
        free(program);
        return conclude_fail(own.trace);
    }
    Supervisor supervisor;
    supervise_begin(&supervisor);
    int status = run_as(&own, argv, &supervisor);
    free(program);
    return status;
}
