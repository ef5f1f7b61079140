/* assignments.h - a class as another system sees it: its assignments in the place of lessons.
 *
 * A lesson is an assignment, or all lessons of a group are one, whose points are the group's. What a student
 * has in a lesson that is dropped, and stands there by itself, is excused.
 */
#pragma once

#include "grading/out/exports.h"

/** The job with its class as the system has it, under the system's names; `view` is what `seen` borrows.
 * False without memory. */
bool assignments_seen(ExportJob *seen, Class *view, const ExportJob *job, ColumnSystem system);
/** What a lesson is worth: to any student whom nobody has excused. */
double assignments_most(const Class *class, size_t lesson);
