/* verdict_work.c - see verdict_work.h. A lesson's judge knows how its answer comes about (Judge.work); where
 * it does not say, the inputs at the wrong element are shown.
 */
#include "autograder/verdict/verdict_work.h"

#include "autograder/check/cases.h"
#include "autograder/check/hidden.h"
#include "autograder/texts.h"

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

void verdict_work_by_hand(Check *check) {
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
