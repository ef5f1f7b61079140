/* objectives.h - which of the lesson's objectives a run has shown. */
#pragma once

#include "autograder/run/run.h"

/** Once the cases and the budget are decided: notes what the runs hold of each objective. Adds a note where
 * statuses of runtime calls are not looked at, and the lesson is about that. */
void objectives_gather(Check *check, const Schedule *schedules);
/** With all findings there: an objective counts as shown when what checks it passed, and the run did what it
 * is about. A file that does not pass has shown nothing. */
void objectives_conclude(Check *check);
