/* queue.h - streams: work is queued, and done as late as the CUDA model allows, so that a missing
 * synchronisation shows.
 */
#pragma once

#include "device/state/operation.h"

/** A new operation at the end of the stream, filled in by the caller. NULL: no memory (or too many: then all
 * run first). */
DeviceOperation *queue_add(Device *device, DeviceOperationKind kind, DeviceStream *stream);
/** The record is the event's newest: from now on the event waits for it. */
void queue_recorded(DeviceOperation *operation);
/** The first copy that is pending and whose bytes, on either side, meet these of the host; NULL: none. */
const DeviceOperation *queue_copy_of(const Device *device, uint64_t host, uint64_t bytes);
/** Does the operation and everything it must come after. Returns the sticky error. */
CudaCode queue_run_to(Device *device, const DeviceOperation *operation);
/** Does the same, but the host has waited for what comes before it alone: a card may still be at it. */
CudaCode queue_run_staged(Device *device, const DeviceOperation *operation);
CudaCode queue_run_stream(Device *device, const DeviceStream *stream);
CudaCode queue_run_all(Device *device);
/** All streams of one device. */
CudaCode queue_run_device(Device *device, unsigned number);
bool queue_stream_idle(const Device *device, const DeviceStream *stream);
/** Does everything pending, as a device that is free would; the host has not waited for any of it. */
void queue_run_early(Device *device);
/** Does what is pending in the order of the calls, up to the first that needs the program's help: to be
 * called when the program is not waiting for a reply. */
void queue_run_unattended(Device *device);
/** Runs the first host function that is due, and what comes before it: whether another one is left. */
bool queue_attend(Device *device);
/** Forgets everything pending without doing it. */
void queue_drop_all(Device *device);
/** Does an operation that is part of one that runs. */
CudaCode queue_run_within(Device *device, const DeviceOperation *outer, const DeviceOperation *pattern);
