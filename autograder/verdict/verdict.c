/* verdict.c - decides each case in both schedules; see verdict.h.
 *
 * A case has its points when it is right in every schedule. Of all wrong cases only one becomes a
 * finding: one cause usually spoils many.
 */
#include "autograder/verdict/suspects.h"
#include "autograder/verdict/verdict_parts.h"

#include "autograder/check/hidden.h"
#include "autograder/check/likeness.h"
#include "autograder/evidence/report.h"
#include "autograder/texts.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- endings ---- */

/** A way to end before the answer is there: what the case and its finding become. */
typedef struct EndRow {
    RunEnd end;
    CaseVerdict verdict;
    FindingKind kind;
    EndingText message, why;
} EndRow;

static const EndRow end_rows[] = {
    {RUN_CRASHED, CASE_CRASH, FINDING_CRASH, ENDING_CRASHED_MESSAGE, ENDING_CRASHED_WHY},
    {RUN_EXITED, CASE_EXIT, FINDING_CRASH, ENDING_EXITED_MESSAGE, ENDING_EXITED_WHY},
    {RUN_TIMEOUT, CASE_TIMEOUT, FINDING_TIMEOUT, ENDING_TIMEOUT_MESSAGE, ENDING_TIMEOUT_WHY},
    {RUN_CPU_LIMIT, CASE_TIMEOUT, FINDING_TIMEOUT, ENDING_CPU_LIMIT_MESSAGE, ENDING_CPU_LIMIT_WHY},
    {RUN_FILE_LIMIT, CASE_CRASH, FINDING_LIMIT, ENDING_FILE_LIMIT_MESSAGE, ENDING_FILE_LIMIT_WHY},
    {RUN_FORBIDDEN, CASE_CRASH, FINDING_LIMIT, ENDING_FORBIDDEN_MESSAGE, ENDING_FORBIDDEN_WHY},
    {RUN_FLOODED, CASE_TIMEOUT, FINDING_LIMIT, ENDING_FLOODED_MESSAGE, ENDING_FLOODED_WHY},
    {RUN_APART, CASE_EXIT, FINDING_RANKS_APART, ENDING_APART_MESSAGE, ENDING_APART_WHY},
    {RUN_TOGETHER, CASE_CRASH, FINDING_LIMIT, ENDING_TOGETHER_MESSAGE, ENDING_TOGETHER_WHY},
    {RUN_MEMORY, CASE_CRASH, FINDING_LIMIT, ENDING_MEMORY_MESSAGE, ENDING_MEMORY_WHY},
};

static const EndRow *row_of_end(RunEnd end) {
    for (size_t i = 0; i < sizeof end_rows / sizeof *end_rows; i++)
        if (end_rows[i].end == end) return &end_rows[i];
    BUG("no text for ending %d", (int)end);
}

/* The line of "FILE:LINE: ...", as CHECK prints it of the student's file before it ends the program; or 0. */
static int line_printed(const Check *check, const CaseEnd *end) {
    const char *name = check->submission->name, *printed = end->last_line;
    const size_t length = strlen(name);
    if (end->end != RUN_EXITED || printed == NULL || strncmp(printed, name, length) != 0) return 0;
    char *rest = NULL;
    long line = 0;
    if (printed[length] == ':') line = strtol(printed + length + 1, &rest, 10);
    const bool is_line = line > 0 && line <= INT_MAX && *rest == ':';
    if (is_line) return (int)line;
    return 0;
}

/* What a signal says of how it came about. */
static void add_signal(EndingFacts *facts, int number) {
    facts->memory = number == SIGSEGV || number == SIGBUS;
    facts->divided = number == SIGFPE;
    facts->aborted = number == SIGABRT;
    facts->unmeant = number == SIGILL || number == SIGTRAP;
    facts->killed = number == SIGKILL;
    facts->alarmed = number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
    facts->sent = !(facts->memory || facts->divided || facts->aborted || facts->unmeant);
}

/* What the texts of an ending ask for. `status` is a signal's number for a crash, an exit status for an exit.
 */
static EndingFacts facts_of_end(const Check *check, const CaseEnd *end, unsigned index) {
    enum { STATUS_DEVICE = 71 }; /* the driver's own call was refused by the device */
    EndingFacts facts = {.ranks = check->settings[index].ranks > 0,
                         .late = end->detail == STATUS_DEVICE,
                         .truncated = check->settings[index].ranks > 0 && end->last_line != NULL &&
                                      strstr(end->last_line, "Message truncated") != NULL,
                         .checked = line_printed(check, end) > 0,
                         .idle = end->idle,
                         .status = end->detail,
                         .chosen = end->chosen > 0,
                         .signal = strsignal(end->detail),
                         .uncaught = end->uncaught,
                         .printed = end->last_line};
    if (end->chosen > 0) facts.status = end->chosen;
    if (end->end == RUN_CRASHED) add_signal(&facts, end->detail);
    return facts;
}

bool verdict_is_about_answer(FindingKind kind) {
    return kind == FINDING_WRONG_ANSWER || kind == FINDING_NOT_ON_GPU || kind == FINDING_NOT_BY_KERNEL ||
           kind == FINDING_NOT_AS_ASKED;
}

/* What the device found explains an ending better than the ending itself; one ending of a kind is enough.
 * What it found in a hidden case explains no ending that is told. */
static bool is_explained(const Check *check, unsigned index, FindingKind kind) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next) {
        if (hidden_finding(check, finding) && !hidden_case(check, index)) continue;
        bool follows = verdict_is_about_answer(finding->kind);
        if (finding->kind == kind || (finding->severity == FINDING_ERROR && !follows)) return true;
    }
    return false;
}

/* A kernel that gets on, but not fast enough, is where the time went. */
static void name_stopped_launch(Check *check, const Schedule *schedule, unsigned index, Finding *finding) {
    const Place stopped = report_find_stopped(check, schedule, index);
    if (stopped.line == 0 || stopped.kernel == NULL) return;
    finding->line = stopped.line;
    finding_say(finding, check->arena, SAID_ENDING(SLOW, .kernel = stopped.kernel));
}

static void add_end_finding(Check *check, const Schedule *schedule, const Outcome *outcome, unsigned index) {
    const CaseEnd *end = &schedule->ends[index];
    const EndRow *row = row_of_end(end->end);
    if (is_explained(check, index, row->kind)) return;
    const EndingFacts facts = facts_of_end(check, end, index);
    Finding *finding =
        check_add(check, row->kind, line_printed(check, end), said_ending(row->message, row->why, &facts));
    if (finding == NULL) return;
    finding->message = outcome->message;
    finding->case_name = check->judge->cases[index].name;
    if (end->end == RUN_TIMEOUT) name_stopped_launch(check, schedule, index, finding);
}

/* ---- one case ---- */

int verdict_open_answers(const Schedule *schedule, unsigned index) {
    char path[256];
    snprintf(path, sizeof path, "%s/%02u", schedule->answers, index);
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static JudgeDecision read_decision(Check *check, const Schedule *schedule, unsigned index) {
    int folder = verdict_open_answers(schedule, index);
    JudgeDecision decision = cases_decide(&check->cases[schedule->number][index], check->judge, folder);
    if (folder >= 0) close(folder);
    return decision;
}

/* Of a program with races, answers may be wrong in any way, as well as in the way that all are. */
static bool may_have_any_value(const Check *check) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->severity == FINDING_ERROR &&
            (finding->kind == FINDING_SHARED_RACE || finding->kind == FINDING_GLOBAL_RACE))
            return true;
    return false;
}

/* All answers are looked at before one is explained. What is hidden has no say in what is told of the others.
 */
static void find_suspects(Check *check, const Schedule *schedules, unsigned count) {
    Suspects suspects = {0};
    WrongAnswer *wrong = NULL;
    Likenesses *likeness = ARENA_NEW(check->arena, Likenesses);
    const bool may_differ = may_have_any_value(check);
    for (unsigned i = 0; i < count; i++)
        for (unsigned index = 0; index < check->judge->case_count; index++) {
            if (schedules[i].ends[index].end != RUN_COMPLETED) continue;
            JudgeDecision decision = read_decision(check, &schedules[i], index);
            suspects_add(&suspects, &decision);
            if (decision.passed || likeness == NULL || hidden_case(check, index)) continue;
            suspects_note(check->arena, &wrong, &decision, check->judge->cases[index].n);
            likeness_add(likeness, decision.likeness, may_differ);
        }
    check->suspect = suspects_left(&suspects);
    check->wrong_answers = wrong;
    check->likeness = likeness;
}

/* What is wrong, and why, where that is known. */
static const char *tell_decision(const Check *check, const JudgeDecision *decision) {
    if (decision->message == NULL) return plain_outcome(OUTCOME_WRONG);
    if (decision->because == NULL) return decision->message;
    const char *told = arena_format(check->arena, "%s; %s", decision->message, decision->because);
    if (told != NULL) return told;
    return decision->message;
}

static Outcome decide_answer(Check *check, const Schedule *schedule, unsigned index) {
    Outcome outcome = {.decision = read_decision(check, schedule, index)};
    suspects_doubt(check->wrong_answers, check->judge->cases[index].n, &outcome.decision);
    suspects_tell(check, &outcome.decision);
    if (check->likeness != NULL) likeness_tell(check->arena, check->likeness, &outcome.decision);
    if (outcome.decision.passed)
        outcome.verdict = CASE_PASS;
    else
        outcome.verdict = CASE_WRONG;
    outcome.message = tell_decision(check, &outcome.decision);
    return outcome;
}

static bool has_crashed(const Check *check, const Schedule *schedule) {
    bool crashed = false;
    for (unsigned i = 0; i < check->judge->case_count; i++)
        crashed = crashed || schedule->ends[i].end == RUN_CRASHED;
    return crashed;
}

/* One case in one run: the answer when the program got that far, otherwise the way in which it ended. */
static Outcome decide_in_schedule(Check *check, const Schedule *schedule, unsigned index) {
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED) return decide_answer(check, schedule, index);
    if (end->end == RUN_NOT_RUN)
        return (Outcome){.verdict = CASE_NOT_RUN,
                         .message = TOLD_OUTCOME(NOT_RUN, check->arena, .hung = schedule->hung_case,
                                                 .crashes = schedule->crashed_often,
                                                 .exits = !has_crashed(check, schedule))};
    if (end->end == RUN_EXITED && schedule->hung_case == check->judge->cases[index].name)
        return (Outcome){.verdict = CASE_TIMEOUT, .message = plain_outcome(OUTCOME_HUNG)};
    const EndRow *row = row_of_end(end->end);
    const EndingFacts facts = facts_of_end(check, end, index);
    return (Outcome){.verdict = row->verdict, .message = told_ending(check->arena, row->message, &facts)};
}

/* How much there is to work out by hand: elements, and a second call is as much trouble as many of them. */
static long trouble_of(const JudgeCaseSpec *spec) {
    enum { SECOND_CALL = 256 };
    return spec->n + (spec->again ? SECOND_CALL : 0);
}

/* Whether a case is easier to work out by hand than the one that speaks so far. */
static bool is_easier(const Check *check, unsigned index) {
    const JudgeCaseSpec *spec = &check->judge->cases[index], *now = &check->judge->cases[check->wrong_case];
    return spec->n > 0 && (now->n == 0 || trouble_of(spec) < trouble_of(now));
}

/* The first wrong case speaks for all, or the first one whose cause is known; where none is, the one that is
 * easiest to work out by hand. */
static Finding *find_speaker(const Check *check, unsigned index, const JudgeDecision *decision) {
    Finding *finding = check->result->first;
    while (finding != NULL && finding->kind != FINDING_WRONG_ANSWER)
        finding = finding->next;
    if (finding == NULL) return result_add(check->result, check->arena, FINDING_WRONG_ANSWER);
    const bool known = finding->told_cause != NULL || !finding->only_placed;
    const bool may_speak = hidden_finding(check, finding) || !hidden_case(check, index);
    const bool better = decision->cause != NULL || (!decision->unwritten && is_easier(check, index));
    if (!known && better && may_speak) return finding;
    return NULL;
}

/* Of all wrong cases only one becomes a finding. */
static void add_wrong_answer(Check *check, const Schedule *schedule, unsigned index, const Outcome *outcome) {
    const JudgeDecision *decision = &outcome->decision;
    Finding *finding = find_speaker(check, index, decision);
    if (finding == NULL) return;
    check->wrong = finding;
    check->wrong_schedule = schedule->number;
    check->wrong_case = index;
    check->wrong_decision = *decision;
    finding->file = check->submission->path;
    finding->case_name = check->judge->cases[index].name;
    finding->message = outcome->message;
    finding->told_cause = decision->cause;
    finding->names_mistake = decision->leads || decision->of_each_thread;
    finding->of_each_thread = decision->of_each_thread;
    verdict_place_answer(check, schedule, index, decision, finding);
}

static void note_outcome(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    verdict_check_device_was_used(check, schedule, index, outcome);
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED && outcome->verdict == CASE_WRONG)
        add_wrong_answer(check, schedule, index, outcome);
    else if (end->end != RUN_COMPLETED && end->end != RUN_NOT_RUN)
        add_end_finding(check, schedule, outcome, index);
}

static void tell_one_order(const Check *check, CaseResult *result) {
    result->message = TOLD_OUTCOME(ONE_ORDER, check->arena, .message = result->message);
    if (result->fact != NULL) result->fact = TOLD_OUTCOME(ONE_ORDER, check->arena, .message = result->fact);
}

/* Right in both runs comes first: only then can the records of the two be compared. Otherwise the first run
 * that is not right decides. */
static void decide_case(Check *check, const Schedule *schedules, unsigned count, unsigned index) {
    const JudgeCaseSpec *spec = &check->judge->cases[index];
    CaseResult *result = &check->result->cases[index];
    *result =
        (CaseResult){.name = spec->name, .verdict = CASE_PASS, .max_points = spec->points, .message = ""};
    Outcome outcomes[CHECK_SCHEDULES];
    unsigned right = 0;
    for (unsigned i = 0; i < count; i++) {
        outcomes[i] = decide_in_schedule(check, &schedules[i], index);
        right += outcomes[i].verdict == CASE_PASS;
    }
    if (right == count && !verdict_check_evidence(check, schedules, index)) return;
    right = 0;
    for (unsigned i = 0; i < count; i++) {
        note_outcome(check, &schedules[i], index, &outcomes[i]);
        right += outcomes[i].verdict == CASE_PASS;
        if (outcomes[i].verdict == CASE_PASS || result->verdict != CASE_PASS) continue;
        result->verdict = outcomes[i].verdict;
        result->message = outcomes[i].message;
        result->cause = outcomes[i].decision.cause;
        if (outcomes[i].decision.because != NULL) result->fact = outcomes[i].decision.message;
    }
    if (right == count) result->points = spec->points;
    if (right > 0 && right < count) tell_one_order(check, result);
}

/* What nobody has written has a value that spoils what is made of it. So a copy to the host that takes such
 * elements along with others is no mistake where all answers are right; but that of the lesson's program
 * takes what is asked for. */
static void pardon_unused(Check *check) {
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (check->result->cases[i].verdict != CASE_PASS) return;
    for (Finding *finding = check->result->first; finding != NULL; finding = finding->next) {
        if (!finding_is_sort(finding, "partial") || finding->in_driver) continue;
        finding->severity = FINDING_NOTE;
        finding->explanation = plain_unused(UNUSED_WHY);
        finding->advice = NULL;
    }
}

void verdict_decide_cases(Check *check, const Schedule *schedules, unsigned count) {
    find_suspects(check, schedules, count);
    for (unsigned i = 0; i < check->judge->case_count; i++)
        decide_case(check, schedules, count, i);
    verdict_check_templates(check, &schedules[0]);
    pardon_unused(check);
    verdict_check_clean(check);
}
