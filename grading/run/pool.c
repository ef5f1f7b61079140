/* pool.c - the tasks of a run by processes of this machine, as many at a time as it is told; see run.h.
 *
 * Each task has a process of its own (`warpschool grade-one`), so whatever happens to one says nothing about
 * the others. All die with this process: what they have left by then, the next run collects.
 */
#include "autograder/sandbox/child.h"
#include "grading/run/edge.h"
#include "grading/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The judge has limits of its own for everything that it starts; this one is for a judge that is stuck. */
enum { WORKER_SECONDS = 900 };

/* A worker, or room for one. */
typedef struct Slot {
    Task *task; /* NULL: free */
    pid_t pid;
    int pidfd;
    double deadline;
} Slot;

/* The workers on this machine. */
typedef struct Pool {
    Run *run;
    Slot *slots;
    struct pollfd *polled; /* the signals', then one for each slot */
    size_t next;           /* no task before this one waits */
    size_t done;
    sigset_t before; /* the signals that were blocked */
    bool stopped;
} Pool;

/* ---- one worker ---- */

static _Noreturn void become_worker(const Pool *pool, const Task *task, pid_t parent) {
    const Run *run = pool->run;
    const Spool *spool = &run->room.spool;
    SpoolPath job = spool_path(spool, task->name, ".job"), out = spool_path(spool, task->name, ".result"),
              log = spool_path(spool, task->name, ".log");
    char *const argv[] = {(char[]){"warpschool"}, (char[]){"--root"}, (char *)run->root,
                          (char[]){"grade-one"},  (char[]){"--job"},  job.bytes,
                          (char[]){"--out"},      out.bytes,          NULL};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_INTERNAL);
    setpgid(0, 0); /* Ctrl-C is for the grader, which ends its workers */
    sigprocmask(SIG_SETMASK, &pool->before, NULL);
    int nothing = open("/dev/null", O_RDONLY), said = open(log.bytes, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing < 0 || said < 0 || dup2(nothing, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0)
        _exit(EXIT_INTERNAL);
    close_range(3, ~0U, 0);
    execv(run->program, argv);
    _exit(EXIT_INTERNAL);
}

/* A worker for a task. The pidfd is what its end is noticed by; WORKER_SECONDS only ends a worker that hangs,
 * since a check has limits of its own. */
static bool start(Pool *pool, Slot *slot, Task *task) {
    if (!task_order(&pool->run->room, task)) return false;
    pid_t parent = getpid();
    slot->pid = fork();
    if (slot->pid == 0) become_worker(pool, task, parent);
    if (slot->pid > 0)
        slot->pidfd = (int)syscall(SYS_pidfd_open, slot->pid, 0);
    else
        slot->pidfd = -1;
    if (slot->pidfd < 0) {
        pool->run->room.diagnostics->internal = true;
        diag_add(pool->run->room.diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot start a worker: %s",
                 strerror(errno));
        if (slot->pid > 0) kill(slot->pid, SIGKILL);
        return false;
    }
    slot->task = task;
    slot->deadline = child_now() + (double)WORKER_SECONDS;
    edge_pass(EDGE_STARTED);
    return true;
}

static void describe_end(char *why, size_t room, int status) {
    if (WIFSIGNALED(status))
        snprintf(why, room, "the worker was killed by signal %d (%s) and left no result", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, room, "the worker ended with status %d and left no result", WEXITSTATUS(status));
}

/* Its process has ended, or must. */
static bool finish(Pool *pool, Slot *slot) {
    char why[128];
    int status = 0;
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(slot->pidfd);
    describe_end(why, sizeof why, status);
    Task *task = slot->task;
    slot->task = NULL;
    if (!task_collect(&pool->run->room, task, why)) return false;
    if (task->state == TASK_WAITING)
        pool->next = 0;
    else
        pool->done++;
    return true;
}

/* ---- all of them ---- */

static Task *next_task(Pool *pool) {
    for (; pool->next < pool->run->count; pool->next++)
        if (pool->run->tasks[pool->next].state == TASK_WAITING) return &pool->run->tasks[pool->next];
    return NULL;
}

/* Free slots get tasks; *running says how many are taken. */
static bool fill(Pool *pool, size_t *running) {
    *running = 0;
    for (long i = 0; i < pool->run->workers; i++) {
        Slot *slot = &pool->slots[i];
        Task *task = NULL;
        if (slot->task == NULL) task = next_task(pool);
        if (task != NULL && !start(pool, slot, task)) return false;
        *running += slot->task != NULL;
        pool->polled[i + 1] = (struct pollfd){.fd = slot->task != NULL ? slot->pidfd : -1, .events = POLLIN};
    }
    return true;
}

/* Waits for an end, a signal or the next look at the meter. */
static bool attend(Pool *pool) {
    enum { LOOK_MILLISECONDS = 250 };
    nfds_t count = (nfds_t)pool->run->workers + 1;
    if (poll(pool->polled, count, LOOK_MILLISECONDS) < 0) memset(pool->polled, 0, sizeof *pool->polled);
    pool->stopped = (pool->polled[0].revents & POLLIN) != 0;
    double now = child_now();
    for (long i = 0; i < pool->run->workers && !pool->stopped; i++) {
        Slot *slot = &pool->slots[i];
        if (slot->task == NULL) continue;
        if (now > slot->deadline) kill(slot->pid, SIGKILL);
        if ((pool->polled[i + 1].revents != 0 || now > slot->deadline) && !finish(pool, slot)) return false;
    }
    meter_show(&pool->run->meter, pool->done);
    return true;
}

static void end_workers(Pool *pool) {
    for (long i = 0; i < pool->run->workers; i++) {
        Slot *slot = &pool->slots[i];
        if (slot->task == NULL) continue;
        kill(slot->pid, SIGKILL);
        waitpid(slot->pid, NULL, 0);
        close(slot->pidfd);
        slot->task->state = TASK_WAITING;
    }
}

static RunEnd work(Pool *pool) {
    for (;;) {
        size_t running;
        if (!fill(pool, &running)) return RUN_FAILED;
        if (running == 0) return RUN_DONE;
        if (!attend(pool)) return RUN_FAILED;
        if (pool->stopped) return RUN_STOPPED;
    }
}

/* As many workers at a time as asked for, or as there are cores. Signals that ask to stop are read beside the
 * workers' ends. */
RunEnd run_here(Run *run) {
    if (run->workers == 0) run->workers = run_usual_workers();
    Pool pool = {.run = run,
                 .slots = calloc((size_t)run->workers, sizeof *pool.slots),
                 .polled = calloc((size_t)run->workers + 1, sizeof *pool.polled)};
    RunEnd end = RUN_FAILED;
    int asked = run_block(&pool.before);
    if (pool.slots != NULL && pool.polled != NULL) {
        pool.polled[0] = (struct pollfd){.fd = asked, .events = POLLIN};
        meter_begin(&run->meter, run_count(run, TASK_WAITING));
        end = work(&pool);
        end_workers(&pool);
        meter_end(&run->meter);
    }
    run_unblock(asked, &pool.before);
    free(pool.slots);
    free(pool.polled);
    return end;
}
