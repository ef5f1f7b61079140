/* replay.h - from a report (JSON) back to findings, so that the launcher can show them to people.
 *
 * The locked-down device cannot open source files; the launcher can, and reads what the device wrote.
 */
#pragma once

#include "check/check.h"

/** The text for people of a report; false without memory. */
bool replay_text(struct json_object *report, Text *out, bool colour, bool full);
