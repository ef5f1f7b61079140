/* pointers.c - the pointers that a structure holds, by the names that the source has for them: a kernel that
 * is passed a structure of arrays, or a lambda, knows its arrays as p.x or x.
 *
 * The information is untrusted: what is too deep or too much has no name, which is no mistake.
 */
#include "ptx/dwarf.h"

#include <string.h>

enum { MOST_POINTERS = 32, DEEPEST_POINTER = 4, MOST_POINTER_STEPS = 1 << 10 };

typedef struct PointerSearch {
    Parser *parser;
    const Growable *entries;
    PtxPointer found[MOST_POINTERS];
    unsigned count, steps, depth;
} PointerSearch;

static void search_structure(PointerSearch *search, const DwarfEntry *structure, uint64_t at,
                             const char *name);

/* What a lambda has captured is known by its own name. */
static const char *name_of_member(Arena *arena, const char *outer, const DwarfEntry *structure,
                                  const DwarfEntry *member) {
    const bool lambda = !structure->name || !*structure->name;
    if (!member->name || !*member->name) return outer;
    if (lambda) return arena_string(arena, member->name);
    return arena_format(arena, "%s.%s", outer, member->name);
}

static void search_member(PointerSearch *search, const DwarfEntry *type, uint64_t at, const char *name) {
    if (!type || !name || at > UINT32_MAX) return;
    if (!dwarf_is_pointer(type)) {
        search_structure(search, type, at, name);
        return;
    }
    if (search->count == MOST_POINTERS) return;
    const DwarfEntry *element = dwarf_bare_type(search->entries, type->type);
    uint64_t bytes = 0;
    if (element) bytes = element->bytes;
    if (element && dwarf_is_pointer(element)) bytes = 8;
    search->found[search->count++] = (PtxPointer){
        .name = name, .at = (uint32_t)at, .element_bytes = bytes <= UINT32_MAX ? (unsigned)bytes : 0};
}

/* The members and bases of a structure; nothing of other types. */
static void search_structure(PointerSearch *search, const DwarfEntry *structure, uint64_t at,
                             const char *name) {
    if (structure->tag != DWARF_STRUCTURE && structure->tag != DWARF_CLASS) return;
    if (search->depth == DEEPEST_POINTER) return;
    search->depth++;
    const DwarfEntry *end = GROWABLE_AT(search->entries, DwarfEntry, search->entries->count);
    for (const DwarfEntry *child = structure + 1; child < end && child->depth > structure->depth; child++) {
        if (++search->steps > MOST_POINTER_STEPS) break;
        bool member = child->tag == DWARF_MEMBER || child->tag == DWARF_INHERITANCE;
        if (!member || child->depth != structure->depth + 1 || child->outside) continue;
        search_member(search, dwarf_bare_type(search->entries, child->type), at + child->member_at,
                      name_of_member(search->parser->arena, name, structure, child));
    }
    search->depth--;
}

void pointers_find(Parser *parser, const Growable *entries, uint32_t offset, PtxVariable *variable) {
    PointerSearch search = {.parser = parser, .entries = entries};
    const DwarfEntry *type = dwarf_bare_type(entries, offset);
    if (type) search_structure(&search, type, 0, variable->plain_name);
    PtxPointer *kept = NULL;
    if (search.count) kept = ARENA_ARRAY(parser->arena, search.count, PtxPointer);
    if (!kept) return;
    memcpy(kept, search.found, search.count * sizeof *kept);
    variable->pointers = kept;
    variable->pointer_count = search.count;
}
