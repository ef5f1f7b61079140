/* npy.c - .npy files, read as if an enemy wrote them; see npy.h.
 *
 * A file is: "\x93NUMPY", version, length of the header, the header (a Python dictionary as text), the data.
 * The header is parsed by a small cursor that knows exactly the three keys NumPy writes.
 */
#include "base/npy.h"

#include <errno.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "npy data is copied as it is");

static const struct {
    const char *descr;
    size_t bytes;
} types[] = {
    [NPY_F32] = {"<f4", 4}, [NPY_F64] = {"<f8", 8}, [NPY_I32] = {"<i4", 4},
    [NPY_I64] = {"<i8", 8}, [NPY_U8] = {"|u1", 1},  [NPY_U32] = {"<u4", 4},
};
enum { TYPE_COUNT = sizeof types / sizeof *types, MAGIC_BYTES = 6, LONGEST_HEADER = 4096 };
static const char magic[] = "\x93NUMPY";

size_t npy_type_bytes(NpyType type) {
    return types[type].bytes;
}

bool npy_make(NpyArray *array, Arena *arena, NpyType type, size_t count) {
    *array = (NpyArray){.type = type, .dimensions = 1, .shape = {count}, .count = count};
    if (!count) return true;
    array->data = arena_array(arena, count, types[type].bytes);
    return array->data != NULL;
}

/* ---- the header ---- */

typedef struct Cursor {
    const char *at, *end;
} Cursor;

static void skip_blanks(Cursor *cursor) {
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n'))
        cursor->at++;
}

static bool take(Cursor *cursor, const char *word) {
    skip_blanks(cursor);
    size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0) return false;
    cursor->at += length;
    return true;
}

static bool take_number(Cursor *cursor, size_t *value) {
    skip_blanks(cursor);
    const char *start = cursor->at;
    *value = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        if (__builtin_mul_overflow(*value, (size_t)10, value)) return false;
        if (__builtin_add_overflow(*value, (size_t)(*cursor->at - '0'), value)) return false;
    }
    return cursor->at > start;
}

/* shape = "(" [number {"," number} [","]] ")" */
static bool take_shape(Cursor *cursor, NpyArray *array) {
    if (!take(cursor, "(")) return false;
    while (!take(cursor, ")")) {
        if (array->dimensions == NPY_MAX_DIMENSIONS) return false;
        if (!take_number(cursor, &array->shape[array->dimensions++])) return false;
        if (take(cursor, ",")) continue;
        return take(cursor, ")");
    }
    return true;
}

static bool take_type(Cursor *cursor, NpyArray *array) {
    for (int i = 0; i < TYPE_COUNT; i++) {
        Cursor ahead = *cursor;
        if (!take(&ahead, "'") || !take(&ahead, types[i].descr) || !take(&ahead, "'")) continue;
        *cursor = ahead;
        array->type = (NpyType)i;
        return true;
    }
    return false;
}

/* NULL, or what is wrong with the dictionary. */
static const char *parse_dictionary(Cursor *cursor, NpyArray *array) {
    bool has_type = false, has_order = false, has_shape = false;
    if (!take(cursor, "{")) return "its header is no dictionary";
    while (!take(cursor, "}")) {
        if (!has_type && take(cursor, "'descr':")) {
            if (!take_type(cursor, array))
                return "its element type is none of f4, f8, i4, i8, u1, u4 (little endian)";
            has_type = true;
        } else if (!has_order && take(cursor, "'fortran_order':")) {
            if (!take(cursor, "False")) return "it is in Fortran order";
            has_order = true;
        } else if (!has_shape && take(cursor, "'shape':")) {
            if (!take_shape(cursor, array)) return "its shape is malformed";
            has_shape = true;
        } else {
            return "its header is malformed";
        }
        take(cursor, ",");
    }
    if (has_type && has_order && has_shape) return NULL;
    return "its header lacks descr, fortran_order or shape";
}

static bool count_elements(NpyArray *array, size_t *bytes) {
    array->count = 1;
    for (int i = 0; i < array->dimensions; i++)
        if (__builtin_mul_overflow(array->count, array->shape[i], &array->count)) return false;
    return !__builtin_mul_overflow(array->count, types[array->type].bytes, bytes);
}

/* The length field is 2 bytes long in version 1.0 and 4 bytes in 2.0. */
static const char *find_header(const unsigned char *bytes, size_t length, Cursor *header) {
    if (length < MAGIC_BYTES + 2 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return "it does not begin with \\x93NUMPY";
    unsigned version = bytes[MAGIC_BYTES];
    if (version != 1 && version != 2) return "its format version is neither 1.0 nor 2.0";
    size_t width = version == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + width, size = 0;
    if (length < start) return "it is cut short";
    for (size_t i = 0; i < width; i++)
        size |= (size_t)bytes[MAGIC_BYTES + 2 + i] << (8 * i);
    if (size > LONGEST_HEADER || size > length - start) return "its header is cut short or too long";
    *header = (Cursor){(const char *)bytes + start, (const char *)bytes + start + size};
    return NULL;
}

/* What is wrong with the file, or NULL. The length of the data must be what the shape says to the byte: a
 * file from a program is not trusted. */
static const char *parse(NpyArray *array, Arena *arena, const char *bytes, size_t length) {
    Cursor header;
    size_t data_bytes;
    const char *wrong = find_header((const unsigned char *)bytes, length, &header);
    if (!wrong) wrong = parse_dictionary(&header, array);
    if (wrong) return wrong;
    if (!count_elements(array, &data_bytes)) return "its shape is too large";
    if (data_bytes != (size_t)(bytes + length - header.end))
        return "its data does not have the length its shape says";
    if (!data_bytes) return NULL;
    array->data = arena_alloc(arena, data_bytes);
    if (!array->data) return "there is not enough memory for it";
    memcpy(array->data, header.end, data_bytes);
    return NULL;
}

bool npy_parse(NpyArray *array, Arena *arena, const void *bytes, size_t length, const char *name,
               Diagnostics *diagnostics) {
    *array = (NpyArray){0};
    const char *wrong = parse(array, arena, bytes, length);
    if (!wrong) return true;
    *array = (NpyArray){0};
    diag_add(diagnostics, DIAG_ERROR, name, 0, 0, "not an array that can be read: %s", wrong);
    return false;
}

/* The limit is checked before anything is read: a program may have left a file of any size. */
bool npy_read(NpyArray *array, Arena *arena, const char *path, size_t limit_bytes, Diagnostics *diagnostics) {
    *array = (NpyArray){0};
    Text text = text_new();
    bool ok = text_read_file(&text, path, limit_bytes);
    if (ok)
        ok = npy_parse(array, arena, text.bytes, text.length, path, diagnostics);
    else
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot read: %s", strerror(errno));
    text_free(&text);
    return ok;
}

/* ---- writing ---- */

/* The header is padded so that the data starts at a multiple of 64, as NumPy does. */
static void write_header(const NpyArray *array, Text *out) {
    Text dictionary = text_new();
    text_format(&dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (", types[array->type].descr);
    for (int i = 0; i < array->dimensions; i++) {
        bool comma = i + 1 < array->dimensions || array->dimensions == 1; /* (3,) is a tuple, (3) a number */
        if (i > 0) text_add(&dictionary, " ");
        text_format(&dictionary, "%zu%s", array->shape[i], comma ? "," : "");
    }
    text_add(&dictionary, "), }");
    while ((MAGIC_BYTES + 4 + dictionary.length + 1) % 64 != 0)
        text_add(&dictionary, " ");
    text_add(&dictionary, "\n");
    unsigned char start[4] = {1, 0, (unsigned char)(dictionary.length & 0xFF),
                              (unsigned char)(dictionary.length >> 8)};
    text_append(out, magic, MAGIC_BYTES);
    text_append(out, (const char *)start, sizeof start);
    text_append(out, dictionary.bytes, dictionary.length);
    if (dictionary.failed) out->failed = true;
    text_free(&dictionary);
}

/* The file appears complete or not at all (text_write_file). */
bool npy_write(const NpyArray *array, const char *path, Diagnostics *diagnostics) {
    Text out = text_new();
    write_header(array, &out);
    if (array->count) text_append(&out, array->data, array->count * types[array->type].bytes);
    bool ok = !out.failed && text_write_file(path, out.bytes, out.length);
    if (!ok)
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot write: %s",
                 out.failed ? "no memory" : strerror(errno));
    text_free(&out);
    return ok;
}
