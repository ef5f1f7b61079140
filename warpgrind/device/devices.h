/* devices.h - several virtual devices: whose memory is whose, and which device may use another's. */
#ifndef DEVICE_DEVICES_H
#define DEVICE_DEVICES_H

#include "device/device.h"

unsigned devices_owner(const Device *device, const GpuAllocation *allocation);
/** Looks at every kernel's accesses, when there is more than one device. */
void devices_watch(Device *device);
/** Says that `what` ("the stream") is another device's. */
CudaCode devices_refuse(Device *device, const char *what, unsigned owner, unsigned wanted);

#endif
