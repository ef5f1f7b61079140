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

struct json_object *json_parse_text(const char *bytes, size_t length, const char *name,
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
        error = json_tokener_get_error(tokener) == json_tokener_success ? json_tokener_success : error;
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

struct json_object *json_read_file(const char *path, size_t limit, Diagnostics *diagnostics) {
    Text text;
    text_init(&text);
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
    return json_object_is_type(member, type) ? member : NULL;
}

const char *json_text(struct json_object *object, const char *key, const char *fallback) {
    struct json_object *member = member_of_type(object, key, json_type_string);
    return member ? json_object_get_string(member) : fallback;
}

long json_number(struct json_object *object, const char *key, long fallback) {
    struct json_object *member = member_of_type(object, key, json_type_int);
    return member ? (long)json_object_get_int64(member) : fallback;
}

double json_real(struct json_object *object, const char *key, double fallback) {
    struct json_object *member = member_of_type(object, key, json_type_double);
    if (!member) member = member_of_type(object, key, json_type_int);
    return member ? json_object_get_double(member) : fallback;
}

bool json_flag(struct json_object *object, const char *key, bool fallback) {
    struct json_object *member = member_of_type(object, key, json_type_boolean);
    return member ? json_object_get_boolean(member) : fallback;
}

struct json_object *json_member(struct json_object *object, const char *key) {
    return member_of_type(object, key, json_type_object);
}

struct json_object *json_array(struct json_object *object, const char *key) {
    return member_of_type(object, key, json_type_array);
}

/* ---- writing ---- */

typedef void Cleaner(Text *text, const char *bytes, size_t length);

static struct json_object *new_text(const char *bytes, size_t length, Cleaner *clean) {
    Text text;
    text_init(&text);
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
