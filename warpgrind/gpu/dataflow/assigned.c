/* assigned.c - may a register, or a byte of the local frame, be read before it has a value?
 *
 * Compilers leave no such register in nearly all code. A frame of a function without one begins with all of
 * its registers defined, and stays so until memory or another lane gives a value that comes from nowhere: up
 * to then no instruction has definedness to move along (GpuFrame.undefined). So it is with the variables that
 * unoptimised code keeps in its local frame, where nothing else reaches them (words.c).
 *
 * The text is gone through forwards, block by block, with the registers and bytes that may have no value yet,
 * until nothing changes. A guarded instruction gives none for certain. Whatever is unusual or too large
 * counts as code that reads such registers, and such bytes.
 */
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/speculation.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 64, MOST_WORDS = 1 << 20, MOST_FRAME_BYTES = 4096 };
#define NO_BLOCK UINT32_MAX

typedef struct Assigning {
    const GpuFunction *function;
    const PtxFunction *ptx;
    const uint32_t *code_from;
    uint32_t frame_bytes; /**< that are followed: the whole frame or nothing */
    bool frame_found;     /**< one of them may be read without a value */
    unsigned words;       /**< of a row: a bit for each register, then each byte, that may have no value */
    uint32_t *block_from; /**< [instruction] the basic block that begins there, or NO_BLOCK */
    uint32_t blocks;
    uint64_t *rows; /**< [block][word] where it begins */
    bool *reached;  /**< [block] */
    uint64_t *row;  /**< at the instruction that is looked at */
    bool changed, found;
} Assigning;

/* ---- basic blocks ---- */

/** Numbers the basic blocks in the order of the text: one begins at each target and behind each instruction
 * that leaves. */
static void find_blocks(Assigning *assigning) {
    const PtxFunction *ptx = assigning->ptx;
    uint32_t *from = assigning->block_from;
    memset(from, 0xff, ((size_t)ptx->instruction_count + 1) * sizeof *from); /* NO_BLOCK */
    from[0] = 0;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        if (ptx_leads_away(instruction)) from[i + 1] = 0;
        if (instruction->opcode == PTX_OP_bra) from[instruction->operands[0].index] = 0;
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            from[instruction->branch_targets[k]] = 0;
    }
    for (uint32_t i = 0; i <= ptx->instruction_count; i++)
        if (from[i] != NO_BLOCK) from[i] = assigning->blocks++;
}

/* ---- one round ---- */

static void join_block(Assigning *assigning, uint32_t at) {
    uint32_t block = assigning->block_from[at];
    uint64_t *to = assigning->rows + (size_t)block * assigning->words, more = 0;
    for (unsigned w = 0; w < assigning->words; w++) {
        more |= assigning->row[w] & ~to[w];
        to[w] |= assigning->row[w];
    }
    if (more || !assigning->reached[block]) assigning->changed = true;
    assigning->reached[block] = true;
}

static bool may_be_unset(const Assigning *assigning, uint32_t number) {
    return assigning->row[number / 64] >> number % 64 & 1;
}

/* ---- the frame ---- */

static void read_bytes(Assigning *assigning, uint32_t offset, uint32_t bytes) {
    for (uint32_t i = offset; i < offset + bytes && i < assigning->frame_bytes; i++)
        if (may_be_unset(assigning, assigning->ptx->register_count + i)) assigning->frame_found = true;
}

static void set_bytes(const Assigning *assigning, uint64_t *row, uint32_t offset, uint32_t bytes) {
    for (uint32_t i = offset; i < offset + bytes && i < assigning->frame_bytes; i++) {
        const uint32_t number = assigning->ptx->register_count + i;
        row[number / 64] &= ~(UINT64_C(1) << number % 64);
    }
}

static void pass_call(Assigning *assigning, const GpuCall *call, bool sure) {
    for (unsigned i = 0; i < call->argument_count; i++)
        read_bytes(assigning, call->arguments[i], call->argument_bytes[i]);
    for (unsigned i = 0; i < call->result_count && sure; i++)
        set_bytes(assigning, assigning->row, call->results[i], call->result_bytes[i]);
}

/** The results of a function are read by whoever has called it. */
static void pass_return(Assigning *assigning) {
    const PtxFunction *ptx = assigning->ptx;
    for (uint32_t i = 0; i < ptx->result_count && !ptx->entry; i++)
        read_bytes(assigning, assigning->function->param_base + ptx->results[i].offset,
                   (uint32_t)ptx->results[i].bytes);
}

/** What instruction `i` does with the frame. A guarded move of a word looks at its definedness by itself
 * (flow_guard): code that has one is not followed. */
static void pass_frame(Assigning *assigning, uint32_t i) {
    const bool guarded = assigning->ptx->instructions[i].guard >= 0;
    for (uint32_t k = assigning->code_from[i]; k < assigning->code_from[i + 1]; k++) {
        const GpuInstruction *ins = &assigning->function->code[k];
        if (ins->step == STEP_call_function || ins->step == STEP_call_library)
            pass_call(assigning, ins->u.call, !guarded);
        if (ins->step == STEP_call_return) pass_return(assigning);
        if (ins->frame_word == GPU_FRAME_NOT) continue;
        if (guarded) assigning->frame_found = true;
        if (ins->frame_word == GPU_FRAME_LOAD)
            read_bytes(assigning, (uint32_t)ins->memory.offset, ins->bytes);
        else
            set_bytes(assigning, assigning->row, (uint32_t)ins->memory.offset, ins->bytes);
    }
}

/* ---- one instruction after the other ---- */

static void pass_instruction(Assigning *assigning, const PtxInstruction *instruction) {
    Registers registers;
    const bool guarded = instruction->guard >= 0;
    speculation_sources(assigning->ptx, instruction, &registers);
    if (registers.count == SPECULATION_MOST_REGISTERS) assigning->found = true; /* there may be more */
    if (guarded && may_be_unset(assigning, (uint32_t)instruction->guard)) assigning->found = true;
    for (unsigned k = 0; k < registers.count; k++)
        if (may_be_unset(assigning, registers.at[k])) assigning->found = true;
    speculation_results(assigning->ptx, instruction, &registers);
    for (unsigned k = 0; k < registers.count && !guarded; k++)
        assigning->row[registers.at[k] / 64] &= ~(UINT64_C(1) << registers.at[k] % 64);
}

/** Behind the text stands a return: lanes come there from above, or by a branch to the end. */
static void pass_end(Assigning *assigning, bool comes) {
    const uint32_t end = assigning->ptx->instruction_count, block = assigning->block_from[end];
    if (block != NO_BLOCK) {
        if (comes) join_block(assigning, end);
        comes = assigning->reached[block];
        memcpy(assigning->row, assigning->rows + (size_t)block * assigning->words,
               assigning->words * sizeof *assigning->row);
    }
    if (comes) pass_return(assigning);
}

static void pass_text(Assigning *assigning) {
    const PtxFunction *ptx = assigning->ptx;
    bool comes = false; /* from the instruction before */
    assigning->changed = false;
    for (uint32_t i = 0; i < ptx->instruction_count && !assigning->found; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        const uint32_t block = assigning->block_from[i];
        if (block != NO_BLOCK) {
            if (comes) join_block(assigning, i);
            comes = assigning->reached[block];
            memcpy(assigning->row, assigning->rows + (size_t)block * assigning->words,
                   assigning->words * sizeof *assigning->row);
        }
        if (!comes) continue;
        pass_instruction(assigning, instruction);
        if (assigning->frame_bytes > 0) pass_frame(assigning, i);
        if (instruction->opcode == PTX_OP_bra)
            join_block(assigning, (uint32_t)instruction->operands[0].index);
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            join_block(assigning, (uint32_t)instruction->branch_targets[k]);
        if (ptx_leads_away(instruction) && instruction->guard < 0) comes = false;
    }
    if (assigning->frame_bytes > 0 && !assigning->found) pass_end(assigning, comes);
}

/* ---- a function ---- */

/** Such instructions take values from lanes that may have ended before they had any. */
static bool takes_from_others(const GpuInstruction *ins) {
    const GpuStep step = (GpuStep)ins->step;
    return step == STEP_matrix_product || step == STEP_matrix_spread || step == STEP_matrix_collect ||
           step == STEP_matrix_transpose;
}

static bool is_plain(const GpuFunction *function) {
    for (uint32_t i = 0; i < function->code_count; i++)
        if (takes_from_others(&function->code[i])) return false;
    return true;
}

/** At its beginning a function has no value in any register, and of its frame only what it was called with.
 */
static void begin_rows(Assigning *assigning) {
    const PtxFunction *ptx = assigning->ptx;
    memset(assigning->rows, 0xff, assigning->words * sizeof *assigning->rows);
    for (uint32_t i = 0; i < ptx->parameter_count && !ptx->entry; i++)
        set_bytes(assigning, assigning->rows, assigning->function->param_base + ptx->parameters[i].offset,
                  (uint32_t)ptx->parameters[i].bytes);
    assigning->reached[0] = assigning->changed = true;
}

static void find(Assigning *assigning, GpuFunction *function) {
    unsigned rounds = 0;
    begin_rows(assigning);
    while (assigning->changed && !assigning->found && rounds++ < MOST_ROUNDS)
        pass_text(assigning);
    function->reads_unset = assigning->found || assigning->changed;
    function->words_sure =
        !CHECK_BOTH && !function->reads_unset && assigning->frame_bytes > 0 && !assigning->frame_found;
}

static bool make_rows(Assigning *assigning) {
    assigning->rows = calloc((size_t)assigning->blocks * assigning->words, sizeof *assigning->rows);
    assigning->reached = calloc(assigning->blocks, sizeof *assigning->reached);
    assigning->row = calloc(assigning->words, sizeof *assigning->row);
    return assigning->rows && assigning->reached && assigning->row;
}

/** How many words a row has, with the frame where nothing else reaches it and it is not too large. */
static void size_rows(Assigning *assigning) {
    const GpuFunction *function = assigning->function;
    uint32_t bits = assigning->ptx->register_count;
    if (function->stack_bytes <= MOST_FRAME_BYTES && words_are_private(function, assigning->code_from))
        assigning->frame_bytes = function->stack_bytes;
    assigning->words = (bits + assigning->frame_bytes) / 64 + 1;
    if ((uint64_t)assigning->blocks * assigning->words <= MOST_WORDS) return;
    assigning->frame_bytes = 0;
    assigning->words = bits / 64 + 1;
}

/** Sets reads_unset when the function may read a register before it writes it, and words_sure when it reads
 * no byte of its frame so. A function that is too large to look at counts as one that does: that is slower,
 * and never wrong. False without memory. */
bool assigned_find(GpuFunction *function, const uint32_t *code_from) {
    const PtxFunction *ptx = function->ptx;
    Assigning assigning = {.function = function, .ptx = ptx, .code_from = code_from};
    function->reads_unset = true;
    if (!ptx->instruction_count || !is_plain(function)) return true;
    assigning.block_from = malloc(((size_t)ptx->instruction_count + 1) * sizeof *assigning.block_from);
    bool memory = assigning.block_from;
    if (memory) {
        find_blocks(&assigning);
        size_rows(&assigning);
        if ((uint64_t)assigning.blocks * assigning.words <= MOST_WORDS) {
            memory = make_rows(&assigning);
            if (memory) find(&assigning, function);
        }
    }
    free(assigning.block_from);
    free(assigning.rows);
    free(assigning.reached);
    free(assigning.row);
    return memory;
}
