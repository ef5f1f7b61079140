/* lesson_groups.h - lessons that count together: a weight for all of them, the lowest left out, one
 * assignment of another system for many lessons.
 *
 *     sum of a student = the lessons of no group, and for each group  points / maximum x weight
 *
 * over the lessons of the group that count, rounded once, to a thousandth; without a weight it is their sum.
 */
#pragma once

#include "grading/book/class.h"

/** Reads `groups`, a mapping, into a Policy; for the table of policy.c. */
void lesson_groups_read(FieldReader *reader, Policy *policy, const yaml_node_t *node);
/** `column`: a text for all systems, or a mapping from systems to texts; to a PolicyColumns. */
FieldRead lesson_groups_read_column;
/** The group that the policy's last lesson names; NULL: none, or a complaint at `node`. */
const PolicyGroup *lesson_groups_of_lesson(const FieldReader *reader, const Policy *policy,
                                           const yaml_node_t *node);
/** Whether every group has lessons that are left to count, and no two assignments have one name. False with
 * errors. */
bool lesson_groups_check(const Policy *policy, const char *path, Diagnostics *diagnostics);

/** Decides which grades are dropped: of those in a group that are known, the ones with the smallest share of
 * their points; of equals the one that is worth most, then the later one. One grade always stays. */
void lesson_groups_drop(Class *class);

/** Points, and how many there could have been. */
typedef struct GroupSum {
    double points, most;
} GroupSum;
/** What a student has in a group; NULL: in all of the class. Grades that are not known count nothing. */
GroupSum lesson_groups_sum(const Class *class, size_t student, const PolicyGroup *group);
/** What somebody has who has all points; NULL: in all of the class. */
double lesson_groups_most(const Class *class, const PolicyGroup *group);
