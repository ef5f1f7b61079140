/* result.c - Result to JSON, member by member as docs/result-schema.md lists them. */
#include "autograder/check/result.h"

#include "base/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Findings are kept in the order in which they were found; verdict_conclude sorts them. */
Finding *result_add(Result *result, Arena *arena, FindingKind kind) {
    Finding *finding = ARENA_NEW(arena, Finding);
    if (finding == NULL) return NULL;
    *finding = (Finding){
        .kind = kind, .severity = finding_info(kind)->severity, .message = "", .explanation = "", .count = 1};
    if (result->last != NULL)
        result->last->next = finding;
    else
        result->first = finding;
    result->last = finding;
    return finding;
}

/* "SHORT_COPY_WHY" is the advice "short-copy". */
static const char *advice_named(Arena *arena, const char *text) {
    static const char end[] = "_WHY";
    const size_t length = strlen(text), ending = sizeof end - 1;
    const bool ends = length > ending && strcmp(text + length - ending, end) == 0;
    char *name = arena_copy(arena, text, ends ? length - ending : length);
    for (char *at = name; at != NULL && *at != '\0'; at++) {
        *at = (char)tolower((unsigned char)*at);
        if (*at == '_') *at = '-';
    }
    return name;
}

void finding_advise(Finding *finding, Arena *arena, Said said) {
    finding->explanation = say_told(arena, said.story, said.why, said.facts);
    finding->advice = NULL;
    if (said.why != SAY_NOTHING) finding->advice = advice_named(arena, said.story->texts[said.why].name);
}

bool finding_is_sort(const Finding *finding, const char *sort) {
    return finding->sort != NULL && strcmp(finding->sort, sort) == 0;
}

void finding_say(Finding *finding, Arena *arena, Said said) {
    finding->message = say_told(arena, said.story, said.message, said.facts);
    finding_advise(finding, arena, said);
}

/* ---- bounds ----
 *
 * A hostile program can make each of its cases report hundreds of findings in kernels with names of 200 KB.
 * What stays comes to 12 MB of JSON at the worst: RESULT_LARGEST is more. */

enum { MOST_FINDINGS = 200, LONGEST_TEXT = 2000 };

static void bound_text(Arena *arena, const char **text) {
    const char *kept = NULL;
    if (*text != NULL) kept = arena_cut(arena, *text, LONGEST_TEXT);
    if (*text != NULL) *text = text_or(kept, "");
}

static void bound_finding(Arena *arena, Finding *finding) {
    bound_text(arena, &finding->file);
    bound_text(arena, &finding->kernel);
    bound_text(arena, &finding->message);
    bound_text(arena, &finding->explanation);
    bound_text(arena, &finding->other_what);
}

static bool is_listed(const Result *result, const Finding *wanted) {
    const Finding *finding = result->first;
    while (finding != NULL && finding != wanted)
        finding = finding->next;
    return finding != NULL;
}

/* A result has MOST_FINDINGS findings at most, and says how many it leaves out. A finding must not follow
 * from one that is gone. */
void result_bound(Result *result, Arena *arena) {
    Finding *last = NULL, *finding = result->first;
    for (size_t count = 0; finding != NULL && count < MOST_FINDINGS; count++, finding = finding->next) {
        bound_finding(arena, finding);
        last = finding;
    }
    for (; finding != NULL; finding = finding->next)
        result->left_out++;
    if (last == NULL || last->next == NULL) return;
    last->next = NULL;
    result->last = last;
    for (finding = result->first; finding != NULL; finding = finding->next)
        if (finding->cause != NULL && !is_listed(result, finding->cause)) finding->cause = NULL;
}

bool result_has_errors(const Result *result) {
    for (const Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding->severity == FINDING_ERROR) return true;
    return false;
}

/* The words of docs/result-schema.md, which other tools read. */
const char *result_case_verdict(CaseVerdict verdict) {
    static const char *const words[] = {
        [CASE_PASS] = "pass",      [CASE_WRONG] = "wrong-answer", [CASE_REFUSED] = "not-accepted",
        [CASE_CRASH] = "crash",    [CASE_EXIT] = "ended-early",   [CASE_TIMEOUT] = "timeout",
        [CASE_NOT_RUN] = "not-run"};
    return words[verdict];
}

static const char *const verdict_names[] = {
    [VERDICT_PASS] = "pass", [VERDICT_FAIL] = "fail", [VERDICT_ERROR] = "error"};

/* Paths and what the compiler quotes may be any bytes; readers of JSON may refuse what is not UTF-8. */
static void put_optional_text(struct json_object *object, const char *key, const char *text) {
    if (text != NULL) json_put_text(object, key, text);
}

static void put_decimal(struct json_object *object, const char *key, double value) {
    char text[64];
    snprintf(text, sizeof text, "%.3f", value);
    json_object_object_add(object, key, json_object_new_double_s(value, text));
}

static void put_times(struct json_object *object, const CaseTimes *times) {
    struct json_object *inner = json_object_new_object();
    put_decimal(inner, "median", times->median);
    put_decimal(inner, "least", times->least);
    put_decimal(inner, "most", times->most);
    json_object_object_add(object, "microseconds", inner);
    put_decimal(object, "gigabytes_per_second", 1e-3 * times->bytes / times->median);
}

static struct json_object *case_to_json(const CaseResult *result) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "name", result->name);
    json_put_text(object, "verdict", result_case_verdict(result->verdict));
    json_put_number(object, "points", result->points);
    json_put_number(object, "max_points", result->max_points);
    json_put_text(object, "message", result->message);
    put_optional_text(object, "cause", result->cause);
    if (result->concept != NULL) json_put_flag(object, "hidden", true);
    put_optional_text(object, "concept", result->concept);
    if (result->times != NULL) put_times(object, result->times);
    return object;
}

static long number_of(const Result *result, const Finding *wanted) {
    long number = 0;
    for (const Finding *finding = result->first; finding != NULL && finding != wanted;
         finding = finding->next)
        number++;
    return number;
}

/* The cause is given by its number in the list of findings. */
static struct json_object *finding_to_json(const Result *result, const Finding *finding) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "kind", finding_info(finding->kind)->name);
    json_put_text(object, "severity", finding->severity == FINDING_ERROR ? "error" : "note");
    put_optional_text(object, "file", finding->file);
    json_put_number(object, "line", finding->line);
    json_put_number(object, "column", finding->column);
    put_optional_text(object, "kernel", finding->kernel);
    json_put_text(object, "message", finding->message);
    json_put_text(object, "explanation", finding->explanation);
    put_optional_text(object, "advice", finding->advice);
    if (finding->other_line > 0) {
        json_put_number(object, "other_line", finding->other_line);
        json_put_number(object, "other_column", finding->other_column);
        put_optional_text(object, "other_what", finding->other_what);
    }
    put_optional_text(object, "case", finding->case_name);
    json_put_number(object, "count", finding->count);
    if (finding->cause != NULL) json_put_number(object, "follows", number_of(result, finding->cause));
    return object;
}

/* `measured` is left out where nothing was measured; 0 is a measurement. */
static struct json_object *budget_to_json(const BudgetResult *result) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "what", result->what);
    json_put_text(object, "title", result->title);
    json_put_text(object, "at_most", result->at_most);
    json_put_number(object, "expected", result->expected);
    if (result->is_measured) json_put_number(object, "measured", result->measured);
    json_put_flag(object, "required", result->required);
    json_put_number(object, "points", result->points);
    json_put_number(object, "max_points", result->max_points);
    json_put_text(object, "case", result->case_name);
    json_put_text(object, "why", result->why);
    return object;
}

static struct json_object *objective_to_json(const ObjectiveResult *result) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "text", result->text);
    json_put_text(object, "check", result->check);
    json_put_flag(object, "shown", result->shown);
    return object;
}

/* The three lists of a result, each there even when it is empty. */
static void put_lists(struct json_object *object, const Result *result) {
    struct json_object *cases = json_object_new_array();
    for (unsigned i = 0; i < result->case_count; i++)
        json_object_array_add(cases, case_to_json(&result->cases[i]));
    json_object_object_add(object, "cases", cases);
    struct json_object *budget = json_object_new_array();
    for (unsigned i = 0; i < result->budget_count; i++)
        json_object_array_add(budget, budget_to_json(&result->budget[i]));
    json_object_object_add(object, "budget", budget);
    struct json_object *objectives = json_object_new_array();
    for (unsigned i = 0; i < result->objective_count; i++)
        json_object_array_add(objectives, objective_to_json(&result->objectives[i]));
    json_object_object_add(object, "objectives", objectives);
    struct json_object *findings = json_object_new_array();
    for (const Finding *finding = result->first; finding != NULL; finding = finding->next)
        json_object_array_add(findings, finding_to_json(result, finding));
    json_object_object_add(object, "findings", findings);
    if (result->left_out > 0) json_put_number(object, "findings_left_out", (int64_t)result->left_out);
}

static void put_card(struct json_object *object, const CardSeen *card) {
    struct json_object *disturbed = json_object_new_array();
    if (card->busy) json_object_array_add(disturbed, json_object_new_string("busy"));
    if (card->shared) json_object_array_add(disturbed, json_object_new_string("shared"));
    if (card->throttled) json_object_array_add(disturbed, json_object_new_string("throttled"));
    json_put_text(object, "driver", card->driver);
    json_object_object_add(object, "disturbed", disturbed);
}

/* Members in the order of docs/result-schema.md. */
struct json_object *result_to_json(const Result *result) {
    struct json_object *object = json_object_new_object();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", RESULT_SCHEMA);
    json_put_text(object, "lesson", result->lesson);
    json_put_text(object, "verdict", verdict_names[result->verdict]);
    json_put_number(object, "score", result->score);
    json_put_number(object, "max_score", result->max_score);
    json_put_text(object, "device", result->device);
    if (result->card.driver != NULL) put_card(object, &result->card);
    json_put_text(object, "sandbox", result->sandbox);
    put_decimal(object, "seconds", result->seconds);
    json_put_number(object, "seed", result->seed);
    put_lists(object, result);
    put_optional_text(object, "problem", result->problem);
    put_optional_text(object, "remedy", result->remedy);
    if (result->picture != NULL) put_optional_text(object, "picture", result->picture);
    put_optional_text(object, "output", result->output);
    return object;
}

bool result_has_program(struct json_object *result) {
    if (strcmp(json_text(result, "verdict", ""), "error") == 0) return true;
    JSON_EACH(entry, json_array(result, "cases"))
        if (strcmp(json_text(entry, "verdict", ""), "not-run") != 0) return true;
    return false;
}
