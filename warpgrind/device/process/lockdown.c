/* lockdown.c - see lockdown.h. */
#include "device/process/lockdown.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static const int allowed[] = {
#define ALLOWED(name, why) SCMP_SYS(name),
#include "device/process/lockdown.def"
#undef ALLOWED
};

/** What fork() asks for (clone, without any sharing), and with what a worker is waited for. */
static int allow_workers(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp forks = {
        .arg = 0, .op = SCMP_CMP_EQ, .datum_a = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD};
    const struct scmp_arg_cmp death[] = {{.arg = 0, .op = SCMP_CMP_EQ, .datum_a = PR_SET_PDEATHSIG},
                                         {.arg = 1, .op = SCMP_CMP_EQ, .datum_a = SIGKILL}};
    int error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, &forks);
    if (error == 0) error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(wait4), 0);
    if (error == 0) error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 2, death);
    return error;
}

static int compare(const void *left, const void *right) {
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/** Closes all descriptors but 0 to 2 and those to keep, range by range, since a program may have left any
 * number open. */
void lockdown_close_others(const int *keep, unsigned count) {
    enum { MOST = 8 };
    int sorted[MOST] = {0};
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept < MOST; i++)
        if (keep[i] >= 3) sorted[kept++] = keep[i];
    qsort(sorted, kept, sizeof *sorted, compare);
    unsigned from = 3;
    for (unsigned i = 0; i < kept; i++) {
        if ((unsigned)sorted[i] > from) close_range(from, (unsigned)sorted[i] - 1, 0);
        from = (unsigned)sorted[i] + 1;
    }
    close_range(from, ~0U, 0);
}

void lockdown_hide(void) {
    prctl(PR_SET_DUMPABLE, 0);
}

/** From here on the process may make the system calls of lockdown.def and no others. A call that is refused
 * fails with EPERM and does not kill the process: a library that tries something harmless must not end the
 * device. */
bool lockdown_enter(bool workers) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) {
        errno = ENOMEM;
        return false;
    }
    int error = 0;
    for (unsigned i = 0; i < sizeof allowed / sizeof *allowed && error == 0; i++)
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    if (error == 0 && workers) error = allow_workers(filter);
    if (error == 0) error = seccomp_load(filter);
    seccomp_release(filter);
    errno = -error;
    return error == 0;
}
