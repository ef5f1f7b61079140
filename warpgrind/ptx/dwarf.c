/* dwarf.c - .debug_abbrev and .debug_info to a list of entries; see dwarf.h (DWARF 4, sections 7.5 and 7.6).
 *
 * Every read goes through a cursor that turns bad at the end of its bytes and then only yields zeros.
 */
#include "ptx/dwarf.h"
#include "base/minmax.h"

#include <string.h>

enum { MOST_ABBREVIATIONS = 4096, MOST_ENTRIES = 1 << 21, DEEPEST_ENTRY = 1 << 16 };

enum { /* DWARF 7.5.4 */
       AT_LOCATION = 0x02,
       AT_NAME = 0x03,
       AT_BYTE_SIZE = 0x0b,
       AT_BIT_OFFSET = 0x0c,
       AT_BIT_SIZE = 0x0d,
       AT_LOW_PC = 0x11,
       AT_HIGH_PC = 0x12,
       AT_UPPER_BOUND = 0x2f,
       AT_ABSTRACT_ORIGIN = 0x31,
       AT_COUNT = 0x37,
       AT_MEMBER_LOCATION = 0x38,
       AT_ENCODING = 0x3e,
       AT_DECL_FILE = 0x3a,
       AT_DECL_LINE = 0x3b,
       AT_DECLARATION = 0x3c,
       AT_SPECIFICATION = 0x47,
       AT_TYPE = 0x49,
       AT_CALL_COLUMN = 0x57,
       AT_CALL_FILE = 0x58,
       AT_CALL_LINE = 0x59,
       AT_LINKAGE_NAME = 0x6e,
       AT_MIPS_LINKAGE_NAME = 0x2007,
       OP_ADDR = 0x03,
       OP_PLUS_UCONST = 0x23
};

typedef enum FormKind {
    FORM_BAD,
    FORM_ADDRESS,
    FORM_FIXED,
    FORM_BLOCK,
    FORM_STRING,
    FORM_STRP,
    FORM_LEB,
    FORM_REFERENCE
} FormKind;

/* How the value of each form is stored: bytes of the value, or of a block's length (0: LEB128). */
static const struct {
    FormKind kind;
    uint8_t bytes;
} forms[] = {
    [0x01] = {FORM_ADDRESS, 8},   [0x03] = {FORM_BLOCK, 2},     [0x04] = {FORM_BLOCK, 4},
    [0x05] = {FORM_FIXED, 2},     [0x06] = {FORM_FIXED, 4},     [0x07] = {FORM_FIXED, 8},
    [0x08] = {FORM_STRING, 0},    [0x09] = {FORM_BLOCK, 0},     [0x0a] = {FORM_BLOCK, 1},
    [0x0b] = {FORM_FIXED, 1},     [0x0c] = {FORM_FIXED, 1},     [0x0d] = {FORM_LEB, 0},
    [0x0e] = {FORM_STRP, 4},      [0x0f] = {FORM_LEB, 0},       [0x10] = {FORM_FIXED, 4},
    [0x11] = {FORM_REFERENCE, 1}, [0x12] = {FORM_REFERENCE, 2}, [0x13] = {FORM_REFERENCE, 4},
    [0x14] = {FORM_REFERENCE, 8}, [0x15] = {FORM_REFERENCE, 0}, [0x17] = {FORM_FIXED, 4},
    [0x18] = {FORM_BLOCK, 0},     [0x19] = {FORM_FIXED, 0},     [0x20] = {FORM_FIXED, 8},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

typedef struct Cursor {
    const uint8_t *bytes;
    size_t at, end;
    bool bad;
} Cursor;

typedef struct Abbreviation {
    size_t attributes; /* where its list stands in .debug_abbrev */
    uint32_t tag;
    bool children, known;
} Abbreviation;

typedef struct Reader {
    const DebugSection *info, *abbreviations, *strings;
    Growable *entries;
    int first_file; /* of the module: what is added to a number of a file */
    Abbreviation table[MOST_ABBREVIATIONS];
    size_t table_at; /* where in .debug_abbrev the table was read, SIZE_MAX nowhere yet */
    uint32_t unit;   /* where the current unit begins */
    uint32_t depth;
    size_t next_symbol; /* the first in info->symbols that has not been passed */
} Reader;

/* One attribute's value. */
typedef struct Value {
    uint64_t number;
    const char *string;
    const DebugSymbol *address;
} Value;

static uint64_t read_fixed(Cursor *cursor, unsigned bytes) {
    uint64_t value = 0;
    if (cursor->end - cursor->at < bytes) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)cursor->bytes[cursor->at++] << (8 * i);
    return value;
}

static uint64_t read_leb(Cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = read_fixed(cursor, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    cursor->bad = true;
    return 0;
}

static const char *read_string(Cursor *cursor) {
    const char *start = (const char *)cursor->bytes + cursor->at;
    const void *end = memchr(start, 0, cursor->end - cursor->at);
    if (!end) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return NULL;
    }
    cursor->at += (size_t)((const char *)end - start) + 1;
    return start;
}

static Cursor cursor_of(const DebugSection *section, size_t at) {
    size_t end = section->bytes.count;
    return (Cursor){(const uint8_t *)section->bytes.items, MIN(at, end), end, at > end};
}

/* ---- abbreviations ---- */

static void skip_attributes(Cursor *cursor) {
    for (;;) {
        uint64_t name = read_leb(cursor), form = read_leb(cursor);
        if ((!name && !form) || cursor->bad) return;
    }
}

static bool read_abbreviations(Reader *reader, size_t at) {
    Cursor cursor = cursor_of(reader->abbreviations, at);
    if (reader->table_at == at) return true; /* units of one module share a table */
    memset(reader->table, 0, sizeof reader->table);
    reader->table_at = SIZE_MAX;
    while (!cursor.bad) {
        uint64_t code = read_leb(&cursor);
        if (!code && !cursor.bad) reader->table_at = at;
        if (!code) return !cursor.bad;
        if (code >= MOST_ABBREVIATIONS) return false;
        Abbreviation *entry = &reader->table[code];
        entry->tag = (uint32_t)read_leb(&cursor);
        entry->children = read_fixed(&cursor, 1) != 0;
        entry->attributes = cursor.at;
        entry->known = true;
        skip_attributes(&cursor);
    }
    return false;
}

/* ---- values ---- */

/* The symbol whose address stands at that place. Places are asked for in rising order. */
static const DebugSymbol *symbol_at(Reader *reader, size_t offset) {
    const Growable *symbols = &reader->info->symbols;
    while (reader->next_symbol < symbols->count) {
        const DebugSymbol *symbol = GROWABLE_AT(symbols, DebugSymbol, reader->next_symbol);
        if (symbol->offset == offset) return symbol;
        if (symbol->offset > offset) break;
        reader->next_symbol++;
    }
    return NULL;
}

static const char *string_at(const Reader *reader, uint64_t offset) {
    if (!reader->strings || offset >= reader->strings->bytes.count) return NULL;
    Cursor cursor = cursor_of(reader->strings, (size_t)offset);
    return read_string(&cursor);
}

/* .debug_str is addressed by a label and an addend, or by a number. */
static uint64_t string_offset(const Reader *reader, const DebugSymbol *symbol, uint64_t number) {
    if (!symbol || !reader->strings) return number;
    for (size_t i = 0; i < reader->strings->labels.count; i++) {
        const DebugSymbol *label = GROWABLE_AT(&reader->strings->labels, DebugSymbol, i);
        if (label->length == symbol->length && memcmp(label->name, symbol->name, label->length) == 0)
            return label->offset + symbol->addend;
    }
    return symbol->addend;
}

/* Where a member lies in its structure: so many bytes behind its start. */
static void read_member_place(Cursor block, Value *value) {
    if (read_fixed(&block, 1) == OP_PLUS_UCONST) value->number = read_leb(&block);
}

/* A block is kept only when it says "at the address of this symbol" or "so many bytes behind it". */
static void read_expression(Reader *reader, Cursor block, Value *value) {
    const DebugSymbol *symbol = symbol_at(reader, block.at + 1);
    if (read_fixed(&block, 1) != OP_ADDR) return;
    read_fixed(&block, 8);
    if (block.at < block.end) {
        if (read_fixed(&block, 1) != OP_PLUS_UCONST) return;
        value->number = read_leb(&block);
    }
    if (!block.bad && block.at == block.end) value->address = symbol;
}

/* Long enough for an address, a block is a location expression; shorter ones give a member's place. */
static void read_block(Reader *reader, Cursor *cursor, unsigned length_bytes, Value *value) {
    uint64_t length;
    if (length_bytes)
        length = read_fixed(cursor, length_bytes);
    else
        length = read_leb(cursor);
    if (length > cursor->end - cursor->at) {
        cursor->bad = true;
        return;
    }
    Cursor block = *cursor;
    block.end = block.at + (size_t)length;
    if (length >= 9)
        read_expression(reader, block, value);
    else
        read_member_place(block, value);
    cursor->at = block.end;
}

/* One value by its form (DWARF 4, 7.5.4). In PTX a string or an address may be a label and a number, so the
 * symbol at this byte of the section is asked, too. */
static Value read_value(Reader *reader, Cursor *cursor, uint64_t form) {
    Value value = {0};
    FormKind kind = FORM_BAD;
    if (form < FORM_COUNT) kind = forms[form].kind;
    unsigned bytes = 0;
    if (kind != FORM_BAD) bytes = forms[form].bytes;
    switch (kind) {
    case FORM_BAD:
        cursor->bad = true;
        break;
    case FORM_ADDRESS:
        value.address = symbol_at(reader, cursor->at);
        value.number = read_fixed(cursor, bytes);
        break;
    case FORM_FIXED:
        value.number = read_fixed(cursor, bytes);
        break;
    case FORM_REFERENCE:
        value.number = reader->unit + (bytes ? read_fixed(cursor, bytes) : read_leb(cursor));
        break;
    case FORM_LEB:
        value.number = read_leb(cursor);
        break;
    case FORM_BLOCK:
        read_block(reader, cursor, bytes, &value);
        break;
    case FORM_STRING:
        value.string = read_string(cursor);
        break;
    case FORM_STRP: {
        const DebugSymbol *symbol = symbol_at(reader, cursor->at);
        value.string = string_at(reader, string_offset(reader, symbol, read_fixed(cursor, bytes)));
        break;
    }
    }
    return value;
}

/* ---- entries ---- */

static int small_number(uint64_t number) {
    if (number <= INT32_MAX) return (int)number;
    return 0;
}

/* How large the entry's thing is, and where it lies in another. */
static void keep_size(DwarfEntry *entry, uint64_t attribute, const Value *value) {
    switch (attribute) {
    case AT_BYTE_SIZE:
        entry->bytes = value->number;
        break;
    case AT_COUNT:
        entry->count = value->number;
        break;
    case AT_UPPER_BOUND:
        entry->count = value->number + 1;
        break;
    case AT_MEMBER_LOCATION:
        entry->member_at = (uint32_t)small_number(value->number);
        break;
    case AT_ENCODING:
        entry->encoding = (uint8_t)value->number;
        break;
    case AT_BIT_SIZE:
        entry->bits = (uint8_t)value->number;
        break;
    case AT_BIT_OFFSET:
        entry->bits_above = (uint8_t)value->number;
        break;
    default:
        break;
    }
}

/* Where the code of the entry stands, and who called it. */
static void keep_code(DwarfEntry *entry, uint64_t attribute, const Value *value) {
    switch (attribute) {
    case AT_LOW_PC:
        entry->low = value->address;
        break;
    case AT_HIGH_PC:
        entry->high = value->address;
        break;
    case AT_CALL_FILE:
        entry->call.file = small_number(value->number);
        break;
    case AT_CALL_LINE:
        entry->call.line = small_number(value->number);
        break;
    case AT_CALL_COLUMN:
        entry->call.column = small_number(value->number);
        break;
    default:
        keep_size(entry, attribute, value);
    }
}

/* The attributes that are of use, out of those of DWARF 4, 2.2. Others are read, to know their length, and
 * dropped. */
static void keep_value(DwarfEntry *entry, uint64_t attribute, const Value *value) {
    switch (attribute) {
    case AT_NAME:
        entry->name = value->string;
        break;
    case AT_LINKAGE_NAME:
    case AT_MIPS_LINKAGE_NAME:
        entry->linkage_name = value->string;
        break;
    case AT_DECL_FILE:
        entry->file = small_number(value->number);
        break;
    case AT_DECL_LINE:
        entry->line = small_number(value->number);
        break;
    case AT_DECLARATION:
        entry->outside = value->number != 0;
        break;
    case AT_TYPE:
        entry->type = (uint32_t)value->number;
        break;
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION:
        entry->origin = (uint32_t)value->number;
        break;
    case AT_LOCATION:
        entry->address = value->address;
        entry->address_offset = value->number;
        break;
    default:
        keep_code(entry, attribute, value);
    }
}

static void read_attributes(Reader *reader, Cursor *cursor, const Abbreviation *abbreviation,
                            DwarfEntry *entry) {
    Cursor list = cursor_of(reader->abbreviations, abbreviation->attributes);
    while (!cursor->bad && !list.bad) {
        uint64_t attribute = read_leb(&list), form = read_leb(&list);
        if (!attribute && !form) return;
        Value value = read_value(reader, cursor, form);
        keep_value(entry, attribute, &value);
    }
    cursor->bad = true;
}

/* A number of no file stays what it is. */
static int file_of_module(const Reader *reader, int file) {
    if (file > 0 && file <= INT32_MAX - reader->first_file) return file + reader->first_file;
    return file;
}

/* One entry, or the end of a list of children. False without memory. */
static bool read_entry(Reader *reader, Cursor *cursor) {
    uint32_t offset = (uint32_t)cursor->at;
    uint64_t code = read_leb(cursor);
    if (!code) {
        if (reader->depth) reader->depth--;
        return true;
    }
    if (code >= MOST_ABBREVIATIONS || !reader->table[code].known || reader->entries->count >= MOST_ENTRIES) {
        cursor->bad = true;
        return true;
    }
    const Abbreviation *abbreviation = &reader->table[code];
    DwarfEntry entry = {.offset = offset, .tag = abbreviation->tag, .depth = reader->depth};
    read_attributes(reader, cursor, abbreviation, &entry);
    if (cursor->bad) return true;
    entry.file = file_of_module(reader, entry.file);
    entry.call.file = file_of_module(reader, entry.call.file);
    DwarfEntry *slot = growable_add(reader->entries);
    if (slot) *slot = entry;
    if (abbreviation->children && ++reader->depth > DEEPEST_ENTRY) cursor->bad = true;
    return slot != NULL;
}

/* unit = length version abbreviations address_size entries. Sets `cursor` behind the unit. */
static bool read_unit(Reader *reader, Cursor *cursor) {
    reader->unit = (uint32_t)cursor->at;
    reader->depth = 0;
    uint64_t length = read_fixed(cursor, 4);
    Cursor unit = *cursor;
    if (length > cursor->end - cursor->at)
        length = cursor->end - cursor->at; /* some producers count wrongly */
    unit.end = cursor->at + (size_t)length;
    cursor->at = unit.end;
    uint64_t version = read_fixed(&unit, 2);
    const DebugSymbol *symbol = symbol_at(reader, unit.at);
    uint64_t abbreviations = read_fixed(&unit, 4) + (symbol ? symbol->addend : 0);
    uint64_t address_bytes = read_fixed(&unit, 1);
    if (unit.bad || version < 2 || version > 4 || address_bytes != 8) return true;
    if (!read_abbreviations(reader, (size_t)abbreviations)) return true;
    while (!unit.bad && unit.at < unit.end)
        if (!read_entry(reader, &unit)) return false;
    return true;
}

static const DebugSection *find_section(const Growable *sections, const char *name) {
    for (size_t i = 0; i < sections->count; i++) {
        const DebugSection *section = GROWABLE_AT(sections, DebugSection, i);
        if (section->name_length == strlen(name) && memcmp(section->name, name, section->name_length) == 0)
            return section;
    }
    return NULL;
}

static bool read_units(Reader *reader) {
    Cursor cursor = cursor_of(reader->info, 0);
    while (!cursor.bad && cursor.at < cursor.end)
        if (!read_unit(reader, &cursor)) return false;
    return true;
}

/* All entries of all compilation units, in the order of their offsets, by which dwarf_find searches. The
 * tables of abbreviations go when the reading is done. */
bool dwarf_read(const Unit *unit, Growable *entries) {
    const Growable *sections = &unit->sections;
    const DebugSection *info = find_section(sections, "debug_info");
    const DebugSection *abbreviations = find_section(sections, "debug_abbrev");
    *entries = GROWABLE(DwarfEntry);
    if (!info || !abbreviations || info->bytes.count >= UINT32_MAX) return true;
    Arena *work = arena_create();
    Reader *reader = NULL;
    if (work) reader = ARENA_NEW(work, Reader);
    bool fine = reader != NULL;
    if (fine) {
        reader->info = info;
        reader->abbreviations = abbreviations;
        reader->strings = find_section(sections, "debug_str");
        reader->entries = entries;
        reader->first_file = unit->first_file;
        reader->table_at = SIZE_MAX;
        fine = read_units(reader);
    }
    arena_destroy(work);
    return fine;
}

/* Entries refer to each other by offset; they were read in that order, so a binary search finds one. */
const DwarfEntry *dwarf_find(const Growable *entries, uint32_t offset) {
    size_t low = 0, high = entries->count;
    while (offset && low < high) {
        size_t middle = low + (high - low) / 2;
        const DwarfEntry *entry = GROWABLE_AT(entries, DwarfEntry, middle);
        if (entry->offset == offset) return entry;
        if (entry->offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

DwarfEntry dwarf_complete(const Growable *entries, const DwarfEntry *entry) {
    DwarfEntry whole = *entry;
    for (int i = 0; i < DWARF_LONGEST_CHAIN && (entry = dwarf_find(entries, entry->origin)); i++) {
        if (!whole.name) whole.name = entry->name;
        if (!whole.linkage_name) whole.linkage_name = entry->linkage_name;
        if (!whole.type) whole.type = entry->type;
        if (!whole.line) {
            whole.line = entry->line;
            whole.file = entry->file;
        }
    }
    return whole;
}

static bool is_wrapper(uint32_t tag) {
    return tag == DWARF_CONST || tag == DWARF_VOLATILE || tag == DWARF_TYPEDEF;
}

const DwarfEntry *dwarf_bare_type(const Growable *entries, uint32_t offset) {
    const DwarfEntry *type = dwarf_find(entries, offset);
    for (int i = 0; i < DWARF_LONGEST_CHAIN && type && is_wrapper(type->tag); i++)
        type = dwarf_find(entries, type->type);
    return type;
}

/* The dimensions of an array are among the children of its type. */
uint64_t dwarf_array_count(const Growable *entries, const DwarfEntry *array) {
    const DwarfEntry *end = GROWABLE_AT(entries, DwarfEntry, entries->count);
    uint64_t count = 1;
    for (const DwarfEntry *child = array + 1; child < end && child->depth > array->depth; child++)
        if (child->tag == DWARF_SUBRANGE && __builtin_mul_overflow(count, child->count, &count)) return 0;
    return count;
}
