/* waiting.h - rounds of a loop in which lanes do nothing but look at memory that has not changed.
 *
 * How many of them a thread takes depends on the order of blocks alone, so they are no work: they are left
 * out of GpuLaunch.longest_warp, and their reads are marked for observers (GpuAccess.waits).
 *
 * A round goes from one execution of a read to the next by the same lanes, at the same addresses. It is one
 * of a wait when all that these lanes accessed in it was read, at the addresses and with the values of the
 * round before, in LONGEST_ROUND instructions of the warp at most. An atomic that leaves the number that it
 * finds is a read here. Two rounds must be seen before a third counts as waiting. Local memory is not looked
 * at. LIMIT: a failed compare-and-swap whose new value is not the one that it finds counts as a change.
 */
#pragma once

#include "gpu/state/warp.h"

/** Each read and atomic; a write ends the round. */
void waiting_look(GpuWarp *warp, GpuAccess *access);
/** Each access, before it is shown to observers. */
static inline void waiting_access(GpuWarp *warp, GpuAccess *access) {
    if (access->kind == GPU_WRITE)
        warp->waiting.pc = 0;
    else
        waiting_look(warp, access);
}
/** Other lanes of the warp have their turn: what they execute is no part of a round of these. */
static inline void waiting_turn(GpuWarp *warp, uint32_t lanes) {
    if (warp->waiting.lanes & ~lanes) warp->waiting.pc = warp->waiting.lanes = 0;
}
