/* expression.c - C expressions over a thread's variables.
 *
 * The parser evaluates as it goes, a function for each rule. Values that lie in memory stay places until a
 * number is asked for, so that `&`, `.`, `[]` and `->` work on what they name. Nothing is ever written:
 * assignments are refused by name.
 */
#include "device/debug/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WHOLE 9.2e18 /* a real that a whole number of 64 bits can hold */

enum { DEEPEST_EXPRESSION = 64, MOST_REPEATED = 1 << 20 };

typedef struct Reading {
    Scene *scene;
    const char *at;
    unsigned depth;
} Reading;

static Value read_ternary(Reading *reading);
static Value read_unary(Reading *reading);

static void skip_space(Reading *reading) {
    while (isspace((unsigned char)*reading->at))
        reading->at++;
}

/** Takes the sign when it stands there and is not the beginning of a longer one that `not_before` names. */
static bool take(Reading *reading, const char *sign, const char *not_before) {
    const size_t length = strlen(sign);
    skip_space(reading);
    if (strncmp(reading->at, sign, length) != 0) return false;
    if (reading->at[length] != '\0' && strchr(not_before, reading->at[length]) != NULL) return false;
    reading->at += length;
    return true;
}

static bool is_word(char letter) {
    return isalnum((unsigned char)letter) || letter == '_';
}

static const char *take_word(Reading *reading) {
    skip_space(reading);
    const char *start = reading->at;
    while (is_word(*reading->at))
        reading->at++;
    return arena_copy(reading->scene->arena, start, (size_t)(reading->at - start));
}

/* ---- numbers ---- */

static Value number(const PtxShown *type, int64_t value) {
    return (Value){.type = type, .number = value};
}

static Value real(const PtxShown *type, double value) {
    return (Value){.type = type, .real = value};
}

static double as_real(const Value *value) {
    if (value_is_real(value)) return value->real;
    bool sign = value->type->kind == PTX_SHOWN_SIGNED || value->type->kind == PTX_SHOWN_CHARACTER;
    if (sign) return (double)value->number;
    return (double)(uint64_t)value->number;
}

static bool is_true(const Value *value) {
    if (value_is_real(value)) return value->real != 0;
    return value->number != 0;
}

/** Cut to the type's size, as a conversion in C does. */
static Value convert(const Value *value, const PtxShown *type) {
    if (type->kind == PTX_SHOWN_FLOAT) {
        double from = as_real(value);
        return real(type, type->bytes == 4 ? (double)(float)from : from);
    }
    if (type->kind == PTX_SHOWN_BOOLEAN) return number(type, is_true(value));
    int64_t whole = value->number;
    if (value_is_real(value)) {
        bool fits = value->real > -MOST_WHOLE && value->real < MOST_WHOLE;
        whole = INT64_MIN;
        if (fits) whole = (int64_t)value->real;
    }
    const unsigned unused = 64 - 8 * (unsigned)type->bytes;
    bool sign = type->kind == PTX_SHOWN_SIGNED;
    const uint64_t high = (uint64_t)whole << unused;
    return number(type, sign ? (int64_t)high >> unused : (int64_t)(high >> unused));
}

/** Both sides in the type that C computes in. */
static const PtxShown *common_type(const Value *a, const Value *b) {
    if (value_is_real(a) || value_is_real(b)) {
        bool wide = (value_is_real(a) && a->type->bytes == 8) || (value_is_real(b) && b->type->bytes == 8);
        if (wide) return &value_double;
        return &value_float;
    }
    const Value *sides[] = {a, b};
    bool wide = false, wide_unsigned = false, narrow_unsigned = false;
    for (unsigned i = 0; i < 2; i++) {
        bool whole = sides[i]->type->kind == PTX_SHOWN_UNSIGNED || sides[i]->type->kind == PTX_SHOWN_POINTER;
        wide |= sides[i]->type->bytes == 8;
        wide_unsigned |= whole && sides[i]->type->bytes == 8;
        narrow_unsigned |= whole && sides[i]->type->bytes == 4;
    }
    if (wide) return wide_unsigned ? &value_size : &value_long;
    if (narrow_unsigned) return &value_unsigned;
    return &value_int;
}

static Value read_number(Reading *reading) {
    const char *start = reading->at;
    char *end;
    size_t length = strspn(start, "0123456789");
    bool point = start[length] == '.' || start[length] == 'e' || start[length] == 'E';
    if (point) {
        double value = strtod(start, &end);
        bool narrow = *end == 'f' || *end == 'F';
        reading->at = end + narrow;
        return real(narrow ? &value_float : &value_double, narrow ? (double)(float)value : value);
    }
    uint64_t value = strtoull(start, &end, 0);
    bool is_unsigned = false;
    for (; *end != '\0' && strchr("uUlL", *end) != NULL; end++)
        is_unsigned |= *end == 'u' || *end == 'U';
    reading->at = end;
    if (value <= INT32_MAX && !is_unsigned) return number(&value_int, (int64_t)value);
    return number(is_unsigned ? &value_size : &value_long, (int64_t)value);
}

/* ---- places ---- */

static Value placed(const PtxShown *type, uint64_t address) {
    return (Value){.type = type, .placed = true, .address = address};
}

/** What an array or a pointer leads to: the address of the first element, and its type. */
static bool decay(Reading *reading, const Value *value, uint64_t *address, const PtxShown **element) {
    Value loaded;
    if (value->type == NULL) return false;
    *element = value->type->of;
    if (value->type->kind == PTX_SHOWN_ARRAY && value->placed) {
        *address = value->address;
    } else if (value->type->kind != PTX_SHOWN_POINTER) {
        value_fail(reading->scene, "that is neither an array nor a pointer");
        return false;
    } else if (value_load(reading->scene, value, &loaded)) {
        *address = (uint64_t)loaded.number;
    } else {
        return false;
    }
    if (*element == NULL) value_fail(reading->scene, "it is not known what this points to");
    return *element != NULL;
}

static Value element(Reading *reading, const Value *base, const Value *index) {
    uint64_t address;
    const PtxShown *type;
    Value loaded;
    if (!decay(reading, base, &address, &type) || !value_load(reading->scene, index, &loaded))
        return (Value){0};
    if (value_is_real(&loaded)) return value_fail(reading->scene, "an index is a whole number");
    return placed(type, address + (uint64_t)loaded.number * type->bytes);
}

static const PtxShownMember *find_member(const PtxShown *type, const char *name, uint32_t *at,
                                         unsigned depth) {
    for (uint32_t i = 0; depth < 8 && type != NULL && i < type->member_count; i++) {
        const PtxShownMember *member = &type->members[i], *inner = member;
        *at = member->at;
        if (strcmp(member->name, name) == 0) return member;
        if (member->name[0] != '\0') continue;
        uint32_t within;
        inner = find_member(member->type, name, &within, depth + 1);
        *at = member->at + within;
        if (inner != NULL) return inner;
    }
    return NULL;
}

static Value member_of(Reading *reading, const Value *base, const char *name) {
    uint32_t at = 0;
    if (base->type == NULL) return *base;
    const PtxShownMember *member = find_member(base->type, name, &at, 0);
    if (base->type->kind != PTX_SHOWN_STRUCTURE || member == NULL)
        return value_fail(reading->scene, "there is no member %s", name);
    return value_member(base, member, at);
}

static Value dereference(Reading *reading, const Value *pointer) {
    const Value zero = number(&value_int, 0);
    return element(reading, pointer, &zero);
}

/* ---- primary = number | name { "::" name } | "sizeof" type or unary | "(" ternary ")" ---- */

static const PtxShown *take_cast(Reading *reading);

/** Of an expression only the type is needed. */
static Value read_size(Reading *reading) {
    skip_space(reading);
    const PtxShown *type = take_cast(reading);
    const bool was = reading->scene->dry;
    reading->scene->dry = true;
    if (type == NULL) type = read_unary(reading).type;
    reading->scene->dry = was;
    return type != NULL ? number(&value_size, (int64_t)type->bytes) : (Value){0};
}

static Value read_name(Reading *reading) {
    const char *name = take_word(reading);
    while (name != NULL && take(reading, "::", ""))
        name = arena_format(reading->scene->arena, "%s::%s", name, take_word(reading));
    if (name == NULL) return value_fail(reading->scene, "no memory");
    if (strcmp(name, "true") == 0) return number(&value_boolean, 1);
    if (strcmp(name, "false") == 0) return number(&value_boolean, 0);
    if (strcmp(name, "nullptr") == 0 || strcmp(name, "NULL") == 0) return number(&value_size, 0);
    if (strcmp(name, "sizeof") == 0) return read_size(reading);
    return value_find(reading->scene, name);
}

static Value read_primary(Reading *reading) {
    skip_space(reading);
    if (take(reading, "(", "")) {
        Value value = read_ternary(reading);
        if (!take(reading, ")", "")) return value_fail(reading->scene, "a ) is missing");
        return value;
    }
    if (isdigit((unsigned char)*reading->at)) return read_number(reading);
    if (is_word(*reading->at) || strncmp(reading->at, "::", 2) == 0) return read_name(reading);
    if (*reading->at == '\0') return value_fail(reading->scene, "the expression ends too early");
    return value_fail(reading->scene, "what is %.20s?", reading->at);
}

/* postfix = primary { "[" ternary "]" | "." name | "->" name } */
static Value read_postfix(Reading *reading) {
    Value value = read_primary(reading);
    while (reading->scene->error == NULL) {
        if (take(reading, "[", "")) {
            const Value index = read_ternary(reading);
            if (!take(reading, "]", "")) return value_fail(reading->scene, "a ] is missing");
            value = element(reading, &value, &index);
        } else if (take(reading, "->", "")) {
            value = dereference(reading, &value);
            value = member_of(reading, &value, take_word(reading));
        } else if (take(reading, ".", "")) {
            value = member_of(reading, &value, take_word(reading));
        } else {
            break;
        }
    }
    return value;
}

/* ---- casts ---- */

static const PtxShown *pointer_to(Reading *reading, const PtxShown *of) {
    PtxShown *pointer = ARENA_NEW(reading->scene->arena, PtxShown);
    if (pointer != NULL) *pointer = (PtxShown){.kind = PTX_SHOWN_POINTER, .name = "", .bytes = 8, .of = of};
    return pointer;
}

/** "(float)", "(unsigned char *)"; NULL, with nothing taken, when no type stands there. */
static const PtxShown *take_cast(Reading *reading) {
    static const PtxShown narrow[] = {{.kind = PTX_SHOWN_CHARACTER, .name = "char", .bytes = 1},
                                      {.kind = PTX_SHOWN_UNSIGNED, .name = "unsigned char", .bytes = 1},
                                      {.kind = PTX_SHOWN_SIGNED, .name = "short", .bytes = 2},
                                      {.kind = PTX_SHOWN_UNSIGNED, .name = "unsigned short", .bytes = 2}};
    const PtxShown *const types[] = {
        &narrow[1],  &narrow[3],  &narrow[0],  &narrow[2],   &value_unsigned, &value_int,    &value_unsigned,
        &value_long, &value_size, &value_size, &value_float, &value_double,   &value_boolean};
    static const char *const names[] = {
        "unsigned char", "unsigned short", "char",   "short", "unsigned int", "int", "unsigned",
        "long",          "unsigned long",  "size_t", "float", "double",       "bool"};
    const char *start = reading->at;
    const PtxShown *type = NULL;
    if (!take(reading, "(", "")) return NULL;
    take(reading, "const ", "");
    size_t longest = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(reading->at, names[i], length) != 0 || is_word(reading->at[length])) continue;
        if (length > longest) type = types[i];
        if (length > longest) longest = length;
    }
    reading->at += longest;
    while (type != NULL && take(reading, "*", ""))
        type = pointer_to(reading, type);
    if (type != NULL && take(reading, ")", "")) return type;
    reading->at = start;
    return NULL;
}

static Value cast(Reading *reading, const Value *value, const PtxShown *type) {
    uint64_t address;
    const PtxShown *of;
    Value loaded;
    if (value->type == NULL) return *value;
    if (type->kind == PTX_SHOWN_POINTER && value->type->kind == PTX_SHOWN_ARRAY)
        return decay(reading, value, &address, &of) ? number(type, (int64_t)address) : (Value){0};
    if (!value_load(reading->scene, value, &loaded)) return (Value){0};
    return convert(&loaded, type);
}

/* ---- unary = { cast | "-" | "+" | "!" | "~" | "*" | "&" } postfix ---- */

static Value negate(Reading *reading, char sign, const Value *value) {
    Value loaded;
    if (value->type == NULL || !value_load(reading->scene, value, &loaded)) return (Value){0};
    if (sign == '!') return number(&value_boolean, !is_true(&loaded));
    if (sign == '~' && value_is_real(&loaded)) return value_fail(reading->scene, "~ is for whole numbers");
    if (value_is_real(&loaded)) return real(loaded.type, sign == '-' ? -loaded.real : loaded.real);
    const Value zero = number(&value_int, 0);
    const PtxShown *type = common_type(&loaded, &zero);
    if (sign == '~') loaded.number = ~loaded.number;
    if (sign == '-') loaded.number = (int64_t)(0 - (uint64_t)loaded.number);
    loaded.type = type;
    return convert(&loaded, type);
}

static Value address_of(Reading *reading, const Value *value) {
    if (value->type == NULL) return *value;
    if (!value->placed || value->bits != 0)
        return value_fail(reading->scene, "only what lies in memory has an address");
    return number(pointer_to(reading, value->type), (int64_t)value->address);
}

static Value read_unary(Reading *reading) {
    static const char signs[] = "-+!~*&";
    if (++reading->depth > DEEPEST_EXPRESSION)
        return value_fail(reading->scene, "the expression is too deep");
    const PtxShown *type = take_cast(reading);
    Value value;
    skip_space(reading);
    const char sign = *reading->at;
    if (type != NULL) {
        value = read_unary(reading);
        value = cast(reading, &value, type);
    } else if (sign != '\0' && strchr(signs, sign) != NULL) {
        reading->at++;
        value = read_unary(reading);
        if (sign == '*')
            value = dereference(reading, &value);
        else
            value = sign == '&' ? address_of(reading, &value) : negate(reading, sign, &value);
    } else {
        value = read_postfix(reading);
    }
    reading->depth--;
    return value;
}

/* ---- binary operators, by precedence ---- */

typedef enum Operator {
    OPERATOR_MULTIPLY,
    OPERATOR_DIVIDE,
    OPERATOR_MODULO,
    OPERATOR_ADD,
    OPERATOR_SUBTRACT,
    OPERATOR_LEFT,
    OPERATOR_RIGHT,
    OPERATOR_LESS_EQUAL,
    OPERATOR_GREATER_EQUAL,
    OPERATOR_LESS,
    OPERATOR_GREATER,
    OPERATOR_EQUAL,
    OPERATOR_UNEQUAL,
    OPERATOR_AND,
    OPERATOR_XOR,
    OPERATOR_OR,
    OPERATOR_BOTH,
    OPERATOR_EITHER
} Operator;

static const struct {
    const char *sign, *not_before;
    unsigned level; /**< the higher, the tighter */
} operators[] = {[OPERATOR_MULTIPLY] = {"*", "=", 10},     [OPERATOR_DIVIDE] = {"/", "=", 10},
                 [OPERATOR_MODULO] = {"%", "=", 10},       [OPERATOR_ADD] = {"+", "=+", 9},
                 [OPERATOR_SUBTRACT] = {"-", "=->", 9},    [OPERATOR_LEFT] = {"<<", "=", 8},
                 [OPERATOR_RIGHT] = {">>", "=", 8},        [OPERATOR_LESS_EQUAL] = {"<=", "", 7},
                 [OPERATOR_GREATER_EQUAL] = {">=", "", 7}, [OPERATOR_LESS] = {"<", "<", 7},
                 [OPERATOR_GREATER] = {">", ">", 7},       [OPERATOR_EQUAL] = {"==", "", 6},
                 [OPERATOR_UNEQUAL] = {"!=", "", 6},       [OPERATOR_AND] = {"&", "&=", 5},
                 [OPERATOR_XOR] = {"^", "=", 4},           [OPERATOR_OR] = {"|", "|=", 3},
                 [OPERATOR_BOTH] = {"&&", "", 2},          [OPERATOR_EITHER] = {"||", "", 1}};
enum { OPERATOR_COUNT = sizeof operators / sizeof *operators, TIGHTEST = 10 };

static Value compute_real(Reading *reading, Operator which, double a, double b, const PtxShown *type) {
    double result = 0;
    switch (which) {
    case OPERATOR_MULTIPLY:
        result = a * b;
        break;
    case OPERATOR_DIVIDE:
        result = a / b;
        break;
    case OPERATOR_ADD:
        result = a + b;
        break;
    case OPERATOR_SUBTRACT:
        result = a - b;
        break;
    case OPERATOR_LESS_EQUAL:
        return number(&value_boolean, a <= b);
    case OPERATOR_GREATER_EQUAL:
        return number(&value_boolean, a >= b);
    case OPERATOR_LESS:
        return number(&value_boolean, a < b);
    case OPERATOR_GREATER:
        return number(&value_boolean, a > b);
    case OPERATOR_EQUAL:
        return number(&value_boolean, a == b);
    case OPERATOR_UNEQUAL:
        return number(&value_boolean, a != b);
    case OPERATOR_MODULO:
    case OPERATOR_LEFT:
    case OPERATOR_RIGHT:
    case OPERATOR_AND:
    case OPERATOR_XOR:
    case OPERATOR_OR:
    case OPERATOR_BOTH:
    case OPERATOR_EITHER:
        return value_fail(reading->scene, "%s is for whole numbers", operators[which].sign);
    }
    return real(type, type->bytes == 4 ? (double)(float)result : result);
}

static bool is_less(int64_t a, int64_t b, bool sign) {
    if (sign) return a < b;
    return (uint64_t)a < (uint64_t)b;
}

static Value divide(Reading *reading, Operator which, int64_t a, int64_t b, const PtxShown *type) {
    bool modulo = which == OPERATOR_MODULO;
    if (b == 0 && reading->scene->dry) return number(type, 0);
    if (b == 0) return value_fail(reading->scene, "a division by zero");
    if (type->kind != PTX_SHOWN_SIGNED)
        return number(type, (int64_t)(modulo ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b));
    if (b == -1) return number(type, modulo ? 0 : (int64_t)(0 - (uint64_t)a));
    return number(type, modulo ? a % b : a / b);
}

static Value compute_whole(Reading *reading, Operator which, int64_t a, int64_t b, const PtxShown *type) {
    const uint64_t left = (uint64_t)a, right = (uint64_t)b;
    const unsigned by = (unsigned)(right % (8 * type->bytes));
    bool sign = type->kind == PTX_SHOWN_SIGNED;
    uint64_t result = 0;
    switch (which) {
    case OPERATOR_MULTIPLY:
        result = left * right;
        break;
    case OPERATOR_DIVIDE:
    case OPERATOR_MODULO:
        return divide(reading, which, a, b, type);
    case OPERATOR_ADD:
        result = left + right;
        break;
    case OPERATOR_SUBTRACT:
        result = left - right;
        break;
    case OPERATOR_LEFT:
        result = left << by;
        break;
    case OPERATOR_RIGHT:
        result = sign ? (uint64_t)(a >> by) : left >> by;
        break;
    case OPERATOR_LESS_EQUAL:
        return number(&value_boolean, !is_less(b, a, sign));
    case OPERATOR_GREATER_EQUAL:
        return number(&value_boolean, !is_less(a, b, sign));
    case OPERATOR_LESS:
        return number(&value_boolean, is_less(a, b, sign));
    case OPERATOR_GREATER:
        return number(&value_boolean, is_less(b, a, sign));
    case OPERATOR_EQUAL:
        return number(&value_boolean, a == b);
    case OPERATOR_UNEQUAL:
        return number(&value_boolean, a != b);
    case OPERATOR_AND:
        result = left & right;
        break;
    case OPERATOR_XOR:
        result = left ^ right;
        break;
    case OPERATOR_OR:
        result = left | right;
        break;
    case OPERATOR_BOTH:
        return number(&value_boolean, a != 0 && b != 0);
    case OPERATOR_EITHER:
        return number(&value_boolean, a != 0 || b != 0);
    }
    const Value whole = number(type, (int64_t)result);
    return convert(&whole, type);
}

/** A pointer or an array, and a number of elements. */
static Value move_pointer(Reading *reading, Operator which, const Value *pointer, const Value *by) {
    uint64_t address;
    const PtxShown *of;
    Value count;
    if (!decay(reading, pointer, &address, &of) || !value_load(reading->scene, by, &count)) return (Value){0};
    uint64_t bytes = (uint64_t)count.number * of->bytes;
    if (which == OPERATOR_ADD)
        address = address + bytes;
    else
        address = address - bytes;
    return number(pointer_to(reading, of), (int64_t)address);
}

/** How many elements are between two pointers. */
static Value distance(Reading *reading, const Value *a, const Value *b) {
    uint64_t to, from;
    const PtxShown *of, *other;
    if (!decay(reading, a, &to, &of) || !decay(reading, b, &from, &other)) return (Value){0};
    if (of->bytes == 0 || of->bytes != other->bytes || of->kind != other->kind)
        return value_fail(reading->scene, "the two point to different types");
    return number(&value_long, (int64_t)(to - from) / (int64_t)of->bytes);
}

static bool leads_somewhere(const Value *value) {
    return value->type->kind == PTX_SHOWN_ARRAY || value->type->kind == PTX_SHOWN_POINTER;
}

static Value compute(Reading *reading, Operator which, const Value *a, const Value *b) {
    Value left, right;
    if (a->type == NULL || b->type == NULL) return (Value){0};
    bool moves = which == OPERATOR_ADD || which == OPERATOR_SUBTRACT;
    if (moves && leads_somewhere(a) && !leads_somewhere(b)) return move_pointer(reading, which, a, b);
    if (which == OPERATOR_ADD && leads_somewhere(b) && !leads_somewhere(a))
        return move_pointer(reading, which, b, a);
    if (which == OPERATOR_SUBTRACT && leads_somewhere(a) && leads_somewhere(b))
        return distance(reading, a, b);
    if (!value_load(reading->scene, a, &left) || !value_load(reading->scene, b, &right)) return (Value){0};
    if (which == OPERATOR_BOTH) return number(&value_boolean, is_true(&left) && is_true(&right));
    if (which == OPERATOR_EITHER) return number(&value_boolean, is_true(&left) || is_true(&right));
    const PtxShown *type = common_type(&left, &right);
    if (type->kind == PTX_SHOWN_FLOAT)
        return compute_real(reading, which, as_real(&left), as_real(&right), type);
    left = convert(&left, type);
    right = convert(&right, type);
    return compute_whole(reading, which, left.number, right.number, type);
}

static bool take_operator(Reading *reading, unsigned level, Operator *which) {
    for (unsigned i = 0; i < OPERATOR_COUNT; i++) {
        if (operators[i].level != level || !take(reading, operators[i].sign, operators[i].not_before))
            continue;
        *which = (Operator)i;
        return true;
    }
    return false;
}

/** Whether && or || is decided by its left side: the right one is not computed then. */
static bool is_decided(Reading *reading, Operator which, const Value *left) {
    Value loaded;
    if (which != OPERATOR_BOTH && which != OPERATOR_EITHER) return false;
    return value_load(reading->scene, left, &loaded) && is_true(&loaded) == (which == OPERATOR_EITHER);
}

static Value read_binary(Reading *reading, unsigned level) {
    Operator which;
    if (level > TIGHTEST) return read_unary(reading);
    Value value = read_binary(reading, level + 1);
    while (reading->scene->error == NULL && take_operator(reading, level, &which)) {
        const bool was = reading->scene->dry, decided = is_decided(reading, which, &value);
        reading->scene->dry |= decided;
        const Value right = read_binary(reading, level + 1);
        reading->scene->dry = was;
        if (decided)
            value = number(&value_boolean, which == OPERATOR_EITHER);
        else
            value = compute(reading, which, &value, &right);
    }
    return value;
}

/* ternary = binary ["?" ternary ":" ternary]; the one that is not chosen is not computed */
static Value read_ternary(Reading *reading) {
    Scene *scene = reading->scene;
    Value value = read_binary(reading, 1), loaded;
    if (scene->error != NULL || !take(reading, "?", "")) return value;
    if (++reading->depth > DEEPEST_EXPRESSION) return value_fail(scene, "the expression is too deep");
    if (!value_load(scene, &value, &loaded)) return (Value){0};
    const bool was = scene->dry, chosen = is_true(&loaded);
    scene->dry = was || !chosen;
    const Value yes = read_ternary(reading);
    scene->dry = was;
    if (!take(reading, ":", "")) return value_fail(scene, "a : is missing");
    scene->dry = was || chosen;
    const Value no = read_ternary(reading);
    scene->dry = was;
    reading->depth--;
    if (scene->error != NULL) return (Value){0};
    if (chosen) return yes;
    return no;
}

/* ---- the whole: ternary ["@" ternary], so many elements from a place on ---- */

static Value repeat(Reading *reading, const Value *first) {
    Value count = read_ternary(reading), loaded;
    PtxShown *array = ARENA_NEW(reading->scene->arena, PtxShown);
    if (reading->scene->error != NULL || array == NULL || !value_load(reading->scene, &count, &loaded))
        return (Value){0};
    if (!first->placed) return value_fail(reading->scene, "only what lies in memory can be followed by @");
    if (loaded.number < 1 || loaded.number > MOST_REPEATED)
        return value_fail(reading->scene, "from 1 to %d elements may follow @", MOST_REPEATED);
    *array = (PtxShown){.kind = PTX_SHOWN_ARRAY,
                        .name = "",
                        .bytes = (uint64_t)loaded.number * first->type->bytes,
                        .count = (uint64_t)loaded.number,
                        .of = first->type};
    return placed(array, first->address);
}

Value expression_value(Scene *scene, const char *text) {
    Reading reading = {.scene = scene, .at = text};
    if (scene->error != NULL) return (Value){0};
    Value value = read_ternary(&reading);
    if (scene->error == NULL && take(&reading, "@", "")) value = repeat(&reading, &value);
    skip_space(&reading);
    if (scene->error != NULL) return (Value){0};
    if (*reading.at == '=' || (*reading.at != '\0' && reading.at[1] == '='))
        return value_fail(scene, "values cannot be changed here: the run could not be repeated then");
    if (*reading.at != '\0') return value_fail(scene, "what is %.20s?", reading.at);
    if (value.type == NULL) return value_fail(scene, "its type is not known");
    return value;
}

bool expression_holds(Scene *scene, const char *text) {
    const Value value = expression_value(scene, text);
    Value loaded;
    return scene->error == NULL && value_load(scene, &value, &loaded) && is_true(&loaded);
}
