/* explore.c - see explore.h. */
#include "device/report/explore.h"
#include "base/merge.h"
#include "device/texts.h"

#include <inttypes.h>
#include <string.h>

/* ---- findings of all schedules ---- */

static bool same_text(struct json_object *a, struct json_object *b, const char *key) {
    return strcmp(json_text(a, key, ""), json_text(b, key, "")) == 0;
}

static bool same_place(struct json_object *a, struct json_object *b) {
    if (a == NULL || b == NULL) return a == b;
    return json_number(a, "line", 0) == json_number(b, "line", 0) && same_text(a, b, "file");
}

static void merge_finding(struct json_object *findings, struct json_object *finding) {
    for (size_t i = 0; i < json_object_array_length(findings); i++) {
        struct json_object *known = json_object_array_get_idx(findings, i);
        if (!merge_same_finding(known, finding)) continue;
        int64_t count = json_number(known, "count", 1) + json_number(finding, "count", 1);
        json_put_number(known, "count", count);
        return;
    }
    json_object_array_add(findings, json_object_get(finding));
}

void explore_merge(struct json_object *first, struct json_object *run) {
    struct json_object *all = json_array(first, "findings"), *more = json_array(run, "findings");
    for (size_t i = 0; all != NULL && i < json_length(more); i++)
        merge_finding(all, json_object_array_get_idx(more, i));
}

/* ---- what differs ---- */

static struct json_object *add_difference(struct json_object *list, const char *what) {
    struct json_object *difference = json_object_new_object();
    json_put_text(difference, "what", what);
    json_object_array_add(list, difference);
    return difference;
}

static bool told(struct json_object *list, struct json_object *copy) {
    for (size_t i = 0; i < json_object_array_length(list); i++)
        if (same_place(json_object_array_get_idx(list, i), copy)) return true;
    return false;
}

static bool same_result(struct json_object *a, struct json_object *b) {
    return json_number(a, "fingerprint", 0) == json_number(b, "fingerprint", 0) &&
           json_number(a, "bytes", 0) == json_number(b, "bytes", 0);
}

static const char *what_is_copied(struct json_object *copy) {
    const char *to = json_text(copy, "to", "");
    if (strcmp(to, "shared") == 0) return "shared memory";
    if (strcmp(to, "device") == 0) return "device copy";
    return "copy";
}

/** What two runs copied, copy by copy. Copies are compared by position, and only where both runs made the
 * copy at the same line: after the first call that one run made and the other did not, positions mean
 * nothing. */
static void compare_copies(struct json_object *first, struct json_object *run, struct json_object *list) {
    struct json_object *a = json_array(first, "copies"), *b = json_array(run, "copies");
    for (size_t i = 0;
         a != NULL && b != NULL && i < json_object_array_length(a) && i < json_object_array_length(b); i++) {
        struct json_object *x = json_object_array_get_idx(a, i), *y = json_object_array_get_idx(b, i);
        if (same_result(x, y) || !same_place(x, y) || told(list, x)) continue;
        struct json_object *difference = add_difference(list, what_is_copied(x));
        json_put_number(difference, "number", (int64_t)i + 1);
        json_put_text(difference, "file", json_text(x, "file", ""));
        json_put_number(difference, "line", json_number(x, "line", 0));
    }
    if (json_number(first, "copies_total", 0) != json_number(run, "copies_total", 0))
        add_difference(list, "number of copies");
}

static bool ended_alike(struct json_object *a, struct json_object *b) {
    return same_text(a, b, "ended") &&
           json_number(a, "exit_status", -1) == json_number(b, "exit_status", -1) &&
           json_number(a, "signal", 0) == json_number(b, "signal", 0);
}

static int64_t count_errors(struct json_object *run) {
    int64_t errors = 0;
    JSON_EACH(finding, json_array(run, "findings"))
        errors += strcmp(json_text(finding, "severity", ""), "error") == 0;
    return errors;
}

/** Adds a run of --explore to the first one's report: its seed, what differs from the first run, and findings
 * that only it has. The first run is added to itself, so that the list has a row for every schedule. */
unsigned explore_add(struct json_object *first, struct json_object *run, uint64_t first_output,
                     uint64_t output) {
    struct json_object *explored = json_array(first, "explored"), *entry = json_object_new_object(),
                       *differs = json_object_new_array();
    if (explored == NULL) {
        explored = json_object_new_array();
        json_object_object_add(first, "explored", explored);
    }
    compare_copies(first, run, differs);
    if (first_output != output) add_difference(differs, "output");
    if (!ended_alike(first, run)) add_difference(differs, "ending");
    json_put_number(entry, "seed", json_number(run, "seed", 0));
    json_put_number(entry, "errors", count_errors(run));
    json_object_object_add(entry, "differs", differs);
    json_object_array_add(explored, entry);
    if (run != first) explore_merge(first, run);
    return (unsigned)json_object_array_length(differs);
}

/* ---- words ---- */

/* Each difference is told for the first schedule that shows it. */
static bool told_before(struct json_object *explored, size_t before, struct json_object *difference) {
    for (size_t i = 0; i < before; i++) {
        JSON_EACH(other, json_array(json_object_array_get_idx(explored, i), "differs"))
            if (same_text(other, difference, "what") && same_place(other, difference)) return true;
    }
    return false;
}

/** One difference as a line of the summary, with the option that repeats the schedule. */
static void add_words(struct json_object *difference, int64_t base, int64_t seed, Text *out) {
    const char *what = json_text(difference, "what", ""), *file = json_text(difference, "file", "");
    const char *slash = strrchr(file, '/');
    if (slash != NULL) file = slash + 1;
    Text visible = text_new();
    text_add_visible(&visible, file, strlen(file));
    const ExploreFacts facts = {.placed = json_number(difference, "line", 0) > 0,
                                .copy = strcmp(what, "copy") == 0,
                                .device_copy = strcmp(what, "device copy") == 0,
                                .output = strcmp(what, "output") == 0,
                                .what = what,
                                .file = visible.bytes,
                                .line = json_number(difference, "line", 0),
                                .base = base,
                                .seed = seed};
    say_explore(out, EXPLORE_DIFFERS, &facts);
    text_add(out, "\n");
    text_free(&visible);
}

/** Each difference is told with the first schedule that shows it; another schedule that shows the same adds
 * nothing. */
void explore_text(struct json_object *report, Text *out) {
    struct json_object *explored = json_array(report, "explored");
    if (explored == NULL) return;
    size_t count = json_object_array_length(explored), lines = 0;
    int64_t base = json_number(report, "seed", 0);
    for (size_t i = 0; i < count; i++) {
        struct json_object *entry = json_object_array_get_idx(explored, i),
                           *list = json_array(entry, "differs");
        JSON_EACH(difference, list) {
            if (told_before(explored, i, difference)) continue;
            add_words(difference, base, json_number(entry, "seed", 0), out);
            lines++;
        }
    }
    if (lines > 0) return;
    say_explore(out, EXPLORE_SAME, &(ExploreFacts){.schedules = (int64_t)count, .alone = count == 1});
    text_add(out, "\n");
}
