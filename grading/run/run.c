/* run.c - what running tasks here and elsewhere have in common; see run.h. */
#include "grading/run/run.h"
#include "base/minmax.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

size_t run_count(const Run *run, TaskState state) {
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += run->tasks[i].state == state;
    return count;
}

bool run_collect_left(Run *run) {
    for (size_t i = 0; i < run->count; i++)
        if (run->tasks[i].state == TASK_WAITING && !task_collect(&run->room, &run->tasks[i], NULL))
            return false;
    return true;
}

/* A check may take about this much of memory, with the compiler, two programs and two devices. */
static long workers_by_memory(void) {
    enum { KIB_PER_WORKER = 1 << 20 };
    long available = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %ld", &available) == 1) break;
    if (file != NULL) fclose(file);
    return available / KIB_PER_WORKER;
}

long run_usual_workers(void) {
    cpu_set_t cpus;
    long cores = 1;
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) cores = CPU_COUNT(&cpus);
    long fit = workers_by_memory();
    if (fit < 1) return 1;
    return MIN(fit, cores);
}

/* Writes the jobs and their list for whoever runs them; the same command without --prepare collects the
 * results. */
bool run_prepare(Run *run, size_t *count) {
    Text list = text_new();
    bool fine = true;
    *count = 0;
    for (size_t i = 0; i < run->count && fine; i++) {
        Task *task = &run->tasks[i];
        if (task->state != TASK_WAITING) continue;
        fine = task_order(&run->room, task);
        text_format(&list, "%s\n", task->name);
        *count += fine;
    }
    SpoolPath path = spool_path(&run->room.spool, "list", "");
    if (fine && !text_write_file(path.bytes, list.bytes, list.length)) {
        diag_add_errno(run->room.diagnostics, path.bytes, "cannot write the list of jobs");
        fine = false;
    }
    text_free(&list);
    return fine;
}

int run_block(sigset_t *before) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, before);
    return signalfd(-1, &signals, SFD_CLOEXEC);
}

/* A signal that has come is taken out first: the command has heeded it. */
void run_unblock(int descriptor, const sigset_t *before) {
    sigset_t pending;
    struct signalfd_siginfo taken;
    while (descriptor >= 0 && sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) || sigismember(&pending, SIGHUP)))
        if (read(descriptor, &taken, sizeof taken) < 0) break;
    if (descriptor >= 0) close(descriptor);
    sigprocmask(SIG_SETMASK, before, NULL);
}
