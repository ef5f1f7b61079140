/* launcher.c - see launcher.h.
 *
 * The launcher forks twice: the device, which locks itself down and leaves its report in a memfd, and the
 * program. When the program has ended, however it did, its end of the socket is shut, so the device always
 * comes to its end as well.
 */
#include "base/options.h"
#include "device/launcher.h"
#include "device/lockdown.h"
#include "device/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_BASE = 128, REPORT_LIMIT = 64 << 20 };

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

int launcher_serve(const DeviceOptions *options, int socket, int report_file) {
    const int keep[] = {socket, report_file};
    lockdown_close_others(keep, 2);
    lockdown_hide();
    Device *device = device_create(options, socket);
    if (device == NULL) return fail("the device cannot be made");
    if (!lockdown_enter()) {
        device_destroy(device);
        return fail("the device cannot be locked down");
    }
    device_serve(device);
    bool written = write_report(device, report_file);
    if (!written) return fail("the report cannot be written");
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

_Noreturn static void become_program(const char *program, char **argv, int socket) {
    char number[16];
    snprintf(number, sizeof number, "%d", socket);
    if (fcntl(socket, F_SETFD, 0) != 0 || setenv(WIRE_SOCKET_VARIABLE, number, 1) != 0 ||
        !set_library_path()) {
        fail("the program cannot be prepared");
        _exit(EXIT_INTERNAL);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    execv(program, argv);
    fprintf(stderr, "warpgrind: %s cannot be run: %s\n", program, strerror(errno));
    _exit(EXIT_USAGE);
}

/* ---- the report ---- */

typedef struct Run {
    int program_end, device_end, report_file;
    pid_t program, device;
    int program_status, device_status;
} Run;

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

static void add_ending(struct json_object *report, int status) {
    if (WIFSIGNALED(status)) {
        json_object_object_add(report, "ended", json_object_new_string("signal"));
        json_object_object_add(report, "signal", json_object_new_int(WTERMSIG(status)));
        json_object_object_del(report, "exit_status");
    } else {
        json_object_object_add(report, "ended", json_object_new_string("exit"));
        json_object_object_add(report, "exit_status", json_object_new_int(WEXITSTATUS(status)));
    }
}

static void add_number(Text *text, uint64_t number) {
    if (number >= 1000) {
        add_number(text, number / 1000);
        text_format(text, ",%03u", (unsigned)(number % 1000));
    } else {
        text_format(text, "%u", (unsigned)number);
    }
}

static void add_counted(Text *text, uint64_t number, const char *noun) {
    add_number(text, number);
    text_format(text, " %s%s", noun, number == 1 ? "" : strcmp(noun, "launch") == 0 ? "es" : "s");
}

static unsigned count_findings(struct json_object *report, const char *severity) {
    struct json_object *findings = json_array(report, "findings");
    unsigned count = 0;
    for (size_t i = 0; findings != NULL && i < json_object_array_length(findings); i++)
        if (strcmp(json_text(json_object_array_get_idx(findings, i), "severity", ""), severity) == 0) count++;
    return count;
}

static void summarise(struct json_object *report, unsigned errors, unsigned notes, Text *out) {
    text_add(out, "warpgrind: ");
    if (errors + notes == 0) text_add(out, "no findings");
    if (errors > 0) add_counted(out, errors, "error");
    if (errors > 0 && notes > 0) text_add(out, " and ");
    if (notes > 0) add_counted(out, notes, "note");
    text_add(out, " in ");
    add_counted(out, (uint64_t)json_number(report, "launches_total", 0), "launch");
    text_add(out, ", ");
    add_counted(out, (uint64_t)json_number(report, "threads_total", 0), "thread");
    text_add(out, "\n");
}

static void show(const LauncherOptions *options, struct json_object *report, unsigned errors,
                 unsigned notes) {
    Text text;
    text_init(&text);
    if (errors + notes > 0) replay_text(report, &text, options_colour(options->colour, STDERR_FILENO));
    summarise(report, errors, notes, &text);
    fflush(stdout);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

static int exit_status(const Run *run, unsigned errors) {
    if (WIFSIGNALED(run->program_status)) return SIGNAL_BASE + WTERMSIG(run->program_status);
    if (WEXITSTATUS(run->program_status) != 0) return WEXITSTATUS(run->program_status);
    return errors > 0 ? EXIT_FOUND : EXIT_FINE;
}

static int report(const LauncherOptions *options, const Run *run) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    struct json_object *json = read_report(run->report_file, &diagnostics);
    arena_destroy(arena);
    if (json == NULL) {
        fprintf(stderr,
                "warpgrind: the device ended without a report (status %d): this is a fault of warpgrind\n",
                run->device_status);
        return EXIT_INTERNAL;
    }
    add_ending(json, run->program_status);
    unsigned errors = count_findings(json, "error"), notes = count_findings(json, "note");
    const char *text =
        json_object_to_json_string_ext(json, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
    int status = exit_status(run, errors);
    if (options->report != NULL && !text_write_file(options->report, text, strlen(text)))
        status = fail(options->report);
    if (!options->quiet) show(options, json, errors, notes);
    json_object_put(json);
    return status;
}

/* ---- running both ---- */

static int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

static bool start(const LauncherOptions *options, Run *run, const char *program, char **argv) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    run->device_end = ends[0];
    run->program_end = ends[1];
    run->report_file = memfd_create("warpgrind-report", MFD_CLOEXEC);
    if (run->report_file < 0) return false;
    signal(SIGINT, SIG_IGN); /* the program decides; the report is still wanted */
    signal(SIGQUIT, SIG_IGN);
    run->device = fork();
    if (run->device < 0) return false;
    if (run->device == 0) _exit(launcher_serve(&options->device, run->device_end, run->report_file));
    run->program = fork();
    if (run->program < 0) return false;
    if (run->program == 0) become_program(program, argv, run->program_end);
    close(run->device_end);
    return true;
}

int launcher_run(const LauncherOptions *options, char **argv) {
    char *program = find_program(argv[0]);
    if (program == NULL) {
        fprintf(stderr, "warpgrind: %s cannot be run: %s\n", argv[0], strerror(errno));
        return EXIT_USAGE;
    }
    LauncherOptions own = *options;
    if (own.device.program == NULL) own.device.program = program;
    Run run = {0};
    if (!start(&own, &run, program, argv)) {
        free(program);
        return fail("the processes cannot be started");
    }
    run.program_status = wait_for(run.program);
    /* Children that the program left behind may hold its end open. */
    shutdown(run.program_end, SHUT_RDWR);
    run.device_status = wait_for(run.device);
    int status = report(&own, &run);
    free(program);
    return status;
}
