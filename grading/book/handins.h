/* handins.h - all that was ever handed in, in order: what the class and a regrading choose from.
 *
 * The files of one student for one lesson are a group, the oldest grading first. The same file turns up in
 * many gradings; what its newest row says of its result counts.
 */
#pragma once

#include "grading/book/gradebook.h"

/** A file as one grading found it, with what judging it has given. */
typedef struct HandIn {
    int64_t number, grading;
    BookHanded file; /* without its bytes */
    int64_t attempt; /* 0: no result */
    int score, max_score;
    bool passed;                      /* that result's verdict */
    const char *fault, *fault_remedy; /* NULL: none */
} HandIn;

/** Files of all gradings, in groups of student and lesson. */
typedef struct HandInList {
    HandIn *items; /* by student, lesson, grading, time */
    size_t count;
} HandInList;

/** What to read; NULL and 0: no limit. */
typedef struct HandInsWanted {
    const char *student, *lesson;
    int64_t last_grading;
} HandInsWanted;

bool handins_read(Gradebook *book, Arena *arena, const HandInsWanted *wanted, HandInList *list,
                  Diagnostics *diagnostics);
/** How many rows belong to the group that begins at `first`. */
size_t handins_group(const HandInList *list, size_t first);
/** Whether no later row of the group is about the same file. */
bool handins_is_newest(const HandIn *group, size_t count, size_t row);
/** The row that has the file's time: the earliest at which this file was there, since a second download may
 * give a later one. With `unbroken`, only while no other file came in between: somebody who hands in an old
 * file again has handed it in when it came back. */
const HandIn *handins_since(const HandIn *group, size_t row, bool unbroken);
