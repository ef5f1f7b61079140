/* symbols.h - the names an object file defines and needs.
 *
 * The object was compiled from a student's file, inline assembly included, so it is read as hostile bytes:
 * every offset is checked against the length before it is used. Source: the System V ABI, chapters 4 (object
 * files), as in <elf.h>.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A symbol that other files can see. */
typedef struct SymbolView {
    const char *name;
    bool defined; /**< here; otherwise needed from elsewhere */
    bool function;
    bool weak;
} SymbolView;

/** Where a section lies in the linked program. */
typedef struct SectionView {
    uint64_t address, bytes;
} SectionView;

typedef void SymbolVisitor(void *context, const SymbolView *symbol);

/** Visits every global or weak symbol of an ELF64 object; false when the bytes are no such object. */
bool symbols_visit(const void *bytes, size_t length, SymbolVisitor *visit, void *context);

/** Finds the first section of this name in an ELF64 file; false when there is none or the bytes are no such
 * file.
 */
bool symbols_find_section(const void *bytes, size_t length, const char *name, SectionView *section);
