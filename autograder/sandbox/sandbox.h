/* sandbox.h - running something untrusted: bubblewrap's command line from a plan.
 *
 * Inside there are the system's /usr (read-only), a small /tmp (unless the plan binds one), /dev/null, and
 * what the plan binds: no network, no other processes, no home, no terminal, no capabilities, limits on time,
 * memory, processes and files.
 */
#pragma once

#include "autograder/sandbox/child.h"
#include "autograder/sandbox/filter.h"
#include "autograder/sandbox/stage.h"

/** Those of a group that are bubblewrap's own. */
enum { SANDBOX_PROCESSES = 4 };

/** A folder or file that can be seen inside. */
typedef struct SandboxBind {
    const char *from, *to;
    bool writable;
    bool outside; /**< `to` is where it lies outside as well */
} SandboxBind;

/** Limits of each process by itself; those of all together are the group's (cgroup.h). */
typedef struct SandboxLimits {
    long cpu_seconds;
    long memory_mib; /**< address space of one process; 0: no limit */
    long processes;  /**< 0: no limit */
    long file_mib;
    long files; /**< that a process has open; 0: the usual number */
} SandboxLimits;

/** What runs inside, and what it may see, use and print. */
typedef struct SandboxPlan {
    const char *const *argv;        /**< of the program inside, an absolute path */
    const char *hidden;             /**< the checkout: not to be seen should it lie below /usr */
    const SandboxBind *binds;       /**< ends with from == NULL */
    const char *const *devices;     /**< nodes that it may use, which have the same place outside; NULL */
    const char *const *environment; /**< NAME, VALUE, NAME, VALUE, ..., NULL */
    const char *folder;             /**< inside */
    bool with_proc;
    FilterFor filter;     /**< which system call filter */
    bool fixed_addresses; /**< child.h */
    SandboxLimits limits;
    const Cgroup *group; /**< that it enters; NULL */
    int extra_fd;        /**< CHILD_EXTRA_FD inside; -1 none */
    const int *more_fds; /**< CHILD_MORE_FD and the following inside */
    unsigned more_count;
    size_t capture_limit, flood_limit;
} SandboxPlan;

/** Whether the system lets bubblewrap make a sandbox: tries one. False with what it said in `why`. With
 * `seen`, how the kernel describes a process in it: its status, its limits, and the namespaces that it is in.
 */
bool sandbox_works(const Stage *stage, Text *why, Text *seen);
bool sandbox_start(Child *child, const Stage *stage, const SandboxPlan *plan);
/** The same without a stage, for a tool of the system that works on a folder anywhere on the disk: binds name
 * their places outside by absolute paths. LIMIT: outside it runs as the user who grades, since nobody else
 * may be able to reach that folder; inside as nobody. It has no capability, and only its folder in sight. */
bool sandbox_start_alone(Child *child, const SandboxPlan *plan);
/** The signal that ended the program inside, as bubblewrap passes it on; 0 when it ended by itself. */
int sandbox_signal(const Child *child);
/** Its exit status; -1 after a signal. */
int sandbox_exit_status(const Child *child);
