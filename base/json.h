/* json.h - json-c with the checks our readers need: every getter names what is missing and where.
 *
 * Writing uses json-c directly (json_object_new_..., json_object_to_json_string_ext). Reading goes through
 * these, because reports come from another process.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

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

#endif
