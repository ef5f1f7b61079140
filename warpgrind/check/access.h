/* access.h - what becomes of each access, and the short way of the plainest ones.
 *
 * All 32 lanes of most warps read or write whole segments of global memory side by side, weakly, and nothing
 * is to be said of it. Such an access is recognised once; definedness, races and counts then have a way of
 * their own for it, which answers "there is nothing here" or leaves it to the full one.
 */
#ifndef CHECK_ACCESS_H
#define CHECK_ACCESS_H

#include "check/parts.h"
#include "check/shadow.h"

/** Lanes side by side from the beginning of a segment on, in one page of records; no lane is left out, and
 * what is written has a value. */
static inline bool access_is_plain(const GpuAccess *access) {
    const uint64_t in_page = access->low % SHADOW_PAGE_BYTES;
    return access->contiguous && access->bytes >= 4 && access->wanted == UINT32_MAX &&
           access->lanes == UINT32_MAX && access->space == PTX_SPACE_GLOBAL && access->kind != GPU_ATOMIC &&
           access->semantics == PTX_SEM_WEAK && !access->texture && !access->undefined_lanes &&
           in_page % SHADOW_SEGMENT_BYTES == 0 &&
           in_page + (uint64_t)GPU_WARP_LANES * access->bytes <= SHADOW_PAGE_BYTES;
}

/* The full ways. */
void initialisation_on_access(Check *check, GpuAccess *access);
void races_on_access(Check *check, const GpuAccess *access);
void notes_on_access(Check *check, const GpuAccess *access);
void lines_on_access(Check *check, const GpuAccess *access);

/* The short ways, for plain accesses. */
/** All of its bytes are defined, as far as the flag of their page goes; else false. */
bool initialisation_passes_plain(const Check *check, const GpuAccess *access);
/** It cannot race, and has been recorded; else false, and nothing has been changed. */
bool races_pass_plain(Check *check, const GpuAccess *access);
/** Counts it; false when that is not possible. */
bool notes_count_plain(Check *check, const GpuAccess *access);

#endif
