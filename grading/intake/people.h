/* people.h - whose a submission is: the rows of the roster, and those whom only a folder tells of. */
#pragma once

#include "grading/intake/intake.h"
#include "grading/intake/roster.h"

/** Makes the people of a roster (path NULL: there is none) and of the submissions, sorted by id, and gives
 * each submission its person. What does not fit becomes warnings. False without memory, and with an error
 * when the roster matches hardly anybody, unless the options allow strangers. */
bool people_make(Intake *intake, Arena *arena, const Roster *roster, SubmissionList *submissions,
                 const IntakeOptions *options, Diagnostics *diagnostics);
