/* verdict_made.c - how a right answer came about: on the device, by kernels, and in the way that the lesson
 * asks for; see verdict.h.
 */
#include "autograder/verdict/verdict_parts.h"

#include "autograder/evidence/evidence.h"
#include "autograder/evidence/kept.h"
#include "autograder/evidence/origin.h"
#include "autograder/evidence/overlap.h"
#include "autograder/evidence/report.h"
#include "autograder/texts.h"

#include <string.h>

/* ---- what kernels made, in one schedule ---- */

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

/** What is said of each way in which kernels did not make a right answer, or are not known to have. */
typedef struct LackRow {
    OriginLack lack;
    FindingKind kind;
    OutcomeText outcome;
    MadeText message, why;
} LackRow;

static const LackRow lack_rows[] = {
    {ORIGIN_BY_NOBODY, FINDING_NOT_ON_GPU, OUTCOME_NOT_COMPUTED, MADE_NOT_ON_GPU_MESSAGE,
     MADE_NOT_ON_GPU_WHY},
    {ORIGIN_BY_OTHERS, FINDING_NOT_ON_GPU, OUTCOME_NOT_ALL_COMPUTED, MADE_NOT_ALL_MESSAGE, MADE_NOT_ALL_WHY},
    {ORIGIN_UNTRACED, FINDING_LIMIT, OUTCOME_UNTRACED, MADE_UNTRACED_MESSAGE, MADE_UNTRACED_WHY},
    {ORIGIN_UNREAD, FINDING_NOT_ON_GPU, OUTCOME_UNREAD, MADE_UNREAD_MESSAGE, MADE_UNREAD_WHY},
    {ORIGIN_HARDLY_READ, FINDING_NOT_ON_GPU, OUTCOME_HARDLY_READ, MADE_HARDLY_READ_MESSAGE, MADE_UNREAD_WHY},
};

static void refuse_lack(Check *check, unsigned index, OriginLack lack, long missing, Outcome *outcome) {
    const LackRow *row = lack_rows;
    while (row->lack != lack)
        row++;
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(row->outcome);
    add_once(check, row->kind, index, line_of_function(check, index),
             said_made(row->message, row->why, &(MadeFacts){.count = (uint64_t)missing}));
}

/* What the lists of launches and copies do not show cannot count for the program. */
static void fail_unfollowed(Check *check, unsigned index, Outcome *outcome) {
    enum { LISTED = 1000 };
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(OUTCOME_UNFOLLOWED);
    add_once(check, FINDING_LIMIT, index, line_of_function(check, index),
             SAID_MADE(UNFOLLOWED, .count = LISTED));
}

static void refuse_case(const Check *check, unsigned index, const char *message) {
    CaseResult *result = &check->result->cases[index];
    result->verdict = CASE_REFUSED;
    result->points = 0;
    result->message = message;
}

/* Nor what a device had no room to keep. */
static void refuse_too_much(Check *check, unsigned index) {
    refuse_case(check, index, plain_outcome(OUTCOME_TOO_MUCH));
    add_once(check, FINDING_LIMIT, index, line_of_function(check, index),
             said_made(MADE_TOO_MUCH_MESSAGE, MADE_TOO_MUCH_WHY, NULL));
}

/* A small case may well be solved in a simpler way. Hidden cases do not take the part of the largest one that
 * students see; a hidden one as large as that has to be solved as asked, too. */
static bool is_largest_case(const Judge *judge, unsigned index) {
    for (unsigned i = 0; i < judge->case_count; i++)
        if (judge->cases[i].concept == NULL && judge->cases[i].n > judge->cases[index].n) return false;
    return true;
}

/* The row of uses.def says what to use, and where the run shows what stands in its way, that is said. */
static void explain_missing(const Check *check, const Schedule *schedule, unsigned index, const Use *missing,
                            Finding *finding) {
    finding->explanation = missing->explanation;
    finding->advice = missing->name;
    if (strcmp(missing->name, "overlap") != 0) return;
    const OverlapCause cause = overlap_find_cause(check, schedule, index);
    if (cause.why == NULL) return;
    finding->explanation = cause.why;
    finding->advice = cause.name;
    if (cause.line == 0) return;
    finding->line = cause.line;
    finding->column = 0;
}

/* A right answer, made in another way than the lesson is about: without what it asks for, or (NULL) with a
 * kernel of a library. */
static void add_not_as_asked(Check *check, const Schedule *schedule, unsigned index, const Use *missing,
                             const char *what) {
    Place place = report_find_launch(check, schedule, index);
    Finding *finding =
        add_once(check, FINDING_NOT_AS_ASKED, index, place.line,
                 said_made(MADE_NOT_AS_ASKED_MESSAGE, MADE_LIBRARY_WHY, &(MadeFacts){.missing = what}));
    if (finding == NULL) return;
    finding->column = place.column;
    if (missing != NULL) explain_missing(check, schedule, index, missing, finding);
}

static void fail_not_as_asked(Check *check, const Schedule *schedule, unsigned index, const Use *missing,
                              Outcome *outcome) {
    const char *what = NULL;
    if (missing != NULL) what = missing->what;
    outcome->verdict = CASE_REFUSED;
    outcome->message = TOLD_OUTCOME(NOT_AS_ASKED, check->arena, .missing = what);
    add_not_as_asked(check, schedule, index, missing, what);
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

/* A case that passed fails after all when a kernel wrote to memory that the lesson asks to leave alone, and
 * is refused when other bytes that the host got were not written by kernels. */
static void check_kept(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    Trespass trespass;
    if (check->judge->name_kept == NULL || outcome->verdict != CASE_PASS) return;
    if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
    } else if (kept_find_trespass(check, schedule, index, &trespass)) {
        fail_trespass(check, schedule, index, &trespass, outcome);
    } else if (!kept_rest_is_made(schedule, index)) {
        const bool traced = !origin_is_untraced(schedule, index);
        refuse_lack(check, index, traced ? ORIGIN_BY_OTHERS : ORIGIN_UNTRACED, 0, outcome);
    }
}

/* A device that had to be killed, or broke down, tells nothing, of the cases before the last one either:
 * nobody is accused, and nothing counts. */
static void leave_untold(Outcome *outcome) {
    outcome->verdict = CASE_REFUSED;
    outcome->message = plain_outcome(OUTCOME_UNTOLD);
}

/* A right answer counts when kernels made it and in the way that the lesson asks for. Where the report does
 * not show how it was made nobody is accused, and the case does not count. */
void verdict_check_device_was_used(Check *check, const Schedule *schedule, unsigned index, Outcome *outcome) {
    const JudgeCaseSpec *spec = &check->judge->cases[index];
    if (outcome->verdict != CASE_PASS || !needs_kernel(check, spec)) return;
    if (report_of_case(schedule, index) == NULL) {
        leave_untold(outcome);
        return;
    }
    long missing = 0;
    const OriginLack lack = origin_lack(check, schedule, index, &missing);
    if (lack == ORIGIN_MADE) {
        check_uses(check, schedule, index, outcome);
        check_kept(check, schedule, index, outcome);
    } else if (origin_is_cut(schedule, index)) {
        fail_unfollowed(check, index, outcome);
    } else {
        refuse_lack(check, index, lack, missing, outcome);
    }
}

/* ---- what the host sent, in both schedules ---- */

/** What is said of each way in which the records of the two runs part. */
typedef struct FaultRow {
    EvidenceFinding found;
    OutcomeText outcome;
    MadeText message, why;
} FaultRow;

/* The first also stands for an answer that is not the sum of what came back. */
static const FaultRow fault_rows[] = {
    {EVIDENCE_FINE, OUTCOME_ON_HOST, MADE_ON_HOST_MESSAGE, MADE_SUM_WHY},
    {EVIDENCE_CONTENTS, OUTCOME_ON_HOST, MADE_ON_HOST_MESSAGE, MADE_CONTENTS_WHY},
    {EVIDENCE_CHOSEN, OUTCOME_CHOSEN, MADE_CHOSEN_MESSAGE, MADE_CHOSEN_WHY},
    {EVIDENCE_SHAPE, OUTCOME_BY_VALUES, MADE_BY_VALUES_MESSAGE, MADE_SHAPE_WHY},
    {EVIDENCE_CALLS, OUTCOME_BY_VALUES, MADE_BY_VALUES_MESSAGE, MADE_CALLS_WHY},
};

void verdict_refuse_idle(Check *check, const Schedule *schedule, unsigned index, const Use *use) {
    refuse_case(check, index, TOLD_OUTCOME(NOT_AS_ASKED, check->arena, .missing = use->idle));
    add_not_as_asked(check, schedule, index, use, use->idle);
}

static void add_not_by_kernel(Check *check, const Schedule *schedule, unsigned index,
                              const EvidenceFault *fault) {
    bool own = fault->file != NULL && fault->line > 0 && check_is_own_file(check, fault->file);
    int line;
    if (own)
        line = fault->line;
    else
        line = report_find_launch(check, schedule, index).line;
    const FaultRow *row = fault_rows;
    while (row->found != fault->found)
        row++;
    refuse_case(check, index, plain_outcome(row->outcome));
    add_once(check, FINDING_NOT_BY_KERNEL, index, line,
             said_made(row->message, row->why, &(MadeFacts){.call = fault->call}));
}

/* What came back adds up to the answer; in the second of two calls, with what came back in the first, to both
 * answers. */
static bool adds_up(const Check *check, const Schedule *schedule, unsigned index) {
    const JudgeFiles *files = check->cases[schedule->number][index].files;
    const float *answer = files->answer, *before = files->before;
    if (answer == NULL) return true;
    if (before == NULL) return evidence_adds_up(check, schedule, index, *answer);
    return evidence_adds_up(check, schedule, index, *before) &&
           (evidence_adds_up(check, schedule, index, *answer) ||
            evidence_adds_up(check, schedule, index, *before + *answer));
}

/* Of a case that is right in both schedules: whether kernels made it so. */
bool verdict_check_evidence(Check *check, const Schedule *schedules, unsigned index) {
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
        refuse_too_much(check, index);
        return false;
    }
    bool fine = fault.found == EVIDENCE_FINE;
    if (fine && manifest->host_finishes)
        fine = adds_up(check, &schedules[0], index) && adds_up(check, &schedules[1], index);
    if (fine) return true;
    add_not_by_kernel(check, &schedules[0], index, &fault);
    return false;
}

/* ---- no mistake behind a right answer ---- */

static bool is_error_of(const Finding *finding, const char *case_name) {
    return finding->severity == FINDING_ERROR && finding->case_name != NULL &&
           strcmp(finding->case_name, case_name) == 0;
}

void verdict_check_clean(Check *check) {
    if (!check->lesson->manifest.clean_cases) return;
    for (unsigned i = 0; i < check->judge->case_count; i++) {
        const Finding *finding = check->result->first;
        while (finding != NULL && !is_error_of(finding, check->judge->cases[i].name))
            finding = finding->next;
        if (finding == NULL || check->result->cases[i].verdict != CASE_PASS) continue;
        refuse_case(check, i,
                    TOLD_OUTCOME(FOUND, check->arena, .finding = finding_info(finding->kind)->title));
    }
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
void verdict_check_templates(Check *check, const Schedule *schedule) {
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
