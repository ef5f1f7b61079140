/* merge.c - see merge.h. */
#include "base/merge.h"
#include "base/minmax.h"

#include <json-c/json_object_iterator.h>
#include <inttypes.h>
#include <string.h>

bool merge_was_used(struct json_object *report) {
    return json_number(report, "launches_total", 0) > 0 || json_number(report, "copies_total", 0) > 0 ||
           json_number(report, "calls_total", 0) > 0 || json_length(json_array(report, "findings")) > 0;
}

/* ---- processes ---- */

static void take_member(struct json_object *to, struct json_object *from, const char *key) {
    struct json_object *member = NULL;
    if (json_object_object_get_ex(from, key, &member))
        json_object_object_add(to, key, json_object_get(member));
}

static struct json_object *process_of(struct json_object *report) {
    static const char *const keys[] = {"rank",           "program",       "ended",        "signal",
                                       "exit_status",    "last_mark",     "trace",        "trace_file",
                                       "launches_total", "threads_total", "copies_total", "findings_total"};
    struct json_object *process = json_object_new_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        take_member(process, report, keys[i]);
    return process;
}

/* The higher, the more the whole ended like it. */
static int weight_of(struct json_object *process) {
    const char *ended = json_text(process, "ended", "");
    if (strcmp(ended, "signal") == 0) return 4;
    if (json_number(process, "exit_status", 0) != 0) return 3;
    if (strcmp(ended, "stopped") == 0) return 2;
    return strcmp(ended, "exit") == 0;
}

/* The whole ended as the process that ended worst. */
static void take_ending(struct json_object *merged, struct json_object *processes) {
    struct json_object *worst = NULL;
    JSON_EACH(process, processes)
        if (!worst || weight_of(process) > weight_of(worst)) worst = process;
    static const char *const keys[] = {"ended", "signal", "exit_status"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_object_object_del(merged, keys[i]);
        take_member(merged, worst, keys[i]);
    }
}

/* ---- lists and sums ---- */

/* The lists follow each other, process by process, and each item says of which it is. */
static void join_lists(struct json_object *merged, struct json_object *all, const char *key) {
    struct json_object *joined = json_object_new_array();
    for (size_t i = 0; i < json_length(all); i++) {
        JSON_EACH(item, json_array(json_object_array_get_idx(all, i), key)) {
            json_put_number(item, "process", (int64_t)i);
            json_object_array_add(joined, json_object_get(item));
        }
    }
    json_object_object_add(merged, key, joined);
}

static void add_up(struct json_object *merged, struct json_object *all, const char *key) {
    int64_t sum = 0;
    JSON_EACH(entry, all)
        sum += json_number(entry, key, 0);
    if (json_number(merged, key, -1) >= 0) json_put_number(merged, key, sum);
}

static bool same_text(struct json_object *a, struct json_object *b, const char *key) {
    return strcmp(json_text(a, key, ""), json_text(b, key, "")) == 0;
}

static bool same_place(struct json_object *a, struct json_object *b) {
    if (!a || !b) return a == b;
    return json_number(a, "line", 0) == json_number(b, "line", 0) && same_text(a, b, "file");
}

/* Counts of one line in one function add up over the processes. All members but the line's number are
 * counts. */
static void add_line(struct json_object *lines, struct json_object *line) {
    struct json_object *known = NULL;
    for (size_t i = 0; i < json_length(lines) && !known; i++)
        if (same_place(json_object_array_get_idx(lines, i), line) &&
            same_text(json_object_array_get_idx(lines, i), line, "function"))
            known = json_object_array_get_idx(lines, i);
    if (!known) {
        json_object_array_add(lines, json_object_get(line));
        return;
    }
    struct json_object_iterator at = json_object_iter_begin(line), end = json_object_iter_end(line);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        struct json_object *value = json_object_iter_peek_value(&at);
        if (json_object_is_type(value, json_type_int) && strcmp(key, "line") != 0)
            json_put_number(known, key, json_number(known, key, 0) + json_object_get_int64(value));
    }
}

/* Counts of one line of the source are those of all processes together. */
static void merge_lines(struct json_object *merged, struct json_object *all) {
    struct json_object *lines = json_array(merged, "lines");
    for (size_t i = 1; lines && i < json_length(all); i++) {
        JSON_EACH(entry, json_array(json_object_array_get_idx(all, i), "lines"))
            add_line(lines, entry);
    }
}

/* ---- findings ---- */

bool merge_same_finding(struct json_object *a, struct json_object *b) {
    if (!same_text(a, b, "kind") || !same_text(a, b, "severity") || !same_text(a, b, "kernel")) return false;
    if (!same_place(a, b) || !same_place(json_member(a, "other"), json_member(b, "other"))) return false;
    return json_number(a, "line", 0) > 0 || same_text(a, b, "message");
}

/* Where each finding of one report stands in the merged list. */
typedef struct Places {
    int64_t *at;
    size_t count;
} Places;

static int64_t known_finding(struct json_object *findings, struct json_object *finding) {
    for (size_t i = 0; i < json_length(findings); i++)
        if (merge_same_finding(json_object_array_get_idx(findings, i), finding)) return (int64_t)i;
    return -1;
}

/* Counts the finding of a process; gives its place in the merged list. */
static int64_t add_finding(struct json_object *findings, struct json_object *finding, size_t process) {
    int64_t at = known_finding(findings, finding);
    struct json_object *known = finding;
    if (at >= 0) known = json_object_array_get_idx(findings, (size_t)at);
    struct json_object *processes = json_array(known, "processes");
    if (at < 0) {
        at = (int64_t)json_length(findings);
        processes = json_object_new_array();
        json_object_object_add(finding, "processes", processes);
        json_object_array_add(findings, json_object_get(finding));
    } else {
        json_put_number(known, "count", json_number(known, "count", 1) + json_number(finding, "count", 1));
    }
    size_t count = json_length(processes);
    bool told = count > 0 &&
                json_object_get_int64(json_object_array_get_idx(processes, count - 1)) == (int64_t)process;
    if (!told) json_object_array_add(processes, json_object_new_int64((int64_t)process));
    return at;
}

/* Errors come first, with the notes that explain them: all up to the last error of a report. */
static size_t head_of(struct json_object *findings) {
    size_t head = 0;
    for (size_t i = 0; i < json_length(findings); i++)
        if (strcmp(json_text(json_object_array_get_idx(findings, i), "severity", ""), "error") == 0)
            head = i + 1;
    return head;
}

/* A finding may follow from another of its own report, which has another number in the merged one. What it
 * follows from came earlier, as causes stand first; otherwise the link is dropped. */
static void add_findings(struct json_object *merged, struct json_object *report, size_t process, size_t from,
                         size_t to, Places *places) {
    struct json_object *findings = json_array(report, "findings");
    for (size_t i = from; i < to; i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        int64_t follows = json_number(finding, "follows", -1);
        int64_t before = (int64_t)json_length(merged);
        int64_t at = add_finding(merged, finding, process);
        if (i < places->count) places->at[i] = at;
        if (at < before || follows < 0) continue;
        if (follows < (int64_t)i && (size_t)follows < places->count)
            json_put_number(finding, "follows", places->at[follows]);
        else
            json_object_object_del(finding, "follows");
    }
}

static void merge_findings(struct json_object *merged, struct json_object *all) {
    enum { MOST = 1024 };
    struct json_object *findings = json_object_new_array();
    for (int tail = 0; tail < 2; tail++)
        for (size_t i = 0; i < json_length(all); i++) {
            struct json_object *report = json_object_array_get_idx(all, i);
            struct json_object *own = json_array(report, "findings");
            int64_t at[MOST];
            Places places = {at, MIN(json_length(own), MOST)};
            memset(at, 0, sizeof at);
            size_t head = head_of(own);
            /* The notes behind may follow from an error of the head, whose place is found once more. */
            for (size_t k = 0; tail && k < head && k < places.count; k++)
                at[k] = known_finding(findings, json_object_array_get_idx(own, k));
            if (tail)
                add_findings(findings, report, i, head, json_length(own), &places);
            else
                add_findings(findings, report, i, 0, head, &places);
        }
    int64_t cut = json_number(merged, "findings_total", 0);
    JSON_EACH(entry, all)
        cut -= (int64_t)json_length(json_array(entry, "findings"));
    json_put_number(merged, "findings_total", (int64_t)json_length(findings) + MAX(cut, 0));
    json_object_object_add(merged, "findings", findings);
}

/* ---- fidelity ---- */

/** Adds to the list those of the other one whose names it does not have. */
static void join_named(struct json_object *list, struct json_object *more) {
    JSON_EACH(item, more) {
        bool known = false;
        for (size_t k = 0; k < json_length(list) && !known; k++)
            known = same_text(json_object_array_get_idx(list, k), item, "name");
        if (!known) json_object_array_add(list, json_object_get(item));
    }
}

/** Sets each flag that is set in the other object, which has the same members. */
static void join_flags(struct json_object *flags, struct json_object *more) {
    struct json_object_iterator at = json_object_iter_begin(more), end = json_object_iter_end(more);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        struct json_object *value = json_object_iter_peek_value(&at);
        if (json_object_is_type(value, json_type_object) && json_member(flags, key) != NULL)
            join_flags(json_member(flags, key), value);
        else if (json_object_get_boolean(value))
            json_put_flag(flags, key, true);
    }
}

/** What holds of one of the processes holds of all. */
static void merge_fidelity(struct json_object *merged, struct json_object *all) {
    struct json_object *fidelity = json_member(merged, "fidelity");
    for (size_t i = 1; fidelity != NULL && i < json_length(all); i++) {
        struct json_object *other = json_member(json_object_array_get_idx(all, i), "fidelity");
        if (other == NULL) continue;
        if (!json_flag(other, "exact", false)) json_put_flag(fidelity, "exact", false);
        join_named(json_array(fidelity, "functions"), json_array(other, "functions"));
        struct json_object *depends = json_member(fidelity, "depends");
        if (depends != NULL && json_member(other, "depends") != NULL)
            join_flags(depends, json_member(other, "depends"));
    }
}

/* The first process's report is the beginning; lists join, totals add up, and identical findings become one
 * that names its processes. What only makes sense for one process goes. */
struct json_object *merge_reports(struct json_object *list) {
    static const char *const lists[] = {"launches", "copies", "timeline", "calls"};
    static const char *const sums[] = {"launches_total", "threads_total",  "copies_total",    "calls_total",
                                       "findings_total", "output_dropped", "divided_launches"};
    struct json_object *first = json_object_array_get_idx(list, 0), *merged = NULL;
    if (json_length(list) < 2) return json_object_get(first);
    struct json_object *processes = json_object_new_array();
    if (json_object_deep_copy(first, &merged, NULL) != 0) return NULL;
    JSON_EACH(entry, list)
        json_object_array_add(processes, process_of(entry));
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        add_up(merged, list, sums[i]);
    merge_findings(merged, list);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        join_lists(merged, list, lists[i]);
    merge_lines(merged, list);
    merge_fidelity(merged, list);
    take_ending(merged, processes);
    static const char *const own[] = {"rank", "trace", "trace_file", "last_mark"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_object_del(merged, own[i]);
    json_object_object_add(merged, "processes", processes);
    return merged;
}

/* ---- words ---- */

const char *merge_noun(struct json_object *report) {
    JSON_EACH(process, json_array(report, "processes"))
        if (json_number(process, "rank", -1) < 0) return "processes";
    return "ranks";
}

/* Ranks have numbers of their own, which may have gaps; other processes are counted from 1. */
static void add_names(struct json_object *report, const int64_t *which, size_t count, Text *out) {
    struct json_object *processes = json_array(report, "processes");
    bool ranks = strcmp(merge_noun(report), "ranks") == 0;
    text_add(out, ranks ? "rank" : "process");
    if (count > 1) text_add(out, ranks ? "s" : "es");
    for (size_t i = 0; i < count; i++) {
        const char *between = ", ";
        if (i + 1 == count) between = " and ";
        int64_t number = which[i] + 1;
        if (ranks)
            number = json_number(json_object_array_get_idx(processes, (size_t)which[i]), "rank", number);
        text_format(out, "%s%" PRId64, i == 0 ? " " : between, number);
    }
}

/* "all 4 ranks" is shorter than the list. LIMIT: MOST_NAMED numbers are written out, or the line would fill
 * a screen with a thousand ranks. */
void merge_names(struct json_object *report, struct json_object *finding, Text *out) {
    enum { MOST_NAMED = 8 };
    struct json_object *had = json_array(finding, "processes");
    size_t all = json_length(json_array(report, "processes")), count = json_length(had);
    if (count == all && count > 2) {
        text_format(out, "all %zu %s", count, merge_noun(report));
        return;
    }
    int64_t which[MOST_NAMED] = {0};
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        which[i] = json_object_get_int64(json_object_array_get_idx(had, i));
    add_names(report, which, MIN(count, MOST_NAMED), out);
    if (count > MOST_NAMED) text_format(out, " and %zu more", count - MOST_NAMED);
}

void merge_who(struct json_object *report, struct json_object *finding, Text *out) {
    if (json_length(json_array(report, "processes")) < 2 ||
        json_length(json_array(finding, "processes")) == 0)
        return;
    text_add(out, strcmp(merge_noun(report), "ranks") == 0 ? "on " : "in ");
    merge_names(report, finding, out);
}
