/* verdict_parts.h - what the files of verdict share: a case in one schedule, and whether a right answer
 * counts.
 *
 * verdict.c decides the cases, verdict_place.c says where a wrong answer came from, verdict_made.c looks at
 * how right answers were made.
 */
#pragma once

#include "autograder/course/uses.h"
#include "autograder/verdict/verdict.h"

/** What a case looked like in one schedule. */
typedef struct Outcome {
    CaseVerdict verdict;
    const char *message; /**< with the cause, where one is known */
    JudgeDecision decision;
} Outcome;

/** The folder of a case's answers; -1: there is none. The caller closes it. */
int verdict_open_answers(const Schedule *schedule, unsigned index);

/* ---- verdict_place.c ---- */

/** Puts a wrong answer at a line, and says what is known of how the element got there. */
void verdict_place_answer(Check *check, const Schedule *schedule, unsigned index,
                          const JudgeDecision *decision, Finding *finding);

/* ---- verdict_made.c ---- */

/** Refuses a case whose answer was right without what the lesson asks for. */
void verdict_refuse_idle(Check *check, const Schedule *schedule, unsigned index, const Use *use);

/** Makes a right answer count only when kernels made it, and as the lesson asks; else the outcome changes,
 * and a finding says why. */
void verdict_check_device_was_used(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome);
/** Of a case that is right in both schedules: whether kernels made it so; else the case is refused. */
bool verdict_check_evidence(Check *check, const Schedule *schedules, unsigned index);
/** Where the lesson asks for clean cases: refuses a right answer that an error was found behind. Findings are
 * merged, so that each refuses the case that it was found in first. */
void verdict_check_clean(Check *check);
/** Refuses the second of two cases with different types that launch no instances of the same kernel
 * templates. */
void verdict_check_templates(Check *check, const Schedule *schedule);
