/* dwarf.h - the entries of a module's .debug_info, as a flat list (DWARF 2 to 4, 32-bit).
 *
 * Only what debug.c asks for is kept. The information is untrusted and not needed: reading stops quietly at
 * the first thing that is not understood, and the list holds what came before.
 */
#ifndef PTX_DWARF_H
#define PTX_DWARF_H

#include "ptx/internal.h"

typedef enum DwarfTag {
    DWARF_ARRAY = 0x01,
    DWARF_PARAMETER = 0x05,
    DWARF_POINTER = 0x0f,
    DWARF_REFERENCE = 0x10,
    DWARF_TYPEDEF = 0x16,
    DWARF_SUBRANGE = 0x21,
    DWARF_CONST = 0x26,
    DWARF_SUBPROGRAM = 0x2e,
    DWARF_VARIABLE = 0x34,
    DWARF_VOLATILE = 0x35
} DwarfTag;

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
    uint64_t count;                  /* a dimension of an array; 0 unknown */
} DwarfEntry;

/** DwarfEntry items in the order of their offsets. Strings point into the sections. False without memory. */
bool dwarf_read(const Growable *sections, Growable *entries);
/** The entry at that offset, or NULL. */
const DwarfEntry *dwarf_find(const Growable *entries, uint32_t offset);

#endif
