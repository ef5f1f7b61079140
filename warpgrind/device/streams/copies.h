/* copies.h - the bytes of one copy, between the machine, the window and the program.
 */
#pragma once

#include "device/state/operation.h"

/** Does a checked copy now; the client is asked for host bytes or given them. */
CudaCode copies_run(Device *device, const DeviceCopy *copy, uint64_t site);
/** Whether the host's memory holds, or is, something else than when the copy's bytes were staged (the first
 * row counts). Only known while the program waits for a reply. */
bool copies_source_changed(Device *device, const DeviceCopy *copy);
/** Looks at bytes of the program that must be mapped there; during a call that is answered. */
bool copies_peek(Device *device, uint64_t host, void *bytes, uint64_t count);
/** Takes the host bytes of a host-to-device copy into `staged`. */
bool copies_stage(Device *device, DeviceCopy *copy);
/** The site of the newest copy to that host address; 0: it is forgotten. */
uint64_t copies_landing_site(const Device *device, uint64_t address);
