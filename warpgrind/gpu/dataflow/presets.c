/* presets.c - instructions that give the same in all blocks of a launch, in whichever round of a loop.
 *
 * A kernel begins by loading its parameters and asking for tid and ntid, and unoptimised code keeps
 * parameters in its local frame and loads them again wherever it uses them. What is made of parameters, of
 * constants and of what a thread's place in its block is, by arithmetic alone, is executed once for each warp
 * when a launch begins, and left out from then on. Its register must be written by nothing else, and a word
 * of the frame by a single store in a frame that nothing else reaches (words_sure).
 *
 * Predicates are none: by comparisons a launch that is watched knows how often its threads go round
 * (progress.c). Instructions that are left out are counted, and have their lines, as if they had been
 * executed: both go by their place in the text. Where lanes come to one by a branch, it is executed.
 */
#include "gpu/dataflow/dataflow.h"

#include <stdlib.h>

enum { MANY = 2 };
#define NOBODY UINT32_MAX

typedef struct Finding {
    GpuFunction *function;
    const uint32_t *code_from;
    uint8_t *writers; /**< [register] instructions that write it, up to MANY */
    bool *lasts;      /**< [register] it holds the same in all blocks */
    uint8_t *stores;  /**< [byte of the frame] up to MANY */
    uint32_t *store;  /**< [byte of the frame] index of the preset that stores there, or NOBODY */
} Finding;

/* ---- who writes what ---- */

static void count_writer(const Finding *finding, const PtxOperand *operand) {
    const PtxFunction *ptx = finding->function->ptx;
    if (operand->kind == PTX_OPERAND_REGISTER && finding->writers[operand->index] < MANY)
        finding->writers[operand->index]++;
    for (unsigned i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->parts; i++)
        count_writer(finding, &ptx->parts[operand->first_part + i]);
}

static void count_stores(const Finding *finding, uint32_t offset, uint32_t bytes) {
    for (uint32_t i = offset; i < offset + bytes && i < finding->function->stack_bytes; i++)
        if (finding->stores[i] < MANY) finding->stores[i]++;
}

static void count_all(const Finding *finding) {
    const GpuFunction *function = finding->function;
    for (uint32_t i = 0; i < function->ptx->instruction_count; i++)
        for (unsigned k = 0; k < function->ptx->instructions[i].destination_count; k++)
            count_writer(finding, &function->ptx->instructions[i].operands[k]);
    for (uint32_t i = 0; i < function->code_count; i++) {
        const GpuInstruction *ins = &function->code[i];
        if (ins->frame_word == GPU_FRAME_STORE)
            count_stores(finding, (uint32_t)ins->memory.offset, ins->bytes);
        if (ins->step != STEP_call_function && ins->step != STEP_call_library) continue;
        for (unsigned k = 0; k < ins->u.call->result_count; k++)
            count_stores(finding, ins->u.call->results[k], ins->u.call->result_bytes[k]);
    }
    for (uint32_t i = 0; i < function->stack_bytes; i++)
        finding->store[i] = NOBODY;
}

/* ---- one instruction ---- */

static bool is_of_block(PtxSpecial special) {
    return special == PTX_CTAID_X || special == PTX_CTAID_Y || special == PTX_CTAID_Z;
}

/** Whether the operand is the same in all blocks. Clocks are no operands of operations (flow_clock). */
static bool operand_lasts(const Finding *finding, const PtxOperand *operand) {
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return finding->lasts[operand->index] && !operand->negated;
    case PTX_OPERAND_SPECIAL:
        return !is_of_block((PtxSpecial)operand->index);
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_VARIABLE:
    case PTX_OPERAND_FUNCTION:
        return true;
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_ADDRESS:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_VECTOR:
    case PTX_OPERAND_SINK:
        return false;
    }
    return false;
}

static bool sources_last(const Finding *finding, const PtxInstruction *source) {
    for (unsigned k = source->destination_count; k < source->operand_count; k++)
        if (!operand_lasts(finding, &source->operands[k])) return false;
    return true;
}

/** A store that is a preset has put all of the word there. */
static bool word_lasts(const Finding *finding, const GpuInstruction *load) {
    const uint32_t offset = (uint32_t)load->memory.offset, store = finding->store[offset];
    if (store == NOBODY) return false;
    const GpuInstruction *stored = &finding->function->code[store];
    return stored->memory.offset == load->memory.offset && stored->bytes == load->bytes;
}

static bool is_parameter(const GpuInstruction *ins) {
    return ins->source->opcode == PTX_OP_ld && ins->a >> GPU_BASE_SHIFT == GPU_BASE_BLOCK;
}

static bool gives_the_same(const Finding *finding, const GpuInstruction *ins) {
    if (ins->step == STEP_flow_local_address) return true; /* a kernel's frame is the lowest */
    if (ins->step != STEP_operation) return false;
    if (ins->frame_word == GPU_FRAME_LOAD) return word_lasts(finding, ins);
    if (is_parameter(ins)) return true;
    return ptx_data(ins->source->opcode) == PTX_DATA_ARITHMETIC && sources_last(finding, ins->source);
}

static bool defines_for_good(const Finding *finding, const GpuInstruction *ins) {
    const uint16_t number = ins->defines;
    return number != GPU_NO_REGISTER && finding->writers[number] == 1 &&
           finding->function->ptx->registers[number].type != PTX_PRED;
}

static bool stores_for_good(const Finding *finding, const GpuInstruction *ins) {
    for (uint32_t i = 0; i < ins->bytes; i++)
        if (finding->stores[ins->memory.offset + i] != 1) return false;
    return ins->step == STEP_operation && operand_lasts(finding, &ins->source->operands[1]);
}

/** Notes the instruction at `index` as a preset, if it is one. */
static void look_at(Finding *finding, uint32_t index) {
    GpuFunction *function = finding->function;
    const GpuInstruction *ins = &function->code[index];
    const bool stores = ins->frame_word == GPU_FRAME_STORE;
    if (ins->frame_word != GPU_FRAME_NOT && !function->words_sure) return;
    if (stores && stores_for_good(finding, ins))
        for (uint32_t i = 0; i < ins->bytes; i++)
            finding->store[ins->memory.offset + i] = index;
    else if (!stores && defines_for_good(finding, ins) && gives_the_same(finding, ins))
        finding->lasts[ins->defines] = true;
    else
        return;
    function->presets[function->preset_count++] = index;
}

/* ---- a function ---- */

/** From the last to the first, so that runs of presets are left out at once. */
static void leave_out(const GpuFunction *function) {
    for (uint32_t k = function->preset_count; k-- > 0;) {
        GpuInstruction *preset = &function->code[function->presets[k]];
        preset->preset = true;
        if (function->presets[k] > 0) function->code[function->presets[k] - 1].next = preset->next;
    }
}

static void find(Finding *finding) {
    GpuFunction *function = finding->function;
    count_all(finding);
    for (uint32_t i = 0; i < function->ptx->instruction_count; i++) {
        const uint32_t first = finding->code_from[i];
        const bool alone = finding->code_from[i + 1] == first + 1;
        if (alone && function->ptx->instructions[i].guard < 0) look_at(finding, first);
    }
    leave_out(function);
}

static bool make(Finding *finding) {
    GpuFunction *function = finding->function;
    const size_t registers = function->ptx->register_count + 1u, bytes = function->stack_bytes + 1u;
    finding->writers = calloc(registers, sizeof *finding->writers);
    finding->lasts = calloc(registers, sizeof *finding->lasts);
    finding->stores = calloc(bytes, sizeof *finding->stores);
    finding->store = calloc(bytes, sizeof *finding->store);
    function->presets = calloc(function->code_count + 1u, sizeof *function->presets);
    return finding->writers && finding->lasts && finding->stores && finding->store && function->presets;
}

/** Of the kernel itself: a function is entered anew by each call. */
bool presets_find(GpuFunction *function, const uint32_t *code_from) {
    if (!function->ptx->entry || function->reads_unset) return true;
    Finding finding = {.function = function, .code_from = code_from};
    const bool memory = make(&finding);
    if (memory) find(&finding);
    free(finding.writers);
    free(finding.lasts);
    free(finding.stores);
    free(finding.store);
    return memory;
}
