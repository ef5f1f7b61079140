/* settings.h - what a manifest says of how a case is run, as expressions of the case's own parameters: n,
 * threads, and every whole number among its inputs.
 */
#pragma once

#include "autograder/check/check.h"

/** Works out an expression of lesson.yaml for a case whose inputs are made. False, with a diagnostic that has
 * its line and column, when it cannot be; `what` names it there: "the budget". */
bool settings_work_out(const Check *check, const Expression *expression, unsigned case_index,
                       const char *what, int64_t *value);
/** Fills check->settings; false with a diagnostic when a number is out of its range. */
bool settings_read(Check *check);
/** Whether one program can run both cases, one after the other. */
bool settings_agree(const Check *check, unsigned case_index, unsigned other_index);
