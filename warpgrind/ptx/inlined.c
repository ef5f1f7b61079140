/* inlined.c - code of CUDA's headers that was inlined into the program gets the line of the program's own
 * call.
 *
 * nvcc says so in each .loc (parse_debug.c). Clang says it in the debug information alone: an entry for each
 * inlined call, with the labels between which its code stands, the function, and the place of the call; calls
 * inlined in each other are nested. Code that the optimiser has moved makes the range of a call wider than
 * its code is, so ranges of different calls overlap. Which call an instruction belongs to is told by its own
 * line, which stands in the function that was called.
 */
#include "base/headers.h"
#include "ptx/dwarf.h"

enum { DEEPEST_CALLS = 64, MOST_STEPS = 1 << 26 };

/** A call that was inlined. */
typedef struct Inlined {
    FunctionNode *function; /* into this one, */
    uint32_t first, end;    /* these instructions of it, others' among them */
    Location declared;      /* the function that was called */
    Location call, own;     /* where; and the nearest place in the program that led there, {0}: none did */
} Inlined;

typedef struct Inlining {
    Parser *parser;
    const Symbols *names;
    const Growable *entries;
    const bool *headers; /* of each file: it is a header of the toolkit or the system */
    Growable calls;      /* Inlined, those of a function side by side, outer ones first */
    struct {
        uint32_t depth;
        Location own;
    } around[DEEPEST_CALLS]; /* the calls that the current entry is nested in */
    unsigned around_count;
    size_t steps; /* looks at an instruction so far: a hostile module may have any number of ranges */
} Inlining;

static bool is_header(const Inlining *work, int file) {
    return file < 0 || (size_t)file >= work->parser->files.count || work->headers[file];
}

/* ---- from entries to calls ---- */

/** The place of the call itself, or of the call around it that stands in the program. */
static Location own_place(Inlining *work, const DwarfEntry *entry) {
    while (work->around_count && work->around[work->around_count - 1].depth >= entry->depth)
        work->around_count--;
    if (!is_header(work, entry->call.file)) return entry->call;
    return work->around_count ? work->around[work->around_count - 1].own : (Location){0};
}

/* False without memory. A call without a range is kept for the calls that are nested in it. */
static bool add_call(Inlining *work, const DwarfEntry *entry) {
    const Location own = own_place(work, entry);
    if (work->around_count == DEEPEST_CALLS) return true;
    work->around[work->around_count].depth = entry->depth;
    work->around[work->around_count++].own = own;
    const Symbol *first = symbols_label(work->names, entry->low),
                 *end = symbols_label(work->names, entry->high);
    if (!own.line || !first || !end || first->function != end->function || first->index >= end->index)
        return true;
    const DwarfEntry declared = dwarf_complete(work->entries, entry);
    Inlined *call = growable_add(&work->calls);
    if (!call) return false;
    *call = (Inlined){.function = first->function,
                      .first = (uint32_t)first->index,
                      .end = (uint32_t)end->index,
                      .declared = {declared.file, declared.line, 0},
                      .call = entry->call,
                      .own = own};
    return true;
}

static bool find_calls(Inlining *work) {
    for (size_t i = 0; i < work->entries->count; i++) {
        const DwarfEntry *entry = GROWABLE_AT(work->entries, DwarfEntry, i);
        if (entry->tag == DWARF_INLINED && !add_call(work, entry)) return false;
    }
    return true;
}

/* ---- from calls to lines ---- */

static bool may_hold(const Inlined *call, const PtxInstruction *instruction) {
    return call->declared.file == instruction->file &&
           (!instruction->line || call->declared.line <= instruction->line);
}

/** Whether the instruction belongs to this call rather than to the other: to the function that begins nearest
 * before its line, then to the call whose range is narrower. */
static bool is_nearer(const Inlined *call, const Inlined *other, const PtxInstruction *instruction) {
    if (!other) return true;
    bool holds = may_hold(call, instruction);
    if (holds != may_hold(other, instruction)) return holds;
    if (holds && call->declared.line != other->declared.line)
        return call->declared.line > other->declared.line;
    return call->end - call->first <= other->end - other->first;
}

static void choose(Inlining *work, const Inlined *call, const Inlined **chosen) {
    const PtxFunction *function = &call->function->function;
    for (uint32_t at = call->first; at < call->end && at < function->instruction_count; at++) {
        const PtxInstruction *instruction = &function->instructions[at];
        if (++work->steps > MOST_STEPS) return;
        if (is_header(work, instruction->file) && is_nearer(call, chosen[at], instruction)) chosen[at] = call;
    }
}

static void take_place(PtxInstruction *instruction, const Inlined *call) {
    instruction->file = call->own.file;
    instruction->line = call->own.line;
    instruction->column = call->own.column;
    instruction->inlined_at_line = call->call.line;
    instruction->inlined_at_column = call->call.column;
}

/* The calls of one function, from `first` on. Returns the first of the next one; 0 without memory. */
static size_t place_function(Inlining *work, size_t first) {
    FunctionNode *node = GROWABLE_AT(&work->calls, Inlined, first)->function;
    const uint32_t count = node->function.instruction_count;
    const Inlined **chosen = ARENA_ARRAY(work->parser->scratch, count, const Inlined *);
    if (!chosen) return 0;
    size_t at = first;
    for (; at < work->calls.count && GROWABLE_AT(&work->calls, Inlined, at)->function == node; at++)
        choose(work, GROWABLE_AT(&work->calls, Inlined, at), chosen);
    for (uint32_t i = 0; i < count; i++)
        if (chosen[i]) take_place(&node->function.instructions[i], chosen[i]);
    return at;
}

static bool place_all(Inlining *work) {
    for (size_t at = 0; at < work->calls.count;) {
        at = place_function(work, at);
        if (!at) return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool any_inlined(const Growable *entries) {
    for (size_t i = 0; i < entries->count; i++)
        if (GROWABLE_AT(entries, DwarfEntry, i)->tag == DWARF_INLINED) return true;
    return false;
}

static const bool *find_headers(const Parser *parser) {
    bool *headers = ARENA_ARRAY(parser->scratch, parser->files.count, bool);
    for (size_t i = 0; headers && i < parser->files.count; i++)
        headers[i] = headers_are(*GROWABLE_AT(&parser->files, const char *, i));
    return headers;
}

bool inlined_index_labels(const Unit *unit, Symbols *names) {
    for (size_t i = 0; i < unit->labels.count; i++) {
        const Symbol *label = *GROWABLE_AT(&unit->labels, const Symbol *, i);
        Symbol *symbol = symbols_add(names, SYMBOL_LABEL, label->name, label->length);
        if (!symbol) return false;
        symbol->function = label->function;
        symbol->index = label->index;
    }
    return true;
}

bool inlined_apply(Parser *parser, const Unit *unit, Symbols *names, const Growable *entries) {
    if (!parser->files.count || !any_inlined(entries)) return true;
    Inlining work = {.parser = parser, .names = names, .entries = entries, .calls = GROWABLE(Inlined)};
    work.headers = find_headers(parser);
    bool fine = work.headers && (parser->typed || inlined_index_labels(unit, names)) && find_calls(&work) &&
                place_all(&work);
    growable_free(&work.calls);
    return fine;
}
