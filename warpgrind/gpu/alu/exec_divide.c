/* exec_divide.c - the look at the divisor before each division of whole numbers that could be one by zero.
 * The quotient itself is a row of exec_int.def.
 */
#include "base/minmax.h"
#include "gpu/definedness/undefined.h"

/** The lanes whose number in this row is 0. The upper half of a row of 16 bits is not looked at. */
static uint32_t divide_zeros(const GpuWarp *warp, const GpuInstruction *ins) {
    const unsigned bytes = ptx_type_bytes(ins->source->type), width = MAX(bytes, 4u);
    const uint64_t looked_at = UINT64_MAX >> (64 - 8 * bytes);
    uint32_t zeros = 0;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        zeros |= (uint32_t)((gpu_lane_value(warp, ins->b, width, lane) & looked_at) == 0) << lane;
    return zeros;
}

/** Whether any number of the row is 0, of a lane that does not take part perhaps. Nearly always there is
 * none, and then this is all. */
static bool divide_may(const GpuWarp *warp, const GpuInstruction *ins) {
    if (ptx_type_bytes(ins->source->type) != 4) return true;
    const uint32_t *divisors = gpu_row(warp, ins->b);
    uint32_t any = 0;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        any |= divisors[lane] == 0;
    return any;
}

/** A divisor that comes from nowhere is told where it is used: that it happens to be 0 is no news. */
const GpuInstruction *divide_check(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!divide_may(warp, ins)) return ins->next;
    uint32_t zeros = divide_zeros(warp, ins) & mask;
    if (zeros && warp->run->track && ins->use_count) zeros &= ~undefined_in(warp, ins->uses[0], zeros);
    if (zeros) GPU_SEND(warp->run->gpu, divided_by_zero, warp, zeros, ins->pc);
    return ins->next;
}
