/* conclude.h - what comes after a run: the device's report is read, gets the program's ending, loses what the
 * user does not want to see, is written to the files that were asked for, and printed.
 */
#pragma once

#include "base/json.h"
#include "device/options.h"

/** Says what failed, by errno; EXIT_INTERNAL. */
int conclude_fail(const char *what);
/** What a file in memory holds; closes it. NULL when that is no JSON. Caller puts it. */
struct json_object *conclude_read(int file);
/** The same for a device's report; one that is missing is told. */
struct json_object *conclude_take_report(int file, int device_status);
/** `status`: of the program, as waitpid gives it; `stopped_by`: the signal that told us to stop, or 0. */
void conclude_add_ending(struct json_object *report, int status, int stopped_by);
/** The words of the command that repeats a run, with the options that decide its order and what it runs on;
 * `steps`: in the debugger. `argv`: of the program. */
struct json_object *conclude_command(const DeviceOptions *device, char *const *argv, bool steps);
/** Adds the command by which a debugger goes through the run again, where an error was found in a kernel.
 * `argv`: of the program. */
void conclude_add_replay(struct json_object *report, const LauncherOptions *options, char *const *argv);
/** The exit status that they make by themselves. */
int conclude_status(int status, int stopped_by);
/** Writes and prints the report; the exit status, for which `status` is that of the program. `differences`:
 * what depends on the schedule. */
int conclude_report(const LauncherOptions *options, struct json_object *json, int status,
                    unsigned differences);
