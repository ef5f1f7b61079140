/* gather.h - which files of a submission count: at its top or in work/, under a lesson's name, the newest of
 * each lesson. */
#pragma once

#include "grading/intake/intake.h"
#include "grading/intake/layout.h"

/** Fills intake->handed from the submissions, whose people are known. False without memory. */
bool gather_files(Intake *intake, Arena *arena, const Course *course, const SubmissionList *submissions,
                  const IntakeOptions *options);
