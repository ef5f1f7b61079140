/* sides.h - whether an address of a copy or memset is what its side should be, and reaches no further than it
 * may.
 */
#pragma once

#include "device/state/state.h"

/** Which of a copy's two addresses a finding is about. */
typedef enum Side { SIDE_TO, SIDE_FROM } Side;

/** Rows of memory that the host reads or writes; what is wrong with them is said. */
CudaCode sides_check_host(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                          Side side);
/** Rows of memory on the device; what is wrong with them is said. */
CudaCode sides_check_device(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                            Side side);
/** Memory that a kernel took from the device's heap: what is wrong with it is said. A memset of it goes
 * through all the same, as on a card. */
CudaCode sides_refuse_heap(Device *device, uint64_t address, Side side, bool set);
