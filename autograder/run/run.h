/* run.h - the programs and their devices: both schedules side by side, restarts, limits.
 *
 * A Schedule is one order of threads (a seed). Cases that are run in the same way (settings.h) run in one
 * program, one after the other; when that dies in case k, a fresh pair goes on with case k+1, up to RUN_MOST
 * times. A check that is isolated has a pair for each case. What is left afterwards: how each case ended, one
 * report per pair, and the answers in the stage.
 */
#pragma once

#include "autograder/check/check.h"
#include "autograder/sandbox/child.h"

enum {
    RUN_MOST = 4,       /**< programs that die */
    RUN_MOST_PAIRS = 64 /**< with a program for each case */
};

/** How a program left a case. */
typedef enum RunEnd {
    RUN_NOT_RUN,
    RUN_COMPLETED, /**< the program went on to the next case, or ended well after the last */
    RUN_CRASHED,   /**< by the signal in `detail` */
    RUN_EXITED,    /**< with the status in `detail` */
    RUN_TIMEOUT,
    RUN_CPU_LIMIT,
    RUN_FILE_LIMIT,
    RUN_FORBIDDEN, /**< a system call that the filter stops at */
    RUN_FLOODED,   /**< printed far too much */
    RUN_APART,     /**< ranks wait for each other in calls of MPI */
    RUN_TOGETHER,  /**< its processes and files took more memory together than their group may have */
    RUN_MEMORY     /**< its device grew beyond what the manifest allows */
} RunEnd;

/** How a case ended in one schedule. */
typedef struct CaseEnd {
    RunEnd end;
    int detail;
    int chosen; /**< the status that it may have given itself, where it looks like that signal; 0 */
    bool idle;  /**< out of time, of which it and its device hardly used any */
    const char *last_line; /**< of what it printed to stderr before the end; NULL */
    const char *uncaught; /**< the type of the exception that ended it, as the C++ library printed it; NULL */
} CaseEnd;

/** One program with its device. */
typedef struct Pair {
    unsigned first_case;
    unsigned last_case; /**< the one in which it ended */
    bool well;          /**< ended by itself after the last case */
    bool stopped;       /**< the device was still busy when its time was up: no report, nobody's fault */
    int device_signal;  /**< of a device that died of what it was sent; 0 */
    bool device_killed; /**< by somebody: the system, where memory is short */
    struct json_object *report;  /**< NULL when the device left none */
    Text sent[CHECK_MOST_RANKS]; /**< what the program's ranks sent their devices (base/sent.h) */
    unsigned ranks;              /**< of the program, each with a device process of its own; 1 without MPI */
    const char *device_said;     /**< how a device without a report ended, and what it said */
} Pair;

/** One run of all cases: an order of threads and streams, and values of the inputs. */
typedef struct Schedule {
    unsigned number;      /**< of its inputs */
    unsigned room;        /**< of its folders: the same, but of a run in which something is withheld */
    const char *withheld; /**< what the device withholds from its only case (warpgrind --withhold); NULL */
    long seed;
    const char *answers; /**< the folder in the stage */
    CaseEnd *ends;       /**< one per case */
    Pair pairs[RUN_MOST_PAIRS];
    unsigned pair_count;
    double told_until;     /**< when the last of its cases ended that are not hidden (child_now) */
    size_t kept_bytes;     /**< of what the programs sent */
    ChildTimes starved;    /**< what it had of the processors, when that was too little to say anything */
    bool breaks_device;    /**< also alone, and another device did its work meanwhile */
    bool crashed_often;    /**< so often that later cases were not run */
    const char *hung_case; /**< a kernel of this case never ended: later ones were not run; NULL */
    const char *output;    /**< the first program's stdout and stderr, made visible; in the arena */
} Schedule;

/** Runs all schedules; false with a diagnostic when they could not be run. Everything untrusted is dead
 * afterwards. */
bool run_schedules(Check *check, Schedule *schedules, unsigned count);
/** Runs one case once more, with the first schedule's inputs and order, and without `schedule->withheld`:
 * `number` counts such runs. False with a diagnostic when it could not be run. Nothing is to be
 * read of it but its answers. */
bool run_withheld(Check *check, Schedule *schedule, unsigned number, unsigned index);
/** Frees the reports. */
void run_free(Schedule *schedules, unsigned count);
