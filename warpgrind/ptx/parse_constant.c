/* parse_constant.c - constant expressions and the addresses of symbols (PTX ISA 4.5, 5.4.4).
 *
 * Values are 64-bit integers or floats of one of two precisions. A symbol may only be added to.
 */
#include "ptx/internal.h"

#include <string.h>

enum { DEEPEST_EXPRESSION = 64 };

static bool parse_expression(Parser *parser, Constant *value, int lowest, int depth);

static bool is_plain_integer(const Constant *value) {
    return value->form == CONSTANT_INTEGER && !value->variable && !value->function;
}

/* symbol = name | "generic" "(" name ")" */
static bool parse_symbol(Parser *parser, Constant *value) {
    Token word = parser->token;
    parse_advance(parser);
    if (lex_is(&word, "WARP_SZ")) {
        value->bits = 32;
        return true;
    }
    if (lex_is(&word, "generic") && parse_take_sign(parser, '(')) {
        value->generic = true;
        if (!parse_need_word(parser, &word) || !parse_need_sign(parser, ')')) return false;
    }
    const Symbol *symbol = symbols_find(&parser->symbols, word.hash, word.start, word.length);
    if (symbol && symbol->kind == SYMBOL_VARIABLE) value->variable = symbol->variable;
    if (symbol && symbol->kind == SYMBOL_FUNCTION) value->function = symbol->function;
    if (value->variable || value->function) return true;
    if (parse_find_register(parser, &word) >= 0)
        return parse_fail(parser, &word, "only a constant can stand here, and %.*s is a register",
                          (int)word.length, word.start);
    return parse_fail(parser, &word, "%.*s is not declared as a variable or function", (int)word.length,
                      word.start);
}

/* cast = "(" ".s64" | ".u64" ")": values are 64 bits wide already, so it changes nothing. */
static bool take_cast(Parser *parser) {
    if (!parse_take_dot(parser, "s64") && !parse_take_dot(parser, "u64")) return false;
    parse_need_sign(parser, ')');
    return true;
}

/* number = INTEGER | FLOAT | mask "(" symbol [+ addend] ")" */
static bool parse_number(Parser *parser, Constant *value, int depth) {
    static const ConstantForm forms[] = {[TOKEN_INTEGER] = CONSTANT_INTEGER,
                                         [TOKEN_FLOAT32] = CONSTANT_FLOAT32,
                                         [TOKEN_FLOAT64] = CONSTANT_FLOAT64};
    value->form = forms[parser->token.kind];
    value->bits = parser->token.bits;
    parse_advance(parser);
    if (value->form != CONSTANT_INTEGER || !parse_at_sign(parser, '(')) return true;
    uint64_t mask = value->bits;
    parse_advance(parser);
    *value = (Constant){0};
    if (!parse_expression(parser, value, 0, depth + 1)) return false;
    value->mask = mask;
    return parse_need_sign(parser, ')');
}

static bool negate(Parser *parser, Constant *value, char sign, const Token *at) {
    if (value->form != CONSTANT_INTEGER && sign == '-') {
        value->bits ^= value->form == CONSTANT_FLOAT32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
        return true;
    }
    if (!is_plain_integer(value)) return parse_fail(parser, at, "'%c' needs a number", sign);
    if (sign == '-') value->bits = 0 - value->bits;
    if (sign == '~') value->bits = ~value->bits;
    if (sign == '!') value->bits = !value->bits;
    return true;
}

/* unary = ("-" | "+" | "!" | "~") unary | "(" expression ")" | cast unary | number | symbol */
static bool parse_unary(Parser *parser, Constant *value, int depth) {
    if (depth > DEEPEST_EXPRESSION)
        return parse_fail(parser, &parser->token, "this expression is nested too deeply");
    Token at = parser->token;
    switch (at.kind) {
    case TOKEN_INTEGER:
    case TOKEN_FLOAT32:
    case TOKEN_FLOAT64:
        return parse_number(parser, value, depth);
    case TOKEN_WORD:
        return parse_symbol(parser, value);
    case TOKEN_SIGN:
        break;
    case TOKEN_END:
    case TOKEN_DOT:
    case TOKEN_STRING:
    case TOKEN_BAD:
        return parse_fail(parser, &at, "expected a constant here");
    }
    if (!strchr("-+!~(", at.sign)) return parse_fail(parser, &at, "expected a constant here");
    parse_advance(parser);
    if (at.sign == '(') {
        if (take_cast(parser)) return parse_unary(parser, value, depth + 1);
        return parse_expression(parser, value, 0, depth + 1) && parse_need_sign(parser, ')');
    }
    return parse_unary(parser, value, depth + 1) && (at.sign == '+' || negate(parser, value, at.sign, &at));
}

/* ---- binary operators, from weak to strong ---- */

static const struct {
    char sign, second; /* second: "<<" and ">>" are two signs */
    int strength;
} operators[] = {{'|', 0, 1}, {'^', 0, 2}, {'&', 0, 3}, {'<', '<', 4}, {'>', '>', 4},
                 {'+', 0, 5}, {'-', 0, 5}, {'*', 0, 6}, {'/', 0, 6},   {'%', 0, 6}};

static int strength_here(const Parser *parser) {
    if (parser->token.kind != TOKEN_SIGN) return 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].sign != parser->token.sign) continue;
        bool complete = !operators[i].second ||
                        (parser->lexer.at < parser->lexer.end && *parser->lexer.at == operators[i].second);
        if (complete) return operators[i].strength;
        return 0;
    }
    return 0;
}

/* `symbol + number`, `number + symbol` and `symbol - number` keep the symbol. */
static bool add_constants(Constant *left, const Constant *right, bool subtract) {
    bool right_is_symbol = right->variable || right->function;
    if (left->form != CONSTANT_INTEGER || right->form != CONSTANT_INTEGER || left->mask || right->mask)
        return false;
    if (right_is_symbol && (subtract || !is_plain_integer(left))) return false;
    uint64_t sum;
    if (subtract)
        sum = left->bits - right->bits;
    else
        sum = left->bits + right->bits;
    if (right_is_symbol) *left = *right;
    left->bits = sum;
    return true;
}

/* Constant expressions are computed in 64 bits without a sign (PTX ISA 4.5); a shift by more than 63 gives
 * 0. Addresses can only be added to. */
static bool apply(Constant *left, const Constant *right, char sign) {
    if (sign == '+' || sign == '-') return add_constants(left, right, sign == '-');
    if (!is_plain_integer(left) || !is_plain_integer(right)) return false;
    uint64_t a = left->bits, b = right->bits;
    if ((sign == '/' || sign == '%') && b == 0) return false;
    switch (sign) {
    case '|':
        left->bits = a | b;
        break;
    case '^':
        left->bits = a ^ b;
        break;
    case '&':
        left->bits = a & b;
        break;
    case '<':
        if (b < 64)
            left->bits = a << b;
        else
            left->bits = 0;
        break;
    case '>':
        left->bits = b < 64 ? a >> b : 0;
        break;
    case '*':
        left->bits = a * b;
        break;
    case '/':
        left->bits = a / b;
        break;
    default:
        left->bits = a % b;
        break;
    }
    return true;
}

/* expression = unary { operator unary }, by precedence climbing */
static bool parse_expression(Parser *parser, Constant *value, int lowest, int depth) {
    if (!parse_unary(parser, value, depth)) return false;
    for (int strength; (strength = strength_here(parser)) > lowest;) {
        Token at = parser->token;
        Constant right = {0};
        parse_advance(parser);
        if (at.sign == '<' || at.sign == '>') parse_advance(parser);
        if (!parse_expression(parser, &right, strength, depth + 1)) return false;
        if (!apply(value, &right, at.sign))
            return parse_fail(parser, &at, "'%c' cannot be done with these", at.sign);
    }
    return !parser->failed;
}

bool parse_constant(Parser *parser, Constant *constant) {
    *constant = (Constant){0};
    return parse_expression(parser, constant, 0, 0);
}

/* ---- to a type ---- */

static uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A float of one width becomes one of the other; bits of the same size are taken as they are. */
static bool convert_float(const Constant *constant, PtxType type, uint64_t *bits) {
    bool single = constant->form == CONSTANT_FLOAT32;
    uint32_t low = (uint32_t)constant->bits;
    float narrow;
    double wide;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &constant->bits, sizeof wide);
    *bits = constant->bits;
    if (type == PTX_F32) {
        if (!single) *bits = float_bits((float)wide);
        return true;
    }
    if (type == PTX_F64) {
        if (single) *bits = double_bits((double)narrow);
        return true;
    }
    return words_is_bits(type) && ptx_type_bytes(type) == (single ? 4 : 8);
}

/* The bits of a constant as a value of the type, extended by its sign to 64 bits; false when it is no value
 * of that type. */
bool parse_convert(const Constant *constant, PtxType type, uint64_t *bits) {
    if (constant->variable || constant->function) return false;
    if (constant->form != CONSTANT_INTEGER) return convert_float(constant, type, bits);
    if (words_is_float(type)) return false;
    if (type == PTX_PRED) {
        *bits = constant->bits != 0;
        return true;
    }
    unsigned width = 8 * ptx_type_bytes(type);
    *bits = constant->bits;
    if (width == 0 || width >= 64) return width != 0;
    *bits &= (UINT64_C(1) << width) - 1;
    if (words_is_signed(type) && *bits >> (width - 1)) *bits |= ~UINT64_C(0) << width;
    return true;
}
