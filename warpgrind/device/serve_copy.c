/* serve_copy.c - copies and memsets: what the addresses are is worked out here, before anything moves.
 *
 * A wrong address is explained by what it is (a host pointer, the address of a pointer variable, freed
 * memory), a wrong length by how far it fits. Only a copy that is right enters the queue.
 */
#include "device/complain.h"
#include "device/graph_memory.h"
#include "device/hints.h"
#include "device/pitched.h"
#include "device/serve.h"
#include "device/symbolcopies.h"

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

/* ---- what one address should be ---- */

/** Which of a copy's two addresses a finding is about. */
typedef enum Side { SIDE_TO, SIDE_FROM } Side;

static bool is_device_memory(DeviceAddressKind kind) {
    return kind == ADDRESS_DEVICE || kind == ADDRESS_SHARED;
}

/** A copy that uses freed memory: the second party is the line that freed it. */
static CudaCode refuse_freed(Device *device, uint64_t address, Side side) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .place = complain_line(device, allocation->free_site)};
    complain_that(device,
                  (Complaint){.kind = FINDING_USE_AFTER_FREE,
                              .other_site = allocation->free_site,
                              .other_what = "freed"},
                  said_copy(COPY_FREED_MESSAGE, COPY_FREED_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/** The device side of a copy or memset is no device memory. */
static CudaCode refuse_device_side(Device *device, uint64_t address, Side side) {
    DeviceAddressKind kind = objects_address_kind(device, address);
    if (kind == ADDRESS_FREED) return refuse_freed(device, address, side);
    const DeviceVariable *variable = objects_variable(device, address);
    bool host = kind == ADDRESS_STACK || kind == ADDRESS_IMAGE, shadow = kind == ADDRESS_SHADOW;
    bool wrong_side = objects_is_host_address(kind);
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .host = host,
                       .null = kind == ADDRESS_NULL,
                       .placeholder = shadow ? variable->name : NULL,
                       .memory = complain_address(device, address)};
    complain_that(device, (Complaint){.kind = wrong_side ? FINDING_HOST_DEVICE_POINTER : FINDING_API_MISUSE},
                  said_copy(COPY_NOT_DEVICE_MESSAGE, COPY_NOT_DEVICE_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/** The host side of a copy is in device memory, or null. */
static CudaCode refuse_host_side(Device *device, uint64_t address, Side side) {
    bool null = objects_address_kind(device, address) == ADDRESS_NULL;
    CopyFacts facts = {.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .null = null,
                       .memory = complain_address(device, address)};
    complain_that(device, (Complaint){.kind = null ? FINDING_API_MISUSE : FINDING_HOST_DEVICE_POINTER},
                  said_copy(COPY_NOT_HOST_MESSAGE, COPY_NOT_HOST_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/* ---- how far it reaches ---- */

/** The copy goes past the end of the allocation that it begins in: facts of all but where that is. */
static CopyFacts too_long(Device *device, uint64_t bytes, uint64_t room, uint64_t whole, Side side) {
    return (CopyFacts){.function = serve_function(device),
                       .to = side == SIDE_TO,
                       .bytes = bytes,
                       .room = room,
                       .whole = whole,
                       .quarter = room != 0 && bytes == 4 * room,
                       .eighth = room != 0 && bytes == 8 * room};
}

/** The bytes from the first row's start to the last row's end; false when that overflows. */
static bool reach(uint64_t pitch, uint64_t width, uint64_t height, uint64_t *bytes) {
    if (__builtin_mul_overflow(pitch, height - 1, bytes)) return false;
    return !__builtin_add_overflow(*bytes, width, bytes);
}

/** Pinned or managed memory that the copy's host side goes past, or lies behind; NULL: it does neither. */
static const GpuAllocation *find_overrun(const Device *device, uint64_t address, uint64_t bytes) {
    const GpuAllocation *allocation = gpu_memory_nearest(device->gpu, address);
    if (allocation == NULL || allocation->freed || address < allocation->address) return NULL;
    if (allocation->kind != GPU_ALLOC_MAPPED && allocation->kind != GPU_ALLOC_MANAGED) return NULL;
    uint64_t offset = address - allocation->address;
    return offset > allocation->bytes || bytes > allocation->bytes - offset ? allocation : NULL;
}

/** The host side goes past the end of pinned or managed memory. */
static CudaCode refuse_overrun(Device *device, const GpuAllocation *allocation, uint64_t address,
                               uint64_t bytes, Side side) {
    uint64_t offset = address - allocation->address;
    uint64_t room = offset < allocation->bytes ? allocation->bytes - offset : 0;
    CopyFacts facts = too_long(device, bytes, room, allocation->bytes, side);
    facts.managed = allocation->kind == GPU_ALLOC_MANAGED;
    complain_that(device,
                  (Complaint){.kind = FINDING_OUT_OF_BOUNDS,
                              .other_site = allocation->alloc_site,
                              .other_what = "allocated"},
                  said_copy(COPY_TOO_LONG_MESSAGE, COPY_TOO_LONG_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

static CudaCode check_host_side(Device *device, uint64_t address, uint64_t pitch, uint64_t width,
                                uint64_t height, Side side) {
    DeviceAddressKind kind = objects_address_kind(device, address);
    uint64_t bytes = UINT64_MAX;
    if (objects_is_host_address(kind) || !reach(pitch, width, height, &bytes)) return CUDA_OK;
    const GpuAllocation *overrun = find_overrun(device, address, bytes);
    if (overrun != NULL && (kind == ADDRESS_SHARED || kind == ADDRESS_NEAR))
        return refuse_overrun(device, overrun, address, bytes, side);
    return kind == ADDRESS_SHARED ? CUDA_OK : refuse_host_side(device, address, side);
}

/** The device side must lie in one allocation; the finding says how many bytes are left there. */
static CudaCode check_device_side(Device *device, uint64_t address, uint64_t pitch, uint64_t width,
                                  uint64_t height, Side side) {
    if (!is_device_memory(objects_address_kind(device, address)))
        return refuse_device_side(device, address, side);
    uint64_t bytes = UINT64_MAX, room = gpu_memory_room(device->gpu, address);
    bool fits = reach(pitch, width, height, &bytes) && bytes <= room;
    if (fits) return CUDA_OK;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    CopyFacts facts = too_long(device, bytes, room, allocation->bytes, side);
    Complaint complaint = {.kind = FINDING_OUT_OF_BOUNDS};
    if (allocation->variable != NULL) {
        facts.variable = allocation->variable->plain_name;
    } else {
        facts.place = complain_line(device, allocation->alloc_site);
        complaint.other_site = allocation->alloc_site;
        complaint.other_what = "allocated";
    }
    complain_that(device, complaint, said_copy(COPY_TOO_LONG_MESSAGE, COPY_TOO_LONG_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

/* ---- the call ---- */

static int resolve_default(Device *device, const DeviceCopy *copy) {
    bool to = gpu_memory_find(device->gpu, copy->to) != NULL && objects_shared(device, copy->to) == NULL;
    bool from =
        gpu_memory_find(device->gpu, copy->from) != NULL && objects_shared(device, copy->from) == NULL;
    if (to) return from ? COPY_DEVICE_TO_DEVICE : COPY_HOST_TO_DEVICE;
    return from ? COPY_DEVICE_TO_HOST : COPY_HOST_TO_HOST;
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
    CudaCode error = to_device ? check_device_side(device, c->to, c->to_pitch, c->width, c->height, SIDE_TO)
                               : check_host_side(device, c->to, c->to_pitch, c->width, c->height, SIDE_TO);
    if (error != CUDA_OK) return error;
    return from_device ? check_device_side(device, c->from, c->from_pitch, c->width, c->height, SIDE_FROM)
                       : check_host_side(device, c->from, c->from_pitch, c->width, c->height, SIDE_FROM);
}

/** Rows must fit their pitches, and the length must be one: a negative number that became a size_t is said
 * to be that. */
static CudaCode check_shape(Device *device, const DeviceCopy *c) {
    uint64_t bytes, pitch = c->to_pitch < c->from_pitch ? c->to_pitch : c->from_pitch;
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
    return objects_shared(device, call->copy.from) == NULL && objects_pinned(device, call->copy.from) == NULL;
}

/** "For transfers from device memory to pageable host memory, the function will return only once the copy has
 * completed" (CUDA Runtime API, API synchronization behavior): the host may use or free the memory then. */
static bool must_finish(Device *device, const CopyCall *call, const DeviceStream *stream) {
    if (call->wait) return true;
    if (stream->capture != NULL || call->copy.direction != COPY_DEVICE_TO_HOST) return false;
    return objects_shared(device, call->copy.to) == NULL && objects_pinned(device, call->copy.to) == NULL;
}

/** Ordinary memory in a stream of the program's own: the copy is right, but overlaps with nothing on a card.
 */
static void note_pageable(Device *device, const CopyCall *call, const DeviceStream *stream) {
    bool to_host = call->copy.direction == COPY_DEVICE_TO_HOST;
    bool own = stream->handle > STREAM_BUILDER && stream->capture == NULL;
    if (call->wait || !own || (!to_host && call->copy.direction != COPY_HOST_TO_DEVICE)) return;
    uint64_t host = to_host ? call->copy.to : call->copy.from;
    if (objects_shared(device, host) != NULL || objects_pinned(device, host) != NULL) return;
    CopyFacts facts = {.function = serve_function(device), .to = to_host};
    complain_that(device, (Complaint){.kind = FINDING_API_MISUSE, .note = true},
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
    pitched_note(device, &(PitchedUse){c->to, c->to_pitch, c->width, c->height, c->from_pitch});
    pitched_note(device, &(PitchedUse){c->from, c->from_pitch, c->width, c->height, c->to_pitch});
    if (c->height > 1) return;
    if (c->direction == COPY_HOST_TO_DEVICE) hints_note(device, c->to, c->width, true);
    /* One number for a variable of the host's is no short copy of an array. */
    DeviceAddressKind kind = objects_address_kind(device, c->to);
    bool number = c->width <= sizeof(double) && (kind == ADDRESS_STACK || kind == ADDRESS_IMAGE);
    if (c->direction == COPY_DEVICE_TO_HOST && !number) hints_note(device, c->from, c->width, false);
}

/** LIMIT: the numbers are made when the call is, and a graph would want new ones at each launch. */
static CudaCode refuse_captured(Device *device, Graph *graph) {
    graph->invalid = true;
    CopyFacts facts = {.function = serve_function(device)};
    complain(device, FINDING_LIMIT, said_copy(COPY_CAPTURED_MESSAGE, COPY_CAPTURED_WHY, &facts));
    return CUDA_CAPTURE_UNSUPPORTED;
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
    if (stream->capture == NULL && must_stage(device, call) && !copies_stage(device, &call->copy))
        return CUDA_OUT_OF_MEMORY;
    DeviceOperation *operation = queue_add(device, OPERATION_COPY, stream);
    if (operation == NULL) return CUDA_OUT_OF_MEMORY;
    if (stream->capture == NULL && !call->library) note_shape(device, &call->copy);
    operation->copy = call->copy;
    operation->copy.library = call->library;
    return must_finish(device, call, stream) ? queue_run_to(device, operation) : CUDA_OK;
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
    c->direction = call->kind == COPY_DEFAULT ? resolve_default(device, c) : call->kind;
    if (is_swapped(device, c, call->kind)) return refuse_swapped(device, c, call->kind);
    error = check_sides(device, c);
    return error != CUDA_OK ? error : start(device, call);
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

static CudaCode copy_bytes(Device *device, const Arguments_cudaMemcpyAsync *a, ServeHow how) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    how.kind = a->kind;
    how.stream = a->stream;
    return serve_copy_rows(device, &run, how);
}

SERVE(serve_memcpy, cudaMemcpyAsync) {
    return copy_bytes(device, a, (ServeHow){.wait = true});
}

SERVE(serve_memcpy_async, cudaMemcpyAsync) {
    return copy_bytes(device, a, (ServeHow){.wait = false});
}

SERVE(serve_curand, curandGenerate) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    const ServeHow how = {.kind = a->kind, .stream = a->stream, .library = true};
    return serve_copy_rows(device, &run, how);
}

static CudaCode copy_2d(Device *device, const Arguments_cudaMemcpy2DAsync *a, bool wait) {
    const ServeRows rows = {a->to, a->to_pitch, a->from, a->from_pitch, a->width, a->height};
    const ServeHow how = {.kind = a->kind, .stream = a->stream, .wait = wait};
    return serve_copy_rows(device, &rows, how);
}

SERVE(serve_memcpy_2d, cudaMemcpy2DAsync) {
    return copy_2d(device, a, true);
}

SERVE(serve_memcpy_2d_async, cudaMemcpy2DAsync) {
    return copy_2d(device, a, false);
}

/** The addresses say whose memory it is. */
static CudaCode copy_peer(Device *device, const Arguments_cudaMemcpyPeerAsync *a, bool wait) {
    const ServeRows run = serve_run(a->to, a->from, a->bytes);
    const ServeHow how = {.kind = COPY_DEVICE_TO_DEVICE, .stream = a->stream, .wait = wait};
    return serve_copy_rows(device, &run, how);
}

SERVE(serve_memcpy_peer, cudaMemcpyPeerAsync) {
    return copy_peer(device, a, true);
}

SERVE(serve_memcpy_peer_async, cudaMemcpyPeerAsync) {
    return copy_peer(device, a, false);
}

/* ---- variables ---- */

/** A copy to or from a device variable, whichever function asked for it. */
typedef struct SymbolCall {
    uint64_t symbol, host, bytes, offset, stream;
    int kind;
    bool to_symbol, wait;
} SymbolCall;

static CudaCode check_symbol_length(Device *device, const SymbolCall *call, const GpuAllocation *variable) {
    if (call->offset <= variable->bytes && call->bytes <= variable->bytes - call->offset) return CUDA_OK;
    CopyFacts facts = {.function = serve_function(device),
                       .bytes = call->bytes,
                       .offset = call->offset,
                       .variable = variable->variable != NULL ? variable->variable->plain_name : "",
                       .whole = variable->bytes};
    complain(device, FINDING_OUT_OF_BOUNDS,
             said_copy(COPY_SYMBOL_LENGTH_MESSAGE, COPY_SYMBOL_LENGTH_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

static CudaCode check_symbol_kind(Device *device, const SymbolCall *call) {
    int usual = call->to_symbol ? COPY_HOST_TO_DEVICE : COPY_DEVICE_TO_HOST;
    if (call->kind == usual || call->kind == COPY_DEVICE_TO_DEVICE || call->kind == COPY_DEFAULT)
        return CUDA_OK;
    CopyFacts facts = {.function = serve_function(device)};
    complain(device, FINDING_API_MISUSE,
             said_copy(COPY_SYMBOL_DIRECTION_MESSAGE, COPY_SYMBOL_DIRECTION_WHY, &facts));
    return CUDA_INVALID_DIRECTION;
}

/** A copy to or from a variable is a copy at an address, once the variable is found and the bytes fit. */
static CudaCode symbol_copy(Device *device, const SymbolCall *call) {
    DeviceVariable *variable = serve_variable(device, call->symbol);
    if (variable == NULL) return CUDA_INVALID_SYMBOL;
    const GpuAllocation *allocation = objects_variable_load(device, variable);
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    CudaCode error = check_symbol_kind(device, call);
    if (error == CUDA_OK) error = check_symbol_length(device, call, allocation);
    if (error != CUDA_OK || call->bytes == 0) return error;
    uint64_t inside = allocation->address + call->offset;
    ServeRows run = serve_run(inside, call->host, call->bytes);
    if (!call->to_symbol) run = serve_run(call->host, inside, call->bytes);
    const ServeHow how = {.kind = (uint64_t)call->kind, .wait = call->wait, .stream = call->stream};
    error = serve_copy_rows(device, &run, how);
    if (error == CUDA_OK && call->to_symbol)
        symbolcopies_copied(device, allocation, call->offset, call->bytes);
    return error;
}

static CudaCode copy_to_symbol(Device *device, const Arguments_cudaMemcpyToSymbolAsync *a, bool wait) {
    const SymbolCall call = {.symbol = a->symbol,
                             .host = a->from,
                             .bytes = a->bytes,
                             .offset = a->offset,
                             .stream = a->stream,
                             .kind = (int)a->kind,
                             .to_symbol = true,
                             .wait = wait};
    return symbol_copy(device, &call);
}

SERVE(serve_to_symbol, cudaMemcpyToSymbolAsync) {
    return copy_to_symbol(device, a, true);
}

SERVE(serve_to_symbol_async, cudaMemcpyToSymbolAsync) {
    return copy_to_symbol(device, a, false);
}

static CudaCode copy_from_symbol(Device *device, const Arguments_cudaMemcpyFromSymbolAsync *a, bool wait) {
    const SymbolCall call = {.symbol = a->symbol,
                             .host = a->to,
                             .bytes = a->bytes,
                             .offset = a->offset,
                             .stream = a->stream,
                             .kind = (int)a->kind,
                             .to_symbol = false,
                             .wait = wait};
    return symbol_copy(device, &call);
}

SERVE(serve_from_symbol, cudaMemcpyFromSymbolAsync) {
    return copy_from_symbol(device, a, true);
}

SERVE(serve_from_symbol_async, cudaMemcpyFromSymbolAsync) {
    return copy_from_symbol(device, a, false);
}

/* ---- memset ---- */

/** Asynchronous for the host in any case, as on a device. Nothing to set adds no operation. */
static CudaCode set(Device *device, const ServeSet *call) {
    graph_memory_show_to(device, call->stream);
    if (call->width == 0 || call->height == 0) return CUDA_OK;
    DeviceCopy shape = {
        .to_pitch = call->pitch, .from_pitch = call->pitch, .width = call->width, .height = call->height};
    CudaCode error = serve_refuse_array(device, call->address, call->address);
    if (error == CUDA_OK) error = check_shape(device, &shape);
    if (error == CUDA_OK)
        error = check_device_side(device, call->address, call->pitch, call->width, call->height, SIDE_TO);
    if (error != CUDA_OK) return error;
    if (call->element == 1) memsets_asked(device, (int)call->value);
    DeviceStream *stream = serve_stream(device, call->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
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
    return CUDA_OK;
}

CudaCode serve_set_elements(Device *device, const ServeSet *call) {
    bool known = call->element == 1 || call->element == 2 || call->element == 4;
    if (!known || call->width % call->element != 0 || call->address % call->element != 0)
        return CUDA_INVALID_VALUE;
    return set(device, call);
}

SERVE(serve_memset, cudaMemsetAsync) {
    const ServeSet call = {.address = a->address,
                           .pitch = a->bytes,
                           .value = a->value,
                           .width = a->bytes,
                           .height = 1,
                           .stream = a->stream,
                           .element = 1};
    return set(device, &call);
}

SERVE(serve_memset_2d, cudaMemset2DAsync) {
    const ServeSet call = {.address = a->address,
                           .pitch = a->pitch,
                           .value = a->value,
                           .width = a->width,
                           .height = a->height,
                           .stream = a->stream,
                           .element = 1};
    return set(device, &call);
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
                     .element = 1};
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
