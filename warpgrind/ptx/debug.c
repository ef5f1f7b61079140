/* debug.c - variables and functions as the learner wrote them: names, lines, and how large an array's
 * elements are.
 *
 * From the DWARF in the module's sections where there is any (clang -g, nvcc -G), otherwise from the mangled
 * names. Whatever is missing or does not fit together is left out: nothing here can make a load fail except
 * lack of memory.
 */
#include "ptx/dwarf.h"

#include <string.h>

/* ---- types ---- */

static unsigned type_bytes(const DwarfEntry *type) {
    if (!type) return 0;
    if (dwarf_is_pointer(type)) return 8;
    if (type->bytes <= UINT32_MAX) return (unsigned)type->bytes;
    return 0;
}

static bool is_pointer(const Growable *entries, uint32_t offset) {
    const DwarfEntry *type = dwarf_bare_type(entries, offset);
    return type && dwarf_is_pointer(type);
}

static bool is_structure(const Growable *entries, uint32_t offset) {
    const DwarfEntry *type = dwarf_bare_type(entries, offset);
    return type && (type->tag == DWARF_STRUCTURE || type->tag == DWARF_CLASS || type->tag == DWARF_UNION);
}

/* What a pointer points to, an array's element, or the thing itself. */
static const DwarfEntry *element_type(const Growable *entries, uint32_t offset) {
    const DwarfEntry *type = dwarf_bare_type(entries, offset);
    if (type && dwarf_is_pointer(type)) type = dwarf_bare_type(entries, type->type);
    for (int i = 0; i < DWARF_LONGEST_CHAIN && type && type->tag == DWARF_ARRAY; i++)
        type = dwarf_bare_type(entries, type->type);
    return type;
}

static unsigned element_bytes(const Growable *entries, uint32_t offset) {
    return type_bytes(element_type(entries, offset));
}

static void apply_element(Parser *parser, const Growable *entries, uint32_t offset, PtxVariable *variable) {
    const DwarfEntry *element = element_type(entries, offset);
    variable->element_bytes = type_bytes(element);
    variable->layout = layout_of(parser, entries, element);
    if (!element || element->tag != DWARF_BASE) return;
    if (element->encoding == DWARF_FLOAT) variable->nature = PTX_NATURE_FLOAT;
    if (element->encoding == DWARF_SIGNED || element->encoding == DWARF_UNSIGNED)
        variable->nature = PTX_NATURE_INTEGER;
}

/* ---- variables ---- */

/* Function-level variables too: their names are unique in the unit, frames' (__local_depot0) among them. */
static bool index_variables(Symbols *names, const Growable *nodes, const Unit *unit, FunctionNode *function) {
    for (size_t i = 0; i < nodes->count; i++) {
        VariableNode *node = *GROWABLE_AT(nodes, VariableNode *, i);
        if (node->unit != unit || node->variable.space == PTX_SPACE_PARAM) continue;
        Symbol *symbol =
            symbols_add(names, SYMBOL_VARIABLE, node->variable.name, (uint32_t)strlen(node->variable.name));
        if (!symbol) return false;
        symbol->variable = node;
        symbol->function = function;
    }
    return true;
}

static bool index_functions(Parser *parser, const Unit *unit, Symbols *names) {
    for (size_t i = 0; i < parser->functions.count; i++) {
        FunctionNode *node = *GROWABLE_AT(&parser->functions, FunctionNode *, i);
        if (node->unit != unit) continue;
        const char *name = node->function.name;
        Symbol *symbol = symbols_add(names, SYMBOL_FUNCTION, name, (uint32_t)strlen(name));
        if (!symbol || !index_variables(names, &node->variables, unit, node)) return false;
        symbol->function = node;
    }
    return true;
}

static Symbol *find_name(const Symbols *names, const char *name, size_t length) {
    return symbols_find(names, lex_hash(LEX_HASH_START, name, length), name, length);
}

/* nvcc's entries have mangled names. */
static const char *keep(Parser *parser, const char *name, const char *fallback) {
    const char *kept = NULL;
    if (name && *name) kept = arena_string(parser->arena, name);
    if (kept) kept = demangle_name(parser, kept);
    if (kept) return kept;
    return fallback;
}

static int known_file(const Parser *parser, const DwarfEntry *entry) {
    if (entry->line && (size_t)entry->file < parser->files.count) return entry->file;
    return -1;
}

static uint32_t variable_bytes(const Growable *entries, uint32_t offset) {
    const DwarfEntry *type = dwarf_bare_type(entries, offset);
    if (!type || type->tag != DWARF_ARRAY) return type_bytes(type);
    uint64_t bytes;
    if (__builtin_mul_overflow(dwarf_array_count(entries, type), element_bytes(entries, offset), &bytes))
        return 0;
    if (bytes <= UINT32_MAX) return (uint32_t)bytes;
    return 0;
}

/* Without memory the variable stays unnamed, which harms nothing. */
static void add_local(Parser *parser, ShownTypes *types, const Symbol *frame, const Growable *entries,
                      const DwarfEntry *entry) {
    const DwarfEntry completed = dwarf_complete(entries, entry), *whole = &completed;
    uint64_t offset = frame->variable->variable.offset + whole->address_offset;
    if (!whole->name || !frame->function || offset > UINT32_MAX) return;
    const char *name = arena_string(parser->arena, whole->name);
    PtxLocal *local = NULL;
    if (name) local = growable_add(&frame->function->locals);
    if (!local) return;
    const DwarfEntry *type = dwarf_bare_type(entries, whole->type);
    bool array = type && type->tag == DWARF_ARRAY;
    *local = (PtxLocal){.name = name,
                        .offset = (uint32_t)offset,
                        .bytes = variable_bytes(entries, whole->type),
                        .element_bytes = array ? element_bytes(entries, whole->type) : type_bytes(type),
                        .line = whole->line,
                        .file = known_file(parser, whole)};
    if (!types) return;
    local->shown = shown_type(types, whole->type);
    shown_block(types, entry, &local->first, &local->end);
}

/* An entry of a variable gives it its name in the source, its line, and its elements' type. Local arrays
 * are found by their offset in the frame instead of a symbol. */
static void apply_variable(Parser *parser, ShownTypes *types, const Symbols *names, const Growable *entries,
                           const DwarfEntry *entry) {
    if (!entry->address) {
        if (types) shown_lose(types, entry);
        return;
    }
    Symbol *symbol = find_name(names, entry->address->name, entry->address->length);
    if (!symbol || symbol->kind != SYMBOL_VARIABLE) return;
    PtxVariable *variable = &symbol->variable->variable;
    DwarfEntry whole = dwarf_complete(entries, entry);
    if (variable->space == PTX_SPACE_LOCAL) {
        add_local(parser, types, symbol, entries, entry);
        return;
    }
    if (entry->address_offset) return;
    variable->plain_name = keep(parser, whole.name, variable->plain_name);
    variable->declared_line = whole.line;
    variable->declared_file = known_file(parser, &whole);
    if (types) variable->shown = shown_type(types, whole.type);
    if (is_pointer(entries, whole.type))
        variable->element_bytes = 8;
    else
        apply_element(parser, entries, whole.type, variable);
}

/* ---- functions ---- */

/* A structure passed by value has padding, and may hold pointers, to whatever elements. */
static void apply_structure(Parser *parser, const Growable *entries, uint32_t offset, PtxVariable *variable) {
    variable->own_layout = layout_of(parser, entries, dwarf_bare_type(entries, offset));
    pointers_find(parser, entries, offset, variable);
}

/* The formal parameters are among the children of the function's entry, in order. */
static void apply_parameters(Parser *parser, ShownTypes *types, FunctionNode *node, const Growable *entries,
                             size_t place) {
    const DwarfEntry *function = GROWABLE_AT(entries, DwarfEntry, place);
    size_t parameter = 0;
    for (size_t i = place + 1; i < entries->count && parameter < node->parameters.count; i++) {
        const DwarfEntry *child = GROWABLE_AT(entries, DwarfEntry, i);
        if (child->depth <= function->depth) break;
        if (child->tag != DWARF_PARAMETER || child->depth != function->depth + 1) continue;
        PtxVariable *variable = &(*GROWABLE_AT(&node->parameters, VariableNode *, parameter++))->variable;
        DwarfEntry whole = dwarf_complete(entries, child);
        variable->plain_name = keep(parser, whole.name, variable->plain_name);
        variable->declared_line = whole.line;
        variable->declared_file = known_file(parser, &whole);
        if (types) variable->shown = shown_type(types, whole.type);
        if (is_structure(entries, whole.type))
            apply_structure(parser, entries, whole.type, variable);
        else
            apply_element(parser, entries, whole.type, variable);
    }
}

/* The mangled name joins an entry and the function of the module. */
static void apply_function(Parser *parser, ShownTypes *types, const Symbols *names, const Growable *entries,
                           size_t place) {
    DwarfEntry whole = dwarf_complete(entries, GROWABLE_AT(entries, DwarfEntry, place));
    const char *mangled;
    if (whole.linkage_name)
        mangled = whole.linkage_name;
    else
        mangled = whole.name;
    Symbol *symbol = NULL;
    if (mangled) symbol = find_name(names, mangled, strlen(mangled));
    if (!symbol || symbol->kind != SYMBOL_FUNCTION) return;
    PtxFunction *function = &symbol->function->function;
    function->plain_name = keep(parser, whole.name, function->plain_name);
    if (!function->declared_line && whole.line && (size_t)whole.file < parser->files.count) {
        function->declared_line = whole.line;
        function->declared_file = whole.file;
    }
    apply_parameters(parser, types, symbol->function, entries, place);
}

/* ---- without debug information ---- */

static bool demangle_all(Parser *parser, const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++) {
        PtxVariable *variable = &(*GROWABLE_AT(nodes, VariableNode *, i))->variable;
        variable->plain_name = demangle_name(parser, variable->name);
        if (!variable->plain_name) return parse_no_memory(parser);
    }
    return true;
}

/* `extern __shared__ float x[]` has no debug information; its alignment is that of an element (clang's is,
 * nvcc's is 16). */
static void guess_dynamic(const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++) {
        PtxVariable *variable = &(*GROWABLE_AT(nodes, VariableNode *, i))->variable;
        if (variable->dynamic && variable->alignment >= 2 && variable->alignment <= 8)
            variable->element_bytes = variable->alignment;
    }
}

static bool number_parameters(Parser *parser, const Growable *nodes) {
    for (size_t i = 0; i < nodes->count; i++) {
        PtxVariable *variable = &(*GROWABLE_AT(nodes, VariableNode *, i))->variable;
        variable->plain_name = arena_format(parser->arena, "parameter %zu", i + 1);
        if (!variable->plain_name) return parse_no_memory(parser);
    }
    return true;
}

/* Without debug sections names still come from demangling; the entries then replace what they know
 * better. */
static bool name_everything(Parser *parser) {
    if (!demangle_all(parser, &parser->variables)) return false;
    guess_dynamic(&parser->variables);
    for (size_t i = 0; i < parser->functions.count; i++) {
        FunctionNode *node = *GROWABLE_AT(&parser->functions, FunctionNode *, i);
        node->function.plain_name = demangle_name(parser, node->function.name);
        if (!node->function.plain_name) return parse_no_memory(parser);
        if (!demangle_all(parser, &node->variables) || !number_parameters(parser, &node->parameters))
            return false;
    }
    return true;
}

/* ---- the whole ---- */

static void apply_entries(Parser *parser, ShownTypes *types, const Symbols *names, const Growable *entries) {
    for (size_t i = 0; i < entries->count; i++) {
        const DwarfEntry *entry = GROWABLE_AT(entries, DwarfEntry, i);
        if (entry->tag == DWARF_VARIABLE || entry->tag == DWARF_PARAMETER)
            apply_variable(parser, types, names, entries, entry);
        if (entry->tag == DWARF_SUBPROGRAM) apply_function(parser, types, names, entries, i);
    }
}

static bool apply_types(Parser *parser, const Unit *unit, Symbols *names, const Growable *entries) {
    ShownTypes types;
    if (!parser->typed) {
        apply_entries(parser, NULL, names, entries);
        return true;
    }
    if (!inlined_index_labels(unit, names) || !shown_begin(&types, parser, names, entries)) return false;
    apply_entries(parser, &types, names, entries);
    return true;
}

static bool apply_unit(Parser *parser, const Unit *unit) {
    Growable entries;
    Symbols names;
    bool fine = dwarf_read(unit, &entries) && symbols_begin(&names, parser->scratch, unit->length) &&
                (!entries.count || (index_variables(&names, &parser->variables, unit, NULL) &&
                                    index_functions(parser, unit, &names)));
    fine = fine && apply_types(parser, unit, &names, &entries);
    fine = fine && inlined_apply(parser, unit, &names, &entries);
    growable_free(&entries);
    return fine;
}

/* Debug sections are a help and may be wrong: what makes no sense in them is skipped, and only a lack of
 * memory is an error. */
bool debug_apply(Parser *parser) {
    if (!name_everything(parser)) return false;
    for (size_t i = 0; i < parser->unit_count; i++)
        if (!apply_unit(parser, &parser->units[i])) return parse_no_memory(parser);
    return true;
}
