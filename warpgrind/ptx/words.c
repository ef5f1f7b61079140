/* words.c - the words behind a mnemonic: modifiers (words.def), types, and the special registers' names. */
#include "ptx/internal.h"
#include "ptx/groups.h"

#include <string.h>

#define FIELD(field) offsetof(PtxModifiers, field), sizeof(((PtxModifiers *)0)->field)

static const WordRow rows[] = {
#define PTX_WORD(word, group, field, value) {word, group, FIELD(field), value},
#define PTX_HINT(word, group) {word, group, 0, 0, 0},
#include "ptx/words.def"
#undef PTX_WORD
#undef PTX_HINT
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };
_Static_assert(ROW_COUNT * 2 < WORD_SLOTS, "the hash table is too full");
_Static_assert(sizeof(PtxRounding) == 4 && sizeof(bool) == 1, "store_value knows these two sizes");

void words_index(TableIndex *index) {
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        uint32_t slot = lex_hash(LEX_HASH_START, rows[i].word, strlen(rows[i].word));
        while (index->words[slot % WORD_SLOTS])
            slot++;
        index->words[slot % WORD_SLOTS] = (uint16_t)(i + 1);
    }
}

/* Fields are enums of 4 bytes, or bool and uint8_t of 1. */
static bool is_set(const PtxModifiers *modifiers, const WordRow *row) {
    static const char zero[4];
    return memcmp((const char *)modifiers + row->offset, zero, row->bytes) != 0;
}

static void store_value(PtxModifiers *modifiers, const WordRow *row) {
    char *field = (char *)modifiers + row->offset;
    uint8_t narrow = (uint8_t)row->value;
    memcpy(field, row->bytes == 1 ? (const void *)&narrow : (const void *)&row->value, row->bytes);
}

WordResult words_apply(const TableIndex *index, const Token *word, uint64_t groups, PtxModifiers *modifiers) {
    WordResult result = WORD_UNKNOWN;
    for (uint32_t slot = word->hash; index->words[slot % WORD_SLOTS]; slot++) {
        const WordRow *row = &rows[index->words[slot % WORD_SLOTS] - 1];
        if (!lex_is(word, row->word)) continue;
        result = WORD_NOT_HERE;
        if (!(row->group & groups)) continue;
        if (is_set(modifiers, row)) {
            /* cp.async names two spaces, the destination's first; mma two layouts, that of a first. */
            if (row->group == SPACE && groups & CPASYNC && !modifiers->space2)
                modifiers->space2 = (PtxSpace)row->value;
            else if (row->group == LAYOUT && groups & LAYOUTS && !modifiers->layout2)
                modifiers->layout2 = (PtxMajor)row->value;
            else
                return WORD_TWICE;
            return WORD_SET;
        }
        store_value(modifiers, row);
        return WORD_SET;
    }
    return result;
}

/* ---- types ---- */

static const struct {
    const char *name;
    unsigned bytes;
} types[PTX_TYPE_COUNT] = {
    [PTX_NONE] = {"", 0},         [PTX_U8] = {"u8", 1},         [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},       [PTX_U64] = {"u64", 8},       [PTX_S8] = {"s8", 1},
    [PTX_S16] = {"s16", 2},       [PTX_S32] = {"s32", 4},       [PTX_S64] = {"s64", 8},
    [PTX_F16] = {"f16", 2},       [PTX_F16X2] = {"f16x2", 4},   [PTX_BF16] = {"bf16", 2},
    [PTX_BF16X2] = {"bf16x2", 4}, [PTX_F32] = {"f32", 4},       [PTX_F64] = {"f64", 8},
    [PTX_B8] = {"b8", 1},         [PTX_B16] = {"b16", 2},       [PTX_B32] = {"b32", 4},
    [PTX_B64] = {"b64", 8},       [PTX_B128] = {"b128", 16},    [PTX_PRED] = {"pred", 0},
    [PTX_U16X2] = {"u16x2", 4},   [PTX_S16X2] = {"s16x2", 4},   [PTX_F32X2] = {"f32x2", 8},
    [PTX_TF32] = {"tf32", 4},     [PTX_E4M3X2] = {"e4m3x2", 2}, [PTX_E5M2X2] = {"e5m2x2", 2},
    [PTX_E4M3] = {"e4m3", 1},     [PTX_E5M2] = {"e5m2", 1},     [PTX_U4] = {"u4", 1},
    [PTX_S4] = {"s4", 1},         [PTX_B1] = {"b1", 1},
};

unsigned ptx_type_bytes(PtxType type) {
    return types[type].bytes;
}

const char *ptx_type_name(PtxType type) {
    return types[type].name;
}

PtxType words_type(const Token *word) {
    if (!strchr("usfbpte", word->start[0])) return PTX_NONE;
    for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
        if (lex_is(word, types[i].name)) return (PtxType)i;
    return PTX_NONE;
}

bool words_is_element(PtxType type) {
    return TYPE_BIT(type) &
           (TYPE_BIT(PTX_E4M3) | TYPE_BIT(PTX_E5M2) | TYPE_BIT(PTX_U4) | TYPE_BIT(PTX_S4) | TYPE_BIT(PTX_B1));
}

bool words_is_integer(PtxType type) {
    return TYPE_BIT(type) & (INTS | BYTES);
}

bool words_is_signed(PtxType type) {
    return TYPE_BIT(type) & (SIGNED | S8);
}

bool words_is_float(PtxType type) {
    return TYPE_BIT(type) & (F32 | F64);
}

bool words_is_bits(PtxType type) {
    return TYPE_BIT(type) & (BITS | B128 | TYPE_BIT(PTX_B8));
}

/* ---- special registers (PTX ISA 10) ---- */

static const struct {
    const char *name;
    PtxType type;
} specials[PTX_SPECIAL_COUNT] = {
    [PTX_TID_X] = {"tid.x", PTX_U32},
    [PTX_TID_Y] = {"tid.y", PTX_U32},
    [PTX_TID_Z] = {"tid.z", PTX_U32},
    [PTX_NTID_X] = {"ntid.x", PTX_U32},
    [PTX_NTID_Y] = {"ntid.y", PTX_U32},
    [PTX_NTID_Z] = {"ntid.z", PTX_U32},
    [PTX_CTAID_X] = {"ctaid.x", PTX_U32},
    [PTX_CTAID_Y] = {"ctaid.y", PTX_U32},
    [PTX_CTAID_Z] = {"ctaid.z", PTX_U32},
    [PTX_NCTAID_X] = {"nctaid.x", PTX_U32},
    [PTX_NCTAID_Y] = {"nctaid.y", PTX_U32},
    [PTX_NCTAID_Z] = {"nctaid.z", PTX_U32},
    [PTX_LANEID] = {"laneid", PTX_U32},
    [PTX_WARPID] = {"warpid", PTX_U32},
    [PTX_NWARPID] = {"nwarpid", PTX_U32},
    [PTX_SMID] = {"smid", PTX_U32},
    [PTX_NSMID] = {"nsmid", PTX_U32},
    [PTX_GRIDID] = {"gridid", PTX_U64},
    [PTX_LANEMASK_EQ] = {"lanemask_eq", PTX_U32},
    [PTX_LANEMASK_LE] = {"lanemask_le", PTX_U32},
    [PTX_LANEMASK_LT] = {"lanemask_lt", PTX_U32},
    [PTX_LANEMASK_GE] = {"lanemask_ge", PTX_U32},
    [PTX_LANEMASK_GT] = {"lanemask_gt", PTX_U32},
    [PTX_CLOCK] = {"clock", PTX_U32},
    [PTX_CLOCK_HI] = {"clock_hi", PTX_U32},
    [PTX_CLOCK64] = {"clock64", PTX_U64},
    [PTX_GLOBALTIMER] = {"globaltimer", PTX_U64},
    [PTX_GLOBALTIMER_LO] = {"globaltimer_lo", PTX_U32},
    [PTX_GLOBALTIMER_HI] = {"globaltimer_hi", PTX_U32},
    [PTX_DYNAMIC_SMEM_SIZE] = {"dynamic_smem_size", PTX_U32},
    [PTX_TOTAL_SMEM_SIZE] = {"total_smem_size", PTX_U32},
    [PTX_ENVREG] = {"envreg", PTX_U32},
    [PTX_GRID_WORKSPACE_HIGH] = {"envreg1", PTX_U32},
    [PTX_GRID_WORKSPACE_LOW] = {"envreg2", PTX_U32},
    [PTX_WARPSZ] = {"WARP_SZ", PTX_U32},
};

/* Registers that are always another one or a constant here: each block is a cluster of its own, and nothing
 * is profiled. */
static const struct {
    const char *name;
    PtxSpecial special; /* PTX_SPECIAL_COUNT: the constant */
    unsigned value;
} stand_ins[] = {
    {"clusterid.x", PTX_CTAID_X, 0},
    {"clusterid.y", PTX_CTAID_Y, 0},
    {"clusterid.z", PTX_CTAID_Z, 0},
    {"nclusterid.x", PTX_NCTAID_X, 0},
    {"nclusterid.y", PTX_NCTAID_Y, 0},
    {"nclusterid.z", PTX_NCTAID_Z, 0},
    {"cluster_ctaid.x", PTX_SPECIAL_COUNT, 0},
    {"cluster_ctaid.y", PTX_SPECIAL_COUNT, 0},
    {"cluster_ctaid.z", PTX_SPECIAL_COUNT, 0},
    {"cluster_nctaid.x", PTX_SPECIAL_COUNT, 1},
    {"cluster_nctaid.y", PTX_SPECIAL_COUNT, 1},
    {"cluster_nctaid.z", PTX_SPECIAL_COUNT, 1},
    {"cluster_ctarank", PTX_SPECIAL_COUNT, 0},
    {"cluster_nctarank", PTX_SPECIAL_COUNT, 1},
    {"is_explicit_cluster", PTX_SPECIAL_COUNT, 0},
    {"aggr_smem_size", PTX_TOTAL_SMEM_SIZE, 0},
    /* NVIDIA's cooperative groups keep the barriers of tiles of several warps at the last of these. */
    {"reserved_smem_offset_begin", PTX_SPECIAL_COUNT, PTX_SYSTEM_SHARED},
    {"reserved_smem_offset_end", PTX_SPECIAL_COUNT, PTX_SYSTEM_SHARED + PTX_SYSTEM_SHARED_BYTES},
    {"reserved_smem_offset_cap", PTX_SPECIAL_COUNT, PTX_SYSTEM_SHARED_BYTES},
    {"reserved_smem_offset_0", PTX_SPECIAL_COUNT, PTX_SYSTEM_SHARED},
    {"reserved_smem_offset_1", PTX_SPECIAL_COUNT, PTX_SYSTEM_SHARED + PTX_SYSTEM_SHARED_BYTES / 2},
    {"current_graph_exec", PTX_SPECIAL_COUNT, 0},
    {"pm0", PTX_SPECIAL_COUNT, 0},
    {"pm1", PTX_SPECIAL_COUNT, 0},
    {"pm2", PTX_SPECIAL_COUNT, 0},
    {"pm3", PTX_SPECIAL_COUNT, 0},
    {"pm4", PTX_SPECIAL_COUNT, 0},
    {"pm5", PTX_SPECIAL_COUNT, 0},
    {"pm6", PTX_SPECIAL_COUNT, 0},
    {"pm7", PTX_SPECIAL_COUNT, 0},
    {"pm0_64", PTX_SPECIAL_COUNT, 0},
    {"pm1_64", PTX_SPECIAL_COUNT, 0},
    {"pm2_64", PTX_SPECIAL_COUNT, 0},
    {"pm3_64", PTX_SPECIAL_COUNT, 0},
    {"pm4_64", PTX_SPECIAL_COUNT, 0},
    {"pm5_64", PTX_SPECIAL_COUNT, 0},
    {"pm6_64", PTX_SPECIAL_COUNT, 0},
    {"pm7_64", PTX_SPECIAL_COUNT, 0},
};

bool words_stand_in(const char *name, size_t length, PtxOperand *operand) {
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        if (strlen(stand_ins[i].name) != length || memcmp(stand_ins[i].name, name, length) != 0) continue;
        if (stand_ins[i].special == PTX_SPECIAL_COUNT)
            *operand = (PtxOperand){.kind = PTX_OPERAND_IMMEDIATE, .bits = stand_ins[i].value};
        else
            *operand = (PtxOperand){.kind = PTX_OPERAND_SPECIAL, .index = (int32_t)stand_ins[i].special};
        return true;
    }
    return false;
}

/* %envreg1 and %envreg2 hold the address of a cooperative grid's workspace; the others are one to us, and
 * read as 0. */
static size_t without_number(const char *name, size_t length) {
    if (length < 7 || memcmp(name, "envreg", 6) != 0) return length;
    while (length > 6 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

static PtxSpecial find_special(const char *name, size_t length) {
    for (unsigned i = 0; i < PTX_SPECIAL_COUNT; i++)
        if (strlen(specials[i].name) == length && memcmp(specials[i].name, name, length) == 0)
            return (PtxSpecial)i;
    return PTX_SPECIAL_COUNT;
}

PtxSpecial words_special(const char *name, size_t length) {
    PtxSpecial special = find_special(name, length);
    if (special != PTX_SPECIAL_COUNT) return special;
    return find_special(name, without_number(name, length));
}

PtxType words_special_type(PtxSpecial special) {
    return specials[special].type;
}

const char *words_special_name(PtxSpecial special) {
    return specials[special].name;
}
