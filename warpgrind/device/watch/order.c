/* order.c - see order.h. Accesses are kept as one bit per 4-byte word and operation, until the host has
 * waited for it. */
#include "device/watch/order_parts.h"
#include "base/minmax.h"
#include "device/watch/hostside.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FOOTPRINTS = 4096 };
#define MAX_BITMAP_BYTES (UINT64_C(128) << 20) /* of all footprints; past it new ones are not kept */

/* ---- clocks ---- */

static void merge_since(OrderClock *into, const OrderClock *from) {
    for (unsigned i = 0; i < ORDER_STREAMS; i++)
        if (from->since[i] > into->since[i]) into->since[i] = from->since[i];
}

static void merge_seen(OrderClock *into, const OrderClock *from) {
    for (unsigned i = 0; i < ORDER_STREAMS; i++)
        if (from->seen[i] > into->seen[i]) into->seen[i] = from->seen[i];
}

static void merge(OrderClock *into, const OrderClock *from) {
    merge_seen(into, from);
    merge_since(into, from);
}

static bool is_legacy(const DeviceStream *stream) {
    return stream->handle == STREAM_LEGACY;
}

void order_clock_done(OrderClock *clock, const DeviceOperation *operation) {
    const unsigned slot = operation->stream->slot;
    if (slot < ORDER_STREAMS) clock->seen[slot] = clock->since[slot] = operation->sequence;
}

/** An operation comes after all that its stream, the host thread that asks for it and, for the legacy default
 * stream and those that block on it, the other streams have done. */
void order_submit(Device *device, DeviceOperation *operation) {
    DeviceStream *stream = operation->stream;
    operation->clock = stream->clock;
    merge_seen(&operation->clock, &device->order->host);
    merge_since(&operation->clock, &device->order->threads[operation->thread]);
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        if (any->device == stream->device &&
            ((is_legacy(stream) && any->blocking) || (stream->blocking && is_legacy(any))))
            merge(&operation->clock, &any->clock);
    stream->clock = operation->clock;
    order_clock_done(&stream->clock, operation);
}

void order_wait_clock(DeviceOperation *operation, const OrderClock *clock) {
    merge(&operation->clock, clock);
    merge(&operation->stream->clock, clock);
}

void order_wait_event(DeviceOperation *operation, const DeviceEvent *event) {
    order_wait_clock(operation, &event->clock);
}

void order_wait_operation(DeviceOperation *operation, const DeviceOperation *target) {
    OrderClock done = target->clock;
    order_clock_done(&done, target);
    order_wait_clock(operation, &done);
}

/* ---- footprints ---- */

static void forget(Order *order, Footprint **link) {
    Footprint *gone = *link;
    *link = gone->next;
    order->bitmap_bytes -= (gone->bytes / ORDER_WORD + 64) / 8;
    order->count--;
    free(gone->bits);
    free(gone);
}

/** What the host has waited for cannot be unordered with anything to come, but perhaps with what was asked
 * for before and has not run yet. */
static void forget_ordered(Device *device) {
    Order *order = device->order;
    Footprint **link = &order->footprints;
    if (device->queue.first != NULL) return;
    while (*link != NULL) {
        const Footprint *any = *link;
        if (any->sequence <= order->host.seen[any->stream])
            forget(order, link);
        else
            link = &(*link)->next;
    }
}

/** Where the host waits for a copy on purpose, no other call needs to have held it back. */
static void release_held(Device *device, const OrderClock *clock) {
    for (unsigned slot = 0; slot < ORDER_STREAMS; slot++) {
        HeldCopy *held = &device->order->held[slot];
        if (held->sequence == 0 || clock->seen[slot] < held->sequence) continue;
        (*held->count)--;
        held->sequence = 0;
    }
}

const OrderClock *order_host_clock(const Device *device, unsigned thread) {
    return &device->order->threads[thread % DEVICE_MAX_THREADS];
}

static void note_waited(Device *device, const OrderClock *clock) {
    merge_seen(&device->order->host, clock);
    merge_since(&device->order->threads[device->serving.request->thread % DEVICE_MAX_THREADS], clock);
}

void order_host_waited(Device *device, const OrderClock *clock) {
    release_held(device, clock);
    note_waited(device, clock);
    forget_ordered(device);
}

void order_host_waited_stream(Device *device, const DeviceStream *stream) {
    order_host_waited(device, &stream->clock);
}

bool order_host_has_waited(const Device *device, unsigned slot, uint64_t sequence) {
    return device->order->host.seen[slot] >= sequence;
}

void order_brings(Device *device, const DeviceOperation *copy) {
    if (copy->stream->slot < ORDER_STREAMS) device->order->brought[copy->stream->slot] = copy->sequence;
}

void order_hold(Device *device, uint64_t *count) {
    Order *order = device->order;
    for (unsigned slot = 0; slot < ORDER_STREAMS; slot++) {
        if (order_host_has_waited(device, slot, order->brought[slot])) continue;
        order->held[slot] = (HeldCopy){order->brought[slot], count};
        (*count)++;
    }
}

/* ---- slots ---- */

static bool is_over(const Device *device, const DeviceStream *stream) {
    return stream->handle == UINT64_MAX &&
           order_host_has_waited(device, stream->slot, stream->clock.seen[stream->slot]);
}

unsigned order_give_slot(Device *device, const DeviceStream *stream) {
    const DeviceStream **owners = device->order->owners;
    unsigned slot = 0;
    while (slot < ORDER_STREAMS && owners[slot] != NULL && !is_over(device, owners[slot]))
        slot++;
    if (slot < ORDER_STREAMS) owners[slot] = stream;
    return slot;
}

void order_host_waited_all(Device *device) {
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        note_waited(device, &any->clock);
    forget_ordered(device);
}

static bool returns_early(const DeviceOperation *operation, int direction) {
    return operation->kind == OPERATION_COPY && operation->copy.returns_early &&
           operation->copy.direction == direction;
}

static Footprint *new_footprint(Order *order, const GpuAllocation *allocation, bool write, bool for_host) {
    const DeviceOperation *operation = order->running;
    uint64_t bitmap = (allocation->bytes / ORDER_WORD + 64) / 8;
    if (order->count >= MAX_FOOTPRINTS || bitmap > MAX_BITMAP_BYTES - order->bitmap_bytes) return NULL;
    Footprint *made = calloc(1, sizeof *made);
    if (made != NULL) made->bits = calloc((size_t)(bitmap / 8 + 1), 8);
    if (made == NULL || made->bits == NULL) {
        free(made);
        return NULL;
    }
    made->allocation = allocation->id;
    made->write = write;
    made->for_host = for_host;
    made->atomic = true; /* until an access is none */
    made->base = allocation->address;
    made->bytes = allocation->bytes;
    made->site = operation->site;
    made->launch = order->launch;
    made->kind = operation->kind;
    made->stream = operation->stream->slot;
    made->sequence = operation->sequence;
    made->graph = operation->graph;
    made->staged = returns_early(operation, COPY_HOST_TO_DEVICE);
    made->within = returns_early(operation, COPY_DEVICE_TO_DEVICE);
    made->next = order->footprints;
    order->footprints = made;
    order->bitmap_bytes += bitmap;
    order->count++;
    return made;
}

static Footprint *footprint(Order *order, const GpuAllocation *allocation, bool write, bool for_host) {
    Footprint **last = &order->last[write][for_host];
    if (*last != NULL && (*last)->allocation == allocation->id) return *last;
    for (Footprint *any = order->footprints; any != NULL && any->sequence == order->running->sequence;
         any = any->next)
        if (any->allocation == allocation->id && any->write == write && any->for_host == for_host &&
            any->site == order->running->site)
            return *last = any;
    return *last = new_footprint(order, allocation, write, for_host);
}

static void set_bits(Footprint *footprint, uint64_t address, uint64_t bytes) {
    if (address < footprint->base || address - footprint->base >= footprint->bytes || bytes == 0) return;
    uint64_t offset = address - footprint->base;
    uint64_t end = offset + MIN(bytes, footprint->bytes - offset);
    uint64_t first = offset / ORDER_WORD, last = (end - 1) / ORDER_WORD;
    uint64_t from_first = ~UINT64_C(0) << (first % 64), to_last = ~UINT64_C(0) >> (63 - last % 64);
    if (first / 64 == last / 64) {
        footprint->bits[first / 64] |= from_first & to_last;
        return;
    }
    footprint->bits[first / 64] |= from_first;
    for (uint64_t i = first / 64 + 1; i < last / 64; i++)
        footprint->bits[i] = ~UINT64_C(0);
    footprint->bits[last / 64] |= to_last;
}

/* ---- what a kernel touches ---- */

/** Adds the words that a kernel touches to the footprint of its operation. Lanes next to each other are one
 * piece; atomic operations stay marked as such while nothing else touches the footprint, since atomics of two
 * streams do not race. */
static void note_access(Order *order, const GpuAccess *access, const GpuAllocation *allocation, bool write) {
    Footprint *into = footprint(order, allocation, write, hostside_may_watch(access));
    if (into == NULL) return;
    if (into->pc == 0) {
        into->pc = access->pc;
        into->kernel = gpu_kernel_function(order->running->launch.spec.kernel)->plain_name;
    }
    if (access->kind != GPU_ATOMIC) into->atomic = false;
    uint32_t first = (uint32_t)__builtin_ctz(access->lanes);
    if (access->contiguous && access->wanted == access->lanes) {
        set_bits(into, access->address[first],
                 (uint64_t)access->bytes * (uint32_t)__builtin_popcount(access->lanes));
        return;
    }
    for (uint32_t lanes = access->wanted; lanes != 0; lanes &= lanes - 1)
        set_bits(into, access->address[__builtin_ctz(lanes)], access->bytes);
}

static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    Order *order = device->order;
    bool watched = access->space == PTX_SPACE_GLOBAL || access->space == PTX_SPACE_CONST;
    if (order->running == NULL || !watched || access->wanted == 0) return;
    const GpuAllocation *allocation = access->allocation;
    if (allocation == NULL)
        allocation = gpu_memory_find(device->gpu, access->address[__builtin_ctz(access->lanes)]);
    if (allocation != NULL) note_access(order, access, allocation, access->kind != GPU_READ);
}

/* ---- launches that are done again touch what the earlier one touched ---- */

static bool has_room_for(const Order *order, const Footprint *more) {
    return order->count < MAX_FOOTPRINTS / 2 && more->bytes / ORDER_WORD / 8 < MAX_BITMAP_BYTES / 64 &&
           order->bitmap_bytes < MAX_BITMAP_BYTES / 2;
}

/** All footprints of the earlier launch are still there: they are forgotten together. */
static bool may_repeat(void *self, const GpuRepeat *earlier) {
    const Order *order = ((const Device *)self)->order;
    bool any_kept = false;
    for (const Footprint *any = order->footprints; any != NULL && order->running != NULL; any = any->next) {
        if (any->launch != earlier->launch) continue;
        if (!has_room_for(order, any)) return false;
        any_kept = true;
    }
    return order->running == NULL || any_kept;
}

static void repeat_footprint(Device *device, const Footprint *earlier) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, earlier->base);
    Footprint *made = NULL;
    if (allocation != NULL)
        made = new_footprint(device->order, allocation, earlier->write, earlier->for_host);
    if (made == NULL) return;
    made->pc = earlier->pc;
    made->kernel = earlier->kernel;
    made->atomic = earlier->atomic;
    memcpy(made->bits, earlier->bits, (size_t)((earlier->bytes / ORDER_WORD + 64) / 64 * 8));
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Device *device = self;
    Order *order = device->order;
    order->launch = launch->id;
    if (launch->repeats == 0 || order->running == NULL) return;
    for (const Footprint *any = order->footprints; any != NULL; any = any->next)
        if (any->launch == launch->repeats) repeat_footprint(device, any);
}

/* ---- what copies, memsets and frees touch ---- */

void order_note_range(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                      bool write) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    Footprint *into = NULL;
    if (allocation != NULL) into = footprint(device->order, allocation, write, false);
    if (into == NULL) return;
    into->atomic = false;
    for (uint64_t row = 0; row < height; row++)
        set_bits(into, address + row * pitch, width);
}

/** What an operation other than a kernel touches. Allocating and freeing in a stream's order
 * (cudaMallocAsync) count as writing all of the memory: nobody may use it before the one or after the other.
 * */
static void note_call(Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    switch (operation->kind) {
    case OPERATION_COPY:
        order_note_range(device, copy->from, copy->from_pitch, copy->width, copy->height, false);
        order_note_range(device, copy->to, copy->to_pitch, copy->width, copy->height, true);
        break;
    case OPERATION_SET:
        order_note_range(device, operation->set.address, operation->set.pitch, operation->set.width,
                         operation->set.height, true);
        break;
    case OPERATION_ALLOCATE:
    case OPERATION_FREE:
        order_note_range(device, operation->memory.address, 0, UINT64_MAX / 2, 1, true);
        break;
    case OPERATION_LAUNCH:
    case OPERATION_RECORD:
    case OPERATION_WAIT:
    case OPERATION_HOST:
    case OPERATION_BODIES:
    case OPERATION_EMPTY:
        break;
    }
}

/* ---- comparing ---- */

bool order_overlap(const Footprint *a, const Footprint *b) {
    uint64_t words = (a->bytes + ORDER_WORD - 1) / ORDER_WORD;
    for (uint64_t i = 0; i * 64 < words; i++)
        if ((a->bits[i] & b->bits[i]) != 0) return true;
    return false;
}

/** One that was asked for later but has run already cannot have been waiting for this one. What was asked for
 * when a host function had returned comes after it: the function may have told the program so. */
static bool unordered(const DeviceOperation *operation, const Footprint *other) {
    if (other->stream == operation->stream->slot) return false;
    if (other->kind == OPERATION_HOST && operation->sequence > other->ended) return false;
    return other->sequence > operation->sequence || other->sequence > operation->clock.seen[other->stream];
}

static bool conflict(const Footprint *a, const Footprint *b) {
    return a->allocation == b->allocation && (a->write || b->write) && !(a->atomic && b->atomic);
}

/** Of what uses memory before it has been allocated, the first is enough: the rest follows it. */
static void compare(Device *device, const DeviceOperation *operation, const Footprint *mine) {
    for (Footprint *any = mine->next; any != NULL; any = any->next) {
        if (!conflict(mine, any) || !unordered(operation, any) || !order_overlap(mine, any)) continue;
        if (order_agree_with_host(device->order, mine, any) || any->told) continue;
        order_report(device, mine, any);
        any->told = any->kind == OPERATION_ALLOCATE;
        return;
    }
}

bool order_next_unordered(const Device *device, const DeviceOperation *operation, uint64_t *address) {
    uint64_t next = UINT64_MAX;
    for (const Footprint *any = device->order->footprints; any != NULL; any = any->next)
        if (any->base > *address && any->base < next && unordered(operation, any)) next = any->base;
    *address = next;
    return next != UINT64_MAX;
}

/* ---- round an operation ---- */

/** Before the first stream all is in order, but a copy that may then still be on its way to the device. */
static bool is_watched(const Order *order, const DeviceOperation *operation) {
    if (operation->stream->slot >= ORDER_STREAMS) return false;
    return order->watching || returns_early(operation, COPY_HOST_TO_DEVICE);
}

void order_run_begin(Device *device, DeviceOperation *operation) {
    Order *order = device->order;
    if (!is_watched(order, operation)) return;
    order->running = operation;
    memset(order->last, 0, sizeof order->last);
    order->launch = 0;
    note_call(device, operation);
}

void order_run_end(Device *device, DeviceOperation *operation) {
    Order *order = device->order;
    if (order->running == NULL) return;
    for (Footprint *any = order->footprints; any != NULL && any->sequence == operation->sequence;
         any = any->next) {
        any->ended = device->queue.next_sequence;
        compare(device, operation, any);
    }
    order->running = NULL;
}

/** The memory is there at once, since the program is given its address; but it is the stream's, from here on.
 */
void order_allocated(Device *device, DeviceStream *stream, uint64_t address) {
    DeviceOperation made = {.kind = OPERATION_ALLOCATE,
                            .stream = stream,
                            .device = stream->device,
                            .thread = device->serving.request->thread % DEVICE_MAX_THREADS,
                            .sequence = ++device->queue.next_sequence,
                            .site = device->serving.site,
                            .memory = {.address = address}};
    order_submit(device, &made);
    order_run_begin(device, &made);
    order_run_end(device, &made);
}

/* ---- life ---- */

Order *order_create(void) {
    return calloc(1, sizeof(Order));
}

void order_watch(Device *device) {
    if (device->order->watching) return;
    device->order->watching = true;
    GpuObserver observer = {.self = device,
                            .launch_begin = on_launch_begin,
                            .access = on_access,
                            .in_repeats = true,
                            .repeats = may_repeat};
    gpu_attach(device->gpu, &observer);
}

void order_destroy(Order *order) {
    if (order == NULL) return;
    while (order->footprints != NULL)
        forget(order, &order->footprints);
    free(order);
}
