/* flow.c - see flow.h. Control never hides what a value is made of from the one question that is asked: what
 * decides a branch is told as such, and so need not be followed into the values behind it. */
#include "gpu/dataflow/flow.h"
#include "base/minmax.h"
#include "gpu/alu/library.h"

#include <stdlib.h>

/* ---- operands ---- */

static FlowOrigins origins_of_special(int32_t special) {
    switch (special) {
    case PTX_CLOCK:
    case PTX_CLOCK_HI:
    case PTX_CLOCK64:
    case PTX_GLOBALTIMER:
    case PTX_GLOBALTIMER_LO:
    case PTX_GLOBALTIMER_HI:
        return GPU_ORIGIN_CLOCK;
    case PTX_SMID:
    case PTX_NSMID:
        return GPU_ORIGIN_PLACE;
    case PTX_GRIDID:
    case PTX_ENVREG:
    case PTX_GRID_WORKSPACE_HIGH:
    case PTX_GRID_WORKSPACE_LOW:
        return GPU_ORIGIN_DATA;
    default: /* of the thread, or of the launch */
        return 0;
    }
}

/** Of the operand's value, or of an address made from its register. */
static FlowOrigins of_operand(const FlowFunction *of, const PtxOperand *operand) {
    FlowOrigins origins = 0;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return of->registers[operand->index];
    case PTX_OPERAND_ADDRESS:
        if (operand->variable || operand->index < 0) return 0;
        return of->registers[operand->index];
    case PTX_OPERAND_SPECIAL:
        return origins_of_special(operand->index);
    case PTX_OPERAND_VECTOR:
        for (unsigned i = 0; i < operand->parts; i++)
            origins |= of_operand(of, &of->function->ptx->parts[operand->first_part + i]);
        return origins;
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_VARIABLE:
    case PTX_OPERAND_FUNCTION:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_SINK:
        return 0;
    }
    BUG("operand kind %d", (int)operand->kind);
}

/** An address is a source also where it says where the result goes. */
static bool is_source(const PtxInstruction *instruction, unsigned k) {
    return k >= instruction->destination_count || instruction->operands[k].kind == PTX_OPERAND_ADDRESS;
}

static FlowOrigins of_sources(const FlowFunction *of, const PtxInstruction *instruction) {
    FlowOrigins origins = 0;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (is_source(instruction, k)) origins |= of_operand(of, &instruction->operands[k]);
    return origins;
}

static FlowOrigins of_guard(const FlowFunction *of, const PtxInstruction *instruction) {
    if (instruction->guard >= 0) return of->registers[instruction->guard];
    return 0;
}

/** That something comes from memory is known of all memory; what else, is kept. */
static FlowOrigins beyond_data(FlowOrigins origins) {
    return origins & (FlowOrigins)~GPU_ORIGIN_DATA;
}

static void add(Flow *flow, FlowOrigins *to, FlowOrigins origins) {
    flow->changed |= (origins & ~*to) != 0;
    *to |= origins;
}

static void add_to_operand(Flow *flow, const FlowFunction *of, const PtxOperand *operand,
                           FlowOrigins origins) {
    if (operand->kind == PTX_OPERAND_REGISTER) add(flow, &of->registers[operand->index], origins);
    if (operand->kind == PTX_OPERAND_VECTOR)
        for (unsigned i = 0; i < operand->parts; i++)
            add_to_operand(flow, of, &of->function->ptx->parts[operand->first_part + i], origins);
}

static void add_to_results(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction,
                           FlowOrigins origins) {
    for (unsigned i = 0; i < instruction->destination_count; i++)
        add_to_operand(flow, of, &instruction->operands[i], origins);
}

/** What a load finds, or whatever is not followed gives. */
static FlowOrigins from_memory(const Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    const PtxSpace space = instruction->modifiers.space;
    const bool shared = space == PTX_SPACE_SHARED || space == PTX_SPACE_GENERIC;
    FlowOrigins found = of->loaded[instruction - of->function->ptx->instructions];
    return GPU_ORIGIN_DATA | found | (shared ? flow->shared : 0);
}

static FlowOrigins of_everything(const Flow *flow) {
    return GPU_ORIGIN_DATA | flow->present | flow->shared | flow->frames | flow->found;
}

/* ---- words of the frame ---- */

static FlowOrigins of_words(const Flow *flow, const FlowFunction *of, uint32_t offset, uint32_t bytes) {
    FlowOrigins origins = flow->frames;
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++)
        origins |= of->words[at];
    return origins;
}

static void set_words(Flow *flow, const FlowFunction *of, uint32_t offset, uint32_t bytes,
                      FlowOrigins origins) {
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++) {
        if (of->passing[at])
            of->words[at] = origins;
        else
            add(flow, &of->words[at], origins);
    }
}

/** Where control may come from elsewhere, nothing is known of what lies ready for a call. */
static void begin_block(const Flow *flow, const FlowFunction *of) {
    for (uint32_t at = 0; at < of->function->stack_bytes / 4 + 1; at++)
        if (of->passing[at]) of->words[at] = of_everything(flow);
}

static bool points_into_frame(const FlowFunction *of, const PtxOperand *operand) {
    const GpuFunction *function = of->function;
    if (operand->kind == PTX_OPERAND_REGISTER)
        return function->frame_constant[operand->index] >= 0 || function->frame_array[operand->index];
    if (operand->kind != PTX_OPERAND_VARIABLE || !operand->variable) return false;
    bool formal = operand->variable->space == PTX_SPACE_PARAM && !function->ptx->entry;
    return operand->variable->space == PTX_SPACE_LOCAL || formal;
}

/** A pointer into the frame goes into a value that is not known to be one. */
static void look_for_pointers(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    const PtxOperand *to = &instruction->operands[0];
    bool known =
        instruction->destination_count == 1 && to->kind == PTX_OPERAND_REGISTER && points_into_frame(of, to);
    if (known || flow->exposed) return;
    for (unsigned i = instruction->destination_count; i < instruction->operand_count; i++)
        flow->exposed |= points_into_frame(of, &instruction->operands[i]);
    flow->changed |= flow->exposed;
}

/* ---- memory ---- */

static const PtxOperand *address_of(const PtxInstruction *instruction) {
    return &instruction->operands[instruction->opcode == PTX_OP_st ? 0 : 1];
}

/** Where values may have gone that were stored to an address which is not known now. */
static void add_to_target(Flow *flow, const FlowFunction *of, const GpuInstruction *ins,
                          FlowOrigins origins) {
    const PtxSpace space = ins->memory.space;
    const PtxLocal *array = ins->memory.array;
    if (space == PTX_SPACE_GENERIC || space == PTX_SPACE_SHARED)
        add(flow, &flow->shared, beyond_data(origins));
    if (space != PTX_SPACE_GENERIC && space != PTX_SPACE_LOCAL) return;
    if (array)
        set_words(flow, of, array->offset, array->bytes, origins);
    else if (flow->exposed || space == PTX_SPACE_LOCAL || of->function->formals_addressed)
        add(flow, &flow->frames, origins);
}

/** What a load from a place on the stack finds that is not known now. */
static FlowOrigins from_frame(const Flow *flow, const FlowFunction *of, const GpuInstruction *ins) {
    const PtxSpace space = ins->memory.space;
    const PtxLocal *array = ins->memory.array;
    if (space != PTX_SPACE_GENERIC && space != PTX_SPACE_LOCAL) return 0;
    if (array) return of_words(flow, of, array->offset, array->bytes);
    bool anywhere = flow->exposed || space == PTX_SPACE_LOCAL || of->function->formals_addressed;
    if (anywhere) return of_everything(flow);
    return 0;
}

/** A load or store through an address. What a load gives comes from memory, unless that is constant or the
 * kernel's parameters; what is stored may go into the frame. */
static void look_at_memory(Flow *flow, const FlowFunction *of, const GpuInstruction *ins,
                           const PtxInstruction *source) {
    flow->addresses |= of_operand(of, address_of(source)) | of_guard(of, source);
    if (source->opcode == PTX_OP_st) {
        add_to_target(flow, of, ins, of_operand(of, &source->operands[1]));
        return;
    }
    bool fixed = ins->memory.space == PTX_SPACE_CONST ||
                 (ins->step == STEP_local_load_parameter && of->function->ptx->entry);
    FlowOrigins found = of_operand(of, address_of(source));
    if (!fixed) found |= from_memory(flow, of, source) | from_frame(flow, of, ins);
    add_to_results(flow, of, source, found);
}

/** ld and st of memory, of a parameter, or of a word of the frame. */
static void look_at_move(Flow *flow, const FlowFunction *of, const GpuInstruction *ins,
                         const PtxInstruction *source) {
    const GpuStep step = (GpuStep)ins->step;
    const uint32_t offset = (uint32_t)ins->memory.offset;
    FlowOrigins origins = of_guard(of, source);
    if (step == STEP_memory_load || step == STEP_memory_store || step == STEP_local_load_parameter) {
        look_at_memory(flow, of, ins, source);
    } else if (ins->frame_word == GPU_FRAME_STORE) {
        if (source->guard >= 0) origins |= of_words(flow, of, offset, ins->bytes);
        set_words(flow, of, offset, ins->bytes, origins | of_operand(of, &source->operands[1]));
    } else {
        if (ins->frame_word == GPU_FRAME_LOAD) origins |= of_words(flow, of, offset, ins->bytes);
        add_to_results(flow, of, source, origins);
    }
}

/* ---- calls ---- */

static uint32_t least(uint32_t a, uint32_t b) {
    return MIN(a, b);
}

/** Arguments have in the callee what they have in the caller, results the other way round. */
static void look_at_arguments(Flow *flow, const FlowFunction *of, const GpuCall *call,
                              const FlowFunction *to) {
    const PtxFunction *callee = to->function->ptx;
    for (unsigned i = 0; i < call->argument_count && i < callee->parameter_count; i++) {
        const PtxVariable *formal = &callee->parameters[i];
        set_words(flow, to, to->function->param_base + (uint32_t)formal->offset,
                  least(call->argument_bytes[i], (uint32_t)formal->bytes),
                  of_words(flow, of, call->arguments[i], call->argument_bytes[i]));
    }
    for (unsigned i = 0; i < call->result_count && i < callee->result_count; i++) {
        const PtxVariable *result = &callee->results[i];
        set_words(
            flow, of, call->results[i], call->result_bytes[i],
            of_words(flow, to, to->function->param_base + (uint32_t)result->offset, (uint32_t)result->bytes));
    }
}

/** What is printed may be anything that lies in the frame: its values are handed over by a pointer. */
static void look_at_print(Flow *flow, const FlowFunction *of, const GpuCall *call) {
    flow->printed |= of_words(flow, of, 0, of->function->stack_bytes);
    for (unsigned i = 0; i < call->result_count; i++)
        set_words(flow, of, call->results[i], call->result_bytes[i], GPU_ORIGIN_DATA);
}

static void look_at_library(Flow *flow, const FlowFunction *of, const GpuCall *call) {
    if (call->library->service == GPU_LIBRARY_VPRINTF) {
        look_at_print(flow, of, call);
        return;
    }
    FlowOrigins origins = 0;
    if (call->library->ulp != 0) origins = GPU_ORIGIN_FUNCTION;
    if (call->library->service != GPU_LIBRARY_PURE) flow->unknown = true;
    for (unsigned i = 0; i < call->argument_count; i++)
        origins |= of_words(flow, of, call->arguments[i], call->argument_bytes[i]);
    for (unsigned i = 0; i < call->result_count; i++)
        set_words(flow, of, call->results[i], call->result_bytes[i], origins);
}

static const FlowFunction *of_decoded(const Flow *flow, const GpuFunction *function) {
    if (function) return flow_of(flow, function->ptx);
    return NULL;
}

/** Follows values into a function of the module or through one of the library; a call through a pointer
 * could lead anywhere. */
static void look_at_call(Flow *flow, const FlowFunction *of, const GpuInstruction *ins) {
    const GpuCall *call = ins->u.call;
    if (ins->step == STEP_call_library && call->library) {
        look_at_library(flow, of, call);
        return;
    }
    const FlowFunction *to = NULL;
    if (ins->step == STEP_call_function) to = of_decoded(flow, call->callee);
    if (to) {
        look_at_arguments(flow, of, call, to);
        return;
    }
    flow->unknown = true;
    for (unsigned i = 0; i < call->result_count; i++)
        set_words(flow, of, call->results[i], call->result_bytes[i], of_everything(flow));
}

/* ---- other instructions ---- */

/** The value goes from lane to lane; the other sources say which lanes take part, and who is asked. */
static void look_at_warp(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    const unsigned value = instruction->destination_count;
    for (unsigned i = value + 1; i < instruction->operand_count; i++)
        flow->branches |= of_operand(of, &instruction->operands[i]);
    flow->branches |= of_guard(of, instruction);
    add_to_results(flow, of, instruction, of_operand(of, &instruction->operands[value]));
}

/** In which order threads add up is open, and floats do not forgive it. */
static FlowOrigins of_addition(const PtxInstruction *instruction) {
    const PtxType type = instruction->type;
    bool floats = type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 ||
                  type == PTX_F32 || type == PTX_F64;
    if (floats && instruction->modifiers.atomic == PTX_ATOM_ADD) return GPU_ORIGIN_ORDER;
    return 0;
}

static void look_at_atomic(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    const PtxOperand *address = &instruction->operands[instruction->opcode == PTX_OP_red ? 0 : 1];
    const PtxSpace space = instruction->modifiers.space;
    const FlowOrigins stored = flow_stored(flow, of, instruction);
    flow->addresses |= of_operand(of, address) | of_guard(of, instruction);
    if (space != PTX_SPACE_GLOBAL) add(flow, &flow->shared, beyond_data(stored));
    if (space != PTX_SPACE_SHARED && space != PTX_SPACE_GLOBAL && flow->exposed)
        add(flow, &flow->frames, stored | GPU_ORIGIN_DATA);
    add_to_results(flow, of, instruction,
                   from_memory(flow, of, instruction) | stored | of_guard(of, instruction));
}

/** Says where lanes go, or reads memory that is not followed: a texel, or a copy into shared memory. */
static void look_at_control(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    const FlowOrigins found = from_memory(flow, of, instruction);
    flow->branches |= of_sources(of, instruction) | of_guard(of, instruction);
    add(flow, &flow->shared, beyond_data(found));
    add_to_results(flow, of, instruction, found);
}

static void look_at_arithmetic(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    FlowOrigins origins = of_sources(of, instruction) | of_guard(of, instruction);
    if (flow_approximates(instruction)) origins |= GPU_ORIGIN_FUNCTION;
    look_for_pointers(flow, of, instruction);
    add_to_results(flow, of, instruction, origins);
}

static void look_at_instruction(Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    switch (ptx_data(instruction->opcode)) {
    case PTX_DATA_UNKNOWN:
        flow->branches |= of_guard(of, instruction);
        add_to_results(flow, of, instruction, of_everything(flow));
        return;
    case PTX_DATA_MOVE:
        if (instruction->opcode == PTX_OP_st) look_for_pointers(flow, of, instruction);
        return;
    case PTX_DATA_CALL:
        flow->branches |= of_guard(of, instruction);
        return;
    case PTX_DATA_CONTROL:
        look_at_control(flow, of, instruction);
        return;
    case PTX_DATA_WARP:
        look_at_warp(flow, of, instruction);
        return;
    case PTX_DATA_ATOMIC:
        look_at_atomic(flow, of, instruction);
        return;
    case PTX_DATA_ARITHMETIC:
    case PTX_DATA_ADVICE:
        look_at_arithmetic(flow, of, instruction);
    }
}

FlowOrigins flow_stored(const Flow *flow, const FlowFunction *of, const PtxInstruction *instruction) {
    if (instruction->opcode == PTX_OP_st) return of_operand(of, &instruction->operands[1]);
    if (ptx_data(instruction->opcode) == PTX_DATA_UNKNOWN) return of_everything(flow);
    return of_sources(of, instruction) | of_addition(instruction);
}

/* ---- all of it, until nothing changes ---- */

/** One pass over a function: first what each instruction of the text does to registers, then the decoded
 * loads, stores and calls, which know their places in the frame. */
static void look_at_function(Flow *flow, const FlowFunction *of) {
    const GpuFunction *function = of->function;
    const PtxFunction *ptx = function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        look_at_instruction(flow, of, &ptx->instructions[i]);
    for (uint32_t i = 0; i < function->code_count; i++) {
        const GpuInstruction *ins = &function->code[i];
        if (ins->ordinal >= ptx->instruction_count || ins->step == STEP_flow_join ||
            ins->step == STEP_flow_skip)
            continue;
        const PtxInstruction *source = &ptx->instructions[ins->ordinal];
        if (of->starts[ins->ordinal]) begin_block(flow, of);
        if (source->opcode == PTX_OP_call)
            look_at_call(flow, of, ins);
        else if (ptx_data(source->opcode) == PTX_DATA_MOVE)
            look_at_move(flow, of, ins, source);
    }
}

static void find_blocks(const FlowFunction *of) {
    const PtxFunction *ptx = of->function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        PtxControl control = ptx_control(instruction->opcode);
        if (control == PTX_CONTROL_BRANCH || control == PTX_CONTROL_TABLE) of->starts[i + 1] = true;
        if (instruction->opcode == PTX_OP_bra) of->starts[instruction->operands[0].index] = true;
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            of->starts[instruction->branch_targets[k]] = true;
    }
}

static void mark_passing(const FlowFunction *of, uint32_t offset, uint32_t bytes) {
    for (uint32_t at = offset / 4; at * 4 < offset + bytes; at++)
        of->passing[at] = true;
}

/** The function's own parameters and results are followed like any other word. */
static void unmark(const FlowFunction *of, const PtxVariable *variable) {
    uint32_t offset = of->function->param_base + (uint32_t)variable->offset;
    for (uint32_t at = offset / 4; at * 4 < offset + (uint32_t)variable->bytes; at++)
        of->passing[at] = false;
}

/** Marks the words in which calls hand over arguments and results. The function's own parameters and
 * results are none of them: they are the caller's to follow. */
static void find_passing(const FlowFunction *of) {
    const GpuFunction *function = of->function;
    for (uint32_t i = 0; i < function->call_count; i++) {
        const GpuCall *call = &function->calls[i];
        for (unsigned k = 0; k < call->argument_count; k++)
            mark_passing(of, call->arguments[k], call->argument_bytes[k]);
        for (unsigned k = 0; k < call->result_count; k++)
            mark_passing(of, call->results[k], call->result_bytes[k]);
    }
    for (unsigned i = 0; i < function->ptx->parameter_count && !function->ptx->entry; i++)
        unmark(of, &function->ptx->parameters[i]);
    for (unsigned i = 0; i < function->ptx->result_count; i++)
        unmark(of, &function->ptx->results[i]);
}

/** The tables of a function; false without memory. */
static bool begin_function(FlowFunction *of, const GpuFunction *function) {
    const PtxFunction *ptx = function->ptx;
    size_t words = function->stack_bytes / 4 + 2;
    of->function = function;
    of->registers = calloc(ptx->register_count + 1, sizeof *of->registers);
    of->words = calloc(words, sizeof *of->words);
    of->loaded = calloc(ptx->instruction_count + 1, sizeof *of->loaded);
    of->passing = calloc(words, sizeof *of->passing);
    of->starts = calloc(ptx->instruction_count + 2, sizeof *of->starts);
    if (!of->registers || !of->words || !of->loaded || !of->passing || !of->starts) return false;
    find_blocks(of);
    find_passing(of);
    return true;
}

/** What begins in an instruction's own doing. */
static FlowOrigins begun_by(const FlowFunction *of, const PtxInstruction *instruction) {
    FlowOrigins origins = 0;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_SPECIAL)
            origins |= of_operand(of, &instruction->operands[k]);
    if (flow_approximates(instruction)) origins |= GPU_ORIGIN_FUNCTION;
    if (ptx_data(instruction->opcode) == PTX_DATA_ATOMIC) origins |= of_addition(instruction);
    return beyond_data(origins);
}

/** Finds out what begins in the function, and whether all that it does is followed. */
static void look_for_origins(Flow *flow, const FlowFunction *of) {
    const PtxFunction *ptx = of->function->ptx;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        flow->present |= begun_by(of, instruction);
        flow->unknown |= ptx_data(instruction->opcode) == PTX_DATA_UNKNOWN || instruction->type == PTX_B128;
    }
    for (uint32_t i = 0; i < of->function->call_count; i++) {
        const GpuLibraryEntry *library = of->function->calls[i].library;
        if (library && library->ulp != 0) flow->present |= GPU_ORIGIN_FUNCTION;
    }
}

bool flow_begin(Flow *flow, const GpuKernel *kernel) {
    const uint32_t count = kernel->module->ptx->function_count;
    *flow = (Flow){.kernel = kernel, .functions = calloc(count + 1, sizeof(FlowFunction))};
    for (uint32_t f = 0; f < count && flow->functions; f++) {
        if (!kernel->functions[f]) continue;
        if (!begin_function(&flow->functions[f], kernel->functions[f])) return false;
        look_for_origins(flow, &flow->functions[f]);
    }
    return flow->functions != NULL;
}

void flow_find(Flow *flow) {
    do {
        flow->changed = false;
        for (uint32_t f = 0; f < flow->kernel->module->ptx->function_count; f++)
            if (flow->functions[f].function) look_at_function(flow, &flow->functions[f]);
    } while (flow->changed);
}

void flow_end(Flow *flow) {
    for (uint32_t f = 0; flow->functions && f < flow->kernel->module->ptx->function_count; f++) {
        free(flow->functions[f].registers);
        free(flow->functions[f].words);
        free(flow->functions[f].loaded);
        free(flow->functions[f].passing);
        free(flow->functions[f].starts);
    }
    free(flow->functions);
    *flow = (Flow){0};
}

FlowFunction *flow_of(const Flow *flow, const PtxFunction *function) {
    for (uint32_t f = 0; f < flow->kernel->module->ptx->function_count; f++)
        if (flow->functions[f].function && flow->functions[f].function->ptx == function)
            return &flow->functions[f];
    return NULL;
}
