/* anonymous.h - grading without names: students go by numbers until their grades are released.
 *
 * A number is drawn from the book's first secret seed and the student's id, so it stays the same from day to
 * day and tells nothing of the id; the class is sorted by it, since the order of ids would tell as much. What
 * the view takes from files (paths, notes, what the judge says of them) loses the names that are known.
 * LIMIT: a name that somebody writes into a program stands in the program.
 */
#pragma once

#include "grading/book/class.h"

/** Whether a lesson is not released. */
bool anonymous_is_open(const Class *class);
/** Whether somebody has handed in something for a lesson that is not released: there is a grade to be hidden.
 */
bool anonymous_has_held(const Class *class);
/** Puts numbers in the place of all that says who somebody is; ClassStudent.named keeps it. False without
 * memory. */
bool anonymous_apply(Class *class, Arena *arena);
/** The number by which somebody goes in an anonymous class, also one who is not in the book yet; NULL without
 * memory. */
const char *anonymous_number(const Class *class, Arena *arena, const char *key);
/** The text without what says who that is; NULL without memory. */
const char *anonymous_text(const Class *class, Arena *arena, const char *key, const char *text);
