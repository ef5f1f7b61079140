/* lessons.h - the course on disk: where it is, and its lessons in order.
 *
 * A Course is found relative to the program file (build/bin/warpschool): the build folder is the program's
 * grandparent and the root, which holds lessons/, starter/ and work/, that folder's parent. Everything is in
 * the arena given.
 */
#pragma once

#include "autograder/course/manifest.h"

/** A lesson of the course, by its folder. */
typedef struct Lesson {
    const char *name;   /**< "07-block-sum-dynamic" */
    const char *folder; /**< ROOT/lessons/NAME */
    Manifest manifest;
} Lesson;

/** The course that this program belongs to, with all its lessons. */
typedef struct Course {
    const char *root;  /**< absolute */
    const char *build; /**< absolute: bin/, lib/ and lessons/ are below */
    Lesson *lessons;   /**< by name */
    size_t count;
} Course;

/** Finds root and build and reads every manifest; `root` NULL: from the program's own place. */
bool lessons_load(Course *course, Arena *arena, const char *root, Diagnostics *diagnostics);
/** The lesson that a person means by "7", "07", "07-block-sum-dynamic" or the beginning of a name; NULL and
 * an error with the nearest names when there is none or more than one. */
const Lesson *lessons_find(const Course *course, const char *query, Diagnostics *diagnostics);
/** A file that the build has made for the lesson, such as its driver.o; NULL without memory. */
const char *lessons_built(const Course *course, const Lesson *lesson, const char *file, Arena *arena);
/** The folder of the course's pages: where make notes builds them, or where a package has them; NULL when
 * there is none. */
const char *lessons_pages(const Course *course, Arena *arena);
