/* extensions.h - exceptions to a course's dates: another date for a student, a section or everybody, and late
 * days that each student may spend.
 *
 * They stand in course.yaml, each with its reason. Of those that fit a student the one that is most his own
 * counts: his before his section's, that before everybody's. Two that are equally his are an error.
 */
#pragma once

#include "grading/book/class.h"

/** Reads `extensions`, a list, into a Policy; for the table of policy.c. `reading` is what it is reading. */
void extensions_read(FieldReader *reader, Policy *policy, const Course *course, const yaml_node_t *node);
/** Whether each is later than its lesson's own date, and none stands there twice. False with errors. */
bool extensions_check(const Policy *policy, const char *path, Diagnostics *diagnostics);

/** Writes into every grade of the class when it is due, and why. False with an error when two extensions of
 * one student are equally near, or when one is for somebody who is not in the book; a warning while no roster
 * has told who is in the class. */
bool extensions_apply(Class *class, const Policy *policy, Gradebook *book, Diagnostics *diagnostics);
/** Spends late days, in the order in which lessons are due, where they save points. After what is excused or
 * overridden is known: such a grade needs none. False without memory. */
bool extensions_spend(Class *class, Arena *arena, const Policy *policy);
/** The extension of a lesson that is nearest to a student, NULL when there is none; false with an error when
 * two are equally near. */
bool extensions_find(const Policy *policy, const ClassStudent *student, const char *lesson,
                     const PolicyExtension **found, Diagnostics *diagnostics);
/** What lateness leaves of a decided grade's points. */
void extensions_price(Grade *grade, const Policy *policy, const PolicyLesson *lesson);
