/* opcodes.c - instructions.def as a table, and the way from a mnemonic to its row. */
#include "ptx/internal.h"
#include "ptx/groups.h"

#include <string.h>

static const OpcodeRow rows[] = {
#define PTX_OPCODE(name, text, forms, effect, section, operands, types, modifiers, family, reach, traits,    \
                   test)                                                                                     \
    {{text, forms, effect, section, operands, PTX_FAMILY_##family, PTX_REACH_##reach, traits, test},         \
     types,                                                                                                  \
     modifiers},
#include "ptx/instructions.def"
#undef PTX_OPCODE
};

static const struct {
    PtxControl control;
    PtxData data;
} families[] = {
#define PTX_FAMILY(name, control, data) {PTX_CONTROL_##control, PTX_DATA_##data},
#include "ptx/families.def"
#undef PTX_FAMILY
};

_Static_assert(PTX_OPCODE_COUNT * 2 < OPCODE_SLOTS, "the hash table is too full");

const PtxOpcodeInfo *ptx_opcode_info(PtxOpcode opcode) {
    return &opcodes_row(opcode)->info;
}

const OpcodeRow *opcodes_row(PtxOpcode opcode) {
    if ((unsigned)opcode >= PTX_OPCODE_COUNT) BUG("opcode %d is not in the table", (int)opcode);
    return &rows[opcode];
}

PtxControl ptx_control(PtxOpcode opcode) {
    return families[opcodes_row(opcode)->info.family].control;
}

PtxData ptx_data(PtxOpcode opcode) {
    return families[opcodes_row(opcode)->info.family].data;
}

bool ptx_has_trait(PtxOpcode opcode, PtxTrait trait) {
    return opcodes_row(opcode)->info.traits & trait;
}

/** Whether what stands behind the instruction is reached from elsewhere only. A guard is the caller's matter.
 */
bool ptx_leads_away(const PtxInstruction *instruction) {
    switch (ptx_control(instruction->opcode)) {
    case PTX_CONTROL_BRANCH:
    case PTX_CONTROL_TABLE:
    case PTX_CONTROL_LEAVE:
    case PTX_CONTROL_HALT:
        return true;
    case PTX_CONTROL_CALL:
        return instruction->callee && instruction->callee->noreturn;
    case PTX_CONTROL_NEXT:
    case PTX_CONTROL_MEET:
        return false;
    }
    BUG("no such control");
}

void opcodes_index(TableIndex *index) {
    for (unsigned i = 0; i < PTX_OPCODE_COUNT; i++) {
        uint32_t slot = lex_hash(LEX_HASH_START, rows[i].info.name, strlen(rows[i].info.name));
        while (index->opcodes[slot % OPCODE_SLOTS])
            slot++;
        index->opcodes[slot % OPCODE_SLOTS] = (uint16_t)(i + 1);
    }
}

PtxOpcode opcodes_find(const TableIndex *index, uint32_t hash, const char *name, size_t length) {
    for (uint32_t slot = hash;; slot++) {
        unsigned found = index->opcodes[slot % OPCODE_SLOTS];
        if (!found) return PTX_OPCODE_COUNT;
        const char *candidate = rows[found - 1].info.name;
        if (strncmp(candidate, name, length) == 0 && !candidate[length]) return (PtxOpcode)(found - 1);
    }
}

bool opcodes_second_type(const OpcodeRow *row) {
    return row->modifiers & TYPE2;
}

bool opcodes_third_type(const OpcodeRow *row) {
    return row->modifiers & VIDEO;
}

bool opcodes_matrix(const OpcodeRow *row) {
    return row->modifiers & SHAPE;
}

bool opcodes_parts(const OpcodeRow *row) {
    return row->modifiers & PARTS;
}

/* mul and mad of integers must say which half they want; of floats they have none. */
static bool needs_half(const PtxInstruction *instruction) {
    return words_is_integer(instruction->type);
}

unsigned ptx_geometry_coordinates(PtxGeometry geometry) {
    static const uint8_t counts[] = {
        [PTX_GEOMETRY_1D] = 1,  [PTX_GEOMETRY_2D] = 2,   [PTX_GEOMETRY_3D] = 3,   [PTX_GEOMETRY_A1D] = 2,
        [PTX_GEOMETRY_A2D] = 3, [PTX_GEOMETRY_CUBE] = 3, [PTX_GEOMETRY_ACUBE] = 4};
    return counts[geometry];
}

bool ptx_geometry_layered(PtxGeometry geometry) {
    return geometry == PTX_GEOMETRY_A1D || geometry == PTX_GEOMETRY_A2D || geometry == PTX_GEOMETRY_ACUBE;
}

bool ptx_geometry_cube(PtxGeometry geometry) {
    return geometry == PTX_GEOMETRY_CUBE || geometry == PTX_GEOMETRY_ACUBE;
}

/* What a row's group of modifiers demands and the instruction lacks; NULL when it is complete. The words go
 * into the message. */
const char *opcodes_missing(const OpcodeRow *row, const PtxInstruction *instruction) {
    const PtxModifiers *m = &instruction->modifiers;
    uint64_t groups = row->modifiers;
    if (row->types && !instruction->type && !(groups & BARMODE)) return "a type";
    if ((groups & TYPE2) && !instruction->source_type) return "a second type";
    if ((groups & SHAPE) && !m->shape) return "a shape that is supported (.m16n8k16, ...)";
    if ((groups & NUMBER) && !m->number && instruction->opcode != PTX_OP_movmatrix) return ".x1, .x2 or .x4";
    if ((groups & LAYOUT) && !m->layout) return ".row or .col";
    if ((groups & LAYOUTS) && !m->layout2) return "two layouts (.row.col)";
    bool compares = groups & COMPARE;
    if ((groups & VIDEO) && !compares && !instruction->third_type) return "a third type";
    if ((groups & GEOMETRY) && !m->geometry)
        return "a geometry that is supported (.1d, .2d, .3d, .a1d, .a2d, .cube, .acube)";
    if ((groups & BOUNDARY) && !m->boundary) return ".trap, .clamp or .zero";
    if ((groups & COMPONENT) && !m->select) return "a component (.r, .g, .b or .a)";
    if ((groups & QUERY) && !m->select) return "a query (.width, ...)";
    if ((groups & COMPARE) && !m->compare) return "a comparison (.eq, .lt, ...)";
    if ((groups & ATOMIC) && !m->atomic) return "an operation (.add, .min, ...)";
    if ((groups & MULMODE) && !m->mode && instruction->opcode != PTX_OP_dp2a && needs_half(instruction))
        return ".lo, .hi or .wide";
    if ((groups & SHFLMODE) && !m->mode) return ".up, .down, .bfly or .idx";
    if ((groups & VOTEMODE) && !m->mode) return ".all, .any, .uni or .ballot";
    if ((groups & TESTP) && !m->mode) return "a property (.finite, ...)";
    if (instruction->opcode == PTX_OP_barrier_cluster && !m->mode) return ".arrive or .wait";
    if ((groups & BARMODE) && !m->mode) return ".sync, .arrive or .red";
    bool shifts = instruction->opcode == PTX_OP_vshl || instruction->opcode == PTX_OP_vshr;
    if (shifts && !m->mode2) return ".wrap or .clamp";
    if ((groups & SHFMODE) && instruction->opcode == PTX_OP_shf && (!m->mode || !m->mode2))
        return ".l or .r, and .wrap or .clamp";
    bool space_is_point = instruction->opcode == PTX_OP_cvta || instruction->opcode == PTX_OP_isspacep;
    if (space_is_point && !m->space) return "a state space";
    return NULL;
}
