/* decode_control.c - where lanes go and wait: branches, returns, barriers, and calls with their lists of
 * values. */
#include "gpu/alu/library.h"
#include "gpu/decode/decode.h"

#include <stdio.h>

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
    decode_emit_one(decode, decode->function->ptx->entry ? STEP_flow_exit : STEP_call_return);
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
    GpuStep step = STEP_flow_barrier;
    if (mode == PTX_MODE_ARRIVE) step = STEP_flow_arrive;
    GpuInstruction *ins = decode_emit_one(decode, red ? STEP_flow_barrier_red : step);
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
