/* copies.h - the bytes of one copy, between the machine, the window and the program.
 */
#ifndef DEVICE_COPIES_H
#define DEVICE_COPIES_H

#include "device/objects.h"

/** A copy of rows whose sides have been checked. */
typedef struct DeviceCopy {
    uint64_t to, from, to_pitch, from_pitch, width, height;
    int direction;   /**< resolved: never COPY_DEFAULT */
    bool library;    /**< libcurand.so asked for it */
    uint8_t *staged; /**< host bytes taken at the call; NULL: taken when it runs. Freed with the operation */
} DeviceCopy;

/** Does a checked copy now; the client is asked for host bytes or given them. */
CudaCode copies_run(Device *device, const DeviceCopy *copy, uint64_t site);
/** Whether the host's memory holds, or is, something else than when the copy's bytes were staged (the first
 * row counts). Only known while the program waits for a reply. */
bool copies_source_changed(Device *device, const DeviceCopy *copy);
/** Looks at bytes of the program that must be mapped there; during a call that is answered. */
bool copies_peek(Device *device, uint64_t host, void *bytes, uint64_t count);
/** Takes the host bytes of a host-to-device copy into `staged`. */
bool copies_stage(Device *device, DeviceCopy *copy);

#endif
