/* sent_parts.h - what the files of sent.h share: the block of records, the call that a record is of, and the
 * pieces of memory that both sides use.
 */
#pragma once

#include "base/sent.h"
#include "device/record/sent.h"
#include "device/state/state.h"

enum { SENT_MOST_RECORDS = 1 << 16, SENT_PLACES = 64 };

/* From the first byte to one past the last, from a piece's start; empty when end is 0. */
typedef struct SentStretch {
    uint64_t first, end;
} SentStretch;

/* A piece of shared memory as the devices have left it. */
typedef struct SentPiece {
    uint64_t address, bytes;
    uint8_t *last;       /* as the devices left it */
    uint8_t *before;     /* as it was before the running launch */
    SentStretch read;    /* by the running launch */
    SentStretch touched; /* by the running launch, reading or writing */
    SentStretch written; /* by it */
    SentStretch used[DEVICE_MAX_DEVICES];
    bool by_kernels;
    struct SentPiece *next;
} SentPiece;

struct Sent {
    Text bytes;
    size_t *starts; /* of each record */
    unsigned count;
    size_t open;     /* the running copy's record; SIZE_MAX: none */
    unsigned launch; /* the running launch's record */
    bool cut, watched;
    SentPiece *pieces;
    struct {
        uint64_t site;
        CheckPlace place;
    } places[SENT_PLACES];
};

/** What all records have in common: whose call it was, where, and for which device. */
typedef struct SentCall {
    uint64_t order, site;
    unsigned device, thread;
    uint32_t devices; /* whose memory it may use, as bits */
    const char *mark, *kernel;
} SentCall;

/* ---- sent_record.c ---- */

/** The call that asked for this work. */
SentCall sent_record_call_of(const DeviceOperation *operation);
/** The record without its contents. */
void sent_record_add(Device *device, SentKind kind, const SentCall *call, const uint64_t *numbers,
                     unsigned count);
/** Adds to the contents of the last record. */
void sent_record_contents(Sent *sent, const void *bytes, uint64_t count);
/** Fills the record's last word up. */
void sent_record_pad(Text *text);
/** The record with these contents, filled up. */
void sent_record_whole(Device *device, SentKind kind, const SentCall *call, const uint64_t *numbers,
                       unsigned count, const void *bytes, uint64_t length);
/** Two numbers: which allocation of which device, and where in it; 0 and the address itself for anything
 * else.
 */
void sent_record_put_address(const Device *device, uint64_t address, uint64_t *numbers);

/* ---- sent_shared.c ---- */

/** One side of a copy: the bit of the host's memory, where it is memory that kernels can use. */
uint32_t sent_shared_copied(Device *device, const DeviceOperation *operation, uint64_t address);
/** The piece that the address is in; NULL: none. */
SentPiece *sent_shared_piece(const Sent *sent, uint64_t address);
/** Bytes that the device has left there are nothing that the host sends. */
void sent_shared_learn(Device *device, SentPiece *piece, uint64_t address, uint64_t bytes);
/** Memory of the host that no two devices have in common leaves the order of their calls open. */
void sent_shared_settle(Sent *sent);
