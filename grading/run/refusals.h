/* refusals.h - what was handed in and cannot be graded: the lines below the table of a grading.
 *
 * What is wrong with many files in the same way is said once, with the first of them. While grading is
 * anonymous a file goes by its student's number, as it stands in the table.
 */
#pragma once

#include "grading/book/class.h"
#include "grading/intake/intake.h"

/** A file that cannot be graded. */
typedef struct Refusal {
    const char *student, *path, *reason;
    const char *remedy; /**< NULL: the reason says it */
    bool told;          /**< on the way to the lines */
} Refusal;

/** All of a grading, in the order of the students. */
typedef struct Refusals {
    Refusal *items;
    size_t count;
    size_t programs, unnamed; /**< that were read; and those named as no lesson */
} Refusals;

/** Takes what is refused out of what was read; the texts are the arena's. False without memory. */
bool refusals_read(Refusals *refusals, const Intake *intake, Arena *arena);
/** The lines, after an empty one; nothing where nothing was refused. */
void refusals_add(const Refusals *refusals, const Class *class, Arena *arena, Text *out);
