/* steady.c - does a kernel go the same way and touch the same places whatever its data are?
 *
 * A value varies when it comes from memory, from an atomic, or from a clock; everything made from it varies
 * too. Parameters, the indices of threads and blocks, and constant memory (whose writes end all that is known
 * of earlier launches, repeat.c) do not. The kernel is steady when no address, no branch, no barrier and no
 * set of lanes is made from what varies. Control never depends on data then, so that there is no other way
 * for data to come into a value than through its operands.
 *
 * Words of the local frame are followed like registers: once they hold data, they do so everywhere. Only the
 * words in which calls hand over arguments and results, which many calls share, are followed in the order of
 * the text, within a basic block. LIMIT: a kernel is not taken for steady when a
 * pointer to one of its local variables leaves the expression it was made in and data are stored through an
 * address that may be it; nor when it uses surfaces, mbarriers, calls through pointers, malloc or alloca.
 */
#include "gpu/alu/library.h"
#include "gpu/dataflow/dataflow.h"

#include <stdlib.h>

typedef struct Flow {
    const GpuFunction *function;
    bool *registers; /**< [register] it varies */
    bool *words;     /**< [word of the frame] */
    bool *passing;   /**< [word of the frame] arguments and results of calls: as the last store left it */
    bool *starts;    /**< [instruction] of a basic block */
} Flow;

typedef struct Steady {
    const GpuKernel *kernel;
    Flow *flows; /**< [function of the module] */
    bool changed;
    bool failed;      /**< something depends on data */
    bool exposed;     /**< a pointer to a local variable may be anywhere */
    bool frames_vary; /**< and data may have been stored through it */
} Steady;

/* ---- operands ---- */

static bool special_varies(int32_t special) {
    bool of_thread = special <= PTX_NWARPID || (special >= PTX_LANEMASK_EQ && special <= PTX_LANEMASK_GT);
    return !of_thread && special != PTX_WARPSZ && special != PTX_DYNAMIC_SMEM_SIZE &&
           special != PTX_TOTAL_SMEM_SIZE;
}

/** Whether the operand's value, or an address made from its register, depends on data. */
static bool operand_varies(const Flow *flow, const PtxOperand *operand) {
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return flow->registers[operand->index];
    case PTX_OPERAND_ADDRESS:
        return !operand->variable && operand->index >= 0 && flow->registers[operand->index];
    case PTX_OPERAND_SPECIAL:
        return special_varies(operand->index);
    case PTX_OPERAND_VECTOR:
        for (unsigned i = 0; i < operand->parts; i++)
            if (operand_varies(flow, &flow->function->ptx->parts[operand->first_part + i])) return true;
        return false;
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_VARIABLE:
    case PTX_OPERAND_FUNCTION:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_SINK:
        return false;
    }
    return true;
}

/** An address is one also where it says where the result goes. */
static bool sources_vary(const Flow *flow, const PtxInstruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const PtxOperand *operand = &instruction->operands[i];
        bool source = i >= instruction->destination_count || operand->kind == PTX_OPERAND_ADDRESS;
        if (source && operand_varies(flow, operand)) return true;
    }
    return false;
}

static bool guard_varies(const Flow *flow, const PtxInstruction *instruction) {
    return instruction->guard >= 0 && flow->registers[instruction->guard];
}

static void raise(Steady *steady, bool *flag) {
    steady->changed |= !*flag;
    *flag = true;
}

static void vary_operand(Steady *steady, const Flow *flow, const PtxOperand *operand) {
    if (operand->kind == PTX_OPERAND_REGISTER) raise(steady, &flow->registers[operand->index]);
    if (operand->kind == PTX_OPERAND_VECTOR)
        for (unsigned i = 0; i < operand->parts; i++)
            vary_operand(steady, flow, &flow->function->ptx->parts[operand->first_part + i]);
}

static void vary_results(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    for (unsigned i = 0; i < instruction->destination_count; i++)
        vary_operand(steady, flow, &instruction->operands[i]);
}

/* ---- words of the frame ---- */

static bool words_vary(const Steady *steady, const Flow *flow, uint32_t offset, uint32_t bytes) {
    if (steady->frames_vary) return true;
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++)
        if (flow->words[at]) return true;
    return false;
}

static void set_words(Steady *steady, const Flow *flow, uint32_t offset, uint32_t bytes, bool vary) {
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++) {
        if (flow->passing[at])
            flow->words[at] = vary;
        else if (vary)
            raise(steady, &flow->words[at]);
    }
}

/** Where control may come from elsewhere, nothing is known of what lies ready for a call. */
static void begin_block(const Flow *flow) {
    for (uint32_t at = 0; at < flow->function->stack_bytes / 4 + 1; at++)
        if (flow->passing[at]) flow->words[at] = true;
}

static bool points_into_frame(const Flow *flow, const PtxOperand *operand) {
    const GpuFunction *function = flow->function;
    if (operand->kind == PTX_OPERAND_REGISTER)
        return function->frame_constant[operand->index] >= 0 || function->frame_array[operand->index];
    if (operand->kind != PTX_OPERAND_VARIABLE || !operand->variable) return false;
    bool formal = operand->variable->space == PTX_SPACE_PARAM && !function->ptx->entry;
    return operand->variable->space == PTX_SPACE_LOCAL || formal;
}

/** A pointer into the frame goes into a value that is not known to be one. */
static void look_for_pointers(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    const PtxOperand *to = &instruction->operands[0];
    bool known = instruction->destination_count == 1 && to->kind == PTX_OPERAND_REGISTER &&
                 points_into_frame(flow, to);
    if (known || steady->exposed) return;
    for (unsigned i = instruction->destination_count; i < instruction->operand_count; i++)
        if (points_into_frame(flow, &instruction->operands[i])) raise(steady, &steady->exposed);
}

/* ---- memory ---- */

static const PtxOperand *address_of(const PtxInstruction *instruction) {
    return &instruction->operands[instruction->opcode == PTX_OP_st ? 0 : 1];
}

/** Where data may have gone that were stored to an address which is not known now. */
static void vary_target(Steady *steady, const Flow *flow, const GpuInstruction *ins) {
    bool may_be_local = ins->memory.space == PTX_SPACE_GENERIC || ins->memory.space == PTX_SPACE_LOCAL;
    if (!may_be_local) return;
    const PtxLocal *array = ins->memory.array;
    if (array) {
        set_words(steady, flow, array->offset, array->bytes, true);
    } else if (steady->exposed || ins->memory.space == PTX_SPACE_LOCAL || flow->function->formals_addressed) {
        raise(steady, &steady->frames_vary);
    }
}

/** A load or store through an address. The address must not vary; what a load gives varies, unless it
 * comes from constant memory or the kernel's parameters; data that are stored may vary the frame's words. */
static void look_at_memory(Steady *steady, const Flow *flow, const GpuInstruction *ins,
                           const PtxInstruction *source) {
    if (operand_varies(flow, address_of(source)) || guard_varies(flow, source)) {
        steady->failed = true;
        return;
    }
    if (source->opcode == PTX_OP_st) {
        if (operand_varies(flow, &source->operands[1])) vary_target(steady, flow, ins);
        return;
    }
    bool fixed = ins->memory.space == PTX_SPACE_CONST ||
                 (ins->step == STEP_local_load_parameter && flow->function->ptx->entry);
    if (!fixed) vary_results(steady, flow, source);
}

/** ld and st of memory, of a parameter, or of a word of the frame. */
static void look_at_move(Steady *steady, const Flow *flow, const GpuInstruction *ins,
                         const PtxInstruction *source) {
    const GpuStep step = (GpuStep)ins->step;
    if (step == STEP_memory_load || step == STEP_memory_store || step == STEP_local_load_parameter) {
        look_at_memory(steady, flow, ins, source);
    } else if (ins->frame_word == GPU_FRAME_STORE) {
        bool kept = source->guard >= 0 && words_vary(steady, flow, (uint32_t)ins->memory.offset, ins->bytes);
        bool varies = operand_varies(flow, &source->operands[1]) || guard_varies(flow, source);
        set_words(steady, flow, (uint32_t)ins->memory.offset, ins->bytes, varies || kept);
    } else if (ins->frame_word == GPU_FRAME_LOAD) {
        if (words_vary(steady, flow, (uint32_t)ins->memory.offset, ins->bytes) || guard_varies(flow, source))
            vary_results(steady, flow, source);
    } else if (guard_varies(flow, source)) {
        vary_results(steady, flow, source);
    }
}

/* ---- calls ---- */

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/** Arguments vary in the callee where they vary in the caller, results the other way round. */
static void look_at_arguments(Steady *steady, const Flow *flow, const GpuCall *call, const Flow *to) {
    const PtxFunction *callee = to->function->ptx;
    for (unsigned i = 0; i < call->argument_count && i < callee->parameter_count; i++) {
        const PtxVariable *formal = &callee->parameters[i];
        set_words(steady, to, to->function->param_base + (uint32_t)formal->offset,
                  least(call->argument_bytes[i], (uint32_t)formal->bytes),
                  words_vary(steady, flow, call->arguments[i], call->argument_bytes[i]));
    }
    for (unsigned i = 0; i < call->result_count && i < callee->result_count; i++) {
        const PtxVariable *result = &callee->results[i];
        bool varies = words_vary(steady, to, to->function->param_base + (uint32_t)result->offset,
                                 (uint32_t)result->bytes);
        set_words(steady, flow, call->results[i], call->result_bytes[i], varies);
    }
}

static void look_at_library(Steady *steady, const Flow *flow, const GpuCall *call) {
    bool prints = call->library->service == GPU_LIBRARY_VPRINTF, varies = prints;
    if (!prints && call->library->service != GPU_LIBRARY_PURE) steady->failed = true;
    for (unsigned i = 0; i < call->argument_count; i++)
        varies |= words_vary(steady, flow, call->arguments[i], call->argument_bytes[i]);
    for (unsigned i = 0; i < call->result_count; i++)
        set_words(steady, flow, call->results[i], call->result_bytes[i], varies);
}

static const Flow *flow_of(const Steady *steady, const GpuFunction *function) {
    for (uint32_t f = 0; f < steady->kernel->module->ptx->function_count; f++)
        if (steady->kernel->functions[f] == function) return &steady->flows[f];
    return NULL;
}

/** Follows values into a function of the module or through one of the library; a call through a pointer
 * could lead anywhere, and ends the search. */
static void look_at_call(Steady *steady, const Flow *flow, const GpuInstruction *ins) {
    const GpuCall *call = ins->u.call;
    if (ins->step == STEP_call_library && call->library) {
        look_at_library(steady, flow, call);
        return;
    }
    const Flow *to = ins->step == STEP_call_function && call->callee ? flow_of(steady, call->callee) : NULL;
    if (to)
        look_at_arguments(steady, flow, call, to);
    else
        steady->failed = true;
}

/* ---- other instructions ---- */

/** What lanes it concerns, and which lane is asked, must not vary; the value may. */
static void look_at_warp(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    const PtxOperand *value = &instruction->operands[instruction->destination_count];
    for (unsigned i = instruction->destination_count + 1u; i < instruction->operand_count; i++)
        if (operand_varies(flow, &instruction->operands[i])) steady->failed = true;
    if (guard_varies(flow, instruction)) steady->failed = true;
    if (operand_varies(flow, value)) vary_results(steady, flow, instruction);
}

static void look_at_atomic(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    const PtxOperand *address = &instruction->operands[instruction->opcode == PTX_OP_red ? 0 : 1];
    if (operand_varies(flow, address) || guard_varies(flow, instruction)) steady->failed = true;
    if (instruction->modifiers.space != PTX_SPACE_SHARED &&
        instruction->modifiers.space != PTX_SPACE_GLOBAL && steady->exposed)
        raise(steady, &steady->frames_vary);
    vary_results(steady, flow, instruction);
}

/** Nothing that it is made from may vary; what it gives, as a texel, may. */
static void look_at_control(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    if (sources_vary(flow, instruction) || guard_varies(flow, instruction)) steady->failed = true;
    if (instruction->destination_count) vary_results(steady, flow, instruction);
}

static void look_at_instruction(Steady *steady, const Flow *flow, const PtxInstruction *instruction) {
    switch (ptx_data(instruction->opcode)) {
    case PTX_DATA_UNKNOWN: /* such a kernel has been refused */
        return;
    case PTX_DATA_MOVE:
        if (instruction->opcode == PTX_OP_st) look_for_pointers(steady, flow, instruction);
        return;
    case PTX_DATA_CALL:
        if (guard_varies(flow, instruction)) steady->failed = true;
        return;
    case PTX_DATA_CONTROL:
        look_at_control(steady, flow, instruction);
        return;
    case PTX_DATA_WARP:
        look_at_warp(steady, flow, instruction);
        return;
    case PTX_DATA_ATOMIC:
        look_at_atomic(steady, flow, instruction);
        return;
    case PTX_DATA_ARITHMETIC:
    case PTX_DATA_ADVICE:
        look_for_pointers(steady, flow, instruction);
        if (sources_vary(flow, instruction) || guard_varies(flow, instruction))
            vary_results(steady, flow, instruction);
    }
}

/* ---- all of it, until nothing changes ---- */

/** One pass over a function: first what each instruction of the text does to registers, then the decoded
 * loads, stores and calls, which know their places in the frame. */
static void look_at_function(Steady *steady, const Flow *flow) {
    const GpuFunction *function = flow->function;
    const PtxFunction *ptx = function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        look_at_instruction(steady, flow, &ptx->instructions[i]);
    for (uint32_t i = 0; i < function->code_count; i++) {
        const GpuInstruction *ins = &function->code[i];
        if (ins->ordinal >= ptx->instruction_count || ins->step == STEP_flow_join ||
            ins->step == STEP_flow_skip)
            continue;
        const PtxInstruction *source = &ptx->instructions[ins->ordinal];
        if (flow->starts[ins->ordinal]) begin_block(flow);
        if (source->opcode == PTX_OP_call)
            look_at_call(steady, flow, ins);
        else if (ptx_data(source->opcode) == PTX_DATA_MOVE)
            look_at_move(steady, flow, ins, source);
    }
}

static void find_blocks(const Flow *flow) {
    const PtxFunction *ptx = flow->function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        PtxControl control = ptx_control(instruction->opcode);
        if (control == PTX_CONTROL_BRANCH || control == PTX_CONTROL_TABLE) flow->starts[i + 1] = true;
        if (instruction->opcode == PTX_OP_bra) flow->starts[instruction->operands[0].index] = true;
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            flow->starts[instruction->branch_targets[k]] = true;
    }
}

static void mark_passing(const Flow *flow, uint32_t offset, uint32_t bytes) {
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++)
        flow->passing[at] = true;
}

/** The function's own parameters and results are followed like any other word. */
static void unmark(const Flow *flow, const PtxVariable *variable) {
    uint32_t offset = flow->function->param_base + (uint32_t)variable->offset;
    for (uint32_t at = offset / 4; at * 4 < offset + (uint32_t)variable->bytes; at++)
        flow->passing[at] = false;
}

/** Marks the words in which calls hand over arguments and results. The function's own parameters and
 * results are none of them: they are the caller's to follow. */
static void find_passing(const Flow *flow) {
    const GpuFunction *function = flow->function;
    for (uint32_t i = 0; i < function->call_count; i++) {
        const GpuCall *call = &function->calls[i];
        for (unsigned k = 0; k < call->argument_count; k++)
            mark_passing(flow, call->arguments[k], call->argument_bytes[k]);
        for (unsigned k = 0; k < call->result_count; k++)
            mark_passing(flow, call->results[k], call->result_bytes[k]);
    }
    for (unsigned i = 0; i < function->ptx->parameter_count && !function->ptx->entry; i++)
        unmark(flow, &function->ptx->parameters[i]);
    for (unsigned i = 0; i < function->ptx->result_count; i++)
        unmark(flow, &function->ptx->results[i]);
}

/** Makes the tables of a function; false without memory, and for a function with an instruction whose
 * effect is unknown. */
static bool flow_begin(Flow *flow, const GpuFunction *function) {
    const PtxFunction *ptx = function->ptx;
    size_t words = function->stack_bytes / 4 + 2;
    flow->function = function;
    flow->registers = calloc(ptx->register_count + 1, sizeof *flow->registers);
    flow->words = calloc(words, sizeof *flow->words);
    flow->passing = calloc(words, sizeof *flow->passing);
    flow->starts = calloc(ptx->instruction_count + 2, sizeof *flow->starts);
    if (!flow->registers || !flow->words || !flow->passing || !flow->starts) return false;
    find_blocks(flow);
    find_passing(flow);
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        if (ptx_data(ptx->instructions[i].opcode) == PTX_DATA_UNKNOWN ||
            ptx->instructions[i].type == PTX_B128)
            return false;
    return true;
}

static void flow_end(const Flow *flow) {
    free(flow->registers);
    free(flow->words);
    free(flow->passing);
    free(flow->starts);
}

/** Passes over all functions until nothing varies that did not before. What varies only ever grows, so
 * that this ends. */
bool steady_kernel(const GpuKernel *kernel) {
    uint32_t count = kernel->module->ptx->function_count;
    Steady steady = {.kernel = kernel, .flows = calloc(count + 1, sizeof(Flow)), .changed = true};
    steady.failed = !steady.flows;
    for (uint32_t f = 0; f < count && !steady.failed; f++)
        if (kernel->functions[f] && !flow_begin(&steady.flows[f], kernel->functions[f])) steady.failed = true;
    while (steady.changed && !steady.failed) {
        steady.changed = false;
        for (uint32_t f = 0; f < count && !steady.failed; f++)
            if (steady.flows[f].function) look_at_function(&steady, &steady.flows[f]);
    }
    for (uint32_t f = 0; steady.flows && f < count; f++)
        flow_end(&steady.flows[f]);
    free(steady.flows);
    return !steady.failed;
}
