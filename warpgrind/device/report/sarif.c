/* sarif.c - see sarif.h; what all our logs share is in base/sarif.h. */
#include "device/report/sarif.h"
#include "base/merge.h"
#include "base/sarif.h"

static void add_location(struct json_object *list, struct json_object *place, const char *what) {
    if (place == NULL) return;
    sarif_add_location(list, json_text(place, "file", ""), json_number(place, "line", 0),
                       json_number(place, "column", 0), what);
}

static void add_words(Text *text, struct json_object *report, struct json_object *finding) {
    text_add(text, json_text(finding, "message", ""));
    if (json_array(finding, "processes") != NULL) {
        text_add(text, " (");
        merge_who(report, finding, text);
        text_add(text, ")");
    }
    text_format(text, ". %s", json_text(finding, "explanation", ""));
}

/* NULL for a kind that has no rule. */
static struct json_object *result_of(struct json_object *report, struct json_object *finding) {
    Text text = text_new();
    add_words(&text, report, finding);
    struct json_object *result =
        sarif_result(json_text(finding, "kind", ""), json_text(finding, "severity", "error"), text.bytes,
                     json_number(finding, "count", 1));
    text_free(&text);
    if (result == NULL) return NULL;
    struct json_object *locations = json_object_new_array(), *related = json_object_new_array(),
                       *other = json_member(finding, "other");
    add_location(locations, finding, json_text(finding, "what", NULL));
    add_location(related, other, other != NULL ? json_text(other, "what", NULL) : NULL);
    add_location(related, json_member(finding, "array"), "the array");
    json_object_object_add(result, "locations", locations);
    json_object_object_add(result, "relatedLocations", related);
    return result;
}

struct json_object *sarif_of_report(struct json_object *report) {
    struct json_object *results = json_object_new_array(), *findings = json_array(report, "findings");
    JSON_EACH(finding, findings) {
        struct json_object *result = result_of(report, finding);
        if (result != NULL) json_object_array_add(results, result);
    }
    return sarif_log("warpgrind", results);
}
