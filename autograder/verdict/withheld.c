/* withheld.c - see withheld.h. */
#include "autograder/verdict/withheld.h"

#include "autograder/verdict/verdict_parts.h"

#include "autograder/evidence/origin.h"
#include "base/json.h"

#include <string.h>
#include <unistd.h>

/* ---- the runs ---- */

/* The first of those that are as large as any; of a case that is called twice, one answer may need it and the
 * other not. */
static unsigned largest_case(const Judge *judge) {
    unsigned largest = judge->case_count;
    for (unsigned i = 0; i < judge->case_count; i++) {
        const JudgeCaseSpec *spec = &judge->cases[i];
        if (spec->concept != NULL || spec->again) continue;
        if (largest == judge->case_count || spec->n > judge->cases[largest].n) largest = i;
    }
    return largest;
}

static bool went_well(const Schedule *schedule) {
    for (unsigned i = 0; i < schedule->pair_count; i++)
        if (!schedule->pairs[i].well) return false;
    return schedule->pair_count > 0;
}

/* Only a program that went well in both orders is worth another run, and only uses that can be withheld. */
bool withheld_run(Check *check, const Schedule *schedules, Withheld *withheld) {
    const TextList *wanted = &check->lesson->manifest.must_use;
    withheld->index = largest_case(check->judge);
    if (withheld->index == check->judge->case_count) return true;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        if (!went_well(&schedules[i])) return true;
    for (size_t i = 0; i < wanted->count; i++) {
        const Use *use = uses_find(wanted->items[i]);
        if (use == NULL || use->idle == NULL || withheld->count == WITHHELD_MOST) continue;
        Schedule *schedule = &withheld->schedules[withheld->count];
        schedule->withheld = use->name;
        withheld->uses[withheld->count] = use;
        if (!run_withheld(check, schedule, withheld->count++, withheld->index)) return false;
    }
    return true;
}

void withheld_free(Withheld *withheld) {
    run_free(withheld->schedules, withheld->count);
}

/* ---- their answers ---- */

/* Of a right answer, the words that are the same in another. */
static size_t words_alike(const uint32_t *right, const uint32_t *other, size_t count) {
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += right[i] == other[i];
    return alike;
}

/* A value or two may pass through shared memory for show, and all others by another way. Warps may well add
 * up by themselves what their threads have, so more than a value of each is not asked for. */
static bool hands_on_enough(const Schedule *schedule, const Use *use) {
    enum { WARP = 32 };
    struct json_object *report = schedule->pairs[0].report, *launches = json_array(report, "launches");
    int64_t most = 0;
    for (size_t i = 0; use->by_each_warp && i < json_length(launches); i++) {
        int64_t threads = 1;
        JSON_EACH(entry, json_array(json_object_array_get_idx(launches, i), "block"))
            threads *= json_object_get_int64(entry);
        const int64_t others = (threads + WARP - 1) / WARP - 1;
        if (others > most) most = others;
    }
    return json_number(report, "withheld", 0) >= most;
}

/* Of a run that something went wrong in, the count says nothing. */
static bool ran_well(const Schedule *schedule) {
    JSON_EACH(launch, json_array(schedule->pairs[0].report, "launches"))
        if (strcmp(json_text(launch, "status", ""), "ok") != 0) return false;
    return schedule->pairs[0].well;
}

/* Most of the kernels' work is done without graphs. */
static bool works_beside(const Schedule *schedule, const Schedule *without, unsigned index) {
    const char *work = "thread_instructions";
    return 2 * origin_sum_of_counter(without, cases_whole(index), work) >
           origin_sum_of_counter(schedule, cases_whole(index), work);
}

/* What is used for a small part of the work, and something else for the rest. */
static bool is_small_part(const Check *check, const Schedule *schedule, const Schedule *without,
                          const Use *use, unsigned index) {
    if (strcmp(use->name, "library") == 0) return !origin_library_reads_all(check, schedule, index);
    if (strcmp(use->name, "graph") == 0) return ran_well(without) && works_beside(schedule, without, index);
    return ran_well(without) && !hands_on_enough(without, use);
}

/* Whether more than three quarters of some answer's words are as before. */
static bool has_answer_alike(const JudgeFiles *right, const JudgeFiles *other) {
    for (unsigned i = 0; i < right->answer_count && i < other->answer_count; i++) {
        const size_t words = right->answers[i].bytes / sizeof(uint32_t);
        if (words == 0 || other->answers[i].bytes != right->answers[i].bytes) continue;
        if (4 * words_alike(right->answers[i].data, other->answers[i].data, words) > 3 * words) return true;
    }
    return false;
}

/* The right answers stay those that the case remembers. */
static bool does_without(Check *check, const Schedule *schedule, unsigned index) {
    JudgeCase *judged = &check->cases[schedule->number][index];
    const JudgeFiles right = *judged->files;
    if (schedule->ends[index].end != RUN_COMPLETED || right.answer_count == 0) return false;
    int folder = verdict_open_answers(schedule, index);
    JudgeDecision decision = cases_decide(judged, check->judge, folder);
    if (folder >= 0) close(folder);
    const JudgeFiles other = *judged->files;
    *judged->files = right;
    return decision.passed || has_answer_alike(&right, &other);
}

void withheld_judge(Check *check, const Schedule *schedule, const Withheld *withheld) {
    for (unsigned i = 0; i < withheld->count; i++) {
        if (check->result->cases[withheld->index].verdict != CASE_PASS) return;
        if (does_without(check, &withheld->schedules[i], withheld->index) ||
            is_small_part(check, schedule, &withheld->schedules[i], withheld->uses[i], withheld->index))
            verdict_refuse_idle(check, schedule, withheld->index, withheld->uses[i]);
    }
}
