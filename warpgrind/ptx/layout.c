/* layout.c - which bytes of a structure are members and which are padding, from the module's types.
 *
 * Types are walked from the outermost in; each value found marks its bytes. The information is untrusted: a
 * structure that does not fit together, or takes too many steps, has an unknown layout, which is no mistake.
 */
#include "base/headers.h"
#include "ptx/dwarf.h"

#include <string.h>

enum { LARGEST_LAYOUT = 4096, DEEPEST_LAYOUT = 16, MOST_LAYOUT_STEPS = 1 << 14 };

typedef struct Marker {
    const Growable *entries;
    uint8_t *member;
    uint64_t bytes;
    unsigned steps, depth;
} Marker;

static bool mark_type(Marker *marker, uint64_t at, const DwarfEntry *type);

static bool mark_bytes(const Marker *marker, uint64_t at, uint64_t bytes) {
    if (bytes == 0 || at > marker->bytes || bytes > marker->bytes - at) return false;
    for (uint64_t i = 0; i < bytes; i++)
        marker->member[at + i] = 1;
    return true;
}

static bool mark_bits(const Marker *marker, uint64_t at, const DwarfEntry *member, const DwarfEntry *type) {
    uint64_t unit = 8 * member->bytes;
    if (!unit && type) unit = 8 * type->bytes;
    uint64_t taken = (uint64_t)member->bits + member->bits_above;
    if (taken > unit) return false;
    uint64_t low = unit - taken, high = low + member->bits - 1;
    return mark_bytes(marker, at + low / 8, high / 8 - low / 8 + 1);
}

static bool mark_member(Marker *marker, uint64_t at, const DwarfEntry *member) {
    if (member->outside) return true;
    const DwarfEntry *type = dwarf_bare_type(marker->entries, member->type);
    if (member->bits) return mark_bits(marker, at + member->member_at, member, type);
    return mark_type(marker, at + member->member_at, type);
}

/* One that is only declared has no size: what it contains is not known. */
static bool mark_structure(Marker *marker, uint64_t at, const DwarfEntry *structure) {
    if (!structure->bytes) return false;
    const DwarfEntry *end = GROWABLE_AT(marker->entries, DwarfEntry, marker->entries->count);
    for (const DwarfEntry *child = structure + 1; child < end && child->depth > structure->depth; child++) {
        if (++marker->steps > MOST_LAYOUT_STEPS) return false;
        if (child->depth != structure->depth + 1) continue;
        if (child->tag != DWARF_MEMBER && child->tag != DWARF_INHERITANCE) continue;
        if (!mark_member(marker, at, child)) return false;
    }
    return true;
}

static bool mark_array(Marker *marker, uint64_t at, const DwarfEntry *array) {
    const DwarfEntry *element = dwarf_bare_type(marker->entries, array->type);
    uint64_t count = dwarf_array_count(marker->entries, array);
    if (!element || element->tag == DWARF_ARRAY) return false;
    uint64_t bytes = 8;
    if (!dwarf_is_pointer(element)) bytes = element->bytes;
    for (uint64_t i = 0; i < count; i++)
        if (!mark_type(marker, at + i * bytes, element)) return false;
    return true;
}

static bool is_structure(const DwarfEntry *type) {
    return type->tag == DWARF_STRUCTURE || type->tag == DWARF_CLASS || type->tag == DWARF_UNION;
}

/* LIMIT: of depth and of steps, since debug information may be forged to contain itself; what is beyond has
 * no layout. */
static bool mark_type(Marker *marker, uint64_t at, const DwarfEntry *type) {
    if (!type || ++marker->steps > MOST_LAYOUT_STEPS || marker->depth == DEEPEST_LAYOUT) return false;
    bool fine;
    marker->depth++;
    if (is_structure(type))
        fine = mark_structure(marker, at, type);
    else if (type->tag == DWARF_ARRAY)
        fine = mark_array(marker, at, type);
    else
        fine = mark_bytes(marker, at, dwarf_is_pointer(type) ? 8 : type->bytes);
    marker->depth--;
    return fine;
}

const PtxLayout *layout_of(Parser *parser, const Growable *entries, const DwarfEntry *type) {
    if (!type || !is_structure(type)) return NULL;
    PtxLayout *layout = ARENA_NEW(parser->arena, PtxLayout);
    if (!layout) return NULL;
    if (type->bytes <= LARGEST_LAYOUT)
        layout->bytes = (uint32_t)type->bytes;
    else
        layout->bytes = 0;
    if (type->file >= 0 && (size_t)type->file < parser->files.count)
        layout->of_library = headers_of_library(*GROWABLE_AT(&parser->files, const char *, type->file));
    uint8_t *member = NULL;
    if (layout->bytes) member = arena_alloc(parser->arena, layout->bytes);
    Marker marker = {.entries = entries, .member = member, .bytes = layout->bytes};
    if (member) memset(member, 0, layout->bytes);
    if (member && mark_type(&marker, 0, type)) layout->member = member;
    return layout;
}
