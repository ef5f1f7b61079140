/* child.c - fork, exec, poll; see child.h. */
#include "autograder/sandbox/child.h"

#include "autograder/sandbox/spaces.h"
#include "base/diag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_CANNOT_START = 127 };

double child_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int child_await(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return EXIT_INTERNAL;
}

/* ---- in the child, between fork and exec ---- */

/* Sources are moved out of the way of the places first. */
static bool place_descriptors(int out, int err, const ChildSetup *setup) {
    enum { PLACES = CHILD_MORE_FD + CHILD_MORE_COUNT };
    int sources[PLACES] = {open("/dev/null", O_RDWR | O_CLOEXEC), out, err, setup->extra_fds[0],
                           setup->extra_fds[1]};
    for (unsigned i = 0; i < CHILD_MORE_COUNT; i++)
        sources[CHILD_MORE_FD + i] = i < setup->more_count ? setup->more_fds[i] : -1;
    for (int i = 0; i < PLACES; i++) {
        if (sources[i] < 0 && i >= CHILD_EXTRA_FD) continue;
        sources[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, PLACES);
        if (sources[i] < 0) return false;
    }
    close_range(CHILD_EXTRA_FD, PLACES - 1, 0);
    for (int i = 0; i < PLACES; i++)
        if (sources[i] >= 0 && dup2(sources[i], i) < 0) return false;
    return close_range(PLACES, ~0U, 0) == 0;
}

/* Groups first: without root they cannot be changed any more. */
static bool change_user(uid_t user) {
    if (user == (uid_t)-1) return true;
    return setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
}

/* While it still is the judge's user, to whom the groups belong. */
static bool enter_groups(const ChildSetup *setup) {
    for (unsigned i = 0; i < setup->group_count; i++)
        if (write(setup->group_entries[i], "0", 1) != 1) return false;
    return true;
}

static bool prepare_child(const ChildSetup *setup, int out, int err, pid_t parent) {
    static const char *const no_environment[] = {NULL};
    if (!enter_groups(setup) || setpgid(0, 0) != 0 || !place_descriptors(out, err, setup)) return false;
    if (setup->folder != NULL && chdir(setup->folder) != 0) return false;
    if (!change_user(setup->user)) return false;
    /* A container's filter may refuse this. Then bytes that nobody wrote can differ between two runs, no
     * more. */
    if (setup->fixed_addresses) personality(PER_LINUX | ADDR_NO_RANDOMIZE);
    /* After the change of user, which clears it. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) return false;
    environ = (char **)(uintptr_t)(setup->environment != NULL ? setup->environment : no_environment);
    return true;
}

/* What the child inherits from its parent's signals is undone. A name without a slash is looked for in
 * /usr/bin alone: PATH is the user's. */
static _Noreturn void become(const ChildSetup *setup, int out, int err, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (setup->ignored_signal != 0) signal(setup->ignored_signal, SIG_IGN);
    if (prepare_child(setup, out, err, parent)) {
        char *const *argv = (char *const *)(uintptr_t)setup->argv;
        if (strchr(argv[0], '/') != NULL) {
            execv(argv[0], argv);
        } else {
            char path[256];
            snprintf(path, sizeof path, "/usr/bin/%s", argv[0]);
            execv(path, argv);
        }
    }
    dprintf(STDERR_FILENO, "cannot start %s: %s\n", setup->argv[0], strerror(errno));
    _exit(STATUS_CANNOT_START);
}

/* ---- in the parent ---- */

static void close_all(const int *fds, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0) close(fds[i]);
}

/* The pidfd is what ends and waiting go by, since a number of a process can be given to another one. */
bool child_start(Child *child, const ChildSetup *setup) {
    int ends[4] = {-1, -1, -1, -1};
    *child = (Child){.pidfd = -1,
                     .pipes = {-1, -1},
                     .capture_limit = setup->capture_limit,
                     .flood_limit = setup->flood_limit};
    text_init(&child->streams[0]);
    text_init(&child->streams[1]);
    pid_t parent = getpid(), pid = -1;
    if (pipe2(ends, O_CLOEXEC) == 0 && pipe2(ends + 2, O_CLOEXEC) == 0) {
        if (setup->attended) pid = spaces_fork_attended(&parent);
        if (pid < 0) pid = fork();
    }
    if (pid < 0) {
        close_all(ends, 4);
        return false;
    }
    if (pid == 0) become(setup, ends[1], ends[3], parent);
    close(ends[1]);
    close(ends[3]);
    child->pid = pid;
    child->pipes[0] = ends[0];
    child->pipes[1] = ends[2];
    child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    if (child->pidfd >= 0) return true;
    child_kill(child);
    child_free(child);
    return false;
}

/* Reads what a child has printed. What is past capture_limit is counted and dropped, as a child that cannot
 * write would stand still. */
static void drain(Child *child, int stream) {
    char buffer[65536];
    ssize_t got = read(child->pipes[stream], buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        close(child->pipes[stream]);
        child->pipes[stream] = -1;
        return;
    }
    Text *text = &child->streams[stream];
    size_t room = child->capture_limit - text->length;
    size_t kept = room;
    if ((size_t)got < room) kept = (size_t)got;
    text_append(text, buffer, kept);
    child->dropped += (size_t)got - kept;
}

/* What is still in the pipes when the process is gone; others may hold the writing ends, so no waiting for
 * their end. */
static void drain_rest(Child *child) {
    for (int stream = 0; stream < 2; stream++) {
        struct pollfd poll_one = {.fd = child->pipes[stream], .events = POLLIN};
        for (int round = 0; round < 32 && child->pipes[stream] >= 0 && poll(&poll_one, 1, 0) == 1; round++)
            drain(child, stream);
        if (child->pipes[stream] >= 0) close(child->pipes[stream]);
        child->pipes[stream] = -1;
    }
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void finish(Child *child, int status, const struct rusage *usage) {
    child->status = status;
    child->ran = seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime);
    drain_rest(child);
    close(child->pidfd);
    child->pidfd = -1;
    child->ended = true;
}

static void note_end(Child *child) {
    int status = 0;
    struct rusage usage = {0};
    while (wait4(child->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    finish(child, status, &usage);
}

enum { FDS_PER_CHILD = 3, MOST_CHILDREN = 16 };

static size_t collect(Child *const *children, size_t count, struct pollfd *polled) {
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const int fds[FDS_PER_CHILD] = {children[i]->pipes[0], children[i]->pipes[1], children[i]->pidfd};
        /* poll skips negative descriptors. */
        for (int j = 0; j < FDS_PER_CHILD; j++)
            polled[used++] = (struct pollfd){.fd = children[i]->pid ? fds[j] : -1, .events = POLLIN};
    }
    return used;
}

bool child_floods(const Child *child) {
    return child->flood_limit > 0 && child->dropped > child->flood_limit;
}

/* Takes up what poll has found. True where the caller has something to decide: a child has ended, or has
 * begun to flood. */
static bool handle(Child *const *children, size_t count, const struct pollfd *polled) {
    bool news = false;
    for (size_t i = 0; i < count; i++) {
        const struct pollfd *own = &polled[i * FDS_PER_CHILD];
        bool flooded = child_floods(children[i]);
        for (int stream = 0; stream < 2; stream++)
            if (own[stream].fd >= 0 && own[stream].revents != 0) drain(children[i], stream);
        if (!flooded && child_floods(children[i])) news = true;
        if (own[2].fd >= 0 && own[2].revents != 0) {
            note_end(children[i]);
            news = true;
        }
    }
    return news;
}

void child_watch(Child *const *children, size_t count, double deadline) {
    struct pollfd polled[MOST_CHILDREN * FDS_PER_CHILD];
    if (count > MOST_CHILDREN) count = MOST_CHILDREN;
    for (;;) {
        double left = deadline - child_now();
        if (left <= 0) return;
        size_t used = collect(children, count, polled);
        int ready = poll(polled, used, (int)(left * 1000.0) + 1);
        if (ready > 0 && handle(children, count, polled)) return;
    }
}

/* ---- waiting for a processor ---- */

/* How often a thread left a processor: it fell asleep, or it could have gone on, and somebody else's turn had
 * come, or it had given way (sched_yield). */
typedef struct Leavings {
    double asleep, pushed;
} Leavings;

static Leavings count_leavings(pid_t pid, const char *thread) {
    char path[64], line[256];
    Leavings all = {0};
    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/status", (long)pid, thread);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "voluntary_ctxt_switches: %lf", &all.asleep);
        sscanf(line, "nonvoluntary_ctxt_switches: %lf", &all.pushed);
    }
    if (file != NULL) fclose(file);
    return all;
}

/* Of the turns of a program that only waits for another, as ranks of MPI do, next to nothing is spent. */
static ChildTimes read_thread(pid_t pid, const char *thread) {
    static const double TURN_SECONDS = 0.001; /* the kernel lets a thread run for no less beside its equals */
    char path[64];
    double ran = 0, waited = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/schedstat", (long)pid, thread);
    FILE *file = fopen(path, "re");
    if (file == NULL) return (ChildTimes){0};
    if (fscanf(file, "%lf %lf", &ran, &waited) != 2) ran = waited = 0;
    fclose(file);
    ran *= 1e-9;
    const Leavings left = count_leavings(pid, thread);
    return (ChildTimes){.ran = ran,
                        .waited = waited * 1e-9,
                        .offered = fmax(ran, TURN_SECONDS * left.pushed),
                        .turns = TURN_SECONDS * (left.pushed + left.asleep)};
}

void child_add_times(ChildTimes *all, ChildTimes one) {
    all->ran += one.ran;
    all->waited += one.waited;
    all->offered += one.offered;
    all->turns += one.turns;
}

/* All threads of a process have run; as long as it waited, the one did that waited longest, since they wait
 * side by side. */
static ChildTimes read_times(pid_t pid) {
    char path[64];
    ChildTimes all = {0};
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    if (threads == NULL) return all;
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        const ChildTimes one = read_thread(pid, entry->d_name);
        all.ran += one.ran;
        all.offered += one.offered;
        all.turns += one.turns;
        if (one.waited > all.waited) all.waited = one.waited;
    }
    closedir(threads);
    return all;
}

/* Adds the children of a process's first thread to the list, as far as there is room. */
static size_t add_children(pid_t pid, pid_t *list, size_t count, size_t room) {
    char path[64];
    long child = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && count < room && fscanf(file, "%ld", &child) == 1)
        list[count++] = (pid_t)child;
    if (file != NULL) fclose(file);
    return count;
}

/* The seconds of a child and all that it has started, 64 processes at most; more than that the limits of a
 * sandbox do not allow. */
ChildTimes child_times(const Child *child) {
    enum { MOST = 64 };
    pid_t family[MOST] = {child->pid};
    size_t count = 1;
    if (child->ended || child->pid == 0) count = 0;
    ChildTimes all = {0};
    for (size_t i = 0; i < count; i++) {
        child_add_times(&all, read_times(family[i]));
        count = add_children(family[i], family, count, MOST);
    }
    return all;
}

bool child_gave_way(ChildTimes before, ChildTimes after) {
    static const double FEW = 0.2; /* one of several that works uses more of all their turns */
    const double turns = after.turns - before.turns;
    return turns > 0 && after.ran - before.ran < FEW * turns;
}

/* What somebody who has ended had was seen before. */
void child_clock_look(ChildClock *clock, ChildTimes living) {
    child_add_times(&clock->all, (ChildTimes){.ran = fmax(living.ran - clock->seen.ran, 0),
                                              .waited = fmax(living.waited - clock->seen.waited, 0),
                                              .offered = fmax(living.offered - clock->seen.offered, 0)});
    clock->all.waited = fmin(clock->all.waited, clock->most);
    clock->seen = living;
}

double child_clock_now(const ChildClock *clock) {
    return child_now() - clock->all.waited;
}

bool child_clock_starved(const ChildClock *clock) {
    return clock->all.waited >= clock->most && clock->all.offered < clock->most / (double)CHILD_MOST_WAITING;
}

void child_signal(const Child *child, int number) {
    if (child->pid != 0 && !child->ended) kill(child->pid, number);
}

void child_kill(Child *child) {
    if (child->pid == 0 || child->ended) return;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    if (child->pidfd >= 0) note_end(child);
}

void child_free(Child *child) {
    if (child->pid == 0) return;
    text_free(&child->streams[0]);
    text_free(&child->streams[1]);
    *child = (Child){.pidfd = -1, .pipes = {-1, -1}};
}

int child_ask(const char *const *argv, const char *const *environment, double seconds, Text *said) {
    enum { LONGEST = 1 << 16 };
    Child child, *const children[] = {&child};
    const ChildSetup setup = {.argv = argv,
                              .environment = environment,
                              .extra_fds = {-1, -1},
                              .user = (uid_t)-1,
                              .capture_limit = LONGEST};
    text_clear(said);
    if (!child_start(&child, &setup)) return -1;
    const double deadline = child_now() + seconds;
    while (!child.ended && child_now() < deadline)
        child_watch(children, 1, deadline);
    int status = -1;
    if (child.ended && WIFEXITED(child.status)) status = WEXITSTATUS(child.status);
    text_append(said, child.streams[0].bytes, child.streams[0].length);
    if (status != 0) text_append(said, child.streams[1].bytes, child.streams[1].length);
    child_kill(&child);
    child_free(&child);
    return status;
}

void child_adopt_orphans(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Ends come in any order, so that of a child is noted as child_watch would. */
void child_reap_orphans(Child *const *children, size_t count) {
    int status = 0;
    struct rusage usage = {0};
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &usage)) > 0;)
        for (size_t i = 0; i < count; i++)
            if (children[i]->pid == pid && !children[i]->ended) finish(children[i], status, &usage);
}

bool child_reap_rest(double deadline) {
    for (;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 && errno == ECHILD) return true;
        if (pid > 0) continue;
        if (child_now() > deadline) return false;
        struct timespec pause = {.tv_nsec = 500000};
        nanosleep(&pause, NULL);
    }
}
