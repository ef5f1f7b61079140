/* hidden.c - takes what a hidden case holds out of a result; see hidden.h.
 *
 * Everything that a case or finding of a hidden case says is written anew from its kind and its concept,
 * rather than searched for numbers: so nothing slips through that somebody adds to a message later. Where a
 * finding was made is left out as well, and all findings of a hidden case but the first: a file of 997 lines
 * with a fault for each remainder would tell a size modulo 997 by the line alone, and one with a kind of
 * fault for each bit the whole size by the kinds.
 */
#include "autograder/check/hidden.h"

#include "autograder/texts.h"

#include <string.h>

bool hidden_case(const Check *check, unsigned index) {
    return index < check->judge->case_count && check->judge->cases[index].concept != NULL;
}

/* Indexed by CaseVerdict; a case that passed has nothing to say. */
static const HiddenText messages[] = {
    [CASE_WRONG] = HIDDEN_WRONG, [CASE_REFUSED] = HIDDEN_REFUSED, [CASE_CRASH] = HIDDEN_CRASHED,
    [CASE_EXIT] = HIDDEN_ENDED,  [CASE_TIMEOUT] = HIDDEN_STOPPED, [CASE_NOT_RUN] = HIDDEN_NOT_RUN};

static const char *message_of(CaseVerdict verdict) {
    if (verdict == CASE_PASS) return "";
    return plain_hidden(messages[verdict]);
}

const char *hidden_message(const char *verdict) {
    for (unsigned i = CASE_PASS; i <= CASE_NOT_RUN; i++)
        if (strcmp(verdict, result_case_verdict((CaseVerdict)i)) == 0) return message_of((CaseVerdict)i);
    return message_of(CASE_NOT_RUN);
}

static const char *name_of(const Check *check, const char *concept) {
    const char *name = TOLD_HIDDEN(NAME, check->arena, .concept = concept);
    if (name != NULL) return name;
    return "hidden";
}

/* Findings name their case by the judge's own string. */
static const JudgeCaseSpec *case_of(const Check *check, const Finding *finding) {
    for (unsigned i = 0; finding->case_name != NULL && i < check->judge->case_count; i++)
        if (finding->case_name == check->judge->cases[i].name) return &check->judge->cases[i];
    return NULL;
}

bool hidden_finding(const Check *check, const Finding *finding) {
    const JudgeCaseSpec *spec = case_of(check, finding);
    return spec != NULL && spec->concept != NULL;
}

static void redact_finding(const Check *check, Finding *finding, const char *concept) {
    const FindingInfo *info = finding_info(finding->kind);
    finding->case_name = name_of(check, concept);
    const HiddenFacts facts = {.title = info->title, .concept = concept, .kind = info->name};
    finding_say(finding, check->arena, said_hidden(HIDDEN_MESSAGE, HIDDEN_WHY, &facts));
    finding->count = 1;
    finding->line = finding->column = finding->other_line = finding->other_column = 0;
    finding->kernel = finding->other_what = NULL;
    finding->cause = NULL;
}

/* Names of hidden cases are made from their concepts, which differ. */
static bool was_told(const Result *result, const Finding *finding) {
    const Finding *earlier = result->first;
    while (earlier != finding &&
           (earlier->case_name == NULL || strcmp(earlier->case_name, finding->case_name) != 0))
        earlier = earlier->next;
    return earlier != finding;
}

/* Of the findings of a hidden case the first stays, which is the one to mend first (verdict_conclude). */
static void redact_findings(const Check *check) {
    Result *result = check->result;
    Finding *last = NULL;
    for (Finding *finding = result->first, *next; finding != NULL; finding = next) {
        bool hidden = hidden_finding(check, finding);
        next = finding->next;
        if (hidden) redact_finding(check, finding, case_of(check, finding)->concept);
        if (!hidden || !was_told(result, finding))
            last = finding;
        else
            last->next = next;
    }
    result->last = last;
}

/* A finding that is told must not point to one that no longer is, or to one of a hidden case. */
static void cut_causes(const Check *check) {
    for (Finding *finding = check->result->first; finding != NULL; finding = finding->next) {
        const Finding *cause = finding->cause;
        bool redacted = cause != NULL && cause->case_name != NULL && case_of(check, cause) == NULL;
        if (redacted) finding->cause = NULL;
    }
}

/* Findings are taken last, since which of them belong to a hidden case is known by the case's name as the
 * judge has it. */
void hidden_redact(Check *check) {
    Result *result = check->result;
    for (unsigned i = 0; result->cases != NULL && i < result->case_count; i++) {
        if (!hidden_case(check, i)) continue;
        const char *concept = check->judge->cases[i].concept;
        result->cases[i].concept = concept;
        if (check->revealed) continue;
        result->cases[i].name = name_of(check, concept);
        result->cases[i].message = message_of(result->cases[i].verdict);
        result->cases[i].cause = NULL;
    }
    if (check->revealed) return;
    redact_findings(check);
    cut_causes(check);
}
