/* races_plain.h - what the short ways for plain accesses share: races_plain.c, and races_sectors.c for whole
 * sectors. */
#pragma once

#include "check/races/races.h"
#include "check/shadow/access_shape.h"
#include "check/shadow/sectors.h"

/** What came before needs no look at warps and lanes to be ordered before the record `me`, if it is anything
 * at all. The terms are joined without jumps: which of them holds is hard to foresee. */
static inline bool plain_is_before(uint64_t record, uint64_t me, uint32_t barrier_time) {
    const uint32_t time = record_time(record);
    const bool old = (record == 0) | (time == RECORD_TIME_OLD), mine = ((record ^ me) & RECORD_WHO_MASK) == 0;
    const bool synced = (((record ^ me) & RECORD_BLOCK_MASK) == 0) & (time < barrier_time);
    return old | mine | synced;
}

static inline bool plain_is_past(uint64_t record) {
    return record == 0 || record_time(record) == RECORD_TIME_OLD;
}

/** So many sectors have 32 lanes of 16 bytes. */
enum { SECTORS_MOST = 16 };

/** An access of whole sectors. */
typedef struct SectorAccess {
    const GpuAccess *access;
    AccessShape shape;
    uint64_t record;       /**< of lane 0 */
    uint32_t barrier_time; /**< of its block */
    bool incoherent;       /**< as in Actor */
    /* as races_sectors_pass fills it in */
    uint8_t shift; /**< of a lane's bytes */
    unsigned count;
    struct {
        ShadowPage *own; /**< where the record goes */
        unsigned sector; /**< of its page */
        uint64_t record; /**< of the first lane in it */
    } parts[SECTORS_MOST];
} SectorAccess;

/** Nothing races with the access as far as one look can tell; false leaves it to others, and nothing has
 * changed. */
bool races_sectors_pass(Races *races, SectorAccess *plain);
/** Puts it down. */
void races_sectors_take(Races *races, const SectorAccess *plain);
/** With CHECK_BOTH, in place of that: the full way must tell nothing, and leave the same records behind. */
void races_sectors_check(Check *check, const SectorAccess *plain);
