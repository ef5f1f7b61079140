/* causes.c - which finding is the mistake, and which only follow from it.
 *
 * One mistake shows in several ways: an index that is too large leaves its array and meets another thread's
 * element; a launch that failed leaves the result without values. Before a report is written the findings are
 * put in order: causes first, be they only notes, then the other errors, then the other notes. What follows
 * from another finding stands behind it with its number, and is told in one line. Nothing is left out.
 */
#include "base/minmax.h"
#include "check/findings/parts.h"

static bool is_error(const CheckFinding *finding) {
    return finding->severity == FINDING_ERROR;
}

static bool is_race(const CheckFinding *finding) {
    return finding->kind == FINDING_SHARED_RACE || finding->kind == FINDING_GLOBAL_RACE;
}

static bool same_kernel(const CheckFinding *a, const CheckFinding *b) {
    return a->kernel && text_same(a->kernel, b->kernel);
}

static bool same_array(const CheckFinding *a, const CheckFinding *b) {
    return a->array.name && text_same(a->array.name, b->array.name) &&
           text_same(a->array.space, b->array.space);
}

static bool same_line(const CheckPlace *a, const CheckPlace *b) {
    return a->line > 0 && a->line == b->line && text_same(a->file, b->file);
}

static bool is_copy_of_nothing(const CheckFinding *finding) {
    return finding->kind == FINDING_UNINITIALIZED_READ && text_same(finding->party.what, "copy");
}

/* ---- the rules: does `b` follow from `a`? ---- */

/* What was advised already need not be said again: the same array, the same words. */
static bool says_the_same(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == b->kind && a->severity >= b->severity && same_kernel(a, b) && same_array(a, b) &&
           a->explanation[0] && text_same(a->explanation, b->explanation);
}

/* Every race of a variable that all threads write has this one cause. */
static bool shares_variable(const CheckFinding *a, const CheckFinding *b) {
    return is_race(a) && a->kind == b->kind && is_error(a) && a->index_at_fault && same_kernel(a, b) &&
           same_array(a, b) && a->array.length == 1;
}

/* An index that leaves its array meets other threads' elements on the way. */
static bool leaves_array(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_OUT_OF_BOUNDS && is_error(a) && is_race(b) && same_kernel(a, b) &&
           same_array(a, b) && same_line(&a->party.place, &b->party.place) &&
           same_line(&b->party.place, &b->other.place);
}

static bool reads_at(const CheckParty *party, const CheckPlace *place) {
    return text_same(party->what, "read") && same_line(&party->place, place);
}

/* What is read before another thread has written it was read too early. The finding may name the array that
 * the value went into. */
static bool reads_too_early(const CheckFinding *a, const CheckFinding *b) {
    return is_race(a) && is_error(a) && b->kind == FINDING_UNINITIALIZED_READ && !is_copy_of_nothing(b) &&
           same_kernel(a, b) &&
           (reads_at(&a->party, &b->party.place) || reads_at(&a->other, &b->party.place));
}

static bool is_misuse_note(const CheckFinding *finding) {
    return finding->kind == FINDING_API_MISUSE && !is_error(finding);
}

/* The kernel read what the copy did not bring, and the copy's length looks like a mistake by itself. */
static bool copies_a_part(const CheckFinding *a, const CheckFinding *b) {
    return is_misuse_note(a) && text_same(a->sort, "symbol-part") && is_misuse_note(b) && !b->sort &&
           !b->kernel && same_line(&a->party.place, &b->party.place);
}

/* A kernel, or the call itself, takes rows with a pitch for rows without. */
static bool mistakes_rows(const CheckFinding *a, const CheckFinding *b) {
    if (!is_misuse_note(a) || b->kind != FINDING_UNINITIALIZED_READ) return false;
    if (!a->kernel) return is_copy_of_nothing(b) && same_line(&a->party.place, &b->party.place);
    return same_array(a, b) || (same_kernel(a, b) && same_line(&a->party.place, &b->party.place));
}

/* The one copy to this memory, whose length looks like a mistake by itself, left the rest without values. */
static bool fills_a_part(const CheckFinding *a, const CheckFinding *b) {
    return is_misuse_note(a) && a->allocation && b->kind == FINDING_UNINITIALIZED_READ &&
           a->allocation == b->allocation;
}

/* A function of CUB that was called without storage has filled nothing, and no kernel was given that array.
 */
static bool asked_alone(const CheckFinding *a, const CheckFinding *b) {
    return is_misuse_note(a) && text_same(a->sort, "asked") && is_copy_of_nothing(b) && !b->array.given_to;
}

/* One access that comes out of several arrays. */
static bool same_access(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_OUT_OF_BOUNDS && b->kind == a->kind && same_kernel(a, b) && !same_array(a, b) &&
           same_line(&a->party.place, &b->party.place) && a->party.place.column == b->party.place.column &&
           a->launch <= b->launch && text_same(a->party.what, b->party.what);
}

/* Memory that was given back has been too short ever since: its owner may have taken more elsewhere. */
static bool uses_freed(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_USE_AFTER_FREE && is_error(a) && b->kind == FINDING_OUT_OF_BOUNDS &&
           same_kernel(a, b) && same_array(a, b) && same_line(&a->party.place, &b->party.place);
}

/* Threads that share elements leave others without. */
static bool misses_elements(const CheckFinding *a, const CheckFinding *b) {
    return is_race(a) && a->index_at_fault && is_copy_of_nothing(b) && same_array(a, b);
}

/* The call or the launch that should have made the values did nothing. */
static bool made_nothing(const CheckFinding *a, const CheckFinding *b) {
    bool fails = a->kind == FINDING_INVALID_LAUNCH || a->kind == FINDING_API_MISUSE ||
                 a->kind == FINDING_CRASH || a->kind == FINDING_HOST_DEVICE_POINTER ||
                 a->kind == FINDING_HANG || a->kind == FINDING_LIMIT || a->kind == FINDING_MISALIGNED;
    return fails && is_error(a) && (is_copy_of_nothing(b) || b->kind == FINDING_UNCHECKED_ERROR);
}

static bool is_out_of_memory(const CheckFinding *finding) {
    return finding->kind == FINDING_LIMIT && text_same(finding->party.what, "allocate");
}

/* There was no memory: the pointer is null, and whatever is done with it fails. */
static bool ran_out(const CheckFinding *a, const CheckFinding *b) {
    if (!is_out_of_memory(a)) return false;
    bool of_host = b->kind == FINDING_API_MISUSE || b->kind == FINDING_HOST_DEVICE_POINTER ||
                   b->kind == FINDING_CRASH || b->kind == FINDING_UNCHECKED_ERROR;
    bool null_pointer = b->kind == FINDING_OUT_OF_BOUNDS && !b->array.name;
    return is_error(b) && ((of_host && !b->kernel) || null_pointer || is_copy_of_nothing(b));
}

/* What a call returns is the error that it was reported for. */
static bool failed_call(const CheckFinding *a, const CheckFinding *b) {
    return is_error(a) && !a->kernel && b->kind == FINDING_UNCHECKED_ERROR &&
           a->kind != FINDING_UNCHECKED_ERROR && same_line(&a->party.place, &b->party.place);
}

/* A launch with a bad pointer, and the call or the access where it shows. */
static bool same_launch(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_CRASH && b->kind == FINDING_HOST_DEVICE_POINTER &&
           same_line(&a->other.place, &b->party.place);
}

static bool overlaps(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_OVERLAPPING_ARRAYS && b->kind == FINDING_SHARED_RACE && same_kernel(a, b) &&
           b->array.dynamic;
}

/* Who goes around a barrier is not held by it. */
static bool misses_barrier(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_BARRIER_DIVERGENCE && is_error(a) && same_kernel(a, b) &&
           (b->kind == FINDING_HANG || b->kind == FINDING_SHARED_RACE);
}

/* The kernel of `a` should have made what is copied. */
static bool should_have_made(const CheckFinding *a, const CheckFinding *b) {
    return is_copy_of_nothing(b) && a->kernel && text_same(a->kernel, b->array.given_to);
}

/* Threads that left before a barrier have filled nothing of what is read behind it. */
static bool left_too_early(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_BARRIER_DIVERGENCE && !is_error(a) && b->kind == FINDING_UNINITIALIZED_READ &&
           is_error(b) && b->of_shared && same_kernel(a, b);
}

static bool between_lines(const CheckPlace *at, const CheckPlace *one, const CheckPlace *other) {
    if (!text_same(at->file, one->file) || !text_same(at->file, other->file)) return false;
    return at->line > MIN(one->line, other->line) && at->line < MAX(one->line, other->line);
}

/* A barrier stands between the two lines that race: in a loop that some threads leave before others. */
static bool passed_barrier(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_BARRIER_DIVERGENCE && !is_error(a) && b->kind == FINDING_SHARED_RACE &&
           is_error(b) && same_kernel(a, b) &&
           between_lines(&a->party.place, &b->party.place, &b->other.place);
}

/* They left before the next barrier, too. */
static bool left_before(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_BARRIER_DIVERGENCE && b->kind == a->kind && !is_error(a) && !is_error(b) &&
           same_kernel(a, b);
}

/* What the kernel made of nothing is copied with the rest. */
static bool spoils_result(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == FINDING_UNINITIALIZED_READ && is_error(a) && should_have_made(a, b);
}

/* Each thread does what all of them should share, and that takes too long. */
static bool repeats_work(const CheckFinding *a, const CheckFinding *b) {
    return is_race(a) && !is_error(a) && a->index_at_fault && b->kind == FINDING_LIMIT && same_kernel(a, b);
}

/* One thread for each block: threadIdx.x is 0 everywhere, and no block has anything to share. */
static bool launched_in_ones(const CheckFinding *a, const CheckFinding *b) {
    if (a->kind != FINDING_LOW_OCCUPANCY || !a->index_at_fault || !is_error(b)) return false;
    bool of_index = is_race(b) || b->kind == FINDING_OUT_OF_BOUNDS || b->kind == FINDING_UNINITIALIZED_READ;
    return should_have_made(a, b) || (same_kernel(a, b) && of_index);
}

/* A launch in the default stream is out of order with all that its work needs. */
static bool same_launch_in_default(const CheckFinding *a, const CheckFinding *b) {
    return a->in_default != 0 && a->in_default == b->in_default;
}

/* A capture that came to nothing gives no graph, and is lost once. */
static bool lost_capture(const CheckFinding *a, const CheckFinding *b) {
    return a->capture == CHECK_CAPTURE_LOST && b->capture != CHECK_NO_CAPTURE;
}

/* Does one side of `a` update by the atomic that found no value, and the other stand elsewhere? */
static bool updates_of(const CheckFinding *a, const CheckFinding *b) {
    if (!text_same(b->party.what, "atomic")) return false;
    const bool now = same_line(&a->party.place, &b->party.place);
    const bool before = same_line(&a->other.place, &b->party.place);
    return now != before;
}

/* What two streams do in no order: a copy comes before the kernel that makes what it copies, an atomic before
 * the memset of what it updates, and memory is freed before its last use. */
static bool misses_order(const CheckFinding *a, const CheckFinding *b) {
    if (a->kind != FINDING_MISSING_SYNC || !is_error(a)) return false;
    const bool reads = reads_at(&a->party, &b->party.place) || reads_at(&a->other, &b->party.place);
    const bool writes = text_same(a->party.what, "write") || text_same(a->other.what, "write");
    if (b->kind == FINDING_UNINITIALIZED_READ) return writes && (reads || updates_of(a, b));
    return b->kind == FINDING_USE_AFTER_FREE && text_same(a->party.what, "free") &&
           same_line(&a->party.place, &b->other.place);
}

static bool follows(const CheckFinding *a, const CheckFinding *b) {
    static bool (*const rules[])(const CheckFinding *, const CheckFinding *) = {
        says_the_same,  shares_variable, leaves_array,    reads_too_early,  mistakes_rows,
        copies_a_part,  same_access,     misses_elements, made_nothing,     failed_call,
        same_launch,    overlaps,        misses_barrier,  launched_in_ones, ran_out,
        left_too_early, left_before,     spoils_result,   repeats_work,     same_launch_in_default,
        lost_capture,   misses_order,    fills_a_part,    asked_alone,      passed_barrier,
        uses_freed};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i](a, b)) return true;
    return false;
}

/* ---- the order ---- */

/* No finding is its own cause, be it by way of others. */
static bool comes_from(const CheckFinding *finding, const CheckFinding *cause) {
    for (; finding; finding = finding->cause)
        if (finding == cause) return true;
    return false;
}

/* The first finding that explains this one. */
static const CheckFinding *cause_of(CheckFinding *const *list, unsigned count, unsigned at) {
    for (unsigned i = 0; i < count; i++) {
        bool either_way = says_the_same(list[i], list[at]) || same_access(list[i], list[at]) ||
                          left_before(list[i], list[at]) || same_launch_in_default(list[i], list[at]) ||
                          lost_capture(list[i], list[at]);
        bool before = i < at || !either_way;
        if (before && !comes_from(list[i], list[at]) && follows(list[i], list[at])) return list[i];
    }
    return NULL;
}

static unsigned rank(CheckFinding *const *list, unsigned count, const CheckFinding *finding) {
    if (finding->cause) return 3;
    if (is_out_of_memory(finding)) return 0;
    for (unsigned i = 0; i < count; i++)
        if (list[i]->cause == finding && !is_error(finding) && is_error(list[i])) return 0;
    if (is_error(finding)) return 1;
    return 2;
}

/* Stable: findings of one rank keep the order of their time. */
void causes_settle(CheckFinding **list, unsigned count) {
    CheckFinding *sorted[CHECK_MAX_FINDINGS] = {NULL};
    unsigned done = 0;
    for (unsigned i = 0; i < count; i++)
        list[i]->cause = cause_of(list, count, i);
    for (unsigned i = 0; i < count; i++)
        while (list[i]->cause && list[i]->cause->cause)
            list[i]->cause = list[i]->cause->cause;
    for (unsigned wanted = 0; wanted <= 3; wanted++)
        for (unsigned i = 0; i < count; i++)
            if (rank(list, count, list[i]) == wanted) sorted[done++] = list[i];
    for (unsigned i = 0; i < done; i++)
        list[i] = sorted[i];
}
