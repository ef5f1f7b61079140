/* spaces.c - clone, the three files of /proc that fill a namespace of users, and an attendant; see spaces.h.
 */
#include "autograder/sandbox/spaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_CANNOT_START = 127, STATUS_SIGNAL = 128 };

/* ---- users ---- */

static bool write_small(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool fine = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return fine;
}

/* Only who cannot change groups may map one. */
bool spaces_map_user(uid_t user, gid_t group) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)user, (unsigned)user);
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)group, (unsigned)group);
    return write_small("/proc/self/setgroups", "deny") && write_small("/proc/self/uid_map", users) &&
           write_small("/proc/self/gid_map", groups);
}

/* What lies below `inside` is far beyond `count`, as numbers without a sign go round. */
bool spaces_map_has(const char *map, unsigned number) {
    FILE *file = fopen(map, "re");
    if (file == NULL) return false;
    unsigned inside, outside, count;
    bool found = false;
    while (!found && fscanf(file, "%u %u %u", &inside, &outside, &count) == 3)
        found = number - inside < count;
    fclose(file);
    return found;
}

/* ---- processes ---- */

/* A request that comes too late is not answered, but the pidfd tells the end: getppid does not, as outside
 * the namespace there is nobody. */
static bool die_with(int parent) {
    struct pollfd ended = {.fd = parent, .events = POLLIN};
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && poll(&ended, 1, 0) == 0;
}

/* bubblewrap looks for its own child in /proc, and waits for ever for one that it does not find there: the
 * /proc of outside has other numbers, and in a container with few processes none for most of ours. */
static bool mount_own_proc(void) {
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

/* Has nothing open: others wait for the end of a pipe. Orphans come to it, and are waited for as well. */
static _Noreturn void attend(pid_t child) {
    int status = 0, ended = 0;
    close_range(0, ~0U, 0);
    for (pid_t pid; (pid = wait(&ended)) > 0 || errno == EINTR;)
        if (pid == child) status = ended;
    _exit(WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status));
}

/* fork into new namespaces: clone without a stack, for which glibc has no name. */
static pid_t fork_into(unsigned long spaces) {
    return (pid_t)syscall(SYS_clone, spaces | SIGCHLD, NULL, NULL, NULL, 0);
}

pid_t spaces_fork_attended(pid_t *parent_seen) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const int parent = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (parent < 0) return -1;
    pid_t pid = fork_into(CLONE_NEWPID | CLONE_NEWNS);
    const bool has_users = pid >= 0;
    if (!has_users) pid = fork_into(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS);
    if (pid == 0) {
        bool fine = die_with(parent) && (has_users || spaces_map_user(user, group));
        if (mount_own_proc())
            *parent_seen = getpid();
        else
            *parent_seen = -1;
        pid_t child = -1;
        if (fine) child = fork();
        if (child < 0) _exit(STATUS_CANNOT_START);
        if (child > 0) attend(child);
    }
    close(parent);
    return pid;
}
