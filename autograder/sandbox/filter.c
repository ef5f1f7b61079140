/* filter.c - filter.def through libseccomp; see filter.h.
 *
 * Threads are made with clone or clone3. The first shows its flags; the second hides them behind a pointer,
 * so it does not exist (ENOSYS) and the C library uses the first.
 */
#include "autograder/sandbox/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Linux 6.5: younger than the headers. */
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

/* What happens to a system call: the process ends, the call fails, or it may connect within the sandbox only.
 * */
typedef enum FilterAction { STOP, REFUSE, CONNECT } FilterAction;

/* A system call that is not simply allowed. */
typedef struct FilterRow {
    int call;
    FilterAction action;
} FilterRow;

static const FilterRow rows[] = {
#define FILTER(name, action, why) {SCMP_SYS(name), action},
#include "autograder/sandbox/filter.def"
#undef FILTER
};

static bool starts_processes(FilterFor what) {
    return what == FILTER_FOR_COMPILER || what == FILTER_FOR_RANKS;
}

static bool connects(FilterFor what) {
    return what == FILTER_FOR_RANKS || what == FILTER_FOR_CARD;
}

static bool add_rows(scmp_filter_ctx filter, FilterFor what) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].action == STOP && starts_processes(what)) continue;
        if (rows[i].action == CONNECT && connects(what)) continue;
        uint32_t action = SCMP_ACT_KILL_PROCESS;
        if (rows[i].action != STOP) action = SCMP_ACT_ERRNO(EPERM);
        if (seccomp_rule_add(filter, action, rows[i].call, 0) != 0) return false;
    }
    return true;
}

static bool add_clone(scmp_filter_ctx filter, FilterFor what) {
    if (starts_processes(what)) return true;
    const struct scmp_arg_cmp no_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
    return seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 1, no_thread) == 0;
}

/* Only the low 32 bits of the request count for the kernel. */
static bool add_terminal(scmp_filter_ctx filter) {
    const unsigned long requests[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const struct scmp_arg_cmp same = SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffU, requests[i]);
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, same) != 0) return false;
    }
    return true;
}

/* Locks, leases and notices on files that several submissions may read. */
static bool add_file_control(scmp_filter_ctx filter) {
    const int commands[] = {F_SETLK,     F_SETLKW,   F_GETLK,    F_OFD_SETLK, F_OFD_SETLKW,
                            F_OFD_GETLK, F_SETLEASE, F_GETLEASE, F_NOTIFY,    F_SETPIPE_SZ};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct scmp_arg_cmp same = SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffU, (unsigned)commands[i]);
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1, same) != 0) return false;
    }
    return true;
}

/* unshare is in the table; clone can make namespaces as well. */
static bool add_namespaces(scmp_filter_ctx filter) {
    const int flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                         CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const struct scmp_arg_cmp has = SCMP_A0(SCMP_CMP_MASKED_EQ, (unsigned)flags[i], (unsigned)flags[i]);
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, has) != 0) return false;
    }
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

bool filter_write_to(int fd, FilterFor what) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool fine = filter != NULL && add_rows(filter, what) && add_clone(filter, what) &&
                add_namespaces(filter) && add_terminal(filter) && add_file_control(filter) &&
                seccomp_export_bpf(filter, fd) == 0;
    if (filter != NULL) seccomp_release(filter);
    return fine;
}

bool filter_write(const char *path, FilterFor what) {
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    bool fine = filter_write_to(fd, what);
    close(fd);
    return fine;
}

/* From here on the judge only reads, compares and prints: retired.def has the system calls that this needs.
 * */
bool filter_retire(void) {
    static const int allowed[] = {
#define ALLOWED(name, why) SCMP_SYS(name),
#include "autograder/sandbox/retired.def"
#undef ALLOWED
    };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int error = -ENOMEM;
    if (filter != NULL) error = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && error == 0; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    if (error == 0) error = seccomp_load(filter);
    if (filter != NULL) seccomp_release(filter);
    errno = -error;
    return error == 0;
}
