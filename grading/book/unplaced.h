/* unplaced.h - files that were refused and belong to no lesson: `solution.cu`, an archive that cannot be
 * unpacked. No grade is theirs, so the student has them (ClassStudent.unplaced), and every lesson in which
 * the student handed in nothing points to them: its file may be one of these. */
#pragma once

#include "grading/book/class.h"

/** Fills in the students' and the grades' lists. Those of the last grading that had any count, until a later
 * one finds a file that is new: the student has handed in again. `last_grading` 0: all gradings. */
bool unplaced_read(Class *class, Arena *arena, Gradebook *book, int64_t last_grading,
                   Diagnostics *diagnostics);
