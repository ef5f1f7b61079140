/* hidden.h - the hidden cases of a lesson, and what may be told of them.
 *
 * A hidden case (judge.h, `concept`) is run by grading alone. Its student is told the concept, how the
 * program ended, and the kind of its first finding: no size, index, line, input, expected or got value,
 * nothing that the program printed, and not how long it took. What is told of the other cases comes from
 * those alone. A submission can still say a little by how it fails (which kind, which ending): each grading
 * lets out a few bits so, and no more.
 */
#pragma once

#include "autograder/check/check.h"

/** Whether the judge's case of that number is hidden; hidden ones stand last. */
bool hidden_case(const Check *check, unsigned index);
/** What students are told of a hidden case that ended with this verdict, a word of results ("crash"). */
const char *hidden_message(const char *verdict);
/** Whether a finding was made in a hidden case, before the result was redacted. */
bool hidden_finding(const Check *check, const Finding *finding);
/** The last step of a check: takes out of the result's cases and findings what may not be told. A check that
 * is `revealed` keeps it. */
void hidden_redact(Check *check);
