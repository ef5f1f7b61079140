/* deny.c - runs a program under what the default filter of container engines forbids: namespaces, mounts, and
 * the personalities that are none of the usual ones. The build machine's own containers differ, so this is
 * what tests use. With DENY_EVENTS in the environment there are no file events either, as on some network
 * file systems.
 */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

int main(int argc, char **argv) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const struct scmp_arg_cmp spaces = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);
    const struct scmp_arg_cmp places = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNS, CLONE_NEWNS);
    const struct scmp_arg_cmp order = SCMP_A0(SCMP_CMP_MASKED_EQ, ADDR_NO_RANDOMIZE, ADDR_NO_RANDOMIZE);
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    if (argc < 2 || filter == NULL || seccomp_rule_add(filter, refuse, SCMP_SYS(unshare), 0) != 0 ||
        seccomp_rule_add(filter, refuse, SCMP_SYS(mount), 0) != 0 ||
        seccomp_rule_add_array(filter, refuse, SCMP_SYS(clone), 1, &spaces) != 0 ||
        seccomp_rule_add_array(filter, refuse, SCMP_SYS(clone), 1, &places) != 0 ||
        seccomp_rule_add_array(filter, refuse, SCMP_SYS(personality), 1, &order) != 0 ||
        (getenv("DENY_EVENTS") != NULL &&
         seccomp_rule_add(filter, refuse, SCMP_SYS(inotify_init1), 0) != 0) ||
        seccomp_load(filter) != 0)
        return 3;
    execvp(argv[1], argv + 1);
    fprintf(stderr, "deny: %s: %s\n", argv[1], strerror(errno));
    return 3;
}
