/* check_run.h - the steps of a check, from a file to its Result: copy, compile, run both schedules, harvest
 * and decide, merge findings, verdict.
 */
#pragma once

#include "autograder/check/check.h"

/** Fills check->result; arena, course, lesson, submission, seed, diagnostics are set. The process enters the
 * stage for good: call it in one that is made for this check (worker.h). */
void check_run(Check *check);
