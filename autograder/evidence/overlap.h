/* overlap.h - why no kernel ran while another stream was copying, in a lesson that asks for it.
 */
#pragma once

#include "autograder/evidence/report.h"

/** What keeps copies and kernels apart. */
typedef struct OverlapCause {
    const char *name; /**< "in-default" */
    const char *why;  /**< in a learner's words; NULL: the run does not show it */
    int line;         /**< of the call that is to blame; 0: the launch's */
} OverlapCause;

OverlapCause overlap_find_cause(const Check *check, const Schedule *schedule, unsigned case_index);
