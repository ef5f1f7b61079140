/* sent.c - records of what the program sends, in one growing block; see sent.h.
 *
 * Records are made where their work runs, which may be in another order than that of the calls when streams
 * wait for each other; each remembers its call's number, and they are put in order when they are written.
 * LIMIT: host threads that call at the same time are kept as they came.
 */
#include "device/sent.h"

#include "base/sent.h"
#include "device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 4, MOST_RECORDS = 1 << 16, PLACES = 64 };
#define MOST_BYTES ((size_t)64 << 20)

/* A piece of shared memory as the device has left it. */
typedef struct Piece {
    uint64_t address, bytes;
    uint8_t *last;   /* as the device left it */
    uint8_t *before; /* as it was before the running launch */
    bool read;       /* by the running launch */
    struct Piece *next;
} Piece;

struct Sent {
    Text bytes;
    size_t *starts; /* of each record */
    unsigned count;
    size_t open; /* the running copy's record; SIZE_MAX: none */
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

typedef struct Call {
    uint64_t order, site;
    const char *mark, *kernel;
} Call;

/* Calls that are no work of a stream stand behind the work that was asked for before them. */
static Call call_now(const Device *device) {
    return (Call){2 * device->next_sequence + 1, device->site, device->mark, ""};
}

static Call call_of(const DeviceOperation *operation) {
    return (Call){2 * operation->sequence, operation->site, operation->mark, ""};
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
                               .numbers = count};
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

/* Two numbers: which allocation, and where in it; 0 and the address itself for anything else. */
static void put_address(const Device *device, uint64_t address, uint64_t *numbers) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    numbers[0] = allocation != NULL ? allocation->id : 0;
    numbers[1] = allocation != NULL ? address - allocation->address : address;
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

/* Bytes that the device has left there are nothing that the host sends. */
static void learn(Device *device, Piece *piece, uint64_t address, uint64_t bytes) {
    const uint8_t *now = bytes_of(device, piece);
    uint64_t first = address - piece->address;
    if (now == NULL || first >= piece->bytes) return;
    if (bytes > piece->bytes - first) bytes = piece->bytes - first;
    memcpy(piece->last + first, now + first, (size_t)bytes);
}

/* ---- copies ---- */

static SentKind kind_of_copy(Device *device, const DeviceCopy *copy) {
    if (copy->direction == COPY_DEVICE_TO_HOST) return SENT_BACK;
    if (copy->direction == COPY_HOST_TO_DEVICE || device_shared(device, copy->from) != NULL) return SENT_COPY;
    return SENT_MOVE;
}

static void add_rows(Device *device, const DeviceCopy *copy) {
    for (uint64_t row = 0; row < copy->height; row++) {
        const void *bytes = gpu_memory_host(device->gpu, copy->from + row * copy->from_pitch, copy->width);
        if (bytes != NULL) add_contents(device->sent, bytes, copy->width);
    }
}

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
            if (told[0] != 0) value = told[0] << 40 | told[1];
            add_contents(device->sent, &value, sizeof value);
        } else {
            add_contents(device->sent, block + parameter->offset, parameter->bytes);
            add_contents(device->sent, &value, sent_padded(parameter->bytes) - parameter->bytes);
        }
    }
}

void sent_launch(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    const GpuLaunchSpec *spec = &operation->launch.spec;
    const PtxFunction *function = gpu_kernel_function(spec->kernel);
    const uint64_t numbers[] = {spec->grid.x,  spec->grid.y,  spec->grid.z,        spec->block.x,
                                spec->block.y, spec->block.z, spec->dynamic_shared};
    Call call = call_of(operation);
    call.kernel = function->name;
    add(device, SENT_LAUNCH, &call, numbers, sizeof numbers / sizeof *numbers);
    add_parameters(device, function, operation->launch.parameters);
    pad(&device->sent->bytes);
}

/* ---- memory that both sides use ---- */

static void on_access(void *self, GpuAccess *access) {
    Device *device = self;
    if (access->space != PTX_SPACE_GLOBAL || access->kind == GPU_WRITE) return;
    for (Piece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        for (uint32_t lanes = access->lanes; !piece->read && lanes != 0; lanes &= lanes - 1)
            piece->read = access->address[__builtin_ctz(lanes)] - piece->address < piece->bytes;
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

void sent_look_at_shared(Device *device) {
    if (device->sent == NULL || device->shared == NULL) return;
    if (!device->sent->watched) {
        GpuObserver observer = {.self = device, .access = on_access};
        gpu_attach(device->gpu, &observer);
        device->sent->watched = true;
    }
    for (const DeviceShared *shared = device->shared; shared != NULL; shared = shared->next) {
        Piece *piece = shared->used ? find_piece(device, shared) : NULL;
        const uint8_t *now = piece != NULL ? bytes_of(device, piece) : NULL;
        if (now == NULL) continue;
        memcpy(piece->before, now, (size_t)piece->bytes);
        piece->read = false;
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

static void add_changes(Device *device, SentKind kind, const Piece *piece, const uint8_t *old,
                        const uint8_t *now) {
    Call call = call_of(device->running);
    for (uint64_t first = 0, end; next_change(piece, old, now, &first, &end); first = end) {
        uint64_t numbers[2];
        put_address(device, piece->address + first, numbers);
        add_whole(device, kind, &call, numbers, 2, now + first, end - first);
    }
}

/* What the host has written stays to be told until a kernel reads the memory. */
void sent_keep_shared(Device *device) {
    if (device->sent == NULL) return;
    for (Piece *piece = device->sent->pieces; piece != NULL; piece = piece->next) {
        const uint8_t *now = bytes_of(device, piece);
        if (now == NULL) continue;
        if (piece->read) {
            add_changes(device, SENT_SHARED, piece, piece->last, piece->before);
            memcpy(piece->last, piece->before, (size_t)piece->bytes);
        }
        add_changes(device, SENT_BACK, piece, piece->before, now);
        for (uint64_t first = 0, end; next_change(piece, piece->before, now, &first, &end); first = end)
            memcpy(piece->last + first, now + first, (size_t)(end - first));
    }
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
    add(device, SENT_ALLOCATE, &call, numbers, 4);
}

static void add_free(Device *device, uint64_t address, const Call *call) {
    uint64_t numbers[2];
    put_address(device, address, numbers);
    add(device, SENT_FREE, call, numbers, 2);
}

void sent_free(Device *device, uint64_t address) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    add_free(device, address, &call);
}

void sent_free_in_stream(Device *device, const DeviceOperation *operation) {
    if (device->sent == NULL) return;
    Call call = call_of(operation);
    add_free(device, operation->free.address, &call);
}

void sent_module(Device *device, const void *image, uint64_t bytes) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    add_whole(device, SENT_MODULE, &call, NULL, 0, image, bytes);
}

void sent_object(Device *device, const void *description, uint64_t bytes) {
    if (device->sent == NULL) return;
    Call call = call_now(device);
    add_whole(device, SENT_OBJECT, &call, NULL, 0, description, bytes);
}

/* ---- writing ---- */

typedef struct Place {
    uint64_t order;
    size_t start, end;
} Place;

static int compare_places(const void *a, const void *b) {
    const Place *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return x->start < y->start ? -1 : 1;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

static bool write_cut(int file) {
    const SentRecord cut = {.magic = SENT_MAGIC, .kind = SENT_CUT};
    return write_all(file, (const char *)&cut, sizeof cut);
}

/* Records that already stand in order, as they nearly always do, go out together. */
bool sent_write(Sent *sent, int file) {
    Place *places = calloc(sent->count + 1, sizeof *places);
    if (places == NULL || sent->bytes.failed) return write_cut(file);
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
        fine = write_all(file, sent->bytes.bytes + places[i].start, places[next - 1].end - places[i].start);
        i = next;
    }
    free(places);
    return fine && (!sent->cut || write_cut(file));
}
