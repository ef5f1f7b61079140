/* timing.h - the rule `card` of course.yaml: a share of a lesson's points goes by the time on a card.
 *
 *     rate = 1 while the time is at most `full_at` times the solution's, 0 from `none_at` times on,
 *            on a straight line between
 *     points = points after lateness x (100 % - percent x (1 - rate))
 *
 * The time is that of the case which costs the course's own solution most, which ran on the same card in the
 * same job. What the share costs is a remark on the grade, as points for an item of a rubric are: so
 * feedback, exports and the gradebook tell it as they tell those. A time that cannot be trusted costs
 * nothing.
 */
#pragma once

#include "grading/book/class.h"

/** Reads `card`, a mapping, into a Policy whose lessons are known; for the table of policy.c. */
void timing_read(FieldReader *reader, Policy *policy, const Course *course, const yaml_node_t *node);
/** Adds to each grade that the rule is about what its time costs, and why. After lateness, with the results
 * read. False without memory. */
bool timing_apply(Class *class, Arena *arena, const Policy *policy);
