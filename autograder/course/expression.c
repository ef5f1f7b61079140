/* expression.c - a parser that evaluates as it reads, one function for each rule of the grammar; see
 * expression.h. */
#include "autograder/course/expression.h"
#include "base/minmax.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64 };

/* A descent over the text; once `error` is set, everything returns at once. */
typedef struct Parser {
    const char *text;
    size_t at;
    ExpressionLookup *lookup;
    void *self;
    Arena *arena;
    ExpressionError *error;
    unsigned depth;
} Parser;

static int64_t parse_sum(Parser *parser);

static int64_t fail(Parser *parser, size_t at, const char *message) {
    if (parser->error->message == NULL)
        *parser->error = (ExpressionError){text_or(message, "out of memory"), at};
    return 1;
}

static bool has_failed(const Parser *parser) {
    return parser->error->message != NULL;
}

static char peek(Parser *parser) {
    while (parser->text[parser->at] == ' ')
        parser->at++;
    return parser->text[parser->at];
}

static bool accept(Parser *parser, char wanted) {
    if (peek(parser) != wanted) return false;
    parser->at++;
    return true;
}

static void expect(Parser *parser, char wanted) {
    if (accept(parser, wanted) || has_failed(parser)) return;
    char found = peek(parser);
    fail(parser, parser->at,
         found != '\0' ? arena_format(parser->arena, "`%c` stands here, `%c` is missing", found, wanted)
                       : arena_format(parser->arena, "it ends here, `%c` is missing", wanted));
}

static int64_t parse_number(Parser *parser) {
    size_t begin = parser->at;
    int64_t value = 0;
    for (; isdigit((unsigned char)parser->text[parser->at]); parser->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, parser->text[parser->at] - '0', &value))
            return fail(parser, begin, "the number is too large");
    return value;
}

static int64_t divide(Parser *parser, size_t at, int64_t a, int64_t b) {
    if (b == 0) return fail(parser, at, "this divides by 0");
    if (a < 0 || b < 0) return fail(parser, at, "a division of negative numbers");
    return a / b;
}

static int64_t round_up_log2(Parser *parser, size_t at, int64_t a) {
    if (a < 1) return fail(parser, at, "log2 needs a number from 1 on");
    int64_t log = 0;
    while (log < 62 && INT64_C(1) << log < a)
        log++;
    return log;
}

/* The functions of the grammar in expression.h. ceil(a, b) is a / b rounded up. */
static int64_t call(Parser *parser, size_t at, const char *name, size_t length, const int64_t *a,
                    unsigned count) {
    static const struct {
        const char *name;
        unsigned count;
    } functions[] = {{"min", 2}, {"max", 2}, {"ceil", 2}, {"log2", 1}};
    enum { FUNCTIONS = sizeof functions / sizeof *functions };
    size_t which = 0;
    while (which < FUNCTIONS &&
           (strlen(functions[which].name) != length || strncmp(functions[which].name, name, length) != 0))
        which++;
    if (which == FUNCTIONS)
        return fail(parser, at,
                    arena_format(parser->arena, "no function `%.*s`: there are min, max, ceil and log2",
                                 (int)length, name));
    if (functions[which].count != count)
        return fail(parser, at,
                    arena_format(parser->arena, "`%s` takes %u, not %u", functions[which].name,
                                 functions[which].count, count));
    if (which == 0) return MIN(a[0], a[1]);
    if (which == 1) return MAX(a[0], a[1]);
    if (which == 3) return round_up_log2(parser, at, a[0]);
    int64_t floor = divide(parser, at, a[0], a[1]);
    if (has_failed(parser)) return 1;
    return floor + (a[0] % a[1] != 0);
}

/* value = name | name "(" sum { "," sum } ")" */
static int64_t parse_name(Parser *parser) {
    enum { MOST = 4 };
    size_t begin = parser->at;
    const char *name = parser->text + begin;
    while (isalnum((unsigned char)parser->text[parser->at]) || parser->text[parser->at] == '_')
        parser->at++;
    size_t length = parser->at - begin;
    if (accept(parser, '(')) {
        int64_t arguments[MOST] = {0};
        unsigned count = 0;
        do {
            int64_t value = parse_sum(parser);
            if (count < MOST) arguments[count] = value;
            count++;
        } while (!has_failed(parser) && accept(parser, ','));
        expect(parser, ')');
        if (has_failed(parser)) return 1;
        return call(parser, begin, name, length, arguments, count);
    }
    int64_t value = 1;
    if (parser->lookup != NULL && !parser->lookup(parser->self, name, length, &value))
        return fail(parser, begin,
                    arena_format(parser->arena, "the case has no parameter `%.*s`", (int)length, name));
    return value;
}

/* value = number | name | name "(" sum {"," sum} ")" | "(" sum ")" */
static int64_t parse_value(Parser *parser) {
    char next = peek(parser);
    if (isdigit((unsigned char)next)) return parse_number(parser);
    if (isalpha((unsigned char)next) || next == '_') return parse_name(parser);
    if (accept(parser, '(')) {
        int64_t value = parse_sum(parser);
        expect(parser, ')');
        return value;
    }
    if (next == '\0') return fail(parser, parser->at, "it ends where a number or name is missing");
    return fail(parser, parser->at,
                arena_format(parser->arena, "`%c` stands where a number or name is missing", next));
}

static int64_t parse_unary(Parser *parser) {
    if (++parser->depth > DEEPEST) return fail(parser, parser->at, "too many parentheses");
    int64_t value;
    if (accept(parser, '-'))
        value = -parse_value(parser);
    else
        value = parse_value(parser);
    parser->depth--;
    return value;
}

/* product = unary {("*" | "/") unary}. After a fault 1 is returned, which no later division can trip over. */
static int64_t parse_product(Parser *parser) {
    int64_t value = parse_unary(parser);
    while (!has_failed(parser)) {
        peek(parser);
        size_t at = parser->at;
        if (accept(parser, '*')) {
            if (__builtin_mul_overflow(value, parse_unary(parser), &value))
                return fail(parser, at, "the product is too large");
        } else if (accept(parser, '/')) {
            int64_t divisor = parse_unary(parser);
            if (!has_failed(parser)) value = divide(parser, at, value, divisor);
        } else {
            return value;
        }
    }
    return 1;
}

/* sum = product {("+" | "-") product} */
static int64_t parse_sum(Parser *parser) {
    int64_t value = parse_product(parser);
    while (!has_failed(parser)) {
        peek(parser);
        size_t at = parser->at;
        bool too_large = false;
        if (accept(parser, '+'))
            too_large = __builtin_add_overflow(value, parse_product(parser), &value);
        else if (accept(parser, '-'))
            too_large = __builtin_sub_overflow(value, parse_product(parser), &value);
        else
            return value;
        if (too_large) return fail(parser, at, "the sum is too large");
    }
    return 1;
}

bool expression_evaluate(const char *text, ExpressionLookup *lookup, void *self, Arena *arena, int64_t *value,
                         ExpressionError *error) {
    *error = (ExpressionError){0};
    Parser parser = {.text = text, .lookup = lookup, .self = self, .arena = arena, .error = error};
    *value = parse_sum(&parser);
    if (!has_failed(&parser) && peek(&parser) != '\0')
        fail(&parser, parser.at, arena_format(arena, "`%c` does not belong here", peek(&parser)));
    return !has_failed(&parser);
}
