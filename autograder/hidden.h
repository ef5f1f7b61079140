/* hidden.h - the hidden cases of a lesson, and what may be told of them.
 *
 * A hidden case (judge.h, `concept`) is run by grading alone. Its student is told the concept, how the
 * program ended, and of findings the kind and the line: no size, index, input, expected or got value, and
 * nothing that the program printed. A submission can still say a little by how it fails (which line, which
 * ending): each grading lets out a few bits so, and no more.
 */
#ifndef AUTOGRADER_HIDDEN_H
#define AUTOGRADER_HIDDEN_H

#include "autograder/check.h"

/** Whether the judge's case of that number is hidden. */
bool hidden_case(const Check *check, unsigned index);
/** The last step of a check: takes out of the result's cases and findings what may not be told. A check that
 * is `revealed` keeps it. */
void hidden_redact(Check *check);

#endif
