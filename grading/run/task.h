/* task.h - one grade to be found: what is asked, how far it is, and the steps between the book and the spool.
 *
 * A task is waiting until a worker takes it; then its result is collected: into the book when the judge has
 * decided, or back among the waiting ones when the grader is at fault, at most TASK_TRIES times, and then
 * into the book as a fault, for a person to look at.
 *
 *     waiting --order--> running --collect--> decided
 *        ^                  |  \------------> fault
 *        \------------------/
 */
#pragma once

#include "grading/book/gradebook.h"
#include "grading/run/job.h"
#include "grading/run/spool.h"

enum { TASK_TRIES = 3, TASK_NAME = 33 };

/** How far a task is. */
typedef enum TaskState { TASK_WAITING, TASK_RUNNING, TASK_DECIDED, TASK_FAULT } TaskState;

/** A file to be judged. */
typedef struct Task {
    BookKey key;
    const char *shown;    /**< the file's name as people know it */
    char name[TASK_NAME]; /**< of its files in the spool: the same for the same key */
    TaskState state;
    int tries;
} Task;

/** What the tasks of a run share. */
typedef struct TaskRoom {
    Gradebook *book;
    const BookGrading *grading;
    Spool spool;
    bool weak, card; /**< as in Job */
    Diagnostics *diagnostics;
} TaskRoom;

/** Names the task after its key. */
void task_name(Task *task);
/** Writes the job's files and makes the task running. */
bool task_order(TaskRoom *room, Task *task);
/** Takes the result that a worker has left, if there is one, into the book. `why` says what became of the
 * worker, for a fault; NULL: it may still come, and without a result nothing happens. False when book or disk
 * fail, and the run must stop. */
bool task_collect(TaskRoom *room, Task *task, const char *why);
