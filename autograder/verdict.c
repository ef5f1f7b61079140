/* verdict.c - decides each case in both schedules; see verdict.h.
 *
 * A case has its points when it is right in every schedule. Of all wrong cases only the first becomes a
 * finding: one cause usually spoils many.
 */
#include "autograder/verdict.h"

#include "autograder/evidence.h"
#include "autograder/hidden.h"
#include "autograder/kept.h"
#include "autograder/origin.h"
#include "autograder/report.h"
#include "autograder/source.h"
#include "autograder/texts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a case looked like in one schedule. */
typedef struct Outcome {
    CaseVerdict verdict;
    const char *message;
    JudgeDecision decision;
} Outcome;

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

/* What the texts of an ending ask for. `status` is a signal's number for a crash, an exit status for an exit.
 */
static EndingFacts facts_of_end(const Check *check, const CaseEnd *end, unsigned index) {
    enum { STATUS_DEVICE = 71 }; /* the driver's own call was refused by the device */
    return (EndingFacts){.ranks = check->settings[index].ranks > 0,
                         .late = end->detail == STATUS_DEVICE,
                         .status = end->detail,
                         .signal = strsignal(end->detail),
                         .printed = end->last_line};
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
    Finding *finding = check_add(check, row->kind, 0, said_ending(row->message, row->why, &facts));
    if (finding == NULL) return;
    finding->message = outcome->message;
    finding->case_name = check->judge->cases[index].name;
    if (end->end == RUN_TIMEOUT) name_stopped_launch(check, schedule, index, finding);
}

/* ---- one case ---- */

static int open_answers(const Schedule *schedule, unsigned index) {
    char path[256];
    snprintf(path, sizeof path, "%s/%02u", schedule->answers, index);
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static Outcome decide_answer(Check *check, const Schedule *schedule, unsigned index) {
    int folder = open_answers(schedule, index);
    Outcome outcome = {.decision =
                           cases_decide(&check->cases[schedule->number][index], check->judge, folder)};
    if (folder >= 0) close(folder);
    outcome.verdict = outcome.decision.passed ? CASE_PASS : CASE_WRONG;
    outcome.message =
        outcome.decision.message != NULL ? outcome.decision.message : plain_outcome(OUTCOME_WRONG);
    return outcome;
}

/* One case in one run: the answer when the program got that far, otherwise the way in which it ended. */
static Outcome decide_in_schedule(Check *check, const Schedule *schedule, unsigned index) {
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED) return decide_answer(check, schedule, index);
    if (end->end == RUN_NOT_RUN)
        return (Outcome){.verdict = CASE_NOT_RUN,
                         .message = TOLD_OUTCOME(NOT_RUN, check->arena, .hung = schedule->hung_case)};
    if (end->end == RUN_EXITED && schedule->hung_case == check->judge->cases[index].name)
        return (Outcome){.verdict = CASE_TIMEOUT, .message = plain_outcome(OUTCOME_HUNG)};
    const EndRow *row = row_of_end(end->end);
    const EndingFacts facts = facts_of_end(check, end, index);
    return (Outcome){.verdict = row->verdict, .message = told_ending(check->arena, row->message, &facts)};
}

/* Kernels filled device memory, and nothing of it came back. */
static const char *explain_no_copy_back(const Check *check, const JudgeDecision *decision) {
    const char *answer = decision->answer != NULL ? decision->answer : "the answer";
    const char *name = arena_format(check->arena, "h_%s", answer);
    if (name == NULL || source_find_word(check->submission->source.bytes, name) == 0) name = answer;
    return TOLD_ORIGIN(NO_COPY_WHY, check->arena, .name = name);
}

static const char *explain_short_copy(const Check *check, long copied, size_t bytes) {
    enum { ELEMENT_BYTES = 4 };
    return TOLD_ORIGIN(SHORT_COPY_WHY, check->arena, .copied = (uint64_t)copied, .bytes = bytes,
                       .elements = (uint64_t)copied / ELEMENT_BYTES, .count = bytes / ELEMENT_BYTES,
                       .one = bytes == ELEMENT_BYTES);
}

/* An answer that a call of the runtime gave, and no kernel. */
static bool find_call(const Check *check, const Schedule *schedule, unsigned index,
                      const JudgeDecision *decision, Finding *finding) {
    if (decision->call == NULL) return false;
    int line = origin_calls(check, schedule, index, decision->call).line;
    if (line == 0) line = source_find_word(check->submission->source.bytes, decision->call);
    if (line == 0 && decision->function != NULL)
        line = source_find_word(check->submission->source.bytes, decision->function);
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    finding->explanation = decision->advice;
    return true;
}

/* The causes that have a line of their own, which is then the finding's. */
static bool find_cause(Check *check, const Schedule *schedule, unsigned index, size_t offset,
                       Finding *finding) {
    size_t bytes = check->cases[schedule->number][index].files->answer_bytes;
    Place copy;
    long copied;
    if (report_find_short_copy(check, schedule, index, bytes, offset, &copy, &copied)) {
        finding->line = copy.line;
        finding->column = copy.column;
        finding->kernel = NULL;
        finding->explanation = explain_short_copy(check, copied, bytes);
        return true;
    }
    char name[64];
    int line = source_find_constant_assignment(check->submission->source.bytes, name, sizeof name);
    if (line == 0) return false;
    finding->line = line;
    finding->column = 0;
    finding->kernel = NULL;
    finding->explanation = TOLD_ORIGIN(PLACEHOLDER_WHY, check->arena, .name = name);
    return true;
}

/* Only the first wrong case becomes a finding. The line is that of a cause that is known (a call, a copy that
 * is too short, a __constant__ that is assigned to), else the one that last wrote the element. */
static void add_wrong_answer(Check *check, const Schedule *schedule, unsigned index, const Outcome *outcome) {
    enum { ELEMENT_BYTES = 4 };
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_WRONG_ANSWER) return;
    const JudgeDecision *decision = &outcome->decision;
    size_t offset = decision->wrong_index > 0 ? (size_t)decision->wrong_index * ELEMENT_BYTES : 0;
    Place place = report_find_writer(check, schedule, index,
                                     check->cases[schedule->number][index].files->answer_bytes, offset);
    Finding *finding = result_add(check->result, check->arena, FINDING_WRONG_ANSWER);
    if (finding == NULL) return;
    finding->file = check->submission->path;
    finding->line = place.line;
    finding->column = place.column;
    finding->kernel = place.kernel;
    finding->case_name = check->judge->cases[index].name;
    finding->message = outcome->message;
    finding->by_itself = true;
    if (find_call(check, schedule, index, decision, finding) ||
        find_cause(check, schedule, index, offset, finding))
        return;
    finding->by_itself = place.kernel == NULL && origin_never_copied_back(schedule, index);
    if (finding->by_itself)
        finding->explanation = explain_no_copy_back(check, decision);
    else
        finding->explanation = TOLD_ORIGIN(WRITER_WHY, check->arena, .by_kernel = place.kernel != NULL,
                                           .unwritten = decision->unwritten, .another = place.of_another);
}

/* A finding about how the answer of a case came about. One of a kind is enough: one cause spoils many cases.
 */
static Finding *add_once(Check *check, FindingKind kind, unsigned index, int line, Said said) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == kind) return NULL;
    Finding *finding = check_add(check, kind, line, said);
    if (finding != NULL) finding->case_name = check->judge->cases[index].name;
    return finding;
}

/* Of what no kernel made there is no line to blame but that of the student's function. */
static int line_of_function(const Check *check, unsigned index) {
    return report_find_writer(check, &(Schedule){0}, index, 0, 0).line;
}

static void add_not_on_gpu(Check *check, unsigned index) {
    add_once(check, FINDING_NOT_ON_GPU, index, line_of_function(check, index),
             said_made(MADE_NOT_ON_GPU_MESSAGE, MADE_NOT_ON_GPU_WHY, NULL));
}

/* What the lists of launches and copies do not show cannot count for the program. */
static void fail_unfollowed(Check *check, unsigned index, Outcome *outcome) {
    enum { LISTED = 1000 };
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(OUTCOME_UNFOLLOWED);
    add_once(check, FINDING_LIMIT, index, line_of_function(check, index),
             SAID_MADE(UNFOLLOWED, .count = LISTED));
}

/* A small case may well be solved in a simpler way. Hidden cases do not take the part of the largest one that
 * students see; a hidden one as large as that has to be solved as asked, too. */
static bool is_largest_case(const Judge *judge, unsigned index) {
    for (unsigned i = 0; i < judge->case_count; i++)
        if (judge->cases[i].concept == NULL && judge->cases[i].n > judge->cases[index].n) return false;
    return true;
}

/* A right answer, made in another way than the lesson is about: without what it asks for, or (NULL) with a
 * kernel of a library. */
static void fail_not_as_asked(Check *check, const Schedule *schedule, unsigned index, const Use *missing,
                              Outcome *outcome) {
    const char *what = missing != NULL ? missing->what : NULL;
    Place place = report_find_launch(check, schedule, index);
    outcome->verdict = CASE_REFUSED;
    outcome->message = TOLD_OUTCOME(NOT_AS_ASKED, check->arena, .missing = what);
    Finding *finding =
        add_once(check, FINDING_NOT_AS_ASKED, index, place.line,
                 said_made(MADE_NOT_AS_ASKED_MESSAGE, MADE_LIBRARY_WHY, &(MadeFacts){.missing = what}));
    if (finding == NULL) return;
    finding->column = place.column;
    if (missing != NULL) finding->explanation = missing->explanation;
}

static void check_uses(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    if (!is_largest_case(check->judge, index)) return;
    const Use *missing = origin_missing_use(check, schedule, index);
    if (origin_is_library(check, schedule, index))
        fail_not_as_asked(check, schedule, index, NULL, outcome);
    else if (missing != NULL && origin_is_cut(schedule, index))
        fail_unfollowed(check, index, outcome);
    else if (missing != NULL)
        fail_not_as_asked(check, schedule, index, missing, outcome);
}

static bool needs_kernel(const Check *check, const JudgeCaseSpec *spec) {
    return check->lesson->manifest.must_launch && spec->n > 0 && !spec->copied;
}

/* A kernel wrote memory that it must leave alone: the answer is wrong at the line of the write. */
static void fail_trespass(Check *check, const Schedule *schedule, unsigned index, const Trespass *trespass,
                          Outcome *outcome) {
    enum { ELEMENT_BYTES = 4 };
    const char *name = check->judge->name_kept(&check->cases[schedule->number][index], trespass->copy,
                                               trespass->offset / ELEMENT_BYTES);
    outcome->verdict = CASE_WRONG;
    outcome->message = TOLD_OUTCOME(KEPT, check->arena, .element = name);
    Finding *finding = add_once(check, FINDING_WRONG_ANSWER, index, trespass->place.line,
                                said_origin(SAY_NOTHING, ORIGIN_KEPT_WHY, NULL));
    if (finding == NULL) return;
    finding->column = trespass->place.column;
    finding->message = outcome->message;
}

/* Of lessons that have kept memory: kernels have left it alone, and have made all the rest. */
static void check_kept(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    Trespass trespass;
    if (check->judge->name_kept == NULL || outcome->verdict != CASE_PASS) return;
    if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
    } else if (kept_find_trespass(check, schedule, index, &trespass)) {
        fail_trespass(check, schedule, index, &trespass, outcome);
    } else if (!kept_rest_is_made(schedule, index)) {
        outcome->verdict = CASE_REFUSED;
        outcome->message = plain_outcome(OUTCOME_NOT_ALL_COMPUTED);
        add_not_on_gpu(check, index);
    }
}

/* A device that had to be killed tells nothing, of the cases before the last one either: nobody is accused,
 * and nothing counts. */
static void leave_untold(Outcome *outcome) {
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(OUTCOME_UNTOLD);
}

/* A right answer counts when kernels made it and in the way that the lesson asks for. Where the report does
 * not show how it was made nobody is accused, and the case does not count. */
static void check_device_was_used(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    const JudgeCaseSpec *spec = &check->judge->cases[index];
    if (outcome->verdict != CASE_PASS || !needs_kernel(check, spec)) return;
    if (origin_is_device(check, schedule, index)) {
        check_uses(check, schedule, index, outcome);
        check_kept(check, schedule, index, outcome);
        return;
    }
    if (report_of_case(schedule, index) == NULL) {
        leave_untold(outcome);
        return;
    }
    if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
        return;
    }
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(OUTCOME_NOT_COMPUTED);
    add_not_on_gpu(check, index);
}

/* ---- what the host sent, in both schedules ---- */

/* Where the records of the two runs part, and why that tells. */
static MadeText why_of_evidence(const EvidenceFault *fault) {
    if (fault->call == NULL) return MADE_SUM_WHY;
    if (fault->found == EVIDENCE_CONTENTS) return MADE_CONTENTS_WHY;
    return fault->found == EVIDENCE_SHAPE ? MADE_SHAPE_WHY : MADE_CALLS_WHY;
}

static void refuse_case(const Check *check, unsigned index, const char *message) {
    CaseResult *result = &check->result->cases[index];
    result->verdict = CASE_REFUSED;
    result->points = 0;
    result->message = message;
}

static void add_not_by_kernel(Check *check, const Schedule *schedule, unsigned index,
                              const EvidenceFault *fault) {
    bool own = fault->file != NULL && fault->line > 0 && check_is_own_file(check, fault->file);
    int line = own ? fault->line : report_find_launch(check, schedule, index).line;
    refuse_case(check, index, plain_outcome(OUTCOME_ON_HOST));
    add_once(check, FINDING_NOT_BY_KERNEL, index, line,
             said_made(MADE_ON_HOST_MESSAGE, why_of_evidence(fault), &(MadeFacts){.call = fault->call}));
}

static bool adds_up(const Check *check, const Schedule *schedule, unsigned index) {
    const float *answer = check->cases[schedule->number][index].files->answer;
    return answer == NULL || evidence_adds_up(check, schedule, index, *answer);
}

/* Of a case that is right in both schedules: whether kernels made it so. */
static bool check_evidence(Check *check, const Schedule *schedules, unsigned index) {
    const Manifest *manifest = &check->lesson->manifest;
    if (!needs_kernel(check, &check->judge->cases[index])) return true;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        if (report_of_case(&schedules[i], index) == NULL) return true; /* note_outcome says so */
    EvidenceFault fault = evidence_compare(check, schedules, index);
    if (fault.found == EVIDENCE_APART) {
        refuse_case(check, index, plain_outcome(OUTCOME_APART));
        return false;
    }
    if (fault.found == EVIDENCE_THREADS) {
        refuse_case(check, index, plain_outcome(OUTCOME_THREADS));
        return false;
    }
    if (fault.found == EVIDENCE_CUT) {
        Outcome outcome = {0};
        fail_unfollowed(check, index, &outcome);
        refuse_case(check, index, outcome.message);
        return false;
    }
    bool fine = fault.found == EVIDENCE_FINE;
    if (fine && manifest->host_finishes)
        fine = adds_up(check, &schedules[0], index) && adds_up(check, &schedules[1], index);
    if (fine) return true;
    add_not_by_kernel(check, &schedules[0], index, &fault);
    return false;
}

static void note_outcome(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    check_device_was_used(check, schedule, index, outcome);
    const CaseEnd *end = &schedule->ends[index];
    if (end->end == RUN_COMPLETED && outcome->verdict == CASE_WRONG)
        add_wrong_answer(check, schedule, index, outcome);
    else if (end->end != RUN_COMPLETED && end->end != RUN_NOT_RUN)
        add_end_finding(check, schedule, outcome, index);
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
    if (right == count && !check_evidence(check, schedules, index)) return;
    right = 0;
    for (unsigned i = 0; i < count; i++) {
        note_outcome(check, &schedules[i], index, &outcomes[i]);
        right += outcomes[i].verdict == CASE_PASS;
        if (outcomes[i].verdict == CASE_PASS || result->verdict != CASE_PASS) continue;
        result->verdict = outcomes[i].verdict;
        result->message = outcomes[i].message;
    }
    if (right == count) result->points = spec->points;
    if (right > 0 && right < count)
        result->message = TOLD_OUTCOME(ONE_ORDER, check->arena, .message = result->message);
}

/* ---- one template for two types ---- */

/* The case of that name; the number of cases when there is none. */
static unsigned case_named(const Judge *judge, const char *name) {
    unsigned index = 0;
    while (index < judge->case_count && strcmp(judge->cases[index].name, name) != 0)
        index++;
    return index;
}

static void refuse_kernels(Check *check, const Schedule *schedule, unsigned index, unsigned other,
                           const char *kernel) {
    refuse_case(check, index, plain_outcome(OUTCOME_NO_TEMPLATE));
    Finding *finding = check_add(check, FINDING_NOT_AS_ASKED, report_find_launch(check, schedule, index).line,
                                 SAID_MADE(NO_TEMPLATE, .first = check->judge->cases[other].name,
                                           .second = check->judge->cases[index].name, .kernel = kernel));
    if (finding != NULL) finding->case_name = check->judge->cases[index].name;
}

/* Two cases with different types must launch instances of the same kernel templates; their names tell. */
static void check_templates(Check *check, const Schedule *schedule) {
    enum { PAIR = 2 };
    const TextList *names = &check->lesson->manifest.same_templates;
    const char *kernel = NULL;
    if (names->count == 0) return;
    unsigned first = case_named(check->judge, names->items[0]);
    unsigned second = case_named(check->judge, names->items[names->count - 1]);
    if (names->count != PAIR || first == check->judge->case_count || second == check->judge->case_count) {
        diag_add(check->diagnostics, DIAG_ERROR, check->lesson->folder, 0, 0,
                 "lesson.yaml: `same_templates` must name two cases of judge.c");
        return;
    }
    const CaseResult *cases = check->result->cases;
    if (cases[first].verdict != CASE_PASS || cases[second].verdict != CASE_PASS) return;
    if (!origin_same_templates(schedule, first, second, &kernel))
        refuse_kernels(check, schedule, second, first, kernel);
}

void verdict_decide_cases(Check *check, const Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < check->judge->case_count; i++)
        decide_case(check, schedules, count, i);
    check_templates(check, &schedules[0]);
}
