/* launcher.h - `warpgrind PROGRAM ARGUMENTS...`: the program in one process, the device in another, and the
 * report at the end. */
#pragma once

#include "device/options.h"

/** Runs argv[0] with its arguments; returns the exit status of `warpgrind`. Messages go to stderr. */
int launcher_run(const LauncherOptions *options, char **argv);
/** Is the device for the program at the other end of `socket`; writes the report to `report_file`. */
int launcher_serve(const DeviceOptions *options, int socket, int report_file);
/** Where execvp would find the program; the caller frees it. NULL with errno set. */
char *launcher_find(const char *name);
/** In the child that becomes the program: it will find the device at the socket, and our libraries. */
bool launcher_connect(int socket);
/** Opens the file for a trace, for DeviceOptions.trace; -1 with errno set. */
int launcher_open_trace(const char *path);
