/* device.h - the device process, as others see it: it is made for one connection, serves the program at its
 * other end, and leaves a report.
 *
 * What it keeps meanwhile is in state/state.h.
 */
#pragma once

#include "device/options.h"

struct json_object;
typedef struct Device Device;

/** Serves until the other end goes away, then finishes: pending work, leaks, unchecked errors. */
void device_serve(Device *device);
/** NULL with errno set. Takes over the socket. */
Device *device_create(const DeviceOptions *options, int socket);
void device_destroy(Device *device);
/** The report; caller puts it. */
struct json_object *device_report(const Device *device);
