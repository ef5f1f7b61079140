/* spaces.h - namespaces of processes and users, as they are entered: one of processes has an attendant, one
 * of users a single user (namespaces(7)).
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/** Lets this process be in its new namespace of users the user and group that it was before, and nobody be
 * any other. Uses no heap: it may come between fork and exec. */
bool spaces_map_user(uid_t user, gid_t group);
/** Whether a file like /proc/self/uid_map has this number: each line a first one, what it is outside, and how
 * many there are (user_namespaces(7)). */
bool spaces_map_has(const char *map, unsigned number);

/** As fork, but with an attendant in between, the first process of a new namespace of processes. The parent
 * gets the attendant's number, and the child sees it as its parent, which `parent_seen` becomes there; it is
 * -1 with errno set where the system allows the namespace no /proc of its own.
 *
 * The attendant ends when all have who were started in its namespace, with the child's status or, for a
 * signal, 128 and its number; they all die when it is killed, and when the parent ends in any way. Who may
 * not make such a namespace makes it in one of users, as the user that it is. -1 with errno set where neither
 * is allowed. */
pid_t spaces_fork_attended(pid_t *parent_seen);
