/* summary.h - the last lines that warpgrind prints: how the program ended, and how much was found. */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** Findings of that severity in the report. */
unsigned summary_count(struct json_object *report, const char *severity);
bool summary_kernel_ran(struct json_object *report);
/** `trace`: the file for it, or NULL. */
void summary_text(struct json_object *report, const char *trace, Text *out);
