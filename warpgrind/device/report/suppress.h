/* suppress.h - findings that the user knows and does not want to see again.
 *
 * A file of rules, one a line: `KIND WHERE`, where KIND is a kind of finding or *, and WHERE is FILE:LINE
 * (the file by its name or the end of its path), the name of a kernel, or *. Lines that begin with # and
 * empty ones are skipped. In the source: `// warpgrind: ignore KIND` on the line of the finding or the line
 * above.
 */
#pragma once

#include "base/diag.h"
#include "base/json.h"

/** Takes the suppressed findings out of the report and counts them in its member `suppressed`. `path`: the
 * file of rules, or NULL for those in the source only. False with diagnostics when the file cannot be
 * understood; the report is as it was then. */
bool suppress_findings(struct json_object *report, const char *path, Diagnostics *diagnostics);
