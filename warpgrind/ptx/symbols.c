/* symbols.c - names in nested scopes.
 *
 * One hash table for all scopes. A new symbol goes to the front of its bucket and so hides outer ones;
 * leaving a scope takes its symbols away again, newest first, which finds each at the front of its bucket.
 */
#include "ptx/internal.h"

#include <string.h>

enum { FEWEST_BUCKETS = 64, MOST_BUCKETS = 1 << 16, BYTES_PER_BUCKET = 64 };

bool symbols_begin(Symbols *symbols, Arena *arena, size_t text_length) {
    uint32_t buckets = FEWEST_BUCKETS;
    while (buckets < MOST_BUCKETS && buckets < text_length / BYTES_PER_BUCKET)
        buckets *= 2;
    *symbols = (Symbols){.arena = arena, .mask = buckets - 1};
    symbols->buckets = ARENA_ARRAY(arena, buckets, Symbol *);
    return symbols->buckets != NULL;
}

void symbols_enter(Symbols *symbols) {
    symbols->depth++;
}

void symbols_leave(Symbols *symbols) {
    for (Symbol *symbol = symbols->newest; symbol && symbol->depth == symbols->depth;
         symbol = symbol->older) {
        symbols->buckets[symbol->hash & symbols->mask] = symbol->next;
        symbols->newest = symbol->older;
    }
    symbols->depth--;
}

void symbols_leave_unit(Symbols *symbols) {
    for (Symbol **newest = &symbols->newest; *newest;) {
        Symbol *symbol = *newest;
        if (symbol->shared) {
            newest = &symbol->older;
            continue;
        }
        Symbol **link = &symbols->buckets[symbol->hash & symbols->mask];
        while (*link != symbol)
            link = &(*link)->next;
        *link = symbol->next;
        *newest = symbol->older;
    }
}

Symbol *symbols_find(const Symbols *symbols, uint32_t hash, const char *name, size_t length) {
    for (Symbol *symbol = symbols->buckets[hash & symbols->mask]; symbol; symbol = symbol->next)
        if (symbol->hash == hash && symbol->length == length && memcmp(symbol->name, name, length) == 0)
            return symbol;
    return NULL;
}

const Symbol *symbols_label(const Symbols *symbols, const DebugSymbol *label) {
    if (!label) return NULL;
    uint32_t hash = lex_hash(LEX_HASH_START, label->name, label->length);
    const Symbol *symbol = symbols_find(symbols, hash, label->name, label->length);
    if (symbol && symbol->kind == SYMBOL_LABEL) return symbol;
    return NULL;
}

/* The newest symbol of a bucket stands first, so an inner scope hides an outer one; `older` joins all in
 * the order of their making, by which a scope ends. */
Symbol *symbols_add(Symbols *symbols, SymbolKind kind, const char *name, uint32_t length) {
    Symbol *symbol = ARENA_NEW(symbols->arena, Symbol);
    if (!symbol) return NULL;
    uint32_t hash = lex_hash(LEX_HASH_START, name, length);
    Symbol **bucket = &symbols->buckets[hash & symbols->mask];
    *symbol = (Symbol){.kind = kind,
                       .name = name,
                       .length = length,
                       .hash = hash,
                       .depth = symbols->depth,
                       .next = *bucket,
                       .older = symbols->newest};
    *bucket = symbol;
    symbols->newest = symbol;
    return symbol;
}
