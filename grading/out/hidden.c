/* hidden.c - see hidden.h. A copy is made from members that are known to be fit for students, so that a new
 * member of the result is hidden until somebody decides otherwise. */
#include "grading/out/hidden.h"

#include "autograder/check/hidden.h"
#include "autograder/check/result.h"
#include "base/finding.h"
#include "base/json.h"

#include <string.h>

/* What of each part students see; a list ends with NULL. */
static const char *const result_members[] = {"schema",    "lesson", "verdict",           "score",
                                             "max_score", "device", "sandbox",           "seconds",
                                             "problem",   "remedy", "findings_left_out", NULL};
static const char *const case_members[] = {"name", "verdict", "points", "max_points", "message", NULL};
static const char *const hidden_case_members[] = {"verdict", "points",  "max_points",
                                                  "hidden",  "concept", NULL};
static const char *const budget_members[] = {"what",     "title",    "at_most", "expected",
                                             "measured", "required", "points",  "max_points",
                                             "case",     "why",      NULL};
static const char *const hidden_budget_members[] = {"what",   "title",      "at_most", "required",
                                                    "points", "max_points", "why",     NULL};
static const char *const finding_members[] = {
    "kind",       "severity",     "file",       "line", "column", "kernel",  "message", "explanation",
    "other_line", "other_column", "other_what", "case", "count",  "follows", NULL};
/* Not where it was: the line of a fault can tell a number as well as a message does. */
static const char *const hidden_finding_members[] = {"kind", "severity", "file", NULL};

/* Whether the case is a hidden one. */
static bool is_hidden(struct json_object *case_result) {
    return json_flag(case_result, "hidden", false);
}

static size_t count_hidden(struct json_object *cases) {
    size_t count = 0;
    JSON_EACH(entry, cases)
        count += is_hidden(entry);
    return count;
}

/* A copy of the result whose hidden cases have no concept; several are told from each other by their numbers.
 */
static struct json_object *without_concepts(struct json_object *result) {
    struct json_object *copy = NULL;
    if (json_object_deep_copy(result, &copy, NULL) != 0) return NULL;
    struct json_object *cases = json_array(copy, "cases");
    const bool several = count_hidden(cases) > 1;
    int number = 0;
    JSON_EACH(entry, cases) {
        if (!is_hidden(entry)) continue;
        json_object_object_del(entry, "concept");
        number++;
        if (several) json_object_object_add(entry, "number", json_object_new_int(number));
    }
    return copy;
}

static struct json_object *copy_members(struct json_object *from, const char *const *members) {
    struct json_object *copy = json_object_new_object(), *member, *own;
    for (; copy != NULL && *members != NULL; members++) {
        own = NULL;
        if (!json_object_object_get_ex(from, *members, &member)) continue;
        if (json_object_deep_copy(member, &own, NULL) == 0) json_object_object_add(copy, *members, own);
    }
    return copy;
}

/* The hidden case that goes by this name; NULL when it is a visible one or none. */
static struct json_object *find_hidden(struct json_object *result, const char *name) {
    JSON_EACH(entry, json_array(result, "cases"))
        if (is_hidden(entry) && strcmp(json_text(entry, "name", ""), name) == 0) return entry;
    return NULL;
}

/* Results are kept without the secrets of hidden cases, unless somebody asked for them (check --reveal): then
 * the case has its own name. */
static bool is_revealed(struct json_object *result) {
    JSON_EACH(entry, json_array(result, "cases"))
        if (is_hidden(entry) && strncmp(json_text(entry, "name", ""), "hidden: ", 8) != 0) return true;
    return false;
}

static void add_text(struct json_object *object, const char *key, const char *before, const char *text) {
    Text words = text_new();
    text_format(&words, "%s%s", before, text);
    json_object_object_add(object, key, json_object_new_string(words.bytes));
    text_free(&words);
}

/* A hidden case goes by its concept, as in results that graded a class; without one it is only that, or one
 * of several. */
static void add_name(struct json_object *object, const char *key, struct json_object *hidden) {
    const char *concept = json_text(hidden, "concept", NULL);
    const long number = json_number(hidden, "number", 0);
    Text words = text_new();
    if (concept != NULL)
        text_format(&words, "hidden: %s", concept);
    else if (number > 0)
        text_format(&words, "hidden case %ld", number);
    else
        text_add(&words, "a hidden case");
    add_text(object, key, "", words.bytes);
    text_free(&words);
}

static struct json_object *show_case(struct json_object *result, struct json_object *entry) {
    (void)result; /* as the other parts of a list need it */
    if (!is_hidden(entry)) return copy_members(entry, case_members);
    struct json_object *shown = copy_members(entry, hidden_case_members);
    add_name(shown, "name", entry);
    add_text(shown, "message", "", hidden_message(json_text(entry, "verdict", "")));
    return shown;
}

static struct json_object *show_budget(struct json_object *result, struct json_object *line) {
    struct json_object *hidden = find_hidden(result, json_text(line, "case", ""));
    if (hidden == NULL) return copy_members(line, budget_members);
    struct json_object *shown = copy_members(line, hidden_budget_members);
    add_name(shown, "case", hidden);
    return shown;
}

/* The kind's own words take the place of the finding's, which have the sizes of the input in them. */
static struct json_object *show_finding(struct json_object *result, struct json_object *finding) {
    struct json_object *hidden = find_hidden(result, json_text(finding, "case", ""));
    if (hidden == NULL) return copy_members(finding, finding_members);
    struct json_object *shown = copy_members(finding, hidden_finding_members);
    const char *concept = json_text(hidden, "concept", NULL);
    FindingKind kind = finding_by_name(json_text(finding, "kind", ""));
    Text message = text_new();
    text_format(&message, "%s, in a hidden case%s%s",
                kind < FINDING_KIND_COUNT ? finding_info(kind)->title : "a mistake",
                concept != NULL ? ": " : "", text_or(concept, ""));
    add_text(shown, "message", "", message.bytes);
    text_free(&message);
    add_text(shown, "explanation", "", kind < FINDING_KIND_COUNT ? finding_info(kind)->explanation : "");
    add_name(shown, "case", hidden);
    return shown;
}

typedef struct json_object *ShowPart(struct json_object *result, struct json_object *part);

static void show_list(struct json_object *shown, struct json_object *result, const char *key,
                      ShowPart *show) {
    struct json_object *copy = json_object_new_array();
    JSON_EACH(entry, json_array(result, key))
        json_object_array_add(copy, show(result, entry));
    json_object_object_add(shown, key, copy);
}

/* A copy with the members that students may see, and not one without those that they may not: what is added
 * to results later stays hidden until it is listed here. */
static struct json_object *shown_of(struct json_object *result) {
    static const char *const output[] = {"output", NULL};
    struct json_object *shown = copy_members(result, result_members);
    if (shown == NULL) return NULL;
    show_list(shown, result, "cases", show_case);
    show_list(shown, result, "budget", show_budget);
    show_list(shown, result, "findings", show_finding);
    if (is_revealed(result)) return shown;
    struct json_object *printed = copy_members(result, output), *text;
    if (json_object_object_get_ex(printed, "output", &text))
        json_object_object_add(shown, "output", json_object_get(text));
    json_object_put(printed);
    return shown;
}

struct json_object *hidden_for_student(struct json_object *result, bool concepts) {
    if (concepts) return shown_of(result);
    struct json_object *untold = without_concepts(result);
    struct json_object *shown = NULL;
    if (untold != NULL) shown = shown_of(untold);
    json_object_put(untold);
    return shown;
}
