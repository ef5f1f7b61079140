/* sent_shared.c - memory that both sides use: what the host has written there since a kernel was told, and
 * what a launch leaves.
 *
 * Such memory belongs to no device: of each piece it is known which stretch each device has used, and where
 * two of them meet, the records count as having it in common. That shows at the end only, so it is settled
 * when the records are written.
 */
#include "base/minmax.h"
#include "device/record/sent_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4 };

/* ---- pieces of shared memory ---- */

SentPiece *sent_shared_piece(const Sent *sent, uint64_t address) {
    for (SentPiece *piece = sent->pieces; piece != NULL; piece = piece->next)
        if (address - piece->address < piece->bytes) return piece;
    return NULL;
}

static const uint8_t *bytes_of(Device *device, const SentPiece *piece) {
    if (piece->last == NULL || piece->before == NULL) return NULL;
    return gpu_memory_host(device->gpu, piece->address, piece->bytes);
}

/* One stretch holds all that was touched: what lies between is counted too. */
static void stretch_add(SentStretch *stretch, uint64_t first, uint64_t end) {
    if (stretch->end == 0 || first < stretch->first) stretch->first = first;
    if (end > stretch->end) stretch->end = end;
}

static void piece_use(SentPiece *piece, unsigned device, uint64_t first, uint64_t bytes) {
    uint64_t end;
    if (bytes > piece->bytes - first)
        end = piece->bytes;
    else
        end = first + bytes;
    if (end > first) stretch_add(&piece->used[device], first, end);
}

/* Two devices have used the same place, and at least one of them by a kernel. */
static bool piece_is_common(const SentPiece *piece) {
    for (unsigned i = 1; piece->by_kernels && i < DEVICE_MAX_DEVICES; i++)
        for (unsigned j = 0; j < i; j++) {
            const SentStretch *a = &piece->used[i], *b = &piece->used[j];
            if (a->end > 0 && b->end > 0 && a->first < b->end && b->first < a->end) return true;
        }
    return false;
}

/* Bytes that the device has left there are nothing that the host sends. */
void sent_shared_learn(Device *device, SentPiece *piece, uint64_t address, uint64_t bytes) {
    const uint8_t *now = bytes_of(device, piece);
    uint64_t first = address - piece->address;
    if (now == NULL || first >= piece->bytes) return;
    if (bytes > piece->bytes - first) bytes = piece->bytes - first;
    memcpy(piece->last + first, now + first, (size_t)bytes);
}

static SentPiece *find_piece(Device *device, const DeviceShared *shared) {
    for (SentPiece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        if (piece->address == shared->address && piece->bytes == shared->bytes) return piece;
    SentPiece *piece = calloc(1, sizeof *piece);
    if (piece == NULL) return NULL;
    *piece = (SentPiece){.address = shared->address, .bytes = shared->bytes, .next = device->sent->pieces};
    piece->last = calloc(1, (size_t)shared->bytes);
    piece->before = malloc((size_t)shared->bytes);
    device->sent->pieces = piece;
    return piece;
}

/* One side of a copy, where it is memory that kernels can use. */
uint32_t sent_shared_copied(Device *device, const DeviceOperation *operation, uint64_t address) {
    const DeviceCopy *copy = &operation->copy;
    DeviceShared *shared = objects_shared(device, address);
    if (shared == NULL || copy->height == 0) return 0;
    SentPiece *piece = find_piece(device, shared);
    uint64_t pitch;
    if (address == copy->to)
        pitch = copy->to_pitch;
    else
        pitch = copy->from_pitch;
    if (piece != NULL)
        piece_use(piece, operation->device, address - piece->address,
                  (copy->height - 1) * pitch + copy->width);
    return SENT_HOST_MEMORY;
}

/** Notes how far kernels reach into shared memory, and which part they read or write: only that is compared
 * between two runs. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (access->space != PTX_SPACE_GLOBAL) return;
    for (SentPiece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
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
        SentPiece *piece = NULL;
        if (shared->used) piece = find_piece(device, shared);
        const uint8_t *now = NULL;
        if (piece != NULL) now = bytes_of(device, piece);
        if (now == NULL) continue;
        memcpy(piece->before, now, (size_t)piece->bytes);
        piece->read = piece->touched = piece->written = (SentStretch){0};
    }
}

static bool differs(const SentPiece *piece, const uint8_t *a, const uint8_t *b, uint64_t at) {
    uint64_t left = piece->bytes - at;
    return memcmp(a + at, b + at, left < WORD ? (size_t)left : WORD) != 0;
}

/* The next stretch of words that are other ones than in `old`, from `*first` on; false when there is none. A
 * few words that are the same do not end it: the host may have written the values that were there, and where
 * it did depends on them. */
static bool next_change(const SentPiece *piece, const uint8_t *old, const uint8_t *now, uint64_t *first,
                        uint64_t *end) {
    enum { SAME_BY_CHANCE = 16 * WORD };
    uint64_t at = *first;
    while (at < piece->bytes && !differs(piece, old, now, at))
        at += WORD;
    *first = *end = at;
    for (; at < piece->bytes && at < *end + SAME_BY_CHANCE; at += WORD)
        if (differs(piece, old, now, at)) *end = at + WORD;
    if (*end > piece->bytes) *end = piece->bytes;
    return *first < piece->bytes;
}

static void add_stretch(Device *device, SentKind kind, const SentPiece *piece, const uint8_t *bytes,
                        SentStretch stretch) {
    SentCall call = sent_record_call_of(device->queue.running);
    call.devices |= SENT_HOST_MEMORY;
    uint64_t numbers[2];
    sent_record_put_address(device, piece->address + stretch.first, numbers);
    sent_record_whole(device, kind, &call, numbers, 2, bytes + stretch.first, stretch.end - stretch.first);
}

/* What the host has written since the device was last told, as far as a kernel reads it. */
static void add_host_changes(Device *device, const SentPiece *piece) {
    const SentStretch within = piece->read;
    for (uint64_t first = within.first, end;
         next_change(piece, piece->last, piece->before, &first, &end) && first < within.end; first = end) {
        if (end > within.end) end = within.end;
        add_stretch(device, SENT_SHARED, piece, piece->before, (SentStretch){first, end});
    }
}

/* The host wrote the word, no kernel was told of it, and none has changed it. */
static bool is_hosts(const SentPiece *piece, const uint8_t *now, uint64_t at) {
    return !differs(piece, piece->before, now, at) && differs(piece, piece->before, piece->last, at);
}

/* What the launch left where it wrote. Words that only happen to have their old values belong to it: where
 * it wrote must not depend on the values. */
static void add_written(Device *device, SentPiece *piece, const uint8_t *now) {
    const SentStretch within = piece->written;
    for (uint64_t first = within.first, end; first < within.end; first = end + WORD) {
        end = first;
        while (end < within.end && !is_hosts(piece, now, end))
            end += WORD;
        const uint64_t last = MIN(end, within.end);
        if (last == first) continue;
        add_stretch(device, SENT_BACK, piece, now, (SentStretch){first, last});
        memcpy(piece->last + first, now + first, (size_t)(last - first));
    }
}

static void whole_words(const SentPiece *piece, SentStretch *stretch) {
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
static void keep_piece(Device *device, SentPiece *piece) {
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
    for (SentPiece *piece = device->sent->pieces; piece != NULL; piece = piece->next)
        keep_piece(device, piece);
}

/* Memory of the host that no two devices have in common leaves the order of their calls open. */
void sent_shared_settle(Sent *sent) {
    for (const SentPiece *piece = sent->pieces; piece != NULL; piece = piece->next)
        if (piece_is_common(piece)) return;
    for (unsigned i = 0; i < sent->count; i++) {
        SentRecord record;
        memcpy(&record, sent->bytes.bytes + sent->starts[i], sizeof record);
        if (record.devices != SENT_EVERY_DEVICE) record.devices &= (uint16_t)~SENT_HOST_MEMORY;
        memcpy(sent->bytes.bytes + sent->starts[i], &record, sizeof record);
    }
}
