/* sarif.c - see sarif.h. */
#include "base/sarif.h"
#include "base/finding.h"
#include "base/minmax.h"

#include <string.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static void add_text(struct json_object *object, const char *key, const char *text) {
    json_object_object_add(object, key, json_object_new_string(text));
}

/* {"text": ...} */
static struct json_object *message_of(const char *text) {
    struct json_object *message = json_object_new_object();
    add_text(message, "text", text);
    return message;
}

/* "error" or "note" */
static const char *level_of(const char *severity) {
    if (strcmp(severity, "note") == 0) return "note";
    return "error";
}

/* ---- rules ---- */

static struct json_object *rule_of(const FindingInfo *info) {
    struct json_object *rule = json_object_new_object(), *defaults = json_object_new_object();
    add_text(rule, "id", info->name);
    json_object_object_add(rule, "shortDescription", message_of(info->title));
    json_object_object_add(rule, "fullDescription", message_of(info->explanation));
    json_object_object_add(rule, "help", message_of(info->explanation));
    add_text(defaults, "level", info->severity == FINDING_NOTE ? "note" : "error");
    json_object_object_add(rule, "defaultConfiguration", defaults);
    return rule;
}

static struct json_object *tool(const char *name) {
    struct json_object *rules = json_object_new_array(), *driver = json_object_new_object(),
                       *object = json_object_new_object();
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++)
        json_object_array_add(rules, rule_of(finding_info((FindingKind)kind)));
    add_text(driver, "name", name);
    json_object_object_add(driver, "rules", rules);
    json_object_object_add(object, "driver", driver);
    return object;
}

struct json_object *sarif_log(const char *name, struct json_object *results) {
    struct json_object *log = json_object_new_object(), *run = json_object_new_object(),
                       *runs = json_object_new_array();
    json_object_object_add(run, "tool", tool(name));
    json_object_object_add(run, "results", results);
    json_object_array_add(runs, run);
    add_text(log, "$schema", SCHEMA);
    add_text(log, "version", "2.1.0");
    json_object_object_add(log, "runs", runs);
    return log;
}

/* ---- places ---- */

/* A file name as a URI reference: everything but the unreserved characters and / is escaped (RFC 3986). */
static void add_uri(struct json_object *object, const char *file) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    Text uri = text_new();
    if (file[0] == '/') text_add(&uri, "file://");
    for (const unsigned char *at = (const unsigned char *)file; *at; at++) {
        if (strchr(plain, *at))
            text_append(&uri, (const char *)at, 1);
        else
            text_format(&uri, "%%%02X", *at);
    }
    add_text(object, "uri", uri.bytes);
    text_free(&uri);
}

/* A location without a file or a line is left out: SARIF has no "unknown" (SARIF 2.1.0, 3.28). Each has a
 * number that other parts of a result refer to. */
void sarif_add_location(struct json_object *list, const char *file, int64_t line, int64_t column,
                        const char *what) {
    if (line <= 0 || !file[0]) return;
    struct json_object *artifact = json_object_new_object(), *region = json_object_new_object(),
                       *physical = json_object_new_object(), *location = json_object_new_object();
    add_uri(artifact, file);
    json_object_object_add(region, "startLine", json_object_new_int64(line));
    if (column > 0) json_object_object_add(region, "startColumn", json_object_new_int64(column));
    json_object_object_add(physical, "artifactLocation", artifact);
    json_object_object_add(physical, "region", region);
    json_object_object_add(location, "physicalLocation", physical);
    if (what && what[0]) json_object_object_add(location, "message", message_of(what));
    int64_t id = (int64_t)json_object_array_length(list) + 1;
    json_object_object_add(location, "id", json_object_new_int64(id));
    json_object_array_add(list, location);
}

/* ---- results ---- */

struct json_object *sarif_result(const char *kind, const char *severity, const char *message, int64_t count) {
    FindingKind rule = finding_by_name(kind);
    if (rule == FINDING_KIND_COUNT) return NULL;
    struct json_object *result = json_object_new_object();
    add_text(result, "ruleId", kind);
    json_object_object_add(result, "ruleIndex", json_object_new_int((int)rule));
    add_text(result, "level", level_of(severity));
    json_object_object_add(result, "message", message_of(message));
    json_object_object_add(result, "occurrenceCount", json_object_new_int64(MAX(1, count)));
    return result;
}
