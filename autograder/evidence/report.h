/* report.h - reading the devices' reports (warpgrind/report/v1): findings, launches, who wrote what.
 *
 * Findings are placed in the student's file: what the device saw elsewhere (in the lesson's driver, in a
 * header) is named at the launch that led to it, or left out when it only follows from something else.
 */
#pragma once

#include "autograder/run/run.h"

/** A place in the student's file. */
typedef struct Place {
    int line, column; /**< 0 unknown */
    const char *kernel;
    bool of_another; /**< of another element of the answer: nobody knows who wrote the one in question */
    bool by_library; /**< a kernel wrote it that stands in no line of the student's; the place is another's */
} Place;

/** The line of an entry of a report that has file, line and column, if it is the student's. */
Place report_place_of(const Check *check, struct json_object *entry);
/** Adds the findings of all reports to the result, identical ones once. False when a report is missing or of
 * another version: a fault of ours. */
bool report_merge(Check *check, const Schedule *schedules, unsigned count);
/** The copy to the host that ends before the element at `offset` of an answer of `bytes` bytes in this case,
 * and how many bytes it has: false when there is none, or more than one that may have brought the answer. */
bool report_find_short_copy(const Check *check, const Schedule *schedule, unsigned case_index, size_t bytes,
                            size_t offset, Place *place, long *copied);
/** Where the element at `offset` of an answer of `bytes` bytes in this case was last written; the launch when
 * nobody wrote it; the student's function when nothing was launched. */
Place report_find_writer(const Check *check, const Schedule *schedule, unsigned case_index, size_t bytes,
                         size_t offset);

/* ---- for origin.c ---- */

/** The last copy to the host in this case that is as large as the answer, or else the last one at all; NULL.
 */
struct json_object *report_copy_of_answer(struct json_object *report, unsigned case_index, size_t bytes);

/** The report of the pair that ran this case; NULL. */
struct json_object *report_of_case(const Schedule *schedule, unsigned case_index);
/** The case that a launch or copy belongs to, by its mark; -1 none. */
long report_case_of(struct json_object *entry);
/** Whether a launch or copy belongs to the case, by its mark. */
bool report_is_of_case(struct json_object *entry, unsigned case_index);
/** The same of one call of a case that is called twice. */
bool report_is_of_call(struct json_object *entry, CaseCall of);
/** The launch of this case that ran when the device was told to end; line 0: none did. */
Place report_find_stopped(const Check *check, const Schedule *schedule, unsigned case_index);
/** The line of a kernel in the student's file that was launched in this case, or of the function. */
Place report_find_launch(const Check *check, const Schedule *schedule, unsigned case_index);
