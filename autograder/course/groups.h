/* groups.h - the ladder: lessons/groups.txt, which says in what groups the lessons stand.
 *
 * A line has a title, `|` and the numbers of its lessons. A course without the file, or a lesson that no line
 * names, is no error: what is in no group comes last, under a title of its own.
 */
#pragma once

#include "autograder/course/progress.h"

/** A heading of the list, with its lessons in the order of groups.txt. */
typedef struct Group {
    const char *title;
    const Lesson **lessons;
    size_t count;
} Group;

/** All headings; every lesson stands under one. */
typedef struct Groups {
    Group *items; /**< none is empty */
    size_t count;
} Groups;

/** Everything is in the arena. False without memory. */
bool groups_read(Groups *groups, Arena *arena, const Course *course);
/** How many lessons of the group are passed. */
size_t groups_count_passed(const Group *group, const Progress *progress, const Course *course);
