/* fragment.c - the matrices of a warp: which shapes and types there are, and which lane holds which element
 * in which register (PTX ISA 9.7.14).
 *
 * A matrix of eight lines (rows of a, columns of b) is spread so that lane l holds of line l / 4 one register
 * of neighbouring elements, the (l % 4)th; larger ones are such tiles, one register each. Sums are held in
 * pairs. How wmma spreads its fragments is left open by the manual; here it is done as on an H200, which
 * multiplies m8n32k16 with the roles of a and b exchanged.
 */
#include "ptx/internal.h"

/* Types that a product has in common. */
typedef enum MatrixKind {
    KIND_F16 = 1,
    KIND_BF16 = 2,
    KIND_TF32 = 4,
    KIND_F64 = 8,
    KIND_BYTE = 16,
    KIND_NIBBLE = 32,
    KIND_BIT = 64,
    KIND_F8 = 128
} MatrixKind;

typedef struct ShapeRow {
    uint16_t m, n, k;
    unsigned mma, wmma; /* MatrixKinds */
} ShapeRow;

static const ShapeRow shapes[] = {
    [PTX_SHAPE_NONE] = {0, 0, 0, 0, 0},
    [PTX_SHAPE_M8N8] = {8, 8, 0, 0, 0},
    [PTX_SHAPE_M8N8K4] = {8, 8, 4, KIND_F16 | KIND_F64, KIND_F64},
    [PTX_SHAPE_M8N8K16] = {8, 8, 16, KIND_BYTE, 0},
    [PTX_SHAPE_M8N8K32] = {8, 8, 32, KIND_NIBBLE, KIND_NIBBLE},
    [PTX_SHAPE_M8N8K128] = {8, 8, 128, KIND_BIT, KIND_BIT},
    [PTX_SHAPE_M16N8K4] = {16, 8, 4, KIND_TF32 | KIND_F64, 0},
    [PTX_SHAPE_M16N8K8] = {16, 8, 8, KIND_F16 | KIND_BF16 | KIND_TF32 | KIND_F64, 0},
    [PTX_SHAPE_M16N8K16] = {16, 8, 16, KIND_F16 | KIND_BF16 | KIND_F64 | KIND_BYTE | KIND_F8, 0},
    [PTX_SHAPE_M16N8K32] = {16, 8, 32, KIND_BYTE | KIND_NIBBLE | KIND_F8, 0},
    [PTX_SHAPE_M16N8K64] = {16, 8, 64, KIND_NIBBLE, 0},
    [PTX_SHAPE_M16N8K128] = {16, 8, 128, KIND_BIT, 0},
    [PTX_SHAPE_M16N8K256] = {16, 8, 256, KIND_BIT, 0},
    [PTX_SHAPE_M16N16K16] = {16, 16, 16, 0, KIND_F16 | KIND_BF16 | KIND_BYTE},
    [PTX_SHAPE_M16N16K8] = {16, 16, 8, 0, KIND_TF32},
    [PTX_SHAPE_M32N8K16] = {32, 8, 16, 0, KIND_F16 | KIND_BF16 | KIND_BYTE},
    [PTX_SHAPE_M8N32K16] = {8, 32, 16, 0, KIND_F16 | KIND_BF16 | KIND_BYTE},
};

/** Types whose fragments are laid out alike share a kind; 0: no matrix has such elements. */
static const uint16_t kind_of[PTX_TYPE_COUNT] = {
    [PTX_F16] = KIND_F16, [PTX_BF16] = KIND_BF16, [PTX_TF32] = KIND_TF32, [PTX_F64] = KIND_F64,
    [PTX_U8] = KIND_BYTE, [PTX_S8] = KIND_BYTE,   [PTX_U4] = KIND_NIBBLE, [PTX_S4] = KIND_NIBBLE,
    [PTX_B1] = KIND_BIT,  [PTX_E4M3] = KIND_F8,   [PTX_E5M2] = KIND_F8};

/** The kinds whose products are summed up in that type. */
static const uint16_t kinds_summed_in[PTX_TYPE_COUNT] = {
    [PTX_F16] = KIND_F16 | KIND_F8,
    [PTX_F32] = KIND_F16 | KIND_BF16 | KIND_TF32 | KIND_F8,
    [PTX_F64] = KIND_F64,
    [PTX_S32] = KIND_BYTE | KIND_NIBBLE | KIND_BIT,
};

static bool multiplies(const PtxInstruction *instruction, const ShapeRow *shape, PtxMatrices *matrices) {
    bool wmma = instruction->opcode == PTX_OP_wmma_mma;
    bool halves = wmma && instruction->source_type && !instruction->third_type;
    matrices->d = instruction->type;
    if (halves) {
        matrices->a = PTX_F16;
        matrices->b = PTX_F16;
    } else {
        matrices->a = instruction->source_type;
        matrices->b = instruction->third_type;
    }
    if (halves)
        matrices->c = instruction->source_type;
    else
        matrices->c = instruction->fourth_type;
    unsigned kind = kind_of[matrices->a];
    if (!(kind & (wmma ? shape->wmma : shape->mma)) || kind_of[matrices->b] != kind) return false;
    /* Only bytes, nibbles and floats of 8 bits may be of two types. */
    if (matrices->a != matrices->b && !(kind & (KIND_BYTE | KIND_NIBBLE | KIND_F8))) return false;
    if (!(kind & kinds_summed_in[matrices->d]) || !(kind & kinds_summed_in[matrices->c])) return false;
    bool volta = kind == KIND_F16 && (instruction->modifiers.shape == PTX_SHAPE_M8N8K4 || wmma);
    bool usual =
        instruction->modifiers.layout == PTX_MAJOR_ROW && instruction->modifiers.layout2 == PTX_MAJOR_COL;
    bool any_layout = volta || (wmma && !(kind & (KIND_NIBBLE | KIND_BIT)));
    return usual || any_layout;
}

/** The one matrix of a load or store, among those of its shape. */
static bool moves(const PtxInstruction *instruction, const ShapeRow *shape, PtxMatrices *matrices) {
    PtxOpcode opcode = instruction->opcode;
    PtxType type = instruction->type;
    bool lines = opcode == PTX_OP_wmma_load_a && instruction->modifiers.layout == PTX_MAJOR_ROW;
    lines |= opcode == PTX_OP_wmma_load_b && instruction->modifiers.layout != PTX_MAJOR_ROW;
    if (opcode == PTX_OP_wmma_load_c || opcode == PTX_OP_wmma_store_d) {
        matrices->c = matrices->d = type;
        return kinds_summed_in[type] & shape->wmma;
    }
    if (opcode == PTX_OP_wmma_load_a)
        matrices->a = type;
    else
        matrices->b = type;
    /* What is smaller than a byte needs its lines in one piece. */
    return kind_of[type] & shape->wmma && (lines || !(kind_of[type] & (KIND_NIBBLE | KIND_BIT)));
}

bool ptx_matrices(const PtxInstruction *instruction, PtxMatrices *matrices) {
    const ShapeRow *shape = &shapes[instruction->modifiers.shape];
    PtxFamily family = ptx_opcode_info(instruction->opcode)->family;
    *matrices = (PtxMatrices){.m = shape->m, .n = shape->n, .k = shape->k};
    matrices->fragments = instruction->opcode != PTX_OP_mma;
    if (family == PTX_FAMILY_matrix_product) return multiplies(instruction, shape, matrices);
    return family == PTX_FAMILY_matrix_fragment && moves(instruction, shape, matrices);
}

bool ptx_is_matrix(PtxOpcode opcode) {
    return opcodes_matrix(opcodes_row(opcode));
}

static unsigned bits_of(PtxType type) {
    if (type == PTX_B1) return 1;
    if (type == PTX_U4 || type == PTX_S4) return 4;
    return 8 * ptx_type_bytes(type);
}

static PtxType type_of_role(const PtxMatrices *matrices, char role) {
    if (role == 'a') return matrices->a;
    if (role == 'b') return matrices->b;
    if (role == 'c') return matrices->c;
    return matrices->d;
}

PtxFragment ptx_fragment(const PtxMatrices *matrices, char role, PtxMajor layout) {
    enum { LANES = 32, MOST_HALVES = 16 };
    PtxType type = type_of_role(matrices, role);
    bool sums = role == 'c' || role == 'd';
    PtxFragment fragment = {.role = role,
                            .element = type,
                            .bits = bits_of(type),
                            .rows = matrices->m,
                            .columns = matrices->n,
                            .by_columns = layout == PTX_MAJOR_COL};
    if (role == 'a') fragment.columns = matrices->k;
    if (role == 'b') fragment.rows = matrices->k;
    if (type == PTX_F64 || type == PTX_F32)
        fragment.register_type = type;
    else
        fragment.register_type = PTX_B32;
    if (fragment.bits < 32)
        fragment.in_register = 32 / fragment.bits;
    else
        fragment.in_register = 1;
    bool f16 = sums ? matrices->a == PTX_F16 : type == PTX_F16;
    fragment.transposed = matrices->fragments && matrices->m == 8 && matrices->n == 32;
    fragment.quads = !matrices->fragments && f16 && matrices->k == 4;
    /* Four products at once have four times the elements. */
    unsigned all = fragment.rows * fragment.columns * (fragment.quads ? 4 : 1);
    fragment.distinct = fragment.elements = all / LANES;
    if (matrices->fragments && !sums && type == PTX_F16) fragment.elements = MOST_HALVES;
    fragment.registers = fragment.elements / fragment.in_register;
    return fragment;
}

/* Lanes 0 to 3 and 16 to 19 multiply matrices of their own, and so on: PTX ISA 9.7.14.5.1. */
static void place_in_quads(const PtxFragment *fragment, unsigned lane, unsigned element, unsigned *row,
                           unsigned *column) {
    unsigned upper = lane >= 16 ? 4 : 0, own = lane % 4;
    bool lines;
    if (fragment->role == 'a')
        lines = !fragment->by_columns;
    else
        lines = fragment->by_columns;
    unsigned line = element % 4 + upper, at = own;
    if (lines) line = own + upper, at = element;
    if (fragment->role == 'a') {
        *row = line, *column = at;
    } else if (fragment->role == 'b') {
        *row = at, *column = line;
    } else if (fragment->element == PTX_F16) {
        *row = own + upper, *column = element;
    } else {
        *row = (lane & 1) + (element & 2) + upper;
        *column = (element & 4) + (lane & 2) + (element & 1);
    }
}

/* Accumulators and results (PTX ISA 9.7.14.5, the figures of the fragments C and D): pairs of neighbouring
 * columns, rows by groups of four lanes, one tile of 8 columns after the other. */
static void place_of_sum(const PtxFragment *fragment, unsigned lane, unsigned element, unsigned *row,
                         unsigned *column) {
    unsigned tiles = fragment->columns / 8;
    bool one = fragment->rows == 8;
    if (fragment->transposed) {
        *row = lane % 4 * 2 + element % 2;
        *column = lane / 4 + element / 2 * 8;
        return;
    }
    unsigned block = one ? element / 2 : element / 4;
    *row = lane / 4 + (one ? 0 : element / 2 % 2 * 8 + block / tiles * 16);
    *column = lane % 4 * 2 + element % 2 + block % tiles * 8;
}

void ptx_fragment_place(const PtxFragment *fragment, unsigned lane, unsigned element, unsigned *row,
                        unsigned *column) {
    if (fragment->quads) {
        place_in_quads(fragment, lane, element, row, column);
        return;
    }
    if (fragment->role == 'c' || fragment->role == 'd') {
        place_of_sum(fragment, lane, element, row, column);
        return;
    }
    bool a = fragment->role == 'a';
    unsigned width = fragment->in_register, lines = a ? fragment->rows : fragment->columns;
    unsigned length = a ? fragment->columns : fragment->rows, tiles = length / (4 * width);
    unsigned number = element % fragment->distinct / width, block = number / tiles, tile = number % tiles;
    if ((a && lines > 8) ||
        (!a && fragment->transposed)) { /* two tiles of lines come before the next along them */
        block = number / (2 * tiles) * 2 + number % 2;
        tile = number % (2 * tiles) / 2;
    }
    unsigned line = block * 8 + lane / 4, at = (tile * 4 + lane % 4) * width + element % width;
    if (a) {
        *row = line;
        *column = at;
    } else {
        *row = at;
        *column = line;
    }
}
