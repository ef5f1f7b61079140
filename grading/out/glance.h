/* glance.h - the class at a glance: the first part of the report (report.c), all lessons together. */
#pragma once

#include "grading/out/exports.h"

/** Points of each lesson as small bars, how long it took to pass, cases that nobody passes, kinds of findings
 * by count, and who has stopped. False without memory, or when the gradebook fails. */
bool glance_add(Text *out, const ExportJob *job);
