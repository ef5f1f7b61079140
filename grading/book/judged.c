/* judged.c - results of the book and their differences; see judged.h. */
#include "grading/book/judged.h"

#include "base/json.h"
#include "grading/book/store.h"
#include "grading/book/table.h"

#include <string.h>

/* ---- the book ---- */

bool judged_read(Gradebook *book, Arena *arena, int64_t attempt, BookRun *run, Diagnostics *diagnostics) {
    Query query = query_ask(book, diagnostics,
                            "SELECT " ATTEMPT_COLUMNS ", decided FROM attempt WHERE number = %ld", attempt);
    const bool found = query_row(&query);
    *run = (BookRun){.decided = 0};
    if (found) {
        run->key = (BookKey){.student = query_get_text(&query, 1, arena),
                             .lesson = query_get_text(&query, 2, arena),
                             .hash = query_get_text(&query, 3, arena),
                             .revision = query_get_text(&query, 4, arena),
                             .versions = query_get_text(&query, 5, arena),
                             .seed = (long)query_get_number(&query, 6)};
        run->decided = query_get_number(&query, 11);
        const char *text = query_get_text(&query, 7, arena);
        if (attempt_is_whole(&query) && text != NULL)
            run->result = json_parse_text(text, strlen(text), gradebook_path(book), diagnostics);
    }
    if (!query_close(&query)) return false;
    if (found && run->result != NULL) return true;
    diag_add(diagnostics, DIAG_ERROR, gradebook_path(book), 0, 0, "the result in the gradebook is %s",
             found ? "damaged" : "gone");
    return false;
}

bool judged_find(Gradebook *book, const char *student, const char *lesson, const char *hash, int64_t *attempt,
                 Diagnostics *diagnostics) {
    Query query =
        query_ask(book, diagnostics,
                  "SELECT max(number) FROM attempt WHERE student = %s AND lesson = %s AND source = %s",
                  student, lesson, hash);
    if (query_row(&query))
        *attempt = query_get_number(&query, 0);
    else
        *attempt = 0;
    return query_close(&query);
}

/* ---- what differs ---- */

/* Two results, and how many lines were written about them. */
typedef struct Comparison {
    struct json_object *before, *after;
    const char *indent;
    size_t lines;
    Text *out;
} Comparison;

size_t judged_length(struct json_object *list) {
    if (list != NULL) return json_object_array_length(list);
    return 0;
}

/* The case of the same name, which is most often at the same place; NULL: none. */
static struct json_object *find_case(struct json_object *result, size_t at, const char *name) {
    struct json_object *cases = json_array(result, "cases");
    for (size_t i = 0; i < judged_length(cases); i++) {
        struct json_object *entry = json_object_array_get_idx(cases, (at + i) % judged_length(cases));
        if (strcmp(json_text(entry, "name", ""), name) == 0) return entry;
    }
    return NULL;
}

static void compare_case(Comparison *comparison, struct json_object *before, struct json_object *after) {
    const char *was = json_text(before, "verdict", "none"), *is = json_text(after, "verdict", "none");
    const long had = json_number(before, "points", 0), has = json_number(after, "points", 0);
    if (strcmp(was, is) == 0 && had == has) return;
    comparison->lines++;
    text_format(comparison->out, "%sthe case ", comparison->indent);
    table_words(json_text(after, "name", ""), comparison->out);
    text_format(comparison->out, ": %s -> %s, %ld -> %ld %s\n", was, is, had, has,
                has == 1 ? "point" : "points");
}

/* How many findings of a kind there are, and where the first one is. */
static size_t count_kind(struct json_object *result, const char *kind, long *line) {
    struct json_object *findings = json_array(result, "findings");
    size_t count = 0;
    for (size_t i = 0; i < judged_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        if (strcmp(json_text(finding, "kind", ""), kind) != 0) continue;
        if (count++ == 0) *line = json_number(finding, "line", 0);
    }
    return count;
}

static void compare_kind(Comparison *comparison, const char *kind) {
    long line = 0, other = 0;
    const size_t before = count_kind(comparison->before, kind, &line);
    const size_t after = count_kind(comparison->after, kind, &other);
    if (before == after) return;
    if (after > 0) line = other;
    comparison->lines++;
    text_format(comparison->out, "%s%s", comparison->indent, kind);
    if (line > 0) text_format(comparison->out, ", line %ld", line);
    if (after == 0)
        text_add(comparison->out, ": found no more\n");
    else if (before == 0)
        text_add(comparison->out, ": found only now\n");
    else
        text_format(comparison->out, ": %zu -> %zu findings\n", before, after);
}

/* Each kind once: at the first finding of it in its list; kinds of `other` were told before. */
static void compare_kinds(Comparison *comparison, struct json_object *result, struct json_object *other) {
    struct json_object *findings = json_array(result, "findings");
    for (size_t i = 0; i < judged_length(findings); i++) {
        const char *kind = json_text(json_object_array_get_idx(findings, i), "kind", "");
        long line;
        bool told = other != NULL && count_kind(other, kind, &line) > 0;
        for (size_t j = 0; j < i && !told; j++)
            told = strcmp(json_text(json_object_array_get_idx(findings, j), "kind", ""), kind) == 0;
        if (!told) compare_kind(comparison, kind);
    }
}

void judged_compare(struct json_object *before, struct json_object *after, const char *indent, Text *out) {
    Comparison comparison = {before, after, indent, 0, out};
    struct json_object *cases = json_array(after, "cases");
    for (size_t i = 0; i < judged_length(cases); i++) {
        struct json_object *entry = json_object_array_get_idx(cases, i);
        compare_case(&comparison, find_case(before, i, json_text(entry, "name", "")), entry);
    }
    compare_kinds(&comparison, before, NULL);
    compare_kinds(&comparison, after, before);
    if (comparison.lines == 0) text_format(out, "%sboth runs came to the same\n", indent);
}
