/* lines.c - lines for instructions that the optimiser left without one (`.loc 1 0 5`).
 *
 * LLVM gives line 0 to what it has made of two places, or of none: the branch around a loop that was turned
 * over, a load that stands for the loads of two arms. Such a branch belongs to what decides it, or to what it
 * guards, and such a load to whoever reads the value. The line that happens to stand before it in the text
 * is another statement's, often a barrier's.
 */
#include "ptx/internal.h"

typedef struct Lines {
    PtxInstruction *code;
    uint32_t count;
} Lines;

static bool is_lost(const PtxInstruction *instruction) {
    return instruction->line == 0 && instruction->file >= 0;
}

/** Lines of another file are a header's. */
static bool has_line_for(const PtxInstruction *giver, const PtxInstruction *lost) {
    return giver->line > 0 && giver->file == lost->file;
}

static void take_line(PtxInstruction *lost, const PtxInstruction *giver) {
    lost->line = giver->line;
    lost->column = giver->column;
    lost->inlined_at_line = giver->inlined_at_line;
    lost->inlined_at_column = giver->inlined_at_column;
}

static bool mentions(const PtxInstruction *instruction, unsigned first, unsigned end, int32_t reg) {
    for (unsigned k = first; k < end; k++) {
        const PtxOperand *operand = &instruction->operands[k];
        bool names = operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS;
        if (names && operand->index == reg) return true;
    }
    return false;
}

static bool ends_block(const PtxInstruction *instruction) {
    return instruction->opcode == PTX_OP_bra || instruction->opcode == PTX_OP_bar;
}

/** The comparison that decides the branch, when it stands before it in the same block. */
static const PtxInstruction *decider(const Lines *lines, uint32_t at) {
    const PtxInstruction *branch = &lines->code[at];
    for (uint32_t i = at; i-- > 0 && !ends_block(&lines->code[i]);)
        if (mentions(&lines->code[i], 0, lines->code[i].destination_count, branch->guard))
            return has_line_for(&lines->code[i], branch) ? &lines->code[i] : NULL;
    return NULL;
}

static const PtxInstruction *next_with_line(const Lines *lines, uint32_t at) {
    for (uint32_t i = at + 1; i < lines->count; i++)
        if (has_line_for(&lines->code[i], &lines->code[at])) return &lines->code[i];
    return NULL;
}

static const PtxInstruction *first_reader(const Lines *lines, uint32_t at) {
    const PtxInstruction *load = &lines->code[at];
    if (load->destination_count != 1 || load->operands[0].kind != PTX_OPERAND_REGISTER) return NULL;
    for (uint32_t i = at + 1; i < lines->count; i++) {
        const PtxInstruction *reader = &lines->code[i];
        if (mentions(reader, reader->destination_count, reader->operand_count, load->operands[0].index))
            return has_line_for(reader, load) ? reader : NULL;
    }
    return NULL;
}

static void find_line(const Lines *lines, uint32_t at) {
    PtxInstruction *lost = &lines->code[at];
    const PtxInstruction *giver = NULL;
    if (lost->opcode == PTX_OP_bra && lost->guard >= 0) {
        giver = decider(lines, at);
        if (!giver) giver = next_with_line(lines, at);
    }
    if (lost->opcode == PTX_OP_ld) giver = first_reader(lines, at);
    if (giver) take_line(lost, giver);
}

void lines_find(Parser *parser) {
    for (size_t i = 0; i < parser->functions.count; i++) {
        PtxFunction *function = &(*GROWABLE_AT(&parser->functions, FunctionNode *, i))->function;
        Lines lines = {function->instructions, function->instruction_count};
        for (uint32_t at = 0; at < lines.count; at++)
            if (is_lost(&lines.code[at])) find_line(&lines, at);
    }
}
