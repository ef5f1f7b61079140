/* table.h - the class, a lesson and a student as a terminal shows them.
 *
 * Names and messages are other people's, so each is made harmless on its way (text_add_visible), and a line
 * break or a tab in it becomes a blank. Times are UTC.
 */
#pragma once

#include "grading/book/class.h"

/** A row for each student with the points of each lesson and their sum, in as many tables as fit `width`
 * columns; then what the signs mean. */
void table_class(const Class *class, unsigned width, Text *out);
/** How the class did in a lesson, and a line for each student. */
void table_lesson(const Class *class, size_t lesson, Text *out);
/** Each lesson of a student, with why its points are what they are. */
void table_student(const Class *class, size_t student, Text *out);
/** Whether a person must look at the grade, or it has not come yet. */
bool table_is_open(const Grade *grade);

/** "mean 7.5, median 8 of 10 points", over the grades of the lesson that are decided; false, and no words,
 * when none is. */
bool table_averages(const Class *class, size_t lesson, Text *out);
/** "ann (Ann Lee)", or the id alone. */
void table_who(const ClassStudent *student, Text *out);
/** Points without zeros at the end: "7.5". */
void table_points(double points, Text *out);
/** "2026-11-20 22:59 UTC" */
void table_time(int64_t time, Text *out);
/** "8 days, 8:00 hours" */
void table_late(int64_t seconds, Text *out);
/** Somebody else's words, harmless and in one line. */
void table_words(const char *words, Text *out);
