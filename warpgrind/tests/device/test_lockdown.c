/* test_lockdown.c - after lock-down: memory and the open descriptors work, everything else fails,
 * and the page that lists the calls is the table. */
#include "device/process/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <seccomp.h>
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

typedef struct AllowedCall {
    const char *name;
    long number;
    const char *why;
} AllowedCall;

static const AllowedCall allowed_calls[] = {
#define ALLOWED(name, why) {#name, SCMP_SYS(name), why},
#include "device/process/lockdown.def"
#undef ALLOWED
};
enum { ALLOWED_CALLS = sizeof allowed_calls / sizeof *allowed_calls, CALLS_TO_TRY = 512 };
/* LIMIT: newer kernels answer these two before they ask any filter, with a signal to whoever is no probe of
 * theirs. */
enum { CALL_URETPROBE = 335, CALL_UPROBE = 336 };

static bool is_allowed(long number) {
    if (number == CALL_URETPROBE || number == CALL_UPROBE) return true;
    for (unsigned i = 0; i < ALLOWED_CALLS; i++)
        if (allowed_calls[i].number == number) return true;
    return false;
}

/** Makes every call that has no row, and writes the number of the first that is not refused. */
static int try_all_others(int file) {
    for (long number = 0; number < CALLS_TO_TRY; number++) {
        if (is_allowed(number)) continue;
        errno = 0;
        if (syscall(number, 0, 0, 0, 0, 0, 0) == -1 && errno == EPERM) continue;
        return write(file, &number, sizeof number) == (ssize_t)sizeof number ? 1 : 2;
    }
    return 7;
}

static void every_call_without_a_row_is_refused(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int status = in_lockdown(try_all_others, ends[1]);
    long number = -1;
    if (status == 1 && read(ends[0], &number, sizeof number) != (ssize_t)sizeof number) number = -2;
    if (status != 7) fail_msg("system call %ld is not refused (status %d)", number, status);
    close(ends[0]);
    close(ends[1]);
}

static int try_ptrace(int file) {
    (void)file;
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 && errno == EPERM ? 7 : 1;
}

static void no_process_can_be_traced(void **state) {
    (void)state;
    assert_int_equal(in_lockdown(try_ptrace, -1), 7);
}

/** The page has exactly the rows of the table, in its order. */
static void the_page_lists_the_same_calls(void **state) {
    (void)state;
    FILE *page = fopen("docs/lockdown.md", "r");
    assert_non_null(page);
    char line[512], want[512];
    unsigned row = 0;
    while (fgets(line, sizeof line, page) != NULL && strncmp(line, "## ", 3) != 0) {
        if (strncmp(line, "| `", 3) != 0) continue;
        assert_true(row < ALLOWED_CALLS);
        snprintf(want, sizeof want, "| `%s` | %s |\n", allowed_calls[row].name, allowed_calls[row].why);
        assert_string_equal(line, want);
        row++;
    }
    fclose(page);
    assert_int_equal(row, ALLOWED_CALLS);
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
        cmocka_unit_test(every_call_without_a_row_is_refused),
        cmocka_unit_test(no_process_can_be_traced),
        cmocka_unit_test(the_page_lists_the_same_calls),
        cmocka_unit_test(memory_and_open_descriptors_work),
        cmocka_unit_test(other_descriptors_are_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
