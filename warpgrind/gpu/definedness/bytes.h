/* bytes.h - what the files of this room share: bytes as masks, and where an undefined value came from. */
#pragma once

#include "base/minmax.h"
#include "gpu/definedness/undefined.h"

/** How many bytes of a register there are to be undefined; a predicate counts as one. */
static inline unsigned register_bytes(const GpuFrame *frame, uint16_t number) {
    return MAX(ptx_type_bytes(frame->function->ptx->registers[number].type), 1);
}

/** The mask of so many bytes. */
static inline unsigned all_bytes(unsigned bytes) {
    return (1u << bytes) - 1;
}

/** With CHECK_BOTH registers have no value until they are given one, whatever is known of the function. */
static inline void undefined_expect(const GpuWarp *warp, const GpuInstruction *ins) {
    if (CHECK_BOTH && !warp->frame->undefined) BUG("pc %u uses a register without a value", ins->pc);
}

/** Where the register's undefined lanes came from; nowhere else than here, if that is not known. */
static inline uint32_t undefined_origin(const GpuWarp *warp, uint16_t number, const GpuInstruction *ins) {
    return undefined_from(warp->meta[number].origin, ins);
}

/** What was stored in so many bytes of the thread's local memory came from there: each word has an origin,
 * since the members of a structure that was copied as a whole are used one by one. */
static inline void undefined_came_from(GpuWarp *warp, uint32_t offset, unsigned bytes, uint32_t origin) {
    for (uint32_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++)
        warp->local_origin[word] = origin;
}
