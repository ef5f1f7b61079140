/* exec_shift.c - the look at the amount before each shift whose amount may be too large. The shift itself is
 * a row of exec_int.def.
 */
#include "gpu/definedness/undefined.h"

/** PTX has bits shifted out where C has no result (PTX ISA, shl: "clamped"). An amount that comes from
 * nowhere is told where it is used. */
const GpuInstruction *shift_check(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const uint32_t bits = 8 * ptx_type_bytes(ins->source->type), *amounts = gpu_row(warp, ins->b);
    uint32_t far = 0;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        far |= (uint32_t)(amounts[lane] >= bits) << lane;
    far &= mask;
    if (far && warp->run->track && ins->use_count) far &= ~undefined_in(warp, ins->uses[0], far);
    if (far) GPU_SEND(warp->run->gpu, shifted_far, warp, far, ins->pc, amounts[__builtin_ctz(far)]);
    return ins + 1;
}
