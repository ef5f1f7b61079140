/* objectives.c - what a pass has shown; see objectives.h.
 *
 * "You can now ..." is said of what this run showed: a case that was right, a line of the budget that was
 * kept, or a mistake that would have been found, in a program that did what the mistake is made in.
 */
#include "autograder/verdict/objectives.h"

#include "autograder/check/hidden.h"
#include "autograder/check/source.h"
#include "autograder/evidence/origin.h"
#include "autograder/texts.h"

#include <string.h>

enum { EVIDENCE_COUNTERS = 3 };

/** A row of objectives.def. */
typedef struct Evidence {
    FindingKind kind;
    const char *counters[EVIDENCE_COUNTERS];
} Evidence;

static const Evidence rows[] = {
#define EVIDENCE(kind, a, b, c) {FINDING_##kind, {#a, #b, #c}},
#define AGAINST(budget, kind)
#include "autograder/objectives.def"
#undef EVIDENCE
#undef AGAINST
};

/** A row of objectives.def: a kind of note that speaks against a line of the budget. */
typedef struct Against {
    const char *budget;
    FindingKind kind;
} Against;

static const Against against_rows[] = {
#define EVIDENCE(kind, a, b, c)
#define AGAINST(budget, kind) {#budget, FINDING_##kind},
#include "autograder/objectives.def"
#undef EVIDENCE
#undef AGAINST
};

/* ---- what the runs did ---- */

static bool has_counted(const Check *check, const Schedule *schedule, const char *counter) {
    if (strcmp(counter, "none") == 0) return true;
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (!hidden_case(check, i) && origin_sum_of_counter(schedule, cases_whole(i), counter) > 0)
            return true;
    return false;
}

static bool has_counted_all(const Check *check, const Schedule *schedule, FindingKind kind) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned j = 0; rows[i].kind == kind && j < EVIDENCE_COUNTERS; j++)
            if (!has_counted(check, schedule, rows[i].counters[j])) return false;
    return true;
}

/* The student's own allocations, and the executables of graphs: what the lesson's program has allocated it
 * gives back itself. */
static bool has_allocated(const Check *check, const Schedule *schedule) {
    static const char functions[] =
        "cudaMalloc cudaMallocPitch cudaMalloc3D cudaMallocManaged "
        "cudaMallocAsync cudaMallocFromPoolAsync cudaMallocArray cudaMalloc3DArray "
        "cudaMallocMipmappedArray cudaGraphInstantiate cudaGraphInstantiateWithFlags";
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (!hidden_case(check, i) && origin_calls(check, schedule, cases_whole(i), functions).count > 0)
            return true;
    return false;
}

/* A launch has no status of its own: somebody must ask for its error. */
static bool asks_after_launches(const Check *check, const Schedule *schedule) {
    for (unsigned i = 0; i < check->judge->case_count; i++)
        if (!hidden_case(check, i) &&
            origin_calls(check, schedule, cases_whole(i), "cudaGetLastError cudaPeekAtLastError").count > 0)
            return true;
    return false;
}

static void add_note(Check *check, FindingKind kind, int line, Said said) {
    Finding *finding = check_add(check, kind, line, said);
    if (finding != NULL) finding->severity = FINDING_NOTE;
}

/* The compiler knows whose status is dropped, the device who asks after a launch. */
static bool looks_at_statuses(Check *check, const Schedule *schedule) {
    if (check->unlooked > 0) {
        add_note(check, FINDING_UNCHECKED_ERROR, check->unlooked_line,
                 SAID_COMPILE(UNLOOKED, .calls = check->unlooked));
        return false;
    }
    if (asks_after_launches(check, schedule)) return true;
    add_note(check, FINDING_UNCHECKED_ERROR, 0,
             said_compile(COMPILE_UNASKED_MESSAGE, COMPILE_UNASKED_WHY, NULL));
    return false;
}

/* A mask of whoever is here is right whenever it is tried: the software GPU keeps the lanes of a branch
 * together. */
static bool names_lanes(Check *check, const Schedule *schedule) {
    const int line = source_find_word(check->submission->source.bytes, "__activemask");
    if (line == 0) return has_counted_all(check, schedule, FINDING_INVALID_MASK);
    add_note(check, FINDING_INVALID_MASK, line,
             said_compile(COMPILE_ACTIVE_MESSAGE, COMPILE_ACTIVE_WHY, NULL));
    return false;
}

static bool did(Check *check, const Schedule *schedule, FindingKind kind) {
    if (kind == FINDING_UNCHECKED_ERROR) return looks_at_statuses(check, schedule);
    if (kind == FINDING_INVALID_MASK) return names_lanes(check, schedule);
    if (kind == FINDING_LEAK) return has_allocated(check, schedule);
    return has_counted_all(check, schedule, kind);
}

static bool all_cases_passed(const Result *result) {
    for (unsigned i = 0; i < result->case_count; i++)
        if (result->cases[i].verdict != CASE_PASS) return false;
    return true;
}

void objectives_gather(Check *check, const Schedule *schedules) {
    Result *result = check->result;
    const bool passed = all_cases_passed(result) && !result_has_errors(result);
    for (unsigned i = 0; i < result->objective_count; i++) {
        const FindingKind kind = finding_by_name(result->objectives[i].check);
        result->objectives[i].shown =
            passed && (kind == FINDING_KIND_COUNT || did(check, &schedules[0], kind));
    }
}

/* ---- what was found ---- */

static bool was_found(const Result *result, FindingKind kind) {
    for (const Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding->kind == kind) return true;
    return false;
}

/* All lines of that name; any line, where there is none. */
static bool was_kept(const Result *result, const char *name) {
    for (unsigned i = 0; i < result->budget_count; i++) {
        const BudgetResult *line = &result->budget[i];
        if (name != NULL && strcmp(line->what, name) != 0) continue;
        if (!line->is_measured || line->measured > line->expected) return false;
    }
    return true;
}

static bool is_spoken_against(const Result *result, const char *budget) {
    for (size_t i = 0; i < sizeof against_rows / sizeof *against_rows; i++)
        if (strcmp(against_rows[i].budget, budget) == 0 && was_found(result, against_rows[i].kind))
            return true;
    return false;
}

static bool is_proved(const Result *result, const char *check) {
    if (text_starts_with(check, OBJECTIVE_BUDGET)) {
        const char *budget = check + strlen(OBJECTIVE_BUDGET);
        return was_kept(result, budget) && !is_spoken_against(result, budget);
    }
    const FindingKind kind = finding_by_name(check);
    if (kind == FINDING_OVER_BUDGET) return was_kept(result, NULL);
    return kind == FINDING_KIND_COUNT || !was_found(result, kind);
}

void objectives_conclude(Check *check) {
    Result *result = check->result;
    for (unsigned i = 0; i < result->objective_count; i++) {
        ObjectiveResult *objective = &result->objectives[i];
        objective->shown =
            objective->shown && result->verdict == VERDICT_PASS && is_proved(result, objective->check);
    }
}
