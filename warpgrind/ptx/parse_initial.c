/* parse_initial.c - the initial values of variables (PTX ISA 5.4.4): bytes, and places that hold addresses.
 */
#include "ptx/internal.h"

#include <string.h>

#define MOST_INITIAL_BYTES (UINT64_C(1) << 28) /* of all initial values together */

typedef struct Initialiser {
    VariableNode *node;
    Growable bytes; /* as far as values are given */
    size_t most;
} Initialiser;

/* LIMIT: MOST_INITIAL_BYTES for a module; a text of a few bytes could ask for gigabytes otherwise. */
static uint8_t *more_bytes(Parser *parser, Initialiser *initialiser, unsigned count) {
    size_t start = initialiser->bytes.count;
    if (start + count > initialiser->most || parser->initial_total > MOST_INITIAL_BYTES) {
        parse_fail(parser, &parser->token, "there are more values here than fit into the variable");
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        if (growable_add(&initialiser->bytes)) continue;
        parse_no_memory(parser);
        return NULL;
    }
    return GROWABLE_AT(&initialiser->bytes, uint8_t, start);
}

static unsigned mask_byte(uint64_t mask) {
    for (unsigned i = 0; i < 8; i++)
        if (mask == UINT64_C(0xFF) << (8 * i)) return i;
    return 8;
}

/* A byte of an address, `0xFF00(symbol)`: bytes of the same address that follow each other become one
 * relocation. */
static bool add_masked(Parser *parser, Initialiser *initialiser, const Constant *value, PtxRelocation added) {
    unsigned byte = mask_byte(value->mask);
    Growable *relocations = &initialiser->node->relocations;
    if (byte == 8 || added.bytes != 1)
        return parse_fail(parser, &parser->token, "a mask must choose one byte, for a variable of bytes");
    if (byte > 0) {
        PtxRelocation *last = NULL;
        if (relocations->count) last = GROWABLE_AT(relocations, PtxRelocation, relocations->count - 1);
        if (!last || last->bytes != byte || last->offset + byte != added.offset ||
            last->variable != added.variable || last->function != added.function ||
            last->addend != added.addend)
            return parse_fail(parser, &parser->token, "the bytes of an address must stand in order");
        last->bytes++;
        return true;
    }
    PtxRelocation *relocation = growable_add(relocations);
    if (!relocation) return parse_no_memory(parser);
    *relocation = added;
    return true;
}

/* An address is not known before the module is loaded: its place is noted, and its bytes are zero until
 * then. */
static bool add_relocation(Parser *parser, Initialiser *initialiser, const Constant *value, unsigned bytes) {
    PtxRelocation added = {.offset = initialiser->bytes.count,
                           .bytes = bytes,
                           .addend = (int64_t)value->bits,
                           .generic = value->generic};
    if (value->variable) added.variable = &value->variable->variable;
    if (value->function) added.function = &value->function->function;
    if (!more_bytes(parser, initialiser, bytes)) return false;
    if (value->mask) return add_masked(parser, initialiser, value, added);
    if (bytes < 4) return parse_fail(parser, &parser->token, "an address does not fit into this type");
    PtxRelocation *relocation = growable_add(&initialiser->node->relocations);
    if (!relocation) return parse_no_memory(parser);
    *relocation = added;
    return true;
}

/* One number or address; the position is the next element of the variable. */
static bool parse_value(Parser *parser, Initialiser *initialiser) {
    Constant value;
    uint64_t bits;
    Token at = parser->token;
    PtxType type = initialiser->node->variable.type;
    unsigned bytes = ptx_type_bytes(type);
    if (!parse_constant(parser, &value)) return false;
    if (value.variable || value.function) return add_relocation(parser, initialiser, &value, bytes);
    if (!parse_convert(&value, type, &bits) || bytes > 8)
        return parse_fail(parser, &at, "this is no value of type .%s", ptx_type_name(type));
    uint8_t *place = more_bytes(parser, initialiser, bytes);
    if (place) memcpy(place, &bits, bytes);
    return place != NULL;
}

static size_t row_bytes(const Initialiser *initialiser, const Shape *shape, int depth) {
    size_t bytes = ptx_type_bytes(initialiser->node->variable.type);
    for (int i = depth; i < shape->dimensions; i++)
        bytes *= shape->sizes[i];
    return bytes;
}

/* Fills up to a whole row of `row` elements, as far as the values of an inner { } did not. */
static bool pad_row(Parser *parser, Initialiser *initialiser, size_t start, size_t row) {
    while (initialiser->bytes.count < start + row)
        if (!more_bytes(parser, initialiser, 1)) return false;
    return true;
}

/* values = value | "{" [values { "," values }] "}". An inner { } stands for a whole row. */
static bool parse_values(Parser *parser, Initialiser *initialiser, const Shape *shape, int depth) {
    if (!parse_take_sign(parser, '{')) return parse_value(parser, initialiser);
    size_t start = initialiser->bytes.count;
    if (depth > MOST_DIMENSIONS)
        return parse_fail(parser, &parser->token, "these braces are nested too deeply");
    while (!parse_at_sign(parser, '}')) {
        if (!parse_values(parser, initialiser, shape, depth + 1)) return false;
        if (!parse_take_sign(parser, ',')) break;
    }
    if (!parse_need_sign(parser, '}')) return false;
    return depth == 0 || pad_row(parser, initialiser, start, row_bytes(initialiser, shape, depth));
}

/* What is not given is zero (PTX ISA 5.4.4). An array without a length gets that of its values. */
static bool keep_initial(Parser *parser, Initialiser *initialiser, bool open) {
    PtxVariable *variable = &initialiser->node->variable;
    if (open) {
        variable->bytes = initialiser->bytes.count;
        variable->count = variable->bytes / ptx_type_bytes(variable->type);
    }
    uint8_t *initial = arena_alloc(parser->arena, variable->bytes);
    if (!initial) return parse_no_memory(parser);
    if (initialiser->bytes.count) memcpy(initial, initialiser->bytes.items, initialiser->bytes.count);
    variable->initial = initial;
    return true;
}

/* All the values of one variable, in braces as deep as it has dimensions. */
bool parse_initialiser(Parser *parser, VariableNode *node, const Shape *shape) {
    size_t most = MOST_INITIAL_BYTES;
    if (!shape->open) most = node->variable.bytes;
    Initialiser initialiser = {.node = node, .bytes = GROWABLE(uint8_t), .most = most};
    Token at = parser->token;
    if (node->variable.space != PTX_SPACE_GLOBAL && node->variable.space != PTX_SPACE_CONST)
        return parse_fail(parser, &at, "only .global and .const variables can have initial values");
    if (node->variable.initial) return parse_fail(parser, &at, "this variable has initial values already");
    if (!shape->open && most > MOST_INITIAL_BYTES - parser->initial_total)
        return parse_fail(parser, &at, "this module has too many bytes of initial values");
    parser->initial_total += shape->open ? 0 : most;
    bool fine =
        parse_values(parser, &initialiser, shape, 0) && keep_initial(parser, &initialiser, shape->open);
    growable_free(&initialiser.bytes);
    return fine;
}
