/* coach.h - what is said beside a verdict: a hint that follows what went wrong, and what a pass has shown.
 *
 * The lesson has a hint of its own for the kinds of findings that its mistakes lead to (hints_about of the
 * manifest). For any other kind the lesson's objectives and the table of findings give one.
 */
#pragma once

#include "autograder/course/manifest.h"
#include "autograder/screen/show.h"

/** The kind of the first error of a result that a hint can be about; NULL: there is none. A wrong answer is
 * none: what it comes from is what the lesson's own hints are for. */
const char *coach_kind(struct json_object *result);
/** A hint about a finding of that kind, in the lesson's terms. */
void coach_hint(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out);
/** After a pass: what has been learnt, and what the largest case cost beside what it may cost. */
void coach_passed(const Manifest *manifest, struct json_object *result, const ShowStyle *style, Text *out);
