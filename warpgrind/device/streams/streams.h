/* streams.h - making streams: the program's, those that each device has, and hidden ones. */
#pragma once

#include "device/state/objects.h"

/** A new stream of the current device; NULL without memory. */
DeviceStream *streams_add(Device *device, uint64_t handle, bool blocking);
/** A new stream that the program does not see; NULL without memory. */
DeviceStream *streams_add_hidden(Device *device);
/** At the start: the streams that are always there. */
void streams_create(Device *device);
