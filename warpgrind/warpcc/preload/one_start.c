/* one_start.c - the two compilations of a .cu by a compiler that is started once.
 *
 * Most of what clang takes for a small file is its start: the dynamic linker writes half a million addresses
 * into the pages of its libraries. warpcc asks for this library with LD_PRELOAD and gives both command lines
 * in one, ONE_START_NEXT between them. What runs in place of the compiler's main, when the libraries are
 * ready, forks: one child has the first command line, the other the second.
 *
 * Whether it came to that is told through a pipe: both statuses, or nothing, and then warpcc starts two
 * compilers.
 */
#include "warpcc/one_start.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Main(int, char **, char **);
typedef int StartMain(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static Main *compiler;

/* Where the second command line begins: behind the mark, and it has to be the same program. In the arguments
 * of a script's interpreter it is not. 0 when there is none. */
static int second_command(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], ONE_START_NEXT)) return strcmp(argv[0], argv[i + 1]) == 0 ? i + 1 : 0;
    return 0;
}

static int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

/* In the parent, when both children run. What the compilers say is at its end when they have ended: nobody
 * else keeps it open. */
static _Noreturn void tell_statuses(pid_t first, pid_t second, int output, int pipe) {
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    close(output);
    OneStartStatuses statuses = {.first = wait_for(first), .second = wait_for(second)};
    ssize_t written = write(pipe, &statuses, sizeof statuses);
    _exit(written != (ssize_t)sizeof statuses);
}

/* What one child does. */
static int compile(int argc, char **argv, int output, int pipe) {
    close(output);
    close(pipe);
    return compiler(argc, argv, environ);
}

/* Runs in place of the compiler's main. What it was asked with is taken out of the environment first: the
 * compiler may start programs of its own. */
static int main_twice(int argc, char **argv, char **envp) {
    int output, pipe;
    const char *asked = getenv(ONE_START_PIPES);
    unsetenv("LD_PRELOAD");
    if (!asked || sscanf(asked, "%d %d", &output, &pipe) != 2) return compiler(argc, argv, envp);
    unsetenv(ONE_START_PIPES);
    int second = second_command(argc, argv);
    if (!second) _exit(1);
    argv[second - 1] = NULL;
    pid_t first_child = fork();
    if (first_child == 0) return compile(second - 1, argv, output, pipe);
    pid_t second_child = first_child < 0 ? -1 : fork();
    if (second_child == 0) {
        if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) _exit(1);
        return compile(argc - second, argv + second, output, pipe);
    }
    if (second_child < 0) _exit(1);
    tell_statuses(first_child, second_child, output, pipe);
}

/* What every program's start calls with its main, when its libraries are relocated and initialised. */
__attribute__((visibility("default"))) int __libc_start_main(Main *main, int argc, char **argv,
                                                             void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    compiler = main;
    StartMain *start = (StartMain *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    if (!start) _exit(1);
    return start(main_twice, argc, argv, init, fini, rtld_fini, stack_end);
}
