/* launcher.c - see launcher.h.
 *
 * The launcher forks twice: the device, which locks itself down and leaves its report in a memfd, and the
 * program. When the program has ended, however it did, its end of the socket is shut, so the device always
 * comes to its end as well.
 */
#include "base/picture.h"
#include "base/options.h"
#include "device/launcher.h"
#include "device/lockdown.h"
#include "device/annotate.h"
#include "device/explore.h"
#include "device/sarif.h"
#include "device/suppress.h"
#include "device/summary.h"
#include "device/replay.h"
#include "device/supervise.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_BASE = 128, REPORT_LIMIT = 64 << 20, RESERVED_FOR_REPORT = 128 << 20 };

typedef struct Run {
    int program_end, device_end, report_file;
    int output; /**< where the program prints to instead of our standard output; -1: there */
    Supervisor *supervisor;
    int program_status, device_status;
} Run;

static int fail(const char *what) {
    fprintf(stderr, "warpgrind: %s: %s\n", what, strerror(errno));
    return EXIT_INTERNAL;
}

/* ---- the device ---- */

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

static bool write_report(const Device *device, int file) {
    struct json_object *report = device_report(device);
    if (report == NULL) return false;
    const char *text =
        json_object_to_json_string_ext(report, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool written = text != NULL && write_all(file, text, strlen(text)) && write_all(file, "\n", 1);
    json_object_put(report);
    return written;
}

/* Limits what the process takes from here on: device memory is reserved already, and has its own limit. What
 * a report needs is set aside, since a program may have used up all the rest. A sanitizer's run-time reserves
 * terabytes of addresses. */
static void *limit_memory(uint64_t bytes) {
#ifndef __SANITIZE_ADDRESS__
    unsigned long pages = 0;
    FILE *file = bytes != 0 ? fopen("/proc/self/statm", "re") : NULL;
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
    const int keep[] = {socket, report_file, options->trace, options->sent};
    lockdown_close_others(keep, sizeof keep / sizeof *keep);
    lockdown_hide();
    Device *device = device_create(options, socket);
    if (device == NULL) return fail("the device cannot be made");
    void *reserved = limit_memory(options->process_bytes);
    if (!lockdown_enter(options->threads > 1)) {
        device_destroy(device);
        return fail("the device cannot be locked down");
    }
    device_serve(device);
    if (reserved != MAP_FAILED) munmap(reserved, RESERVED_FOR_REPORT);
    bool written = write_report(device, report_file);
    if (!written) return fail("the report cannot be written");
    if (device->sent != NULL && !sent_write(device->sent, options->sent))
        return fail("what the program sent cannot be written");
    return EXIT_FINE; /* the process ends: giving back every piece of memory would only take time */
}

/* ---- the program ---- */

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/** Where execvp would find it; the caller frees it. NULL with errno set. */
static char *find_program(const char *name) {
    if (strchr(name, '/') != NULL) {
        if (is_program(name)) return strdup(name);
        if (access(name, X_OK) == 0) errno = EACCES;
        return NULL;
    }
    const char *path = getenv("PATH");
    char *copy = strdup(path != NULL ? path : "/usr/bin:/bin"), *rest = copy, *found = NULL;
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
    if (asprintf(&value, "%s/lib%s%s", home, old != NULL ? ":" : "", old != NULL ? old : "") < 0)
        return false;
    bool set = setenv("LD_LIBRARY_PATH", value, 1) == 0;
    free(value);
    return set;
}

_Noreturn static void become_program(const char *program, char **argv, const Run *run) {
    int socket = run->program_end;
    char number[16];
    snprintf(number, sizeof number, "%d", socket);
    if (fcntl(socket, F_SETFD, 0) != 0 || setenv(WIRE_SOCKET_VARIABLE, number, 1) != 0 ||
        !set_library_path() || (run->output >= 0 && dup2(run->output, STDOUT_FILENO) < 0)) {
        fail("the program cannot be prepared");
        _exit(EXIT_INTERNAL);
    }
    supervise_release(run->supervisor);
    execv(program, argv);
    fprintf(stderr, "warpgrind: %s cannot be run: %s\n", program, strerror(errno));
    _exit(EXIT_USAGE);
}

/* ---- the report ---- */

static struct json_object *read_report(int file, Diagnostics *diagnostics) {
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size <= 0 || status.st_size > REPORT_LIMIT) return NULL;
    void *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED) return NULL;
    struct json_object *report =
        json_parse_text(text, (size_t)status.st_size, "the device's report", diagnostics);
    munmap(text, (size_t)status.st_size);
    return report;
}

static void add_ending(struct json_object *report, const Run *run) {
    int status = run->program_status, stopped_by = run->supervisor->stopped_by;
    if (stopped_by != 0) {
        json_object_object_add(report, "ended", json_object_new_string("stopped"));
        json_object_object_add(report, "signal", json_object_new_int(stopped_by));
        json_object_object_del(report, "exit_status");
    } else if (WIFSIGNALED(status)) {
        json_object_object_add(report, "ended", json_object_new_string("signal"));
        json_object_object_add(report, "signal", json_object_new_int(WTERMSIG(status)));
        json_object_object_del(report, "exit_status");
    } else {
        json_object_object_add(report, "ended", json_object_new_string("exit"));
        json_object_object_add(report, "exit_status", json_object_new_int(WEXITSTATUS(status)));
    }
}

static void show(const LauncherOptions *options, struct json_object *report) {
    Text text;
    text_init(&text);
    if (summary_count(report, "error") + summary_count(report, "note") > 0)
        replay_text(report, &text, options_colour(options->colour, STDERR_FILENO), options->full);
    if (options->annotate) annotate_sources(report, &text);
    if (options->explore > 0) explore_text(report, &text);
    summary_text(report, options->trace, &text);
    fflush(stdout);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

static int exit_status(const Run *run, unsigned errors) {
    int stopped_by = run->supervisor->stopped_by;
    if (stopped_by != 0) return SIGNAL_BASE + stopped_by;
    if (WIFSIGNALED(run->program_status)) return SIGNAL_BASE + WTERMSIG(run->program_status);
    if (WEXITSTATUS(run->program_status) != 0) return WEXITSTATUS(run->program_status);
    return errors > 0 ? EXIT_FOUND : EXIT_FINE;
}

static bool write_json(struct json_object *json, const char *path) {
    const char *text =
        json_object_to_json_string_ext(json, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    return text_write_file(path, text, strlen(text));
}

static bool write_sarif(struct json_object *report, const char *path) {
    struct json_object *sarif = sarif_of_report(report);
    bool written = write_json(sarif, path);
    json_object_put(sarif);
    return written;
}

/* False when the file of suppressions cannot be understood. */
static bool leave_out(const LauncherOptions *options, struct json_object *report) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    bool fine = suppress_findings(report, options->suppress, &diagnostics);
    Text text;
    text_init(&text);
    diag_render(&diagnostics, &text, options_colour(options->colour, STDERR_FILENO));
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
    arena_destroy(arena);
    return fine;
}

/* The picture travels in the report, and becomes a page of its own. */
static bool write_picture(struct json_object *report, const char *path) {
    const char *data = json_text(report, "picture", "");
    struct json_object *picture = json_tokener_parse(data);
    const char *file = json_text(picture, "file", "");
    enum { LARGEST_SOURCE = 400 << 10 };
    Text source, page;
    text_init(&source);
    text_init(&page);
    bool read = *file != '\0' && text_read_file(&source, file, LARGEST_SOURCE);
    picture_page(&page, data, file, read ? source.bytes : NULL);
    bool written = picture != NULL && !page.failed && text_write_file(path, page.bytes, page.length);
    text_free(&source);
    text_free(&page);
    json_object_put(picture);
    json_object_object_del(report, "picture");
    return written;
}

static int report(const LauncherOptions *options, const Run *run, struct json_object *json,
                  unsigned differences) {
    if (!leave_out(options, json)) return EXIT_USAGE;
    bool missing = options->require_kernel && !summary_kernel_ran(json);
    int status = exit_status(run, summary_count(json, "error") + differences + missing);
    if (options->picture != NULL && !write_picture(json, options->picture)) status = fail(options->picture);
    if (options->report != NULL && !write_json(json, options->report)) status = fail(options->report);
    if (options->sarif != NULL && !write_sarif(json, options->sarif)) status = fail(options->sarif);
    if (!options->quiet) show(options, json);
    return status;
}

/* ---- running both ---- */

static bool start(const DeviceOptions *options, Run *run, char **argv) {
    int ends[2];
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
    supervisor->program = fork();
    if (supervisor->program < 0) return false;
    if (supervisor->program == 0) {
        supervise_follow(supervisor);
        become_program(options->program, argv, run);
    }
    close(run->device_end);
    return true;
}

static struct json_object *take_report(Run *run) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    struct json_object *json = read_report(run->report_file, &diagnostics);
    arena_destroy(arena);
    close(run->report_file);
    if (json != NULL)
        add_ending(json, run);
    else
        fprintf(stderr,
                "warpgrind: the device ended without a report (status %d): this is a fault of warpgrind\n",
                run->device_status);
    return json;
}

/* The report of one run; NULL when there is none, which has been said. */
static struct json_object *run_once(const DeviceOptions *options, Run *run, char **argv) {
    if (!start(options, run, argv)) {
        fail("the processes cannot be started");
        return NULL;
    }
    run->program_status = supervise_program(run->supervisor);
    /* Children that the program left behind may hold its end open. */
    shutdown(run->program_end, SHUT_RDWR);
    close(run->program_end);
    run->device_status = supervise_device(run->supervisor);
    return take_report(run);
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
        if (show_it) write_all(STDOUT_FILENO, bytes, (size_t)count);
    }
    close(file);
    return hash;
}

static struct json_object *run_seed(const LauncherOptions *options, unsigned seed, Run *run, char **argv,
                                    uint64_t *output) {
    DeviceOptions device = options->device;
    device.seed = seed;
    if (seed != 0) { /* the report, the trace and the picture are the first schedule's */
        device.trace = 0;
        device.picture = false;
    }
    run->output = memfd_create("warpgrind-output", MFD_CLOEXEC);
    if (run->output < 0) return NULL;
    struct json_object *json = run_once(&device, run, argv);
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
            add_ending(all, &run);
            explore_merge(all, json);
        } else {
            *differences += explore_add(all, json, first_output, output);
        }
        json_object_put(json);
    }
    return true;
}

static int explore(const LauncherOptions *options, char **argv, Supervisor *supervisor) {
    Run first = {.supervisor = supervisor};
    uint64_t first_output = 0;
    struct json_object *all = run_seed(options, 0, &first, argv, &first_output);
    if (all == NULL) return EXIT_INTERNAL;
    unsigned differences = explore_add(all, all, 0, 0);
    bool fine = explore_rest(options, argv, all, first_output, supervisor, &differences);
    supervise_end(supervisor);
    int status = fine ? report(options, &first, all, differences) : EXIT_INTERNAL;
    json_object_put(all);
    return status;
}

static int run_program(const LauncherOptions *options, char **argv, Supervisor *supervisor) {
    Run run = {.output = -1, .supervisor = supervisor};
    struct json_object *json = run_once(&options->device, &run, argv);
    if (json == NULL) return EXIT_INTERNAL;
    supervise_end(supervisor);
    int status = report(options, &run, json, 0);
    json_object_put(json);
    return status;
}

int launcher_open_trace(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
    if (file < 0 || file > STDERR_FILENO) return file;
    int higher = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* 0 means no trace */
    close(file);
    return higher;
}

int launcher_run(const LauncherOptions *options, char **argv) {
    char *program = find_program(argv[0]);
    if (program == NULL) {
        fprintf(stderr, "warpgrind: %s cannot be run: %s\n", argv[0], strerror(errno));
        return EXIT_USAGE;
    }
    LauncherOptions own = *options;
    own.device.program = program;
    own.device.lines = own.annotate;
    own.device.picture = own.picture != NULL;
    if (own.trace != NULL && (own.device.trace = launcher_open_trace(own.trace)) < 0) {
        free(program);
        return fail(own.trace);
    }
    Supervisor supervisor;
    supervise_begin(&supervisor);
    int status = own.explore > 0 ? explore(&own, argv, &supervisor) : run_program(&own, argv, &supervisor);
    free(program);
    return status;
}
