/* coach.c - the words of coach.h. */
#include "autograder/coach.h"

#include "base/finding.h"
#include "base/json.h"

#include <string.h>

const char *coach_kind(struct json_object *result) {
    struct json_object *findings = json_array(result, "findings");
    for (size_t i = 0; findings != NULL && i < json_object_array_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        const char *name = json_text(finding, "kind", "");
        FindingKind kind = finding_by_name(name);
        if (strcmp(json_text(finding, "severity", ""), "error") != 0 || kind == FINDING_KIND_COUNT) continue;
        return kind == FINDING_WRONG_ANSWER ? NULL : finding_info(kind)->name;
    }
    return NULL;
}

/* The explanation's first paragraph: what happens; the rest is what `warpgrind explain` is for. */
static void add_explanation(const FindingInfo *info, const ShowStyle *style, Text *out) {
    const char *end = strstr(info->explanation, "\n\n");
    Text words;
    text_init(&words);
    text_append(&words, info->explanation,
                end != NULL ? (size_t)(end - info->explanation) : strlen(info->explanation));
    for (size_t i = 0; i < words.length; i++)
        if (words.bytes[i] == '\n') words.bytes[i] = ' ';
    show_paragraph(words.bytes, "  ", style, out);
    text_free(&words);
}

/* Objectives are in the infinitive: "put a barrier between ...". */
static bool add_objective(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out) {
    Text words;
    text_init(&words);
    for (size_t i = 0; i < manifest->objectives.count; i++) {
        const Objective *objective = &manifest->objectives.items[i];
        if (strcmp(objective->check, kind) != 0) continue;
        text_add(&words, words.length == 0 ? "In this lesson, " : " And ");
        text_format(&words, "%s.", objective->text);
    }
    bool found = words.length > 0;
    if (found) show_paragraph(words.bytes, "  ", style, out);
    text_free(&words);
    return found;
}

void coach_hint(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out) {
    FindingKind known = finding_by_name(kind);
    if (known == FINDING_KIND_COUNT) return;
    const FindingInfo *info = finding_info(known);
    if (add_objective(manifest, kind, style, out)) text_add(out, "\n");
    add_explanation(info, style, out);
    text_format(out, "\n  A wrong and a right version: build/bin/warpgrind explain %s\n", kind);
}

static void add_cost(struct json_object *line, const ShowStyle *style, Text *out) {
    Text words;
    text_init(&words);
    long measured = json_number(line, "measured", -1), allowed = json_number(line, "expected", 0);
    if (measured >= 0) {
        text_format(&words, "%s: ", json_text(line, "title", ""));
        text_number(&words, (uint64_t)measured);
        text_add(&words, measured > allowed ? ", more than " : ", at most ");
        text_number(&words, (uint64_t)(allowed > 0 ? allowed : 0));
        show_paragraph(words.bytes, "  ", style, out);
    }
    text_free(&words);
}

void coach_passed(const Manifest *manifest, struct json_object *result, const ShowStyle *style, Text *out) {
    text_add(out, "You can now\n");
    for (size_t i = 0; i < manifest->objectives.count; i++) {
        Text line;
        text_init(&line);
        text_format(&line, "%s %s", style->unicode ? "•" : "-", manifest->objectives.items[i].text);
        show_paragraph(line.bytes, "  ", style, out);
        text_free(&line);
    }
    struct json_object *budget = json_array(result, "budget");
    size_t lines = budget != NULL ? json_object_array_length(budget) : 0;
    if (lines > 0) text_add(out, "What your largest case cost\n");
    for (size_t i = 0; i < lines; i++)
        add_cost(json_object_array_get_idx(budget, i), style, out);
    text_add(out, "\n");
}
