/* withheld.h - whether an answer needs what the lesson asks kernels to use (`must_use`).
 *
 * That a kernel used it does not show that the answer came from there: it may be for show. So the largest
 * case that students see is run once more for each thing that is asked for, with that withheld by the device
 * (uses.def). In answers that are right all the same, or one more than three quarters of whose words are as
 * before, it had no part.
 */
#pragma once

#include "autograder/course/uses.h"
#include "autograder/run/run.h"

enum { WITHHELD_MOST = 4 }; /**< things that one lesson asks for */

/** The runs of one check in which something was withheld. */
typedef struct Withheld {
    unsigned index, count; /**< the case, and how many runs there are */
    const Use *uses[WITHHELD_MOST];
    Schedule schedules[WITHHELD_MOST];
} Withheld;

/** Makes these runs, where the usual ones have ended well; false with a diagnostic when one could not be
 * made. */
bool withheld_run(Check *check, const Schedule *schedules, Withheld *withheld);
/** Refuses the case, if it counts so far, when its answer did without. Cases are decided before. */
void withheld_judge(Check *check, const Schedule *schedule, const Withheld *withheld);
void withheld_free(Withheld *withheld);
