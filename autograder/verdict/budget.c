/* budget.c - measures a case's cost and holds it against the manifest; see budget.h. */
#include "autograder/verdict/budget.h"
#include "base/minmax.h"

#include "autograder/check/settings.h"
#include "autograder/course/budget_kinds.h"
#include "autograder/evidence/evidence.h"
#include "autograder/evidence/origin.h"
#include "autograder/evidence/report.h"
#include "autograder/texts.h"
#include "base/json.h"

#include <inttypes.h>
#include <string.h>

/* ---- what was spent ---- */

static int64_t counted(const Schedule *schedule, CaseCall of, const BudgetKind *kind) {
    int64_t sum = 0;
    for (unsigned i = 0; i < BUDGET_COUNTERS; i++) {
        if (strcmp(kind->counters[i], "none") == 0) continue;
        int64_t value = origin_sum_of_counter(schedule, of, kind->counters[i]);
        sum += i < 2 ? value : -value;
    }
    return sum;
}

/* What the bounded lists do not show was spent all the same. */
static bool is_countable(const Schedule *schedule, CaseCall of) {
    return !origin_is_cut(schedule, of.index) && evidence_totals(schedule, of).known;
}

/* How many blocks a grid has, or threads a block. */
static int64_t volume(struct json_object *launch, const char *shape) {
    int64_t product = 1;
    JSON_EACH(extent, json_array(launch, shape))
        product *= json_object_get_int64(extent);
    return product;
}

/* The launch of the call that executed most: a helper's, which does little, may have any shape. NULL: none.
 */
static struct json_object *main_launch(const Schedule *schedule, CaseCall of) {
    struct json_object *launches = json_array(report_of_case(schedule, of.index), "launches"), *main = NULL;
    int64_t most = -1;
    JSON_EACH(launch, launches) {
        const int64_t work = json_number(json_member(launch, "counters"), "thread_instructions", 0);
        if (!report_is_of_call(launch, of) || work <= most) continue;
        most = work;
        main = launch;
    }
    return main;
}

/* How many threads a block lacks of those that the caller asks for. */
static int64_t threads_short(const Schedule *schedule, CaseCall of, int64_t wanted) {
    struct json_object *launch = main_launch(schedule, of);
    int64_t lack = 0;
    if (launch != NULL) lack = wanted - volume(launch, "block");
    return MAX(lack, 0);
}

/* How many blocks begin only when others have ended. */
static int64_t waiting_blocks(const Schedule *schedule, CaseCall of) {
    struct json_object *launch = main_launch(schedule, of);
    const int64_t resident = json_number(launch, "resident", INT64_MAX);
    int64_t blocks = 0;
    if (launch != NULL) blocks = volume(launch, "grid");
    if (blocks > resident) return blocks - resident;
    return 0;
}

/* How many percent of a multiprocessor's threads a launch of this shape leaves without a place. */
static int64_t unoccupied(const Schedule *schedule, CaseCall of) {
    enum { ALL = 100 };
    return ALL - json_number(main_launch(schedule, of), "occupancy", ALL);
}

/* How many percent of the call's work one block does at least: an equal part of it, or what its longest warp
 * does. Launches matter as much as they execute. */
static int64_t block_share(const Schedule *schedule, CaseCall of) {
    enum { ALL = 100 };
    int64_t work = 0, of_one = 0;
    JSON_EACH(launch, json_array(report_of_case(schedule, of.index), "launches")) {
        if (!report_is_of_call(launch, of)) continue;
        struct json_object *counters = json_member(launch, "counters");
        const int64_t own = json_number(counters, "warp_instructions", 0);
        const int64_t longest = json_number(counters, "longest_warp", 0);
        const int64_t blocks = volume(launch, "grid");
        work += own;
        int64_t part = own;
        if (blocks > 0) part = own / blocks;
        of_one += MAX(longest, part);
    }
    if (work > 0) return of_one * ALL / work;
    return 0;
}

/* How many percent of the asynchronous copies were under way while their warp did nothing else. */
static int64_t idle_copies(const Schedule *schedule, CaseCall of) {
    enum { ALL = 100 };
    const int64_t copies = origin_sum_of_counter(schedule, of, "async_copies");
    if (copies > 0) return origin_sum_of_counter(schedule, of, "idle_copies") * ALL / copies;
    return 0;
}

/* How far the most and the least of those numbers are apart. */
static int64_t spread(const int64_t *numbers, int64_t count) {
    int64_t least = INT64_MAX, most = 0;
    for (int64_t i = 0; i < count; i++) {
        if (numbers[i] < least) least = numbers[i];
        if (numbers[i] > most) most = numbers[i];
    }
    if (count > 0) return most - least;
    return 0;
}

/* What a kind of the budget costs in one run: the student's own calls, counters of the device's report, or
 * totals of what the device was sent. */
static int64_t measure(const Check *check, const Schedule *schedule, CaseCall of, const BudgetKind *kind) {
    if (kind->functions != NULL) return origin_calls(check, schedule, of, kind->functions).count;
    if (kind->kept == BUDGET_COUNTED_ONLY) return counted(schedule, of, kind);
    EvidenceTotals totals = evidence_totals(schedule, of);
    switch (kind->kept) {
    case BUDGET_LAUNCHES:
        return totals.launches;
    case BUDGET_LAUNCHED_THREADS:
        return totals.threads;
    case BUDGET_THREADS_SHORT:
        return threads_short(schedule, of, check->judge->cases[of.index].threads);
    case BUDGET_WAITING_BLOCKS:
        return waiting_blocks(schedule, of);
    case BUDGET_UNOCCUPIED:
        return unoccupied(schedule, of);
    case BUDGET_BLOCK_SHARE:
        return block_share(schedule, of);
    case BUDGET_IDLE_COPIES:
        return idle_copies(schedule, of);
    case BUDGET_BYTES_TO_HOST:
        return totals.bytes_to_host;
    case BUDGET_BYTES_TO_DEVICE:
        return totals.bytes_to_device;
    case BUDGET_COPIES_TO_HOST:
        return totals.copies_to_host;
    case BUDGET_ALLOCATIONS:
        return totals.allocations;
    case BUDGET_PEAK_BYTES:
        return totals.peak_bytes;
    case BUDGET_BUSIEST_THREADS:
        return totals.busiest_threads;
    case BUDGET_BUSIEST_BYTES:
        return totals.busiest_bytes;
    case BUDGET_BUSIEST_RANK_BYTES:
        return totals.busiest_rank_bytes;
    case BUDGET_UNEVEN_BYTES:
        return spread(totals.device_bytes, check->settings[of.index].devices);
    case BUDGET_UNEVEN_RANK_BYTES:
        return spread(totals.rank_bytes, check->settings[of.index].ranks);
    case BUDGET_RANKS_TOGETHER:
        return totals.ranks_together;
    case BUDGET_DEVICE_STEPS:
        return origin_device_steps(schedule, of);
    case BUDGET_COUNTED_ONLY:
        break;
    }
    BUG("budget of unknown kind %d", (int)kind->kept);
}

/* The orders of threads may cost differently, and so may two calls: the dearest one counts. */
static int64_t measure_all(const Check *check, const Schedule *schedules, unsigned count, unsigned index,
                           const BudgetKind *kind) {
    const bool twice = check->judge->cases[index].again;
    JudgeCall first = JUDGE_ONLY_CALL;
    if (twice) first = JUDGE_FIRST_CALL;
    JudgeCall last = JUDGE_ONLY_CALL;
    if (twice) last = JUDGE_SECOND_CALL;
    int64_t most = 0;
    for (unsigned i = 0; i < count; i++)
        for (JudgeCall call = first; call <= last; call++) {
            const CaseCall of = {index, call};
            int64_t spent = INT64_MAX;
            if (is_countable(&schedules[i], of)) spent = measure(check, &schedules[i], of, kind);
            if (spent > most) most = spent;
        }
    return most;
}

/* ---- the lines ---- */

/* A call has a line of its own; for anything else it is the launch's. */
static int line_of(const Check *check, const Schedule *schedule, unsigned index, const BudgetResult *result) {
    const BudgetKind *kind = budget_kinds_find(result->what);
    int line = 0;
    if (kind != NULL && kind->functions != NULL)
        line = origin_calls(check, schedule, cases_whole(index), kind->functions).line;
    if (line > 0) return line;
    return report_find_launch(check, schedule, index).line;
}

/* "read * {sector|sectors}" with the number in it, as one or many. NULL where it could not be counted. */
static const char *words_of(Arena *arena, const char *spent, int64_t measured) {
    if (measured == INT64_MAX) return NULL;
    Text text = text_new();
    for (const char *at = spent; *at != '\0'; at++) {
        const char *bar = strchr(at, '|'), *end = strchr(at, '}');
        if (*at == '*') {
            text_number(&text, (uint64_t)measured);
        } else if (*at == '{') {
            const char *word = measured == 1 ? at + 1 : bar + 1, *past = measured == 1 ? bar : end;
            text_append(&text, word, (size_t)(past - word));
            at = end;
        } else {
            text_append(&text, at, 1);
        }
    }
    return arena_keep(arena, &text);
}

/* Over the budget is a note unless the lesson requires it: the answer is right, and the points are lost
 * already. */
static void add_over(Check *check, const Schedule *schedule, const BudgetResult *result) {
    const char *spent = budget_kinds_find(result->what)->spent;
    const BudgetFacts facts = {.title = result->title,
                               .spent = words_of(check->arena, spent, result->measured),
                               .twice = check->judge->cases[result->case_index].again,
                               .expected = result->expected,
                               .points = result->required ? 0 : (SayCount)result->max_points};
    Finding *finding =
        check_add(check, FINDING_OVER_BUDGET, line_of(check, schedule, result->case_index, result),
                  said_budget(BUDGET_MESSAGE, SAY_NOTHING, &facts));
    if (finding == NULL) return;
    if (result->required)
        finding->severity = FINDING_ERROR;
    else
        finding->severity = FINDING_NOTE;
    finding->case_name = result->case_name;
    finding->explanation = result->why;
}

/* What a line measures is told to students, so it is never a hidden case. It bounds one call, also of a case
 * that is called twice. */
static bool is_measurable(const JudgeCaseSpec *spec) {
    return spec->concept == NULL;
}

static unsigned largest_case(const Judge *judge) {
    unsigned largest = judge->case_count;
    for (unsigned i = judge->case_count; i-- > 0;)
        if (is_measurable(&judge->cases[i]) &&
            (largest == judge->case_count || judge->cases[i].n >= judge->cases[largest].n))
            largest = i;
    return largest;
}

/* The case that the line names; the number of cases when there is none of that name. */
static unsigned case_of(const Check *check, const BudgetLine *line) {
    const Judge *judge = check->judge;
    if (line->where.text == NULL) return largest_case(judge);
    unsigned index = 0;
    while (index < judge->case_count &&
           (!is_measurable(&judge->cases[index]) || strcmp(judge->cases[index].name, line->where.text) != 0))
        index++;
    if (index < judge->case_count) return index;
    const char *path = arena_format(check->arena, "%s/lesson.yaml", check->lesson->folder);
    diag_add(check->diagnostics, DIAG_ERROR, path, line->where.line, line->where.column,
             "`budget`: judge.c has no case \"%s\" that is shown", line->where.text);
    return index;
}

/* One line of the budget. A case that is not right is not measured, as it may have cost less by leaving work
 * out. */
static void judge_line(Check *check, const Schedule *schedules, unsigned count, const BudgetLine *line,
                       BudgetResult *result) {
    *result = (BudgetResult){.what = line->kind->name,
                             .title = line->kind->title,
                             .at_most = line->at_most.text,
                             .why = line->why,
                             .case_name = "",
                             .required = line->required,
                             .max_points = (int)line->points};
    const unsigned index = case_of(check, line);
    int64_t expected;
    if (index == check->judge->case_count) return;
    const CaseResult *judged = &check->result->cases[index];
    result->case_name = judged->name;
    result->case_index = index;
    if (!settings_work_out(check, &line->at_most, index, "the budget", &expected)) return;
    result->expected = expected;
    if (judged->verdict != CASE_PASS) return;
    result->is_measured = true;
    result->measured = measure_all(check, schedules, count, index, line->kind);
    if (result->measured <= result->expected) result->points = result->max_points;
}

static bool is_over(const BudgetResult *result) {
    return result->is_measured && result->measured > result->expected;
}

/* Where a required line is over, the others are over for the same reason. */
static void add_all_over(Check *check, const Schedule *schedule) {
    const Result *result = check->result;
    bool required = false;
    for (unsigned i = 0; i < result->budget_count; i++)
        required = required || (is_over(&result->budget[i]) && result->budget[i].required);
    for (unsigned i = 0; i < result->budget_count; i++)
        if (is_over(&result->budget[i]) && result->budget[i].required == required)
            add_over(check, schedule, &result->budget[i]);
}

void budget_judge(Check *check, const Schedule *schedules, unsigned count) {
    const BudgetList *lines = &check->lesson->manifest.budget;
    Result *result = check->result;
    if (check->judge->case_count == 0) return;
    for (unsigned i = 0; i < result->budget_count; i++)
        judge_line(check, schedules, count, &lines->items[i], &result->budget[i]);
    add_all_over(check, &schedules[0]);
}
