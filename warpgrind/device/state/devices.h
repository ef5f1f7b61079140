/* devices.h - several virtual devices: whose memory is whose, and which device may use another's. */
#pragma once

#include "device/state/objects.h"

/** Who may use whose memory, and which device a host thread has chosen. */
typedef struct DevicePeers {
    unsigned current[DEVICE_MAX_THREADS];                 /**< by host thread */
    bool enabled[DEVICE_MAX_DEVICES][DEVICE_MAX_DEVICES]; /**< [user][owner]: access was enabled */
    bool pools[DEVICE_MAX_DEVICES][DEVICE_MAX_DEVICES];   /**< the same, by cudaMemPoolSetAccess */
    bool fault;       /**< the running kernel used memory that it may not */
    uint32_t reached; /**< by the running kernel: the devices whose memory it has used, as bits */
} DevicePeers;

unsigned devices_count(const Device *device);
/** The calling host thread's current device. */
unsigned devices_current(const Device *device);

/** What --devices must be given for a device of that number; 0: no number is enough, or nobody may choose. */
unsigned devices_enough(const Device *device, int64_t number);

unsigned devices_owner(const Device *device, const GpuAllocation *allocation);
/** Looks at every kernel's accesses, when there is more than one device. */
void devices_watch(Device *device);
/** Refuses a stream, or an event, that belongs to the device `owner` and is used with `wanted`. */
CudaCode devices_refuse(Device *device, bool event, unsigned owner, unsigned wanted);
