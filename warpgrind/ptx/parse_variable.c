/* parse_variable.c - variables and parameters (PTX ISA 5.4). */
#include "ptx/internal.h"

#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 36) /* of one variable */
enum { MOST_ALIGNMENT = 4096, MOST_FRAME_BYTES = 1 << 20 };

static const struct {
    const char *word;
    PtxSpace space;
} spaces[] = {{"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED}, {"shared::cta", PTX_SPACE_SHARED},
              {"local", PTX_SPACE_LOCAL},   {"const", PTX_SPACE_CONST},   {"param", PTX_SPACE_PARAM}};

bool parse_at_space(const Parser *parser, PtxSpace *space) {
    if (parser->token.kind != TOKEN_DOT) return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (!lex_is(&parser->token, spaces[i].word)) continue;
        *space = spaces[i].space;
        return true;
    }
    return false;
}

/* ---- what stands before the name ---- */

typedef struct Declaration {
    PtxSpace space;
    PtxType type;
    unsigned vector, alignment;
    bool managed, reference;
} Declaration;

/* attribute = ".attribute" "(" ".managed" | ".unified" "(" number "," number ")" ")" */
static bool parse_attribute(Parser *parser, Declaration *declaration) {
    if (!parse_need_sign(parser, '(')) return false;
    for (int depth = 1; depth > 0 && parser->token.kind != TOKEN_END; parse_advance(parser)) {
        if (parse_at_dot(parser, "managed")) declaration->managed = true;
        if (parse_at_sign(parser, '(')) depth++;
        if (parse_at_sign(parser, ')')) depth--;
    }
    return !parser->failed;
}

static bool parse_alignment(Parser *parser, Declaration *declaration) {
    uint64_t alignment;
    Token at = parser->token;
    if (!parse_need_number(parser, MOST_ALIGNMENT, &alignment)) return false;
    if (alignment == 0 || (alignment & (alignment - 1)))
        return parse_fail(parser, &at, "alignment must be a power of two");
    declaration->alignment = (unsigned)alignment;
    return true;
}

/* ".ptr" [space] [".align" number]: what a pointer parameter points to. Only a hint to an optimiser. */
static bool parse_pointer(Parser *parser) {
    PtxSpace space;
    Declaration ignored = {0};
    if (parse_at_space(parser, &space)) parse_advance(parser);
    return !parse_take_dot(parser, "align") || parse_alignment(parser, &ignored);
}

/* A texture reference is eight bytes, the handle of what is bound to it. */
static bool parse_reference_word(Parser *parser, Declaration *declaration) {
    if (!parse_take_dot(parser, "texref") && !parse_take_dot(parser, "surfref")) return false;
    declaration->type = PTX_B64;
    declaration->reference = true;
    return true;
}

/* .v2, .v4 and .v8 stand before the element's type. Types that exist in registers only are refused. */
static bool parse_type_word(Parser *parser, Declaration *declaration) {
    static const struct {
        const char *word;
        unsigned count;
    } vectors[] = {{"v2", 2}, {"v4", 4}, {"v8", 8}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (lex_is(&parser->token, vectors[i].word)) declaration->vector = vectors[i].count;
    PtxType type = words_type(&parser->token);
    bool element = words_is_element(type);
    if (type) declaration->type = type;
    if (element || (!type && parser->token.start[0] != 'v'))
        return parse_fail(parser, &parser->token, "variables of type .%.*s are not supported",
                          (int)parser->token.length, parser->token.start);
    parse_advance(parser);
    return !parser->failed;
}

/* declaration = { ".align" number | ".attribute" (...) | ".ptr" ... | ".texref" | ".surfref" | ".v2" | ".v4"
 * | type } */
static bool parse_declaration(Parser *parser, Declaration *declaration) {
    while (parser->token.kind == TOKEN_DOT) {
        bool fine;
        if (parse_take_dot(parser, "align"))
            fine = parse_alignment(parser, declaration);
        else if (parse_take_dot(parser, "attribute"))
            fine = parse_attribute(parser, declaration);
        else if (parse_take_dot(parser, "ptr"))
            fine = parse_pointer(parser);
        else if (parse_reference_word(parser, declaration))
            fine = true;
        else
            fine = parse_type_word(parser, declaration);
        if (!fine) return false;
    }
    if (!declaration->type || declaration->type == PTX_PRED)
        return parse_fail(parser, &parser->token, "a variable needs a type here");
    return true;
}

/* ---- the name and the dimensions ---- */

static bool parse_dimension(Parser *parser, size_t *size) {
    Constant value;
    Token at = parser->token;
    if (!parse_constant(parser, &value) || !parse_need_sign(parser, ']')) return false;
    if (value.form != CONSTANT_INTEGER || value.variable || value.function || value.bits > MOST_BYTES)
        return parse_fail(parser, &at, "this is no size of an array");
    *size = (size_t)value.bits;
    return true;
}

/* dimensions = { "[" [number] "]" }; only the first one may be empty. A vector is one more dimension. */
static bool parse_dimensions(Parser *parser, const Declaration *declaration, Shape *shape) {
    *shape = (Shape){0};
    while (parse_take_sign(parser, '[')) {
        if (shape->dimensions == MOST_DIMENSIONS)
            return parse_fail(parser, &parser->token, "too many dimensions");
        size_t *size = &shape->sizes[shape->dimensions++];
        if (parse_take_sign(parser, ']')) {
            if (shape->dimensions > 1)
                return parse_fail(parser, &parser->token, "only the first dimension may be open");
            shape->open = true;
            *size = 1;
        } else if (!parse_dimension(parser, size)) {
            return false;
        }
    }
    if (declaration->vector) shape->sizes[shape->dimensions++] = declaration->vector;
    return !parser->failed;
}

static bool set_size(Parser *parser, PtxVariable *variable, const Shape *shape) {
    variable->count = 1;
    for (int i = 0; i < shape->dimensions; i++)
        if (__builtin_mul_overflow(variable->count, shape->sizes[i], &variable->count) ||
            variable->count > MOST_BYTES)
            return parse_fail(parser, &parser->token, "this variable is too large");
    variable->bytes = variable->count * ptx_type_bytes(variable->type);
    if (variable->bytes > MOST_BYTES) return parse_fail(parser, &parser->token, "this variable is too large");
    if (shape->open) variable->count = variable->bytes = 0;
    return true;
}

/* The usual alignment is that of the element or vector (PTX ISA 5.4.5). */
static VariableNode *new_node(Parser *parser, const Declaration *declaration) {
    VariableNode *node = ARENA_NEW(parser->scratch, VariableNode);
    if (!node) {
        parse_no_memory(parser);
        return NULL;
    }
    unsigned element = ptx_type_bytes(declaration->type) * (declaration->vector ? declaration->vector : 1);
    node->relocations = GROWABLE(PtxRelocation);
    node->variable = (PtxVariable){.name = "",
                                   .plain_name = "",
                                   .space = declaration->space,
                                   .type = declaration->type,
                                   .alignment = declaration->alignment ? declaration->alignment : element,
                                   .managed = declaration->managed,
                                   .reference = declaration->reference,
                                   .declared_file = -1};
    node->unit = parser->unit;
    return node;
}

/* A prototype's parameter may lack its name. */
VariableNode *parse_parameter(Parser *parser) {
    Declaration declaration = {.space = PTX_SPACE_PARAM};
    Shape shape;
    if (!parse_at_dot(parser, "param")) {
        parse_fail(parser, &parser->token, "expected .param here");
        return NULL;
    }
    parse_advance(parser);
    if (!parse_declaration(parser, &declaration)) return NULL;
    VariableNode *node = new_node(parser, &declaration);
    if (!node) return NULL;
    Token name = parser->token;
    if (name.kind == TOKEN_WORD) {
        node->variable.name = parse_keep_name(parser, &name);
        parse_advance(parser);
    }
    bool fine = parse_dimensions(parser, &declaration, &shape) && set_size(parser, &node->variable, &shape);
    if (fine) return node;
    return NULL;
}

/* ---- declaring ---- */

/* The node that this name already has in this scope. */
static Symbol *find_earlier(const Parser *parser, const Token *name) {
    Symbol *symbol = symbols_find(&parser->symbols, name->hash, name->start, name->length);
    if (symbol && symbol->depth == parser->symbols.depth) return symbol;
    return NULL;
}

/* Of definitions in several units of which one is weak the first counts, and the others are read and dropped.
 */
static bool drop_second(const VariableNode *first, VariableNode *second) {
    second->dropped = first->unit != second->unit && (first->weak || second->weak);
    return second->dropped;
}

/* A definition completes an earlier .extern (and the other way round adds nothing); operands already point to
 * the node. */
static bool merge_earlier(Parser *parser, Symbol *earlier, VariableNode **node, const Token *name) {
    if (earlier->kind != SYMBOL_VARIABLE)
        return parse_fail(parser, name, "%.*s is declared as something else above", (int)name->length,
                          name->start);
    VariableNode *first = earlier->variable;
    PtxVariable *old = &first->variable, *new = &(*node)->variable;
    if (!old->external && !new->external)
        return drop_second(first, *node) ||
               parse_fail(parser, name, "%.*s is declared twice", (int)name->length, name->start);
    if (old->external && !new->external) {
        new->name = old->name;
        new->plain_name = old->plain_name;
        *old = *new;
        first->unit = (*node)->unit;
        first->weak = (*node)->weak;
    }
    *node = first;
    return true;
}

static bool align_offset(Parser *parser, uint32_t *cursor, PtxVariable *variable) {
    uint64_t offset = ((uint64_t)*cursor + variable->alignment - 1) & ~(uint64_t)(variable->alignment - 1);
    uint64_t end = offset + variable->bytes;
    if (end > MOST_FRAME_BYTES)
        return parse_fail(parser, &parser->token, "the function needs more than %d bytes of this space",
                          MOST_FRAME_BYTES);
    variable->offset = (uint32_t)offset;
    *cursor = (uint32_t)end;
    return true;
}

bool parse_place_parameter(Parser *parser, PtxVariable *variable) {
    PtxFunction *function = &parser->function.node->function;
    if (!align_offset(parser, &parser->function.param_cursor, variable)) return false;
    if (parser->function.param_cursor > function->call_param_bytes)
        function->call_param_bytes = parser->function.param_cursor;
    return true;
}

static bool place_local(Parser *parser, VariableNode *node) {
    if (node->variable.space == PTX_SPACE_LOCAL)
        return align_offset(parser, &parser->function.node->function.local_bytes, &node->variable);
    return node->variable.space != PTX_SPACE_PARAM || parse_place_parameter(parser, &node->variable);
}

static bool add_to_list(Parser *parser, VariableNode *node) {
    FunctionNode *function = parser->function.node;
    if (function && !place_local(parser, node)) return false;
    VariableNode **slot = growable_add(function ? &function->variables : &parser->variables);
    if (!slot) return parse_no_memory(parser);
    *slot = node;
    return true;
}

/* Makes the name known; `*declared` becomes the earlier node when the name is known already. */
static bool declare(Parser *parser, VariableNode **declared, const Token *name, Linkage linkage) {
    VariableNode *node = *declared;
    Symbol *earlier = find_earlier(parser, name);
    if (earlier) return merge_earlier(parser, earlier, declared, name);
    node->variable.name = parse_keep_name(parser, name);
    node->variable.plain_name = node->variable.name;
    Symbol *symbol = symbols_add(&parser->symbols, SYMBOL_VARIABLE, name->start, name->length);
    if (!symbol || !node->variable.name) return parse_no_memory(parser);
    symbol->variable = node;
    symbol->shared = linkage.shared;
    return add_to_list(parser, node);
}

static bool check_open(Parser *parser, PtxVariable *variable, const Shape *shape, const Token *name) {
    if (!shape->open || variable->initial || variable->bytes) return true;
    variable->dynamic = variable->space == PTX_SPACE_SHARED;
    if (variable->dynamic || variable->external || variable->space == PTX_SPACE_PARAM) return true;
    return parse_fail(parser, name, "the size of this array is missing");
}

/* variable = name dimensions ["=" values]. Declared before its values are read: it may hold its own address.
 */
static bool parse_variable(Parser *parser, const Declaration *declaration, Linkage linkage) {
    Token name;
    Shape shape;
    VariableNode *node = new_node(parser, declaration);
    if (!node || !parse_need_word(parser, &name)) return false;
    node->variable.external = linkage.external;
    node->weak = linkage.weak;
    if (!parse_dimensions(parser, declaration, &shape) || !set_size(parser, &node->variable, &shape))
        return false;
    if (!declare(parser, &node, &name, linkage)) return false;
    bool fine = !parse_take_sign(parser, '=') || parse_initialiser(parser, node, &shape);
    if (node->dropped) growable_free(&node->relocations);
    return fine && check_open(parser, &node->variable, &shape, &name);
}

bool parse_variables(Parser *parser, PtxSpace space, Linkage linkage) {
    Declaration declaration = {.space = space};
    parse_advance(parser);
    if (!parse_declaration(parser, &declaration)) return false;
    do {
        if (!parse_variable(parser, &declaration, linkage)) return false;
    } while (parse_take_sign(parser, ','));
    return parse_need_sign(parser, ';');
}
