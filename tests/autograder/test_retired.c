/* test_retired.c - what a judge can still do once it has retired: read what is there, and nothing else. */
#include "autograder/sandbox/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs the trial in a child that has retired; its exit status. */
static int retired(int (*trial)(void)) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) _exit(filter_retire() ? trial() : 99);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static int reads(void) {
    char bytes[16];
    struct stat facts;
    struct open_how how = {.flags = O_RDONLY, .resolve = RESOLVE_BENEATH};
    int folder = open("/usr", O_RDONLY | O_DIRECTORY), file = open("/proc/self/status", O_RDONLY);
    bool fine = folder >= 0 && file >= 0 && fstat(file, &facts) == 0 && read(file, bytes, 16) == 16;
    char *more = malloc(1 << 24);
    fine = fine && more != NULL && syscall(SYS_openat2, folder, "bin", &how, sizeof how) >= 0;
    free(more);
    return fine && close(file) == 0 ? 7 : 1;
}

static void retired_judges_read(void **state) {
    (void)state;
    assert_int_equal(retired(reads), 7);
}

static const long refused[] = {
    SYS_clone,   SYS_execve,       SYS_socket,    SYS_connect,   SYS_kill,       SYS_ptrace,  SYS_mount,
    SYS_unshare, SYS_setns,        SYS_setresuid, SYS_unlinkat,  SYS_renameat2,  SYS_mkdirat, SYS_symlinkat,
    SYS_fchmod,  SYS_fchownat,     SYS_truncate,  SYS_ftruncate, SYS_pidfd_open, SYS_prctl,   SYS_prlimit64,
    SYS_bpf,     SYS_memfd_create, SYS_keyctl,    SYS_chroot,    SYS_dup3,       SYS_sendto,  SYS_pwrite64,
};

/* The number of the first call that is not refused; 0 when all are. */
static int tries_the_rest(void) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        errno = 0;
        if (syscall(refused[i], -1, -1, -1, -1, -1, -1) != -1 || errno != EPERM) return (int)i + 1;
    }
    return 0;
}

static void retired_judges_do_nothing_else(void **state) {
    (void)state;
    assert_int_equal(retired(tries_the_rest), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(retired_judges_read),
        cmocka_unit_test(retired_judges_do_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
