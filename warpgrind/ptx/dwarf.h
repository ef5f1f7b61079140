/* dwarf.h - the entries of a module's .debug_info, as a flat list (DWARF 2 to 4, 32-bit).
 *
 * Only what debug.c asks for is kept. The information is untrusted and not needed: reading stops quietly at
 * the first thing that is not understood, and the list holds what came before.
 */
#pragma once

#include "ptx/internal.h"

typedef enum DwarfTag {
    DWARF_ARRAY = 0x01,
    DWARF_CLASS = 0x02,
    DWARF_ENUMERATION = 0x04,
    DWARF_PARAMETER = 0x05,
    DWARF_BLOCK = 0x0b,
    DWARF_MEMBER = 0x0d,
    DWARF_POINTER = 0x0f,
    DWARF_REFERENCE = 0x10,
    DWARF_STRUCTURE = 0x13,
    DWARF_TYPEDEF = 0x16,
    DWARF_UNION = 0x17,
    DWARF_INHERITANCE = 0x1c,
    DWARF_INLINED = 0x1d,
    DWARF_SUBRANGE = 0x21,
    DWARF_BASE = 0x24,
    DWARF_CONST = 0x26,
    DWARF_SUBPROGRAM = 0x2e,
    DWARF_VARIABLE = 0x34,
    DWARF_VOLATILE = 0x35,
    DWARF_RVALUE_REFERENCE = 0x42
} DwarfTag;

typedef enum DwarfEncoding {
    DWARF_BOOLEAN = 0x02,
    DWARF_FLOAT = 0x04,
    DWARF_SIGNED = 0x05,
    DWARF_SIGNED_CHAR = 0x06,
    DWARF_UNSIGNED = 0x07,
    DWARF_UNSIGNED_CHAR = 0x08
} DwarfEncoding;

typedef struct DwarfEntry {
    uint32_t offset;                 /* in .debug_info */
    uint32_t tag;                    /* DwarfTag, or another one */
    uint32_t depth;                  /* the children of an entry follow it, one deeper */
    uint32_t type;                   /* offset of another entry; 0 none */
    uint32_t origin;                 /* offset of the entry that this one completes; 0 none */
    int file, line;                  /* where it is declared; 0 unknown */
    uint64_t bytes;                  /* size of a type */
    const char *name, *linkage_name; /* NULL unknown */
    const DebugSymbol *address;      /* a variable that lies at a symbol, */
    uint64_t address_offset;         /* plus this */
    const DebugSymbol *low, *high;   /* the labels where its code begins and ends; NULL unknown */
    Location call;                   /* an inlined function: where it was called */
    uint64_t count;                  /* a dimension of an array; 0 unknown */
    uint32_t member_at;              /* a member: bytes from the start of its structure */
    uint8_t bits, bits_above; /* a bit field: its width, and the bits above it in its unit of `bytes` */
    uint8_t encoding;         /* of a base type: DwarfEncoding */
    bool outside;             /* a static member: it lies elsewhere */
} DwarfEntry;

enum { DWARF_LONGEST_CHAIN = 16 }; /* of types that only name or qualify another one */

/** DwarfEntry items of a unit in the order of their offsets, with numbers of files as the module has them.
 * Strings point into the sections. False without memory. */
bool dwarf_read(const Unit *unit, Growable *entries);
/** The entry at that offset, or NULL. */
const DwarfEntry *dwarf_find(const Growable *entries, uint32_t offset);
/** What the entry says, or the one that it completes. */
DwarfEntry dwarf_complete(const Growable *entries, const DwarfEntry *entry);
/** The type without const, volatile and typedefs; NULL for void and what is not known. */
const DwarfEntry *dwarf_bare_type(const Growable *entries, uint32_t offset);
/** All dimensions of an array type multiplied; 0: too many. */
uint64_t dwarf_array_count(const Growable *entries, const DwarfEntry *array);
static inline bool dwarf_is_pointer(const DwarfEntry *type) {
    return type->tag == DWARF_POINTER || type->tag == DWARF_REFERENCE || type->tag == DWARF_RVALUE_REFERENCE;
}

/* ---- inlined.c ---- */

/** Adds the labels of the text to the names; once. False without memory. */
bool inlined_index_labels(const Unit *unit, Symbols *names);

/** Gives code of CUDA's headers that was inlined the place of the call in the program. Labels are added to
 * the names, unless they are there (Parser.typed). False without memory. */
bool inlined_apply(Parser *parser, const Unit *unit, Symbols *names, const Growable *entries);

/* ---- shown.c ---- */

typedef struct ShownTypes {
    Parser *parser;
    const Symbols *names;
    const Growable *entries;
    PtxShown **made; /* by the number of the entry */
    unsigned depth;
} ShownTypes;

/** Types are made once for each entry. False without memory. */
bool shown_begin(ShownTypes *types, Parser *parser, const Symbols *names, const Growable *entries);
/** The type at that offset; NULL: void or unknown. */
const PtxShown *shown_type(ShownTypes *types, uint32_t offset);
/** The instructions of the block that the entry stands in: 0 and 0 for the function's own. */
void shown_block(const ShownTypes *types, const DwarfEntry *entry, uint32_t *first, uint32_t *end);
/** Notes a variable of a function that has no place. */
void shown_lose(const ShownTypes *types, const DwarfEntry *entry);

/* ---- layout.c ---- */

/** The layout of a structure or class, NULL for another type or without memory. */
const PtxLayout *layout_of(Parser *parser, const Growable *entries, const DwarfEntry *type);

/* ---- pointers.c ---- */

/** Gives a parameter of that type, when it is a structure, the pointers in it. Without memory it has none. */
void pointers_find(Parser *parser, const Growable *entries, uint32_t offset, PtxVariable *variable);
