/* coach.h - what is said beside a verdict: a hint that follows what went wrong, and what a pass has shown.
 *
 * Both are made from what the lesson and the table of findings say already: the lesson's objectives name the
 * kind of finding that proves them, so a finding of that kind is answered in the lesson's own terms.
 */
#ifndef AUTOGRADER_COACH_H
#define AUTOGRADER_COACH_H

#include "autograder/manifest.h"
#include "autograder/show.h"

/** The kind of the first error of a result that a hint can be about; NULL: there is none. A wrong answer is
 * none: what it comes from is what the lesson's own hints are for. */
const char *coach_kind(struct json_object *result);
/** A hint about a finding of that kind, in the lesson's terms. */
void coach_hint(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out);
/** After a pass: what has been learnt, and what the largest case cost beside what it may cost. */
void coach_passed(const Manifest *manifest, struct json_object *result, const ShowStyle *style, Text *out);

#endif
