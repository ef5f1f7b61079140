/* work.h - the learner's own files: work/NN-name.cu.
 *
 * A file is made from the starter and never overwritten; `work_reset` sets the old one aside under a name of
 * its own.
 */
#pragma once

#include "autograder/course/lessons.h"

/** ROOT/work/NAME.cu, made from the starter when it is not there; *made says so. NULL with a diagnostic. */
const char *work_file(const Course *course, const Lesson *lesson, bool *made, Diagnostics *diagnostics);
/** What the learner starts from. False with a diagnostic. */
bool work_read_starter(const Course *course, const Lesson *lesson, Text *text, Diagnostics *diagnostics);
/** Renames the file to NAME.cu.N (the first free N) and makes a fresh one; *kept is the old one's new name,
 * or NULL when there was none. */
bool work_reset(const Course *course, const Lesson *lesson, const char **kept, Diagnostics *diagnostics);
/** `path` as one would type it here: relative when it lies below the current folder. */
const char *work_shown_path(Arena *arena, const char *path);
