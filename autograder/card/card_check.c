/* card_check.c - the column of calls of a check on a card; see card_check.h. */
#include "autograder/card/card_check.h"

#include "autograder/card/card_parts.h"
#include "autograder/check/settings.h"
#include "autograder/compile/readable.h"
#include "autograder/texts.h"
#include "base/marks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- times ---- */

static int by_size(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The lines that the driver left, if they are such lines: the program could write what it wants, and nothing
 * is decided by them. */
static const CaseTimes *read_times(Arena *arena, unsigned index) {
    enum { LARGEST = 4096, MOST_MICROSECONDS = 1000000000 };
    char path[64];
    snprintf(path, sizeof path, CARD_ANSWERS "/%02u/" CASE_TIMES, index);
    Text text = text_new();
    double each[CASE_TIMED_CALLS], bytes = 0;
    unsigned count = 0;
    if (text_read_named_file(&text, path, LARGEST))
        for (const char *at = text.bytes; count < CASE_TIMED_CALLS; count++) {
            char *end;
            each[count] = strtod(at, &end);
            if (end == at || !(each[count] > 0) || !(each[count] < (double)MOST_MICROSECONDS)) break;
            bytes = (double)strtoul(end, &end, 10);
            at = end;
        }
    text_free(&text);
    CaseTimes *times = NULL;
    if (count == CASE_TIMED_CALLS) times = ARENA_NEW(arena, CaseTimes);
    if (times == NULL) return NULL;
    qsort(each, count, sizeof *each, by_size);
    *times =
        (CaseTimes){.median = each[count / 2], .least = each[0], .most = each[count - 1], .bytes = bytes};
    return times;
}

/* ---- answers ---- */

/* The call that the case is about, then those that were timed: all of their answers must be right. */
static JudgeDecision decide(Check *check, unsigned index) {
    JudgeCase *judged = &check->cases[0][index];
    char path[64];
    snprintf(path, sizeof path, CARD_ANSWERS "/%02u", index);
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    JudgeDecision decision = cases_decide(judged, check->judge, folder);
    const bool timed = judged->before == NULL && check->settings[index].ranks == 0;
    for (int call = 0; call < CASE_TIMED_CALLS && decision.passed && timed; call++) {
        snprintf(path, sizeof path, "%d", call);
        const int again = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        decision = cases_decide(judged, check->judge, again);
        if (again >= 0) close(again);
    }
    if (folder >= 0) close(folder);
    return decision;
}

static void judge_cases(Check *check, const CardEnd *ends) {
    for (unsigned i = 0; i < check->judge->case_count; i++) {
        CaseResult *result = &check->result->cases[i];
        result->verdict = ends[i].verdict;
        result->message = ends[i].message;
        if (ends[i].verdict != CASE_PASS) continue;
        const JudgeDecision decision = decide(check, i);
        if (decision.passed) {
            result->points = result->max_points;
            result->times = read_times(check->arena, i);
            continue;
        }
        result->verdict = CASE_WRONG;
        if (decision.message != NULL)
            result->message = decision.message;
        else
            result->message = "";
        result->cause = decision.cause;
    }
}

/* ---- the column ---- */

static void run_and_judge(Check *check, const Card *card) {
    CardEnd *ends = ARENA_ARRAY(check->arena, check->judge->case_count, CardEnd);
    if (ends != NULL && card_run(check, card, ends) && stage_retire(&check->stage, check->diagnostics))
        judge_cases(check, ends);
}

/* Only answers are judged here: the points are those of the cases. */
static void conclude(Check *check) {
    Result *result = check->result;
    bool passed = result->case_count > 0 && !result_has_errors(result);
    unsigned ran = 0;
    for (unsigned i = 0; i < result->case_count; i++) {
        const CaseResult *one = &result->cases[i];
        result->score += one->points;
        result->max_score += one->max_points;
        ran += one->verdict != CASE_NOT_RUN;
        passed = passed && (one->verdict == CASE_PASS || one->verdict == CASE_NOT_RUN);
    }
    if (passed && ran > 0)
        result->verdict = VERDICT_PASS;
    else
        result->verdict = VERDICT_FAIL;
    result->budget_count = 0; /* neither can be seen on a card */
    result->objective_count = 0;
    if (check->diagnostics->first == NULL) return;
    result->verdict = VERDICT_ERROR;
    result->problem = check->diagnostics->first->message;
    result->remedy = check->diagnostics->first->remedy;
}

static bool find(Check *check, Card *card) {
    const CardLack lack = card_find(card, check->arena);
    if (lack == CARD_THERE) return true;
    return advise(
        diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", card_explain(lack, card, check->arena)),
        card_remedy(lack));
}

static bool can_build(Check *check) {
    if (check->lesson->manifest.ranks.text == NULL || access(CARD_MPI_COMPILER, X_OK) == 0) return true;
    return advise(diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_card(CARD_MPI)),
                  plain_card(CARD_MPI_REMEDY));
}

void card_check(Check *check) {
    const double begin = child_now();
    Card card;
    Result *result = check->result;
    result->lesson = check->lesson->name;
    result->sandbox = "none";
    result->seed = check->seeds.given;
    child_adopt_orphans();
    const bool found = find(check, &card);
    if (card.name != NULL)
        result->device = card.name;
    else
        result->device = "cuda";
    if (found)
        result->card = (CardSeen){
            .driver = card.driver, .busy = card.busy, .shared = card.shared, .throttled = card.throttled};
    if (check_name_parts(check) && found && can_build(check) && check_enter_stage(check)) {
        const bool built = readable_check(check) && card_build(check, &card);
        if (built && check_prepare_cases(check) && settings_read(check)) run_and_judge(check, &card);
    }
    stage_leave(&check->stage);
    if (check->stage.level[0] != '\0') result->sandbox = check->stage.level;
    conclude(check);
    result->seconds = child_now() - begin;
    result_bound(result, check->arena);
}
