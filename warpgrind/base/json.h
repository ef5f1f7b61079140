/* json.h - json-c with the checks our readers need: every getter names what is missing and where.
 *
 * Reading goes through these, because reports come from another process. So does writing of texts that others
 * have made; the rest of it uses json-c directly.
 */
#pragma once

#include "base/diag.h"
#include <json-c/json.h>

/** Parses at most `limit` bytes of file; NULL and a diagnostic with line and column on failure. Caller puts
 * it. */
struct json_object *json_read_file(const char *path, size_t limit, Diagnostics *diagnostics);
struct json_object *json_parse_text(const char *bytes, size_t length, const char *name,
                                    Diagnostics *diagnostics);
/** Typed members with defaults when absent or of another type. */
const char *json_text(struct json_object *object, const char *key, const char *fallback);
long json_number(struct json_object *object, const char *key, long fallback);
double json_real(struct json_object *object, const char *key, double fallback);
bool json_flag(struct json_object *object, const char *key, bool fallback);
/** The member, or NULL when it is not an object (array). */
struct json_object *json_member(struct json_object *object, const char *key);
struct json_object *json_array(struct json_object *object, const char *key);
/** How many entries the array has; 0 for NULL. */
size_t json_length(struct json_object *array);

/** An array on the way through its entries: see JSON_EACH. */
typedef struct JsonWalk {
    struct json_object *array;
    size_t at, length;
    bool left; /**< by a break */
} JsonWalk;

/** A loop over the entries of an array, or none for NULL. The inner loop takes one round, which declares the
 * entry; where a break has left it, the outer one goes no further. */
#define JSON_EACH(entry, list)                                                                               \
    for (JsonWalk entry##_walk = json_walk(list); json_walks(&entry##_walk); entry##_walk.at++)              \
        for (struct json_object *entry = json_object_array_get_idx(entry##_walk.array, entry##_walk.at);     \
             entry##_walk.left; entry##_walk.left = false)

static inline JsonWalk json_walk(struct json_object *array) {
    return (JsonWalk){array, 0, json_length(array), false};
}

/** Whether there is one more entry to go to. */
static inline bool json_walks(JsonWalk *walk) {
    if (walk->left || walk->at == walk->length) return false;
    walk->left = true;
    return true;
}

/** Adds a text as valid UTF-8 (text_add_utf8); NULL is empty. */
void json_put_text(struct json_object *object, const char *key, const char *text);
/** Adds a text that is harmless on a terminal, too (text_add_visible), for readers who show it as it is. */
void json_put_visible(struct json_object *object, const char *key, const char *text);
void json_put_number(struct json_object *object, const char *key, int64_t number);
void json_put_flag(struct json_object *object, const char *key, bool flag);
/** A text of its own, as json_put_visible writes it. */
struct json_object *json_new_visible(const char *text);
struct json_object *json_new_visible_bytes(const char *bytes, size_t length);
