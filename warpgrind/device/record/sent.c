/* sent.c - records of what the program sends, in one growing block; see sent.h.
 *
 * Records are made where their work runs, which may be in another order than that of the calls when streams
 * wait for each other; each remembers its call's number, and they are put in order when they are written.
 * Each record has the devices whose memory it may use (base/sent.h), so that a reader need not mind how the
 * calls of host threads happened to mix. Memory that both sides use belongs to no device (sent_shared.c).
 * LIMIT: the calls of host threads that use the same device at the same time are kept as they came, each with
 * its thread, and where they come in another order in the other run, the runs cannot be compared.
 */
#include "device/record/sent.h"

#include "device/state/devices.h"
#include "device/record/sent_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    OFFSET_BITS = 40 /* of a place in an allocation, where it is one word with the allocation's number */
};

Sent *sent_create(void) {
    Sent *sent = calloc(1, sizeof *sent);
    if (sent == NULL) return NULL;
    text_init(&sent->bytes);
    sent->open = SIZE_MAX;
    sent->starts = malloc(SENT_MOST_RECORDS * sizeof *sent->starts);
    if (sent->starts != NULL) return sent;
    free(sent);
    return NULL;
}

/** A piece keeps two copies of shared memory, which it owns. */
void sent_destroy(Sent *sent) {
    if (sent == NULL) return;
    for (SentPiece *piece = sent->pieces, *next; piece != NULL; piece = next) {
        next = piece->next;
        free(piece->last);
        free(piece->before);
        free(piece);
    }
    text_free(&sent->bytes);
    free(sent->starts);
    free(sent);
}

/* Calls that are no work of a stream stand behind the work that was asked for before them. */
static SentCall call_now(const Device *device) {
    unsigned current = devices_current(device);
    return (SentCall){.order = 2 * device->queue.next_sequence + 1,
                      .site = device->serving.site,
                      .device = current,
                      .thread = device->serving.request->thread % DEVICE_MAX_THREADS,
                      .devices = 1U << current,
                      .mark = device->program.mark,
                      .kernel = ""};
}

/* The memory of a device, as a bit; memory of the host is told by its piece. */
static uint32_t owner_bit(Device *device, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || objects_shared(device, address) != NULL) return 0;
    return 1U << devices_owner(device, allocation);
}

/* ---- copies ---- */

static SentKind kind_of_copy(Device *device, const DeviceCopy *copy) {
    if (copy->direction == COPY_DEVICE_TO_HOST) return SENT_BACK;
    if (copy->direction == COPY_HOST_TO_DEVICE || objects_shared(device, copy->from) != NULL)
        return SENT_COPY;
    return SENT_MOVE;
}

static void add_rows(Device *device, const DeviceCopy *copy) {
    for (uint64_t row = 0; row < copy->height; row++) {
        const void *bytes = gpu_memory_host(device->gpu, copy->from + row * copy->from_pitch, copy->width);
        if (bytes != NULL) sent_record_contents(device->sent, bytes, copy->width);
    }
}

/* Where the bytes go, or come from when they go to the host. */
static unsigned device_of_copy(const Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    uint64_t address;
    if (copy->direction == COPY_DEVICE_TO_HOST)
        address = copy->from;
    else
        address = copy->to;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation != NULL) return devices_owner(device, allocation);
    return operation->device;
}

/** A copy becomes a record with shape and addresses; its bytes follow in pieces (sent->open) unless both
 * sides are on the device. Which side counts as the host's depends on the memory, not on the call: mapped
 * memory is the host's, whatever the call says. */
void sent_begin_copy(Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    if (device->sent == NULL || copy->direction == COPY_HOST_TO_HOST) return;
    SentKind kind = kind_of_copy(device, copy);
    uint64_t numbers[8] = {copy->width, copy->height};
    unsigned count = 2;
    if (copy->direction != COPY_DEVICE_TO_HOST) {
        sent_record_put_address(device, copy->to, numbers + count);
        numbers[count + 2] = copy->to_pitch;
        count += 3;
    }
    if (copy->direction != COPY_HOST_TO_DEVICE) {
        sent_record_put_address(device, copy->from, numbers + count);
        numbers[count + 2] = copy->from_pitch;
        count += 3;
    }
    SentCall call = sent_record_call_of(operation);
    call.device = device_of_copy(device, operation);
    call.devices |= owner_bit(device, copy->to) | owner_bit(device, copy->from);
    call.devices |=
        sent_shared_copied(device, operation, copy->to) | sent_shared_copied(device, operation, copy->from);
    sent_record_add(device, kind, &call, numbers, count);
    bool within = copy->direction == COPY_DEVICE_TO_DEVICE;
    if (within && kind == SENT_COPY) add_rows(device, copy);
    if (!within) device->sent->open = device->sent->count;
}

void sent_contents(Device *device, const void *bytes, uint64_t count) {
    if (device->sent == NULL || device->sent->open == SIZE_MAX) return;
    sent_record_contents(device->sent, bytes, count);
}

/* What the copy has left in memory that both sides use is the device's. */
void sent_end_copy(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    sent_record_pad(&device->sent->bytes);
    device->sent->open = SIZE_MAX;
    SentPiece *piece = sent_shared_piece(device->sent, operation->copy.to);
    if (piece == NULL || operation->copy.direction == COPY_HOST_TO_HOST) return;
    for (uint64_t row = 0; row < operation->copy.height; row++)
        sent_shared_learn(device, piece, operation->copy.to + row * operation->copy.to_pitch,
                          operation->copy.width);
}

void sent_set(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    uint64_t numbers[7] = {operation->set.width, operation->set.height, operation->set.pitch,
                           (uint64_t)(int64_t)operation->set.value, operation->set.element};
    sent_record_put_address(device, operation->set.address, numbers + 5);
    SentCall call = sent_record_call_of(operation);
    call.devices |= owner_bit(device, operation->set.address);
    if (objects_shared(device, operation->set.address) != NULL) call.devices |= SENT_EVERY_DEVICE;
    sent_record_add(device, SENT_SET, &call, numbers, 7);
}

/* ---- launches ---- */

/* What the kernel does not read says nothing: the padding of a structure, or a member that is never used, may
 * hold whatever was in memory before. The kernel gets the zeros, too, so that no hidden way leads there. */
static void clear_unread(const PtxFunction *function, uint8_t *block) {
    const size_t bytes = function->parameter_bytes;
    uint8_t *read = malloc(bytes + 1);
    if (read == NULL) return;
    ptx_mark_parameters(function, read);
    for (size_t i = 0; i < bytes; i++)
        if (read[i] == 0) block[i] = 0;
    free(read);
}

/* A pointer is told by its allocation, so that two machines may place it differently. */
static void add_parameters(Device *device, const PtxFunction *function, const uint8_t *block) {
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value = 0, told[2];
        if (parameter->bytes == sizeof value) {
            memcpy(&value, block + parameter->offset, sizeof value);
            sent_record_put_address(device, value, told);
            if (told[0] != 0) value = told[0] << OFFSET_BITS | told[1];
            sent_record_contents(device->sent, &value, sizeof value);
        } else {
            sent_record_contents(device->sent, block + parameter->offset, parameter->bytes);
            sent_record_contents(device->sent, &value, sent_padded(parameter->bytes) - parameter->bytes);
        }
    }
}

static bool has_function(const DeviceModule *module, const PtxFunction *function) {
    for (uint32_t i = 0; module->ptx != NULL && i < module->ptx->function_count; i++)
        if (module->ptx->functions[i] == function) return true;
    return false;
}

/* Which of the program's modules the function is in, counted from the newest: two may have kernels of one
 * name. */
static uint64_t module_of(const Device *device, const PtxFunction *function) {
    uint64_t number = 0;
    const DeviceModule *module = device->objects.modules;
    for (; module != NULL && !has_function(module, function); module = module->next)
        number++;
    return number;
}

/** A launch becomes a record with all that its kernel can ask about it, and its parameters, in which pointers
 * stand as allocation and offset: two runs have their memory at different addresses. */
void sent_launch(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    const GpuLaunchSpec *spec = &operation->launch.spec;
    const PtxFunction *function = gpu_kernel_function(spec->kernel);
    const uint64_t numbers[] = {spec->grid.x,         spec->grid.y,      spec->grid.z,
                                spec->block.x,        spec->block.y,     spec->block.z,
                                spec->dynamic_shared, spec->cooperative, module_of(device, function)};
    SentCall call = sent_record_call_of(operation);
    call.kernel = function->name;
    device->sent->launch = device->sent->count;
    sent_record_add(device, SENT_LAUNCH, &call, numbers, sizeof numbers / sizeof *numbers);
    clear_unread(function, operation->launch.parameters);
    add_parameters(device, function, operation->launch.parameters);
    sent_record_pad(&device->sent->bytes);
}

/* ---- at the call ---- */

void sent_allocate(Device *device, uint64_t address, uint64_t bytes) {
    if (device->sent == NULL) return;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    uint64_t numbers[4];
    sent_record_put_address(device, address, numbers);
    numbers[2] = bytes;
    numbers[3] = allocation != NULL && allocation->kind == GPU_ALLOC_MAPPED;
    SentCall call = call_now(device);
    call.devices |= 1U << devices_owner(device, allocation);
    sent_record_add(device, SENT_ALLOCATE, &call, numbers, 4);
}

static void add_free(Device *device, uint64_t address, SentCall call) {
    uint64_t numbers[2];
    sent_record_put_address(device, address, numbers);
    call.devices |= 1U << devices_owner(device, gpu_memory_find(device->gpu, address));
    sent_record_add(device, SENT_FREE, &call, numbers, 2);
}

void sent_free(Device *device, uint64_t address) {
    if (device->sent == NULL) return;
    add_free(device, address, call_now(device));
}

void sent_free_in_stream(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    add_free(device, operation->memory.address, sent_record_call_of(operation));
}

void sent_module(Device *device, const void *image, uint64_t bytes) {
    if (device->sent == NULL) return;
    SentCall call = call_now(device);
    call.devices = SENT_EVERY_DEVICE;
    sent_record_whole(device, SENT_MODULE, &call, NULL, 0, image, bytes);
}

void sent_module_on_device(Device *device, unsigned number) {
    if (device->sent == NULL) return;
    SentCall call = call_now(device);
    call.devices = 1U << number;
    sent_record_add(device, SENT_MODULE, &call, NULL, 0);
}

void sent_setting(Device *device, uint64_t which, uint64_t value) {
    if (device->sent == NULL) return;
    const uint64_t numbers[2] = {which, value};
    SentCall call = call_now(device);
    call.devices = SENT_EVERY_DEVICE;
    sent_record_add(device, SENT_SETTING, &call, numbers, 2);
}

void sent_object(Device *device, const void *description, uint64_t bytes) {
    if (device->sent == NULL) return;
    SentCall call = call_now(device);
    sent_record_whole(device, SENT_OBJECT, &call, NULL, 0, description, bytes);
}

/* ---- writing ---- */

/** A record's bytes and its place in the order of calls. */
typedef struct Place {
    uint64_t order;
    size_t start, end;
} Place;

static int compare_places(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    if (x->start < y->start) return -1;
    return 1;
}

static bool write_cut(int file) {
    const SentRecord cut = {.magic = SENT_MAGIC, .kind = SENT_CUT};
    return text_write(file, (const char *)&cut, sizeof cut);
}

/* Records that already stand in order, as they nearly always do, go out together. */
bool sent_write(Sent *sent, int file) {
    Place *places = calloc(sent->count + 1, sizeof *places);
    if (places == NULL || sent->bytes.failed) {
        free(places);
        return write_cut(file);
    }
    sent_shared_settle(sent);
    for (unsigned i = 0; i < sent->count; i++) {
        SentRecord record;
        memcpy(&record, sent->bytes.bytes + sent->starts[i], sizeof record);
        places[i] = (Place){record.order, sent->starts[i],
                            i + 1 < sent->count ? sent->starts[i + 1] : sent->bytes.length};
    }
    qsort(places, sent->count, sizeof *places, compare_places);
    bool fine = true;
    for (unsigned i = 0; i < sent->count && fine;) {
        unsigned next = i + 1;
        while (next < sent->count && places[next].start == places[next - 1].end)
            next++;
        fine = text_write(file, sent->bytes.bytes + places[i].start, places[next - 1].end - places[i].start);
        i = next;
    }
    free(places);
    return fine && (!sent->cut || write_cut(file));
}
