/* sent.h - keeps what the program sends the device (base/sent.h), when somebody asks for it.
 *
 * Whatever can change what a kernel computes passes here once, where it takes effect: copies, memsets,
 * launches with their parameters, memory that both sides use, allocations (their addresses), device code.
 * Device addresses are kept as allocation and offset. Without --sent, `device->sent` is NULL and every
 * function returns at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Device;
struct DeviceOperation;
typedef struct Sent Sent;

/** NULL without memory. */
Sent *sent_create(void);
void sent_destroy(Sent *sent);
/** Writes the records, in the order of the calls. */
bool sent_write(Sent *sent, int file);

/* ---- work in streams, where it runs ---- */

/** A copy is about to run; its contents follow. */
void sent_begin_copy(struct Device *device, const struct DeviceOperation *operation);
/** Bytes of the running copy that come from the host or go there. */
void sent_contents(struct Device *device, const void *bytes, uint64_t count);
void sent_end_copy(struct Device *device, const struct DeviceOperation *operation);
void sent_set(struct Device *device, const struct DeviceOperation *operation);
/** cudaFreeAsync: from then on the stream's next allocation can have the memory. */
void sent_free_in_stream(struct Device *device, const struct DeviceOperation *operation);
void sent_launch(struct Device *device, const struct DeviceOperation *operation);

/* ---- memory that both sides use ---- */

/** Before a launch: what the host has written since the device was last at work. */
void sent_look_at_shared(struct Device *device);
/** After a launch: keeps it where the kernel has read there, and learns the memory as the device leaves it.
 */
void sent_keep_shared(struct Device *device);

/* ---- at the call ---- */

void sent_allocate(struct Device *device, uint64_t address, uint64_t bytes);
void sent_free(struct Device *device, uint64_t address);
void sent_module(struct Device *device, const void *image, uint64_t bytes);
/** The module's variables have got their addresses there. */
void sent_module_on_device(struct Device *device, unsigned number);
/** Of cudaDeviceSetLimit: kernels can notice how much stack, heap or room to print they have. */
void sent_setting(struct Device *device, uint64_t which, uint64_t value);
void sent_object(struct Device *device, const void *description, uint64_t bytes);
