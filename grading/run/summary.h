/* summary.h - what a grading says at its end about grades that are not decided. */
#pragma once

#include "grading/book/class.h"

/** One line for each grade that a person must look at, with the reason; nothing when there is none. */
void summary_faults(const Class *class, Text *out);
/** How many files were handed in under the name of no lesson and not replaced since. */
size_t summary_unplaced(const Class *class);
/** Whose they are: "ann, bob and 3 more". */
void summary_unplaced_students(const Class *class, Text *out);
