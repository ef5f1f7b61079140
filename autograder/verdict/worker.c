/* worker.c - forks twice, checks in the grandchild, reads the result here; see worker.h. */
#include "autograder/verdict/worker.h"

#include "autograder/card/card_check.h"
#include "autograder/judges.h"
#include "autograder/texts.h"
#include "autograder/verdict/check_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The check itself, in a process that has nothing else to lose: namespaces are entered for good. The result
 * goes out as text, so that nothing of this process has to be believed. */
static _Noreturn void work(const WorkerOrder *order, int out) {
    Arena *arena = arena_create();
    if (arena == NULL) _exit(EXIT_INTERNAL);
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Result result = {0};
    Check check = {.arena = arena,
                   .course = order->course,
                   .lesson = order->lesson,
                   .judge = order->isolated ? order->judge : judges_without_hidden(order->judge, arena),
                   .submission = order->submission,
                   .seeds = order->isolated ? seeds_secret(order->seed) : seeds_plain(order->seed),
                   .result = &result,
                   .diagnostics = &diagnostics,
                   .show_times = order->show_times,
                   .events = order->events,
                   .unlocked = order->unlocked,
                   .picture = order->picture,
                   .bounded = order->bounded || order->isolated,
                   .isolated = order->isolated,
                   .revealed = order->revealed};
    if (check.judge == NULL) _exit(EXIT_INTERNAL);
    if (order->on_card)
        card_check(&check);
    else
        check_run(&check);
    struct json_object *json = result_to_json(&result);
    const char *text =
        json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    bool sent = text != NULL && text_write(out, text, strlen(text));
    _exit(sent ? EXIT_FINE : EXIT_INTERNAL);
}

/* ---- the guard ----
 *
 * A process between the command and the worker, which stays when the command is killed, and kills and waits
 * for all that the worker has started. What runs in a sandbox dies without it (spaces.h), but the guard knows
 * when it has, and removes its groups. Where there is no sandbox it alone ends what a program leaves behind.
 */

/* Those of this process's only thread, which includes adopted ones. */
static void kill_children(void) {
    FILE *file = fopen("/proc/thread-self/children", "re");
    long pid;
    while (file != NULL && fscanf(file, "%ld", &pid) == 1)
        kill((pid_t)pid, SIGKILL);
    if (file != NULL) fclose(file);
}

/* Whoever dies leaves its children to the guard: until there are no more, or some cannot be killed. */
static void end_descendants(void) {
    enum { MOST_ROUNDS = 5000 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        pid_t pid;
        kill_children();
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (pid < 0 && errno == ECHILD) return;
        nanosleep(&pause, NULL);
    }
}

/* What a worker that was killed can remove no more. */
static void remove_groups(pid_t worker) {
    CgroupBase groups;
    cgroup_find(&groups, "/proc/self");
    cgroup_sweep(&groups, worker);
}

/* Waits until the worker has ended, or the command has; true with the worker's status. */
static bool outlast(pid_t worker, const sigset_t *signals, int *status) {
    for (;;) {
        int signal = sigwaitinfo(signals, NULL);
        if (signal == SIGTERM) return false;
        pid_t pid;
        while ((pid = waitpid(-1, status, WNOHANG)) > 0)
            if (pid == worker) return true;
    }
}

static _Noreturn void guard(const WorkerOrder *order, int out, pid_t command) {
    sigset_t signals, before;
    int status = 0;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t self = getpid(), worker = getppid() == command ? fork() : -1;
    if (worker == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(EXIT_INTERNAL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        work(order, out);
    }
    close(out);
    setpgid(0, 0); /* what is sent to the command's whole group is not for the guard */
    bool ended = worker > 0 && outlast(worker, &signals, &status);
    end_descendants();
    if ((order->bounded || order->isolated) && worker > 0) remove_groups(worker);
    _exit(ended && WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL);
}

static struct json_object *result_of_fault(const WorkerOrder *order, const char *problem) {
    Result result = {.lesson = order->lesson->name,
                     .verdict = VERDICT_ERROR,
                     .device = order->on_card ? "cuda" : "warpgrind",
                     .sandbox = "none",
                     .problem = problem,
                     .remedy = plain_device(DEVICE_CHECK_AGAIN)};
    return result_to_json(&result);
}

struct json_object *worker_take(const WorkerOrder *order, pid_t pid, int in) {
    Text text = text_new();
    text_read(&text, in, RESULT_LARGEST);
    close(in); /* a worker with more to say than that ends here, rather than waiting for a reader */
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    struct json_object *json = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FINE) json = json_tokener_parse(text.bytes);
    text_free(&text);
    if (json != NULL) return json;
    return result_of_fault(order, "the check itself failed before it had a result");
}

/* Runs the check in a child and returns its result; a child that cannot be made is a result, too. */
struct json_object *worker_check(const WorkerOrder *order) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result_of_fault(order, "no pipe could be made");
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        guard(order, ends[1], self);
    }
    close(ends[1]);
    struct json_object *json;
    if (pid > 0)
        json = worker_take(order, pid, ends[0]);
    else
        json = result_of_fault(order, "no process could be made");
    if (pid <= 0) close(ends[0]);
    return json;
}
