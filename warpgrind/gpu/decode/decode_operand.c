/* decode_operand.c - operands become rows: registers, immediates broadcast once, special registers. */
#include "gpu/decode/decode.h"

#include <stdlib.h>

unsigned decode_width(PtxType type) {
    if (type == PTX_PRED) return 0;
    if (ptx_type_bytes(type) == 8) return 8;
    return 4;
}

unsigned decode_register_width(const Decode *decode, const PtxOperand *operand) {
    if (operand->kind != PTX_OPERAND_REGISTER) return 4;
    return decode_width(decode->function->ptx->registers[operand->index].type);
}

/* ---- constants ---- */

/** Room for one more row, with a wide row to spare behind it: handlers may read the last row as wide
 * lanes. */
static bool constants_grow(GpuFunction *function, uint32_t bytes) {
    if (function->constant_bytes + bytes + GPU_WIDE_ROW_BYTES <= function->constant_capacity) return true;
    uint32_t capacity = 4096;
    if (function->constant_capacity) capacity = function->constant_capacity * 2;
    uint8_t *more = aligned_alloc(64, capacity);
    if (!more) return false;
    memset(more, 0, capacity);
    if (function->constants) memcpy(more, function->constants, function->constant_bytes);
    free(function->constants);
    function->constants = more;
    function->constant_capacity = capacity;
    return true;
}

/** Whether the row at `offset` holds these bits in every lane. Any row will do that does. */
static bool constant_is(const GpuFunction *function, uint32_t offset, uint64_t bits, unsigned width) {
    if (offset + width * GPU_WARP_LANES > function->constant_bytes) return false;
    const uint8_t *row = function->constants + offset;
    if (memcmp(row, &bits, width) != 0) return false;
    return memcmp(row, row + width, (size_t)width * (GPU_WARP_LANES - 1)) == 0;
}

/** A row in which each lane has the value. Equal ones share a row, found by looking through all of them:
 * a function has few. */
GpuRow decode_constant(Decode *decode, uint64_t bits, unsigned width) {
    GpuFunction *function = decode->function;
    if (width == 4) bits = (uint32_t)bits;
    for (uint32_t offset = 0; offset < function->constant_bytes; offset += GPU_ROW_BYTES)
        if (constant_is(function, offset, bits, width)) return GPU_ROW(GPU_BASE_CONSTANT, offset);
    if (!constants_grow(function, GPU_WIDE_ROW_BYTES)) {
        decode->failed = true;
        return 0;
    }
    uint32_t offset = function->constant_bytes;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        memcpy(function->constants + offset + lane * width, &bits, width);
    function->constant_bytes += width * GPU_WARP_LANES;
    return GPU_ROW(GPU_BASE_CONSTANT, offset);
}

/* ---- special registers: PTX ISA 10 ---- */

typedef struct SpecialRow {
    uint8_t base, row;
} SpecialRow;

static const SpecialRow special_rows[PTX_SPECIAL_COUNT] = {
    [PTX_TID_X] = {GPU_BASE_WARP, GPU_WARP_TID},
    [PTX_TID_Y] = {GPU_BASE_WARP, GPU_WARP_TID + 1},
    [PTX_TID_Z] = {GPU_BASE_WARP, GPU_WARP_TID + 2},
    [PTX_LANEID] = {GPU_BASE_WARP, GPU_WARP_LANEID},
    [PTX_WARPID] = {GPU_BASE_WARP, GPU_WARP_WARPID},
    [PTX_LANEMASK_EQ] = {GPU_BASE_WARP, GPU_WARP_LANEMASK},
    [PTX_LANEMASK_LE] = {GPU_BASE_WARP, GPU_WARP_LANEMASK + 1},
    [PTX_LANEMASK_LT] = {GPU_BASE_WARP, GPU_WARP_LANEMASK + 2},
    [PTX_LANEMASK_GE] = {GPU_BASE_WARP, GPU_WARP_LANEMASK + 3},
    [PTX_LANEMASK_GT] = {GPU_BASE_WARP, GPU_WARP_LANEMASK + 4},
    [PTX_NTID_X] = {GPU_BASE_BLOCK, GPU_BLOCK_NTID},
    [PTX_NTID_Y] = {GPU_BASE_BLOCK, GPU_BLOCK_NTID + 1},
    [PTX_NTID_Z] = {GPU_BASE_BLOCK, GPU_BLOCK_NTID + 2},
    [PTX_CTAID_X] = {GPU_BASE_BLOCK, GPU_BLOCK_CTAID},
    [PTX_CTAID_Y] = {GPU_BASE_BLOCK, GPU_BLOCK_CTAID + 1},
    [PTX_CTAID_Z] = {GPU_BASE_BLOCK, GPU_BLOCK_CTAID + 2},
    [PTX_NCTAID_X] = {GPU_BASE_BLOCK, GPU_BLOCK_NCTAID},
    [PTX_NCTAID_Y] = {GPU_BASE_BLOCK, GPU_BLOCK_NCTAID + 1},
    [PTX_NCTAID_Z] = {GPU_BASE_BLOCK, GPU_BLOCK_NCTAID + 2},
    [PTX_NWARPID] = {GPU_BASE_BLOCK, GPU_BLOCK_NWARPID},
    [PTX_SMID] = {GPU_BASE_BLOCK, GPU_BLOCK_SMID},
    [PTX_NSMID] = {GPU_BASE_BLOCK, GPU_BLOCK_NSMID},
    [PTX_GRIDID] = {GPU_BASE_BLOCK, GPU_BLOCK_GRIDID},
    [PTX_DYNAMIC_SMEM_SIZE] = {GPU_BASE_BLOCK, GPU_BLOCK_DYNAMIC_SHARED},
    [PTX_TOTAL_SMEM_SIZE] = {GPU_BASE_BLOCK, GPU_BLOCK_TOTAL_SHARED},
    [PTX_GRID_WORKSPACE_HIGH] = {GPU_BASE_BLOCK, GPU_BLOCK_WORKSPACE},
    [PTX_GRID_WORKSPACE_LOW] = {GPU_BASE_BLOCK, GPU_BLOCK_WORKSPACE_LOW},
};

static GpuRow decode_special(Decode *decode, int32_t special) {
    if (special == PTX_WARPSZ) return decode_constant(decode, GPU_WARP_LANES, 4);
    SpecialRow place = special_rows[special];
    if (place.row == GPU_BLOCK_WORKSPACE && place.base == GPU_BASE_BLOCK) decode->kernel->meets_grid = true;
    if (!place.base) return decode_constant(decode, 0, 4);
    return GPU_ROW(place.base, place.row * GPU_ROW_BYTES);
}

/* ---- operands ---- */

/** Functions, module variables and the kernel's own parameters have addresses that are known now; what
 * lies in a frame has none. */
bool decode_address_constant(Decode *decode, const PtxOperand *operand, uint64_t *value) {
    if (operand->kind == PTX_OPERAND_FUNCTION) {
        *value = module_function_address(decode->kernel->module, operand->function);
        return true;
    }
    if (!operand->variable) return false;
    PtxSpace space = operand->variable->space;
    if (space == PTX_SPACE_LOCAL) return false;
    if (space == PTX_SPACE_PARAM) {
        *value = operand->variable->offset + (uint64_t)operand->offset;
        return decode->function->ptx->entry;
    }
    *value = module_variable_address(decode->kernel, operand->variable) + (uint64_t)operand->offset;
    return true;
}

static GpuRow decode_register(Decode *decode, const PtxOperand *operand, unsigned width) {
    if (decode_register_width(decode, operand) < width)
        decode_fail(decode, "a register is too narrow for its operand");
    return GPU_ROW(GPU_BASE_FRAME, decode->function->register_offset[operand->index]);
}

GpuRow decode_scratch_row(const Decode *decode, unsigned number) {
    const GpuFunction *function = decode->function;
    return GPU_ROW(GPU_BASE_FRAME, function->register_offset[function->ptx->register_count] +
                                       (number + 1) * GPU_WIDE_ROW_BYTES);
}

/** Any operand as an entry of a list: its row, and the register behind it if there is one. */
GpuExtra decode_part(Decode *decode, const PtxOperand *operand, unsigned width) {
    GpuExtra part = {.number = GPU_NO_REGISTER, .width = (uint8_t)width};
    uint64_t value;
    if (operand->kind == PTX_OPERAND_SINK) {
        part.sink = true;
    } else if (operand->kind == PTX_OPERAND_REGISTER) {
        part.row = decode_register(decode, operand, width);
        part.width = (uint8_t)decode_register_width(decode, operand);
        part.number = (uint16_t)operand->index;
        part.flip = operand->negated;
    } else if (operand->kind == PTX_OPERAND_SPECIAL) {
        part.row = decode_special(decode, operand->index);
        part.width = 4;
    } else if (decode_address_constant(decode, operand, &value)) {
        part.row = decode_constant(decode, value, width);
    } else if (width == 0) {
        part.row = decode_constant(decode, operand->bits ? UINT32_MAX : 0, 4);
    } else {
        part.row = decode_constant(decode, operand->bits, width);
    }
    return part;
}

GpuRow decode_source(Decode *decode, GpuInstruction *ins, const PtxOperand *operand, unsigned width) {
    GpuExtra part = decode_part(decode, operand, width);
    if (part.number != GPU_NO_REGISTER && ins->use_count < 4) ins->uses[ins->use_count++] = part.number;
    return part.row;
}

GpuRow decode_destination(Decode *decode, GpuInstruction *ins, const PtxOperand *operand, unsigned width) {
    if (operand->kind != PTX_OPERAND_REGISTER) {
        if (operand->kind != PTX_OPERAND_SINK) decode_fail(decode, "a destination is not a register");
        ins->defines = GPU_NO_REGISTER;
        return GPU_ROW(GPU_BASE_FRAME,
                       decode->function->register_offset[decode->function->ptx->register_count]);
    }
    ins->defines = (uint16_t)operand->index;
    ins->width = (uint8_t)decode_register_width(decode, operand);
    return decode_register(decode, operand, width);
}
