/* parse_body.c - the statements of a function (PTX ISA 4.3): scopes, registers, labels, and the directives
 * among them.
 *
 * Labels belong to the scope they stand in and may be used before they appear, so uses are collected and
 * filled in when a scope ends: those it has no label for go on to the scope around it.
 */
#include "ptx/internal.h"

#include <string.h>

enum { FREE_REGISTERS = 1 << 16, MOST_INSTRUCTIONS = 1 << 24 };

/* ---- registers ---- */

/* A register takes three characters of text at least where it is used: more than this are declared only to
 * use up memory. */
static bool count_registers(Parser *parser, const Token *at, uint64_t count) {
    if (count > FREE_REGISTERS + parser->length - parser->registers_total)
        return parse_fail(parser, at, "this module declares too many registers");
    parser->registers_total += (size_t)count;
    return true;
}

/* "%r" and 5 to "%r5", in one piece of memory for the whole family. */
static bool name_family(Parser *parser, const Token *prefix, uint32_t first, uint32_t count, PtxType type) {
    size_t width = prefix->length + 11;
    char *names = arena_array(parser->arena, count, width);
    if (!names) return parse_no_memory(parser);
    for (uint32_t i = 0; i < count; i++, names += width) {
        char digits[10];
        unsigned length = 0;
        for (uint32_t rest = i; length == 0 || rest; rest /= 10)
            digits[length++] = (char)('0' + rest % 10);
        memcpy(names, prefix->start, prefix->length);
        for (unsigned j = 0; j < length; j++)
            names[prefix->length + j] = digits[length - 1 - j];
        *GROWABLE_AT(&parser->registers, PtxRegister, first + i) = (PtxRegister){names, type};
    }
    return true;
}

static bool add_registers(Parser *parser, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (!growable_add(&parser->registers)) return parse_no_memory(parser);
    return true;
}

/* names = name [ "<" count ">" ] */
static bool parse_register(Parser *parser, PtxType type) {
    Token name;
    uint64_t count = 1;
    if (!parse_need_word(parser, &name)) return false;
    bool family = parse_take_sign(parser, '<');
    if (family && (!parse_need_number(parser, INT32_MAX, &count) || !parse_need_sign(parser, '>')))
        return false;
    uint32_t first = (uint32_t)parser->registers.count;
    if (!count_registers(parser, &name, count) || !add_registers(parser, count)) return false;
    SymbolKind kind = SYMBOL_REGISTER;
    if (family) kind = SYMBOL_REGISTERS;
    Symbol *symbol = symbols_add(&parser->symbols, kind, name.start, name.length);
    if (!symbol) return parse_no_memory(parser);
    symbol->index = (int32_t)first;
    symbol->count = (uint32_t)count;
    if (family) return name_family(parser, &name, first, (uint32_t)count, type);
    const char *kept = parse_keep_name(parser, &name);
    *GROWABLE_AT(&parser->registers, PtxRegister, first) = (PtxRegister){kept, type};
    return kept != NULL;
}

/* registers = ".reg" type names { "," names } ";" */
static bool parse_registers(Parser *parser) {
    parse_advance(parser);
    PtxType type = PTX_NONE;
    if (parser->token.kind == TOKEN_DOT) type = words_type(&parser->token);
    if (!type || words_is_element(type))
        return parse_fail(parser, &parser->token, "registers of this type are not supported");
    parse_advance(parser);
    do {
        if (!parse_register(parser, type)) return false;
    } while (parse_take_sign(parser, ','));
    return parse_need_sign(parser, ';');
}

/* ---- labels ---- */

bool parse_label_use(Parser *parser, uint32_t instruction, int32_t *slot) {
    Token name;
    if (!parse_need_word(parser, &name)) return false;
    LabelUse *use = growable_add(&parser->uses);
    if (!use) return parse_no_memory(parser);
    *use = (LabelUse){.name = name, .instruction = instruction, .slot = slot};
    return true;
}

/* targets = ".branchtargets" label { "," label } ";" */
static bool parse_targets(Parser *parser, const Token *name) {
    size_t first = parser->uses.count;
    parse_advance(parser);
    do {
        if (!parse_label_use(parser, 0, NULL)) return false;
    } while (parse_take_sign(parser, ','));
    uint32_t count = (uint32_t)(parser->uses.count - first);
    int32_t *targets = ARENA_ARRAY(parser->arena, count, int32_t);
    Symbol *symbol = symbols_add(&parser->symbols, SYMBOL_TARGETS, name->start, name->length);
    if (!targets || !symbol) return parse_no_memory(parser);
    for (uint32_t i = 0; i < count; i++)
        GROWABLE_AT(&parser->uses, LabelUse, first + i)->slot = &targets[i];
    symbol->targets = targets;
    symbol->count = count;
    return parse_need_sign(parser, ';');
}

/* prototype = (".callprototype" | ".calltargets") ... ";": calls are checked against the function that they
 * reach */
static bool parse_prototype(Parser *parser, const Token *name) {
    if (!symbols_add(&parser->symbols, SYMBOL_PROTOTYPE, name->start, name->length))
        return parse_no_memory(parser);
    parse_skip_past(parser, ';');
    return !parser->failed;
}

/* label = name ":" [ targets | prototype ] */
static bool parse_label(Parser *parser, const Token *name) {
    parse_advance(parser);
    if (parse_at_dot(parser, "branchtargets")) return parse_targets(parser, name);
    if (parse_at_dot(parser, "callprototype") || parse_at_dot(parser, "calltargets"))
        return parse_prototype(parser, name);
    const Symbol *earlier = symbols_find(&parser->symbols, name->hash, name->start, name->length);
    if (earlier && earlier->depth == parser->symbols.depth)
        return parse_fail(parser, name, "%.*s is declared twice", (int)name->length, name->start);
    Symbol *symbol = symbols_add(&parser->symbols, SYMBOL_LABEL, name->start, name->length);
    if (!symbol) return parse_no_memory(parser);
    symbol->index = (int32_t)parser->instructions.count;
    symbol->function = parser->function.node;
    Symbol **kept = growable_add(&parser->unit->labels);
    if (!kept) return parse_no_memory(parser);
    *kept = symbol;
    return true;
}

static void fill_use(Parser *parser, const LabelUse *use, int32_t position) {
    if (use->slot)
        *use->slot = position;
    else
        GROWABLE_AT(&parser->instructions, PtxInstruction, use->instruction)->operands[0].index = position;
}

/* Fills in the uses since `first` whose labels stand in the scope that ends now; the others stay. */
static void fill_uses(Parser *parser, size_t first) {
    size_t kept = first;
    for (size_t i = first; i < parser->uses.count; i++) {
        LabelUse use = *GROWABLE_AT(&parser->uses, LabelUse, i);
        const Symbol *label = symbols_find(&parser->symbols, use.name.hash, use.name.start, use.name.length);
        if (label && label->kind == SYMBOL_LABEL && label->depth == parser->symbols.depth)
            fill_use(parser, &use, label->index);
        else
            *GROWABLE_AT(&parser->uses, LabelUse, kept++) = use;
    }
    parser->uses.count = kept;
}

/* ---- statements ---- */

static bool parse_block(Parser *parser);

/* Directives that may stand among instructions (PTX ISA 11). */
static bool parse_directive(Parser *parser) {
    PtxSpace space;
    if (parse_at_dot(parser, "loc")) return parse_loc(parser);
    if (parse_at_dot(parser, "reg")) return parse_registers(parser);
    if (parse_at_space(parser, &space)) return parse_variables(parser, space, (Linkage){0});
    if (parse_at_dot(parser, "pragma")) {
        parse_skip_past(parser, ';');
        return !parser->failed;
    }
    if (parse_at_dot(parser, "file")) return parse_file(parser);
    return parse_fail(parser, &parser->token, "the directive .%.*s is not supported here",
                      (int)parser->token.length, parser->token.start);
}

/* statement = block | directive | ";" | label | ["@" ["!"] register] instruction */
static bool parse_statement(Parser *parser) {
    if (parse_at_sign(parser, '{')) return parse_block(parser);
    if (parser->token.kind == TOKEN_DOT) return parse_directive(parser);
    if (parse_take_sign(parser, ';')) return true;
    if (parser->instructions.count == MOST_INSTRUCTIONS)
        return parse_fail(parser, &parser->token, "this function has too many instructions");
    if (parse_at_sign(parser, '@')) return parse_instruction(parser, NULL);
    Token word;
    if (parser->token.kind != TOKEN_WORD)
        return parse_fail(parser, &parser->token, "expected an instruction here");
    if (!parse_need_word(parser, &word)) return false;
    if (parse_at_sign(parser, ':')) return parse_label(parser, &word);
    return parse_instruction(parser, &word);
}

/* block = "{" { statement } "}". Call parameters declared in a block share their bytes with those of other
 * blocks. */
static bool parse_block(Parser *parser) {
    size_t first_use = parser->uses.count;
    uint32_t cursor = parser->function.param_cursor;
    if (parser->symbols.depth == DEEPEST_SCOPE)
        return parse_fail(parser, &parser->token, "blocks are nested too deeply");
    if (!parse_need_sign(parser, '{')) return false;
    symbols_enter(&parser->symbols);
    bool fine = true;
    while (fine && !parse_at_sign(parser, '}'))
        fine = parse_statement(parser);
    if (fine) fill_uses(parser, first_use);
    symbols_leave(&parser->symbols);
    parser->function.param_cursor = cursor;
    return fine && parse_need_sign(parser, '}');
}

/* ---- the whole body ---- */

static bool declare_parameters(Parser *parser, const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++) {
        VariableNode *node = *GROWABLE_AT(nodes, VariableNode *, i);
        Symbol *symbol = symbols_add(&parser->symbols, SYMBOL_VARIABLE, node->variable.name,
                                     (uint32_t)strlen(node->variable.name));
        if (!symbol) return parse_no_memory(parser);
        symbol->variable = node;
    }
    return true;
}

static bool check_labels(Parser *parser) {
    if (!parser->uses.count) return true;
    const Token *name = &GROWABLE_AT(&parser->uses, LabelUse, 0)->name;
    return parse_fail(parser, name, "there is no label %.*s in this function", (int)name->length,
                      name->start);
}

/* The lists are used again by the next function, so the function gets copies of just the right length. */
static bool keep_body(Parser *parser, PtxFunction *function) {
    function->register_count = (uint32_t)parser->registers.count;
    function->instruction_count = (uint32_t)parser->instructions.count;
    function->part_count = (uint32_t)parser->parts.count;
    function->registers = growable_copy(&parser->registers, parser->arena);
    function->instructions = growable_copy(&parser->instructions, parser->arena);
    function->parts = growable_copy(&parser->parts, parser->arena);
    bool complete = (function->registers || !function->register_count) &&
                    (function->instructions || !function->instruction_count) &&
                    (function->parts || !function->part_count);
    return complete || parse_no_memory(parser);
}

bool parse_body(Parser *parser, FunctionNode *node) {
    parser->registers.count = parser->instructions.count = parser->parts.count = parser->uses.count = 0;
    if (parser->any_inlined) memset(parser->inlined, 0, INLINE_SLOTS * sizeof *parser->inlined);
    parser->any_inlined = false;
    parser->hidden = -1;
    symbols_enter(&parser->symbols);
    bool fine = declare_parameters(parser, &node->parameters) && declare_parameters(parser, &node->results) &&
                parse_block(parser) && check_labels(parser) && keep_body(parser, &node->function);
    symbols_leave(&parser->symbols);
    return fine;
}
