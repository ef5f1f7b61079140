/* suppress.c - see suppress.h. */
#include "device/report/suppress.h"
#include "base/finding.h"
#include "device/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Findings in the code of libraries that are true by the letter and harm nothing: what they leave unset, and
 * then copy without looking at it. */
static const struct {
    const char *kind, *where;
} KNOWN[] = {
    /* CUB 1.17: the first warp's prefix, which ReduceByKeyOp tests in a thread whose result nobody takes. */
    {"uninitialized-read", "cub/block/specializations/block_scan_warp_scans.cuh:176"},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof KNOWN[0] };

enum { MAX_RULES = 1024, MAX_RULE_FILE = 1 << 20, MAX_SOURCE = 1 << 20 };

/** A line of the file: findings of this kind, here. */
typedef struct Rule {
    const char *kind, *where; /**< "*": any */
} Rule;

/** The whole file, which is kept because the rules point into it. */
typedef struct Rules {
    Text text; /**< the rules point into it */
    Rule list[MAX_RULES];
    unsigned count;
} Rules;

/* ---- the file ---- */

static bool is_kind(const char *name) {
    return strcmp(name, "*") == 0 || finding_by_name(name) != FINDING_KIND_COUNT;
}

/** A rule is a kind and a place, separated by blanks. An unknown kind is an error: a typing mistake would
 * hide nothing, and nobody would notice. */
static bool parse_line(Rules *rules, char *line, int number, const char *path, Diagnostics *diagnostics) {
    char *rest = line, *kind = strtok_r(rest, " \t\r", &rest), *where = strtok_r(rest, " \t\r", &rest);
    if (kind == NULL || kind[0] == '#') return true;
    const char *wrong = NULL;
    if (rules->count == MAX_RULES) wrong = plain_suppress(SUPPRESS_TOO_MANY);
    if (strtok_r(rest, " \t\r", &rest) != NULL) wrong = plain_suppress(SUPPRESS_WORDS);
    if (where == NULL) wrong = plain_suppress(SUPPRESS_NO_PLACE);
    if (!is_kind(kind)) wrong = plain_suppress(SUPPRESS_NO_KIND);
    if (wrong != NULL) {
        diag_add(diagnostics, DIAG_ERROR, path, number, 0, "%s: %s", kind, wrong);
        return false;
    }
    rules->list[rules->count++] = (Rule){kind, where};
    return true;
}

static bool read_rules(Rules *rules, const char *path, Diagnostics *diagnostics) {
    if (!text_read_file(&rules->text, path, MAX_RULE_FILE)) {
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot be read: %s", strerror(errno));
        return false;
    }
    bool fine = true;
    int number = 1;
    for (char *rest = rules->text.bytes, *line; (line = strsep(&rest, "\n")) != NULL; number++)
        fine = parse_line(rules, line, number, path, diagnostics) && fine;
    return fine;
}

/* ---- matching ---- */

static bool names_file(const char *rule, size_t length, const char *file) {
    size_t whole = strlen(file);
    if (length == 0 || length > whole || strncmp(file + whole - length, rule, length) != 0) return false;
    return length == whole || file[whole - length - 1] == '/';
}

static bool names_place(const char *where, struct json_object *place) {
    const char *colon = strrchr(where, ':');
    if (place == NULL || colon == NULL) return false;
    return strtoll(colon + 1, NULL, 10) == json_number(place, "line", 0) &&
           names_file(where, (size_t)(colon - where), json_text(place, "file", ""));
}

static bool rule_matches(const Rule *rule, struct json_object *finding) {
    if (strcmp(rule->kind, "*") != 0 && strcmp(rule->kind, json_text(finding, "kind", "")) != 0) return false;
    if (strcmp(rule->where, "*") == 0 || strcmp(rule->where, json_text(finding, "kernel", "")) == 0)
        return true;
    return names_place(rule->where, finding) || names_place(rule->where, json_member(finding, "other"));
}

static bool is_known(struct json_object *finding) {
    for (unsigned i = 0; i < KNOWN_COUNT; i++)
        if (strcmp(KNOWN[i].kind, json_text(finding, "kind", "")) == 0 &&
            names_place(KNOWN[i].where, finding))
            return true;
    return false;
}

/* "// warpgrind: ignore KIND" in [line, end) */
static bool comment_names(const char *line, size_t length, const char *kind) {
    static const char lead[] = "// warpgrind: ignore ";
    const char *found = memmem(line, length, lead, strlen(lead));
    if (found == NULL) return false;
    const char *name = found + strlen(lead), *end = line + length;
    size_t named = strcspn(name, " \t\r\n");
    if (named > (size_t)(end - name)) named = (size_t)(end - name);
    return (named == strlen(kind) && strncmp(name, kind, named) == 0) || (named == 1 && *name == '*');
}

/* On the line itself, or alone on the line above. */
static bool source_ignores(const char *source, int64_t line, const char *kind) {
    const char *at = source, *above = NULL;
    for (int64_t number = 1; number < line; number++) {
        above = at;
        at = strchr(at, '\n');
        if (at == NULL) return false;
        at++;
    }
    if (comment_names(at, strcspn(at, "\n"), kind)) return true;
    return above != NULL && above[strspn(above, " \t")] == '/' &&
           comment_names(above, strcspn(above, "\n"), kind);
}

static bool place_ignores(struct json_object *place, const char *kind) {
    const char *file = "";
    if (place != NULL) file = json_text(place, "file", "");
    int64_t line = 0;
    if (place != NULL) line = json_number(place, "line", 0);
    if (!file[0] || line <= 0) return false;
    Text source = text_new();
    bool ignored = text_read_file(&source, file, MAX_SOURCE) && source_ignores(source.bytes, line, kind);
    text_free(&source);
    return ignored;
}

/* ---- what the compiled code does not have ---- */

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Where the word stands in [at, end), or NULL. */
static const char *find_word(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (const char *start = at; (at = memmem(at, (size_t)(end - at), word, length)) != NULL; at++)
        if ((at == start || !is_word(at[-1])) && (at + length == end || !is_word(at[length]))) return at;
    return NULL;
}

/* A loop that reads the variable: "while (!name);". */
static bool source_polls(const char *at, const char *name) {
    for (; *at; at += *at == '\n') {
        const char *end = at + strcspn(at, "\n"), *loop = find_word(at, end, "while");
        if (loop == NULL) loop = find_word(at, end, "for");
        if (loop != NULL && find_word(loop, end, name) != NULL) return true;
        at = end;
    }
    return false;
}

/* An optimiser drops a loop that does nothing but look at a plain variable, and after that nobody reads it:
 * but the source does, so that it is no result without a reader. */
static bool is_polled(struct json_object *finding) {
    if (strcmp(json_text(finding, "kind", ""), "unused-result") != 0) return false;
    const char *name = json_text(json_member(finding, "array"), "name", ""),
               *file = json_text(finding, "file", "");
    Text source = text_new();
    bool polled =
        name[0] && file[0] && text_read_file(&source, file, MAX_SOURCE) && source_polls(source.bytes, name);
    text_free(&source);
    return polled;
}

static bool suppressed(const Rules *rules, struct json_object *finding) {
    const char *kind = json_text(finding, "kind", "");
    if (is_known(finding)) return true;
    for (unsigned i = 0; i < rules->count; i++)
        if (rule_matches(&rules->list[i], finding)) return true;
    return place_ignores(finding, kind) || place_ignores(json_member(finding, "other"), kind);
}

/* Findings name the one they follow from by its number, which changes when others are left out. */
static void renumber(struct json_object *kept, const int64_t *numbers, size_t count) {
    for (size_t i = 0; i < json_object_array_length(kept); i++) {
        struct json_object *finding = json_object_array_get_idx(kept, i);
        int64_t follows = json_number(finding, "follows", -1);
        if (follows < 0) continue;
        int64_t now = -1;
        if ((size_t)follows < count) now = numbers[follows];
        json_object_object_del(finding, "follows");
        if (now >= 0) json_put_number(finding, "follows", now);
    }
}

/** Findings name the one that they follow from by its position, so those positions are written anew for the
 * findings that stay. */
bool suppress_findings(struct json_object *report, const char *path, Diagnostics *diagnostics) {
    Rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL) return false;
    text_init(&rules->text);
    bool fine = path == NULL || read_rules(rules, path, diagnostics);
    struct json_object *findings = json_array(report, "findings"), *kept = json_object_new_array();
    int64_t gone = 0,
            *numbers = calloc(findings != NULL ? json_object_array_length(findings) + 1 : 1, sizeof *numbers);
    fine = fine && numbers != NULL;
    for (size_t i = 0; fine && i < json_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        bool polled = is_polled(finding), left_out = polled || suppressed(rules, finding);
        if (left_out)
            numbers[i] = -1;
        else
            numbers[i] = (int64_t)json_object_array_length(kept);
        gone += left_out && !polled;
        if (!left_out) json_object_array_add(kept, json_object_get(finding));
    }
    if (fine && findings != NULL) renumber(kept, numbers, json_object_array_length(findings));
    free(numbers);
    if (fine && findings != NULL) {
        json_object_object_add(report, "findings", kept);
        json_put_number(report, "suppressed", gone);
    } else {
        json_object_put(kept);
    }
    text_free(&rules->text);
    free(rules);
    return fine;
}
