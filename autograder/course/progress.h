/* progress.h - work/.progress: which lessons are passed, how many hints were shown.
 *
 * A few lines of text, "passed LESSON", "hints LESSON N", "failed LESSON KIND" and "told LESSON"; replaced
 * atomically as a whole, so that a crash loses at most the last step. Lines of another kind are ignored: a
 * broken file costs nothing but its content. The front page of the built site shows what is passed.
 */
#pragma once

#include "autograder/course/lessons.h"

/** What is kept of a learner's way through one lesson. */
typedef struct ProgressEntry {
    bool passed;
    long hints; /**< shown so far */
    const char
        *failed; /**< the kind of finding that the last check began with; NULL: none that a hint is about */
    bool told;   /**< the hint about it was shown */
} ProgressEntry;

/** One entry per lesson of the course, in its order. */
typedef struct Progress {
    const char *path;
    ProgressEntry *entries;
} Progress;

/** Reads what is there; nothing there is no error. False without memory. */
bool progress_read(Progress *progress, Arena *arena, const Course *course);
/** False with a diagnostic. */
bool progress_write(const Progress *progress, const Course *course, Diagnostics *diagnostics);
/** What a check has shown: whether it passed, and the kind of finding that a hint would be about; NULL. */
void progress_note(const Progress *progress, const Course *course, const Lesson *lesson, bool passed,
                   const char *kind, Diagnostics *diagnostics);
/** The first core lesson not passed, or NULL. */
const Lesson *progress_next_core(const Progress *progress, const Course *course);
/** The same; when the core path is done, the first of the others whose needs are passed. NULL: all passed. */
const Lesson *progress_next(const Progress *progress, const Course *course);
ProgressEntry *progress_of(const Progress *progress, const Course *course, const Lesson *lesson);
