/* parse_debug.c - where the code comes from: .file, .loc and the .section blocks with DWARF (PTX ISA 11.5).
 *
 * A .loc holds for the instructions behind it. When a location was inlined from another file (a library's
 * header), the learner wants the line of his own file where that happened: the chain of inlined_at is
 * followed to the first location in the file that the function itself is in.
 */
#include "ptx/internal.h"

enum { MOST_FILES = 1 << 16, DEEPEST_INLINING = 32 };

/* ---- .file ---- */

/* What a backslash and a letter stand for; other bytes stand for themselves. */
static char escaped(char letter) {
    static const char pairs[][2] = {{'n', '\n'}, {'t', '\t'}, {'b', '\b'}, {'f', '\f'}, {'r', '\r'}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == letter) return pairs[i][1];
    return letter;
}

static bool is_octal(char digit) {
    return digit >= '0' && digit <= '7';
}

/* Compilers write all but plain letters of a file's name as in C: a quotation mark, and each byte of an
 * accented letter as three octal digits. */
static void unescape(char *name) {
    char *to = name;
    for (const char *from = name; *from != '\0'; to++) {
        if (*from != '\\' || from[1] == '\0') {
            *to = *from++;
            continue;
        }
        unsigned value = 0, digits = 0;
        for (from++; digits < 3 && is_octal(*from); digits++)
            value = 8 * value + (unsigned)(*from++ - '0');
        if (digits > 0)
            *to = (char)value;
        else
            *to = escaped(*from++);
    }
    *to = '\0';
}

static const char *file_name(Parser *parser, const Token *first, const Token *second) {
    char *name;
    if (second->kind == TOKEN_STRING)
        name = arena_format(parser->arena, "%.*s/%.*s", (int)first->length, first->start, (int)second->length,
                            second->start);
    else
        name = arena_copy(parser->arena, first->start, first->length);
    if (name)
        unescape(name);
    else
        parse_no_memory(parser);
    return name;
}

/* The numbers of a unit's files go on where those of the unit before it end. */
static bool keep_file(Parser *parser, uint64_t number, const char *name) {
    uint64_t index = number + (uint64_t)parser->unit->first_file;
    if (index > MOST_FILES) return parse_fail(parser, &parser->token, "too many files");
    while (parser->files.count <= index) {
        const char **slot = growable_add(&parser->files);
        if (!slot) return parse_no_memory(parser);
        *slot = "";
    }
    *GROWABLE_AT(&parser->files, const char *, index) = name;
    return true;
}

/* file = ".file" index "name" ["name in that folder"] ["," time "," size] */
bool parse_file(Parser *parser) {
    uint64_t index;
    Token first, second = {0};
    parse_advance(parser);
    if (!parse_need_number(parser, MOST_FILES, &index)) return false;
    first = parser->token;
    if (first.kind != TOKEN_STRING) return parse_fail(parser, &first, "expected the file's name here");
    parse_advance(parser);
    if (parser->token.kind == TOKEN_STRING) {
        second = parser->token;
        parse_advance(parser);
    }
    while (parse_take_sign(parser, ','))
        parse_advance(parser);
    const char *name = file_name(parser, &first, &second);
    return name && keep_file(parser, index, name);
}

/* ---- .loc ---- */

static bool parse_location(Parser *parser, Location *location) {
    uint64_t file, line, column;
    if (!parse_need_number(parser, MOST_FILES, &file) || !parse_need_number(parser, INT32_MAX, &line) ||
        !parse_need_number(parser, INT32_MAX, &column))
        return false;
    *location = (Location){parser->unit->first_file + (int)file, (int)line, (int)column};
    return true;
}

static bool same_location(Location a, Location b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static InlineEntry *inline_entry(const Parser *parser, Location inner) {
    uint32_t hash = (uint32_t)inner.file * 31 + (uint32_t)inner.line * 1021 + (uint32_t)inner.column;
    return &parser->inlined[hash % INLINE_SLOTS];
}

/* LIMIT: the table holds one entry a slot; a chain that lost one ends there, and the innermost location
 * stays. */
static Location nearest_own(const Parser *parser, Location location) {
    int own = parser->function.node->function.declared_file;
    Location at = location;
    for (int i = 0; i < DEEPEST_INLINING && at.file != own; i++) {
        const InlineEntry *entry = inline_entry(parser, at);
        if (!entry->inner.line || !same_location(entry->inner, at)) return location;
        at = entry->outer;
    }
    if (at.file == own) return at;
    return location;
}

/* name = label ["+" offset]: the name of the inlined function, which we do not need. */
static bool skip_function_name(Parser *parser) {
    Token name;
    uint64_t offset;
    return parse_need_word(parser, &name) &&
           (!parse_take_sign(parser, '+') || parse_need_number(parser, UINT64_MAX, &offset));
}

/* loc = ".loc" location ["," "function_name" name] ["," "inlined_at" location] */
bool parse_loc(Parser *parser) {
    Location location, outer = {0};
    parse_advance(parser);
    if (!parse_location(parser, &location)) return false;
    while (parse_take_sign(parser, ',')) {
        bool is_name = parse_at_word(parser, "function_name");
        if (!is_name && !parse_at_word(parser, "inlined_at"))
            return parse_fail(parser, &parser->token, "expected function_name or inlined_at here");
        parse_advance(parser);
        if (is_name ? !skip_function_name(parser) : !parse_location(parser, &outer)) return false;
    }
    PtxFunction *function = &parser->function.node->function;
    if (outer.line) {
        *inline_entry(parser, location) = (InlineEntry){location, outer};
        parser->any_inlined = true;
    }
    if (!outer.line && !function->declared_line) {
        function->declared_file = location.file;
        function->declared_line = location.line;
    }
    if (outer.line)
        parser->function.location = nearest_own(parser, location);
    else
        parser->function.location = location;
    parser->function.inlined_at = outer;
    return true;
}

/* ---- .section ---- */

static bool add_bytes(Parser *parser, DebugSection *section, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t *byte = growable_add(&section->bytes);
        if (!byte) return parse_no_memory(parser);
        *byte = (uint8_t)(value >> (8 * i));
    }
    return true;
}

static DebugSymbol *add_symbol(Parser *parser, Growable *list, const DebugSection *section,
                               const Token *name) {
    DebugSymbol *symbol = growable_add(list);
    if (symbol)
        *symbol = (DebugSymbol){
            .offset = (uint32_t)section->bytes.count, .length = name->length, .name = name->start};
    else
        parse_no_memory(parser);
    return symbol;
}

/* A name here may contain dots, as the compiler calls it, not as PTX does. */
static Token take_section_name(Parser *parser) {
    Token name = parser->token;
    parse_advance(parser);
    while (parser->token.kind == TOKEN_DOT && parser->token.start == name.start + name.length + 1) {
        name.length += 1 + parser->token.length;
        parse_advance(parser);
    }
    return name;
}

/* value = ["-"] number | symbol {("+" | "-") (symbol | number)}. What is added to a symbol matters only as a
 * number. Anything else is left to parse_section to step over: what nobody needs shall stop nobody. */
static bool parse_section_value(Parser *parser, DebugSection *section, unsigned bytes) {
    bool negative = parse_take_sign(parser, '-');
    Token first = parser->token;
    if (first.kind == TOKEN_INTEGER) {
        parse_advance(parser);
        return add_bytes(parser, section, negative ? 0 - first.bits : first.bits, bytes);
    }
    if (first.kind != TOKEN_WORD && first.kind != TOKEN_DOT) return true;
    Token name = take_section_name(parser);
    DebugSymbol *symbol = add_symbol(parser, &section->symbols, section, &name);
    if (!symbol) return false;
    while (parse_at_sign(parser, '+') || parse_at_sign(parser, '-')) {
        parse_advance(parser);
        if (parser->token.kind == TOKEN_INTEGER) symbol->addend = parser->token.bits;
        parse_advance(parser);
    }
    return add_bytes(parser, section, 0, bytes);
}

static bool parse_section_values(Parser *parser, DebugSection *section) {
    unsigned bytes = ptx_type_bytes(words_type(&parser->token));
    parse_advance(parser);
    if (!bytes || bytes > 8) return true;
    do {
        if (!parse_section_value(parser, section, bytes)) return false;
    } while (parse_take_sign(parser, ','));
    return true;
}

static bool parse_section_label(Parser *parser, DebugSection *section) {
    Token name = take_section_name(parser);
    if (!parse_take_sign(parser, ':')) return true;
    return add_symbol(parser, &section->labels, section, &name) != NULL;
}

/* section = ".section" name "{" { label ":" | type value {"," value} } "}" */
bool parse_section(Parser *parser) {
    parse_advance(parser);
    Token name = parser->token;
    if (name.kind != TOKEN_DOT && name.kind != TOKEN_WORD)
        return parse_fail(parser, &name, "expected a section's name");
    DebugSection *section = growable_add(&parser->unit->sections);
    if (!section) return parse_no_memory(parser);
    *section = (DebugSection){name.start, name.length, GROWABLE(uint8_t), GROWABLE(DebugSymbol),
                              GROWABLE(DebugSymbol)};
    parse_advance(parser);
    if (!parse_need_sign(parser, '{')) return false;
    while (!parse_at_sign(parser, '}')) {
        bool fine = true;
        if (parser->token.kind == TOKEN_DOT)
            fine = parse_section_values(parser, section);
        else if (parser->token.kind == TOKEN_WORD)
            fine = parse_section_label(parser, section);
        else if (parser->token.kind == TOKEN_END)
            return parse_fail(parser, &parser->token, "the text ends inside a .section");
        else
            parse_advance(parser);
        if (!fine) return false;
    }
    return parse_need_sign(parser, '}');
}
