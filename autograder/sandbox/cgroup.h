/* cgroup.h - groups of processes whose memory and number are counted together, where the system lends us
 * some.
 *
 * Limits of single processes add up: 64 processes of a gigabyte each are 64 gigabytes. A group's limit does
 * not. Groups are made below the one that this process is in, so that every limit from outside stays in
 * force: in cgroup v2 when memory and pids can be switched on there, else in v1 when those controllers'
 * folders may be written to, else not at all. A child enters its group before it becomes anything untrusted
 * (ChildSetup).
 *
 * Version 2 lets no processes stay in a group whose controllers are on for others, so `cgroup_claim` first
 * moves this process into a group "warpschool-judge" of its own; it does so only where it is alone, as in
 * `systemd-run --user --scope -p Delegate=yes warpschool grade ...`.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { CGROUP_PATH_BYTES = 1024, CGROUP_HIERARCHIES = 2 };

/** Where groups can be made: of version 2 one folder, of version 1 one for memory and one for pids, if any.
 */
typedef struct CgroupBase {
    int version; /**< 2 or 1; 0: nowhere */
    char folders[CGROUP_HIERARCHIES][CGROUP_PATH_BYTES];
    unsigned count;
} CgroupBase;

/** One group. */
typedef struct Cgroup {
    char folders[CGROUP_HIERARCHIES][CGROUP_PATH_BYTES];
    unsigned count; /**< 0: there is none */
    int version;
    int entries[CGROUP_HIERARCHIES]; /**< descriptors: who writes "0" to each is in the group */
} Cgroup;

/** Finds where this process may make groups; `proc` is "/proc/self" but in tests. Changes nothing. */
void cgroup_find(CgroupBase *base, const char *proc);
/** The same, and switches controllers on where that is still to be done. */
void cgroup_claim(CgroupBase *base, const char *proc);
/** A group for this process's children, with limits on their memory together and their number. False when it
 * could not be made whole. */
bool cgroup_make(Cgroup *group, const CgroupBase *base, const char *name, long memory_mib, long processes);
/** How many of its processes were killed since it needed more memory than its limit. */
long cgroup_kills(const Cgroup *group);
/** Removes a group whose processes are gone; one that was never made is fine. */
void cgroup_remove(Cgroup *group);
/** Removes what a process that was killed has left. */
void cgroup_sweep(const CgroupBase *base, pid_t owner);
/** Removes what is a minute old and was left by processes that are no more, for whom nobody else could do it.
 */
void cgroup_sweep_old(const CgroupBase *base);
