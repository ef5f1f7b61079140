/* queue.c - streams: what was asked for and is not done yet.
 *
 * All pending operations are one list in the order of the calls. Nothing runs until the program waits for it.
 * Then the operations that the awaited one must come after are found by one walk backwards (same stream; the
 * legacy stream and blocking streams wait for each other; events that were waited for), and run in order.
 * What nobody waited for stays undone, so that a program which reads too early sees old data here every time,
 * not once in a thousand runs. With --stream-order early it is the other way round: each call's work is done
 * at the end of the call, which shows who counts on work being late.
 */
#include "base/minmax.h"
#include "device/streams/queue.h"
#include "device/record/sent.h"
#include "device/record/timeline.h"
#include "device/record/trace.h"
#include "device/state/complain.h"
#include "device/streams/copies.h"
#include "device/streams/graph_bodies.h"
#include "device/streams/graph_memory.h"
#include "device/streams/host_functions.h"
#include "device/watch/hostside.h"
#include "device/watch/memsets.h"
#include "device/watch/order.h"
#include "device/watch/withhold.h"

#include <stdlib.h>
#include <time.h>

static bool is_legacy(const DeviceStream *stream) {
    return stream->handle == STREAM_LEGACY;
}

/* ---- the list ---- */

/** Where the stream captures, the operation is the pattern of a new node. A full queue is worked off first.
 */
DeviceOperation *queue_add(Device *device, DeviceOperationKind kind, DeviceStream *stream) {
    if (stream->capture != NULL) return graph_capture(device, kind, stream);
    if (device->queue.count >= DEVICE_MAX_PENDING) queue_run_all(device);
    DeviceOperation *operation = calloc(1, sizeof *operation);
    if (operation == NULL) return NULL;
    operation->kind = kind;
    operation->stream = stream;
    operation->device = stream->device;
    operation->thread = device->serving.request->thread % DEVICE_MAX_THREADS;
    operation->sequence = ++device->queue.next_sequence;
    operation->site = device->serving.site;
    operation->mark = device->program.mark;
    if (device->trace != NULL) operation->asked = trace_asked(device);
    order_submit(device, operation);
    operation->previous = device->queue.last;
    if (device->queue.last != NULL)
        device->queue.last->next = operation;
    else
        device->queue.first = operation;
    device->queue.last = operation;
    device->queue.count++;
    return operation;
}

void queue_recorded(DeviceOperation *operation) {
    DeviceEvent *event = operation->record.event;
    event->pending = operation;
    event->recorded = true;
    event->sequence = operation->sequence;
    event->clock = operation->stream->clock;
}

static void forget_targets(Device *device, const DeviceOperation *gone) {
    for (DeviceOperation *later = gone->next; later != NULL; later = later->next)
        if (later->kind == OPERATION_WAIT && later->wait.target == gone) later->wait.target = NULL;
    if (gone->kind == OPERATION_RECORD && gone->record.event->pending == gone)
        gone->record.event->pending = NULL;
    (void)device;
}

/* Takes an operation back that could not be filled in. */
static void remove_operation(Device *device, DeviceOperation *operation) {
    forget_targets(device, operation);
    if (operation->previous != NULL)
        operation->previous->next = operation->next;
    else
        device->queue.first = operation->next;
    if (operation->next != NULL)
        operation->next->previous = operation->previous;
    else
        device->queue.last = operation->previous;
    device->queue.count--;
    if (operation->kind == OPERATION_LAUNCH) free(operation->launch.parameters);
    if (operation->kind == OPERATION_COPY) free(operation->copy.staged);
    free(operation);
}

static bool side_meets(uint64_t side, uint64_t pitch, const DeviceCopy *copy, uint64_t address,
                       uint64_t bytes) {
    uint64_t span = (copy->height - 1) * pitch + copy->width;
    return side < address + bytes && address < side + span;
}

const DeviceOperation *queue_copy_of(const Device *device, uint64_t host, uint64_t bytes) {
    for (const DeviceOperation *any = device->queue.first; any != NULL; any = any->next) {
        const DeviceCopy *copy = &any->copy;
        if (any->kind != OPERATION_COPY || copy->height == 0) continue;
        if (side_meets(copy->to, copy->to_pitch, copy, host, bytes)) return any;
        if (copy->staged == NULL && side_meets(copy->from, copy->from_pitch, copy, host, bytes)) return any;
    }
    return NULL;
}

void queue_drop_all(Device *device) {
    while (device->queue.first != NULL)
        remove_operation(device, device->queue.first);
}

/* ---- doing one ---- */

/** What a kernel ended with, as the error that CUDA gives for it. */
static CudaCode code_of_status(GpuStatus status) {
    static const CudaCode codes[] = {[GPU_OK] = CUDA_OK,
                                     [GPU_ILLEGAL_ADDRESS] = CUDA_ILLEGAL_ADDRESS,
                                     [GPU_MISALIGNED] = CUDA_MISALIGNED,
                                     [GPU_HANG] = CUDA_LAUNCH_TIMEOUT,
                                     [GPU_TRAP] = CUDA_LAUNCH_FAILURE,
                                     [GPU_ASSERT] = CUDA_ASSERT,
                                     [GPU_ILLEGAL_INSTRUCTION] = CUDA_ILLEGAL_INSTRUCTION,
                                     [GPU_OUT_OF_MEMORY] = CUDA_OUT_OF_MEMORY,
                                     [GPU_STACK_OVERFLOW] = CUDA_STACK_ERROR,
                                     [GPU_HALTED] = CUDA_LAUNCH_FAILURE};
    return codes[status];
}

static GpuDim smaller(GpuDim asked, const uint32_t most[3]) {
    return (GpuDim){MIN(asked.x, most[0]), MIN(asked.y, most[1]), MIN(asked.z, most[2])};
}

/** The launch as it is to run: all of it, or as much as --reshape leaves. */
static GpuLaunchSpec spec_of(const Device *device, const DeviceOperation *operation) {
    const DeviceReshape *reshape = &device->options.reshape;
    GpuLaunchSpec spec = operation->launch.spec;
    if (reshape->launch == 0 || reshape->launch != gpu_next_launch(device->gpu)) return spec;
    spec.grid = smaller(spec.grid, reshape->grid);
    spec.block = smaller(spec.block, reshape->block);
    return spec;
}

/** Runs one launch to its end. What the host wrote to shared memory before counts as its writes, and what
 * changes meanwhile as the kernel's. */
static CudaCode run_launch(Device *device, DeviceOperation *operation) {
    hostside_take_writes(device);
    device->queue.running = operation;
    device->peers.fault = false;
    device->peers.reached = 0;
    sent_launch(device, operation);
    sent_look_at_shared(device);
    GpuStatus status = GPU_OK;
    const GpuLaunchSpec spec = spec_of(device, operation);
    if (!withhold_skips(device, spec.kernel)) status = gpu_launch(device->gpu, &spec);
    hostside_skip_writes(device);
    hostside_forget_touches(device);
    sent_keep_shared(device);
    device->queue.running = NULL;
    if (status == GPU_OK && device->peers.fault) status = GPU_ILLEGAL_ADDRESS;
    device->program.launches++;
    device->program.threads += operation->launch.threads;
    return code_of_status(status);
}

/** A row of elements of several bytes: little endian, as the value is. */
static bool set_elements(Device *device, const DeviceOperation *operation, uint64_t address, uint64_t width) {
    uint8_t *row = malloc((size_t)width);
    if (row == NULL) return false;
    for (uint64_t i = 0; i < width; i++)
        row[i] = (uint8_t)((uint32_t)operation->set.value >> (8 * (i % operation->set.element)));
    gpu_memory_write(device->gpu, address, row, width, operation->site);
    free(row);
    return true;
}

/** Row by row, since what lies between rows keeps its bytes; rows without a gap are one. */
static CudaCode run_set(Device *device, const DeviceOperation *operation) {
    sent_set(device, operation);
    bool flat = operation->set.height == 1 || operation->set.pitch == operation->set.width;
    uint64_t rows = 1;
    if (!flat) rows = operation->set.height;
    uint64_t width;
    if (flat)
        width = operation->set.width * operation->set.height;
    else
        width = operation->set.width;
    if (operation->set.element <= 1) memsets_done(device, operation);
    for (uint64_t row = 0; row < rows && width > 0; row++) {
        uint64_t address = operation->set.address + row * operation->set.pitch;
        if (operation->set.element <= 1)
            gpu_memory_set(device->gpu, address, operation->set.value, width, operation->site);
        else if (!set_elements(device, operation, address, width))
            return CUDA_OUT_OF_MEMORY;
    }
    return CUDA_OK;
}

static CudaCode run_record(DeviceOperation *operation) {
    DeviceEvent *event = operation->record.event;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->when = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    if (event->pending == operation) event->pending = NULL;
    return CUDA_OK;
}

/** The runtime takes a copy of ordinary memory before it returns, so the program is right; with pinned memory
 * it would not be. */
static void note_changed_source(Device *device, const DeviceOperation *operation) {
    if (!copies_source_changed(device, &operation->copy)) return;
    complain_note_at(device, FINDING_MISSING_SYNC, operation->site, operation->mark,
                     said_memory(MEMORY_CHANGED_MESSAGE, MEMORY_CHANGED_WHY, NULL));
}

/** What the host has written to either side counts first; what a copy by the device leaves is not the host's.
 */
static CudaCode run_copy(Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    bool to_shared = objects_shared(device, copy->to) != NULL;
    bool by_device = copy->direction == COPY_HOST_TO_DEVICE || copy->direction == COPY_DEVICE_TO_DEVICE;
    if (to_shared || objects_shared(device, copy->from) != NULL) hostside_take_writes(device);
    sent_begin_copy(device, operation);
    if (!copy->library) note_changed_source(device, operation);
    CudaCode error = copies_run(device, copy, operation->site);
    sent_end_copy(device, operation);
    if (to_shared && by_device) hostside_skip_writes(device);
    return error;
}

/** Memory that an earlier cudaFreeAsync has freed by the time the operation runs, though not yet when it was
 * asked for; what was freed before that, the call has refused. */
static void note_freed(Device *device, const DeviceOperation *operation, uint64_t address, bool to) {
    if (objects_address_kind(device, address) != ADDRESS_FREED) return;
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    CopyFacts facts = {.set = operation->kind == OPERATION_SET,
                       .to = to,
                       .place = complain_line(device, allocation->free_site)};
    complain_that(device,
                  (Complaint){.kind = FINDING_USE_AFTER_FREE,
                              .earlier = true,
                              .site = operation->site,
                              .mark = operation->mark,
                              .other_site = allocation->free_site,
                              .other_what = "freed"},
                  said_copy(COPY_FREED_FIRST_MESSAGE, COPY_FREED_FIRST_WHY, &facts));
}

static void note_freed_sides(Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    if (operation->kind == OPERATION_SET) {
        note_freed(device, operation, operation->set.address, true);
    } else if (operation->kind == OPERATION_COPY) {
        if (copy->direction != COPY_HOST_TO_DEVICE) note_freed(device, operation, copy->from, false);
        if (copy->direction != COPY_DEVICE_TO_HOST) note_freed(device, operation, copy->to, true);
    }
}

/** Does one operation, by its kind. */
static CudaCode run_operation(Device *device, DeviceOperation *operation) {
    switch (operation->kind) {
    case OPERATION_LAUNCH:
        return run_launch(device, operation);
    case OPERATION_COPY:
        return run_copy(device, operation);
    case OPERATION_SET:
        return run_set(device, operation);
    case OPERATION_RECORD:
        return run_record(operation);
    case OPERATION_WAIT:
    case OPERATION_EMPTY:
        return CUDA_OK;
    case OPERATION_HOST:
        return host_functions_run(device, operation);
    case OPERATION_FREE:
        sent_free_in_stream(device, operation);
        gpu_memory_free(device->gpu, operation->memory.address, operation->site);
        graph_memory_free_done(device, operation);
        return CUDA_OK;
    case OPERATION_ALLOCATE:
        return graph_memory_run(device, operation);
    case OPERATION_BODIES:
        return graph_bodies_run(device, operation);
    }
    return CUDA_OK;
}

/** With those that watch what work does. */
static CudaCode run_watched(Device *device, DeviceOperation *operation) {
    if (device->trace != NULL) trace_work_begin(device, operation);
    order_run_begin(device, operation);
    gpu_memory_use_part(device->gpu, operation->device);
    note_freed_sides(device, operation);
    CudaCode error = run_operation(device, operation);
    gpu_memory_use_part(device->gpu, devices_current(device));
    order_run_end(device, operation);
    timeline_done(device, operation);
    if (device->trace != NULL) trace_work_end(device, operation, (int)error);
    return error;
}

CudaCode queue_run_within(Device *device, const DeviceOperation *outer, const DeviceOperation *pattern) {
    DeviceOperation operation = *pattern;
    operation.stream = outer->stream;
    operation.thread = outer->thread;
    operation.sequence = outer->sequence;
    operation.clock = outer->clock;
    operation.mark = outer->mark;
    operation.asked = outer->asked;
    if (operation.kind == OPERATION_LAUNCH) operation.launch.spec.stream = outer->stream->handle;
    return run_watched(device, &operation);
}

/** Runs with the mark that was set when the program asked for it. */
static void run_and_remove(Device *device, DeviceOperation *operation) {
    if (device->errors.sticky == CUDA_OK) {
        device->queue.body_rounds = 0;
        if (operation->mark != device->program.mark) check_mark(device->check, operation->mark);
        CudaCode error = run_watched(device, operation);
        if (operation->mark != device->program.mark) check_mark(device->check, device->program.mark);
        if (error != CUDA_OK) device->errors.sticky = error;
    }
    remove_operation(device, operation);
    if (device->queue.first == NULL) timeline_settle(device);
}

/* ---- what must be done first ---- */

static void mark_needed(Device *device, DeviceOperation *operation, bool *all_blocking /* by device */) {
    DeviceStream *stream = operation->stream;
    operation->needed = true;
    stream->needed = true;
    if (is_legacy(stream)) all_blocking[stream->device] = true;
    if (stream->blocking) objects_legacy(device, stream->device)->needed = true;
    if (operation->kind == OPERATION_WAIT && operation->wait.target != NULL)
        operation->wait.target->needed = true;
}

/** Marks what must be done before an operation: what stands before it in its stream, what that waits for,
 * and the streams that the legacy stream waits for. It goes backwards once, as an operation only waits for
 * earlier ones. */
static void find_needed(Device *device, const DeviceOperation *last) {
    for (DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next)
        stream->needed = false;
    for (DeviceOperation *any = device->queue.first; any != NULL; any = any->next)
        any->needed = any == last;
    bool all_blocking[DEVICE_MAX_DEVICES] = {false};
    for (DeviceOperation *any = device->queue.last; any != NULL; any = any->previous) {
        if (any->sequence > last->sequence) continue;
        bool blocking = all_blocking[any->stream->device] && any->stream->blocking;
        if (any->needed || any->stream->needed || blocking) mark_needed(device, any, all_blocking);
    }
}

/** Does it and what comes before; the host is not the wiser yet. */
static void run_to(Device *device, const DeviceOperation *operation) {
    find_needed(device, operation);
    uint64_t end = operation->sequence;
    DeviceOperation *next;
    for (DeviceOperation *any = device->queue.first; any != NULL && any->sequence <= end; any = next) {
        next = any->next;
        if (any->needed) run_and_remove(device, any);
    }
}

static void run_stream(Device *device, const DeviceStream *stream) {
    const DeviceOperation *last = device->queue.last;
    while (last != NULL && last->stream != stream)
        last = last->previous;
    if (last != NULL) run_to(device, last);
}

/* Sends device-side printf output to the program. */
static void send_output(Device *device) {
    Text output = text_new();
    uint64_t dropped = 0;
    gpu_take_output(device->gpu, &output, &dropped);
    device->program.output_dropped += dropped;
    if (output.length > 0 && !device->link.closed && !device->options.discard_output)
        link_output(&device->link, output.bytes, output.length);
    text_free(&output);
}

CudaCode queue_run_to(Device *device, const DeviceOperation *operation) {
    OrderClock done = operation->clock;
    order_clock_done(&done, operation);
    run_to(device, operation);
    order_host_waited(device, &done);
    send_output(device);
    return device->errors.sticky;
}

CudaCode queue_run_staged(Device *device, const DeviceOperation *operation) {
    OrderClock before = operation->clock;
    run_to(device, operation);
    order_host_waited(device, &before);
    send_output(device);
    return device->errors.sticky;
}

static bool waits_for(const DeviceStream *stream, const DeviceStream *any) {
    return any == stream || (is_legacy(stream) && any->blocking && any->device == stream->device);
}

/** The legacy stream has to wait for all blocking streams, so whoever waits for it waits for them. */
CudaCode queue_run_stream(Device *device, const DeviceStream *stream) {
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        if (waits_for(stream, any)) run_stream(device, any);
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        if (waits_for(stream, any)) order_host_waited_stream(device, any);
    send_output(device);
    return device->errors.sticky;
}

CudaCode queue_run_device(Device *device, unsigned number) {
    if (devices_count(device) == 1) queue_run_all(device);
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        if (any->device == number) run_stream(device, any);
    for (const DeviceStream *any = device->objects.streams; any != NULL; any = any->next)
        if (any->device == number) order_host_waited_stream(device, any);
    send_output(device);
    return device->errors.sticky;
}

/** With an odd seed the streams are emptied the youngest first, as far as they are independent. */
CudaCode queue_run_all(Device *device) {
    if (device->options.seed % 2 == 1)
        for (const DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next)
            if (!is_legacy(stream)) run_stream(device, stream);
    while (device->queue.first != NULL)
        run_and_remove(device, device->queue.first);
    order_host_waited_all(device);
    send_output(device);
    return device->errors.sticky;
}

/** In the order of the calls nothing comes before what it has to wait for. */
void queue_run_early(Device *device) {
    while (device->queue.first != NULL)
        run_and_remove(device, device->queue.first);
}

static DeviceOperation *first_host_function(const Device *device) {
    DeviceOperation *any = device->queue.first;
    while (any != NULL && !graph_bodies_call_host(any))
        any = any->next;
    return any;
}

/** A card would have come to the first host function by now. The host is none the wiser by that: what it may
 * rely on is still what it has waited for. */
bool queue_attend(Device *device) {
    const DeviceOperation *due = first_host_function(device);
    if (due != NULL) run_to(device, due);
    send_output(device);
    return first_host_function(device) != NULL;
}

static bool needs_program(const DeviceOperation *operation) {
    if (operation->kind == OPERATION_HOST || operation->kind == OPERATION_BODIES) return true;
    const DeviceCopy *copy = &operation->copy;
    return operation->kind == OPERATION_COPY && copy->staged == NULL &&
           copy->direction != COPY_DEVICE_TO_DEVICE;
}

void queue_run_unattended(Device *device) {
    while (device->queue.first != NULL && !needs_program(device->queue.first))
        run_and_remove(device, device->queue.first);
}

bool queue_stream_idle(const Device *device, const DeviceStream *stream) {
    const DeviceOperation *any = device->queue.last;
    while (any != NULL && any->stream != stream)
        any = any->previous;
    return any == NULL;
}
