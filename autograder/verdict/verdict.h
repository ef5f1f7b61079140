/* verdict.h - from answers, endings and findings to points and a verdict. */
#pragma once

#include "autograder/run/run.h"

/** Harvests and decides every case in every schedule; fills the result's cases and adds what follows from
 * them: wrong answers, crashes, timeouts, answers that did not come from the device. */
void verdict_decide_cases(Check *check, const Schedule *schedules, unsigned count);
/** Orders the findings, adds up the points, and says pass or fail. */
void verdict_conclude(Check *check);

/** Whether the kind says something of the answer itself, and nothing of how it came to be. */
bool verdict_is_about_answer(FindingKind kind);
