/* conclude.c - see conclude.h. */
#include "device/report/conclude.h"
#include "base/options.h"
#include "base/escape.h"
#include "base/picture.h"
#include "device/reshape.h"
#include "device/report/annotate.h"
#include "device/report/explore.h"
#include "device/report/replay.h"
#include "device/report/sarif.h"
#include "device/report/summary.h"
#include "device/report/suppress.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNAL_BASE = 128, REPORT_LIMIT = 64 << 20 };

int conclude_fail(const char *what) {
    fprintf(stderr, "warpgrind: %s: %s\n", what, strerror(errno));
    return EXIT_INTERNAL;
}

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

/** How the program ended belongs to the report, but only the launcher knows it, since the device sees no more
 * than a closed socket. A report has an exit status or a signal, never both. */
void conclude_add_ending(struct json_object *report, int status, int stopped_by) {
    if (stopped_by != 0) {
        json_put_text(report, "ended", "stopped");
        json_put_number(report, "signal", stopped_by);
        json_object_object_del(report, "exit_status");
    } else if (WIFSIGNALED(status)) {
        json_put_text(report, "ended", "signal");
        json_put_number(report, "signal", WTERMSIG(status));
        json_object_object_del(report, "exit_status");
    } else {
        json_put_text(report, "ended", "exit");
        json_put_number(report, "exit_status", WEXITSTATUS(status));
    }
}

static bool ends_in_newline(int file, off_t length) {
    char path[32], last = '\n';
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int own = open(path, O_RDONLY | O_CLOEXEC);
    if (own >= 0 && length > 0 && pread(own, &last, 1, length - 1) != 1) last = '\n';
    if (own >= 0) close(own);
    return last == '\n';
}

/** Whether the program, which was stopped or died, may have left a line unfinished where the report goes. One
 * that ends by itself ends its line (cudart/line_end.c). What went to a terminal or pipe cannot be read
 * again. */
static bool may_be_amid_line(struct json_object *report) {
    struct stat out, err;
    if (fstat(STDERR_FILENO, &err) != 0) return false;
    if (S_ISREG(err.st_mode)) return !ends_in_newline(STDERR_FILENO, err.st_size);
    if (strcmp(json_text(report, "ended", "exit"), "exit") == 0) return false;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

/** All that is printed goes out in one write after the program's own output, so that the two do not mix. */
static void show(const LauncherOptions *options, struct json_object *report) {
    Text text = text_new();
    if (may_be_amid_line(report)) text_add(&text, "\n");
    if (summary_count(report, "error") + summary_count(report, "note") > 0)
        replay_text(report, &text, options_colour(options->colour, STDERR_FILENO), options->full);
    if (options->annotate) annotate_sources(report, &text);
    if (options->explore > 0) explore_text(report, &text);
    summary_text(report, options->trace, &text);
    fflush(stdout);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

static bool has_error_of_kernel(struct json_object *report) {
    JSON_EACH(finding, json_array(report, "findings")) {
        if (text_same(json_text(finding, "severity", ""), "error") &&
            *json_text(finding, "kernel", "") != '\0')
            return true;
    }
    return false;
}

static void add_option(struct json_object *words, const char *name, const char *value) {
    char word[RESHAPE_BYTES + 16];
    snprintf(word, sizeof word, "--%s=%s", name, value);
    json_object_array_add(words, json_object_new_string(word));
}

/** The options that decide the order of a run, and what it runs on. */
static void add_run_options(struct json_object *words, const DeviceOptions *device) {
    char value[RESHAPE_BYTES];
    snprintf(value, sizeof value, "%" PRIu64, device->seed);
    if (device->seed != 0) add_option(words, "seed", value);
    if (device->early) add_option(words, "stream-order", "early");
    snprintf(value, sizeof value, "%u", device->devices);
    if (device->devices > 1) add_option(words, "devices", value);
    if (device->card != NULL) add_option(words, "card", device->card);
    reshape_spell(&device->reshape, value);
    if (device->reshape.launch != 0) add_option(words, "reshape", value);
}

struct json_object *conclude_command(const DeviceOptions *device, char *const *argv, bool steps) {
    struct json_object *words = json_object_new_array();
    json_object_array_add(words, json_object_new_string("warpgrind"));
    if (steps) json_object_array_add(words, json_object_new_string("debug"));
    add_run_options(words, device);
    for (; *argv != NULL; argv++)
        json_object_array_add(words, json_new_visible(*argv));
    return words;
}

/** Of several processes a debugger sees one at most. */
void conclude_add_replay(struct json_object *report, const LauncherOptions *options, char *const *argv) {
    if (json_array(report, "processes") != NULL || !has_error_of_kernel(report)) return;
    json_object_object_add(report, "replay", conclude_command(&options->device, argv, true));
}

int conclude_status(int status, int stopped_by) {
    if (stopped_by != 0) return SIGNAL_BASE + stopped_by;
    if (WIFSIGNALED(status)) return SIGNAL_BASE + WTERMSIG(status);
    return WEXITSTATUS(status);
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
    Text text = text_new();
    diag_render(&diagnostics, &text, options_colour(options->colour, STDERR_FILENO));
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
    arena_destroy(arena);
    return fine;
}

/* The command that makes the picture again; `rest` is what the choice stands before. */
static void add_again(const LauncherOptions *options, Text *words, Text *rest) {
    struct json_object *list = json_object_new_array();
    add_run_options(list, &options->device);
    text_add(words, "warpgrind");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        text_add(words, " ");
        escape_shell_word(words, json_object_get_string(json_object_array_get_idx(list, i)));
    }
    text_add(words, " --picture ");
    escape_shell_word(words, options->picture);
    for (char *const *word = options->argv; *word != NULL; word++) {
        if (word != options->argv) text_add(rest, " ");
        escape_shell_word(rest, *word);
    }
    json_object_put(list);
}

/* The picture travels in the report, and becomes a page of its own. */
static bool write_picture(struct json_object *report, const LauncherOptions *options) {
    const char *data = json_text(report, "picture", "");
    struct json_object *picture = json_tokener_parse(data);
    const char *file = json_text(picture, "file", "");
    enum { LARGEST_SOURCE = 400 << 10 };
    Text source = text_new(), page = text_new(), words = text_new(), rest = text_new();
    bool read = *file != '\0' && text_read_file(&source, file, LARGEST_SOURCE);
    add_again(options, &words, &rest);
    const PictureCommand again = {words.bytes, rest.bytes, .variables = false};
    picture_page(&page, data, file, read ? source.bytes : NULL, &again);
    bool written =
        picture != NULL && !page.failed && text_write_file(options->picture, page.bytes, page.length);
    text_free(&words);
    text_free(&rest);
    text_free(&source);
    text_free(&page);
    json_object_put(picture);
    json_object_object_del(report, "picture");
    return written;
}

/** What is to be left out goes first, since files, screen and exit status all speak of what is kept. The
 * program's own failure wins over EXIT_FOUND; a file that cannot be written wins over both. */
int conclude_report(const LauncherOptions *options, struct json_object *json, int status,
                    unsigned differences) {
    if (!leave_out(options, json)) return EXIT_USAGE;
    bool missing = options->require_kernel && !summary_kernel_ran(json);
    if (status == EXIT_FINE && summary_count(json, "error") + differences + missing > 0) status = EXIT_FOUND;
    if (options->picture != NULL && !write_picture(json, options)) status = conclude_fail(options->picture);
    if (options->report != NULL && !write_json(json, options->report))
        status = conclude_fail(options->report);
    if (options->sarif != NULL && !write_sarif(json, options->sarif)) status = conclude_fail(options->sarif);
    if (!options->quiet) show(options, json);
    return status;
}

struct json_object *conclude_read(int file) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    struct json_object *json = read_report(file, &diagnostics);
    arena_destroy(arena);
    close(file);
    return json;
}

struct json_object *conclude_take_report(int file, int device_status) {
    struct json_object *json = conclude_read(file);
    const bool has_said_why = WIFEXITED(device_status) && WEXITSTATUS(device_status) == EXIT_INTERNAL;
    if (json == NULL && !has_said_why)
        fprintf(stderr,
                "warpgrind: the device ended without a report (status %d): this is a bug in warpgrind\n",
                device_status);
    return json;
}
