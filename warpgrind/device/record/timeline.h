/* timeline.h - the device's own clock: when the work of streams would run on a card that never idles.
 *
 * The software GPU does one thing after the other; a card copies in both directions and runs kernels, all at
 * the same time. Here each piece of work gets a duration in steps and one of three engines (copies to the
 * device, copies to the host, kernels), and begins as soon as what it is ordered after has ended (order.h)
 * and its engine is free. So the steps from a mark's first work to its last say whether a program lets its
 * copies and kernels overlap, whatever the machine and the order in which the model happened to work.
 *
 * Durations: a copy or memset has one step and one more for each 128 bytes, as in a trace; a kernel the warp
 * instructions that each multiprocessor of the card executes, and at least those of its longest warp. The
 * host takes no time, but it waits: for copies of ordinary host memory, and wherever the program asks it to.
 * Each of its threads waits for itself. LIMIT: that one host thread waits for another (by joining it, say) is
 * not seen; each counts as having started at once.
 */
#pragma once

#include <stdint.h>

struct Device;
struct DeviceOperation;
struct json_object;
typedef struct Timeline Timeline;

/** Watches the launches of the device's Gpu. NULL without memory. */
Timeline *timeline_create(struct Device *device);
void timeline_destroy(Timeline *timeline);
/** The operation has been done, in whatever order the queue does them. */
void timeline_done(struct Device *device, const struct DeviceOperation *operation);
/** Nothing is pending: everything that was done until now can be placed, in the order of the calls. */
void timeline_settle(struct Device *device);
/** Where that thread of the host is which has waited for so much of each stream (OrderClock.since). */
uint64_t timeline_host_time(Timeline *timeline, unsigned thread, const uint64_t *since);
/** One entry for each mark; caller puts it. */
struct json_object *timeline_json(const Timeline *timeline);
