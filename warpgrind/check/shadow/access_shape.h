/* access_shape.h - recognises the plainest accesses.
 *
 * All 32 lanes of most warps read or write global memory side by side, weakly, and nothing is to be said of
 * it. Such an access is recognised once; definedness, races and counts then have a way of their own for it,
 * which answers "there is nothing here" or leaves it to the full one.
 */
#pragma once

#include "check/shadow/shadow.h"
#include "gpu/gpu.h"

typedef enum AccessShape {
    ACCESS_ANY,
    ACCESS_SEGMENTS, /**< whole segments of one page of records */
    ACCESS_ROWS,     /**< four rows of eight elements, each in whole sectors of its own, written */
    ACCESS_NARROW    /**< bytes or pairs of bytes in one page, from a sector's beginning on */
} AccessShape;

/** A whole warp side by side, weakly; what is written has a value. */
static inline bool access_is_ordinary(const GpuAccess *access) {
    return access->contiguous && access->wanted == UINT32_MAX && access->lanes == UINT32_MAX &&
           access->space == PTX_SPACE_GLOBAL && access->kind != GPU_ATOMIC &&
           access->semantics == PTX_SEM_WEAK && !access->texture && !access->undefined_lanes;
}

/** Rows of a tile; a row lies in one page. */
static inline AccessShape access_rows_shape(const GpuAccess *access) {
    enum { EIGHT = 8 };
    const uint64_t *address = access->address;
    const uint64_t odd = (uint64_t)EIGHT * access->bytes - 1;
    if (access->wanted != UINT32_MAX || access->space != PTX_SPACE_GLOBAL || access->kind != GPU_WRITE ||
        access->semantics != PTX_SEM_WEAK || access->texture || access->bytes < 4)
        return ACCESS_ANY;
    for (unsigned row = 0; row < GPU_WARP_LANES; row += EIGHT) {
        if (address[row] & odd) return ACCESS_ANY;
        for (unsigned before = 0; before < row; before += EIGHT)
            if (address[before] == address[row]) return ACCESS_ANY;
    }
    return ACCESS_ROWS;
}

static inline AccessShape access_shape(const GpuAccess *access) {
    enum { SECTOR_BYTES = 32 };
    const uint64_t in_page = access->low % SHADOW_PAGE_BYTES;
    if (!access_is_ordinary(access)) return ACCESS_ANY;
    if (in_page + (uint64_t)GPU_WARP_LANES * access->bytes > SHADOW_PAGE_BYTES) return ACCESS_ANY;
    if (access->bytes >= 4) return in_page % SHADOW_SEGMENT_BYTES == 0 ? ACCESS_SEGMENTS : ACCESS_ANY;
    if (in_page % SECTOR_BYTES == 0) return ACCESS_NARROW;
    return ACCESS_ANY;
}
