/* assigned.c - may a register be read before it has a value?
 *
 * Compilers leave no such register in nearly all code. A frame of a function without one begins with all of
 * its registers defined, and stays so until memory or another lane gives a value that comes from nowhere: up
 * to then no instruction has definedness to move along (GpuFrame.undefined).
 *
 * The text is gone through forwards, block by block, with the registers that may have no value yet, until
 * nothing changes. A guarded instruction gives none for certain. Whatever is unusual or too large counts as
 * code that reads such registers.
 */
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/speculation.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 64, MOST_WORDS = 1 << 20 };
#define NO_BLOCK UINT32_MAX

typedef struct Assigning {
    const PtxFunction *ptx;
    unsigned words;       /**< of a row: a bit for each register that may have no value */
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
        if (instruction->opcode == PTX_OP_bra)
            join_block(assigning, (uint32_t)instruction->operands[0].index);
        for (uint32_t k = 0; k < instruction->branch_target_count; k++)
            join_block(assigning, (uint32_t)instruction->branch_targets[k]);
        if (ptx_leads_away(instruction) && instruction->guard < 0) comes = false;
    }
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

static bool reads_unset(Assigning *assigning) {
    unsigned rounds = 0;
    memset(assigning->rows, 0xff, assigning->words * sizeof *assigning->rows);
    assigning->reached[0] = assigning->changed = true;
    while (assigning->changed && !assigning->found && rounds++ < MOST_ROUNDS)
        pass_text(assigning);
    return assigning->found || assigning->changed;
}

/** Sets reads_unset when the function may read a register before it writes it. A function that is too large
 * to look at counts as one that does: that is slower, and never wrong. False without memory. */
bool assigned_find(GpuFunction *function) {
    const PtxFunction *ptx = function->ptx;
    Assigning assigning = {.ptx = ptx, .words = ptx->register_count / 64 + 1};
    function->reads_unset = true;
    if (!ptx->instruction_count || !is_plain(function)) return true;
    assigning.block_from = malloc(((size_t)ptx->instruction_count + 1) * sizeof *assigning.block_from);
    if (!assigning.block_from) return false;
    find_blocks(&assigning);
    bool memory = true;
    if ((uint64_t)assigning.blocks * assigning.words <= MOST_WORDS) {
        assigning.rows = calloc((size_t)assigning.blocks * assigning.words, sizeof *assigning.rows);
        assigning.reached = calloc(assigning.blocks, sizeof *assigning.reached);
        assigning.row = calloc(assigning.words, sizeof *assigning.row);
        memory = assigning.rows && assigning.reached && assigning.row;
        if (memory) function->reads_unset = reads_unset(&assigning);
    }
    free(assigning.block_from);
    free(assigning.rows);
    free(assigning.reached);
    free(assigning.row);
    return memory;
}
