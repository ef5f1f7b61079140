/* explore.h - one program under many schedules: what depends on the order of threads, blocks and streams.
 *
 * The report of schedule 0 takes in the findings of the others, and gets a list `explored`, one object for
 * each schedule: its seed, how many errors it found, and what came out otherwise than in schedule 0. Launches
 * and counters stay those of schedule 0.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** Takes one more schedule into the first one's report (for schedule 0 itself: `run` == `first`). `output` is
 * a hash of what the programs printed. The number of differences. */
unsigned explore_add(struct json_object *first, struct json_object *run, uint64_t first_output,
                     uint64_t output);
/** Takes over only its findings: of a run that was stopped. */
void explore_merge(struct json_object *first, struct json_object *run);
/** "the result copied at x.cu:25 differs between schedules 0 and 3", a line for each place. */
void explore_text(struct json_object *report, Text *out);
