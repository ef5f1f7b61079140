/* parse_instruction.c - guard, mnemonic, modifiers and the operands' commas (PTX ISA 9.1 to 9.3). */
#include "ptx/internal.h"

#include <string.h>

enum { MOST_MNEMONIC_WORDS = 3 };

/* ---- the mnemonic and the words behind it ---- */

typedef struct Suffixes {
    Token words[MOST_SUFFIXES];
    unsigned count;
} Suffixes;

static bool collect_suffixes(Parser *parser, Suffixes *suffixes) {
    while (parser->token.kind == TOKEN_DOT) {
        if (suffixes->count == MOST_SUFFIXES)
            return parse_fail(parser, &parser->token, "an instruction cannot have that many modifiers");
        suffixes->words[suffixes->count++] = parser->token;
        parse_advance(parser);
    }
    return !parser->failed;
}

/* The longest row that fits: "bar.warp.sync" rather than "bar". Returns how many suffixes belong to the name.
 */
static unsigned find_opcode(const Parser *parser, const Token *word, const Suffixes *suffixes,
                            PtxOpcode *opcode) {
    unsigned used = 0;
    uint32_t hash = word->hash;
    *opcode = opcodes_find(&parser->index, hash, word->start, word->length);
    const char *end = word->start + word->length;
    for (unsigned i = 0; i < suffixes->count && i + 1 < MOST_MNEMONIC_WORDS + 1; i++) {
        const Token *suffix = &suffixes->words[i];
        if (suffix->start != end + 1) break; /* a blank between them */
        end = suffix->start + suffix->length;
        hash = lex_hash(lex_hash(hash, ".", 1), suffix->start, suffix->length);
        PtxOpcode longer = opcodes_find(&parser->index, hash, word->start, (size_t)(end - word->start));
        if (longer == PTX_OPCODE_COUNT) continue;
        *opcode = longer;
        used = i + 1;
    }
    return used;
}

static bool fail_unsupported(Parser *parser, const Token *word, PtxOpcode opcode) {
    const PtxOpcodeInfo *info = ptx_opcode_info(opcode);
    parse_fail(parser, word, "the software GPU cannot execute %s (%s; PTX ISA %s)", info->name, info->effect,
               info->section);
    parse_remedy(parser,
                 "Remove what makes the compiler use this instruction, or run the program on a real GPU.");
    return false;
}

/* Says whether the modifier is unknown, is not for this instruction, or contradicts another one. */
static bool fail_word(Parser *parser, const Token *word, const char *mnemonic, WordResult result) {
    int length = (int)word->length;
    switch (result) {
    case WORD_TWICE:
        return parse_fail(parser, word, ".%.*s contradicts an earlier modifier of %s", length, word->start,
                          mnemonic);
    case WORD_NOT_HERE:
        return parse_fail(parser, word, "%s cannot have .%.*s", mnemonic, length, word->start);
    case WORD_UNKNOWN:
    case WORD_SET:
        break;
    }
    return parse_fail(parser, word, ".%.*s is no modifier or type that is supported for %s", length,
                      word->start, mnemonic);
}

/* mma names the types of d, a, b and c in that order; wmma.mma of halves those of d and c only. */
static bool apply_element(Parser *parser, const OpcodeRow *row, const Token *word, PtxType type,
                          PtxInstruction *instruction) {
    PtxType *places[] = {&instruction->type, &instruction->source_type, &instruction->third_type,
                         &instruction->fourth_type};
    bool multiplies = instruction->opcode == PTX_OP_mma || instruction->opcode == PTX_OP_wmma_mma;
    for (unsigned i = 0; i < (multiplies ? 4 : 1) && row->types >> type & 1; i++)
        if (!*places[i]) {
            *places[i] = type;
            return true;
        }
    return parse_fail(parser, word, "%s cannot have the type .%s here", row->info.name, ptx_type_name(type));
}

static bool apply_type(Parser *parser, const OpcodeRow *row, const Token *word, PtxType type,
                       PtxInstruction *instruction) {
    bool first = !instruction->type;
    if (first && row->types >> type & 1) {
        instruction->type = type;
        return true;
    }
    /* cvt.pack.sat.u8.s32.b32: the third type, always b32, is that of the operand to pack into. */
    bool packs_into = instruction->opcode == PTX_OP_cvt_pack && instruction->source_type && type == PTX_B32;
    if (packs_into) return true;
    bool third = instruction->source_type && !instruction->third_type && opcodes_third_type(row);
    if (third && row->types >> type & 1) {
        instruction->third_type = type;
        return true;
    }
    if (first || instruction->source_type || !opcodes_second_type(row))
        return parse_fail(parser, word, "%s cannot have the type .%s%s", row->info.name, ptx_type_name(type),
                          first ? "" : " here");
    instruction->source_type = type;
    return true;
}

static bool apply_suffix(Parser *parser, const OpcodeRow *row, const Token *word,
                         PtxInstruction *instruction) {
    PtxType type = words_type(word);
    if (type && opcodes_matrix(row)) return apply_element(parser, row, word, type, instruction);
    if (type) return apply_type(parser, row, word, type, instruction);
    WordResult result = words_apply(&parser->index, word, row->modifiers, &instruction->modifiers);
    return result == WORD_SET || fail_word(parser, word, row->info.name, result);
}

/* Some names have dots in them (cp.async.wait_all), so the longest name that is in the table counts, and
 * the words after it are modifiers. */
static bool parse_mnemonic(Parser *parser, const Token *word, PtxInstruction *instruction) {
    Suffixes suffixes = {.count = 0};
    PtxOpcode opcode;
    if (!collect_suffixes(parser, &suffixes)) return false;
    unsigned used = find_opcode(parser, word, &suffixes, &opcode);
    if (opcode == PTX_OPCODE_COUNT)
        return parse_fail(parser, word, "%.*s is no PTX instruction that is known here", (int)word->length,
                          word->start);
    const OpcodeRow *row = opcodes_row(opcode);
    if (row->info.family == PTX_FAMILY_refused) return fail_unsupported(parser, word, opcode);
    instruction->opcode = opcode;
    for (unsigned i = used; i < suffixes.count; i++)
        if (!apply_suffix(parser, row, &suffixes.words[i], instruction)) return false;
    const char *missing = opcodes_missing(row, instruction);
    return !missing || parse_fail(parser, word, "%s needs %s", row->info.name, missing);
}

/* ---- operands ---- */

/* The list behind brx.idx was declared before it. */
static bool parse_target_list(Parser *parser, PtxInstruction *instruction) {
    Token name;
    if (!parse_need_sign(parser, ',') || !parse_need_word(parser, &name)) return false;
    const Symbol *symbol = symbols_find(&parser->symbols, name.hash, name.start, name.length);
    if (!symbol || symbol->kind != SYMBOL_TARGETS)
        return parse_fail(parser, &name, "%.*s is no list of .branchtargets", (int)name.length, name.start);
    instruction->branch_targets = symbol->targets;
    instruction->branch_target_count = symbol->count;
    return true;
}

static bool parse_target(Parser *parser, PtxInstruction *instruction) {
    parser->operand_tokens[0] = parser->token;
    instruction->operands[0] = (PtxOperand){.kind = PTX_OPERAND_LABEL};
    instruction->operand_count = 1;
    return parse_label_use(parser, (uint32_t)parser->instructions.count - 1, NULL);
}

/* operands = [ operand { "," operand } ] */
static bool parse_operands(Parser *parser, PtxInstruction *instruction) {
    if (instruction->opcode == PTX_OP_call) return parse_call(parser, instruction);
    if (instruction->opcode == PTX_OP_bra) return parse_target(parser, instruction);
    if (parse_at_sign(parser, ';')) return true;
    if (!parse_operand(parser, instruction)) return false;
    if (instruction->opcode == PTX_OP_brx_idx) return parse_target_list(parser, instruction);
    while (parse_take_sign(parser, ','))
        if (!parse_operand(parser, instruction)) return false;
    return true;
}

/* guard = "@" ["!"] register */
static bool parse_guard(Parser *parser, PtxInstruction *instruction) {
    Token name;
    parse_advance(parser);
    instruction->guard_negated = parse_take_sign(parser, '!');
    if (!parse_need_word(parser, &name)) return false;
    instruction->guard = parse_find_register(parser, &name);
    if (instruction->guard < 0 ||
        GROWABLE_AT(&parser->registers, PtxRegister, instruction->guard)->type != PTX_PRED)
        return parse_fail(parser, &name, "a guard must be a register of type .pred");
    return true;
}

static void set_location(const Parser *parser, PtxInstruction *instruction) {
    const Location *location = &parser->function.location;
    instruction->file = location->file;
    instruction->line = location->line;
    instruction->column = location->column;
    instruction->inlined_at_line = parser->function.inlined_at.line;
    instruction->inlined_at_column = parser->function.inlined_at.column;
    instruction->ptx_line = parser->mnemonic.line;
}

/* What a matrix instruction moves is put together and taken apart in registers that no name leads to; a
 * function has them once. */
static bool parse_hide_registers(Parser *parser, PtxInstruction *instruction) {
    enum { HIDDEN = 4 };
    if (!opcodes_matrix(opcodes_row(instruction->opcode))) return true;
    for (unsigned i = 0; parser->hidden < 0 && i < HIDDEN; i++) {
        PtxRegister *made = growable_add(&parser->registers);
        if (!made) return parse_no_memory(parser);
        *made = (PtxRegister){"%matrix", PTX_B32};
        if (i + 1 == HIDDEN) parser->hidden = (int32_t)(parser->registers.count - HIDDEN);
    }
    instruction->hidden = parser->hidden;
    return true;
}

/* instruction = [guard] mnemonic {suffix} operands ";" */
bool parse_instruction(Parser *parser, const Token *mnemonic) {
    PtxInstruction *instruction = growable_add(&parser->instructions);
    if (!instruction) return parse_no_memory(parser);
    instruction->guard = instruction->hidden = -1;
    instruction->reconvergence = PTX_NO_RECONVERGENCE;
    instruction->bypasses_barrier_taken = instruction->bypasses_barrier_fallthrough = -1;
    parser->pairs = 0;
    if (mnemonic) {
        parser->mnemonic = *mnemonic;
    } else {
        if (!parse_guard(parser, instruction)) return false;
        if (!parse_need_word(parser, &parser->mnemonic)) return false;
    }
    set_location(parser, instruction);
    return parse_mnemonic(parser, &parser->mnemonic, instruction) && parse_operands(parser, instruction) &&
           verify_instruction(parser, instruction) && parse_hide_registers(parser, instruction) &&
           parse_need_sign(parser, ';');
}
