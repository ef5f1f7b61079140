/* run.c - the command under warpgrind; see ci.h. */
#include "device/ci/ci.h"

#include "base/growable.h"
#include "device/report/summary.h"
#include "device/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNCHECKED_VARIABLE                                                                                   \
    "WARPGRIND_CI_UNCHECKED" /* names the file to which processes write; nocuda.c reads it too */
enum { MOST_WORDS = 32, LARGEST_REPORT = 512 << 20, LARGEST_LIST = 16 << 20, SIGNAL_BASE = 128 };

/* A folder for what this run leaves, and where we are. */
typedef struct Place {
    char home[PATH_MAX]; /* has bin and lib */
    char folder[PATH_MAX];
    char report[PATH_MAX + 32], unchecked[PATH_MAX + 32];
} Place;

static bool open_place(Place *place, Diagnostics *diagnostics) {
    const char *where = getenv("TMPDIR");
    ssize_t length = readlink("/proc/self/exe", place->home, sizeof place->home - 1);
    if (length < 0)
        return diag_add_errno(diagnostics, "/proc/self/exe", plain_ci(CI_NOT_READ)) == NULL && false;
    place->home[length] = '\0';
    char *home = dirname(dirname(place->home));
    memmove(place->home, home, strlen(home) + 1);
    if (where == NULL || where[0] != '/') where = "/tmp";
    snprintf(place->folder, sizeof place->folder, "%.*s/warpgrind-ci-XXXXXX", PATH_MAX - 32, where);
    bool made = mkdtemp(place->folder) != NULL;
    snprintf(place->report, sizeof place->report, "%s/report.json", place->folder);
    snprintf(place->unchecked, sizeof place->unchecked, "%s/unchecked", place->folder);
    int file = -1;
    if (made) file = open(place->unchecked, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        diag_add_errno(diagnostics, place->folder, plain_ci(CI_NO_PLACE));
        return false;
    }
    close(file);
    return true;
}

static void close_place(const Place *place) {
    unlink(place->report);
    unlink(place->unchecked);
    rmdir(place->folder);
}

/* The command line of warpgrind: the options that were given, then the command. */
static const char **warpgrind_words(Arena *arena, const CiOptions *options, const Place *place, char **argv) {
    const struct {
        const char *name, *value;
    } given[] = {{"suppress", options->suppress},
                 {"checks", options->checks},
                 {"threads", options->threads},
                 {"card", options->card}};
    const struct {
        const char *name;
        long value;
    } numbers[] = {{"devices", options->devices},
                   {"memory", options->memory_mib},
                   {"steps", options->steps},
                   {"seed", options->seed}};
    size_t count = 0, operands = 0;
    while (argv[operands] != NULL)
        operands++;
    const char **words = ARENA_ARRAY(arena, MOST_WORDS + operands, const char *);
    if (words == NULL) return NULL;
    words[count++] = arena_format(arena, "%s/bin/warpgrind", place->home);
    words[count++] = arena_format(arena, "--report=%s", place->report);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value != NULL)
            words[count++] = arena_format(arena, "--%s=%s", given[i].name, given[i].value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value >= 0)
            words[count++] = arena_format(arena, "--%s=%ld", numbers[i].name, numbers[i].value);
    if (options->full) words[count++] = "--full";
    if (options->quiet) words[count++] = "--quiet";
    words[count++] = "--";
    for (size_t i = 0; i < operands; i++)
        words[count++] = argv[i];
    for (size_t i = 0; i < count; i++)
        if (words[i] == NULL) return NULL;
    return words;
}

/* The stand-in for the driver's library is found by the loader path, behind warpgrind's own libraries. */
_Noreturn static void become(const Place *place, const char *const *words) {
    const char *old = getenv("LD_LIBRARY_PATH");
    char *path = NULL;
    int made;
    if (old != NULL)
        made = asprintf(&path, "%s/lib/ci:%s", place->home, old);
    else
        made = asprintf(&path, "%s/lib/ci", place->home);
    if (made >= 0 && setenv("LD_LIBRARY_PATH", path, 1) == 0 &&
        setenv(UNCHECKED_VARIABLE, place->unchecked, 1) == 0)
        execv(words[0], (char *const *)(uintptr_t)words);
    int error = errno;
    Text line = text_new();
    say_ci(&line, CI_CANNOT_RUN, &(CiFacts){.program = words[0], .remedy = strerror(error)});
    fprintf(stderr, "warpgrind ci: %s\n", line.bytes);
    _exit(EXIT_INTERNAL);
}

static bool start_and_wait(CiRun *run, const Place *place, const char *const *words,
                           Diagnostics *diagnostics) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) become(place, words);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR) child = -1;
    if (child < 0) {
        diag_add_errno(diagnostics, NULL, plain_ci(CI_NOT_STARTED));
        return false;
    }
    if (WIFSIGNALED(status))
        run->findings_status = SIGNAL_BASE + WTERMSIG(status);
    else
        run->findings_status = WEXITSTATUS(status);
    return true;
}

/* A run inside of another one, as when ctest runs tests that are `warpgrind ci` themselves: the outer one
 * sees none of their kernels, and is told that there were some. What they found is in their exit statuses. */
static void tell_outer_run(const CiRun *run) {
    const char *path = getenv(UNCHECKED_VARIABLE);
    int file = -1;
    if (path != NULL && run->kernel_ran) file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return;
    text_write(file, "checked -\n", strlen("checked -\n"));
    close(file);
}

/* Lines "driver PROGRAM", "runtime PROGRAM", each program once, and "checked -". */
static bool read_unchecked(CiRun *run, Arena *arena, const char *path) {
    Text list = text_new();
    bool fine = text_read_file(&list, path, LARGEST_LIST);
    Growable found = GROWABLE(Unchecked);
    for (char *rest = NULL, *line = fine ? strtok_r(list.bytes, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *program = strchr(line, ' ');
        bool inner = strncmp(line, "checked", strlen("checked")) == 0, known = program == NULL || inner;
        run->kernel_ran = run->kernel_ran || inner;
        for (size_t i = 0; !known && i < found.count; i++)
            known = strcmp(GROWABLE_AT(&found, Unchecked, i)->program, program + 1) == 0;
        Unchecked *one = NULL;
        if (!known) one = growable_add(&found);
        if (one != NULL) *one = (Unchecked){arena_string(arena, program + 1), line[0] == 'd'};
    }
    run->unchecked_count = found.count;
    run->unchecked = growable_copy(&found, arena);
    growable_free(&found);
    text_free(&list);
    return fine;
}

/* Names of files as a service knows them: below the root of the checkout, without a way to it. The name by
 * which the file is found from here stays in `path`. */
static void shorten(struct json_object *object, const char *root) {
    size_t length = strlen(root);
    const char *file = json_text(object, "file", "");
    char *real = NULL;
    if (*file != '\0') real = realpath(file, NULL);
    json_put_text(object, "path", file);
    if (real != NULL && strncmp(real, root, length) == 0 && real[length] == '/')
        json_put_text(object, "file", real + length + 1);
    free(real);
    struct json_object *other = json_member(object, "other"), *array = json_member(object, "array");
    if (other != NULL) shorten(other, root);
    if (array != NULL) shorten(array, root);
}

static void shorten_all(struct json_object *report, const char *root) {
    struct json_object *findings = json_array(report, "findings");
    char *real = realpath(root, NULL);
    for (size_t i = 0; real != NULL && i < json_length(findings); i++)
        shorten(json_object_array_get_idx(findings, i), real);
    free(real);
}

/* The command's own ending: warpgrind hands on a failure, and makes 1 of a finding. */
static int own_status(struct json_object *report) {
    long signal = json_number(report, "signal", 0);
    if (signal > 0) return SIGNAL_BASE + (int)signal;
    return (int)json_number(report, "exit_status", 0);
}

bool ci_run_command(CiRun *run, Arena *arena, const CiOptions *options, char **argv,
                    Diagnostics *diagnostics) {
    Place place = {.home = ""};
    if (!open_place(&place, diagnostics)) return false;
    const char **words = warpgrind_words(arena, options, &place, argv);
    bool fine = words != NULL && start_and_wait(run, &place, words, diagnostics);
    if (fine && access(place.report, R_OK) == 0)
        run->report = json_read_file(place.report, LARGEST_REPORT, diagnostics);
    if (run->report != NULL) run->kernel_ran = summary_kernel_ran(run->report);
    fine = fine && read_unchecked(run, arena, place.unchecked);
    close_place(&place);
    if (run->report == NULL) return false;
    tell_outer_run(run);
    shorten_all(run->report, text_or(options->root, "."));
    run->status = own_status(run->report);
    return fine;
}
