/* merge.h - the reports of several processes, such as the ranks of an MPI program, become one.
 *
 * The merged report has a list `processes`, one object for each: its rank, program, ending and totals.
 * Launches, copies, calls and times say which of them they are of (`process`, counted from 0), a finding says
 * all that had it (`processes`); totals are sums. Findings of one kind at one place are one.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** From a list of reports, ordered by rank; each may have a `rank`. One alone stays as it is. Caller puts it.
 */
struct json_object *merge_reports(struct json_object *list);
/** Whether the program called the runtime at all. */
bool merge_was_used(struct json_object *report);
/** Whether the two are one mistake: of one kind, at one place, with one other place. */
bool merge_same_finding(struct json_object *a, struct json_object *b);
/** "on rank 2", "on ranks 0 and 2", "on all 4 ranks", "in process 1"; nothing where there is one process. */
void merge_who(struct json_object *report, struct json_object *finding, Text *out);
/** "rank 2", "ranks 0 and 2", "all 4 ranks": the same without the first word. */
void merge_names(struct json_object *report, struct json_object *finding, Text *out);
/** "ranks" where all processes have one, otherwise "processes". */
const char *merge_noun(struct json_object *report);
