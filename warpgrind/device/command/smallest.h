/* smallest.h - `warpgrind --smallest`: for each error the smallest run that still shows it.
 *
 * The program is run again, unseen, with less of one thing at a time: the seed that comes first, smaller
 * numbers in place of those among its arguments, then fewer blocks and threads of the launch in which the
 * error shows (reshape.h). A run counts when its report has the same finding, of one kind at the same lines;
 * so what is said of the last one that counted is what was seen in it.
 */
#pragma once

#include "base/json.h"
#include "device/options.h"

/** Runs the program once; its report, which the caller puts. NULL: there are to be no more runs. */
typedef struct json_object *SmallestRun(void *self, const DeviceOptions *device, char **argv);

/** Adds `smallest` to the report's errors: an object with the command, and what the run is like. It is empty
 * where the finding did not come again. */
void smallest_find(struct json_object *report, const LauncherOptions *options, char **argv, SmallestRun *run,
                   void *self);
