/* elements.c - see elements.h. The file is the program's and not trusted: whatever does not fit together or
 * takes too many steps has no known layout.
 */
#include "device/image/elements.h"

#include <dwarf.h>
#include <string.h>

enum { LONGEST_CHAIN = 16, LARGEST_LAYOUT = 4096, DEEPEST_LAYOUT = 16, MOST_STEPS = 1 << 14 };

static const char STUB[] = "__device_stub_";

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != NULL;
}

static bool is_wrapper(int tag) {
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_typedef ||
           tag == DW_TAG_restrict_type;
}

/* The type without const, volatile, restrict and typedefs. */
static bool bare_type_of(Dwarf_Die *die, Dwarf_Die *type) {
    if (!type_of(die, type)) return false;
    for (int i = 0; i < LONGEST_CHAIN && is_wrapper(dwarf_tag(type)); i++) {
        Dwarf_Die inner;
        if (!type_of(type, &inner)) return false;
        *type = inner;
    }
    return true;
}

static bool is_structure(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* ---- which bytes are members ---- */

/** Which bytes of an element are members', while its types are walked through. */
typedef struct Marker {
    uint8_t *member;
    uint64_t bytes;
    unsigned steps, depth;
} Marker;

static bool mark_type(Marker *marker, uint64_t at, Dwarf_Die *type);

static bool mark_bytes(const Marker *marker, uint64_t at, uint64_t bytes) {
    if (bytes == 0 || at > marker->bytes || bytes > marker->bytes - at) return false;
    memset(marker->member + at, 1, bytes);
    return true;
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number) {
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &word) != 0) return false;
    *number = word;
    return true;
}

/* Static members lie elsewhere: they are only declared here. */
static bool mark_member(Marker *marker, uint64_t at, Dwarf_Die *member) {
    uint64_t bits, place = 0;
    Dwarf_Die type;
    if (dwarf_hasattr(member, DW_AT_declaration)) return true;
    if (number_of(member, DW_AT_bit_size, &bits) && bits > 0) {
        if (!number_of(member, DW_AT_data_bit_offset, &place)) return false;
        return mark_bytes(marker, at + place / 8, (place % 8 + bits + 7) / 8);
    }
    if (dwarf_hasattr(member, DW_AT_data_member_location) &&
        !number_of(member, DW_AT_data_member_location, &place))
        return false;
    return place <= marker->bytes && bare_type_of(member, &type) && mark_type(marker, at + place, &type);
}

static bool mark_structure(Marker *marker, uint64_t at, Dwarf_Die *structure) {
    Dwarf_Die child;
    int more = dwarf_child(structure, &child);
    for (; more == 0; more = dwarf_siblingof(&child, &child)) {
        if (++marker->steps > MOST_STEPS) return false;
        int tag = dwarf_tag(&child);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
        if (!mark_member(marker, at, &child)) return false;
    }
    return true;
}

static bool mark_array(Marker *marker, uint64_t at, Dwarf_Die *array) {
    Dwarf_Die element;
    Dwarf_Word all, one;
    if (!bare_type_of(array, &element) || dwarf_aggregate_size(array, &all) != 0) return false;
    if (dwarf_aggregate_size(&element, &one) != 0 || one == 0) return false;
    for (uint64_t i = 0; i < all / one; i++)
        if (!mark_type(marker, at + i * one, &element)) return false;
    return true;
}

/** Marks which bytes of an element hold members and which are padding, one type at a time. Types come from
 * the program's own debug information: steps and depth are bounded, and a layout past the bounds is unknown.
 * */
static bool mark_type(Marker *marker, uint64_t at, Dwarf_Die *type) {
    Dwarf_Word bytes;
    bool fine = false;
    if (++marker->steps > MOST_STEPS || marker->depth == DEEPEST_LAYOUT) return false;
    marker->depth++;
    if (is_structure(dwarf_tag(type)))
        fine = mark_structure(marker, at, type);
    else if (dwarf_tag(type) == DW_TAG_array_type)
        fine = mark_array(marker, at, type);
    else if (dwarf_aggregate_size(type, &bytes) == 0)
        fine = mark_bytes(marker, at, bytes);
    marker->depth--;
    return fine;
}

static const PtxLayout *layout_of(Arena *arena, Dwarf_Die *type, uint64_t bytes) {
    PtxLayout *layout = ARENA_NEW(arena, PtxLayout);
    uint8_t *member = NULL;
    if (layout != NULL && bytes <= LARGEST_LAYOUT) member = arena_alloc(arena, bytes);
    if (layout == NULL) return NULL;
    *layout = (PtxLayout){.bytes = (uint32_t)bytes};
    if (member == NULL) return layout;
    memset(member, 0, bytes);
    Marker marker = {.member = member, .bytes = bytes};
    if (mark_type(&marker, 0, type)) layout->member = member;
    return layout;
}

/* ---- the kernel's function on the host ---- */

static bool is_stub_of(Dwarf_Die *die, const char *kernel) {
    const char *name = dwarf_diename(die);
    if (name != NULL && text_starts_with(name, STUB)) {
        name += sizeof STUB - 1;
        return strcmp(name, kernel) == 0 || (*name == '_' && strcmp(name + 1, kernel) == 0);
    }
    Dwarf_Attribute attribute;
    const char *mangled = dwarf_formstring(dwarf_attr(die, DW_AT_linkage_name, &attribute));
    return mangled != NULL && strcmp(mangled, kernel) == 0;
}

static bool find_parameter(Dwarf_Die *function, unsigned number, Dwarf_Die *parameter) {
    int more = dwarf_child(function, parameter);
    for (; more == 0; more = dwarf_siblingof(parameter, parameter))
        if (dwarf_tag(parameter) == DW_TAG_formal_parameter && number-- == 0) return true;
    return false;
}

static bool find_stub(Dwarf_Die *unit, const char *kernel, unsigned number, Dwarf_Die *parameter) {
    Dwarf_Die die;
    int more = dwarf_child(unit, &die);
    for (; more == 0; more = dwarf_siblingof(&die, &die))
        if (dwarf_tag(&die) == DW_TAG_subprogram && is_stub_of(&die, kernel) &&
            find_parameter(&die, number, parameter))
            return true;
    return false;
}

/** The kernel's host stub has the same parameters as the kernel; it may be in any compilation unit of the
 * program. */
static bool find_in_units(Dwarf *dwarf, const char *kernel, unsigned number, Dwarf_Die *parameter) {
    Dwarf_Off offset = 0, next;
    size_t header_bytes;
    while (dwarf_nextcu(dwarf, offset, &next, &header_bytes, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, offset + header_bytes, &unit) != NULL &&
            find_stub(&unit, kernel, number, parameter))
            return true;
        offset = next;
    }
    return false;
}

static PtxNature nature_of(Dwarf_Die *type) {
    uint64_t encoding;
    if (dwarf_tag(type) != DW_TAG_base_type || !number_of(type, DW_AT_encoding, &encoding))
        return PTX_NATURE_UNKNOWN;
    if (encoding == DW_ATE_float) return PTX_NATURE_FLOAT;
    bool integer = encoding == DW_ATE_signed || encoding == DW_ATE_unsigned;
    if (integer) return PTX_NATURE_INTEGER;
    return PTX_NATURE_UNKNOWN;
}

bool elements_find(Dwarf *dwarf, Arena *arena, const char *kernel, unsigned parameter,
                   CheckElement *element) {
    Dwarf_Die found, pointer, type;
    Dwarf_Word bytes;
    if (!find_in_units(dwarf, kernel, parameter, &found) || !bare_type_of(&found, &pointer)) return false;
    if (dwarf_tag(&pointer) != DW_TAG_pointer_type || !bare_type_of(&pointer, &type)) return false;
    if (dwarf_aggregate_size(&type, &bytes) != 0 || bytes == 0 || bytes > UINT32_MAX) return false;
    *element = (CheckElement){.bytes = (unsigned)bytes, .nature = nature_of(&type)};
    if (is_structure(dwarf_tag(&type))) element->layout = layout_of(arena, &type, bytes);
    return true;
}
