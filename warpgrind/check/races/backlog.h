/* backlog.h - reads that wait to be recorded, of arrays that nothing has written in this launch.
 *
 * A read races with writes and atomics only, and most kernels write to some arrays and read others. As long
 * as nothing in a launch has written to an allocation, a read of it has nothing to be compared with, and its
 * record is needed only when a write comes after all. So the read goes to the end of a log. The first access
 * to the allocation that is more than a plain read has all that waits recorded first, in its order and with
 * what was ordered at its time, so that the exact detector (race_cells.c) knows as much as if it had seen
 * each access; from then on it serves that allocation until the launch ends. At the end of a launch the log
 * is forgotten: nothing asks for reads of an earlier one.
 *
 * The log has bounds: when it is full, its oldest part is recorded. Where there is no room for that, it is
 * dropped, and whoever writes to the array after all has races that are not watched. What a launch with
 * fences orders cannot be written down in a line of the log, so the first fence ends all waiting.
 */
#pragma once

#include "check/shadow/shadow.h"
#include "gpu/gpu.h"

#include <stdbool.h>
#include <stdint.h>

enum { BACKLOG_AREAS = 64 };

/** An allocation that this launch has touched. */
typedef struct BacklogArea {
    uint32_t allocation, generation;
    bool waits; /**< nothing but plain reads so far, and all of them are in the log or recorded, but for: */
    uint32_t dropped_at; /**< pc of the first read that found no room; 0: none */
} BacklogArea;

typedef struct BacklogChunk BacklogChunk;
struct Actor;
struct Check;
struct Domain;

/** All zero: empty. */
typedef struct Backlog {
    BacklogArea areas[BACKLOG_AREAS]; /**< by allocation number; the first comer of a launch has the place */
    BacklogChunk *oldest, *latest, *spare;
    uint64_t chunks;
    bool ended;          /**< nothing waits any more in this launch */
    struct Domain *twin; /**< CHECK_BOTH: what the records would be if there were only the log */
    ShadowRoom twin_room;
} Backlog;

/** All lanes lie in the allocation. */
static inline bool backlog_lies_in(const GpuAccess *access, const GpuAllocation *allocation) {
    return allocation && access->low >= allocation->address &&
           access->high - allocation->address < allocation->bytes;
}
/** Nothing of the access's allocation waits any more in this launch: neither of the functions below has
 * anything to do. */
static inline bool backlog_is_past(const Backlog *backlog, const GpuAccess *access, uint32_t generation) {
    const GpuAllocation *allocation = access->allocation;
    if (!backlog_lies_in(access, allocation)) return false;
    const BacklogArea *area = &backlog->areas[allocation->id % BACKLOG_AREAS];
    return area->allocation == allocation->id && area->generation == generation && !area->waits;
}
/** A launch has ended, or begins: its reads, or those of the one before, have no meaning any more. */
void backlog_forget(Backlog *backlog);
/** True when the access to global memory is a read that waits now; false: the exact detector has to look, and
 * knows all that it must. */
bool backlog_takes(struct Check *check, const struct Actor *actor);
/** A read of the log found no room for its record. True when that matters only once something writes to the
 * allocation, which is then told. */
bool backlog_drops(struct Check *check, const GpuAccess *access);
/** Reads of its kind are recorded more quickly than written down: those of an allocation that this launch has
 * not touched yet do not wait. */
void backlog_passes_over(struct Check *check, const GpuAccess *access);
/** Records all that waits: something is going to happen that its records must come before. */
void backlog_flush(struct Check *check);
/** And nothing waits any more until the launch ends. */
void backlog_end(struct Check *check);
void backlog_free(Backlog *backlog);
