/* sent.c - records of what the program sends, in one growing block; see sent.h.
 *
 * Records are made where their work runs, which may be in another order than that of the calls when streams
 * wait for each other; each remembers its call's number, and they are put in order when they are written.
 * Each record has the devices whose memory it may use (base/sent.h), so that a reader need not mind how the
 * calls of host threads happened to mix. Memory that both sides use belongs to no device: of each piece it is
 * known which stretch each device has used, and where two of them meet, the records count as having it in
 * common. That shows at the end only, so it is settled when the records are written.
 * LIMIT: the calls of host threads that use the same device at the same time are kept as they came, each with
 * its thread, and where they come in another order in the other run, the runs cannot be compared.
 */
#include "device/sent.h"

#include "base/sent.h"
#include "device/device.h"
#include "device/devices.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WORD = 4,
    MOST_RECORDS = 1 << 16,
    PLACES = 64,
    NUMBER_BITS = 21, /* of an allocation's number among its device's; the device's three stand above */
    OFFSET_BITS = 40  /* of a place in it, where both are one word */
};
#define MOST_BYTES ((size_t)64 << 20)

/* From the first byte to one past the last, from a piece's start; empty when end is 0. */
typedef struct Stretch {
    uint64_t first, end;
} Stretch;

/* A piece of shared memory as the devices have left it. */
typedef struct Piece {
    uint64_t address, bytes;
    uint8_t *last;   /* as the devices left it */
    uint8_t *before; /* as it was before the running launch */
    Stretch read;    /* by the running launch */
    Stretch touched; /* by the running launch, reading or writing */
    Stretch written; /* by it */
    Stretch used[DEVICE_MAX_DEVICES];
    bool by_kernels;
    struct Piece *next;
} Piece;

struct Sent {
    Text bytes;
    size_t *starts; /* of each record */
    unsigned count;
    size_t open;     /* the running copy's record; SIZE_MAX: none */
    unsigned launch; /* the running launch's record */
    bool cut, watched;
    Piece *pieces;
    struct {
        uint64_t site;
        CheckPlace place;
    } places[PLACES];
};

Sent *sent_create(void) {
    Sent *sent = calloc(1, sizeof *sent);
    if (sent == NULL) return NULL;
    text_init(&sent->bytes);
    sent->open = SIZE_MAX;
    sent->starts = malloc(MOST_RECORDS * sizeof *sent->starts);
    if (sent->starts != NULL) return sent;
    free(sent);
    return NULL;
}

/** A piece keeps two copies of shared memory, which it owns. */
void sent_destroy(Sent *sent) {
    if (sent == NULL) return;
    for (Piece *piece = sent->pieces, *next; piece != NULL; piece = next) {
        next = piece->next;
        free(piece->last);
        free(piece->before);
        free(piece);
    }
    text_free(&sent->bytes);
    free(sent->starts);
    free(sent);
}

/* ---- records ---- */

static void pad(Text *text) {
    static const char zeros[8];
    text_append(text, zeros, (size_t)(sent_padded(text->length) - text->length));
}

static void add_padded(Text *text, const void *bytes, size_t count) {
    text_append(text, bytes, count);
    pad(text);
}

/* Lines are looked up once for each site. */
static CheckPlace place_of(Device *device, uint64_t site) {
    unsigned slot = (unsigned)(site % PLACES);
    if (device->sent->places[slot].site != site) {
        CheckPlace place = {0};
        if (site == 0 || !symbols_place(device->symbols, site, &place)) place = (CheckPlace){0};
        device->sent->places[slot].site = site;
        device->sent->places[slot].place = place;
    }
    return device->sent->places[slot].place;
}

/** What all records have in common: whose call it was, where, and for which device. */
typedef struct Call {
    uint64_t order, site;
    unsigned device, thread;
    uint32_t devices; /* whose memory it may use, as bits */
    const char *mark, *kernel;
} Call;

/* Calls that are no work of a stream stand behind the work that was asked for before them. */
static Call call_now(const Device *device) {
    unsigned current = devices_current(device);
    return (Call){.order = 2 * device->queue.next_sequence + 1,
                  .site = device->serving.site,
                  .device = current,
                  .thread = device->serving.request->thread % DEVICE_MAX_THREADS,
                  .devices = 1U << current,
                  .mark = device->program.mark,
                  .kernel = ""};
}

static Call call_of(const DeviceOperation *operation) {
    return (Call){.order = 2 * operation->sequence,
                  .site = operation->site,
                  .device = operation->device,
                  .thread = operation->thread,
                  .devices = 1U << operation->device,
                  .mark = operation->mark,
                  .kernel = ""};
}

static bool has_room(Sent *sent, uint64_t bytes) {
    sent->cut = sent->cut || sent->count == MOST_RECORDS || bytes > MOST_BYTES ||
                sent->bytes.length + bytes > MOST_BYTES || sent->bytes.failed;
    return !sent->cut;
}

/* The record without its contents. */
static void add(Device *device, SentKind kind, const Call *call, const uint64_t *numbers, unsigned count) {
    Sent *sent = device->sent;
    if (!has_room(sent, sizeof(SentRecord))) return;
    CheckPlace place = place_of(device, call->site);
    const char *file = place.file != NULL ? place.file : "";
    const SentRecord record = {.magic = SENT_MAGIC,
                               .kind = (uint32_t)kind,
                               .order = call->order,
                               .line = (uint32_t)place.line,
                               .kernel_bytes = (uint32_t)strlen(call->kernel),
                               .file_bytes = (uint32_t)strlen(file),
                               .mark_bytes = (uint32_t)strlen(call->mark),
                               .numbers = count,
                               .devices = (uint16_t)call->devices,
                               .device = (uint16_t)call->device,
                               .thread = call->thread};
    sent->starts[sent->count++] = sent->bytes.length;
    text_append(&sent->bytes, (const char *)&record, sizeof record);
    add_padded(&sent->bytes, call->kernel, record.kernel_bytes);
    add_padded(&sent->bytes, file, record.file_bytes);
    add_padded(&sent->bytes, call->mark, record.mark_bytes);
    if (count > 0) text_append(&sent->bytes, (const char *)numbers, count * sizeof *numbers);
}

static void add_contents(Sent *sent, const void *bytes, uint64_t count) {
    if (sent->count == 0 || !has_room(sent, count)) return;
    text_append(&sent->bytes, bytes, (size_t)count);
    SentRecord record;
    char *start = sent->bytes.bytes + sent->starts[sent->count - 1];
    memcpy(&record, start, sizeof record);
    record.contents += count;
    memcpy(start, &record, sizeof record);
}

static void add_whole(Device *device, SentKind kind, const Call *call, const uint64_t *numbers,
                      unsigned count, const void *bytes, uint64_t length) {
    add(device, kind, call, numbers, count);
    add_contents(device->sent, bytes, length);
    pad(&device->sent->bytes);
}

/* Two numbers: which allocation of which device, and where in it; 0 and the address itself for anything else.
 */
static void put_address(const Device *device, uint64_t address, uint64_t *numbers) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    numbers[0] = 0;
    numbers[1] = address;
    if (allocation == NULL) return;
    if (allocation->number >= 1U << NUMBER_BITS) device->sent->cut = true;
    numbers[0] = (uint64_t)devices_owner(device, allocation) << NUMBER_BITS | allocation->number;
    numbers[1] = address - allocation->address;
}

/* The memory of a device, as a bit; memory of the host is told by its piece. */
static uint32_t owner_bit(Device *device, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || objects_shared(device, address) != NULL) return 0;
    return 1U << devices_owner(device, allocation);
}

/* ---- pieces of shared memory ---- */

static Piece *piece_at(const Sent *sent, uint64_t address) {
    for (Piece *piece = sent->pieces; piece != NULL; piece = piece->next)
        if (address - piece->address < piece->bytes) return piece;
    return NULL;
}

static const uint8_t *bytes_of(Device *device, const Piece *piece) {
    if (piece->last == NULL || piece->before == NULL) return NULL;
    return gpu_memory_host(device->gpu, piece->address, piece->bytes);
}

/* One stretch holds all that was touched: what lies between is counted too. */
static void stretch_add(Stretch *stretch, uint64_t first, uint64_t end) {
    if (stretch->end == 0 || first < stretch->first) stretch->first = first;
    if (end > stretch->end) stretch->end = end;
}

static void piece_use(Piece *piece, unsigned device, uint64_t first, uint64_t bytes) {
    uint64_t end = bytes > piece->bytes - first ? piece->bytes : first + bytes;
    if (end > first) stretch_add(&piece->used[device], first, end);
}

/* Two devices have used the same place, and at least one of them by a kernel. */
static bool piece_is_common(const Piece *piece) {
    for (unsigned i = 1; piece->by_kernels && i < DEVICE_MAX_DEVICES; i++)
        for (unsigned j = 0; j < i; j++) {
            const Stretch *a = &piece->used[i], *b = &piece->used[j];
            if (a->end > 0 && b->end > 0 && a->first < b->end && b->first < a->end) return true;
        }
    return false;
}

/* Bytes that the device has left there are nothing that the host sends. */
static void learn(Device *device, Piece *piece, uint64_t address, uint64_t bytes) {
    const uint8_t *now = bytes_of(device, piece);
    uint64_t first = address - piece->address;
    if (now == NULL || first >= piece->bytes) return;
    if (bytes > piece->bytes - first) bytes = piece->bytes - first;
    memcpy(piece->last + first, now + first, (size_t)bytes);
}

static Piece *find_piece(Device *device, const DeviceShared *shared) {
    for (Piece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        if (piece->address == shared->address && piece->bytes == shared->bytes) return piece;
    Piece *piece = calloc(1, sizeof *piece);
    if (piece == NULL) return NULL;
    *piece = (Piece){.address = shared->address, .bytes = shared->bytes, .next = device->sent->pieces};
    piece->last = calloc(1, (size_t)shared->bytes);
    piece->before = malloc((size_t)shared->bytes);
    device->sent->pieces = piece;
    return piece;
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
        if (bytes != NULL) add_contents(device->sent, bytes, copy->width);
    }
}

/* One side of a copy, where it is memory that kernels can use. */
static uint32_t host_memory(Device *device, const DeviceOperation *operation, uint64_t address) {
    const DeviceCopy *copy = &operation->copy;
    DeviceShared *shared = objects_shared(device, address);
    if (shared == NULL || copy->height == 0) return 0;
    Piece *piece = find_piece(device, shared);
    const uint64_t pitch = address == copy->to ? copy->to_pitch : copy->from_pitch;
    if (piece != NULL)
        piece_use(piece, operation->device, address - piece->address,
                  (copy->height - 1) * pitch + copy->width);
    return SENT_HOST_MEMORY;
}

/* Where the bytes go, or come from when they go to the host. */
static unsigned device_of_copy(const Device *device, const DeviceOperation *operation) {
    const DeviceCopy *copy = &operation->copy;
    uint64_t address = copy->direction == COPY_DEVICE_TO_HOST ? copy->from : copy->to;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    return allocation != NULL ? devices_owner(device, allocation) : operation->device;
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
        put_address(device, copy->to, numbers + count);
        numbers[count + 2] = copy->to_pitch;
        count += 3;
    }
    if (copy->direction != COPY_HOST_TO_DEVICE) {
        put_address(device, copy->from, numbers + count);
        numbers[count + 2] = copy->from_pitch;
        count += 3;
    }
    Call call = call_of(operation);
    call.device = device_of_copy(device, operation);
    call.devices |= owner_bit(device, copy->to) | owner_bit(device, copy->from);
    call.devices |= host_memory(device, operation, copy->to) | host_memory(device, operation, copy->from);
    add(device, kind, &call, numbers, count);
    bool within = copy->direction == COPY_DEVICE_TO_DEVICE;
    if (within && kind == SENT_COPY) add_rows(device, copy);
    if (!within) device->sent->open = device->sent->count;
}

void sent_contents(Device *device, const void *bytes, uint64_t count) {
    if (device->sent == NULL || device->sent->open == SIZE_MAX) return;
    add_contents(device->sent, bytes, count);
}

/* What the copy has left in memory that both sides use is the device's. */
void sent_end_copy(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    pad(&device->sent->bytes);
    device->sent->open = SIZE_MAX;
    Piece *piece = piece_at(device->sent, operation->copy.to);
    if (piece == NULL || operation->copy.direction == COPY_HOST_TO_HOST) return;
    for (uint64_t row = 0; row < operation->copy.height; row++)
        learn(device, piece, operation->copy.to + row * operation->copy.to_pitch, operation->copy.width);
}

void sent_set(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    uint64_t numbers[7] = {operation->set.width, operation->set.height, operation->set.pitch,
                           (uint64_t)(int64_t)operation->set.value, operation->set.element};
    put_address(device, operation->set.address, numbers + 5);
    Call call = call_of(operation);
    call.devices |= owner_bit(device, operation->set.address);
    if (objects_shared(device, operation->set.address) != NULL) call.devices |= SENT_EVERY_DEVICE;
    add(device, SENT_SET, &call, numbers, 7);
}

/* ---- launches ---- */

/* A pointer is told by its allocation, so that two machines may place it differently. */
static void add_parameters(Device *device, const PtxFunction *function, const uint8_t *block) {
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value = 0, told[2];
        if (parameter->bytes == sizeof value) {
            memcpy(&value, block + parameter->offset, sizeof value);
            put_address(device, value, told);
            if (told[0] != 0) value = told[0] << OFFSET_BITS | told[1];
            add_contents(device->sent, &value, sizeof value);
        } else {
            add_contents(device->sent, block + parameter->offset, parameter->bytes);
            add_contents(device->sent, &value, sent_padded(parameter->bytes) - parameter->bytes);
        }
    }
}

/** A launch becomes a record with its shape and its parameters, in which pointers stand as allocation and
 * offset: two runs have their memory at different addresses. */
void sent_launch(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    const GpuLaunchSpec *spec = &operation->launch.spec;
    const PtxFunction *function = gpu_kernel_function(spec->kernel);
    const uint64_t numbers[] = {spec->grid.x,  spec->grid.y,  spec->grid.z,        spec->block.x,
                                spec->block.y, spec->block.z, spec->dynamic_shared};
    Call call = call_of(operation);
    call.kernel = function->name;
    device->sent->launch = device->sent->count;
    add(device, SENT_LAUNCH, &call, numbers, sizeof numbers / sizeof *numbers);
    add_parameters(device, function, operation->launch.parameters);
    pad(&device->sent->bytes);
}

/* ---- memory that both sides use ---- */

/** Notes how far kernels reach into shared memory, and which part they read or write: only that is compared
 * between two runs. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (access->space != PTX_SPACE_GLOBAL) return;
    for (Piece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        for (uint32_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1) {
            uint64_t first = access->address[__builtin_ctz(lanes)] - piece->address;
            if (first >= piece->bytes) continue;
            stretch_add(&piece->touched, first, first + access->bytes);
            if (access->kind != GPU_WRITE) stretch_add(&piece->read, first, first + access->bytes);
            if (access->kind != GPU_READ) stretch_add(&piece->written, first, first + access->bytes);
        }
}

/** Before a kernel runs, shared memory is kept as the host left it: afterwards nobody could tell what the
 * host wrote from what the kernel wrote. */
void sent_look_at_shared(Device *device) {
    if (device->sent == NULL || device->objects.shared == NULL) return;
    if (!device->sent->watched) {
        GpuObserver observer = {.self = device, .access = on_access};
        gpu_attach(device->gpu, &observer);
        device->sent->watched = true;
    }
    for (const DeviceShared *shared = device->objects.shared; shared != NULL; shared = shared->next) {
        Piece *piece = shared->used ? find_piece(device, shared) : NULL;
        const uint8_t *now = piece != NULL ? bytes_of(device, piece) : NULL;
        if (now == NULL) continue;
        memcpy(piece->before, now, (size_t)piece->bytes);
        piece->read = piece->touched = piece->written = (Stretch){0};
    }
}

static bool differs(const Piece *piece, const uint8_t *a, const uint8_t *b, uint64_t at) {
    uint64_t left = piece->bytes - at;
    return memcmp(a + at, b + at, left < WORD ? (size_t)left : WORD) != 0;
}

/* The next stretch of words that are other ones than in `old`, from `*first` on; false when there is none. */
static bool next_change(const Piece *piece, const uint8_t *old, const uint8_t *now, uint64_t *first,
                        uint64_t *end) {
    uint64_t at = *first;
    while (at < piece->bytes && !differs(piece, old, now, at))
        at += WORD;
    *first = at;
    while (at < piece->bytes && differs(piece, old, now, at))
        at += WORD;
    *end = at < piece->bytes ? at : piece->bytes;
    return *first < piece->bytes;
}

static void add_stretch(Device *device, SentKind kind, const Piece *piece, const uint8_t *bytes,
                        Stretch stretch) {
    Call call = call_of(device->queue.running);
    call.devices |= SENT_HOST_MEMORY;
    uint64_t numbers[2];
    put_address(device, piece->address + stretch.first, numbers);
    add_whole(device, kind, &call, numbers, 2, bytes + stretch.first, stretch.end - stretch.first);
}

/* What the host has written since the device was last told, as far as a kernel reads it. */
static void add_host_changes(Device *device, const Piece *piece) {
    const Stretch within = piece->read;
    for (uint64_t first = within.first, end;
         next_change(piece, piece->last, piece->before, &first, &end) && first < within.end; first = end) {
        if (end > within.end) end = within.end;
        add_stretch(device, SENT_SHARED, piece, piece->before, (Stretch){first, end});
    }
}

/* The host wrote the word, no kernel was told of it, and none has changed it. */
static bool is_hosts(const Piece *piece, const uint8_t *now, uint64_t at) {
    return !differs(piece, piece->before, now, at) && differs(piece, piece->before, piece->last, at);
}

/* What the launch left where it wrote. Words that only happen to have their old values belong to it: where
 * it wrote must not depend on the values. */
static void add_written(Device *device, Piece *piece, const uint8_t *now) {
    const Stretch within = piece->written;
    for (uint64_t first = within.first, end; first < within.end; first = end + WORD) {
        end = first;
        while (end < within.end && !is_hosts(piece, now, end))
            end += WORD;
        const uint64_t last = end < within.end ? end : within.end;
        if (last == first) continue;
        add_stretch(device, SENT_BACK, piece, now, (Stretch){first, last});
        memcpy(piece->last + first, now + first, (size_t)(last - first));
    }
}

static void whole_words(const Piece *piece, Stretch *stretch) {
    stretch->first -= stretch->first % WORD;
    stretch->end += (WORD - stretch->end % WORD) % WORD;
    if (stretch->end > piece->bytes) stretch->end = piece->bytes;
}

/* Only at its end is it known what a launch has used. */
static void note_reach(Device *device, uint32_t devices) {
    Sent *sent = device->sent;
    if (sent->launch >= sent->count) return;
    SentRecord record;
    char *start = sent->bytes.bytes + sent->starts[sent->launch];
    memcpy(&record, start, sizeof record);
    record.devices |= (uint16_t)devices;
    memcpy(start, &record, sizeof record);
}

/** After a kernel: of what it read, the words that the host has changed since the last look are recorded as
 * sent; of what it wrote, where it wrote. */
static void keep_piece(Device *device, Piece *piece) {
    const uint8_t *now = bytes_of(device, piece);
    if (now == NULL || piece->touched.end == 0) return;
    whole_words(piece, &piece->touched);
    note_reach(device, SENT_HOST_MEMORY);
    piece->by_kernels = true;
    piece_use(piece, device->queue.running->device, piece->touched.first,
              piece->touched.end - piece->touched.first);
    if (piece->read.end > 0) {
        whole_words(piece, &piece->read);
        add_host_changes(device, piece);
        memcpy(piece->last + piece->read.first, piece->before + piece->read.first,
               (size_t)(piece->read.end - piece->read.first));
    }
    if (piece->written.end == 0) return;
    whole_words(piece, &piece->written);
    add_written(device, piece, now);
}

/* What the host has written stays to be told until a kernel reads that part of the memory. */
void sent_keep_shared(Device *device) {
    if (device->sent == NULL) return;
    note_reach(device, device->peers.reached);
    for (Piece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        keep_piece(device, piece);
}

/* ---- at the call ---- */

void sent_allocate(Device *device, uint64_t address, uint64_t bytes) {
    if (device->sent == NULL) return;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    uint64_t numbers[4];
    put_address(device, address, numbers);
    numbers[2] = bytes;
    numbers[3] = allocation != NULL && allocation->kind == GPU_ALLOC_MAPPED;
    Call call = call_now(device);
    call.devices |= 1U << devices_owner(device, allocation);
    add(device, SENT_ALLOCATE, &call, numbers, 4);
}

static void add_free(Device *device, uint64_t address, Call call) {
    uint64_t numbers[2];
    put_address(device, address, numbers);
    call.devices |= 1U << devices_owner(device, gpu_memory_find(device->gpu, address));
    add(device, SENT_FREE, &call, numbers, 2);
}

void sent_free(Device *device, uint64_t address) {
    if (device->sent == NULL) return;
    add_free(device, address, call_now(device));
}

void sent_free_in_stream(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    add_free(device, operation->memory.address, call_of(operation));
}

void sent_module(Device *device, const void *image, uint64_t bytes) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    call.devices = SENT_EVERY_DEVICE;
    add_whole(device, SENT_MODULE, &call, NULL, 0, image, bytes);
}

void sent_module_on_device(Device *device, unsigned number) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    call.devices = 1U << number;
    add(device, SENT_MODULE, &call, NULL, 0);
}

void sent_setting(Device *device, uint64_t which, uint64_t value) {
    if (device->sent == NULL) return;
    const uint64_t numbers[2] = {which, value};
    Call call = call_now(device);
    call.devices = SENT_EVERY_DEVICE;
    add(device, SENT_SETTING, &call, numbers, 2);
}

void sent_object(Device *device, const void *description, uint64_t bytes) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    add_whole(device, SENT_OBJECT, &call, NULL, 0, description, bytes);
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
    return x->start < y->start ? -1 : 1;
}

static bool write_cut(int file) {
    const SentRecord cut = {.magic = SENT_MAGIC, .kind = SENT_CUT};
    return text_write(file, (const char *)&cut, sizeof cut);
}

/* Memory of the host that no two devices have in common leaves the order of their calls open. */
static void settle_host_memory(Sent *sent) {
    for (const Piece *piece = sent->pieces; piece != NULL; piece = piece->next)
        if (piece_is_common(piece)) return;
    for (unsigned i = 0; i < sent->count; i++) {
        SentRecord record;
        memcpy(&record, sent->bytes.bytes + sent->starts[i], sizeof record);
        if (record.devices != SENT_EVERY_DEVICE) record.devices &= (uint16_t)~SENT_HOST_MEMORY;
        memcpy(sent->bytes.bytes + sent->starts[i], &record, sizeof record);
    }
}

/* Records that already stand in order, as they nearly always do, go out together. */
bool sent_write(Sent *sent, int file) {
    Place *places = calloc(sent->count + 1, sizeof *places);
    if (places == NULL || sent->bytes.failed) {
        free(places);
        return write_cut(file);
    }
    settle_host_memory(sent);
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
