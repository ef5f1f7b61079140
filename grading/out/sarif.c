/* sarif.c - a student's findings as SARIF 2.1.0; warpgrind/base/sarif.h has what all our logs share. */
#include "base/sarif.h"

#include "grading/out/out.h"

/* A finding as SARIF 2.1.0 has it: message and advice as one text, the other party as a related location. */
static struct json_object *result_of(const ExportJob *job, struct json_object *finding) {
    Text words = text_new();
    text_format(&words, "%s. %s", out_member(job->arena, finding, "message"),
                out_member(job->arena, finding, "explanation"));
    struct json_object *result =
        sarif_result(json_text(finding, "kind", ""), json_text(finding, "severity", "error"), words.bytes,
                     json_number(finding, "count", 1));
    text_free(&words);
    if (result == NULL) return NULL;
    struct json_object *places = json_object_new_array(), *related = json_object_new_array();
    const char *file = out_member(job->arena, finding, "file");
    sarif_add_location(places, file, json_number(finding, "line", 0), json_number(finding, "column", 0),
                       NULL);
    sarif_add_location(related, file, json_number(finding, "other_line", 0),
                       json_number(finding, "other_column", 0),
                       out_member(job->arena, finding, "other_what"));
    json_object_object_add(result, "locations", places);
    json_object_object_add(result, "relatedLocations", related);
    return result;
}

/* All findings of all lessons in one log. */
bool export_sarif(const ExportJob *job, Text *out) {
    struct json_object *results = json_object_new_array();
    for (size_t i = 0; i < job->class->lesson_count; i++) {
        JSON_EACH(finding, json_array(job->class->grades[i].result, "findings")) {
            struct json_object *result = result_of(job, finding);
            if (result != NULL) json_object_array_add(results, result);
        }
    }
    out_document(out, sarif_log("warpschool", results));
    return true;
}
