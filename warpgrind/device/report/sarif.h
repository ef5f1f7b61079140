/* sarif.h - the findings as SARIF 2.1.0, which editors and code review pages show beside the source. */
#ifndef DEVICE_REPORT_SARIF_H
#define DEVICE_REPORT_SARIF_H

#include "base/json.h"

/** From a report (warpgrind/report/v1); caller puts it. */
struct json_object *sarif_of_report(struct json_object *report);

#endif
