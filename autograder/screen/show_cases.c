/* show_cases.c - how the cases went, in as few lines as the screen asks for.
 *
 * With room, each case has a line, and those that failed alike share one. On a small screen a column of ticks
 * would push the first finding out of sight: there the cases that passed share a line, and if that is not
 * enough, only the first of those with one verdict is told in full, and the others by name.
 */
#include "autograder/screen/show_parts.h"

#include "autograder/texts.h"
#include "base/json.h"

#include <string.h>

/* How much of the cases is folded into one line. */
typedef enum Fold { FOLD_NOTHING, FOLD_PASSED, FOLD_ALL } Fold;

/* Which cases share a line with the first. */
typedef bool Relation(struct json_object *first, struct json_object *other);

static bool passed(struct json_object *entry) {
    return show_has_verdict(entry, "pass");
}

static bool went_the_same(struct json_object *first, struct json_object *other) {
    return show_has_verdict(other, json_text(first, "verdict", ""));
}

static bool failed_alike(struct json_object *first, struct json_object *other) {
    if (first == other) return true;
    return !passed(first) && went_the_same(first, other) &&
           strcmp(json_text(first, "message", ""), json_text(other, "message", "")) == 0;
}

static bool is_it(struct json_object *first, struct json_object *other) {
    return first == other;
}

static bool is_another(struct json_object *first, struct json_object *other) {
    return first != other && went_the_same(first, other);
}

static bool is_first(struct json_object *cases, size_t at, Relation *relation) {
    for (size_t i = 0; i < at; i++)
        if (relation(json_object_array_get_idx(cases, i), json_object_array_get_idx(cases, at))) return false;
    return true;
}

/* "one warp; two warps"; how many they are. */
static size_t add_names(struct json_object *cases, struct json_object *first, Relation *relation,
                        Text *names) {
    size_t count = 0;
    JSON_EACH(other, cases) {
        if (!relation(first, other)) continue;
        if (count > 0) text_add(names, "; ");
        text_add(names, json_text(other, "name", ""));
        count++;
    }
    return count;
}

unsigned show_mark(struct json_object *entry, const ShowStyle *style, Text *out) {
    text_add(out, "  ");
    if (passed(entry))
        show_toned(style, TONE_GOOD, style->unicode ? "✓" : "ok ", out);
    else if (show_has_verdict(entry, "not-run"))
        show_toned(style, TONE_FAINT, style->unicode ? "-" : "-  ", out);
    else
        show_toned(style, TONE_BAD, style->unicode ? "✗" : "x  ", out);
    text_add(out, " ");
    if (style->unicode) return 4;
    return 6;
}

/* Cases that went alike, and what is wrong, in as many lines as it takes. */
static void show_in_full(struct json_object *cases, struct json_object *first, Relation *relation,
                         const ShowStyle *style, Text *out) {
    const char *message = json_text(first, "message", "");
    unsigned used = show_mark(first, style, out);
    Text line = text_new();
    size_t count = add_names(cases, first, relation, &line);
    if (count > 1 && count == json_length(cases)) {
        text_clear(&line);
        say_show(&line, SHOW_ALL_CASES, &(ShowFacts){.count = count});
    }
    if (!passed(first) && *message != '\0') text_format(&line, ": %s", message);
    show_words(line.bytes, line.length, used, "      ", style, out);
    text_free(&line);
}

/* "3 more: one warp; two warps; ...", one line, or none where there are no such cases. */
static void show_by_name(struct json_object *cases, struct json_object *first, Relation *relation,
                         const ShowStyle *style, Text *out) {
    Text names = text_new(), line = text_new();
    size_t count = add_names(cases, first, relation, &names);
    const ShowFacts facts = {.count = count,
                             .passed = passed(first),
                             .unrun = show_has_verdict(first, "not-run"),
                             .names = names.bytes};
    if (count > 1 && count == json_length(cases))
        say_show(&line, SHOW_ALL_CASES, &facts);
    else if (count > 1 || !passed(first))
        say_show(&line, SHOW_BY_NAME, &facts);
    else
        text_append(&line, names.bytes, names.length);
    if (count > 0) show_cut(&line, show_mark(first, style, out), style, out);
    text_free(&line);
    text_free(&names);
}

/* Those that failed with one verdict: the first in full, the others by name. */
static void show_verdict(struct json_object *cases, struct json_object *first, const ShowStyle *style,
                         Text *out) {
    Text names = text_new();
    bool all = add_names(cases, first, failed_alike, &names) == json_length(cases);
    text_free(&names);
    if (show_has_verdict(first, "not-run")) {
        show_by_name(cases, first, went_the_same, style, out);
        return;
    }
    show_in_full(cases, first, all ? failed_alike : is_it, style, out);
    if (!all) show_by_name(cases, first, is_another, style, out);
}

static void add_each(struct json_object *cases, const ShowStyle *style, Text *out) {
    for (size_t i = 0; i < json_length(cases); i++)
        if (is_first(cases, i, failed_alike))
            show_in_full(cases, json_object_array_get_idx(cases, i), failed_alike, style, out);
}

/* Those that failed, then those that passed. */
static void add_folded(struct json_object *cases, Fold fold, const ShowStyle *style, Text *out) {
    struct json_object *pass = NULL;
    for (size_t i = 0; i < json_length(cases); i++) {
        struct json_object *entry = json_object_array_get_idx(cases, i);
        if (passed(entry)) {
            if (pass == NULL) pass = entry;
        } else if (fold == FOLD_PASSED && is_first(cases, i, failed_alike)) {
            show_in_full(cases, entry, failed_alike, style, out);
        } else if (fold == FOLD_ALL && is_first(cases, i, went_the_same)) {
            show_verdict(cases, entry, style, out);
        }
    }
    if (pass != NULL) show_by_name(cases, pass, went_the_same, style, out);
}

bool show_nothing_ran(struct json_object *cases) {
    JSON_EACH(entry, cases)
        if (!show_has_verdict(entry, "not-run")) return false;
    return true;
}

/* A sixth of the screen is for the cases: then the first finding begins in its upper half, and so does what
 * to do about it. */
enum { SCREEN_PARTS = 6 };

/* On a screen, and with findings to show below, cases are folded until they take no more than their part of
 * it: first those that passed, at last all. */
void show_cases(struct json_object *result, const ShowStyle *style, Text *out) {
    struct json_object *cases = json_array(result, "cases");
    if (show_nothing_ran(cases)) return;
    bool bounded = style->rows > 0 && json_length(json_array(result, "findings")) > 0;
    Text lines = text_new();
    add_each(cases, style, &lines);
    for (Fold fold = FOLD_PASSED; fold <= FOLD_ALL; fold++) {
        if (!bounded || show_lines(&lines) <= style->rows / SCREEN_PARTS) break;
        text_clear(&lines);
        add_folded(cases, fold, style, &lines);
    }
    text_append(out, lines.bytes, lines.length);
    text_add(out, "\n");
    text_free(&lines);
}
