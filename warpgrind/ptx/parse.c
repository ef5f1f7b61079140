/* parse.c - what every parser function uses: the current token, and the one error that stops everything. */
#include "ptx/internal.h"

enum { LONGEST_SHOWN_LINE = 400 };

static const char *copy_line(Parser *parser, const Token *token) {
    if (!parser->unit) return NULL; /* nothing has been read yet */
    const char *end = parser->unit->text + parser->unit->length;
    size_t length = 0;
    while (token->line_start + length < end && token->line_start[length] != '\n' &&
           length < LONGEST_SHOWN_LINE)
        length++;
    return arena_copy(parser->diagnostics->arena, token->line_start, length);
}

static int column_of(const Token *token) {
    const char *start = token->start - (token->kind == TOKEN_DOT || token->kind == TOKEN_STRING ? 1 : 0);
    if (start >= token->line_start) return (int)(start - token->line_start) + 1;
    return 1;
}

/* The first error is the one that counts; what comes after may follow from it. The token becomes the end,
 * so that all loops of the parser stop. */
bool parse_fail(Parser *parser, const Token *at, const char *format, ...) {
    if (parser->failed) return false;
    va_list arguments;
    va_start(arguments, format);
    char *message = arena_vformat(parser->diagnostics->arena, format, arguments);
    va_end(arguments);
    Diagnostic *error =
        diag_add(parser->diagnostics, DIAG_ERROR, parser->name, at->line, column_of(at), "%s",
                 text_or(message, "the PTX cannot be read, and there is no memory to say why"));
    if (error) error->source_line = copy_line(parser, at);
    parser->failed = true;
    parser->token.kind = TOKEN_END;
    return false;
}

void parse_remedy(Parser *parser, const char *remedy) {
    if (parser->diagnostics->last) parser->diagnostics->last->remedy = remedy;
}

void parse_hold(Parser *parser, Held *held) {
    held->outer = parser->diagnostics;
    diag_init(&held->own, held->outer->arena);
    parser->diagnostics = &held->own;
}

const Diagnostic *parse_release(Parser *parser, Held *held) {
    Diagnostic *first = held->own.first;
    Diagnostics *outer = parser->diagnostics = held->outer;
    if (first) first->next = NULL; /* an error made when skipping adds nothing */
    if (!parser->failed) return first;
    outer->errors++;
    if (!first) return NULL;
    if (outer->last)
        outer->last->next = first;
    else
        outer->first = first;
    outer->last = first;
    return NULL;
}

bool parse_no_memory(Parser *parser) {
    parser->no_memory = true;
    return parse_fail(parser, &parser->token, "there is not enough memory for this module");
}

void parse_advance(Parser *parser) {
    if (parser->failed) return;
    lex_next(&parser->lexer, &parser->token);
    if (parser->token.kind == TOKEN_BAD) parse_fail(parser, &parser->token, "this is no PTX");
}

bool parse_at_sign(const Parser *parser, char sign) {
    return parser->token.kind == TOKEN_SIGN && parser->token.sign == sign;
}

bool parse_at_dot(const Parser *parser, const char *word) {
    return parser->token.kind == TOKEN_DOT && lex_is(&parser->token, word);
}

bool parse_at_word(const Parser *parser, const char *word) {
    return parser->token.kind == TOKEN_WORD && lex_is(&parser->token, word);
}

bool parse_take_sign(Parser *parser, char sign) {
    if (!parse_at_sign(parser, sign)) return false;
    parse_advance(parser);
    return true;
}

bool parse_take_dot(Parser *parser, const char *word) {
    if (!parse_at_dot(parser, word)) return false;
    parse_advance(parser);
    return true;
}

bool parse_need_sign(Parser *parser, char sign) {
    if (!parse_at_sign(parser, sign)) return parse_fail(parser, &parser->token, "expected '%c' here", sign);
    parse_advance(parser);
    return !parser->failed;
}

bool parse_need_number(Parser *parser, uint64_t most, uint64_t *value) {
    if (parser->token.kind != TOKEN_INTEGER)
        return parse_fail(parser, &parser->token, "expected a whole number here");
    *value = parser->token.bits;
    if (*value > most)
        return parse_fail(parser, &parser->token, "%llu is too large here", (unsigned long long)*value);
    parse_advance(parser);
    return !parser->failed;
}

bool parse_need_word(Parser *parser, Token *word) {
    if (parser->token.kind != TOKEN_WORD) return parse_fail(parser, &parser->token, "expected a name here");
    *word = parser->token;
    parse_advance(parser);
    return !parser->failed;
}

void parse_skip_past(Parser *parser, char sign) {
    while (parser->token.kind != TOKEN_END && !parse_at_sign(parser, sign))
        parse_advance(parser);
    if (parser->token.kind == TOKEN_END)
        parse_fail(parser, &parser->token, "the text ends where a '%c' is missing", sign);
    parse_advance(parser);
}

const char *parse_keep_name(Parser *parser, const Token *word) {
    const char *name = arena_copy(parser->arena, word->start, word->length);
    if (!name) parse_no_memory(parser);
    return name;
}
