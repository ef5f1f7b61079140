/* watch.c - see watch.h. */
#include "grading/run/watch.h"

#include "base/arena.h"
#include "grading/run/run.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A folder is looked at so often; a round that failed is tried again after so long. */
enum { LOOK_MILLISECONDS = 1000, AGAIN_SECONDS = 60, DESCRIPTORS = 16 };

/* The watch of one folder. */
typedef struct SubmissionWatch {
    Session *session;
    const WatchOrder *order;
    int signals; /* readable when somebody wants it to stop */
    sigset_t before;
    uint64_t seen, graded; /* what the folder looked like; 0: it was not there */
    int64_t since;         /* when it began to look so */
    int64_t not_before;    /* a failed round waits */
    bool missed;           /* it was said that the folder is not there */
} SubmissionWatch;

static int64_t seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}

/* ---- what a folder looks like ---- */

/* nftw hands nothing on: the sum of a walk, and whether it met anything but folders. One thread walks, and
 * one folder at a time. */
static uint64_t walked;
static bool has_files;

static uint64_t mix(uint64_t hash, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

/* Names come in no order, so the hashes of entries are added up. */
static int add_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)type;
    (void)place;
    uint64_t hash = mix(14695981039346656037u, path, strlen(path));
    hash = mix(hash, &status->st_size, sizeof status->st_size);
    hash = mix(hash, &status->st_ino, sizeof status->st_ino);
    hash = mix(hash, &status->st_mtim, sizeof status->st_mtim);
    walked += S_ISDIR(status->st_mode) ? mix(1, path, strlen(path)) : hash;
    has_files = has_files || !S_ISDIR(status->st_mode);
    return 0;
}

uint64_t watch_fingerprint(const char *path) {
    walked = 0;
    has_files = false;
    if (nftw(path, add_entry, DESCRIPTORS, FTW_PHYS) != 0 || !has_files) return 0;
    if (walked != 0) return walked;
    return 1;
}

/* ---- a round ---- */

/* The session's diagnostics are shown here: the process that watches never sees them. */
static _Noreturn void become_round(const SubmissionWatch *watch, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(EXIT_INTERNAL);
    run_unblock(watch->signals, &watch->before);
    const int status = watch->order->round(watch->order->context, watch->seen);
    commands_report(watch->session);
    fflush(stdout);
    fflush(stderr);
    _exit(status);
}

static void say_time(const char *what, const char *path) {
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts) == NULL || strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        when[0] = '\0';
    Text line = text_new();
    text_format(&line, "%s  %s ", when, what);
    text_add_visible(&line, path, strlen(path));
    text_add(&line, "\n");
    commands_print(&line);
    fflush(stdout);
}

/* Ctrl-C reaches the round as well, which ends its jobs; SIGTERM is handed on. False when it cannot be
 * started. */
static bool run_round(SubmissionWatch *watch, int *status) {
    const pid_t parent = getpid(), child = fork();
    if (child == 0) become_round(watch, parent);
    if (child < 0) return false;
    struct pollfd asked = {.fd = watch->signals, .events = POLLIN};
    int how = 0;
    bool told = false;
    while (waitpid(child, &how, WNOHANG) == 0) {
        if (poll(&asked, told ? 0 : 1, LOOK_MILLISECONDS / 10) > 0 && !told) told = kill(child, SIGTERM) == 0;
        if (told) usleep(LOOK_MILLISECONDS * 100);
    }
    if (WIFEXITED(how))
        *status = WEXITSTATUS(how);
    else
        *status = EXIT_INTERNAL;
    return true;
}

/* Grades what is there. What cannot be graded stays so until it changes; a fault of the machine's passes, and
 * is tried again. */
static void grade_now(SubmissionWatch *watch) {
    const uint64_t looked = watch->seen;
    int status = EXIT_INTERNAL;
    say_time("grading", watch->order->path);
    const bool started = run_round(watch, &status);
    if (started && status <= EXIT_USAGE) watch->graded = looked;
    if (started && (status <= EXIT_USAGE || status == WATCH_CHANGED)) return;
    watch->not_before = seconds_now() + AGAIN_SECONDS;
    say_time("this round failed, and the next is in a minute:", watch->order->path);
}

/* ---- the loop ---- */

static void look(SubmissionWatch *watch) {
    const uint64_t now = watch_fingerprint(watch->order->path);
    if (now == 0 && !watch->missed) say_time("waiting for", watch->order->path);
    watch->missed = now == 0;
    if (now != watch->seen) {
        watch->seen = now;
        watch->since = seconds_now();
        return;
    }
    if (now == 0 || now == watch->graded || seconds_now() < watch->not_before) return;
    if (seconds_now() - watch->since >= watch->order->still) grade_now(watch);
}

/* Two that watch for one gradebook would take turns in being refused: the second is told at once. The lock
 * ends with the process, however it ends. */
static int lock_watch(Session *session, const char *gradebook) {
    const char *path = arena_format(session->arena, "%s.watch", gradebook);
    if (path == NULL) return -1;
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0) {
        diag_add_errno(&session->diagnostics, path, "cannot make the watch's lock");
        return -1;
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    advise(diag_add(&session->diagnostics, DIAG_ERROR, gradebook, 0, 0,
                    "somebody watches for this gradebook already"),
           "end that one first, or name another with --gradebook");
    close(lock);
    return -1;
}

int watch_submissions(Session *session, const WatchOrder *order) {
    SubmissionWatch watch = {.session = session, .order = order};
    const int lock = lock_watch(session, order->gradebook);
    if (lock < 0) return diag_status(&session->diagnostics);
    watch.signals = run_block(&watch.before);
    struct pollfd asked = {.fd = watch.signals, .events = POLLIN};
    while (watch.signals >= 0) {
        look(&watch);
        if (poll(&asked, 1, LOOK_MILLISECONDS) > 0) break;
    }
    run_unblock(watch.signals, &watch.before);
    close(lock);
    return EXIT_FINE;
}
