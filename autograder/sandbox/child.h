/* child.h - starting processes and watching them: pipes drained side by side, ends noticed, nothing left
 * running.
 *
 * A child gets /dev/null, two pipes, and the descriptors that it is given, from number 3 on; everything else
 * is closed. It dies with the process that started it. `child_watch` waits on all children at once and keeps
 * at most `capture_limit` bytes of each stream; what comes after that is read and thrown away, so that nobody
 * blocks on a full pipe.
 */
#pragma once

#include "base/text.h"

#include <sys/types.h>

enum {
    CHILD_EXTRA_FD = 3,
    CHILD_EXTRA_COUNT = 2,
    CHILD_MORE_FD = CHILD_EXTRA_FD + CHILD_EXTRA_COUNT,
    CHILD_MORE_COUNT = 8
};

/** How a process is started. Everything that is not named here the child does not have. */
typedef struct ChildSetup {
    const char *const *argv;          /**< argv[0] is looked up in /usr/bin when it has no slash */
    const char *const *environment;   /**< NULL: empty */
    const char *folder;               /**< working folder; NULL: as it is */
    int extra_fds[CHILD_EXTRA_COUNT]; /**< become CHILD_EXTRA_FD and the next; -1 none */
    const int *more_fds;              /**< become CHILD_MORE_FD and the following */
    unsigned more_count;              /**< at most CHILD_MORE_COUNT */
    const int *group_entries;         /**< of the groups that it enters first (cgroup.h) */
    unsigned group_count;
    uid_t user;           /**< changed to before exec; (uid_t)-1: stays */
    int ignored_signal;   /**< ignored until the program itself asks for it; 0: none */
    bool fixed_addresses; /**< code, stack and heap lie where they lie in every run */
    /** In a namespace of processes with an attendant (pid_namespaces(7)), where the system allows that: it
     * has ended when all have whom it has started, and none of them outlives the process that started it. */
    bool attended;
    size_t capture_limit;
    size_t flood_limit; /**< child_watch returns when more than this was thrown away; 0: never */
} ChildSetup;

/** A process that was started, and what it has printed so far. */
typedef struct Child {
    pid_t pid;    /**< 0: not started */
    int pidfd;    /**< -1 once it has ended */
    int pipes[2]; /**< the reading ends of its stdout and stderr; -1 closed */
    Text streams[2];
    size_t dropped; /**< bytes beyond capture_limit, of both streams */
    size_t capture_limit, flood_limit;
    bool ended;
    int status; /**< as of wait; valid when ended */
    double ran; /**< seconds of processors, with those of all it has waited for; valid when ended */
} Child;

/** False with errno set when no process could be made. The child owns nothing of the caller's. */
bool child_start(Child *child, const ChildSetup *setup);
/** Waits for a process of ours that ends by itself; its exit status, or EXIT_INTERNAL after a signal. */
int child_await(pid_t pid);
/** Seconds of a clock that only goes forward. */
double child_now(void);
/** Whether it has printed more than its flood limit. */
bool child_floods(const Child *child);
/** Waits until one of the children has newly ended or begun to flood, or `deadline` (of child_now) is past;
 * meanwhile drains their pipes. */
void child_watch(Child *const *children, size_t count, double deadline);
/** What a child and its descendants have had of the processors, in seconds, as the kernel counts them
 * (schedstat, in the kernel's scheduler documentation). */
typedef struct ChildTimes {
    double ran;
    double waited;  /**< ready to run, without a processor */
    double offered; /**< it could have run for as long: who gives way at once had a turn all the same */
    double turns;   /**< all turns, where nobody gives way or falls asleep in one */
} ChildTimes;
/** Adds what one had that ran beside the others. */
void child_add_times(ChildTimes *all, ChildTimes one);
/** Of those that live; 0 when that is not known. */
ChildTimes child_times(const Child *child);
/** Whether those who had turns in between hardly used any: they ask for something again and again, as ranks
 * of MPI that wait for each other, or sleep. */
bool child_gave_way(ChildTimes before, ChildTimes after);

/** A clock that stands while somebody waits for a processor, so that on a busy machine a limit of seconds is
 * as long as on an idle one. Begins as {.most = ...}. */
typedef struct ChildClock {
    ChildTimes all;  /**< of everybody so far; no more is waited than is taken off */
    double most;     /**< more waiting than that is not taken off */
    ChildTimes seen; /**< of those who live, at the last look */
} ChildClock;

/** LIMIT: for a limit of S seconds, the clock stands for S times that at most. A machine that is busier makes
 * programs late; more would let hostile ones, which can wait for each other's processors, hold up a grading
 * for longer. */
enum { CHILD_MOST_WAITING = 5 };

/** Takes note of what those who live have had by now (child_times). */
void child_clock_look(ChildClock *clock, ChildTimes living);
/** child_now by this clock. */
double child_clock_now(const ChildClock *clock);
/** Whether it stood for as long as it may, and yet nobody was offered as many seconds of a processor as the
 * limit has: who is late then, is so by no fault of their own. */
bool child_clock_starved(const ChildClock *clock);
/** Sends a signal to a process that still runs, and to it alone. */
void child_signal(const Child *child, int number);
/** Kills and forgets; frees the texts. */
void child_kill(Child *child);
void child_free(Child *child);
/** Asks a program of the system, outside of any sandbox: runs it to its end, or for so many seconds. `said`
 * is what it printed, and below that, where it failed, what it complained of. Its exit status; -1 when it did
 * not start, or did not end by itself. `environment` NULL: empty. */
int child_ask(const char *const *argv, const char *const *environment, double seconds, Text *said);

/** From now on orphans of our children come to us, so that they can be waited for. */
void child_adopt_orphans(void);
/** Takes note of all that have ended by now, adopted orphans too, which would count in their group until
 * then. All children that run must be among these. */
void child_reap_orphans(Child *const *children, size_t count);
/** Waits until no child or adopted orphan is left, at most until `deadline`; false when some are. */
bool child_reap_rest(double deadline);
