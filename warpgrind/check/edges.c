/* edges.c - which partings of a warp are only the edge of the work.
 *
 * `if (i >= n) return;` parts the warp in which the array ends, and a field that is narrower than a block
 * parts every warp. The lanes outside have nothing to do until the kernel ends, so the warp runs one way and
 * loses no time to the other. Three things make such a parting: all lanes that the warp was started with are
 * there (in a loop they have met again), the lanes of either side are neighbours along threadIdx.x, and one
 * of the ways goes straight to the end of the kernel. The first two are looked at when it happens, the last
 * one when the line is told.
 */
#include "check/notes.h"

enum { LANES = 32, MOST_JUMPS = 16 };

/* Lanes that the warp was started with. */
static unsigned lanes_of_warp(const GpuWarp *warp, GpuDim block) {
    const uint64_t left = check_dim_volume(block) - (uint64_t)gpu_warp_index(warp) * LANES;
    return left < LANES ? (unsigned)left : LANES;
}

/* Lanes that do not begin a row of the block: those have a neighbour before them. */
static uint32_t lanes_after_another(const GpuWarp *warp, GpuDim block) {
    uint32_t followers = ~UINT32_C(1);
    if (block.x % LANES == 0) return followers;
    for (unsigned lane = 1; lane < LANES; lane++)
        if ((gpu_warp_index(warp) * LANES + lane) % block.x == 0) followers &= ~(UINT32_C(1) << lane);
    return followers;
}

bool edges_parts_neighbours(const GpuWarp *warp, uint32_t taken, uint32_t not_taken) {
    const GpuDim block = gpu_block_launch(gpu_warp_block(warp))->spec.block;
    const unsigned lanes = lanes_of_warp(warp, block);
    if (check_lane_count(taken | not_taken) != lanes) return false;
    const uint32_t exist = taken | not_taken, followers = exist & lanes_after_another(warp, block);
    uint32_t changes = (taken ^ taken << 1) & followers;
    while (changes != 0) { /* two changes in one row? */
        const uint32_t first = changes & -changes, later = ~(first | (first - 1));
        const uint32_t ends = later & exist & ~followers; /* where the next rows begin */
        const uint32_t row = ends != 0 ? later & ((ends & -ends) - 1) : later;
        if (changes & row) return false;
        changes &= ~first;
    }
    return true;
}

/* Is there nothing but jumps from this instruction to the kernel's end? */
static bool ends_at_once(const PtxFunction *function, uint32_t index) {
    for (unsigned jumps = 0; jumps < MOST_JUMPS && index < function->instruction_count; jumps++) {
        const PtxInstruction *instruction = &function->instructions[index];
        if (instruction->guard >= 0) return false;
        if (instruction->opcode == PTX_OP_ret || instruction->opcode == PTX_OP_exit) return function->entry;
        if (instruction->opcode != PTX_OP_bra) return false;
        index = (uint32_t)instruction->operands[0].index;
    }
    return index == function->instruction_count && function->entry;
}

bool edges_branch_ends(const Check *check, uint32_t pc) {
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (!place.function || !place.instruction || place.instruction->opcode != PTX_OP_bra) return false;
    const uint32_t next = (uint32_t)(place.instruction - place.function->instructions) + 1;
    return ends_at_once(place.function, next) ||
           ends_at_once(place.function, (uint32_t)place.instruction->operands[0].index);
}
