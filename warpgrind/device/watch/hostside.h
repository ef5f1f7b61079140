/* hostside.h - what the host does to memory that both sides use (pinned, managed, registered): what it has
 * written there, and what it touches while a kernel may still be using it.
 *
 * No message tells of the host's own loads and stores. Fresh shared memory is filled with a pattern of its
 * own; a word that has lost it before a launch was written by the host. While work is pending, the client
 * protects the pages that the work was given, and tells of each touch (EARLY_TOUCH): it is kept here until
 * the pending launches have run, and is a mistake if one of them uses those very bytes too, and one of the
 * two writes.
 */
#pragma once

#include "device/state/objects.h"

/** Fills fresh shared memory and remembers that nobody has written it. False without memory. */
bool hostside_begin(Device *device, DeviceShared *shared);
/** The memory is no longer shared. */
void hostside_end(DeviceShared *shared);
/** What the host has written since the last time counts as written from now on. */
void hostside_take_writes(Device *device);
/** What has been written since is the device's own. */
void hostside_skip_writes(Device *device);

/** The host has touched a byte. True when it has touched that one so often that it must be waiting for a
 * kernel to change it. */
bool hostside_touch(Device *device, uint64_t address, bool write);
/** The client watches some memory no longer, since the host has touched it too often. */
void hostside_touched_too_often(Device *device, uint64_t site);
/** A host function in a stream has called that function of the runtime (WireFunction), and was refused. */
void hostside_called_within(Device *device, uint32_t function, uint64_t site);
/** Whether a kernel's access is one that the host may watch while the kernel runs. */
bool hostside_may_watch(const GpuAccess *access);
/** The call that is being served takes these bytes from kernels, which may still be using them. */
void hostside_give_back(Device *device, uint64_t address, uint64_t bytes);
/** A launch has run: touches that no pending one can meet are over. */
void hostside_forget_touches(Device *device);
