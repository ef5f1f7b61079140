/* exec_wide.c - mov.b128: registers of 16 bytes a lane, which are only ever put together, taken apart and
 * copied. */
#include "gpu/definedness/undefined.h"

enum { WIDE_BYTES = 16 };

static uint8_t *wide_lane(const GpuWarp *warp, GpuRow row, unsigned lane) {
    return (uint8_t *)gpu_row(warp, row) + lane * WIDE_BYTES;
}

/* LIMIT: definedness of such a register is kept by lane, not by byte. */
static void wide_mark(GpuWarp *warp, const GpuInstruction *ins, uint16_t to, uint16_t from, uint32_t mask) {
    uint32_t undefined = undefined_in(warp, from, mask);
    if (to == GPU_NO_REGISTER) return;
    for (; undefined; undefined &= undefined - 1)
        undefined_set(warp->frame, to, (unsigned)__builtin_ctz(undefined), 0xFF, 8, ins->pc);
}

/** d = {a, b} */
const GpuInstruction *wide_pack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    if (warp->run->track) {
        undefined_clear(warp, ins->defines, mask);
        wide_mark(warp, ins, ins->defines, parts[0].number, mask);
        wide_mark(warp, ins, ins->defines, parts[1].number, mask);
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        const uint64_t halves[2] = {gpu_lane_value(warp, parts[0].row, 8, lane),
                                    gpu_lane_value(warp, parts[1].row, 8, lane)};
        memcpy(wide_lane(warp, ins->d, lane), halves, WIDE_BYTES);
    }
    return ins->next;
}

/** {a, b} = d */
const GpuInstruction *wide_unpack(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < 2 && warp->run->track; k++) {
        if (parts[k].number != GPU_NO_REGISTER) undefined_clear(warp, parts[k].number, mask);
        wide_mark(warp, ins, parts[k].number, ins->uses[0], mask);
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t halves[2];
        memcpy(halves, wide_lane(warp, ins->a, lane), WIDE_BYTES);
        for (unsigned k = 0; k < 2; k++)
            if (!parts[k].sink) gpu_lane_set(warp, parts[k].row, 8, lane, halves[k]);
    }
    return ins->next;
}

const GpuInstruction *wide_move(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (warp->run->track) {
        undefined_clear(warp, ins->defines, mask);
        wide_mark(warp, ins, ins->defines, ins->uses[0], mask);
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        memmove(wide_lane(warp, ins->d, lane), wide_lane(warp, ins->a, lane), WIDE_BYTES);
    }
    return ins->next;
}
