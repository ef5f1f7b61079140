/* order.c - see order.h. Accesses are kept as one bit per 4-byte word and operation, until the host has
 * waited for it. */
#include "device/watch/order.h"
#include "device/state/complain.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, MAX_FOOTPRINTS = 4096 };
#define MAX_BITMAP_BYTES (UINT64_C(128) << 20) /* of all footprints; past it new ones are not kept */

/** What one operation read, or wrote, of one allocation. */
typedef struct Footprint {
    uint32_t allocation; /* id */
    bool write, atomic;
    uint64_t base, bytes;
    uint64_t *bits;
    uint32_t pc;     /* of the first access; 0: a copy, memset or free */
    uint32_t launch; /* id; 0: none */
    uint64_t site;   /* of the call */
    const char *kernel;
    DeviceOperationKind kind;
    unsigned stream;
    uint64_t sequence;
    struct Footprint *next;
} Footprint;

struct Order {
    bool watching;
    OrderClock host;
    const DeviceStream *owners[ORDER_STREAMS]; /* of the slots: the last stream that got each */
    OrderClock threads[DEVICE_MAX_THREADS];    /* `since` of what each host thread has waited for */
    Footprint *footprints;                     /* newest first; those of the running operation are in front */
    Footprint *last[2];                        /* of the running operation: last one used for reads, writes */
    unsigned count;
    uint64_t bitmap_bytes;
    const DeviceOperation *running;
    uint32_t launch; /* that runs; 0: none has begun */
};

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
    order->bitmap_bytes -= (gone->bytes / WORD + 64) / 8;
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

static void note_waited(Device *device, const OrderClock *clock) {
    merge_seen(&device->order->host, clock);
    merge_since(&device->order->threads[device->serving.request->thread % DEVICE_MAX_THREADS], clock);
}

void order_host_waited(Device *device, const OrderClock *clock) {
    note_waited(device, clock);
    forget_ordered(device);
}

void order_host_waited_stream(Device *device, const DeviceStream *stream) {
    order_host_waited(device, &stream->clock);
}

bool order_host_has_waited(const Device *device, unsigned slot, uint64_t sequence) {
    return device->order->host.seen[slot] >= sequence;
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

static Footprint *new_footprint(Order *order, const GpuAllocation *allocation, bool write) {
    const DeviceOperation *operation = order->running;
    uint64_t bitmap = (allocation->bytes / WORD + 64) / 8;
    if (order->count >= MAX_FOOTPRINTS || bitmap > MAX_BITMAP_BYTES - order->bitmap_bytes) return NULL;
    Footprint *made = calloc(1, sizeof *made);
    if (made != NULL) made->bits = calloc((size_t)(bitmap / 8 + 1), 8);
    if (made == NULL || made->bits == NULL) {
        free(made);
        return NULL;
    }
    made->allocation = allocation->id;
    made->write = write;
    made->atomic = true; /* until an access is none */
    made->base = allocation->address;
    made->bytes = allocation->bytes;
    made->site = operation->site;
    made->launch = order->launch;
    made->kind = operation->kind;
    made->stream = operation->stream->slot;
    made->sequence = operation->sequence;
    made->next = order->footprints;
    order->footprints = made;
    order->bitmap_bytes += bitmap;
    order->count++;
    return made;
}

static Footprint *footprint(Order *order, const GpuAllocation *allocation, bool write) {
    Footprint *last = order->last[write];
    if (last != NULL && last->allocation == allocation->id) return last;
    for (Footprint *any = order->footprints; any != NULL && any->sequence == order->running->sequence;
         any = any->next)
        if (any->allocation == allocation->id && any->write == write) return order->last[write] = any;
    return order->last[write] = new_footprint(order, allocation, write);
}

static void set_bits(Footprint *footprint, uint64_t address, uint64_t bytes) {
    if (address < footprint->base || address - footprint->base >= footprint->bytes || bytes == 0) return;
    uint64_t first = (address - footprint->base) / WORD;
    uint64_t end = address - footprint->base + bytes;
    if (end > footprint->bytes) end = footprint->bytes;
    for (uint64_t word = first; word <= (end - 1) / WORD; word++)
        footprint->bits[word / 64] |= UINT64_C(1) << (word % 64);
}

/* ---- what a kernel touches ---- */

/** Adds the words that a kernel touches to the footprint of its operation. Lanes next to each other are one
 * piece; atomic operations stay marked as such while nothing else touches the footprint, since atomics of two
 * streams do not race. */
static void note_access(Order *order, const GpuAccess *access, const GpuAllocation *allocation, bool write) {
    Footprint *into = footprint(order, allocation, write);
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
    return order->count < MAX_FOOTPRINTS / 2 && more->bytes / WORD / 8 < MAX_BITMAP_BYTES / 64 &&
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
    Footprint *made = allocation != NULL ? new_footprint(device->order, allocation, earlier->write) : NULL;
    if (made == NULL) return;
    made->pc = earlier->pc;
    made->kernel = earlier->kernel;
    made->atomic = earlier->atomic;
    memcpy(made->bits, earlier->bits, (size_t)((earlier->bytes / WORD + 64) / 64 * 8));
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

static void note_range(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                       bool write) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    Footprint *into = allocation != NULL ? footprint(device->order, allocation, write) : NULL;
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
        note_range(device, copy->from, copy->from_pitch, copy->width, copy->height, false);
        note_range(device, copy->to, copy->to_pitch, copy->width, copy->height, true);
        break;
    case OPERATION_SET:
        note_range(device, operation->set.address, operation->set.pitch, operation->set.width,
                   operation->set.height, true);
        break;
    case OPERATION_ALLOCATE:
    case OPERATION_FREE:
        note_range(device, operation->memory.address, 0, UINT64_MAX / 2, 1, true);
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

/** One of the two operations in words: what it is, and what it does to the memory. */
static const char *told(Device *device, OrderText text, const Footprint *footprint) {
    const OrderFacts facts = {.kernel = footprint->kernel,
                              .place = complain_line(device, footprint->site),
                              .copy = footprint->kind == OPERATION_COPY,
                              .set = footprint->kind == OPERATION_SET,
                              .allocate = footprint->kind == OPERATION_ALLOCATE,
                              .free = footprint->kind == OPERATION_FREE,
                              .write = footprint->write};
    const char *words = told_order(device->arena, text, &facts);
    return words != NULL ? words : "?";
}

/** A party's place is the line of the access when a kernel of the program made it, and the line of the call
 * otherwise. */
static CheckParty party(Device *device, const Footprint *footprint) {
    CheckParty made = {.what = footprint->write ? "write" : "read"};
    if (footprint->kind == OPERATION_FREE) made.what = "free";
    if (footprint->kind == OPERATION_ALLOCATE) made.what = "allocated";
    if (footprint->pc != 0 && !check_in_library(device->check, footprint->pc))
        made.place = check_place_of_pc(device->check, footprint->pc);
    else
        symbols_place(device->symbols, footprint->site, &made.place);
    return made;
}

/** The operation that was asked for later comes first in the message: its line is where an event or another
 * stream is to be put. */
static void report(Device *device, const Footprint *a, const Footprint *b) {
    const bool first_is_later = a->sequence > b->sequence;
    const Footprint *later = first_is_later ? a : b;
    const Footprint *earlier = first_is_later ? b : a;
    CheckFinding finding = {.kind = FINDING_MISSING_SYNC,
                            .severity = FINDING_ERROR,
                            .kernel = later->kernel,
                            .party = party(device, later),
                            .other = party(device, earlier),
                            .mark = device->program.mark,
                            .count = 1};
    complain_finding(device, &finding,
                     SAID_ORDER(UNORDERED, .later = told(device, ORDER_WHO, later),
                                .later_deed = told(device, ORDER_DEED, later),
                                .earlier = told(device, ORDER_WHO, earlier),
                                .earlier_deed = told(device, ORDER_DEED, earlier)));
}

static bool overlap(const Footprint *a, const Footprint *b) {
    uint64_t words = (a->bytes + WORD - 1) / WORD;
    for (uint64_t i = 0; i * 64 < words; i++)
        if ((a->bits[i] & b->bits[i]) != 0) return true;
    return false;
}

/** One that was asked for later but has run already cannot have been waiting for this one. */
static bool unordered(const DeviceOperation *operation, const Footprint *other) {
    if (other->stream == operation->stream->slot) return false;
    return other->sequence > operation->sequence || other->sequence > operation->clock.seen[other->stream];
}

static void compare(Device *device, const DeviceOperation *operation, const Footprint *mine) {
    for (const Footprint *any = mine->next; any != NULL; any = any->next) {
        if (any->allocation != mine->allocation || !(any->write || mine->write)) continue;
        if (any->atomic && mine->atomic) continue;
        if (!unordered(operation, any) || !overlap(mine, any)) continue;
        report(device, mine, any);
        return;
    }
}

/* ---- round an operation ---- */

void order_run_begin(Device *device, DeviceOperation *operation) {
    Order *order = device->order;
    if (!order->watching || operation->stream->slot >= ORDER_STREAMS) return;
    order->running = operation;
    order->last[0] = order->last[1] = NULL;
    order->launch = 0;
    note_call(device, operation);
}

void order_run_end(Device *device, DeviceOperation *operation) {
    Order *order = device->order;
    if (order->running == NULL) return;
    for (const Footprint *any = order->footprints; any != NULL && any->sequence == operation->sequence;
         any = any->next)
        compare(device, operation, any);
    order->running = NULL;
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
