/* lockdown.c - user, limits and system calls of the process that speaks HTTP; see lockdown.h. */
#include "serve/web/lockdown.h"
#include "base/minmax.h"

#include <errno.h>
#include <grp.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NOBODY = 65534, MOST_DESCRIPTORS = 2100 };

static const int calls[] = {
#define CALL(name, why) SCMP_SYS(name),
#include "serve/web/calls.def"
#undef CALL
};

static bool leave_root(void) {
    if (geteuid() != 0) return true;
    return setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
           setresuid(NOBODY, NOBODY, NOBODY) == 0;
}

static bool limit(int what, rlim_t most) {
    const struct rlimit limits = {most, most};
    return setrlimit((__rlimit_resource_t)what, &limits) == 0;
}

/* As many as connections need, or as the system gives: what is too many then waits to be accepted. */
static bool limit_descriptors(void) {
    struct rlimit limits;
    if (getrlimit(RLIMIT_NOFILE, &limits) != 0) return false;
    return limit(RLIMIT_NOFILE, MIN(limits.rlim_max, MOST_DESCRIPTORS));
}

/* A call that this machine does not have needs no permission. */
static bool filter_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool fine = filter != NULL;
    for (unsigned i = 0; fine && i < sizeof calls / sizeof *calls; i++)
        fine = calls[i] < 0 || seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) == 0;
    fine = fine && seccomp_load(filter) == 0;
    if (filter != NULL) seccomp_release(filter);
    return fine;
}

bool lockdown_enter(void) {
    return leave_root() && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) && limit_descriptors() &&
           prctl(PR_SET_DUMPABLE, 0) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && filter_calls();
}
