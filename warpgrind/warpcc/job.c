/* job.c - a child process whose output is collected, so that two compilations can run side by side and speak
 * in turn. */
#include "warpcc/warpcc.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int job_spawn(Job *job, const Arguments *arguments, int write_end) {
    posix_spawn_file_actions_t actions;
    int status = posix_spawn_file_actions_init(&actions);
    if (status) return status;
    status = posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    if (!status) status = posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
    pid_t pid = -1;
    if (!status) /* posix_spawn takes char *const * for history's sake and writes nothing. */
        status = posix_spawn(&pid, arguments->items[0], &actions, NULL,
                             (char *const *)(uintptr_t)arguments->items, environ);
    job->pid = pid;
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

bool job_start(Job *job, const Arguments *arguments) {
    *job = (Job){.pid = -1, .output = -1, .status = -1};
    text_init(&job->text);
    if (arguments->failed) {
        errno = ENOMEM;
        return false;
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    int status = job_spawn(job, arguments, ends[1]);
    close(ends[1]);
    job->output = ends[0];
    errno = status;
    return status == 0;
}

/* A macro can make a compiler say gigabytes; nobody reads them. */
enum { OUTPUT_LIMIT = 1 << 20 };

void job_wait(Job *job) {
    char buffer[8192];
    for (;;) {
        ssize_t count = read(job->output, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        if (job->text.length < OUTPUT_LIMIT) text_append(&job->text, buffer, (size_t)count);
    }
    close(job->output);
    job->output = -1;
    int status = 0;
    while (waitpid((pid_t)job->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void job_free(Job *job) {
    if (job->output >= 0) close(job->output);
    text_free(&job->text);
}
