/* decode.c - a function, from PTX to an array of handlers and rows; done once, at the first launch of a
 * kernel that may call it.
 *
 * Two things are made explicit on the way. Where sides of a branch meet stands a join, an instruction of its
 * own. An instruction with a guard that may stop or move its lanes becomes a branch around it.
 */
#include "base/growable.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/speculation.h"
#include "gpu/decode/decode.h"
#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory.h"
#include "gpu/warp/warp.h"

#include <stdlib.h>

/* ---- guards ---- */

static void decode_guard_plain(Decode *decode, uint32_t first) {
    for (uint32_t i = first; i < decode->function->code_count; i++) {
        GpuInstruction *ins = &decode->function->code[i];
        decode_set_guard(decode, ins);
        ins->guard.inner = ins->run;
        ins->guard.shadow = ins->shadow;
        ins->shadow = NULL;
        ins->run = (GpuHandlers){flow_guard, flow_guard};
    }
}

/** Whether lanes may stop in the instruction, or go elsewhere: then its guard becomes a branch. */
static bool decode_stops(PtxOpcode opcode) {
    PtxControl control = ptx_control(opcode);
    return control != PTX_CONTROL_NEXT && control != PTX_CONTROL_BRANCH;
}

/* ---- one instruction ---- */

bool decode_refused(Decode *decode) {
    return decode_fail(decode, "not supported");
}

/** Decodes the instruction by the decoder of its family, a row of families.def. */
static bool decode_one(Decode *decode) {
    static bool (*const decoders[])(Decode *) = {
#define PTX_FAMILY(name, control, data) [PTX_FAMILY_##name] = decode_##name,
#include "ptx/families.def"
#undef PTX_FAMILY
    };
    return decoders[ptx_opcode_info(decode->source->opcode)->family](decode);
}

static void decode_join(Decode *decode) {
    decode_emit_one(decode, STEP_flow_join);
}

/** The instruction with what stands around it: the join if sides of a branch meet here, and its guard, as
 * a branch around it or in front of each of its steps. */
static bool decode_instruction(Decode *decode, uint32_t index) {
    const PtxInstruction *source = &decode->function->ptx->instructions[index];
    decode->source = source;
    decode->ordinal = index;
    decode->map[index] = decode->function->code_count;
    if (decode->is_meet[index]) decode_join(decode);
    bool skip = source->guard >= 0 && decode_stops(source->opcode);
    GpuInstruction *around = NULL;
    if (skip) {
        around = decode_emit_one(decode, STEP_flow_skip);
        decode_set_guard(decode, around);
    }
    uint32_t first = decode->function->code_count;
    const DecodeFusion *fusion = &decode->fusions[index];
    if (fusion->taken) return true;
    bool done;
    if (fusion->sum)
        done = contract_decode(decode, fusion);
    else
        done = decode_one(decode);
    if (!done) return decode->failed ? false : decode_fail(decode, "not supported");
    for (uint32_t i = first; i < decode->function->code_count; i++)
        decode->function->code[i].shadow = undefined_shadow_for(&decode->function->code[i]);
    if (skip) {
        decode->ordinal++;
        GpuInstruction *end = decode_emit_one(decode, STEP_flow_join);
        around->branch.target = around->branch.meet = end;
    } else if (source->guard >= 0 && source->opcode != PTX_OP_bra) {
        decode_guard_plain(decode, first);
    }
    return !decode->failed;
}

static const GpuInstruction *decode_at(const Decode *decode, int32_t index) {
    if (index < 0) return NULL;
    return decode->function->code + decode->map[index];
}

/** The barrier, or the call that leads to one: it stands behind the join and the guard that may be before it.
 */
static const GpuInstruction *decode_barrier_at(const Decode *decode, int32_t index) {
    const GpuInstruction *ins = decode_at(decode, index);
    while (ins && (ins->step == STEP_flow_join || ins->step == STEP_flow_skip))
        ins++;
    return ins;
}

/** Branches forward knew only the index of their target in the text: now that all code lies where it
 * stays, these become pointers, and entries of branch tables become indices of decoded instructions. */
static void decode_fix_targets(Decode *decode) {
    for (unsigned i = 0; i < decode->fixup_count; i++) {
        const DecodeFixup *fixup = &decode->fixups[i];
        GpuInstruction *ins = fixup->ins;
        if (fixup->target >= 0) ins->branch.target = decode_at(decode, fixup->target);
        ins->branch.meet = decode_at(decode, fixup->meet);
        if (ins->step == STEP_flow_branch && ins->branch.target == ins + 1)
            decode_set_step(ins, STEP_flow_nop);
        ins->branch.bypass_taken = decode_barrier_at(decode, fixup->taken);
        ins->branch.bypass_through = decode_barrier_at(decode, fixup->through);
        if (ins->step == STEP_flow_table)
            for (unsigned k = 0; k < ins->count; k++)
                decode->function->extra[ins->extra + k].row =
                    decode->map[decode->function->extra[ins->extra + k].row];
    }
}

/* ---- one function ---- */

/** Predicates first, then wide rows, then narrow ones; the last "register" takes what nobody wants,
 * and behind it are the two of decode_scratch_row. */
static bool function_place_registers(GpuFunction *function) {
    const PtxFunction *ptx = function->ptx;
    uint32_t count = ptx->register_count;
    if (count >= GPU_NO_REGISTER) return false;
    function->register_offset = calloc(count + 1, sizeof *function->register_offset);
    function->frame_constant = calloc(count + 1, sizeof *function->frame_constant);
    function->frame_array = calloc(count + 1, sizeof *function->frame_array);
    if (!function->register_offset || !function->frame_constant || !function->frame_array) return false;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; i++)
        if (decode_width(ptx->registers[i].type) == 0) {
            function->register_offset[i] = offset;
            offset += 4;
        }
    offset = (offset + 63) & ~63u;
    for (uint32_t i = 0; i < count; i++)
        if (ptx->registers[i].type == PTX_B128) {
            function->register_offset[i] = offset;
            offset += 16 * GPU_WARP_LANES;
        }
    for (unsigned width = 8; width >= 4; width -= 4)
        for (uint32_t i = 0; i < count; i++)
            if (decode_width(ptx->registers[i].type) == width && ptx->registers[i].type != PTX_B128) {
                function->register_offset[i] = offset;
                offset += width * GPU_WARP_LANES;
            }
    function->register_offset[count] = offset;
    function->frame_bytes = offset + 3 * GPU_WIDE_ROW_BYTES;
    return function->frame_bytes < 1u << GPU_BASE_SHIFT;
}

static void function_size(GpuFunction *function, uint32_t *code, uint32_t *memory, uint32_t *calls) {
    *code = 2;
    *memory = *calls = 0;
    for (uint32_t i = 0; i < function->ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &function->ptx->instructions[i];
        unsigned parts = 0;
        for (unsigned k = 0; k < instruction->operand_count; k++)
            parts += instruction->operands[k].parts;
        /* A matrix in memory is moved element by element at most: four to a register, each with its address.
         */
        unsigned accesses = 1;
        if (ptx_is_matrix(instruction->opcode)) accesses = 8;
        *code += 5 + (accesses + 1) * (1 + parts);
        *memory += 2 + accesses * (1 + parts);
        *calls += instruction->opcode == PTX_OP_call;
    }
}

/** Finds the sums that are fmas, and makes room for these. */
static bool function_contract(Decode *decode) {
    GpuFunction *function = decode->function;
    uint32_t count = function->ptx->instruction_count, sums = 0;
    if (!contract_find(function->ptx, decode->fusions)) return false;
    for (uint32_t i = 0; i < count; i++)
        sums += decode->fusions[i].sum;
    function->fused = calloc(sums + 1, sizeof *function->fused);
    return function->fused != NULL;
}

/** Room for everything that is known to be needed before the first instruction is decoded. */
static bool function_prepare(Decode *decode) {
    GpuFunction *function = decode->function;
    const PtxFunction *ptx = function->ptx;
    uint32_t code, memory, calls, count = ptx->instruction_count;
    function_size(function, &code, &memory, &calls);
    function->code = calloc(code, sizeof *function->code);
    function->code_capacity = code;
    function->caches = calloc(memory, sizeof *function->caches);
    function->patterns = calloc(memory, sizeof *function->patterns);
    function->calls = calloc(calls + 1, sizeof *function->calls);
    decode->map = calloc(count + 1, sizeof *decode->map);
    decode->is_meet = calloc(count + 1, sizeof *decode->is_meet);
    decode->fixups = calloc(count + 1, sizeof *decode->fixups);
    decode->fusions = calloc(count + 1, sizeof *decode->fusions);
    bool memory_ok = function->code && function->caches && function->patterns && function->calls &&
                     decode->map && decode->is_meet && decode->fixups && decode->fusions;
    if (!memory_ok || !function_place_registers(function) || !function_contract(decode)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (ptx->instructions[i].reconvergence >= 0)
            decode->is_meet[ptx->instructions[i].reconvergence] = true;
    return true;
}

static bool function_decode_body(Decode *decode) {
    GpuFunction *function = decode->function;
    uint32_t count = function->ptx->instruction_count;
    if (!function_prepare(decode))
        return decode_fail(decode, "not enough memory, or more registers than can be held");
    decode_frame_constants(decode);
    for (uint32_t i = 0; i < count; i++)
        if (!decode_instruction(decode, i)) return false;
    /* The end of the text returns. */
    decode->ordinal = count;
    decode->map[count] = function->code_count;
    if (decode->is_meet[count]) decode_join(decode);
    decode_return(decode);
    decode_fix_targets(decode);
    bool memory = local_count_make(function) && speculation_find(function) &&
                  assigned_find(function, decode->map) && presets_find(function, decode->map);
    for (uint32_t i = 0; i < function->code_count; i++)
        function->code[i].frame_shadow = undefined_frame_shadow_for(&function->code[i]);
    return memory || decode_fail(decode, "not enough memory");
}

/** Enters the function's run of pcs into the table by which a pc is found again (gpu_place). Pcs are
 * given out upwards, so that the table is sorted. */
static bool gpu_add_code(Gpu *gpu, const GpuFunction *function) {
    GpuCode *more = growable_grow(gpu->codes, &gpu->code_capacity, gpu->code_count + 1u, sizeof *more);
    if (!more) return false;
    gpu->codes = more;
    gpu->codes[gpu->code_count++] = (GpuCode){function->first_pc, function};
    gpu->next_pc += function->code_count;
    return true;
}

bool decode_function(GpuKernel *kernel, GpuFunction *function, Diagnostics *diagnostics) {
    Gpu *gpu = kernel->module->gpu;
    Decode decode = {.kernel = kernel, .function = function, .diagnostics = diagnostics};
    decode.as_written = !kernel->module->ptx->lines_by_program && ptx_keeps_parameters(function->ptx);
    function->first_pc = gpu->next_pc;
    bool fine = function_decode_body(&decode) && !decode.failed && gpu_add_code(gpu, function);
    free(decode.map);
    free(decode.is_meet);
    free(decode.fixups);
    free(decode.fusions);
    return fine;
}
