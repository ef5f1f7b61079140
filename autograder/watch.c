/* watch.c - checks the lesson's file again whenever it is saved.
 *
 * Editors save in two ways: into the file, or into a new file that takes its name. So the folder is watched,
 * for both. Each check is the command `exercise`, run as a process of its own: a check may be ended by the
 * next save, and memory cannot pile up.
 */
#include "autograder/commands.h"
#include "autograder/progress.h"
#include "autograder/work.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SETTLE_MILLISECONDS = 30 };

/* Runs `warpschool exercise [LESSON]` to its end; its exit status. */
static int exercise_once(const Session *session, const char *lesson) {
    if (isatty(STDOUT_FILENO)) fputs("\x1b[2J\x1b[H", stdout);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        const char *const argv[] = {"warpschool", "exercise", lesson, NULL};
        const char *const rooted[] = {"warpschool", "--root", session->root, "exercise", lesson, NULL};
        execv("/proc/self/exe", (char *const *)(uintptr_t)(session->root ? rooted : argv));
        _exit(EXIT_INTERNAL);
    }
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
}

/* Reads all waiting events; whether one is about a source file. */
static bool read_events(int watch) {
    _Alignas(struct inotify_event) char buffer[4096 + NAME_MAX];
    bool about_source = false;
    ssize_t got = read(watch, buffer, sizeof buffer);
    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)(buffer + at);
        if (event->len > 0 && text_ends_with(event->name, ".cu")) about_source = true;
        at += (ssize_t)(sizeof *event + event->len);
    }
    return about_source;
}

/* Waits for a save, and then until nothing more follows at once. */
static bool wait_for_save(int watch) {
    struct pollfd polled = {.fd = watch, .events = POLLIN};
    bool saved = false;
    for (;;) {
        int ready = poll(&polled, 1, saved ? SETTLE_MILLISECONDS : -1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready == 0) return true;
        if (ready > 0) saved = read_events(watch) || saved;
    }
}

static int watch_folder(const Course *course, Diagnostics *diagnostics) {
    const char *folder = arena_format(diagnostics->arena, "%s/work", course->root);
    int watch = inotify_init1(IN_CLOEXEC);
    if (folder != NULL && watch >= 0 && inotify_add_watch(watch, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0)
        return watch;
    diag_add(diagnostics, DIAG_ERROR, folder, 0, 0, "cannot watch the folder: %s", strerror(errno));
    if (watch >= 0) close(watch);
    return -1;
}

int watch_run(Session *session, int argc, char **argv) {
    const Option options[] = {{.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const char *lesson = first < argc && *argv[first] != '\0' ? argv[first] : NULL;
    if (lesson != NULL && lessons_find(&course, lesson, &session->diagnostics) == NULL) return EXIT_USAGE;
    int status = exercise_once(session, lesson), watch = -1;
    if (status <= EXIT_FOUND) watch = watch_folder(&course, &session->diagnostics);
    if (watch < 0) return status <= EXIT_FOUND ? EXIT_INTERNAL : status;
    for (;;) {
        puts("\nWatching: save your file and it is checked again. Ctrl-C ends this.");
        fflush(stdout);
        if (!wait_for_save(watch)) break;
        exercise_once(session, lesson);
    }
    close(watch);
    return EXIT_FINE;
}
