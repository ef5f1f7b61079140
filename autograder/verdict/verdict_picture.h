/* verdict_picture.h - which run is pictured, and what the page is told besides the launch.
 *
 * Each run leaves a picture of its own in its report. Which of them the learner sees is known when the
 * findings stand in order: the one that shows what the screen says first.
 */
#pragma once

#include "autograder/run/run.h"

/** While the reports are there. Hidden cases are not pictured. */
void verdict_keep_pictures(Check *check, const Schedule *schedules);
/** After verdict_conclude: the result's picture, with the findings of the screen (`told`) and, of a wrong
 * answer of that case, what was expected beside what came (`answer`); docs/picture.md of warpgrind has both.
 */
void verdict_choose_picture(Check *check);
