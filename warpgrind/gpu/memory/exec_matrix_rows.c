/* exec_matrix_rows.c - ldmatrix and stmatrix (PTX ISA 9.7.14.5): the lanes that give addresses load or
 * store a row of eight halves each; alu/exec_matrix.c spreads the rows over the warp. */
#include "gpu/memory/memory_access.h"

/** The lanes that give the addresses of rows. */
static uint32_t row_lanes(const GpuInstruction *ins) {
    unsigned lanes = 8u * ins->source->modifiers.number;
    if (lanes < GPU_WARP_LANES) return (1u << lanes) - 1;
    return UINT32_MAX;
}

const GpuInstruction *matrix_rows_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    mask &= row_lanes(ins);
    if (mask) return memory_load(warp, ins, mask);
    return ins->next;
}

const GpuInstruction *matrix_rows_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    mask &= row_lanes(ins);
    if (mask) return memory_store(warp, ins, mask);
    return ins->next;
}
