/* parse_function.c - the head of a function: results, name, parameters, directives (PTX ISA 5.1.6, 11.2). */
#include "ptx/internal.h"

#include <string.h>

typedef struct Head {
    Growable parameters, results; /* VariableNode * */
    Token name;
    uint64_t max_threads[3], required_threads[3], min_blocks;
    bool noreturn;
} Head;

static void free_head(Head *head) {
    growable_free(&head->parameters);
    growable_free(&head->results);
}

/* parameters = "(" [ parameter { "," parameter } ] ")" */
static bool parse_parameters(Parser *parser, Growable *list) {
    if (!parse_need_sign(parser, '(')) return false;
    while (!parse_at_sign(parser, ')')) {
        VariableNode *node = parse_parameter(parser);
        if (!node) return false;
        VariableNode **slot = growable_add(list);
        if (!slot) return parse_no_memory(parser);
        *slot = node;
        if (!parse_take_sign(parser, ',')) break;
    }
    return parse_need_sign(parser, ')');
}

/* ---- directives between the head and the body ---- */

/* x ["," y ["," z]] */
static bool parse_extent(Parser *parser, uint64_t *extent) {
    parse_advance(parser);
    for (int i = 0; i < 3; i++) {
        if (!parse_need_number(parser, UINT32_MAX, &extent[i])) return false;
        if (!parse_take_sign(parser, ',')) break;
    }
    for (int i = 0; i < 3; i++)
        if (!extent[i]) extent[i] = 1;
    return true;
}

/* Directives between a function's head and its body (PTX ISA 11.4). Limits that only a card has are read
 * and dropped. */
static bool parse_directive(Parser *parser, Head *head) {
    uint64_t ignored;
    if (parse_at_dot(parser, "maxntid")) return parse_extent(parser, head->max_threads);
    if (parse_at_dot(parser, "reqntid")) return parse_extent(parser, head->required_threads);
    if (parse_take_dot(parser, "minnctapersm"))
        return parse_need_number(parser, UINT32_MAX, &head->min_blocks);
    if (parse_take_dot(parser, "maxnreg") || parse_take_dot(parser, "maxnctapersm"))
        return parse_need_number(parser, UINT32_MAX, &ignored);
    if (parse_take_dot(parser, "noreturn")) {
        head->noreturn = true;
        return true;
    }
    if (parse_take_dot(parser, "pragma")) {
        parse_skip_past(parser, ';');
        return !parser->failed;
    }
    return parse_fail(parser, &parser->token, "the directive .%.*s is not supported here",
                      (int)parser->token.length, parser->token.start);
}

/* head = [ parameters ] name [ parameters ] { directive } */
static bool parse_head(Parser *parser, Head *head) {
    if (parse_at_sign(parser, '(') && !parse_parameters(parser, &head->results)) return false;
    if (!parse_need_word(parser, &head->name)) return false;
    if (parse_at_sign(parser, '(') && !parse_parameters(parser, &head->parameters)) return false;
    while (parser->token.kind == TOKEN_DOT)
        if (!parse_directive(parser, head)) return false;
    return true;
}

/* ---- the function's node ---- */

/* The list, the symbol and the node know each other; what fails half way leaves no empty place in the
 * list. */
static FunctionNode *new_function(Parser *parser, const Token *name, Linkage linkage) {
    FunctionNode *node = ARENA_NEW(parser->scratch, FunctionNode);
    FunctionNode **slot = growable_add(&parser->functions);
    Symbol *symbol = symbols_add(&parser->symbols, SYMBOL_FUNCTION, name->start, name->length);
    if (slot) *slot = node;
    if (!node || !slot || !symbol) {
        if (slot && !node) parser->functions.count--;
        parse_no_memory(parser);
        return NULL;
    }
    symbol->function = node;
    symbol->shared = linkage.shared;
    node->unit = parser->unit;
    node->parameters = node->results = node->variables = GROWABLE(VariableNode *);
    node->locals = GROWABLE(PtxLocal);
    node->lost = GROWABLE(const char *);
    node->function.name = parse_keep_name(parser, name);
    node->function.plain_name = node->function.name;
    node->function.declared_file = -1;
    if (node->function.name) return node;
    return NULL;
}

static FunctionNode *find_function(Parser *parser, const Token *name, bool entry, Linkage linkage) {
    Symbol *symbol = symbols_find(&parser->symbols, name->hash, name->start, name->length);
    if (!symbol) return new_function(parser, name, linkage);
    if (symbol->kind == SYMBOL_FUNCTION && symbol->function->function.entry == entry) return symbol->function;
    parse_fail(parser, name, "%.*s is declared as something else above", (int)name->length, name->start);
    return NULL;
}

static bool place_all(Parser *parser, const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        if (!parse_place_parameter(parser, &(*GROWABLE_AT(nodes, VariableNode *, i))->variable)) return false;
    return true;
}

/* The parameters lie first in the frame, as in the block that a launch hands over; then the results. */
static bool place_parameters(Parser *parser, FunctionNode *node) {
    node->function.call_param_bytes = 0;
    if (!place_all(parser, &node->parameters)) return false;
    node->function.parameter_bytes = parser->function.param_cursor;
    if (!place_all(parser, &node->results)) return false;
    node->function.result_bytes = parser->function.param_cursor - node->function.parameter_bytes;
    return true;
}

static bool install_head(Parser *parser, FunctionNode *node, Head *head, bool entry) {
    Growable parameters = node->parameters, results = node->results;
    node->parameters = head->parameters;
    node->results = head->results;
    head->parameters = parameters;
    head->results = results;
    node->unit = parser->unit;
    node->function.entry = entry;
    /* A failed assertion ends the launch, whether the declaration says so or not. */
    node->function.noreturn = head->noreturn || strcmp(node->function.name, "__assertfail") == 0;
    node->function.min_blocks = (uint32_t)head->min_blocks;
    for (int i = 0; i < 3; i++) {
        node->function.max_threads[i] = (uint32_t)head->max_threads[i];
        node->function.required_threads[i] = (uint32_t)head->required_threads[i];
    }
    parser->function = (FunctionState){.node = node, .location = {.file = -1}};
    return place_parameters(parser, node);
}

/* Goes on behind the body that begins at `start`; false when it has no end. */
static bool skip_body(Parser *parser, Lexer lexer, Token start) {
    int depth = 0;
    parser->lexer = lexer;
    parser->token = start;
    do {
        depth += parse_at_sign(parser, '{') - parse_at_sign(parser, '}');
        parse_advance(parser);
    } while (depth && parser->token.kind != TOKEN_END);
    return depth == 0;
}

/* A body that cannot be executed is left out, and why is kept: the kernels that are launched may never come
 * there. */
static bool parse_or_refuse(Parser *parser, FunctionNode *node) {
    Held held;
    Lexer lexer = parser->lexer;
    Token start = parser->token;
    parse_hold(parser, &held);
    if (!parse_body(parser, node) && !parser->no_memory) {
        parser->failed = false;
        parser->failed = !skip_body(parser, lexer, start);
    }
    node->function.refusal = parse_release(parser, &held);
    return !parser->failed;
}

/* A function may be declared any number of times and defined once; what comes after the definition adds
 * nothing. A weak one, such as of a template, is defined in each unit that needs it, and the first counts. */
static bool parse_again(Parser *parser, const FunctionNode *node, const Head *head, Linkage linkage) {
    if (!parse_at_sign(parser, '{')) return parse_need_sign(parser, ';');
    if (node->unit == parser->unit || (!node->weak && !linkage.weak))
        return parse_fail(parser, &head->name, "this function is defined twice");
    return skip_body(parser, parser->lexer, parser->token);
}

static bool parse_definition(Parser *parser, Head *head, bool entry, Linkage linkage) {
    FunctionNode *node = find_function(parser, &head->name, entry, linkage);
    if (!node) return false;
    if (node->function.defined) return parse_again(parser, node, head, linkage);
    bool has_body = parse_at_sign(parser, '{');
    node->weak = linkage.weak;
    node->function.entry = entry;
    bool fine = install_head(parser, node, head, entry);
    node->function.defined = has_body;
    if (fine) fine = has_body ? parse_or_refuse(parser, node) : parse_need_sign(parser, ';');
    parser->function.node = NULL;
    return fine;
}

/* function = (".entry" | ".func") head ( body | ";" ) */
bool parse_function(Parser *parser, bool entry, Linkage linkage) {
    Head head = {.parameters = GROWABLE(VariableNode *), .results = GROWABLE(VariableNode *)};
    bool fine = parse_head(parser, &head) && parse_definition(parser, &head, entry, linkage);
    free_head(&head);
    return fine;
}
