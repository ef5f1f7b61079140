/* test_lockdown.c - after lock-down: memory and the open descriptors work, everything else fails. */
#include "device/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/** Runs `body` in a locked-down child; returns its exit status. */
static int in_lockdown_of(bool workers, int (*body)(int), int file) {
    pid_t child = fork();
    if (child == 0) _exit(lockdown_enter(workers) ? body(file) : 99);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int in_lockdown(int (*body)(int), int file) {
    return in_lockdown_of(false, body, file);
}

static int try_open(int file) {
    (void)file;
    return open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM ? 7 : 1;
}

static int try_fork(int file) {
    (void)file;
    return fork() < 0 && errno == EPERM ? 7 : 1;
}

static int try_exec(int file) {
    (void)file;
    char *const arguments[] = {(char *)(uintptr_t) "true", NULL};
    execv("/bin/true", arguments);
    return errno == EPERM ? 7 : 1;
}

static int try_socket(int file) {
    (void)file;
    return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? 7 : 1;
}

static int try_kill(int file) {
    (void)file;
    return kill(getppid(), 0) < 0 && errno == EPERM ? 7 : 1;
}

static int use_what_is_left(int file) {
    char *memory = malloc(1 << 20);
    if (memory == NULL) return 1;
    memset(memory, 1, 1 << 20);
    free(memory);
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 2;
    return write(file, "x", 1) == 1 ? 7 : 3;
}

static int try_worker(int file) {
    (void)file;
    pid_t worker = fork();
    if (worker == 0) {
        bool locked = open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM;
        _exit(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && locked ? 5 : 6);
    }
    int status = 0;
    bool waited = worker > 0 && waitpid(worker, &status, 0) == worker;
    return waited && WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 7 : 1;
}

static int try_other_forms(int file) {
    (void)file;
    const long shares = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    if (syscall(SYS_clone, shares, NULL, NULL, NULL, NULL) >= 0 || errno != EPERM) return 1;
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) >= 0 || errno != EPERM) return 2;
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 || errno != EPERM) return 3;
    return prctl(PR_SET_DUMPABLE, 1) < 0 && errno == EPERM ? 7 : 4;
}

static void a_device_with_workers_may_fork_and_no_more(void **state) {
    (void)state;
    assert_int_equal(in_lockdown_of(true, try_worker, -1), 7);
    assert_int_equal(in_lockdown_of(true, try_other_forms, -1), 7);
    assert_int_equal(in_lockdown_of(true, try_exec, -1), 7);
    assert_int_equal(in_lockdown_of(true, try_open, -1), 7);
    assert_int_equal(in_lockdown_of(true, try_socket, -1), 7);
    assert_int_equal(in_lockdown_of(true, try_kill, -1), 7);
}

static void files_cannot_be_opened(void **state) {
    (void)state;
    assert_int_equal(in_lockdown(try_open, -1), 7);
}

static void nothing_can_be_started(void **state) {
    (void)state;
    assert_int_equal(in_lockdown(try_fork, -1), 7);
    assert_int_equal(in_lockdown(try_exec, -1), 7);
}

static void there_is_no_network_and_no_other_process(void **state) {
    (void)state;
    assert_int_equal(in_lockdown(try_socket, -1), 7);
    assert_int_equal(in_lockdown(try_kill, -1), 7);
}

static void memory_and_open_descriptors_work(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(in_lockdown(use_what_is_left, ends[1]), 7);
    char byte = 0;
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
}

static void other_descriptors_are_closed(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        int a = dup2(1, 20), kept = dup2(1, 30), b = dup2(1, 40);
        lockdown_close_others(&kept, 1);
        bool closed = fcntl(a, F_GETFD) < 0 && fcntl(b, F_GETFD) < 0 && fcntl(3, F_GETFD) < 0;
        _exit(closed && fcntl(kept, F_GETFD) >= 0 && fcntl(2, F_GETFD) >= 0 ? 7 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_cannot_be_opened),
        cmocka_unit_test(nothing_can_be_started),
        cmocka_unit_test(a_device_with_workers_may_fork_and_no_more),
        cmocka_unit_test(there_is_no_network_and_no_other_process),
        cmocka_unit_test(memory_and_open_descriptors_work),
        cmocka_unit_test(other_descriptors_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
