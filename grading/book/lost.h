/* lost.h - why a program has not all of its points: what each case and each line of the budget did not give.
 */
#pragma once

#include "base/diag.h"

#include <json-c/json.h>

/** A line for each, after the indent: "2 points: the budget's line "reads": ...". Nothing when all points
 * were given. A result from which hidden cases were taken out tells no more of them here. */
void lost_add(struct json_object *result, const char *indent, Text *out);
