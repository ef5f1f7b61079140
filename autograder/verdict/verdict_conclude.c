/* verdict_conclude.c - the whole of a result: which finding explains which, their order, points and verdict;
 * see verdict.h.
 */
#include "autograder/check/cases.h"
#include "autograder/check/hidden.h"
#include "autograder/texts.h"
#include "autograder/verdict/verdict.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- which finding explains which ---- */

static bool causes_errors(const Result *result, const Finding *cause) {
    for (const Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding->cause == cause && finding->severity == FINDING_ERROR) return true;
    return false;
}

/* Notes that say what an error comes from: an assignment taken for a comparison, one thread for each block.
 */
static bool leads(const Result *result, const Finding *finding) {
    return finding->severity == FINDING_NOTE && (finding->leads || causes_errors(result, finding));
}

/* What makes numbers wrong, where it is an error; not what is wrong with right numbers. */
static bool spoils_numbers(const Finding *finding) {
    bool harmless = finding->kind == FINDING_LEAK || finding->kind == FINDING_UNCHECKED_ERROR ||
                    finding->kind == FINDING_OVER_BUDGET || finding->blind ||
                    verdict_is_about_answer(finding->kind);
    return finding->severity == FINDING_ERROR && !harmless;
}

static bool same_text(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* An error in the kernel that wrote the wrong number, in the host's part, or in the case that is wrong. */
static bool may_explain(const Check *check, const Finding *cause, const Finding *wrong) {
    if (cause == wrong) return false;
    if (hidden_finding(check, cause) && !hidden_finding(check, wrong)) return false;
    if (cause->kind == FINDING_LOW_OCCUPANCY && leads(check->result, cause)) return true;
    if (finding_is_sort(cause, "symbol-part")) return true;
    return spoils_numbers(cause) && (cause->kernel == NULL || same_text(cause->kernel, wrong->kernel) ||
                                     same_text(cause->case_name, wrong->case_name));
}

static bool is_race(const Finding *finding) {
    return finding->kind == FINDING_SHARED_RACE || finding->kind == FINDING_GLOBAL_RACE;
}

/* Threads that meet in one statement: its index brings them together, or a barrier is missing in its loop. */
static bool is_race_of_one_line(const Finding *finding) {
    return is_race(finding) && (finding->other_line == 0 || finding->other_line == finding->line);
}

/* An expression that is known to be wrong takes threads out of an array, leaves elements without a value, and
 * brings threads of one statement together. Threads that all do what one should do meet in doing it. */
static bool follows_mistake(const Finding *wrong, const Finding *other) {
    if (other->severity != FINDING_ERROR || other->cause != NULL) return false;
    if (wrong->of_each_thread) return is_race(other);
    return other->kind == FINDING_OUT_OF_BOUNDS || other->kind == FINDING_UNINITIALIZED_READ ||
           is_race_of_one_line(other);
}

static void explain_by_mistake(const Result *result, Finding *wrong) {
    for (Finding *other = result->first; other != NULL; other = other->next)
        if (follows_mistake(wrong, other)) other->cause = wrong;
}

/* A note on a variable that the host filled in part explains what goes wrong at the line that reads it. */
static void explain_by_part(const Result *result) {
    for (Finding *note = result->first; note != NULL; note = note->next) {
        if (!finding_is_sort(note, "symbol-part")) continue;
        for (Finding *error = result->first; error != NULL; error = error->next)
            if (spoils_numbers(error) && error->line == note->other_line && error->cause == NULL)
                error->cause = note;
    }
}

static Finding *find_at(const Result *result, FindingKind kind, int line) {
    Finding *finding = result->first;
    while (finding != NULL &&
           !(finding->kind == kind && finding->severity == FINDING_ERROR && finding->line == line))
        finding = finding->next;
    return finding;
}

/* The line of a launch in the default stream that work in another stream is out of order with; 0. Reports
 * differ in how they name the file before it. */
static long line_in_default(const Finding *finding) {
    const char *end = NULL;
    if (finding->explanation != NULL) end = strstr(finding->explanation, " is in the default stream");
    if (finding->kind != FINDING_MISSING_SYNC || end == NULL) return 0;
    const char *digits = end;
    while (digits > finding->explanation && isdigit((unsigned char)digits[-1]))
        digits--;
    return strtol(digits, NULL, 10);
}

/* Each report names the cause among its own findings; what only the other run showed is found here. */
static Finding *find_order(const Result *result, const Finding *finding) {
    if (finding->kind == FINDING_USE_AFTER_FREE && finding->other_line > 0)
        return find_at(result, FINDING_MISSING_SYNC, finding->other_line);
    const long line = line_in_default(finding);
    for (Finding *other = result->first; line > 0 && other != finding; other = other->next)
        if (line_in_default(other) == line) return other;
    return NULL;
}

static void explain_by_order(const Result *result) {
    for (Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding->cause == NULL && finding->severity == FINDING_ERROR)
            finding->cause = find_order(result, finding);
    for (Finding *finding = result->first; finding != NULL; finding = finding->next)
        while (finding->cause != NULL && finding->cause->cause != NULL)
            finding->cause = finding->cause->cause;
}

/* What to mend first is what the device saw; the wrong number says no more than that it is wrong. */
static void explain_wrong_answer(const Check *check) {
    const Result *result = check->result;
    Finding *wrong = result->first;
    while (wrong != NULL && wrong->kind != FINDING_WRONG_ANSWER)
        wrong = wrong->next;
    if (wrong == NULL) return;
    if (wrong->names_mistake) explain_by_mistake(result, wrong);
    if (wrong->names_mistake || wrong->by_itself) return;
    for (Finding *cause = result->first; wrong->cause == NULL && cause != NULL; cause = cause->next)
        if (may_explain(check, cause, wrong)) wrong->cause = cause->cause != NULL ? cause->cause : cause;
}

/* ---- a wrong case worked out by hand ---- */

/* A lesson's judge knows how its answer comes about (Judge.work); where it does not say, the inputs at the
 * wrong element are shown. */

/* An element of an input, as learners write it. The judges of the course have steps of their own. */
static void add_element(Text *steps, const CaseInput *input, size_t i) {
    const NpyArray *array = &input->array;
    if (array->type == NPY_F32)
        judge_step(steps, "%s[%zu] is %.9g", input->name, i, (double)((const float *)array->data)[i]);
    else if (array->type == NPY_F64)
        judge_step(steps, "%s[%zu] is %.9g", input->name, i, ((const double *)array->data)[i]);
    else if (array->type == NPY_I32)
        judge_step(steps, "%s[%zu] is %d", input->name, i, ((const int32_t *)array->data)[i]);
}

/* Numbers that hold for the whole case stand in arrays of one element. */
static void add_inputs(const JudgeCase *judged, size_t index, Text *steps) {
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next)
        if (input->array.count > index) add_element(steps, input, index);
}

static bool may_be_worked(const Check *check) {
    const Finding *wrong = check->wrong;
    if (wrong == NULL || wrong->cause != NULL || !wrong->only_placed) return false;
    if (wrong->told_cause != NULL && !check->wrong_decision.says_where) return false;
    for (const Finding *other = check->result->first; other != NULL; other = other->next)
        if (other != wrong && other->severity == FINDING_ERROR && other->cause == NULL) return false;
    return !hidden_case(check, check->wrong_case) && check->wrong_decision.wrong_index >= 0;
}

/* What stands above the steps; NULL without memory. */
static const char *title(const Check *check, const JudgeCaseSpec *spec) {
    return TOLD_WORK(BY_HAND, check->arena, .case_name = spec->name,
                     .first = check->wrong_decision.which_call == JUDGE_FIRST_CALL,
                     .second = check->wrong_decision.which_call == JUDGE_SECOND_CALL);
}

/* Adds to what is said of a wrong answer, where nothing else explains it: the inputs, how the right element
 * comes about step by step, and what came out. Never of a hidden case. Needs to know which finding follows
 * from which. */
static void verdict_work_by_hand(Check *check) {
    if (!may_be_worked(check)) return;
    const JudgeCase *judged = &check->cases[check->wrong_schedule][check->wrong_case];
    const JudgeDecision *decision = &check->wrong_decision;
    Finding *wrong = check->result->first;
    while (wrong != check->wrong)
        wrong = wrong->next;
    Text steps = text_new();
    cases_work(judged, check->judge, decision, &steps);
    if (steps.length == 0) add_inputs(judged, (size_t)decision->wrong_index, &steps);
    if (steps.length > 0 && decision->was != NULL)
        judge_step(&steps, "%s", TOLD_WORK(YOURS, check->arena, .was = decision->was));
    const char *above = title(check, judged->spec);
    if (steps.length > 0 && above != NULL)
        wrong->explanation = arena_format(check->arena, "%s\n%s\n%s", wrong->explanation, above, steps.bytes);
    text_free(&steps);
}

/* ---- the order ---- */

/* What to look at first. */
typedef enum Rank {
    RANK_NEVER_RAN, /* what keeps it from running */
    RANK_MISTAKE,   /* what the device saw, and what leads to an error */
    RANK_UNTIDY,    /* what is wrong with right numbers */
    RANK_ANSWER,    /* a wrong answer without a known mistake */
    RANK_FOLLOWS,   /* what another finding explains */
    RANK_BLIND,     /* what nobody could look at */
    RANK_NOTE
} Rank;

static Rank rank(const Finding *finding) {
    if (finding->first) return RANK_MISTAKE;
    if (finding->severity == FINDING_NOTE) return RANK_NOTE;
    if (finding->blind) return RANK_BLIND;
    if (finding->cause != NULL) return RANK_FOLLOWS;
    if (finding->kind == FINDING_COMPILE_ERROR || finding->kind == FINDING_RESERVED_SYMBOL)
        return RANK_NEVER_RAN;
    if (verdict_is_about_answer(finding->kind) && !finding->names_mistake) return RANK_ANSWER;
    if (finding->kind == FINDING_LEAK || finding->kind == FINDING_UNCHECKED_ERROR) return RANK_UNTIDY;
    return RANK_MISTAKE;
}

/* Whether a finding of the sorted list stays before another. Of mistakes, one that leads to an error goes
 * first. */
static bool stays_before(const Finding *sorted, const Finding *finding) {
    const bool overtaken = rank(sorted) == RANK_MISTAKE && finding->first && !sorted->first;
    return rank(sorted) <= rank(finding) && !overtaken;
}

/* Insertion into a new list keeps equal ranks in the order in which they were found. */
static void order_findings(Result *result) {
    Finding *sorted = NULL;
    bool failed = result_has_errors(result);
    for (Finding *finding = result->first; finding != NULL; finding = finding->next)
        finding->first = failed && leads(result, finding);
    for (Finding *finding = result->first, *next; finding != NULL; finding = next) {
        next = finding->next;
        Finding **place = &sorted;
        while (*place != NULL && stays_before(*place, finding))
            place = &(*place)->next;
        finding->next = *place;
        *place = finding;
    }
    result->first = sorted;
    for (result->last = sorted; result->last != NULL && result->last->next != NULL;)
        result->last = result->last->next;
}

/* ---- what is told once ---- */

static bool told_before(const Result *result, unsigned index) {
    const char *cause = result->cases[index].cause;
    const Finding *first = result->first;
    if (first->kind == FINDING_WRONG_ANSWER && same_text(first->told_cause, cause)) return true;
    for (unsigned i = 0; i < index; i++)
        if (same_text(result->cases[i].cause, cause)) return true;
    return false;
}

/* A cause is told with the finding, where that stands first, or else with the first case that has it. */
static void tell_causes_once(Result *result) {
    for (unsigned i = 0; i < result->case_count; i++)
        if (result->cases[i].fact != NULL && told_before(result, i))
            result->cases[i].message = result->cases[i].fact;
}

/* ---- points and verdict ---- */

/* A result without errors of the toolkit passes when all cases are right and nothing was found. Points for a
 * clean file need at least one case that ran. */
void verdict_conclude(Check *check) {
    Result *result = check->result;
    bool all_right = result->case_count > 0, ran = false;
    for (unsigned i = 0; i < result->case_count; i++) {
        all_right = all_right && result->cases[i].verdict == CASE_PASS;
        ran = ran || result->cases[i].verdict != CASE_NOT_RUN;
        result->score += result->cases[i].points;
        result->max_score += result->cases[i].max_points;
    }
    for (unsigned i = 0; i < result->budget_count; i++) {
        result->score += result->budget[i].points;
        result->max_score += result->budget[i].max_points;
    }
    bool clean = ran && !result_has_errors(result);
    if (clean) result->score += (int)check->lesson->manifest.points_clean;
    result->max_score += (int)check->lesson->manifest.points_clean;
    if (all_right && clean)
        result->verdict = VERDICT_PASS;
    else
        result->verdict = VERDICT_FAIL;
    if (check->diagnostics->errors > 0) result->verdict = VERDICT_ERROR;
    explain_by_part(result);
    explain_by_order(result);
    explain_wrong_answer(check);
    verdict_work_by_hand(check);
    order_findings(result);
    if (result->first != NULL) tell_causes_once(result);
}
