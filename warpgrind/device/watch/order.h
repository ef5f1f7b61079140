/* order.h - which operations are ordered before which, and what unordered ones do to the same memory.
 *
 * Every operation carries a clock: for each stream, the last operation of it that is certain to be done
 * before. Streams, events, the legacy stream's rules and the host's waiting make the order; nothing else
 * does. When two operations of different streams that no clock orders touch the same bytes and one of them
 * writes (or frees), that is a missing synchronisation, whatever order they happened to run in. Watching
 * starts with the first stream a program creates: before that all is in order.
 */
#pragma once

#include "device/state/objects.h"

typedef struct Order Order;

/** NULL without memory. */
Order *order_create(void);
/** Starts watching what operations touch: with the first stream. Clocks are kept from the start. */
void order_watch(struct Device *device);
void order_destroy(Order *order);

/** The place in clocks for a new stream: one of its own, or that of a destroyed stream whose work the host
 * has waited for, since all that is asked for from now on comes after that anyway. ORDER_STREAMS: there is
 * none.
 */
unsigned order_give_slot(struct Device *device, const struct DeviceStream *stream);
/** The operation comes before what the clock is of. */
void order_clock_done(OrderClock *clock, const struct DeviceOperation *operation);
/** A new operation at the end of its stream: works out its clock. */
void order_submit(struct Device *device, struct DeviceOperation *operation);
/** The operation waits for the event too. */
void order_wait_event(struct DeviceOperation *operation, const struct DeviceEvent *event);
/** The operation waits for what the clock holds too. */
void order_wait_clock(struct DeviceOperation *operation, const OrderClock *clock);
/** The operation waits for that one too. */
void order_wait_operation(struct DeviceOperation *operation, const struct DeviceOperation *target);
/** The host has waited: what it asks for from now on comes later. */
void order_host_waited(struct Device *device, const OrderClock *clock);
void order_host_waited_stream(struct Device *device, const struct DeviceStream *stream);
/** By a call that is there for something else. */
void order_host_waited_all(struct Device *device);
/** The copy brings bytes to the host, which has them when it has waited. */
void order_brings(struct Device *device, const struct DeviceOperation *copy);
/** The call that is being served will wait for everything, which is not what it is for: counts the streams
 * with such copies for which the host has not waited, as long as it does not do so afterwards. */
void order_hold(struct Device *device, uint64_t *count);
/** What that thread of the host has waited for: `since` counts. */
const OrderClock *order_host_clock(const struct Device *device, unsigned thread);
/** Whether the host has waited for that operation of the stream in that slot. */
bool order_host_has_waited(const struct Device *device, unsigned slot, uint64_t sequence);

/** Memory was allocated in the stream's order (cudaMallocAsync): work that uses it comes after that. */
void order_allocated(struct Device *device, struct DeviceStream *stream, uint64_t address);
/** Whether neither of the two operations comes before the other. */
bool order_free_of_each_other(const struct DeviceOperation *a, const struct DeviceOperation *b);
/** The next allocation past the address that work touched which has been done, and which nothing orders with
 * the operation; false: there is none. */
bool order_next_unordered(const struct Device *device, const struct DeviceOperation *operation,
                          uint64_t *address);
/** The host function that runs touches a byte, in the line of that site. */
void order_host_touches(struct Device *device, uint64_t address, bool write, uint64_t site);

/** Round the execution of an operation: its accesses are gathered, then compared. */
void order_run_begin(struct Device *device, struct DeviceOperation *operation);
void order_run_end(struct Device *device, struct DeviceOperation *operation);
