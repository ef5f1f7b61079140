/* run.h - a grading's tasks, done: by workers on this machine, or by those of a cluster. */
#pragma once

#include "grading/run/meter.h"
#include "grading/run/task.h"

#include <signal.h>

/** How far the tasks of a grading got. */
typedef enum RunEnd {
    RUN_DONE,     /**< each task is decided or a fault */
    RUN_PREPARED, /**< the jobs are written, for others to do */
    RUN_STOPPED,  /**< somebody pressed Ctrl-C */
    RUN_FAILED    /**< book, disk or cluster failed: there are diagnostics */
} RunEnd;

/** The tasks of a grading and how they are to be done. */
typedef struct Run {
    TaskRoom room;
    Task *tasks;
    size_t count;
    const char *program, *root; /**< what workers are started with */
    long workers;               /**< at a time; 0: as many as there are cores, or as Slurm likes */
    Meter meter;
} Run;

/** Tasks in that state. */
size_t run_count(const Run *run, TaskState state);
/** What an earlier run has left comes into the book first. */
bool run_collect_left(Run *run);
/** The tasks that wait, by processes of this machine. */
RunEnd run_here(Run *run);
/** The same by arrays of jobs of Slurm. */
RunEnd run_by_slurm(Run *run);
/** Writes the jobs of all tasks that wait, and a list of their names, the file `list` in the spool. *count
 * says how many. */
bool run_prepare(Run *run, size_t *count);
/** A descriptor that can be read once somebody wants the run to stop; the signals are blocked until
 * `run_unblock`. -1: none. */
int run_block(sigset_t *before);
void run_unblock(int descriptor, const sigset_t *before);
/** How many workers this machine takes: its cores, or fewer where memory is short. */
long run_usual_workers(void);
