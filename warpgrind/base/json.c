/* json.c - checked reading of JSON that another process wrote, and writing of what others said; see json.h.
 */
#include "base/json.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { DEEPEST_NESTING = 64 };

/* Line and column, from 1, of the byte at `offset`. */
static void find_place(const char *bytes, size_t length, size_t offset, int *line, int *column) {
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < length; i++) {
        if (bytes[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            ++*column;
        }
    }
}

static bool only_blanks(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", bytes[i]) || !bytes[i]) return false;
    return true;
}

static void report(Diagnostics *diagnostics, const char *name, const char *bytes, size_t length,
                   size_t offset, const char *what) {
    int line, column;
    find_place(bytes, length, offset, &line, &column);
    diag_add(diagnostics, DIAG_ERROR, name, line, column, "this is not valid JSON: %s", what);
}

static struct json_object *parse_text(const char *bytes, size_t length, const char *name,
                                      Diagnostics *diagnostics) {
    if (length > INT_MAX) {
        diag_add(diagnostics, DIAG_ERROR, name, 0, 0, "the JSON text is too long");
        return NULL;
    }
    struct json_tokener *tokener = json_tokener_new_ex(DEEPEST_NESTING);
    if (!tokener) {
        diag_add(diagnostics, DIAG_ERROR, name, 0, 0, "no memory to parse JSON");
        return NULL;
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
    struct json_object *object = json_tokener_parse_ex(tokener, bytes, (int)length);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    if (error == json_tokener_continue) { /* a bare number is complete only when the NUL behind it is seen */
        object = json_tokener_parse_ex(tokener, "", 1);
        if (json_tokener_get_error(tokener) == json_tokener_success) error = json_tokener_success;
        end = length;
    }
    json_tokener_free(tokener);
    if (error != json_tokener_success) {
        report(diagnostics, name, bytes, length, end,
               error == json_tokener_continue ? "it ends too early" : json_tokener_error_desc(error));
    } else if (end < length && !only_blanks(bytes + end, length - end)) {
        report(diagnostics, name, bytes, length, end, "there is more text after the value");
    } else if (!object) {
        report(diagnostics, name, bytes, length, 0, "null is no document");
    } else {
        return object;
    }
    json_object_put(object);
    return NULL;
}

/* The bits of a character that has several bytes, as JSON's \uNNNN; how many bytes those are. */
static size_t character_escape(Text *out, const char *bytes) {
    const unsigned char *s = (const unsigned char *)bytes;
    size_t length = 2u + (s[0] >= 0xE0) + (s[0] >= 0xF0);
    uint32_t code = s[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (s[i] & 0x3Fu);
    if (code <= 0xFFFF)
        text_format(out, "\\u%04x", code);
    else
        text_format(out, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF));
    return length;
}

static void text_escape(Text *out, const Text *utf8) {
    for (size_t i = 0; i < utf8->length;) {
        if ((unsigned char)utf8->bytes[i] >= 0x80) {
            i += character_escape(out, utf8->bytes + i);
            continue;
        }
        size_t plain = i + 1;
        while (plain < utf8->length && (unsigned char)utf8->bytes[plain] < 0x80)
            plain++;
        text_append(out, utf8->bytes + i, plain - i);
        i = plain;
    }
}

/* json-c 0.18 compares characters that have a sign, so in strict mode every byte beyond ASCII is a control
 * character to it. It gets them as escapes.
 * LIMIT: an error's column counts the escapes. */
enum { JSON_C_WITH_SIGNS = 18 << 8 };

struct json_object *json_parse_text(const char *bytes, size_t length, const char *name,
                                    Diagnostics *diagnostics) {
    if (json_c_version_num() != JSON_C_WITH_SIGNS) return parse_text(bytes, length, name, diagnostics);
    Text utf8 = text_new(), ascii = text_new();
    text_add_utf8(&utf8, bytes, length);
    text_escape(&ascii, &utf8);
    struct json_object *object = NULL;
    if (utf8.failed || ascii.failed)
        diag_add(diagnostics, DIAG_ERROR, name, 0, 0, "no memory to parse JSON");
    else
        object = parse_text(ascii.bytes, ascii.length, name, diagnostics);
    text_free(&utf8);
    text_free(&ascii);
    return object;
}

struct json_object *json_read_file(const char *path, size_t limit, Diagnostics *diagnostics) {
    Text text = text_new();
    struct json_object *object = NULL;
    if (text_read_file(&text, path, limit))
        object = json_parse_text(text.bytes, text.length, path, diagnostics);
    else
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot read: %s", strerror(errno));
    text_free(&text);
    return object;
}

static struct json_object *member_of_type(struct json_object *object, const char *key, enum json_type type) {
    struct json_object *member = NULL;
    if (!json_object_is_type(object, json_type_object)) return NULL;
    if (!json_object_object_get_ex(object, key, &member)) return NULL;
    if (json_object_is_type(member, type)) return member;
    return NULL;
}

const char *json_text(struct json_object *object, const char *key, const char *fallback) {
    struct json_object *member = member_of_type(object, key, json_type_string);
    if (member) return json_object_get_string(member);
    return fallback;
}

long json_number(struct json_object *object, const char *key, long fallback) {
    struct json_object *member = member_of_type(object, key, json_type_int);
    if (member) return (long)json_object_get_int64(member);
    return fallback;
}

double json_real(struct json_object *object, const char *key, double fallback) {
    struct json_object *member = member_of_type(object, key, json_type_double);
    if (!member) member = member_of_type(object, key, json_type_int);
    if (member) return json_object_get_double(member);
    return fallback;
}

bool json_flag(struct json_object *object, const char *key, bool fallback) {
    struct json_object *member = member_of_type(object, key, json_type_boolean);
    if (member) return json_object_get_boolean(member);
    return fallback;
}

struct json_object *json_member(struct json_object *object, const char *key) {
    return member_of_type(object, key, json_type_object);
}

struct json_object *json_array(struct json_object *object, const char *key) {
    return member_of_type(object, key, json_type_array);
}

size_t json_length(struct json_object *array) {
    if (array) return json_object_array_length(array);
    return 0;
}

/* ---- writing ---- */

typedef void Cleaner(Text *text, const char *bytes, size_t length);

static struct json_object *new_text(const char *bytes, size_t length, Cleaner *clean) {
    Text text = text_new();
    clean(&text, bytes, length);
    struct json_object *object = json_object_new_string_len(text.bytes, (int)text.length);
    text_free(&text);
    return object;
}

void json_put_text(struct json_object *object, const char *key, const char *text) {
    if (!text) text = "";
    json_object_object_add(object, key, new_text(text, strlen(text), text_add_utf8));
}

struct json_object *json_new_visible_bytes(const char *bytes, size_t length) {
    return new_text(bytes, length, text_add_visible);
}

struct json_object *json_new_visible(const char *text) {
    if (!text) text = "";
    return json_new_visible_bytes(text, strlen(text));
}

void json_put_visible(struct json_object *object, const char *key, const char *text) {
    json_object_object_add(object, key, json_new_visible(text));
}

void json_put_number(struct json_object *object, const char *key, int64_t number) {
    json_object_object_add(object, key, json_object_new_int64(number));
}

void json_put_flag(struct json_object *object, const char *key, bool flag) {
    json_object_object_add(object, key, json_object_new_boolean(flag));
}
