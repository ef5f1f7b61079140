/* revision.h - what a result depends on beside the submission and the seed: the lesson's own files, and the
 * versions of the tools. Where both are unchanged, so is the result.
 */
#pragma once

#include "autograder/course/lessons.h"

/** The hash of the lesson's manifest, driver, judge and hidden cases, and of what all lessons share, as 16
 * hexadecimal digits; the page and its figures judge nobody. NULL after adding an error. */
const char *revision_of_lesson(const Course *course, const Lesson *lesson, Arena *arena,
                               Diagnostics *diagnostics);
/** "warpschool 0.1 (3f09...), Debian clang version 14.0.6": the digits are of the judge's, the compiler's and
 * the software GPU's files. */
const char *revision_of_tools(const Course *course, Arena *arena, Diagnostics *diagnostics);
