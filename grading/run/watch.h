/* watch.h - `grade --watch`: grades a folder again and again, whenever something in it has changed and has
 * been still for a while.
 *
 * Each round is a process of its own, which does what `grade` does: killed at any moment it goes on where it
 * was (order.h), and so does the watch, which keeps nothing. What the folder looks like is compared with what
 * it looked like, never with a clock: a date that jumps changes nothing. It is compared once more when a
 * round has read all of it, so that a file which is being written when the round begins counts in a later
 * one.
 */
#pragma once

#include "autograder/commands/commands.h"

#include <stdint.h>

/** The exit status of a round that read a folder which had changed meanwhile: nothing was graded. */
enum { WATCH_CHANGED = 75 };

/** What is watched, and how. */
typedef struct WatchOrder {
    const char *path;      /**< the submissions */
    const char *gradebook; /**< one watch for each */
    long still;            /**< seconds without a change, after which a hand-in counts as whole */
    int (*round)(void *context, uint64_t looked); /**< grades the folder once; an exit status */
    void *context;
} WatchOrder;

/** Until somebody stops it: an exit status. */
int watch_submissions(Session *session, const WatchOrder *order);
/** What a folder looks like, as a number; 0 while it is not there, cannot be read to its end, or has
 * no file in it. */
uint64_t watch_fingerprint(const char *path);
