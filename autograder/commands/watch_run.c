/* watch_run.c - the processes of watch: the check in the background, commands done in a blink, the editor.
 *
 * A check is the command `exercise` in a child, whose output comes through a pipe: the screen keeps the last
 * verdict until the next one is whole, a save can end a check that runs, and memory cannot pile up.
 */
#include "autograder/commands/watch_parts.h"
#include "autograder/sandbox/child.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

WatchMark watch_look(const char *path) {
    struct stat facts;
    if (path == NULL || stat(path, &facts) != 0) return (WatchMark){0};
    return (WatchMark){.there = true, .inode = facts.st_ino, .size = facts.st_size, .written = facts.st_mtim};
}

bool watch_same(const WatchMark *a, const WatchMark *b) {
    return a->there == b->there && a->inode == b->inode && a->size == b->size &&
           a->written.tv_sec == b->written.tv_sec && a->written.tv_nsec == b->written.tv_nsec;
}

static void set_number(const char *name, unsigned value) {
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    setenv(name, text, 1);
}

/* In the child: the signals that watch reads are let through again, and stdin is nobody's. */
static void become_command(Watch *watch, int out, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_INTERNAL); /* it died before the line above */
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    set_number("COLUMNS", watch->terminal.columns);
    set_number("LINES", watch->terminal.rows);
    if (watch->terminal.colour)
        watch->session->colour = "always";
    else
        watch->session->colour = "never";
    watch->session->watched = true;
}

/* A process of its own group, so that a Ctrl-C at the terminal is watch's alone to act on. Its output, or -1.
 */
static int start(Watch *watch, CommandRun *run, const char *name, pid_t *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t self = getpid();
    *pid = fork();
    if (*pid == 0) {
        setpgid(0, 0);
        become_command(watch, ends[1], self);
        char *argv[] = {(char *)(uintptr_t)name, (char *)(uintptr_t)watch->lesson->name, NULL};
        int status = run(watch->session, 2, argv);
        fflush(stdout);
        commands_report(watch->session);
        fflush(stderr);
        _exit(status);
    }
    close(ends[1]);
    if (*pid > 0) return ends[0];
    close(ends[0]);
    return -1;
}

/* True at the end of the output. */
static bool read_some(int fd, Text *out) {
    enum { LARGEST_OUTPUT = 4 << 20 };
    char buffer[16384];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0) return errno != EINTR && errno != EAGAIN;
    if (got > 0 && out->length < LARGEST_OUTPUT) text_append(out, buffer, (size_t)got);
    return got == 0;
}

void watch_stop_check(Watch *watch) {
    if (watch->check == 0) return;
    kill(-watch->check, SIGKILL);
    kill(watch->check, SIGKILL); /* before it had a group of its own */
    child_await(watch->check);
    close(watch->coming);
    watch->check = 0;
    watch->coming = -1;
}

/* A check that still runs is about an older file, and is stopped. */
void watch_begin_check(Watch *watch) {
    watch_stop_check(watch);
    watch->checked = watch->seen = watch_look(watch->path);
    text_clear(&watch->output);
    watch->begun = clock_ms();
    watch->coming = start(watch, exercise_run, "exercise", &watch->check);
    if (watch->coming < 0) {
        watch->check = 0;
        watch_say(watch, WATCH_NO_PROCESS, &(WatchFacts){.why = strerror(errno)});
    }
    watch->dirty = true;
}

/* The old verdict stays on the screen until the new one is whole. True when it is. */
bool watch_take_output(Watch *watch) {
    if (watch->check == 0 || !read_some(watch->coming, &watch->output)) return false;
    int status = child_await(watch->check);
    close(watch->coming);
    watch->check = 0;
    watch->coming = -1;
    text_clear(&watch->verdict);
    text_append(&watch->verdict, watch->output.bytes, watch->output.length);
    watch->passed = status == EXIT_FINE;
    watch->took = clock_ms() - watch->begun;
    watch_read_progress(watch);
    return true;
}

int watch_command(Watch *watch, CommandRun *run, const char *name, Text *out) {
    pid_t pid;
    int fd = start(watch, run, name, &pid);
    if (fd < 0) return EXIT_INTERNAL;
    while (!read_some(fd, out)) {
    }
    close(fd);
    int status = child_await(pid);
    watch_read_progress(watch);
    return status;
}

/* The terminal is the editor's while it runs. The shell finds the editor, as VISUAL and EDITOR may hold
 * arguments. */
void watch_edit(Watch *watch) {
    static const char editor[] =
        "exec ${VISUAL:-${EDITOR:-$(command -v sensible-editor || command -v nano || echo vi)}} \"$1\"";
    terminal_leave(&watch->terminal);
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execl("/bin/sh", "sh", "-c", editor, "sh", watch->path, (char *)NULL);
        _exit(127);
    }
    int status = EXIT_INTERNAL;
    if (pid > 0) status = child_await(pid);
    terminal_enter(&watch->terminal);
    if (status == 127) watch_say_plain(watch, WATCH_NO_EDITOR);
    watch->dirty = true;
}

void watch_read_progress(Watch *watch) {
    Arena *arena = arena_create();
    Progress progress;
    if (arena == NULL || !progress_read(&progress, arena, &watch->course)) {
        if (arena != NULL) arena_destroy(arena);
        return;
    }
    if (watch->progress_arena != NULL) arena_destroy(watch->progress_arena);
    watch->progress_arena = arena;
    watch->progress = progress;
}
