/* spool.h - the folder of a grading's jobs and results: GRADEBOOK.jobs beside the gradebook, or where a
 * cluster's nodes see it too.
 *
 * What lies there is on its way: a job's files until its result is in the book. Whoever holds the folder's
 * lock is the only one that adds to the book. Only the grader's user may look inside, since jobs hold the
 * seed.
 */
#pragma once

#include "base/diag.h"

/** The folder of jobs and results, locked while a grading uses it. */
typedef struct Spool {
    const char *folder; /**< absolute */
    int lock;
} Spool;

/** `folder` NULL: beside the book. Makes the folder, or finds one that an interrupted grading has left, and
 * locks it. */
bool spool_open(Spool *spool, Arena *arena, const char *folder, const char *book, Diagnostics *diagnostics);
/** Unlocks it; removes it when it is empty. */
void spool_close(Spool *spool);
/** FOLDER/NAME and what follows the name, ".job". Longer than any path that exists: "". */
typedef struct SpoolPath {
    char bytes[4096];
} SpoolPath;
SpoolPath spool_path(const Spool *spool, const char *name, const char *suffix);
/** Removes all that lies there: of a run in which nothing is left to do. What a killed worker had not
 * finished goes with it. */
void spool_empty(const Spool *spool);
/** Removes all files of a job. */
void spool_clear(const Spool *spool, const char *name);
/** False with an error when the disk is full. */
bool spool_has_room(const Spool *spool, Diagnostics *diagnostics);
