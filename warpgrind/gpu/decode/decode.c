/* decode.c - a kernel and what it may call, from PTX to arrays of handlers and rows; done once, at the first
 * launch.
 *
 * Two things are made explicit on the way. Where sides of a branch meet stands a join, an instruction of its
 * own. An instruction with a guard that may stop or move its lanes becomes a branch around it.
 */
#include "gpu/alu/library.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/speculation.h"
#include "gpu/decode/decode.h"
#include "gpu/decode/kernel.h"
#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory.h"
#include "gpu/warp/warp.h"

#include <stdio.h>
#include <stdlib.h>

bool decode_fail(Decode *decode, const char *what) {
    if (!decode->failed && decode->diagnostics) {
        const PtxInstruction *source = decode->source;
        const char *name = source ? ptx_opcode_info(source->opcode)->name : "";
        diag_add(decode->diagnostics, DIAG_ERROR, NULL, source ? source->ptx_line : 0, 0, "%s: %s (in %s)",
                 name, what, decode->function->ptx->plain_name);
    }
    decode->failed = true;
    return false;
}

/** The array has room for all instructions from the start (function_size), so that pointers to earlier
 * ones stay good. */
GpuInstruction *decode_emit(Decode *decode, GpuHandlers run) {
    GpuFunction *function = decode->function;
    if (function->code_count == function->code_capacity) BUG("decoded code is larger than estimated");
    GpuInstruction *ins = &function->code[function->code_count];
    ins->run = run;
    ins->source = decode->source;
    ins->ordinal = decode->ordinal;
    ins->pc = function->first_pc + function->code_count;
    ins->defines = ins->guard.number = ins->address_register = GPU_NO_REGISTER;
    ins->function = function;
    function->code_count++;
    return ins;
}

/** The handler of each step. */
static GpuHandler *const step_handlers[] = {
    [STEP_operation] = NULL, /* each row of a GpuOperation table has its own */
#define STEP(name) [STEP_##name] = name,
#include "gpu/state/steps.def"
#undef STEP
};

static void decode_set_step(GpuInstruction *ins, GpuStep step) {
    ins->step = (uint8_t)step;
    ins->run = (GpuHandlers){step_handlers[step], step_handlers[step]};
}

GpuInstruction *decode_emit_one(Decode *decode, GpuStep step) {
    GpuInstruction *ins = decode_emit(decode, (GpuHandlers){NULL, NULL});
    decode_set_step(ins, step);
    return ins;
}

/** The list's entries lie side by side at the end of the function's array. That moves when it grows,
 * which is why instructions hold an index and not a pointer. */
GpuExtra *decode_extra(Decode *decode, GpuInstruction *ins, unsigned count) {
    GpuFunction *function = decode->function;
    if (function->extra_count + count > function->extra_capacity) {
        uint32_t capacity = function->extra_capacity * 2 + count + 16;
        GpuExtra *more = realloc(function->extra, capacity * sizeof *more);
        if (!more) {
            decode->failed = true;
            return NULL;
        }
        function->extra = more;
        function->extra_capacity = capacity;
    }
    ins->extra = function->extra_count;
    ins->count = (uint8_t)count;
    function->extra_count += count;
    return function->extra + ins->extra;
}

/* ---- guards ---- */

static void decode_set_guard(Decode *decode, GpuInstruction *ins) {
    const PtxInstruction *source = decode->source;
    ins->guard.place = decode->function->register_offset[source->guard];
    ins->guard.flip = source->guard_negated ? UINT32_MAX : 0;
    ins->guard.number = (uint16_t)source->guard;
}

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

/* ---- control flow ---- */

static void decode_fixup(Decode *decode, GpuInstruction *ins, int32_t target) {
    const PtxInstruction *source = decode->source;
    decode->fixups[decode->fixup_count++] =
        (DecodeFixup){ins, target, source->reconvergence, source->bypasses_barrier_taken,
                      source->bypasses_barrier_fallthrough};
}

bool decode_branch(Decode *decode) {
    const PtxInstruction *source = decode->source;
    int32_t target = source->operands[0].index;
    if (source->guard < 0) {
        if (target == (int32_t)decode->ordinal + 1) return true; /* to the next instruction: nothing to do */
        decode_fixup(decode, decode_emit_one(decode, STEP_flow_branch), target);
        return true;
    }
    bool bypass = source->bypasses_barrier_taken >= 0 || source->bypasses_barrier_fallthrough >= 0;
    GpuInstruction *ins = decode_emit_one(decode, bypass ? STEP_flow_branch_bypass : STEP_flow_branch_if);
    decode_set_guard(decode, ins);
    decode_fixup(decode, ins, target);
    return true;
}

bool decode_table(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, STEP_flow_table);
    ins->a = decode_source(decode, ins, &source->operands[0], 4);
    if (source->branch_target_count > UINT8_MAX) return decode_fail(decode, "more than 255 targets");
    GpuExtra *targets = decode_extra(decode, ins, source->branch_target_count);
    for (uint32_t i = 0; targets && i < source->branch_target_count; i++)
        targets[i].row = (GpuRow)source->branch_targets[i];
    decode_fixup(decode, ins, -1);
    return true;
}

bool decode_return(Decode *decode) {
    decode_emit_one(decode, decode->function->ptx->entry ? STEP_flow_exit : STEP_flow_return);
    return true;
}

bool decode_exit(Decode *decode) {
    return decode_emit_one(decode, STEP_flow_exit) != NULL;
}

bool decode_trap(Decode *decode) {
    return decode_emit_one(decode, STEP_flow_trap) != NULL;
}

bool decode_breakpoint(Decode *decode) {
    return decode_trap(decode); /* there is no debugger to go on from it */
}

bool decode_nothing(Decode *decode) {
    return decode_emit_one(decode, STEP_flow_nop) != NULL;
}

bool decode_fence(Decode *decode) {
    return decode_emit_one(decode, STEP_flow_fence) != NULL;
}

/* bar{.cta}.sync a{, b};  .arrive a, b;  .red.op d, a{, b}, p */
bool decode_barrier(Decode *decode) {
    const PtxInstruction *source = decode->source;
    PtxMode mode = source->modifiers.mode;
    bool red = mode == PTX_MODE_RED_AND || mode == PTX_MODE_RED_OR || mode == PTX_MODE_RED_POPC;
    const PtxOperand *operand = source->operands;
    unsigned left = source->operand_count;
    GpuInstruction *ins = decode_emit_one(decode, red                       ? STEP_flow_barrier_red
                                                  : mode == PTX_MODE_ARRIVE ? STEP_flow_arrive
                                                                            : STEP_flow_barrier);
    if (red) {
        ins->d = decode_destination(decode, ins, operand++, mode == PTX_MODE_RED_POPC ? 4 : 0);
        left -= 2;
    }
    ins->uses[0] = ins->uses[1] = GPU_NO_REGISTER;
    GpuExtra number = decode_part(decode, operand++, 4);
    ins->a = number.row;
    ins->uses[0] = number.number;
    ins->count = (uint8_t)left;
    if (left > 1) {
        GpuExtra count = decode_part(decode, operand++, 4);
        ins->b = count.row;
        ins->uses[1] = count.number;
    }
    if (red) {
        GpuExtra predicate = decode_part(decode, operand, 0);
        ins->c = predicate.row;
        ins->flip_c = predicate.flip;
    }
    return true;
}

/** A cluster has one block: waiting is the block's barrier 0. LIMIT: arriving does nothing yet, so that
 * nobody goes on before all have come to wait. */
bool decode_cluster_barrier(Decode *decode) {
    if (decode->source->modifiers.mode == PTX_MODE_ARRIVE)
        return decode_emit_one(decode, STEP_flow_nop) != NULL;
    GpuInstruction *ins = decode_emit_one(decode, STEP_flow_barrier);
    ins->a = decode_constant(decode, 0, 4);
    ins->uses[0] = ins->uses[1] = GPU_NO_REGISTER;
    ins->count = 1;
    return !decode->failed;
}

/* ---- calls ---- */

/** Where arguments and results lie in the caller's own .param area; no register is involved. */
static bool decode_call_lists(Decode *decode, GpuCall *call) {
    const PtxInstruction *source = decode->source;
    const GpuFunction *function = decode->function;
    enum { MAX_ARGUMENTS = sizeof call->arguments / sizeof *call->arguments, MAX_RESULTS = 4 };
    if (source->argument_count > MAX_ARGUMENTS || source->result_count > MAX_RESULTS)
        return decode_fail(decode, "too many arguments");
    for (unsigned i = 0; i < source->argument_count; i++) {
        const PtxOperand *part = &function->ptx->parts[source->first_argument + i];
        if (!part->variable) return decode_fail(decode, "an argument is not a .param variable");
        call->arguments[i] = function->param_base + part->variable->offset;
        call->argument_bytes[i] = (uint32_t)part->variable->bytes;
    }
    for (unsigned i = 0; i < source->result_count; i++) {
        const PtxOperand *part = &function->ptx->parts[source->first_result + i];
        if (!part->variable) return decode_fail(decode, "a result is not a .param variable");
        call->results[i] = function->param_base + part->variable->offset;
        call->result_bytes[i] = (uint32_t)part->variable->bytes;
    }
    call->argument_count = source->argument_count;
    call->result_count = source->result_count;
    return true;
}

static bool decode_fail_callee(Decode *decode, const PtxFunction *callee) {
    char text[256];
    snprintf(text, sizeof text, "'%s' is defined neither in this module nor in the device's library",
             callee->name);
    return decode_fail(decode, text);
}

/** A call is bound now where that is possible: to a function of the module, else to one of the library by
 * name. A function that was left out, since it cannot be executed, becomes an illegal instruction. */
bool decode_call(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuFunction *function = decode->function;
    const PtxModule *ptx = decode->kernel->module->ptx;
    GpuCall *call = &function->calls[function->call_count++];
    if (!decode_call_lists(decode, call)) return false;
    decode->kernel->calls = true;
    GpuInstruction *ins = decode_emit_one(decode, STEP_call_function);
    ins->u.call = call;
    if (!source->callee) {
        GpuExtra pointer = decode_part(decode, &source->operands[0], 8);
        ins->a = pointer.row;
        ins->address_register = pointer.number;
        return true;
    }
    const PtxFunction *definition = module_definition(ptx, source->callee);
    if (definition) {
        call->callee = decode->kernel->functions[module_function_index(ptx, definition)];
        if (!call->callee) decode_set_step(ins, STEP_flow_illegal);
        return true;
    }
    call->library = gpu_library_find(source->callee->name);
    decode_set_step(ins, STEP_call_library);
    if (call->library && call->library->service >= GPU_LIBRARY_CHILD_BUFFER) decode->kernel->launches = true;
    if (call->library && call->library->service == GPU_LIBRARY_VPRINTF) decode->kernel->prints = true;
    return call->library || decode_fail_callee(decode, source->callee);
}

/* ---- warp operations ---- */

/* d (and a predicate), sources a, b, c, and the mask as the last row of `extra`. */
static bool decode_warp_operation(Decode *decode, GpuStep step, unsigned destination_width,
                                  unsigned source_width) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, step);
    GpuExtra *parts = decode_extra(decode, ins, 6);
    if (!parts) return false;
    const GpuExtra nothing = {.number = GPU_NO_REGISTER, .sink = true};
    GpuExtra filled[6] = {nothing, nothing, nothing, nothing, nothing, nothing};
    unsigned next = 0;
    /* 0: d, 1: the predicate beside it, 2..: sources */
    filled[0] = decode_part(decode, &source->operands[next++], destination_width);
    if (source->destination_count > 1) filled[1] = decode_part(decode, &source->operands[next++], 0);
    for (unsigned i = 2; next < source->operand_count && i < 6; i++, next++) {
        bool predicate = source->opcode == PTX_OP_vote && i == 2;
        filled[i] = decode_part(decode, &source->operands[next], predicate ? 0 : i == 2 ? source_width : 4);
    }
    memcpy(decode->function->extra + ins->extra, filled, sizeof filled);
    return true;
}

bool decode_warp_barrier(Decode *decode) {
    GpuInstruction *ins = decode_emit_one(decode, STEP_warp_sync_lanes);
    ins->a = decode_source(decode, ins, &decode->source->operands[0], 4);
    return true;
}

bool decode_shuffle(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_shfl, 4, 4);
}

bool decode_vote(Decode *decode) {
    bool ballot = decode->source->modifiers.mode == PTX_MODE_BALLOT;
    return decode_warp_operation(decode, STEP_warp_vote, ballot ? 4 : 0, 0);
}

bool decode_match(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_match, 4, decode_width(decode->source->type));
}

bool decode_redux(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_redux, 4, 4);
}

bool decode_active_mask(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_active_mask, 4, 4);
}

bool decode_elect(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_elect, 4, 4);
}

/* ---- one instruction ---- */

bool decode_refused(Decode *decode) {
    return decode_fail(decode, "not supported");
}

/** Instructions that move lanes or wait for others; decode_movement has those that move values. */
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
    bool done = fusion->sum ? contract_decode(decode, fusion) : decode_one(decode);
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
    return index < 0 ? NULL : decode->function->code + decode->map[index];
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
        unsigned accesses = ptx_is_matrix(instruction->opcode) ? 8 : 1;
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
    function->calls = calloc(calls + 1, sizeof *function->calls);
    decode->map = calloc(count + 1, sizeof *decode->map);
    decode->is_meet = calloc(count + 1, sizeof *decode->is_meet);
    decode->fixups = calloc(count + 1, sizeof *decode->fixups);
    decode->fusions = calloc(count + 1, sizeof *decode->fusions);
    bool memory_ok = function->code && function->caches && function->calls && decode->map &&
                     decode->is_meet && decode->fixups && decode->fusions;
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
    bool memory = local_count_make(function) && speculation_find(function) && assigned_find(function);
    for (uint32_t i = 0; i < function->code_count; i++)
        function->code[i].frame_shadow = undefined_frame_shadow_for(&function->code[i]);
    return memory || decode_fail(decode, "not enough memory");
}

/** Enters the function's run of pcs into the table by which a pc is found again (gpu_place). Pcs are
 * given out upwards, so that the table is sorted. */
static bool gpu_add_code(Gpu *gpu, const GpuFunction *function) {
    if (gpu->code_count == gpu->code_capacity) {
        unsigned capacity = gpu->code_capacity * 2 + 16;
        GpuCode *more = realloc(gpu->codes, capacity * sizeof *more);
        if (!more) return false;
        gpu->codes = more;
        gpu->code_capacity = capacity;
    }
    gpu->codes[gpu->code_count++] = (GpuCode){function->first_pc, function};
    gpu->next_pc += function->code_count;
    return true;
}

static bool function_decode(GpuKernel *kernel, GpuFunction *function, Diagnostics *diagnostics) {
    Gpu *gpu = kernel->module->gpu;
    Decode decode = {.kernel = kernel, .function = function, .diagnostics = diagnostics};
    function->first_pc = gpu->next_pc;
    bool fine = function_decode_body(&decode) && !decode.failed && gpu_add_code(gpu, function);
    free(decode.map);
    free(decode.is_meet);
    free(decode.fixups);
    free(decode.fusions);
    return fine;
}

/* ---- the kernel and what it reaches ---- */

/** What a kernel may call. */
typedef struct Reach {
    GpuKernel *kernel;
    Diagnostics *diagnostics; /**< or NULL */
    bool perhaps; /**< through the address in a variable: perhaps nobody ever calls it, and a function that
                     cannot be executed is left out */
} Reach;

static bool kernel_reach(const Reach *reach, const PtxFunction *function);

static bool kernel_reach_operand(const Reach *reach, const PtxOperand *operand) {
    return operand->kind != PTX_OPERAND_FUNCTION || kernel_reach(reach, operand->function);
}

/** Says why the function cannot be executed; false. */
static bool kernel_refuse(const PtxFunction *function, Diagnostics *diagnostics) {
    const Diagnostic *why = function->refusal;
    if (!diagnostics) return false;
    Diagnostic *said = diag_add(diagnostics, DIAG_ERROR, why->file, why->line, why->column, "%s (in %s)",
                                why->message, function->plain_name);
    if (said) {
        said->source_line = why->source_line;
        said->remedy = why->remedy;
    }
    return false;
}

static unsigned function_self_calls(const PtxFunction *ptx) {
    unsigned count = 0;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        count += ptx->instructions[i].opcode == PTX_OP_call && ptx->instructions[i].callee == ptx;
    return count;
}

/** The frame of the function on a card, at least: its arrays and the fewest registers that ptxas saves for a
 * call. Unoptimised code keeps everything in its frame: its arrays are known from the debug information; and
 * where it calls itself at one place, an optimising compiler may make a loop of it, which takes no stack. */
static uint32_t function_card_frame(const PtxFunction *ptx) {
    enum { SAVED_REGISTERS = 24 };
    bool optimised = true;
    uint32_t arrays = 0;
    for (uint32_t i = 0; i < ptx->local_count; i++) {
        const PtxLocal *local = &ptx->locals[i];
        bool array = local->element_bytes && local->bytes > local->element_bytes;
        if (array) arrays += local->bytes;
        optimised = optimised && array;
    }
    if (optimised) return ptx->local_bytes + SAVED_REGISTERS;
    return arrays || function_self_calls(ptx) != 1 ? arrays + SAVED_REGISTERS : 0;
}

static GpuFunction *kernel_new_function(GpuKernel *kernel, const PtxFunction *ptx) {
    GpuFunction *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->ptx = ptx;
    made->kernel = kernel;
    made->local_bytes = ptx->local_bytes;
    made->card_frame = function_card_frame(ptx);
    made->param_base = (ptx->local_bytes + 15) & ~15u;
    made->stack_bytes = made->param_base + ((ptx->call_param_bytes + 15) & ~15u);
    return made;
}

/** Makes a GpuFunction for the function and for all that it names. */
static bool kernel_reach(const Reach *reach, const PtxFunction *function) {
    GpuKernel *kernel = reach->kernel;
    const PtxFunction *ptx = module_definition(kernel->module->ptx, function);
    if (!ptx) return true;
    int index = module_function_index(kernel->module->ptx, ptx);
    if (index < 0 || kernel->functions[index]) return true;
    if (ptx->entry && ptx != kernel->ptx) return true; /* a kernel to be launched, which nobody can call */
    if (ptx->refusal) return reach->perhaps || kernel_refuse(ptx, reach->diagnostics);
    kernel->functions[index] = kernel_new_function(kernel, ptx);
    if (!kernel->functions[index]) return false;
    for (uint32_t i = 0; i < ptx->part_count; i++)
        if (!kernel_reach_operand(reach, &ptx->parts[i])) return false;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        if (instruction->callee && !kernel_reach(reach, instruction->callee)) return false;
        for (unsigned k = 0; k < instruction->operand_count; k++)
            if (!kernel_reach_operand(reach, &instruction->operands[k])) return false;
    }
    return true;
}

static bool kernel_reach_variables(GpuKernel *kernel) {
    const PtxModule *ptx = kernel->module->ptx;
    Reach reach = {.kernel = kernel, .perhaps = true};
    for (uint32_t i = 0; i < ptx->variable_count; i++)
        for (unsigned k = 0; k < ptx->variables[i].relocation_count; k++) {
            const PtxFunction *function = ptx->variables[i].relocations[k].function;
            if (function && !kernel_reach(&reach, function)) return false;
        }
    return true;
}

/** Finds all functions that the kernel can reach, then decodes each: calls of functions not yet decoded
 * need only their GpuFunction. */
static bool kernel_decode(GpuKernel *kernel, Diagnostics *diagnostics) {
    const PtxModule *ptx = kernel->module->ptx;
    Reach reach = {.kernel = kernel, .diagnostics = diagnostics};
    kernel->functions = calloc(ptx->function_count + 1, sizeof(GpuFunction *));
    if (!kernel->functions || !kernel_reach(&reach, kernel->ptx) || !kernel_reach_variables(kernel))
        return false;
    kernel->uniform_bytes = GPU_BLOCK_ROWS * GPU_ROW_BYTES;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (kernel->functions[i] && !function_decode(kernel, kernel->functions[i], diagnostics)) return false;
    kernel->entry = kernel->functions[module_function_index(ptx, kernel->ptx)];
    return true;
}

bool decode_kernel(GpuKernel *kernel, Diagnostics *diagnostics) {
    if (kernel->decoded) return true;
    Gpu *gpu = kernel->module->gpu;
    unsigned codes = gpu->code_count;
    kernel->decoded = kernel_decode(kernel, diagnostics);
    if (kernel->decoded) return true;
    gpu->code_count = codes;
    decode_free(kernel);
    return false;
}

/** Frees the functions, so that the kernel is as if it had never been decoded. */
void decode_free(GpuKernel *kernel) {
    for (uint32_t i = 0; kernel->functions && i < kernel->module->ptx->function_count; i++) {
        GpuFunction *function = kernel->functions[i];
        if (!function) continue;
        free(function->code);
        free(function->constants);
        free(function->register_offset);
        free(function->frame_constant);
        free(function->local_sums);
        free(function->frame_array);
        free(function->extra);
        free(function->caches);
        free(function->calls);
        free(function->fused);
        free(function->decides);
        speculation_free(function->speculation);
        free(function);
    }
    free(kernel->functions);
    free(kernel->uniforms);
    kernel->functions = NULL;
    kernel->deciding_known = false;
    kernel->uniforms = NULL;
    kernel->uniform_count = 0;
    kernel->uniform_capacity = 0;
    kernel->entry = NULL;
}
