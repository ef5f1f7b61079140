/* annotate.h - the source with counts in the margin, line by line: what `warpgrind --annotate` prints. */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** Appends every source file that the report has counts for (its member `lines`) and that can be read. */
void annotate_sources(struct json_object *report, Text *out);
