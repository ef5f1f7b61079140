/* debug.h - a debugger's end in the device process: it counts steps, knows where to stop, and answers
 * questions while the program waits.
 *
 * Time is a number: how many instructions warps have begun. The order of a run is the seed's alone, so the
 * same number is the same moment in each run, and going back is running again. The questions come as lines of
 * JSON (docs/debug-protocol.md, commands.def) over a socket that the launcher has made; no option of the
 * command line opens one. A device without a debugger has NULL here.
 */
#pragma once

#include "check/check.h"

struct Device;
typedef struct Debug Debug;

/** Attaches to the device's machine. NULL without memory. */
Debug *debug_create(struct Device *device, int socket);
void debug_destroy(Debug *debug);
/** Before the program's first word: answers until it is told to go. */
void debug_begin(Debug *debug);
/** As CheckFound, with the Debug as `self`. */
void debug_found(void *self, const CheckFinding *finding);
/** A call of the program has failed. */
void debug_failed(Debug *debug, const char *function, const char *error);
/** The program has ended: the last stop. */
void debug_ended(Debug *debug);
