/* picture_streams.h - what a picture tells of the whole run: the work of all streams on the device's own
 * clock (timeline.h), the host's calls beside it, and the findings that are about the order of the two.
 */
#pragma once

#include "check/check.h"
#include "device/state/operation.h"

struct Device;
typedef struct PictureStreams PictureStreams;

/** NULL without memory. */
PictureStreams *picture_streams_create(void);
void picture_streams_destroy(PictureStreams *streams);

/** Round the handling of the request that is being served. `host`: what its thread has waited for by then. */
void picture_streams_call_begin(struct Device *device);
void picture_streams_call_end(struct Device *device, int error, const OrderClock *host);
/** A launch has ended; the next operation that is done is its. */
void picture_streams_launched(PictureStreams *streams, uint32_t launch);
/** The operation has been done; its number, for picture_streams_placed. */
unsigned picture_streams_done(struct Device *device, const DeviceOperation *operation);
/** The host's calls before that operation get their places. */
void picture_streams_reach(struct Device *device, uint64_t sequence);
/** When the work ran. */
void picture_streams_placed(struct Device *device, unsigned work, uint64_t from, uint64_t to);
/** As CheckFound. */
void picture_streams_found(struct Device *device, const CheckFinding *finding);

/** Adds a member of the picture's object (docs/picture.md): all that happened. */
void picture_streams_write(struct Device *device, Text *out);
