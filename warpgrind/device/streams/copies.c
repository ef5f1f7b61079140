/* copies.c - the bytes of one copy, through the window: the program's memory is only ever touched by the
 * program. */
#include "device/streams/copies.h"
#include "base/minmax.h"
#include "device/record/sent.h"
#include "device/state/state.h"
#include "device/watch/redundant.h"

#include <stdlib.h>
#include <string.h>

/** Asks the client to carry rows between its memory and the start of the window. */
static bool carry(Device *device, WireReplyKind way, uint64_t host, uint64_t width, uint64_t rows,
                  uint64_t pitch) {
    WireReply ask = {.magic = WIRE_MAGIC,
                     .kind = (uint32_t)way,
                     .rows = {.host = host, .width = width, .count = rows, .pitch = pitch}};
    return link_ask(&device->link, &ask);
}

bool copies_peek(Device *device, uint64_t host, void *bytes, uint64_t count) {
    if (count > WIRE_WINDOW_BYTES || !carry(device, WIRE_PULL, host, count, 1, count)) return false;
    memcpy(bytes, device->link.window, (size_t)count);
    return true;
}

bool copies_source_changed(Device *device, const DeviceCopy *copy) {
    enum { MOST = 1 << 20 };
    uint64_t count = MIN(copy->width, MOST);
    if (copy->staged == NULL || !device->serving.answering || device->link.closed) return false;
    /* Whatever does not come shows: no byte is its own complement. */
    for (uint64_t i = 0; i < count; i++)
        device->link.window[i] = (uint8_t)~copy->staged[i];
    return carry(device, WIRE_PEEK, copy->from, count, 1, count) &&
           memcmp(device->link.window, copy->staged, (size_t)count) != 0;
}

/** One piece that fits the window: `rows` rows of `width` bytes, packed in it. */
typedef struct Piece {
    uint64_t to, from, width, rows;
} Piece;

static bool write_piece(Device *device, const DeviceCopy *copy, const Piece *piece, const uint8_t *bytes,
                        uint64_t site) {
    sent_contents(device, bytes, piece->rows * piece->width);
    for (uint64_t row = 0; row < piece->rows; row++) {
        uint64_t to = piece->to + row * copy->to_pitch;
        const uint8_t *from = bytes + row * piece->width;
        redundant_note(device, to, from, piece->width, site);
        if (!gpu_memory_write(device->gpu, to, from, piece->width, site)) return false;
    }
    return true;
}

static bool read_piece(Device *device, const DeviceCopy *copy, const Piece *piece, uint64_t site) {
    uint8_t *window = device->link.window;
    for (uint64_t row = 0; row < piece->rows; row++)
        if (!gpu_memory_read(device->gpu, piece->from + row * copy->from_pitch, window + row * piece->width,
                             piece->width, site))
            return false;
    sent_contents(device, window, piece->rows * piece->width);
    return true;
}

/** One piece of a copy, by its direction; bytes of the host come and go through the window. */
static bool run_piece(Device *device, const DeviceCopy *copy, const Piece *piece, uint64_t site) {
    switch (copy->direction) {
    case COPY_HOST_TO_DEVICE:
        return carry(device, WIRE_PULL, piece->from, piece->width, piece->rows, copy->from_pitch) &&
               write_piece(device, copy, piece, device->link.window, site);
    case COPY_DEVICE_TO_HOST:
        return read_piece(device, copy, piece, site) &&
               carry(device, WIRE_PUSH, piece->to, piece->width, piece->rows, copy->to_pitch);
    case COPY_HOST_TO_HOST:
        return carry(device, WIRE_PULL, piece->from, piece->width, piece->rows, copy->from_pitch) &&
               carry(device, WIRE_PUSH, piece->to, piece->width, piece->rows, copy->to_pitch);
    default:
        break;
    }
    for (uint64_t row = 0; row < piece->rows; row++)
        if (!gpu_memory_copy(device->gpu, piece->to + row * copy->to_pitch,
                             piece->from + row * copy->from_pitch, piece->width, site))
            return false;
    return true;
}

/** Rows without gaps are one long row, so that what observers see is one copy. */
static DeviceCopy flatten(const DeviceCopy *copy) {
    DeviceCopy flat = *copy;
    bool packed = copy->to_pitch == copy->width && copy->from_pitch == copy->width;
    if (copy->height > 1 && !packed) return flat;
    flat.width = copy->width * copy->height;
    flat.to_pitch = flat.from_pitch = flat.width;
    flat.height = 1;
    return flat;
}

/** Should the program die of what is about to be written to the host's memory, the copy's line is wanted. */
static void note_landing(Device *device, const DeviceCopy *copy, uint64_t site) {
    device->landings.list[device->landings.count++ % DEVICE_MAX_LANDINGS] =
        (DeviceLanding){.address = copy->to, .site = site};
}

/** A copy is done in pieces that fit the window: as many whole rows as there is room for, or parts of a row
 * that is longer. */
CudaCode copies_run(Device *device, const DeviceCopy *copy, uint64_t site) {
    if (copy->width == 0 || copy->height == 0) return CUDA_OK;
    DeviceCopy flat = flatten(copy);
    bool to_host = copy->direction == COPY_DEVICE_TO_HOST || copy->direction == COPY_HOST_TO_HOST;
    if (to_host) note_landing(device, copy, site);
    if (copy->staged != NULL) {
        Piece all = {.to = copy->to, .from = 0, .width = copy->width, .rows = copy->height};
        if (write_piece(device, copy, &all, copy->staged, site)) return CUDA_OK;
        return CUDA_INVALID_VALUE;
    }
    uint64_t most_rows = WIRE_WINDOW_BYTES / flat.width;
    if (most_rows == 0) most_rows = 1;
    for (uint64_t row = 0; row < flat.height; row += most_rows) {
        uint64_t rows = MIN(flat.height - row, most_rows);
        for (uint64_t column = 0; column < flat.width; column += WIRE_WINDOW_BYTES) {
            uint64_t left = flat.width - column;
            Piece piece = {.to = flat.to + row * flat.to_pitch + column,
                           .from = flat.from + row * flat.from_pitch + column,
                           .width = MIN(left, WIRE_WINDOW_BYTES),
                           .rows = rows};
            if (!run_piece(device, &flat, &piece, site)) return CUDA_INVALID_VALUE;
        }
    }
    return CUDA_OK;
}

/** Takes the host's bytes now, as the host may change them before the stream gets there. */
bool copies_stage(Device *device, DeviceCopy *copy) {
    uint64_t bytes = copy->width * copy->height, done = 0;
    uint8_t *staged = malloc((size_t)bytes + 1);
    if (staged == NULL) return false;
    for (uint64_t row = 0; row < copy->height; row++) {
        for (uint64_t column = 0; column < copy->width; column += WIRE_WINDOW_BYTES) {
            uint64_t left = copy->width - column, piece = MIN(left, WIRE_WINDOW_BYTES);
            if (!carry(device, WIRE_PULL, copy->from + row * copy->from_pitch + column, piece, 1, piece)) {
                free(staged);
                return false;
            }
            memcpy(staged + done, device->link.window, (size_t)piece);
            done += piece;
        }
    }
    copy->staged = staged;
    return true;
}

uint64_t copies_landing_site(const Device *device, uint64_t address) {
    for (unsigned i = 1; i <= DEVICE_MAX_LANDINGS && i <= device->landings.count; i++) {
        const DeviceLanding *landing =
            &device->landings.list[(device->landings.count - i) % DEVICE_MAX_LANDINGS];
        if (landing->address == address) return landing->site;
    }
    return 0;
}
