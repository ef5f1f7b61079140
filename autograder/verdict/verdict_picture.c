/* verdict_picture.c - see verdict_picture.h. */
#include "autograder/verdict/verdict_picture.h"

#include "autograder/check/hidden.h"
#include "autograder/check/likeness.h"
#include "base/digits.h"
#include "base/json.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

/** An error of the picture's run. */
typedef struct CaseError {
    const char *kind;
    int64_t line;
} CaseError;

/** A picture as its run left it. */
typedef struct CasePicture {
    const char *text;
    CaseError *errors; /**< of all launches, and of the host */
    size_t error_count;
    bool overlaps; /**< work of one stream ran beside that of another */
    unsigned schedule, case_index;
    struct CasePicture *next;
} CasePicture;

static void keep_errors(Check *check, CasePicture *picture, struct json_object *report) {
    struct json_object *findings = json_array(report, "findings");
    size_t count = json_length(findings);
    picture->errors = ARENA_ARRAY(check->arena, count + 1, CaseError);
    for (size_t i = 0; i < count && picture->errors != NULL; i++) {
        struct json_object *found = json_object_array_get_idx(findings, i);
        if (strcmp(json_text(found, "severity", ""), "error") != 0) continue;
        picture->errors[picture->error_count++] = (CaseError){
            arena_string(check->arena, json_text(found, "kind", "")), json_number(found, "line", 0)};
    }
}

static bool has_overlap(struct json_object *report) {
    struct json_object *spans = json_array(report, "timeline");
    size_t count = json_length(spans);
    for (size_t i = 0; i < count; i++)
        if (json_number(json_object_array_get_idx(spans, i), "overlap", 0) > 0) return true;
    return false;
}

void verdict_keep_pictures(Check *check, const Schedule *schedules) {
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        for (unsigned j = 0; j < schedules[i].pair_count; j++) {
            const Pair *pair = &schedules[i].pairs[j];
            const char *text = json_text(pair->report, "picture", "");
            if (*text == '\0' || hidden_case(check, pair->first_case)) continue;
            CasePicture *picture = ARENA_NEW(check->arena, CasePicture);
            if (picture == NULL) return;
            *picture = (CasePicture){.text = arena_string(check->arena, text),
                                     .overlaps = has_overlap(pair->report),
                                     .schedule = schedules[i].number,
                                     .case_index = pair->first_case,
                                     .next = check->pictures};
            keep_errors(check, picture, pair->report);
            check->pictures = picture;
        }
}

/* ---- which ---- */

/* In ascending order. What a run has found decides, whichever launch of it is pictured: so a picture of
 * another launch, or of other blocks, is of the same run. Where all is well, streams that overlap are more to
 * see than a case that is too small for it. */
typedef enum Worth { NOTHING, ANYTHING, OVERLAP, WRONG_CASE, MISTAKE, FIRST_LINE, FIRST_FINDING } Worth;

static Worth worth_of_error(const Check *check, const CasePicture *picture, const CaseError *error,
                            const Finding *first) {
    const bool same = first != NULL && strcmp(error->kind, finding_info(first->kind)->name) == 0 &&
                      error->line == first->line;
    if (!same) return MISTAKE;
    const char *name = check->judge->cases[picture->case_index].name;
    if (first->case_name != NULL && strcmp(first->case_name, name) == 0) return FIRST_FINDING;
    return FIRST_LINE;
}

static bool is_of_wrong_answer(const Check *check, const CasePicture *picture) {
    return check->wrong != NULL && picture->case_index == check->wrong_case &&
           picture->schedule == check->wrong_schedule;
}

static Worth worth_of(const Check *check, const CasePicture *picture) {
    const Finding *first = check->result->first;
    const bool wrong = is_of_wrong_answer(check, picture);
    if (wrong && first == check->wrong) return FIRST_FINDING;
    const char *name = check->judge->cases[picture->case_index].name;
    const bool told = first != NULL && first->case_name != NULL && strcmp(first->case_name, name) == 0;
    Worth most = ANYTHING;
    if (picture->overlaps) most = OVERLAP;
    if (wrong || told) most = WRONG_CASE;
    for (size_t i = 0; i < picture->error_count; i++) {
        const Worth worth = worth_of_error(check, picture, &picture->errors[i], first);
        if (worth > most) most = worth;
    }
    return most;
}

/* ---- what is added ---- */

/* Whatever is no number is a word. */
static struct json_object *number_of(double value) {
    char text[DIGITS_ROOM];
    if (isnan(value)) return json_object_new_string("nan");
    if (isinf(value)) return json_object_new_string(value < 0 ? "-inf" : "inf");
    digits_write(text, value, true);
    return json_object_new_double_s(value, text);
}

/* So many elements are told: from the first wrong one's surroundings on. */
enum { MOST_ELEMENTS = 1024, BEFORE = 64 };

static void add_elements(struct json_object *object, const JudgeDecision *decision) {
    const LikenessAnswer *answer = decision->elements;
    const size_t index = (size_t)decision->wrong_index;
    size_t from = 0;
    if (answer->count > MOST_ELEMENTS && index > BEFORE) from = index - BEFORE;
    struct json_object *expected = json_object_new_array(), *yours = json_object_new_array(),
                       *wrong = json_object_new_array();
    for (size_t i = from; i < answer->count && i < from + MOST_ELEMENTS; i++) {
        json_object_array_add(expected, number_of(answer->want[i]));
        json_object_array_add(yours, number_of(answer->got[i]));
        if (answer->wrong[i]) json_object_array_add(wrong, json_object_new_int64((int64_t)i));
    }
    json_put_number(object, "from", (int64_t)from);
    json_object_object_add(object, "expected", expected);
    json_object_object_add(object, "yours", yours);
    json_object_object_add(object, "wrong", wrong);
}

/* NULL: the judge has not compared element by element. */
static struct json_object *answer_of(const Check *check) {
    const JudgeDecision *decision = &check->wrong_decision;
    if (decision->elements == NULL || decision->answer == NULL || decision->wrong_index < 0) return NULL;
    struct json_object *object = json_object_new_object();
    json_put_visible(object, "name", decision->answer);
    json_put_visible(object, "case", check->judge->cases[check->wrong_case].name);
    json_put_visible(object, "message", decision->message);
    add_elements(object, decision);
    return object;
}

/* The errors of the screen, in their order. */
static struct json_object *told_of(const Check *check) {
    struct json_object *told = json_object_new_array();
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next) {
        if (finding->severity != FINDING_ERROR || (hidden_finding(check, finding) && !check->revealed))
            continue;
        struct json_object *object = json_object_new_object();
        json_put_text(object, "kind", finding_info(finding->kind)->name);
        json_put_visible(object, "message", finding->message);
        json_put_number(object, "line", finding->line);
        json_put_visible(object, "case", text_or(finding->case_name, ""));
        json_object_array_add(told, object);
    }
    return told;
}

/* The picture is a text of one object: members are put in before its last brace. */
static const char *with_members(const Check *check, const CasePicture *picture) {
    struct json_object *told = told_of(check), *answer = NULL;
    if (is_of_wrong_answer(check, picture)) answer = answer_of(check);
    const char *end = strrchr(picture->text, '}');
    const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
    const char *text = arena_format(check->arena, "%.*s,\n\"told\":%s,\n\"answer\":%s}",
                                    end != NULL ? (int)(end - picture->text) : 0, picture->text,
                                    json_object_to_json_string_ext(told, flags),
                                    answer != NULL ? json_object_to_json_string_ext(answer, flags) : "null");
    json_object_put(told);
    json_object_put(answer);
    if (end != NULL) return text;
    return picture->text;
}

/* Pictures are kept last first, and the first of several that are worth the same is shown. */
void verdict_choose_picture(Check *check) {
    const CasePicture *best = NULL;
    Worth most = NOTHING;
    for (const CasePicture *picture = check->pictures; picture != NULL; picture = picture->next) {
        const Worth worth = worth_of(check, picture);
        if (worth < most) continue;
        most = worth;
        best = picture;
    }
    if (best != NULL) check->result->picture = with_members(check, best);
}
