/* csv.c - see csv.h. */
#include "grading/intake/csv.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A reading: what is left, and where it is. */
typedef struct Reader {
    Arena *arena;
    const char *at, *end;
    char separator;
    int line;
    const char *shown;
    Diagnostics *diagnostics;
} Reader;

static bool refuse(const Reader *reader, int line, const char *reason, const char *remedy) {
    return advise(diag_add(reader->diagnostics, DIAG_ERROR, reader->shown, line, 0, "%s", reason), remedy);
}

/* The separator is the candidate that stands most often in the first line, which names the columns, outside
 * of quotes. */
static char guess_separator(const Reader *reader) {
    static const char candidates[] = {',', ';', '\t'};
    size_t counts[sizeof candidates] = {0}, best = 0;
    bool quoted = false;
    for (const char *at = reader->at; at < reader->end && (quoted || (*at != '\n' && *at != '\r')); at++) {
        if (*at == '"') quoted = !quoted;
        for (size_t i = 0; i < sizeof candidates; i++)
            counts[i] += !quoted && *at == candidates[i];
    }
    for (size_t i = 1; i < sizeof candidates; i++)
        if (counts[i] > counts[best]) best = i;
    return candidates[best];
}

/* At the end of a line: goes over it. */
static bool skip_end(Reader *reader) {
    if (reader->at == reader->end) return true;
    if (*reader->at != '\r' && *reader->at != '\n') return false;
    if (*reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n') reader->at++;
    reader->at++;
    reader->line++;
    return true;
}

/* The rest of a cell that began with a quotation mark; two of them stand for one. */
static bool read_quoted(Reader *reader, Text *cell) {
    int began = reader->line;
    for (;;) {
        if (reader->at == reader->end)
            return refuse(reader, began, "a quotation mark is never closed",
                          "close it, or write it twice inside a cell");
        char c = *reader->at++;
        if (c == '"') {
            if (reader->at == reader->end || *reader->at != '"') return true;
            reader->at++;
        }
        if (c == '\n') reader->line++;
        text_append(cell, &c, 1);
    }
}

/* A cell with or without quotes; what follows a closing quote belongs to it, as spreadsheets do. Blanks
 * around it do not count. */
static bool read_cell(Reader *reader, Text *cell) {
    text_clear(cell);
    while (reader->at < reader->end && *reader->at == ' ' && reader->separator != ' ')
        reader->at++;
    if (reader->at < reader->end && *reader->at == '"') {
        reader->at++;
        if (!read_quoted(reader, cell)) return false;
    }
    while (reader->at < reader->end && *reader->at != reader->separator && *reader->at != '\r' &&
           *reader->at != '\n')
        text_append(cell, reader->at++, 1);
    while (cell->length > 0 && cell->bytes[cell->length - 1] == ' ')
        cell->bytes[--cell->length] = '\0';
    if (memchr(cell->bytes, '\0', cell->length) != NULL)
        return refuse(reader, reader->line, "has a byte 0", "save it as CSV in UTF-8");
    return !cell->failed;
}

/* A row whose cells are all empty counts none. */
static bool read_row(Reader *reader, Text *cell, CsvRow *row) {
    const char *cells[CSV_COLUMNS];
    bool empty = true;
    *row = (CsvRow){.line = reader->line};
    for (;;) {
        if (row->count == CSV_COLUMNS)
            return refuse(reader, reader->line, "has more than 512 columns",
                          "give the file that your system calls roster");
        if (!read_cell(reader, cell)) return false;
        cells[row->count] = arena_copy(reader->arena, cell->bytes, cell->length);
        if (cells[row->count++] == NULL)
            return refuse(reader, reader->line, "there is no memory to read it", NULL);
        empty = empty && cell->length == 0;
        if (skip_end(reader)) break;
        reader->at++;
    }
    if (empty) row->count = 0;
    row->cells = ARENA_ARRAY(reader->arena, row->count, const char *);
    if (row->count > 0 && row->cells != NULL) memcpy(row->cells, cells, row->count * sizeof *cells);
    return row->cells != NULL || row->count == 0;
}

/* "sep=;" alone in the first line, by which a spreadsheet tells others how it separates cells. */
static bool read_separator_line(Reader *reader) {
    static const char word[] = "sep=";
    const size_t length = sizeof word - 1;
    if ((size_t)(reader->end - reader->at) < length + 2 || strncasecmp(reader->at, word, length) != 0 ||
        strchr("\r\n", reader->at[length + 1]) == NULL)
        return false;
    reader->separator = reader->at[length];
    reader->at += length + 1;
    return skip_end(reader);
}

static size_t count_lines(const Reader *reader) {
    size_t count = 1;
    for (const char *at = reader->at; at < reader->end; at++)
        count += *at == '\n' || *at == '\r';
    return count;
}

/* ---- UTF-16 as UTF-8 ---- */

/* Some systems give tables in it, Blackboard among them, and spreadsheets save it as "Unicode text". */

static const char little_mark[] = "\xFF\xFE", big_mark[] = "\xFE\xFF";
/* Unicode 3.8 and 3.9: pairs of surrogates stand for what lies past U+FFFF. */
enum { HIGH_FIRST = 0xD800, LOW_FIRST = 0xDC00, LOW_LAST = 0xDFFF, PAST_UNITS = 0x10000, UNKNOWN = 0xFFFD };

/* Whether the bytes begin with UTF-16's mark. */
static bool wide_is(const char *bytes, size_t length) {
    return length >= 2 && (memcmp(bytes, little_mark, 2) == 0 || memcmp(bytes, big_mark, 2) == 0);
}

/* The unit of 16 bits at a place; the last byte alone is half of one. */
static unsigned read_unit(const char *bytes, size_t length, size_t at, bool big) {
    if (at + 1 >= length) return UNKNOWN;
    const unsigned first = (unsigned char)bytes[at], second = (unsigned char)bytes[at + 1];
    if (big) return first << 8 | second;
    return second << 8 | first;
}

static void add_character(Text *text, unsigned code) {
    static const unsigned char leads[] = {0x00, 0xC0, 0xE0, 0xF0};
    const size_t more = (size_t)(code >= 0x80) + (code >= 0x800) + (code >= PAST_UNITS);
    char bytes[4];
    for (size_t i = more; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(leads[more] | code);
    text_append(text, bytes, more + 1);
}

/* Adds what follows the mark as UTF-8; half a character becomes U+FFFD. */
static void wide_add(Text *text, const char *bytes, size_t length) {
    const bool big = memcmp(bytes, big_mark, 2) == 0;
    for (size_t at = 2; at < length; at += 2) {
        unsigned code = read_unit(bytes, length, at, big);
        const bool half = code >= HIGH_FIRST && code <= LOW_LAST, high = half && code < LOW_FIRST;
        unsigned low = 0;
        if (high) low = read_unit(bytes, length, at + 2, big);
        if (low >= LOW_FIRST && low <= LOW_LAST) {
            code = PAST_UNITS + ((code - HIGH_FIRST) << 10) + (low - LOW_FIRST);
            at += 2;
        } else if (half) {
            code = UNKNOWN;
        }
        add_character(text, code);
    }
}

/* UTF-16 as UTF-8, in the arena; NULL without memory. */
static const char *narrow(Arena *arena, const char *bytes, size_t *length) {
    Text text = text_new();
    wide_add(&text, bytes, *length);
    const char *copy = NULL;
    if (!text.failed) copy = arena_copy(arena, text.bytes, text.length);
    *length = text.length;
    text_free(&text);
    return copy;
}

/* The rows of a CSV file as RFC 4180 and spreadsheets write it. UTF-16 is recognised by its mark. */
bool csv_read(Csv *csv, Arena *arena, const char *bytes, size_t length, const char *shown,
              Diagnostics *diagnostics) {
    Reader reader = {arena, bytes, bytes + length, ',', 1, shown, diagnostics};
    *csv = (Csv){.count = 0};
    if (wide_is(bytes, length)) {
        reader.at = narrow(arena, bytes, &length);
        if (reader.at == NULL) return refuse(&reader, 1, "there is no memory to read it", NULL);
        reader.end = reader.at + length;
    }
    /* A program that puts a mark in front may not see the one that is there. */
    while (reader.end - reader.at >= 3 && memcmp(reader.at, "\xEF\xBB\xBF", 3) == 0)
        reader.at += 3;
    if (!read_separator_line(&reader)) reader.separator = guess_separator(&reader);
    csv->rows = ARENA_ARRAY(arena, count_lines(&reader), CsvRow);
    if (csv->rows == NULL) return refuse(&reader, 1, "there is no memory to read it", NULL);
    Text cell = text_new();
    bool fine = true;
    while (fine && reader.at < reader.end) {
        CsvRow row;
        fine = read_row(&reader, &cell, &row);
        if (fine && row.count > 0) csv->rows[csv->count++] = row;
    }
    text_free(&cell);
    return fine;
}
