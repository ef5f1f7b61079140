/* precompiled_trim.c - takes one list out of a precompiled header, which every compilation would read in
 * vain.
 *
 * In CUDA an error in a function is held back until something calls the function. So a precompiled header
 * ends with a list of all functions that it defines, a thousand here, and clang reads each of them at the end
 * of every source, to look whether it has such an error: a fifth of the time that a small source takes. What
 * a source calls is found from the source's own functions as well, which are in a list of its own.
 *
 * The list is one record of the AST block. Its code becomes one that clang does not know, and readers skip
 * records that they do not know. Nothing else moves. The container is LLVM's bitstream ("LLVM Bitcode File
 * Format"): blocks, abbreviations that say how records are written, records; all in fields of some bits, the
 * lowest first.
 */
#include "warpcc/warpcc.h"

#include <string.h>

enum {
    END_BLOCK = 0,
    ENTER_SUBBLOCK = 1,
    DEFINE_ABBREVIATION = 2,
    UNABBREVIATED = 3,
    FIRST_ABBREVIATION = 4,
    AST_BLOCK = 8,
    DEFERRED_ERRORS = 64, /* DECLS_TO_CHECK_FOR_DEFERRED_DIAGS, from clang 11 on */
    UNKNOWN_RECORD = 1000,
    OUTER_WIDTH = 2, /* of an abbreviation's number outside of all blocks */
    MOST_ABBREVIATIONS = 128,
    MOST_FIELDS = 32
};

typedef enum Encoding { LITERAL = 0, FIXED = 1, VARIABLE = 2, ARRAY = 3, CHARACTER = 4, BLOB = 5 } Encoding;

typedef struct Field {
    Encoding encoding;
    uint64_t value; /* the literal, or a width */
} Field;

typedef struct Abbreviation {
    Field fields[MOST_FIELDS];
    size_t count;
} Abbreviation;

/* `failed` once something was read past the end or is not known; every read is 0 from then on. */
typedef struct Stream {
    char *bytes;
    uint64_t bits, at;
    bool failed;
    Abbreviation abbreviations[MOST_ABBREVIATIONS];
    size_t abbreviation_count;
} Stream;

static uint64_t read_fixed(Stream *stream, uint64_t width) {
    uint64_t value = 0;
    if (stream->failed || width > 64 || stream->bits - stream->at < width) {
        stream->failed = true;
        return 0;
    }
    for (uint64_t i = 0; i < width; i++, stream->at++)
        value |= (uint64_t)((unsigned char)stream->bytes[stream->at / 8] >> stream->at % 8 & 1) << i;
    return value;
}

/* Pieces of `width` bits, the highest of which says that another piece follows. */
static uint64_t read_variable(Stream *stream, uint64_t width) {
    uint64_t value = 0, piece, more = width > 1 && width <= 32 ? UINT64_C(1) << (width - 1) : 0;
    if (!more) stream->failed = true;
    for (uint64_t shift = 0; !stream->failed && shift < 64; shift += width - 1) {
        piece = read_fixed(stream, width);
        value |= (piece & (more - 1)) << shift;
        if (!(piece & more)) return value;
    }
    stream->failed = true;
    return 0;
}

static void skip_to(Stream *stream, uint64_t bit) {
    if (bit > stream->bits) stream->failed = true;
    if (!stream->failed) stream->at = bit;
}

static void skip_to_word(Stream *stream) {
    skip_to(stream, (stream->at + 31) / 32 * 32);
}

/* An abbreviation is the layout of a kind of records (LLVM bitstream format, "Abbreviations"): fields with
 * fixed or variable widths, or a literal value. */
static void define_abbreviation(Stream *stream) {
    uint64_t count = read_variable(stream, 5);
    if (count > MOST_FIELDS || stream->abbreviation_count == MOST_ABBREVIATIONS) stream->failed = true;
    if (stream->failed) return;
    Abbreviation *made = &stream->abbreviations[stream->abbreviation_count++];
    made->count = (size_t)count;
    for (size_t i = 0; i < made->count; i++) {
        Field *field = &made->fields[i];
        *field = (Field){.encoding = LITERAL};
        if (read_fixed(stream, 1)) {
            field->value = read_variable(stream, 8);
            continue;
        }
        field->encoding = (Encoding)read_fixed(stream, 3);
        if (field->encoding == FIXED || field->encoding == VARIABLE) field->value = read_variable(stream, 5);
    }
}

static void skip_field(Stream *stream, const Field *field) {
    if (field->encoding == FIXED) read_fixed(stream, field->value);
    if (field->encoding == VARIABLE) read_variable(stream, field->value);
    if (field->encoding == CHARACTER) read_fixed(stream, 6);
}

static void skip_blob(Stream *stream, uint64_t bytes) {
    skip_to_word(stream);
    skip_to(stream, stream->at + 8 * bytes);
    skip_to_word(stream);
}

static void skip_array(Stream *stream, uint64_t count, const Field *field) {
    for (; count > 0 && !stream->failed; count--)
        skip_field(stream, field);
}

/* An array and a blob come last: an array's field follows it in the abbreviation. A length that the file
 * cannot hold is a fault of the file's, though elements without a bit of their own would fit. */
static void skip_abbreviated(Stream *stream, uint64_t number) {
    if (number - FIRST_ABBREVIATION >= stream->abbreviation_count) stream->failed = true;
    if (stream->failed) return;
    const Abbreviation *abbreviation = &stream->abbreviations[number - FIRST_ABBREVIATION];
    for (size_t i = 0; i < abbreviation->count; i++) {
        const Field *field = &abbreviation->fields[i];
        if (field->encoding != ARRAY && field->encoding != BLOB) {
            skip_field(stream, field);
            continue;
        }
        uint64_t length = read_variable(stream, 6);
        if (length > stream->bits) stream->failed = true;
        if (stream->failed) return;
        if (field->encoding == BLOB)
            skip_blob(stream, length);
        else if (i + 1 < abbreviation->count)
            skip_array(stream, length, field + 1);
        return;
    }
}

/* Both codes take two pieces of six bits. */
static void record_hide(Stream *stream, uint64_t place) {
    uint64_t code = (UNKNOWN_RECORD % 32 | 32) | (uint64_t)UNKNOWN_RECORD / 32 << 6;
    for (unsigned i = 0; i < 12; i++, place++) {
        char bit = (char)(1 << place % 8);
        if (code >> i & 1)
            stream->bytes[place / 8] |= bit;
        else
            stream->bytes[place / 8] &= (char)~bit;
    }
}

/* A record without an abbreviation; true when it was the list. */
static bool record_is_hidden(Stream *stream) {
    uint64_t place = stream->at, code = read_variable(stream, 6), count = read_variable(stream, 6);
    bool found = code == DEFERRED_ERRORS && !stream->failed;
    if (found) record_hide(stream, place);
    for (; !found && count > 0 && !stream->failed; count--)
        read_variable(stream, 6);
    return found;
}

/* Behind the number of a block: how wide its abbreviations' numbers are, and where it ends. */
static uint64_t enter_block(Stream *stream, uint64_t *width) {
    *width = read_variable(stream, 4);
    skip_to_word(stream);
    uint64_t words = read_fixed(stream, 32);
    return stream->at + 32 * words;
}

/* Walks over one block of the bitstream without its inner blocks, which are skipped by their length, until
 * the record is found. */
static bool block_search(Stream *stream, uint64_t width) {
    bool found = false;
    stream->abbreviation_count = 0;
    while (!stream->failed && !found) {
        uint64_t inner, number = read_fixed(stream, width);
        if (number == END_BLOCK) break;
        if (number == ENTER_SUBBLOCK) {
            read_variable(stream, 8);
            skip_to(stream, enter_block(stream, &inner));
        } else if (number == DEFINE_ABBREVIATION) {
            define_abbreviation(stream);
        } else if (number == UNABBREVIATED) {
            found = record_is_hidden(stream);
        } else {
            skip_abbreviated(stream, number);
        }
    }
    return found;
}

bool precompiled_trim(Text *header) {
    static const char MAGIC[] = "CPCH";
    if (!text_starts_with(header->bytes, MAGIC)) return false;
    Stream stream = {.bytes = header->bytes, .bits = 8 * (uint64_t)header->length, .at = 8 * strlen(MAGIC)};
    while (read_fixed(&stream, OUTER_WIDTH) == ENTER_SUBBLOCK) {
        uint64_t width, block = read_variable(&stream, 8), end = enter_block(&stream, &width);
        if (block == AST_BLOCK) return block_search(&stream, width);
        skip_to(&stream, end);
    }
    return false;
}
