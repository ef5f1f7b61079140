/* launcher.h - `warpgrind PROGRAM ARGUMENTS...`: the program in one process, the device in another, and the
 * report at the end. */
#ifndef DEVICE_LAUNCHER_H
#define DEVICE_LAUNCHER_H

#include "device/device.h"

/** What warpgrind was asked for. */
typedef struct LauncherOptions {
    DeviceOptions device;
    const char *report; /**< file for the JSON, or NULL */
    const char *colour;
    const char *sarif;    /**< file for the findings as SARIF, or NULL */
    const char *suppress; /**< file of findings to leave out, or NULL */
    const char *picture;  /**< file for the picture of a launch, or NULL */
    const char *trace;    /**< file for the trace, or NULL */
    bool full;            /**< print every finding with all its lines, however many */
    bool annotate;        /**< print the sources with counts */
    unsigned explore;     /**< schedules to run the program under; 0: one, device.seed */
    bool quiet;
    bool require_kernel; /**< that no kernel ran is exit status 1 */
} LauncherOptions;

/** Runs argv[0] with its arguments; returns the exit status of `warpgrind`. Messages go to stderr. */
int launcher_run(const LauncherOptions *options, char **argv);
/** Is the device for the program at the other end of `socket`; writes the report to `report_file`. */
int launcher_serve(const DeviceOptions *options, int socket, int report_file);
/** Opens the file for a trace, for DeviceOptions.trace; -1 with errno set. */
int launcher_open_trace(const char *path);

#endif
