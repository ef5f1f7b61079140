/* replay.c - see replay.h. */
#include "device/report/replay.h"
#include "base/merge.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/** Files below the folder the user is in are shown as he would name them. */
static const char *relative(const char *file) {
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) == NULL || !text_starts_with(file, folder)) return file;
    const char *rest = file + strlen(folder);
    if (rest[0] == '/' && rest[1] != 0) return rest + 1;
    return file;
}

static CheckPlace place_of(struct json_object *from) {
    return (CheckPlace){.file = relative(json_text(from, "file", "")),
                        .line = (int)json_number(from, "line", 0),
                        .column = (int)json_number(from, "column", 0),
                        .address = (uint64_t)json_number(from, "address", 0)};
}

static bool dimension_of(struct json_object *from, const char *key, GpuDim *dimension) {
    struct json_object *list = json_array(from, key);
    if (list == NULL || json_object_array_length(list) != 3) return false;
    uint32_t values[3];
    for (size_t i = 0; i < 3; i++)
        values[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(list, i));
    *dimension = (GpuDim){values[0], values[1], values[2]};
    return true;
}

static CheckParty party_of(struct json_object *from) {
    CheckParty party = {.place = place_of(from), .what = json_text(from, "what", NULL)};
    party.has_thread =
        dimension_of(from, "thread", &party.thread) && dimension_of(from, "block", &party.block);
    return party;
}

static CheckArray array_of(struct json_object *from) {
    return (CheckArray){.name = json_text(from, "name", NULL),
                        .space = json_text(from, "space", NULL),
                        .index = json_number(from, "index", 0),
                        .length = (uint64_t)json_number(from, "length", 0),
                        .element_bytes = (unsigned)json_number(from, "element_bytes", 0),
                        .declared = place_of(from)};
}

/* Causes stand before what follows from them. */
static void add_finding(Check *check, struct json_object *report, struct json_object *from) {
    FindingKind kind = finding_by_name(json_text(from, "kind", ""));
    if (kind == FINDING_KIND_COUNT) return;
    CheckFinding finding = {
        .kind = kind,
        .severity = strcmp(json_text(from, "severity", "error"), "note") == 0 ? FINDING_NOTE : FINDING_ERROR,
        .kernel = json_text(from, "kernel", NULL),
        .launch = (uint32_t)json_number(from, "launch", 0),
        .party = party_of(from),
        .message = json_text(from, "message", ""),
        .explanation = json_text(from, "explanation", NULL),
        .mark = json_text(from, "mark", ""),
        .count = (uint64_t)json_number(from, "count", 1)};
    struct json_object *other = json_member(from, "other"), *array = json_member(from, "array");
    if (other != NULL) finding.other = party_of(other);
    if (array != NULL) finding.array = array_of(array);
    int64_t follows = json_number(from, "follows", -1);
    if (follows >= 0 && follows < UINT_MAX) finding.cause = check_finding(check, (unsigned)follows);
    Text who = text_new();
    merge_who(report, from, &who);
    if (who.length > 0) finding.who = who.bytes;
    (void)check_append(check, &finding);
    text_free(&who);
}

static void add_launches(Check *check, struct json_object *list) {
    JSON_EACH(launch, list) {
        GpuDim grid, block;
        if (dimension_of(launch, "grid", &grid) && dimension_of(launch, "block", &block))
            check_add_launch(check, (uint32_t)json_number(launch, "id", 0),
                             (uint32_t)json_number(launch, "parent", 0), grid, block);
    }
}

bool replay_text(struct json_object *report, Text *out, bool colour, bool full) {
    GpuConfig config = {.memory_bytes = 1 << 20};
    CheckOptions options = {.notes = true}; /* nothing is observed: findings only pass through */
    Gpu *gpu = gpu_create(&config);
    Check *check = NULL;
    if (gpu != NULL) check = check_create(gpu, &options);
    struct json_object *findings = json_array(report, "findings");
    if (check != NULL) add_launches(check, json_array(report, "launches"));
    if (check != NULL && findings != NULL)
        for (size_t i = 0; i < json_object_array_length(findings); i++)
            add_finding(check, report, json_object_array_get_idx(findings, i));
    if (check != NULL) check_report_text(check, out, colour, full);
    bool made = check != NULL;
    if (check != NULL) check_destroy(check);
    if (gpu != NULL) gpu_destroy(gpu);
    return made;
}
