/* coach.c - the words of coach.h. */
#include "autograder/screen/coach.h"

#include "autograder/check/result.h"
#include "autograder/texts.h"
#include "base/finding.h"
#include "base/json.h"

#include <string.h>

const char *coach_kind(struct json_object *result) {
    JSON_EACH(finding, json_array(result, "findings")) {
        const char *name = json_text(finding, "kind", "");
        FindingKind kind = finding_by_name(name);
        if (strcmp(json_text(finding, "severity", ""), "error") != 0 || kind == FINDING_KIND_COUNT) continue;
        if (kind == FINDING_WRONG_ANSWER) return NULL;
        return finding_info(kind)->name;
    }
    return NULL;
}

/* The explanation's first paragraph: what happens; the rest is what `warpgrind explain` is for. */
static void add_explanation(const FindingInfo *info, const ShowStyle *style, Text *out) {
    const char *end = strstr(info->explanation, "\n\n");
    Text words = text_new();
    text_append(&words, info->explanation,
                end != NULL ? (size_t)(end - info->explanation) : strlen(info->explanation));
    for (size_t i = 0; i < words.length; i++)
        if (words.bytes[i] == '\n') words.bytes[i] = ' ';
    show_paragraph(words.bytes, "  ", style, out);
    text_free(&words);
}

/* Objectives are in the infinitive: "put a barrier between ...". */
static bool add_objective(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out) {
    Text words = text_new();
    for (size_t i = 0; i < manifest->objectives.count; i++) {
        const Objective *objective = &manifest->objectives.items[i];
        const bool of_budget = text_starts_with(objective->check, OBJECTIVE_BUDGET);
        if (strcmp(of_budget ? "over-budget" : objective->check, kind) != 0) continue;
        const bool begins = words.length == 0;
        if (!begins) text_add(&words, " ");
        say_coach(&words, COACH_OBJECTIVE, &(CoachFacts){.first = begins, .objective = objective->text});
    }
    bool found = words.length > 0;
    if (found) show_paragraph(words.bytes, "  ", style, out);
    text_free(&words);
    return found;
}

static const char *hint_of_lesson(const Manifest *manifest, const char *kind) {
    for (size_t i = 0; i < manifest->hints_about.count; i++)
        if (strcmp(manifest->hints_about.items[i].kind, kind) == 0)
            return manifest->hints_about.items[i].text;
    return NULL;
}

/* The first hint after a finding: the lesson's own words about that kind, else the objective that the finding
 * checks, with what warpgrind says of the kind in general. */
void coach_hint(const Manifest *manifest, const char *kind, const ShowStyle *style, Text *out) {
    FindingKind known = finding_by_name(kind);
    if (known == FINDING_KIND_COUNT) return;
    const FindingInfo *info = finding_info(known);
    const char *own = hint_of_lesson(manifest, kind);
    if (own != NULL) {
        show_paragraph(own, "  ", style, out);
    } else {
        if (add_objective(manifest, kind, style, out)) text_add(out, "\n");
        add_explanation(info, style, out);
    }
    text_add(out, "\n  ");
    say_coach(out, COACH_VERSIONS, &(CoachFacts){.kind = kind});
    text_add(out, "\n");
}

enum { COST_TITLE = 42, COST_NUMBER = 12 };

/* Right-aligned; a number that is not known is left out. */
static void add_number(long number, Text *out) {
    Text words = text_new();
    if (number >= 0) text_number(&words, (uint64_t)number);
    text_format(out, "%*s", (int)COST_NUMBER, words.length > 0 ? words.bytes : "");
    text_free(&words);
}

/* A row of yours, the reference's, and the limit. */
static void add_cost(struct json_object *line, long reference, Text *out) {
    long measured = json_number(line, "measured", -1);
    if (measured < 0) return;
    text_format(out, "  %-*s", (int)COST_TITLE - 2, json_text(line, "title", ""));
    add_number(measured, out);
    add_number(reference, out);
    add_number(json_number(line, "expected", 0), out);
    text_add(out, "\n");
}

/* What this run has shown, in the lesson's order; nothing where it is none of it. */
static void add_learnt(struct json_object *result, const ShowStyle *style, Text *out) {
    bool begun = false;
    JSON_EACH(objective, json_array(result, "objectives")) {
        if (!json_flag(objective, "shown", false)) continue;
        if (!begun) text_format(out, "%s\n", plain_coach(COACH_LEARNT));
        begun = true;
        Text lines = text_new();
        show_paragraph(json_text(objective, "text", ""), "    ", style, &lines);
        text_format(out, "  %s %s", style->unicode ? "•" : "-", lines.bytes + strlen("    "));
        text_free(&lines);
    }
}

void coach_passed(const Manifest *manifest, struct json_object *result, const ShowStyle *style, Text *out) {
    add_learnt(result, style, out);
    /* The result has a line for each line of the manifest, in its order. */
    struct json_object *budget = json_array(result, "budget");
    size_t lines = json_length(budget);
    if (lines > 0)
        text_format(out, "\n%-*s%*s%*s%*s\n", (int)COST_TITLE, plain_coach(COACH_COST), (int)COST_NUMBER,
                    plain_coach(COACH_YOURS), (int)COST_NUMBER, plain_coach(COACH_REFERENCE),
                    (int)COST_NUMBER, plain_coach(COACH_LIMIT));
    for (size_t i = 0; i < lines && i < manifest->budget.count; i++)
        add_cost(json_object_array_get_idx(budget, i), manifest->budget.items[i].reference, out);
    text_add(out, "\n");
}
