/* sarif.h - the findings as SARIF 2.1.0, which editors and code review pages show beside the source. */
#pragma once

#include "base/json.h"

/** From a report (warpgrind/report/v1); caller puts it. */
struct json_object *sarif_of_report(struct json_object *report);
