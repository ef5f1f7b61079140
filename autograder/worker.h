/* worker.h - a check in a process of its own.
 *
 * Entering the stage cannot be undone, so each check gets a process; its result comes back as JSON through a
 * pipe. When the process dies, that too is a result: verdict error. When the command dies, so does all that
 * the check has started: a guard between the two sees to it.
 */
#ifndef AUTOGRADER_WORKER_H
#define AUTOGRADER_WORKER_H

#include "autograder/check.h"

/** What to check. */
typedef struct WorkerOrder {
    const Course *course;
    const Lesson *lesson;
    const Judge *judge;
    Submission *submission;
    long seed;
    bool show_times;
    bool unlocked; /**< without a sandbox */
    bool picture;  /**< as in Check */
    bool isolated; /**< grading: hidden cases as well, and a program for each case */
    bool revealed; /**< as in Check */
} WorkerOrder;

/** The result's JSON object, never NULL but without memory; the caller puts it. */
struct json_object *worker_check(const WorkerOrder *order);

#endif
