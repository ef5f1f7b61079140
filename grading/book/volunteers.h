/* volunteers.h - who wants to stand in the leaderboard: `leaderboard: {ann: Quick Fox}` of course.yaml.
 * Nobody stands in it who did not ask to, and under no other name. */
#pragma once

#include "grading/book/class.h"

/** Reads `leaderboard` into a Policy; for the table of policy.c. */
void volunteers_read(FieldReader *reader, Policy *policy, const yaml_node_t *node);
/** The name under which the student wants to stand there; NULL: not at all. */
const char *volunteers_name(const Class *class, const ClassStudent *student);
/** Warns of those whom nobody knows. */
void volunteers_check(const Class *class, const char *path, Diagnostics *diagnostics);
