/* job.c - a child process whose output is collected, so that two compilations can run side by side and speak
 * in turn. Two of the same compiler are started as one process where that works (preload/one_start.c). */
#include "warpcc/one_start.h"
#include "warpcc/warpcc.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts argv[0] with `write_end` for all that it says. What is in `kept` (-1 ends it) stays open under its
 * number. */
static int spawn(pid_t *pid, const Arguments *arguments, const char *const *environment, int write_end,
                 const int *kept) {
    posix_spawn_file_actions_t actions;
    int status = posix_spawn_file_actions_init(&actions);
    if (status) return status;
    status = posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    if (!status) status = posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
    for (; !status && *kept >= 0; kept++)
        status = posix_spawn_file_actions_adddup2(&actions, *kept, *kept);
    if (!status) /* posix_spawn takes char *const * for history's sake and writes nothing. */
        status =
            posix_spawn(pid, arguments->items[0], &actions, NULL, (char *const *)(uintptr_t)arguments->items,
                        (char *const *)(uintptr_t)environment);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

static void job_init(Job *job) {
    *job = (Job){.pid = -1, .output = -1, .status = -1};
    text_init(&job->text);
}

/* The job's output, standard and error, comes through one pipe in its order. */
bool job_start(Job *job, const Arguments *arguments) {
    static const int NONE[] = {-1};
    job_init(job);
    if (arguments->failed) {
        errno = ENOMEM;
        return false;
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    int status = spawn(&job->pid, arguments, (const char *const *)environ, ends[1], NONE);
    close(ends[1]);
    job->output = ends[0];
    errno = status;
    return status == 0;
}

/* A macro can make a compiler say gigabytes; nobody reads them. */
enum { OUTPUT_LIMIT = 1 << 20 };

static void job_read(Job *job) {
    char buffer[8192];
    for (;;) {
        ssize_t count = read(job->output, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        if (job->text.length < OUTPUT_LIMIT) text_append(&job->text, buffer, (size_t)count);
    }
    close(job->output);
    job->output = -1;
}

static int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static int exit_status(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return 128 + WTERMSIG(status);
}

void job_wait(Job *job) {
    job_read(job);
    job->status = exit_status(wait_for(job->pid));
}

/* ---- two compilations, one start ---- */

/* The dynamic linker takes spaces and colons for ends of names. Who runs us with a library of their own is
 * not disturbed. */
static bool one_start_possible(const char *library, const Arguments *first, const Arguments *second) {
    return library && !strpbrk(library, " :") && access(library, R_OK) == 0 && !getenv("LD_PRELOAD") &&
           !first->failed && !second->failed && !strcmp(first->items[0], second->items[0]);
}

/* The pipes of such a start: what each compilation says, and OneStartStatuses. */
enum { PIPE_FIRST, PIPE_SECOND, PIPE_STATUSES, PIPES };
enum { END_READ, END_WRITE };
typedef int Pipes[PIPES][2];

static void pipes_close(Pipes pipes, int end) {
    for (int i = 0; i < PIPES; i++)
        if (pipes[i][end] >= 0) close(pipes[i][end]);
}

/* All of them or, false, none. */
static bool pipes_open(Pipes pipes) {
    memset(pipes, -1, sizeof(Pipes));
    for (int i = 0; i < PIPES; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) == 0) continue;
        pipes_close(pipes, END_READ);
        pipes_close(pipes, END_WRITE);
        return false;
    }
    return true;
}

/* Both command lines and what the library is told; false when the compiler could not be started. */
static bool one_start_spawn(pid_t *pid, const char *library, const Arguments *first, const Arguments *second,
                            Pipes pipes) {
    Arena *arena = first->arena;
    Arguments both, environment;
    arguments_init(&both, arena);
    arguments_add_all(&both, first);
    arguments_add(&both, ONE_START_NEXT);
    arguments_add_all(&both, second);
    arguments_init(&environment, arena);
    arguments_add_list(&environment, (const char *const *)environ);
    arguments_add(&environment, arena_format(arena, "LD_PRELOAD=%s", library));
    arguments_add(&environment, arena_format(arena, ONE_START_PIPES "=%d %d", pipes[PIPE_SECOND][END_WRITE],
                                             pipes[PIPE_STATUSES][END_WRITE]));
    if (both.failed || environment.failed) return false;
    const int kept[] = {pipes[PIPE_SECOND][END_WRITE], pipes[PIPE_STATUSES][END_WRITE], -1};
    return spawn(pid, &both, environment.items, pipes[PIPE_FIRST][END_WRITE], kept) == 0;
}

/* False, and nothing said, when it did not come to both compilations. */
static bool one_start_run(Job *first, Job *second, const char *library, const Arguments *first_arguments,
                          const Arguments *second_arguments) {
    Pipes pipes;
    pid_t pid;
    if (!pipes_open(pipes)) return false;
    bool started = one_start_spawn(&pid, library, first_arguments, second_arguments, pipes);
    pipes_close(pipes, END_WRITE);
    if (!started) {
        pipes_close(pipes, END_READ);
        return false;
    }
    job_init(first);
    job_init(second);
    first->output = pipes[PIPE_FIRST][END_READ];
    second->output = pipes[PIPE_SECOND][END_READ];
    job_read(first);
    job_read(second);
    OneStartStatuses statuses = {0, 0};
    ssize_t read_bytes = read(pipes[PIPE_STATUSES][END_READ], &statuses, sizeof statuses);
    bool told = read_bytes == (ssize_t)sizeof statuses;
    close(pipes[PIPE_STATUSES][END_READ]);
    wait_for(pid);
    first->status = exit_status(statuses.first);
    second->status = exit_status(statuses.second);
    if (!told) {
        job_free(first);
        job_free(second);
    }
    return told;
}

/* Both at once: starting clang takes as long as a small file. When one start for both is not possible here,
 * two processes do. */
bool jobs_run(Job *first, Job *second, const char *library, const Arguments *first_arguments,
              const Arguments *second_arguments) {
    if (one_start_possible(library, first_arguments, second_arguments) &&
        one_start_run(first, second, library, first_arguments, second_arguments))
        return true;
    job_init(second);
    if (!job_start(first, first_arguments)) return false;
    bool both = job_start(second, second_arguments);
    job_wait(first);
    if (both) job_wait(second);
    return both;
}

void job_free(Job *job) {
    if (job->output >= 0) close(job->output);
    text_free(&job->text);
}
