/* shown.c - types of the source for a debugger: what a value's bytes mean, which block a variable belongs to,
 * and which variables the optimiser has left no place.
 *
 * The information is untrusted: a type that contains itself, or is deeper than any real one, ends in a type
 * of which nothing is known.
 */
#include "ptx/dwarf.h"

#include <string.h>

enum { DEEPEST_TYPE = 32, MOST_MEMBERS = 4096, MOST_TYPES = 1 << 16 };

bool shown_begin(ShownTypes *types, Parser *parser, const Symbols *names, const Growable *entries) {
    *types = (ShownTypes){.parser = parser, .names = names, .entries = entries};
    types->made = ARENA_ARRAY(parser->scratch, entries->count + 1, PtxShown *);
    return types->made != NULL;
}

static size_t number_of(const ShownTypes *types, const DwarfEntry *entry) {
    return (size_t)(entry - GROWABLE_AT(types->entries, DwarfEntry, 0));
}

static const DwarfEntry *end_of(const ShownTypes *types) {
    return GROWABLE_AT(types->entries, DwarfEntry, types->entries->count);
}

/* ---- kinds ---- */

static PtxShownKind kind_of_base(unsigned encoding) {
    static const struct {
        DwarfEncoding encoding;
        PtxShownKind kind;
    } kinds[] = {{DWARF_BOOLEAN, PTX_SHOWN_BOOLEAN},   {DWARF_FLOAT, PTX_SHOWN_FLOAT},
                 {DWARF_SIGNED, PTX_SHOWN_SIGNED},     {DWARF_SIGNED_CHAR, PTX_SHOWN_CHARACTER},
                 {DWARF_UNSIGNED, PTX_SHOWN_UNSIGNED}, {DWARF_UNSIGNED_CHAR, PTX_SHOWN_CHARACTER}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].encoding == encoding) return kinds[i].kind;
    return PTX_SHOWN_OTHER;
}

/* Floats of 16 bits are structures to the compiler, and numbers to whoever reads them. */
static bool is_small_float(const PtxShown *type) {
    bool named = strcmp(type->name, "__half") == 0 || strcmp(type->name, "__nv_bfloat16") == 0;
    return named && type->kind == PTX_SHOWN_STRUCTURE && type->bytes == 2;
}

static PtxShownKind kind_of(const DwarfEntry *entry) {
    if (dwarf_is_pointer(entry)) return PTX_SHOWN_POINTER;
    if (entry->tag == DWARF_BASE) return kind_of_base(entry->encoding);
    if (entry->tag == DWARF_ARRAY) return PTX_SHOWN_ARRAY;
    if (entry->tag == DWARF_ENUMERATION) return PTX_SHOWN_SIGNED;
    bool structure = entry->tag == DWARF_STRUCTURE || entry->tag == DWARF_CLASS || entry->tag == DWARF_UNION;
    if (structure) return PTX_SHOWN_STRUCTURE;
    return PTX_SHOWN_OTHER;
}

/* ---- arrays and structures ---- */

/* One array type for each dimension, the innermost made first. */
static void fill_array(ShownTypes *types, PtxShown *type, const DwarfEntry *entry) {
    uint64_t counts[MOST_DIMENSIONS];
    unsigned dimensions = 0;
    for (const DwarfEntry *child = entry + 1; child < end_of(types) && child->depth > entry->depth; child++)
        if (child->tag == DWARF_SUBRANGE && dimensions < MOST_DIMENSIONS) counts[dimensions++] = child->count;
    const PtxShown *of = shown_type(types, entry->type);
    for (unsigned i = dimensions; i-- > 0;) {
        PtxShown *level = type;
        if (i) level = ARENA_NEW(types->parser->arena, PtxShown);
        if (!level) return;
        uint64_t bytes = 0;
        if (of && __builtin_mul_overflow(of->bytes, counts[i], &bytes)) bytes = 0;
        *level =
            (PtxShown){.kind = PTX_SHOWN_ARRAY, .name = "", .bytes = bytes, .count = counts[i], .of = of};
        of = level;
    }
}

static bool is_member(const DwarfEntry *structure, const DwarfEntry *child) {
    bool member = child->tag == DWARF_MEMBER || child->tag == DWARF_INHERITANCE;
    return member && child->depth == structure->depth + 1 && !child->outside;
}

/** A bit field that does not lie inside its unit is none: nobody reads bits that are not there. */
static PtxShownMember member_of(const DwarfEntry *child, const PtxShown *type, const char *name) {
    PtxShownMember member = {.name = text_or(name, ""), .type = type, .at = child->member_at};
    const uint64_t taken = (uint64_t)child->bits + child->bits_above;
    if (!type || taken > 8 * type->bytes) return member;
    member.bits = child->bits;
    member.bits_above = child->bits_above;
    return member;
}

static void fill_members(ShownTypes *types, PtxShown *type, const DwarfEntry *entry) {
    uint32_t count = 0;
    const DwarfEntry *child;
    for (child = entry + 1; child < end_of(types) && child->depth > entry->depth; child++)
        count += is_member(entry, child);
    if (!count || count > MOST_MEMBERS) return;
    PtxShownMember *members = ARENA_ARRAY(types->parser->arena, count, PtxShownMember);
    if (!members) return;
    type->members = members;
    for (child = entry + 1; child < end_of(types) && child->depth > entry->depth; child++) {
        if (!is_member(entry, child)) continue;
        const char *name = "";
        if (child->name) name = arena_string(types->parser->arena, child->name);
        members[type->member_count++] = member_of(child, shown_type(types, child->type), name);
    }
}

/** A type is in the table before what it consists of is looked at, so that a structure may hold pointers to
 * its like. */
const PtxShown *shown_type(ShownTypes *types, uint32_t offset) {
    const DwarfEntry *entry = dwarf_bare_type(types->entries, offset);
    if (!entry || types->depth == DEEPEST_TYPE) return NULL;
    const size_t number = number_of(types, entry);
    if (types->made[number]) return types->made[number];
    PtxShown *type = ARENA_NEW(types->parser->arena, PtxShown);
    if (!type) return NULL;
    types->made[number] = type;
    const char *name = "";
    if (entry->name) name = arena_string(types->parser->arena, entry->name);
    *type = (PtxShown){.kind = kind_of(entry), .name = text_or(name, ""), .bytes = entry->bytes};
    if (is_small_float(type)) type->kind = PTX_SHOWN_FLOAT;
    types->depth++;
    if (type->kind == PTX_SHOWN_POINTER) {
        type->bytes = 8;
        type->reference = entry->tag != DWARF_POINTER;
        type->of = shown_type(types, entry->type);
    } else if (type->kind == PTX_SHOWN_ARRAY) {
        fill_array(types, type, entry);
    } else if (type->kind == PTX_SHOWN_STRUCTURE) {
        fill_members(types, type, entry);
    }
    types->depth--;
    return type;
}

/* ---- blocks and functions ---- */

/* The entry that this one is a child of; NULL: none. */
static const DwarfEntry *parent_of(const ShownTypes *types, const DwarfEntry *entry) {
    for (size_t i = number_of(types, entry); i-- > 0;) {
        const DwarfEntry *before = GROWABLE_AT(types->entries, DwarfEntry, i);
        if (before->depth < entry->depth) return before;
    }
    return NULL;
}

void shown_block(const ShownTypes *types, const DwarfEntry *entry, uint32_t *first, uint32_t *end) {
    const DwarfEntry *block = parent_of(types, entry);
    if (!block || block->tag != DWARF_BLOCK) return;
    const Symbol *low = symbols_label(types->names, block->low),
                 *high = symbols_label(types->names, block->high);
    if (!low || !high || low->function != high->function || low->index >= high->index) return;
    *first = (uint32_t)low->index;
    *end = (uint32_t)high->index;
}

void shown_lose(const ShownTypes *types, const DwarfEntry *entry) {
    const DwarfEntry *function = entry;
    do
        function = parent_of(types, function);
    while (function && function->tag != DWARF_SUBPROGRAM);
    const Symbol *first = NULL;
    if (function) first = symbols_label(types->names, function->low);
    const char *name = dwarf_complete(types->entries, entry).name;
    if (!first || !name) return;
    name = arena_string(types->parser->arena, name);
    const char **slot = NULL;
    if (name) slot = growable_add(&first->function->lost);
    if (slot) *slot = name;
}
