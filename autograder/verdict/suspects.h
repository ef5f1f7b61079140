/* suspects.h - the one cause that explains all wrong answers of a program.
 *
 * A judge may give several causes for a wrong answer, each of which would have given just this one: a sum of
 * two numbers that lacks the last one is also the first number alone. One case cannot tell which it was, and
 * a number may be met by chance. So a cause is told when it is among those of every wrong answer, in both
 * runs.
 *
 * A judge may also be sure of a cause by itself. Where it is sure because of a single element, that may be by
 * chance as well, and a larger case of the same program, wrong too and not for this cause, refutes it.
 */
#pragma once

#include "autograder/check/check.h"

/** What is left of the first wrong answer's suspects. */
typedef struct Suspects {
    const JudgeCause *left; /**< the first wrong answer's; NULL before it */
    uint64_t out;           /**< which of them other answers have ruled out, a bit each */
} Suspects;

/** A wrong answer of a program, in a list of all: the size of its case, and the cause that the judge is sure
 * of.
 */
typedef struct WrongAnswer {
    struct WrongAnswer *next;
    const char *answer, *cause; /**< no cause: NULL */
    long size;
} WrongAnswer;

/** Takes up one more decision: a wrong one rules out what would not explain it. */
void suspects_add(Suspects *suspects, const JudgeDecision *decision);
/** The name of the first that is left; NULL when none is. */
const char *suspects_left(const Suspects *suspects);
/** Adds the agreed cause to what the decision tells, where it explains this answer. */
void suspects_tell(const Check *check, JudgeDecision *decision);
/** Puts a wrong answer in front of the list; without memory it is left out. */
void suspects_note(Arena *arena, WrongAnswer **list, const JudgeDecision *decision, long size);
/** Takes back what a larger wrong answer refutes. */
void suspects_doubt(const WrongAnswer *list, long size, JudgeDecision *decision);
