/* sarif.c - see sarif.h. OASIS SARIF 2.1.0: one run, its rules are the rows of findings.def. */
#include "device/sarif.h"
#include "base/finding.h"
#include "base/merge.h"

#include <string.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static void add_text(struct json_object *object, const char *key, const char *text) {
    json_object_object_add(object, key, json_object_new_string(text));
}

static struct json_object *message_of(const char *text) {
    struct json_object *message = json_object_new_object();
    add_text(message, "text", text);
    return message;
}

static const char *level_of(const char *severity) {
    return strcmp(severity, "note") == 0 ? "note" : "error";
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

static struct json_object *tool(void) {
    struct json_object *rules = json_object_new_array(), *driver = json_object_new_object(),
                       *object = json_object_new_object();
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++)
        json_object_array_add(rules, rule_of(finding_info((FindingKind)kind)));
    add_text(driver, "name", "warpgrind");
    json_object_object_add(driver, "rules", rules);
    json_object_object_add(object, "driver", driver);
    return object;
}

/* ---- places ---- */

/* A file name as a URI reference: everything but the unreserved characters and / is escaped (RFC 3986). */
static void add_uri(struct json_object *object, const char *file) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    Text uri;
    text_init(&uri);
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

/* NULL when the place is unknown. */
static struct json_object *location_of(struct json_object *place, const char *what) {
    const char *file = json_text(place, "file", "");
    int64_t line = json_number(place, "line", 0), column = json_number(place, "column", 0);
    if (line <= 0 || !file[0]) return NULL;
    struct json_object *artifact = json_object_new_object(), *region = json_object_new_object(),
                       *physical = json_object_new_object(), *location = json_object_new_object();
    add_uri(artifact, file);
    json_object_object_add(region, "startLine", json_object_new_int64(line));
    if (column > 0) json_object_object_add(region, "startColumn", json_object_new_int64(column));
    json_object_object_add(physical, "artifactLocation", artifact);
    json_object_object_add(physical, "region", region);
    json_object_object_add(location, "physicalLocation", physical);
    if (what && what[0]) json_object_object_add(location, "message", message_of(what));
    return location;
}

static void add_location(struct json_object *list, struct json_object *place, const char *what) {
    struct json_object *location = place ? location_of(place, what) : NULL;
    if (!location) return;
    int64_t id = (int64_t)json_object_array_length(list) + 1;
    json_object_object_add(location, "id", json_object_new_int64(id));
    json_object_array_add(list, location);
}

/* ---- results ---- */

static struct json_object *result_of(struct json_object *report, struct json_object *finding) {
    const char *kind = json_text(finding, "kind", "");
    struct json_object *result = json_object_new_object(), *locations = json_object_new_array(),
                       *related = json_object_new_array(), *other = json_member(finding, "other");
    add_text(result, "ruleId", kind);
    json_object_object_add(result, "ruleIndex", json_object_new_int((int)finding_by_name(kind)));
    add_text(result, "level", level_of(json_text(finding, "severity", "error")));
    Text text;
    text_init(&text);
    text_add(&text, json_text(finding, "message", ""));
    struct json_object *processes = json_array(finding, "processes");
    if (processes != NULL) {
        text_add(&text, " (");
        merge_who(report, finding, &text);
        text_add(&text, ")");
    }
    text_format(&text, ". %s", json_text(finding, "explanation", ""));
    json_object_object_add(result, "message", message_of(text.bytes));
    text_free(&text);
    add_location(locations, finding, json_text(finding, "what", NULL));
    add_location(related, other, other ? json_text(other, "what", NULL) : NULL);
    add_location(related, json_member(finding, "array"), "the array");
    json_object_object_add(result, "locations", locations);
    json_object_object_add(result, "relatedLocations", related);
    int64_t count = json_number(finding, "count", 1);
    json_object_object_add(result, "occurrenceCount", json_object_new_int64(count < 1 ? 1 : count));
    return result;
}

struct json_object *sarif_of_report(struct json_object *report) {
    struct json_object *log = json_object_new_object(), *run = json_object_new_object(),
                       *runs = json_object_new_array(), *results = json_object_new_array(),
                       *findings = json_array(report, "findings");
    for (size_t i = 0; findings && i < json_object_array_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        if (finding_by_name(json_text(finding, "kind", "")) == FINDING_KIND_COUNT) continue;
        json_object_array_add(results, result_of(report, finding));
    }
    json_object_object_add(run, "tool", tool());
    json_object_object_add(run, "results", results);
    json_object_array_add(runs, run);
    add_text(log, "$schema", SCHEMA);
    add_text(log, "version", "2.1.0");
    json_object_object_add(log, "runs", runs);
    return log;
}
