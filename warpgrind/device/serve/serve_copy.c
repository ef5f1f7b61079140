/* serve_copy.c - copies and memsets: what the addresses are is worked out here, before anything moves.
 *
 * What is wrong with an address or a length is explained (sides.c). Only a copy that is right enters the
 * queue.
 */
#include "base/minmax.h"
#include "device/serve/serve.h"
#include "device/serve/sides.h"
#include "device/state/complain.h"
#include "device/streams/copies.h"
#include "device/streams/graph_memory.h"
#include "device/streams/queue.h"
#include "device/watch/hints.h"
#include "device/watch/order.h"
#include "device/watch/memsets.h"
#include "device/watch/pitched.h"

/** A copy as the program asked for it. */
typedef struct CopyCall {
    DeviceCopy copy;
    int kind;     /**< as given */
    bool wait;    /**< the call returns when the copy is done */
    bool library; /**< libcurand.so has made the bytes, so that no advice about copies fits */
    uint64_t stream;
} CopyCall;

static const char *const direction_names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                              "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                              "cudaMemcpyDefault"};

/* ---- the call ---- */

static int resolve_default(Device *device, const DeviceCopy *copy) {
    bool to = gpu_memory_find(device->gpu, copy->to) != NULL && objects_shared(device, copy->to) == NULL;
    bool from =
        gpu_memory_find(device->gpu, copy->from) != NULL && objects_shared(device, copy->from) == NULL;
    if (to) return from ? COPY_DEVICE_TO_DEVICE : COPY_HOST_TO_DEVICE;
    if (from) return COPY_DEVICE_TO_HOST;
    return COPY_HOST_TO_HOST;
}

/** Both sides are real, but the direction names the wrong ones. */
static bool is_swapped(Device *device, const DeviceCopy *copy, int kind) {
    bool to_device = gpu_memory_find(device->gpu, copy->to) != NULL;
    bool from_device = gpu_memory_find(device->gpu, copy->from) != NULL;
    if (kind == COPY_HOST_TO_DEVICE) return !to_device && from_device;
    if (kind == COPY_DEVICE_TO_HOST) return to_device && !from_device;
    return false;
}

static CudaCode refuse_swapped(Device *device, const DeviceCopy *copy, int kind) {
    CopyFacts facts = {.function = serve_function(device),
                       .direction = direction_names[kind],
                       .memory = complain_address(device, copy->to),
                       .source = complain_address(device, copy->from)};
    complain(device, FINDING_API_MISUSE, said_copy(COPY_SWAPPED_MESSAGE, COPY_SWAPPED_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

static CudaCode check_sides(Device *device, const DeviceCopy *c) {
    bool to_device = c->direction == COPY_HOST_TO_DEVICE || c->direction == COPY_DEVICE_TO_DEVICE;
    bool from_device = c->direction == COPY_DEVICE_TO_HOST || c->direction == COPY_DEVICE_TO_DEVICE;
    CudaCode error = sides_refuse_heap(device, c->to, SIDE_TO, false);
    if (error == CUDA_OK) error = sides_refuse_heap(device, c->from, SIDE_FROM, false);
    if (error != CUDA_OK) return error;
    if (to_device)
        error = sides_check_device(device, c->to, c->to_pitch, c->width, c->height, SIDE_TO);
    else
        error = sides_check_host(device, c->to, c->to_pitch, c->width, c->height, SIDE_TO);
    if (error != CUDA_OK) return error;
    if (from_device)
        return sides_check_device(device, c->from, c->from_pitch, c->width, c->height, SIDE_FROM);
    return sides_check_host(device, c->from, c->from_pitch, c->width, c->height, SIDE_FROM);
}

/** Rows must fit their pitches, and the length must be one: a negative number that became a size_t is said
 * to be that. */
static CudaCode check_shape(Device *device, const DeviceCopy *c) {
    uint64_t bytes, pitch = MIN(c->to_pitch, c->from_pitch);
    CopyFacts facts = {
        .function = serve_function(device), .width = c->width, .pitch = pitch, .length = (int64_t)c->width};
    if (c->width > pitch) {
        complain(device, FINDING_API_MISUSE, said_copy(COPY_PITCH_MESSAGE, COPY_PITCH_WHY, &facts));
        return CUDA_INVALID_PITCH;
    }
    if (!__builtin_mul_overflow(c->width, c->height, &bytes) && bytes <= INT64_MAX) return CUDA_OK;
    complain(device, FINDING_API_MISUSE, said_copy(COPY_NEGATIVE_MESSAGE, COPY_NEGATIVE_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/** What cannot wait until the stream gets there: the host may reuse ordinary memory right after the call. */
static bool must_stage(Device *device, const CopyCall *call) {
    if (call->wait || call->copy.direction != COPY_HOST_TO_DEVICE) return false;
    return !objects_in_place(device, call->copy.from);
}

/** Whether that is memory of the device the stream is of, and none that the host may use as well. */
static bool is_of_stream(Device *device, const DeviceStream *stream, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    return allocation != NULL && objects_shared(device, address) == NULL &&
           devices_owner(device, allocation) == stream->device;
}

/** What has happened when a copy's call returns. */
typedef enum CopyReturn {
    RETURNS_AT_ONCE, /**< nothing yet */
    RETURNS_STAGED,  /**< what was asked for before, and the host's bytes have been taken */
    RETURNS_DONE     /**< the copy */
} CopyReturn;

/** What a call promises that is none of the Async ones (CUDA Runtime API, API synchronization behavior): from
 * pageable memory it may return when the bytes have been staged, while they are on their way to the device;
 * within a device it does not wait at all; all others wait for the copy. Between devices, or where managed
 * memory is a side, nothing is said that a program could be blamed for, and it counts as done. */
static CopyReturn returns_synchronous(Device *device, const CopyCall *call, const DeviceStream *stream) {
    const DeviceCopy *copy = &call->copy;
    if (!is_of_stream(device, stream, copy->to)) return RETURNS_DONE;
    if (copy->direction == COPY_HOST_TO_DEVICE && !objects_in_place(device, copy->from))
        return RETURNS_STAGED;
    bool within = copy->direction == COPY_DEVICE_TO_DEVICE && is_of_stream(device, stream, copy->from);
    if (within) return RETURNS_AT_ONCE;
    return RETURNS_DONE;
}

/** An Async one waits where it must: "For transfers from device memory to pageable host memory, the function
 * will return only once the copy has completed", so that the host may use or free the memory then. */
static CopyReturn returns(Device *device, const CopyCall *call, const DeviceStream *stream) {
    if (call->wait) return returns_synchronous(device, call, stream);
    if (stream->capture != NULL || call->copy.direction != COPY_DEVICE_TO_HOST) return RETURNS_AT_ONCE;
    if (objects_in_place(device, call->copy.to)) return RETURNS_AT_ONCE;
    return RETURNS_DONE;
}

/** Ordinary memory in a stream of the program's own: the copy is right, but overlaps with nothing on a card.
 */
static void note_pageable(Device *device, const CopyCall *call, const DeviceStream *stream) {
    bool to_host = call->copy.direction == COPY_DEVICE_TO_HOST;
    bool own = stream->handle > STREAM_BUILDER && stream->capture == NULL;
    if (call->wait || !own || (!to_host && call->copy.direction != COPY_HOST_TO_DEVICE)) return;
    uint64_t host = to_host ? call->copy.to : call->copy.from;
    if (objects_in_place(device, host)) return;
    CopyFacts facts = {.function = serve_function(device), .to = to_host};
    complain_that(device, (Complaint){.kind = FINDING_API_MISUSE, .note = true, .sort = "pageable"},
                  said_copy(COPY_PAGEABLE_MESSAGE, COPY_PAGEABLE_WHY, &facts));
}

/** Where malloc's blocks lie on Linux: behind the program's image, or among the mappings below the stack.
 * Numbers that a program copies hardly ever look like that. */
static bool is_heap(const Device *device, uint64_t address) {
    const uint64_t reach = UINT64_C(1) << 36;
    bool behind_image = address >= device->program.image_end && address - device->program.image_end < reach;
    return behind_image ||
           (address < device->program.stack_top && device->program.stack_top - address < 64 * reach);
}

/** The host's side is a std::vector itself, not its elements: three words (begin, end, end of the room) that
 * span as many bytes as are to be copied. It goes ahead, as on a card, and spoils the vector if that is the
 * destination. */
static void check_container(Device *device, const DeviceCopy *c) {
    enum { WORDS = 3 };
    if (c->direction != COPY_HOST_TO_DEVICE && c->direction != COPY_DEVICE_TO_HOST) return;
    bool to_host = c->direction == COPY_DEVICE_TO_HOST;
    uint64_t host = to_host ? c->to : c->from, words[WORDS];
    bool stack = host % sizeof *words == 0 && objects_address_kind(device, host) == ADDRESS_STACK &&
                 device->program.stack_top - host >= sizeof words;
    if (!stack || c->height > 1 || !copies_peek(device, host, words, sizeof words)) return;
    bool vector = words[0] < words[1] && words[1] <= words[2] && words[0] % sizeof *words == 0 &&
                  is_heap(device, words[0]) && is_heap(device, words[2]);
    if (!vector || (words[1] - words[0] != c->width && c->width != sizeof words)) return;
    CopyFacts facts = {.function = serve_function(device), .to = to_host, .bytes = words[1] - words[0]};
    complain(device, FINDING_API_MISUSE, said_copy(COPY_VECTOR_MESSAGE, COPY_VECTOR_WHY, &facts));
}

/** A length or a pitch that is allowed, and seems odd. */
static void note_shape(Device *device, const DeviceCopy *c) {
    PitchedUse to = {c->to, c->to_pitch, c->width, c->height, c->from_pitch};
    PitchedUse from = {c->from, c->from_pitch, c->width, c->height, c->to_pitch};
    pitched_note(device, &to);
    pitched_note(device, &from);
    if (c->height > 1 && c->direction == COPY_HOST_TO_DEVICE)
        hints_note_rows(device, c->to, c->width, pitched_whole(device, &to), true);
    if (c->height > 1 && c->direction == COPY_DEVICE_TO_HOST)
        hints_note_rows(device, c->from, c->width, pitched_whole(device, &from), false);
    if (c->height > 1) return;
    if (c->direction == COPY_HOST_TO_DEVICE) hints_note(device, c->to, c->width, true);
    /* One number for a variable of the host's is no short copy of an array. */
    DeviceAddressKind kind = objects_address_kind(device, c->to);
    bool number = c->width <= sizeof(double) && (kind == ADDRESS_STACK || kind == ADDRESS_IMAGE);
    if (c->direction == COPY_DEVICE_TO_HOST && !number) hints_note(device, c->from, c->width, false);
}

/** "The memory areas may not overlap" (CUDA Runtime API, cudaMemcpy). A copy onto itself changes nothing. */
static void check_overlap(Device *device, const DeviceCopy *c) {
    uint64_t apart = c->to - c->from;
    if (c->from > c->to) apart = c->from - c->to;
    if (c->direction != COPY_DEVICE_TO_DEVICE || c->height > 1 || apart == 0 || apart >= c->width) return;
    CopyFacts facts = {.function = serve_function(device),
                       .to = c->to > c->from,
                       .bytes = c->width - apart,
                       .offset = apart};
    complain(device, FINDING_API_MISUSE, said_copy(COPY_OVERLAP_MESSAGE, COPY_OVERLAP_WHY, &facts));
}

/** LIMIT: the numbers are made when the call is, and a graph would want new ones at each launch. */
static CudaCode refuse_captured(Device *device, Graph *graph) {
    graph->invalid = true;
    CopyFacts facts = {.function = serve_function(device)};
    complain(device, FINDING_LIMIT, said_copy(COPY_CAPTURED_MESSAGE, COPY_CAPTURED_WHY, &facts));
    return CUDA_CAPTURE_UNSUPPORTED;
}

/** A synchronous copy that touches another device's memory comes after what that device has been asked for as
 * well (Programming Guide, peer-to-peer memory copy): "it does not start until all commands previously issued
 * to either device have completed". */
static void wait_for_owners(Device *device, const CopyCall *call, const DeviceStream *stream) {
    const uint64_t sides[] = {call->copy.from, call->copy.to};
    for (unsigned i = 0; i < 2 && call->wait; i++) {
        const GpuAllocation *allocation = gpu_memory_find(device->gpu, sides[i]);
        if (allocation == NULL || objects_shared(device, sides[i]) != NULL) continue;
        unsigned owner = devices_owner(device, allocation);
        if (owner != stream->device) queue_run_device(device, owner);
    }
}

/** Waits for as much as the call promises. */
static CudaCode wait_as_promised(Device *device, DeviceOperation *operation, CopyReturn when,
                                 bool synchronous) {
    operation->copy.returns_early = synchronous && when != RETURNS_DONE;
    if (when == RETURNS_AT_ONCE) return CUDA_OK;
    if (when == RETURNS_DONE) return queue_run_to(device, operation);
    return queue_run_staged(device, operation);
}

/** A copy that is right enters the queue. What the host may change after the call is taken now; what the
 * call promises to have finished is done now. */
static CudaCode start(Device *device, CopyCall *call) {
    DeviceStream *stream = serve_stream(device, call->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (call->wait && stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    if (call->library && stream->capture != NULL) return refuse_captured(device, stream->capture);
    if (!call->library) note_pageable(device, call, stream);
    if (!call->library) check_container(device, &call->copy);
    check_overlap(device, &call->copy);
    if (stream->capture == NULL && must_stage(device, call) && !copies_stage(device, &call->copy))
        return CUDA_OUT_OF_MEMORY;
    wait_for_owners(device, call, stream);
    DeviceOperation *operation = queue_add(device, OPERATION_COPY, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    if (stream->capture == NULL && !call->library) note_shape(device, &call->copy);
    operation->copy = call->copy;
    operation->copy.library = call->library;
    if (stream->capture == NULL && call->copy.direction == COPY_DEVICE_TO_HOST)
        order_brings(device, operation);
    return wait_as_promised(device, operation, returns(device, call, stream), call->wait);
}

/** All that can be wrong with a copy is said here, before anything moves: the kind, the shape, the
 * direction, and each side. */
static CudaCode copy(Device *device, CopyCall *call) {
    DeviceCopy *c = &call->copy;
    if (call->kind < 0 || call->kind > COPY_DEFAULT) {
        CopyFacts facts = {.function = serve_function(device), .kind = call->kind};
        complain(device, FINDING_API_MISUSE, said_copy(COPY_DIRECTION_MESSAGE, COPY_DIRECTION_WHY, &facts));
        return CUDA_INVALID_DIRECTION;
    }
    if (c->width == 0 || c->height == 0) return CUDA_OK;
    graph_memory_show_to(device, call->stream);
    CudaCode error = serve_refuse_array(device, c->to, c->from);
    if (error == CUDA_OK) error = check_shape(device, c);
    if (error != CUDA_OK) return error;
    if (call->kind == COPY_DEFAULT)
        c->direction = resolve_default(device, c);
    else
        c->direction = call->kind;
    if (is_swapped(device, c, call->kind)) return refuse_swapped(device, c, call->kind);
    error = check_sides(device, c);
    if (error != CUDA_OK) return error;
    return start(device, call);
}

ServeRows serve_run(uint64_t to, uint64_t from, uint64_t bytes) {
    return (ServeRows){
        .to = to, .to_pitch = bytes, .from = from, .from_pitch = bytes, .width = bytes, .height = 1};
}

/** The copy that other calls end in (arrays, graph nodes, libraries), once they have worked out addresses and
 * pitches. */
CudaCode serve_copy_rows(Device *device, const ServeRows *rows, ServeHow how) {
    CopyCall call = {.copy = {.to = rows->to,
                              .from = rows->from,
                              .to_pitch = rows->to_pitch,
                              .from_pitch = rows->from_pitch,
                              .width = rows->width,
                              .height = rows->height},
                     .kind = (int)how.kind,
                     .wait = how.wait,
                     .library = how.library,
                     .stream = how.stream};
    return copy(device, &call);
}

SERVE(serve_memcpy, cudaMemcpyAsync) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    return serve_copy_rows(device, &run,
                           (ServeHow){.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)});
}

SERVE(serve_curand, curandGenerate) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    const ServeHow how = {.kind = a->kind, .stream = a->stream, .library = true};
    return serve_copy_rows(device, &run, how);
}

SERVE(serve_memcpy_2d, cudaMemcpy2DAsync) {
    const ServeRows rows = {a->to, a->to_pitch, a->from, a->from_pitch, a->width, a->height};
    const ServeHow how = {.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)};
    return serve_copy_rows(device, &rows, how);
}

/** The addresses say whose memory it is. */
SERVE(serve_memcpy_peer, cudaMemcpyPeerAsync) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    const ServeHow how = {.kind = COPY_DEVICE_TO_DEVICE, .stream = a->stream, .wait = serve_waits(device)};
    return serve_copy_rows(device, &run, how);
}

/* ---- memset ---- */

/** A memset is "asynchronous with respect to the host except when the target memory is pinned host memory or
 * a Unified Memory region" (CUDA Runtime API, API synchronization behavior); an Async one always. */
static bool must_finish_set(Device *device, const ServeSet *call) {
    return call->wait && objects_in_place(device, call->address);
}

/** Queues a memset, or does it. One of nothing adds no operation. */
static CudaCode set(Device *device, const ServeSet *call) {
    graph_memory_show_to(device, call->stream);
    if (call->width == 0 || call->height == 0) return CUDA_OK;
    DeviceCopy shape = {
        .to_pitch = call->pitch, .from_pitch = call->pitch, .width = call->width, .height = call->height};
    CudaCode error = serve_refuse_array(device, call->address, call->address);
    if (error == CUDA_OK) error = check_shape(device, &shape);
    if (error == CUDA_OK) error = sides_refuse_heap(device, call->address, SIDE_TO, true);
    if (error == CUDA_OK)
        error = sides_check_device(device, call->address, call->pitch, call->width, call->height, SIDE_TO);
    if (error != CUDA_OK) return error;
    if (call->element == 1) memsets_asked(device, (int)call->value);
    DeviceStream *stream = serve_stream(device, call->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (call->wait && stream->capture != NULL) return serve_refuse_capturing(device, stream->capture);
    DeviceOperation *operation = queue_add(device, OPERATION_SET, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    if (call->height == 1) hints_note(device, call->address, call->width, true);
    pitched_note(device, &(PitchedUse){call->address, call->pitch, call->width, call->height, 0});
    operation->set.address = call->address;
    operation->set.pitch = call->pitch;
    operation->set.value = (int)call->value;
    operation->set.width = call->width;
    operation->set.height = call->height;
    operation->set.element = (unsigned)call->element;
    if (must_finish_set(device, call)) return queue_run_to(device, operation);
    return CUDA_OK;
}

CudaCode serve_set_elements(Device *device, const ServeSet *call) {
    bool known = call->element == 1 || call->element == 2 || call->element == 4;
    if (!known || call->width % call->element != 0 || call->address % call->element != 0)
        return CUDA_INVALID_VALUE;
    return set(device, call);
}

SERVE(serve_memset, cudaMemsetAsync) {
    return set(device, &(ServeSet){.address = a->address,
                                   .pitch = a->bytes,
                                   .value = a->value,
                                   .width = a->bytes,
                                   .height = 1,
                                   .stream = a->stream,
                                   .element = 1,
                                   .wait = serve_waits(device)});
}

SERVE(serve_memset_2d, cudaMemset2DAsync) {
    return set(device, &(ServeSet){.address = a->address,
                                   .pitch = a->pitch,
                                   .value = a->value,
                                   .width = a->width,
                                   .height = a->height,
                                   .stream = a->stream,
                                   .element = 1,
                                   .wait = serve_waits(device)});
}

/** Slices without a gap between them are set as one, others one by one. */
SERVE(serve_memset_3d, cudaMemset3DAsync) {
    enum { MAX_SLICES = 1 << 16 };
    ServeSet call = {.address = a->address,
                     .pitch = a->pitch,
                     .value = a->value,
                     .width = a->width,
                     .height = a->height,
                     .stream = a->stream,
                     .element = 1,
                     .wait = serve_waits(device)};
    if (a->slice_rows == a->height) {
        call.height *= a->depth;
        return set(device, &call);
    }
    if (a->depth > MAX_SLICES || a->height > a->slice_rows) return CUDA_INVALID_VALUE;
    CudaCode error = CUDA_OK;
    for (uint64_t z = 0; z < a->depth && error == CUDA_OK; z++) {
        error = set(device, &call);
        call.address += a->pitch * a->slice_rows;
    }
    return error;
}
