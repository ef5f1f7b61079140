/* trace.h - `--trace FILE`: what happened when, for a viewer of Chrome's trace events (docs/trace.md).
 *
 * The host's calls, the streams' work and the findings come from hooks in serve.c, queue.c and the Check
 * (trace.c); blocks and warps from an observer of the machine (trace_blocks.c); the words of a call's
 * arguments are in trace_words.c. The clock is the model's: a warp instruction is one step, so the same seed
 * makes the same file. A device without a trace has NULL here and pays one comparison a call.
 */
#pragma once

#include "check/check.h"
#include "device/state/operation.h"

typedef struct Trace Trace;

enum { TRACE_USUAL_BLOCKS = 4, TRACE_MOST_BLOCKS = 64 };

/** Writes to the open file; shows `blocks` blocks of each launch, at most TRACE_MOST_BLOCKS. NULL without
 * memory. Attaches to the device's machine. */
Trace *trace_create(struct Device *device, int file, unsigned blocks);
void trace_destroy(Trace *trace);
/** All that was going on has ended; the file is whole from here on. */
void trace_finish(struct Device *device);
/** For the report; the caller puts it. */
struct json_object *trace_summary(const Trace *trace);

/** Round the handling of the request that device->request is. */
void trace_call_begin(struct Device *device);
void trace_call_end(struct Device *device, int error);
TraceAsked trace_asked(const struct Device *device);
/** Round the doing of queued work. */
void trace_work_begin(struct Device *device, const struct DeviceOperation *operation);
void trace_work_end(struct Device *device, const struct DeviceOperation *operation, int error);
/** As CheckFound. */
void trace_found(void *device, const CheckFinding *finding);
