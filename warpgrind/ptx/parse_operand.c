/* parse_operand.c - registers, constants, addresses, vectors, and the lists of a call (PTX ISA 6). */
#include "ptx/internal.h"

#include <string.h>

enum { MOST_VECTOR_PARTS = 8, LONGEST_SPECIAL = 32 };

/* ---- registers ---- */

/* %r12 of the family %r<n>. The prefix may end in a digit itself, so every way to split is tried. */
static int32_t find_in_family(const Parser *parser, const Token *word) {
    uint64_t number = 0, scale = 1;
    for (uint32_t split = word->length; split-- > 1 && word->length - split < 10;) {
        char c = word->start[split];
        if (c < '0' || c > '9') return -1;
        number += (uint64_t)(c - '0') * scale;
        scale *= 10;
        if (c == '0' && split + 1 < word->length) continue; /* no family member is called %r01 */
        const Symbol *family =
            symbols_find(&parser->symbols, lex_hash(LEX_HASH_START, word->start, split), word->start, split);
        if (family && family->kind == SYMBOL_REGISTERS && number < family->count)
            return family->index + (int32_t)number;
    }
    return -1;
}

static int32_t register_of(const Parser *parser, const Token *word, const Symbol *symbol) {
    if (symbol && symbol->kind == SYMBOL_REGISTER) return symbol->index;
    if (symbol && symbol->kind != SYMBOL_REGISTERS) return -1;
    return find_in_family(parser, word);
}

int32_t parse_find_register(const Parser *parser, const Token *word) {
    return register_of(parser, word, symbols_find(&parser->symbols, word->hash, word->start, word->length));
}

/* %tid.x: the part behind the dot is a token of its own. */
static bool parse_special(Parser *parser, const Token *word, PtxOperand *operand) {
    char name[LONGEST_SPECIAL];
    size_t length = word->length - 1;
    const char *end = word->start + word->length;
    bool dotted = parser->token.kind == TOKEN_DOT && parser->token.start == end + 1;
    if (dotted) length += 1 + parser->token.length;
    if (length >= sizeof name) return parse_fail(parser, word, "there is no such register");
    memcpy(name, word->start + 1, length);
    PtxSpecial special = words_special(name, length);
    *operand = (PtxOperand){.kind = PTX_OPERAND_SPECIAL, .index = (int32_t)special};
    if (special == PTX_SPECIAL_COUNT && !words_stand_in(name, length, operand))
        return parse_fail(parser, word, "%.*s is neither declared nor a special register that is supported",
                          (int)length + 1, word->start);
    if (dotted) parse_advance(parser);
    return !parser->failed;
}

/* ---- one operand ---- */

/* constant = number | variable ["+" number] | function */
static bool parse_constant_operand(Parser *parser, PtxOperand *operand) {
    Constant value;
    Token at = parser->token;
    if (!parse_constant(parser, &value)) return false;
    if (value.generic || value.mask)
        return parse_fail(parser, &at, "this can only stand in an initial value");
    if (value.function) {
        if (value.bits) return parse_fail(parser, &at, "nothing can be added to a function");
        *operand = (PtxOperand){.kind = PTX_OPERAND_FUNCTION, .function = &value.function->function};
    } else if (value.variable) {
        *operand = (PtxOperand){.kind = PTX_OPERAND_VARIABLE,
                                .variable = &value.variable->variable,
                                .offset = (int64_t)value.bits};
    } else {
        *operand =
            (PtxOperand){.kind = PTX_OPERAND_IMMEDIATE, .bits = value.bits, .index = (int32_t)value.form};
    }
    return true;
}

/* register = "_" | declared name | special */
static bool parse_simple(Parser *parser, PtxOperand *operand) {
    Token word = parser->token;
    if (word.kind != TOKEN_WORD) return parse_constant_operand(parser, operand);
    const Symbol *symbol = symbols_find(&parser->symbols, word.hash, word.start, word.length);
    int32_t index = register_of(parser, &word, symbol);
    if (index >= 0) {
        *operand = (PtxOperand){.kind = PTX_OPERAND_REGISTER, .index = index};
        parse_advance(parser);
        return !parser->failed;
    }
    if (!symbol && lex_is(&word, "_")) {
        *operand = (PtxOperand){.kind = PTX_OPERAND_SINK};
        parse_advance(parser);
        return !parser->failed;
    }
    if (symbol || word.start[0] != '%') return parse_constant_operand(parser, operand);
    parse_advance(parser);
    return parse_special(parser, &word, operand);
}

/* vector = "{" simple { "," simple } "}" */
static bool parse_vector(Parser *parser, PtxOperand *operand) {
    *operand = (PtxOperand){.kind = PTX_OPERAND_VECTOR, .first_part = (uint32_t)parser->parts.count};
    do {
        PtxOperand part;
        if (operand->parts == MOST_VECTOR_PARTS)
            return parse_fail(parser, &parser->token, "this vector is too long");
        if (!parse_simple(parser, &part)) return false;
        PtxOperand *slot = growable_add(&parser->parts);
        if (!slot) return parse_no_memory(parser);
        *slot = part;
        operand->parts++;
    } while (parse_take_sign(parser, ','));
    return parse_need_sign(parser, '}');
}

/* place = (register | variable | number) { ("+" | "-") number } */
static bool parse_address(Parser *parser, PtxOperand *operand) {
    PtxOperand base;
    Token at = parser->token;
    if (!parse_simple(parser, &base)) return false;
    *operand = (PtxOperand){
        .kind = PTX_OPERAND_ADDRESS, .index = -1, .offset = base.offset, .variable = base.variable};
    if (base.kind == PTX_OPERAND_REGISTER)
        operand->index = base.index;
    else if (base.kind == PTX_OPERAND_IMMEDIATE && base.index == CONSTANT_INTEGER)
        operand->offset = (int64_t)base.bits;
    else if (base.kind != PTX_OPERAND_VARIABLE)
        return parse_fail(parser, &at, "this is no address");
    bool ends = parse_at_sign(parser, ']') || parse_at_sign(parser, ',');
    if (base.kind == PTX_OPERAND_REGISTER && !ends) {
        Constant offset;
        parse_take_sign(parser, '+');
        at = parser->token;
        if (!parse_constant(parser, &offset)) return false;
        if (offset.form != CONSTANT_INTEGER || offset.variable || offset.function)
            return parse_fail(parser, &at, "only a whole number can be added to an address");
        operand->offset = (int64_t)offset.bits;
    }
    return true;
}

static PtxOperand *next_operand(Parser *parser, PtxInstruction *instruction) {
    if (instruction->operand_count == PTX_MAX_OPERANDS) {
        parse_fail(parser, &parser->token, "%s has too many operands",
                   ptx_opcode_info(instruction->opcode)->name);
        return NULL;
    }
    parser->operand_tokens[instruction->operand_count] = parser->token;
    return &instruction->operands[instruction->operand_count++];
}

/* address = "[" place [ "," (vector | simple) ] "]": of textures and surfaces the coordinates are an operand
 * of their own. */
static bool parse_bracket(Parser *parser, PtxInstruction *instruction, PtxOperand *operand) {
    if (!parse_address(parser, operand)) return false;
    if (parse_take_sign(parser, ',')) {
        operand = next_operand(parser, instruction);
        if (!operand) return false;
        bool vector = parse_take_sign(parser, '{');
        if (!(vector ? parse_vector(parser, operand) : parse_simple(parser, operand))) return false;
    }
    return parse_need_sign(parser, ']');
}

/* part = ".b0" | ".b1" | ".b2" | ".b3" | ".h0" | ".h1", right behind the register */
static bool parse_part(Parser *parser, PtxOperand *operand) {
    static const char *const names[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    if (operand->kind != PTX_OPERAND_REGISTER || parser->token.kind != TOKEN_DOT) return true;
    for (int i = 0; i < 6; i++)
        if (parse_at_dot(parser, names[i])) operand->part = (PtxPart)(PTX_PART_B0 + i);
    if (!operand->part) return parse_fail(parser, &parser->token, "this is no part of a register");
    parse_advance(parser);
    return !parser->failed;
}

/* operand = vector | address | "!" simple | simple ["|" simple] */
bool parse_operand(Parser *parser, PtxInstruction *instruction) {
    PtxOperand *operand = next_operand(parser, instruction);
    if (!operand) return false;
    if (parse_take_sign(parser, '{')) return parse_vector(parser, operand);
    if (parse_take_sign(parser, '[')) return parse_bracket(parser, instruction, operand);
    if (parse_take_sign(parser, '!')) {
        bool fine = parse_simple(parser, operand);
        operand->negated = true;
        return fine;
    }
    if (!parse_simple(parser, operand)) return false;
    if (opcodes_parts(opcodes_row(instruction->opcode)) && !parse_part(parser, operand)) return false;
    if (!parse_take_sign(parser, '|')) return true;
    parser->pairs |= 1U << instruction->operand_count;
    operand = next_operand(parser, instruction);
    return operand && parse_simple(parser, operand);
}

/* ---- calls ---- */

/* list = "(" [ simple { "," simple } ] ")" */
static bool parse_call_list(Parser *parser, uint32_t *first, uint16_t *count) {
    *first = (uint32_t)parser->parts.count;
    if (!parse_need_sign(parser, '(')) return false;
    while (!parse_at_sign(parser, ')')) {
        PtxOperand part;
        Token at = parser->token;
        if (!parse_simple(parser, &part)) return false;
        if (part.kind != PTX_OPERAND_VARIABLE || part.variable->space != PTX_SPACE_PARAM || part.offset)
            return parse_fail(parser, &at, "calls hand over .param variables only");
        PtxOperand *slot = growable_add(&parser->parts);
        if (!slot) return parse_no_memory(parser);
        *slot = part;
        if (++*count == UINT16_MAX) return parse_fail(parser, &at, "this call has too many arguments");
        if (!parse_take_sign(parser, ',')) break;
    }
    return parse_need_sign(parser, ')');
}

/* A function's name makes it a direct call, which has no operand; a register calls through a pointer. */
static bool parse_callee(Parser *parser, PtxInstruction *instruction) {
    Token at = parser->token;
    if (!parse_operand(parser, instruction)) return false;
    const PtxOperand *operand = &instruction->operands[0];
    if (operand->kind == PTX_OPERAND_REGISTER) return true;
    if (operand->kind != PTX_OPERAND_FUNCTION) return parse_fail(parser, &at, "this is no function");
    if (operand->function->entry) return parse_fail(parser, &at, "a kernel cannot be called");
    instruction->callee = operand->function;
    instruction->operand_count = 0;
    instruction->operands[0] = (PtxOperand){.kind = PTX_OPERAND_NONE};
    return true;
}

/* call = [list ","] callee ["," list] ["," prototype] */
bool parse_call(Parser *parser, PtxInstruction *instruction) {
    Token prototype;
    if (parse_at_sign(parser, '(') &&
        (!parse_call_list(parser, &instruction->first_result, &instruction->result_count) ||
         !parse_need_sign(parser, ',')))
        return false;
    if (!parse_callee(parser, instruction)) return false;
    bool more = parse_take_sign(parser, ',');
    if (more && parse_at_sign(parser, '(')) {
        if (!parse_call_list(parser, &instruction->first_argument, &instruction->argument_count))
            return false;
        more = parse_take_sign(parser, ',');
    }
    return !more || parse_need_word(parser, &prototype);
}
