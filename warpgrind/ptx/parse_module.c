/* parse_module.c - the module's directives (PTX ISA 11.1, 11.6); each function is named after the rule above
 * it. */
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST_TARGET = 20, MOST_TARGET = 999 };

/* version = ".version" major "." minor: read from the text, because 8.10 is no decimal fraction. */
static bool parse_version(Parser *parser) {
    parse_advance(parser);
    Token number = parser->token;
    char text[16] = {0};
    if (number.kind != TOKEN_FLOAT64 || number.length >= sizeof text)
        return parse_fail(parser, &number, "expected a version, such as 7.0");
    memcpy(text, number.start, number.length);
    char *dot;
    parser->module->version_major = (unsigned)strtoul(text, &dot, 10);
    if (*dot == '.')
        parser->module->version_minor = (unsigned)strtoul(dot + 1, NULL, 10);
    else
        parser->module->version_minor = 0;
    parse_advance(parser);
    return true;
}

static void read_target(Parser *parser, const Token *word) {
    unsigned number = 0;
    for (uint32_t i = 3;
         i < word->length && word->start[i] >= '0' && word->start[i] <= '9' && number <= MOST_TARGET; i++)
        number = number * 10 + (unsigned)(word->start[i] - '0');
    if (number > parser->module->target) parser->module->target = number;
}

/* target = ".target" word { "," word }: sm_70, and words such as "debug" that change nothing here */
static bool parse_target(Parser *parser) {
    Token word;
    parse_advance(parser);
    do {
        if (!parse_need_word(parser, &word)) return false;
        if (word.length > 3 && memcmp(word.start, "sm_", 3) == 0) read_target(parser, &word);
    } while (parse_take_sign(parser, ','));
    if (parser->module->target < OLDEST_TARGET)
        return parse_fail(parser, &word, "the target is to be sm_20 or newer");
    return true;
}

static bool parse_address_size(Parser *parser) {
    uint64_t bits;
    parse_advance(parser);
    Token at = parser->token;
    if (!parse_need_number(parser, 64, &bits)) return false;
    if (bits != 64) return parse_fail(parser, &at, "only 64-bit addresses are supported");
    parser->module->address_bits = (unsigned)bits;
    return true;
}

/* alias = ".alias" new "," old ";": calls of the new name are calls of the old one */
static bool parse_alias(Parser *parser) {
    Token names[2];
    FunctionNode *nodes[2];
    parse_advance(parser);
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !parse_need_sign(parser, ',')) return false;
        if (!parse_need_word(parser, &names[i])) return false;
        const Symbol *symbol = symbols_find(&parser->symbols, names[i].hash, names[i].start, names[i].length);
        if (!symbol || symbol->kind != SYMBOL_FUNCTION)
            return parse_fail(parser, &names[i], "%.*s is no function", (int)names[i].length, names[i].start);
        nodes[i] = symbol->function;
    }
    if (nodes[0]->function.defined || !nodes[1]->function.defined)
        return parse_fail(parser, &names[0], "an alias gives a declared function the body of a defined one");
    nodes[0]->alias = nodes[1];
    return parse_need_sign(parser, ';');
}

/* pragma = ".pragma" string { "," string } ";" */
static bool parse_pragma(Parser *parser) {
    parse_skip_past(parser, ';');
    return !parser->failed;
}

/* linked = { ".visible" | ".weak" | ".extern" | ".common" } ( function | variables ) */
static bool parse_linked(Parser *parser) {
    Linkage linkage = {0};
    PtxSpace space;
    for (;; parse_advance(parser), linkage.shared = true) {
        if (parse_at_dot(parser, "extern"))
            linkage.external = true;
        else if (parse_at_dot(parser, "common") || parse_at_dot(parser, "weak"))
            linkage.weak = true;
        else if (!parse_at_dot(parser, "visible"))
            break;
    }
    if (parse_take_dot(parser, "entry")) return parse_function(parser, true, linkage);
    if (parse_take_dot(parser, "func")) return parse_function(parser, false, linkage);
    if (parse_at_space(parser, &space) && space != PTX_SPACE_PARAM && space != PTX_SPACE_LOCAL)
        return parse_variables(parser, space, linkage);
    if (parser->token.kind == TOKEN_DOT)
        return parse_fail(parser, &parser->token, "the directive .%.*s is not supported here",
                          (int)parser->token.length, parser->token.start);
    return parse_fail(parser, &parser->token, "expected a directive, function or variable here");
}

/* Directives of a module (PTX ISA 11); what is none of these is a variable or a function, with its linkage
 * before it. */
static bool parse_directive(Parser *parser) {
    static const struct {
        const char *word;
        bool (*parse)(Parser *parser);
    } directives[] = {
        {"version", parse_version}, {"target", parse_target},   {"address_size", parse_address_size},
        {"file", parse_file},       {"section", parse_section}, {"alias", parse_alias},
        {"pragma", parse_pragma}};
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (parse_at_dot(parser, directives[i].word)) return directives[i].parse(parser);
    return parse_linked(parser);
}

/* module = { directive }; .version and .target come first */
bool parse_module(Parser *parser) {
    parse_advance(parser);
    if (!parser->failed && !parse_at_dot(parser, "version"))
        return parse_fail(parser, &parser->token, "this is no PTX: it does not begin with .version");
    while (parser->token.kind != TOKEN_END) {
        if (!parse_directive(parser)) return false;
        if (parser->module->version_major && !parser->module->target && !parse_at_dot(parser, "target"))
            return parse_fail(parser, &parser->token, "expected .target here");
    }
    return !parser->failed;
}
