/* budget.h - what the largest case of a lesson may cost, and what it did cost.
 *
 * A line of a manifest's `budget` names a row of budget.def (budget_kinds.h) and says how much the case may
 * have of it, as an expression of the case's parameters: n, threads, and every whole number among its inputs.
 * A line that is kept earns its points; one that is not is the note `over-budget`, or an error where the
 * manifest says `required`.
 */
#pragma once

#include "autograder/run/run.h"

/** Measures every line of the manifest's budget on the largest case, when that case is right; fills
 * result->budget and adds what is over. A line that cannot be worked out is a fault of the lesson, with file
 * and line. */
void budget_judge(Check *check, const Schedule *schedules, unsigned count);
