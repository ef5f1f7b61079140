/* worker.h - a check in a process of its own.
 *
 * Entering the stage cannot be undone, so each check gets a process; its result comes back as JSON through a
 * pipe. When the process dies, that too is a result: verdict error. When the command dies, so does all that
 * the check has started: a guard between the two sees to it.
 */
#pragma once

#include "autograder/check/check.h"

/** What to check. */
typedef struct WorkerOrder {
    const Course *course;
    const Lesson *lesson;
    const Judge *judge;
    Submission *submission;
    long seed;
    bool show_times;
    bool events;                  /**< as in Check */
    bool unlocked;                /**< without a sandbox */
    const PictureChoice *picture; /**< as in Check */
    bool bounded; /**< its processes' memory and number are limited together, where the system lends groups */
    bool isolated; /**< grading: hidden cases as well, and a program for each case */
    bool revealed; /**< as in Check */
    bool on_card;  /**< by card_check, on this machine's GPU, in place of the software GPU */
} WorkerOrder;

/** The result's JSON object, never NULL but without memory; the caller puts it. */
struct json_object *worker_check(const WorkerOrder *order);
/** What the process has to say at the other end of the pipe, which is closed; waits for its end. A process
 * that fails, or says more than RESULT_LARGEST, has the result of a fault. For worker_check, and for tests.
 */
struct json_object *worker_take(const WorkerOrder *order, pid_t pid, int in);
