/* events.h - what a check tells while it goes on, one JSON object a line on its standard output, for programs
 * such as the course in a browser:
 *
 *     {"event":"phase","phase":"compile"}       then "run" and "judge"
 *     {"event":"case","index":0,"case":"one element"}   its runs are over; what they were worth is in the
 * result
 *
 * The command adds the last line, which has the result (check_command.c).
 */
#pragma once

#include "autograder/check/check.h"

/** Nothing where the check was not asked for events. */
void events_tell_phase(const Check *check, const char *phase);
/** The same; and nothing of a case that is hidden. */
void events_tell_case(const Check *check, unsigned index);
