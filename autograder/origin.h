/* origin.h - whether a right answer came from the GPU, and with what the lesson is about.
 *
 * The device reports what each copy from its memory brought, as a fingerprint, and which kernel had written
 * it. An answer whose words are found in such copies was made by kernels; one that is not was made elsewhere,
 * however many kernels ran beside it.
 */
#ifndef AUTOGRADER_ORIGIN_H
#define AUTOGRADER_ORIGIN_H

#include "autograder/report.h"

typedef struct Use {
    const char *name;
    const char *counters[2];
    const char *what, *explanation;
} Use;

/** The row of uses.def with this name; NULL. */
const Use *origin_find_use(const char *name);
/** Whether kernels made the right answer of this case. */
bool origin_is_device(const Check *check, const Schedule *schedule, unsigned case_index);
/** What of `must_use` no kernel of this case used; NULL when nothing is missing. */
const Use *origin_missing_use(const Check *check, const Schedule *schedule, unsigned case_index);

#endif
