/* sync.c - threads that wait wrongly: barriers that not all reach, masks that do not fit, waiting for ever.
 *
 * The machine says what went wrong and who waits where; this file says it in lines and thread numbers. One
 * row of `stories` is one mistake of the machine's list.
 */
#include "check/parts.h"

#include <inttypes.h>
#include <string.h>

typedef struct SyncStory {
    Check *check;
    const GpuSyncEvent *event;
    CheckFinding finding;
    Text message, why;
} SyncStory;

/* ---- words for waiters ---- */

enum { MAX_GROUPS = 6 };

static const char *waiter_verb(const Check *check, const GpuWaiter *waiter, bool many) {
    (void)check;
    switch (waiter->state) {
    case GPU_WAITS_BARRIER:
        return many ? "wait at the __syncthreads()" : "waits at the __syncthreads()";
    case GPU_WAITS_WARP:
        return many ? "wait for their warp" : "waits for its warp";
    case GPU_SPINS:
        return many ? "run in a loop" : "runs in a loop";
    case GPU_EXITED:
        return many ? "have ended" : "has ended";
    }
    BUG("waiter state %d", (int)waiter->state);
}

static bool same_group(const GpuWaiter *a, const GpuWaiter *b) {
    return a->block == b->block && a->pc == b->pc && a->state == b->state;
}

/** Which threads of a block a group has, a bit each. */
typedef struct Group {
    uint32_t masks[GPU_MAX_BLOCK_THREADS / 32];
    unsigned threads;
} Group;

static Group group_of(const GpuSyncEvent *event, unsigned first) {
    Group group = {{0}, 0};
    for (unsigned i = first; i < event->waiter_count; i++) {
        if (!same_group(&event->waiters[i], &event->waiters[first])) continue;
        for (uint32_t k = 0; k < event->waiters[i].thread_count; k++) {
            uint32_t thread = event->waiters[i].linear_thread + k;
            if (thread >= GPU_MAX_BLOCK_THREADS) break;
            group.masks[thread / 32] |= UINT32_C(1) << (thread % 32);
            group.threads++;
        }
    }
    return group;
}

/** The same threads of another block, at the same place. */
static bool is_like(const GpuSyncEvent *event, unsigned a, unsigned b) {
    const GpuWaiter *one = &event->waiters[a], *other = &event->waiters[b];
    if (one->block == other->block || one->pc != other->pc || one->state != other->state) return false;
    const Group group = group_of(event, a), another = group_of(event, b);
    return memcmp(group.masks, another.masks, sizeof group.masks) == 0;
}

/* "threads 0-15 and 64-79 of block 0 wait at the barrier in line 12" */
static void words_group(SyncStory *story, Text *out, unsigned first) {
    const GpuSyncEvent *event = story->event;
    const GpuWaiter *waiter = &event->waiters[first];
    const Group group = group_of(event, first);
    words_threads_of_masks(out, group.masks, GPU_MAX_BLOCK_THREADS / 32);
    text_add(out, " of ");
    words_block(out, check_dim_of(waiter->block, event->launch->spec.grid), event->launch->spec.grid);
    text_format(out, " %s", waiter_verb(story->check, waiter, group.threads > 1));
    CheckPlace place = check_place_of_pc(story->check, waiter->pc);
    if (place.line > 0)
        text_format(out, " %s line %d", waiter->state == GPU_EXITED ? "at" : "in", place.line);
}

static bool is_first_of_group(const GpuSyncEvent *event, unsigned index) {
    for (unsigned i = 0; i < index; i++)
        if (same_group(&event->waiters[i], &event->waiters[index])) return false;
    return true;
}

static bool is_like_one_before(const GpuSyncEvent *event, unsigned index) {
    for (unsigned i = 0; i < index; i++)
        if (is_first_of_group(event, i) && is_like(event, i, index)) return true;
    return false;
}

/* Most kernels stand still in the same way in all blocks: one is told, the others are counted. */
static unsigned like_it_behind(const GpuSyncEvent *event, unsigned index) {
    unsigned count = 0;
    for (unsigned i = index + 1; i < event->waiter_count; i++)
        count += is_first_of_group(event, i) && is_like(event, index, i);
    return count;
}

static void words_waiters(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    unsigned told = 0, left_out = 0;
    for (unsigned i = 0; i < event->waiter_count; i++) {
        if (!is_first_of_group(event, i) || is_like_one_before(event, i)) continue;
        if (told == MAX_GROUPS) {
            left_out++;
            continue;
        }
        text_add(&story->message, told++ ? "; " : "");
        words_group(story, &story->message, i);
        const unsigned others = like_it_behind(event, i);
        if (others == 0) continue;
        text_add(&story->message, ", and the same in ");
        if (event->waiter_count < GPU_MOST_WAITERS)
            words_count(&story->message, others, "more block");
        else
            text_add(&story->message, "other blocks");
    }
    if (left_out) {
        text_add(&story->message, "; and ");
        words_count(&story->message, left_out, "more group");
    }
}

/* ---- parties ---- */

static bool is_mask_mistake(const GpuSyncEvent *event) {
    return event->mistake == GPU_SYNC_MASK_OMITS_CALLER || event->mistake == GPU_SYNC_MASK_NAMES_ABSENT ||
           event->mistake == GPU_SYNC_MASKS_DIFFER || event->mistake == GPU_SYNC_WARP_INCOMPLETE;
}

/* Of a mask that names lanes which are gone, the first lane that is there. */
static uint32_t first_thread(const GpuSyncEvent *event) {
    bool absent = event->mistake == GPU_SYNC_MASK_NAMES_ABSENT || event->mistake == GPU_SYNC_WARP_INCOMPLETE;
    if (absent && event->warp)
        return 32 * gpu_warp_index(event->warp) + check_first_lane(gpu_warp_alive(event->warp));
    if (event->warp) return 32 * gpu_warp_index(event->warp) + check_first_lane(event->lanes);
    return event->waiter_count ? event->waiters[0].linear_thread : 0;
}

static void set_parties(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    Check *check = story->check;
    CheckFinding *finding = &story->finding;
    uint32_t pc = event->pc ? event->pc : event->waiter_count ? event->waiters[0].pc : 0;
    finding->party.place = check_place_of_pc(check, pc);
    const char *what = is_mask_mistake(event) ? "sync" : "wait";
    finding->party.what = what;
    uint64_t block = event->block          ? gpu_block_linear(event->block)
                     : event->waiter_count ? event->waiters[0].block
                                           : 0;
    if (event->block || event->waiter_count)
        finding->party = check_party_at(check, event->launch, block, first_thread(event), pc, what);
    if (!event->other_pc) return;
    finding->other = check_party_at(check, event->launch, block, event->other_thread, event->other_pc, what);
}

static void words_block_of(SyncStory *story) {
    words_block(&story->message, story->finding.party.block, story->event->launch->spec.grid);
}

static void words_lanes(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    uint32_t masks[GPU_MAX_BLOCK_THREADS / 32] = {0};
    if (event->warp) masks[gpu_warp_index(event->warp)] = event->lanes;
    words_threads_of_masks(&story->message, masks, GPU_MAX_BLOCK_THREADS / 32);
}

static void words_arrived(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    if (event->expected == 0 || event->arrived >= event->expected) return;
    text_add(&story->message, " (");
    text_number(&story->message, event->arrived);
    text_add(&story->message, " of ");
    words_count(&story->message, event->expected, "thread");
    text_add(&story->message, " reach it)");
}

/* ---- barriers ---- */

static bool on_one_line(const CheckPlace *a, const CheckPlace *b) {
    return a->line > 0 && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static void words_other_barrier(SyncStory *story) {
    const CheckPlace *one = &story->finding.party.place, *other = &story->finding.other.place;
    text_add(&story->message, ", others at ");
    if (!on_one_line(one, other))
        words_line(&story->message, other, one);
    else if (one->column != other->column)
        text_add(&story->message, "another one on this line");
    else
        text_add(&story->message, "a copy of it (the compiler unrolled a loop or inlined a call)");
}

static void tell_different_barriers(SyncStory *story) {
    CheckFinding *finding = &story->finding;
    finding->kind = FINDING_BARRIER_DIVERGENCE;
    text_add(&story->message, "the threads of ");
    words_block_of(story);
    text_add(&story->message, " wait at different __syncthreads(): some at ");
    words_line(&story->message, &finding->party.place, NULL);
    words_other_barrier(story);
    words_arrived(story);
    text_add(&story->why,
             "All threads of the block must wait at the same __syncthreads(). Here a condition sends "
             "them to different ones; a GPU may wait forever, or let them pass without the order "
             "you meant. Move the barrier out of the if, or out of the loop that some threads "
             "run more often than others, so that every thread reaches the same one.");
}

/* The barrier stands in a function that some threads call and others do not. */
static void words_call(SyncStory *story) {
    CheckPlace call = check_place_of_pc(story->check, story->event->call_pc);
    if (call.line <= 0 || call.line == story->finding.party.place.line) return;
    text_add(&story->message, ", called at ");
    words_line(&story->message, &call, &story->finding.party.place);
}

static void tell_bypassed(SyncStory *story) {
    CheckFinding *finding = &story->finding;
    finding->kind = FINDING_BARRIER_DIVERGENCE;
    finding->other.what = "branch";
    text_add(&story->message, "not all threads of ");
    words_block_of(story);
    text_add(&story->message, " reach the __syncthreads() at ");
    words_line(&story->message, &finding->party.place, NULL);
    words_call(story);
    words_arrived(story);
    if (finding->other.place.line > 0) {
        text_add(&story->message, ": some skip it at ");
        words_line(&story->message, &finding->other.place, &finding->party.place);
    }
    text_add(&story->why,
             "__syncthreads() waits for every thread of the block. Those that skip it never arrive, so a "
             "GPU may hang or go on too early. Put the barrier where every thread arrives: after the if, "
             "not inside it, and only in loops that every thread runs equally often.");
}

static void tell_exited(SyncStory *story) {
    story->finding.kind = FINDING_BARRIER_DIVERGENCE;
    story->finding.severity = FINDING_NOTE;
    text_add(&story->message, "some threads of ");
    words_block_of(story);
    text_add(&story->message, " have ended before the __syncthreads() at ");
    words_line(&story->message, &story->finding.party.place, NULL);
    words_arrived(story);
    text_add(&story->why,
             "From compute capability 7.0 on, threads that have ended do not count at a "
             "barrier, so this works. It is easy to get wrong, though: shared memory that they should have "
             "filled has no value. It is often clearer to let all threads reach the barrier and put the "
             "work inside an if.");
}

static void tell_barrier_count(SyncStory *story) {
    story->finding.kind = FINDING_BARRIER_DIVERGENCE;
    text_add(&story->message, "the barrier at ");
    words_line(&story->message, &story->finding.party.place, NULL);
    text_add(&story->message, " has an invalid number or thread count");
    text_add(&story->why, "A block has barriers 0 to 15, and the number of threads that take part must be a "
                          "multiple of 32, because whole "
                          "warps arrive.");
}

/* ---- waiting for ever ---- */

static bool all_wait_at_barriers(const GpuSyncEvent *event) {
    bool barrier = false;
    for (unsigned i = 0; i < event->waiter_count; i++) {
        if (event->waiters[i].state == GPU_WAITS_BARRIER) barrier = true;
        if (event->waiters[i].state == GPU_SPINS) return false;
    }
    return barrier;
}

static void tell_deadlock(SyncStory *story) {
    story->finding.kind = FINDING_HANG;
    text_add(&story->message, "no thread can go on: ");
    words_waiters(story);
    if (all_wait_at_barriers(story->event))
        text_add(&story->why,
                 "The waiting threads need all threads of the block at the same barrier, and the others "
                 "never come. Make "
                 "sure that every thread of the block reaches the same __syncthreads(), equally often.");
    else
        text_add(&story->why,
                 "Every thread that is left waits for another one that will not come. Which condition "
                 "keeps the threads named above apart?");
}

/* It would end, only not within the steps that a launch may take. */
static void tell_too_many_steps(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    story->finding.kind = FINDING_LIMIT;
    story->finding.party.what = "loop";
    if (event->waiter_count == 0) /* it was stopped between two blocks */
        story->finding.party = (CheckParty){.place = check_place_of_launch(story->check, event->launch)};
    text_add(&story->message, "the kernel takes too many steps, though it makes progress");
    if (event->waiter_count) text_add(&story->message, ": ");
    words_waiters(story);
    uint64_t blocks = check_dim_volume(event->launch->spec.grid);
    if (blocks > 1) {
        text_add(&story->message, "; ");
        text_number(&story->message, event->blocks_done);
        text_add(&story->message, " of ");
        words_count(&story->message, blocks, "block");
        text_add(&story->message, event->blocks_done == 1 ? " has ended" : " have ended");
    }
    if (event->at != event->goal) {
        CheckPlace loop = check_place_of_pc(story->check, event->loop_pc);
        text_add(&story->message, loop.line > 0 ? "; the loop at " : "; a loop");
        if (loop.line > 0) words_line(&story->message, &loop, &story->finding.party.place);
        text_add(&story->message, " is at ");
        words_signed(&story->message, event->at);
        text_add(&story->message, " on the way to ");
        words_signed(&story->message, event->goal);
    }
    text_add(
        &story->why,
        "Something still changes, so the kernel may end, but a launch may execute only so many "
        "instructions (the option --steps, or the lesson's limit). Is the number of rounds and of blocks "
        "what you meant (n rather than n * n, a size in elements), and does each loop get closer to its "
        "end? If so, divide the work among more threads, or try less data.");
}

static void tell_budget(SyncStory *story) {
    if (!story->event->stuck) {
        tell_too_many_steps(story);
        return;
    }
    story->finding.kind = FINDING_HANG;
    story->finding.party.what = "loop";
    text_add(&story->message, "the kernel does not end: ");
    words_waiters(story);
    if (story->event->waiter_count == 0) text_add(&story->message, "its budget of instructions is used up");
    text_add(
        &story->why,
        "A loop runs forever: nothing that its condition looks at changes any more. Check what changes in "
        "each round and whether the condition can "
        "become false: d /= 2 stays 0 once it is 0, a step of 0 goes nowhere, and a thread that waits "
        "for a value "
        "from another thread needs that thread to run and to write it with an atomic.");
}

/* ---- warp operations ---- */

static void words_mask(SyncStory *story) {
    text_format(&story->message, " (mask 0x%08" PRIx32 ")", story->event->mask);
}

static void tell_mask_omits_caller(SyncStory *story) {
    story->finding.kind = FINDING_INVALID_MASK;
    words_lanes(story);
    text_add(&story->message, " of ");
    words_block_of(story);
    bool many = check_lane_count(story->event->lanes) > 1;
    text_format(&story->message, " execute%s the warp operation but %s not in its mask", many ? "" : "s",
                many ? "are" : "is");
    words_mask(story);
    text_add(
        &story->why,
        "The mask names the threads of the warp that take part: bit i is lane i "
        "(threadIdx.x % 32). A thread that executes the operation must be in it. Use 0xffffffff where the "
        "whole warp executes it, or keep the others out with an if that has the same condition as "
        "the mask.");
}

/* Lanes that went around the operation while they were alive. */
static void tell_mask_names_absent(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    CheckFinding *finding = &story->finding;
    finding->kind = FINDING_INVALID_MASK;
    uint32_t here = event->warp ? gpu_warp_alive(event->warp) & ~event->lanes : 0;
    uint32_t branch = partings_find(story->check, event->warp, here, event->lanes);
    uint32_t thread = 32 * gpu_warp_index(event->warp) + check_first_lane(event->lanes);
    if (branch) finding->other = check_party(story->check, event->block, thread, branch, "branch");
    text_add(&story->message, "the mask of the warp operation names ");
    words_lanes(story);
    text_add(&story->message, " of ");
    words_block_of(story);
    text_add(&story->message, ", which took another branch");
    if (branch) text_add(&story->message, " at ");
    if (branch) words_line(&story->message, &finding->other.place, &finding->party.place);
    text_add(&story->message, " and never reach it");
    words_mask(story);
    text_add(&story->why,
             "Every thread that the mask names must reach the operation; on a GPU the others may wait "
             "forever, or read undefined values. Let the whole warp execute it and put only what is done "
             "with the result inside the if, or compute the mask with __ballot_sync before the threads "
             "part.");
}

static void tell_masks_differ(SyncStory *story) {
    story->finding.kind = FINDING_INVALID_MASK;
    text_add(&story->message, "threads of one warp meet in a warp operation with different masks");
    words_mask(story);
    text_add(&story->message, ", in ");
    words_block_of(story);
    text_add(&story->why, "All threads that take part must give the same mask. __activemask() does not "
                          "ensure that: it says which threads happen to be here at this moment, perhaps "
                          "only part of the warp. Build the mask from what is meant: 0xffffffff, or "
                          "__ballot_sync(0xffffffff, condition).");
}

/* Lanes have ended, or the block is no multiple of 32 threads. */
static void tell_warp_incomplete(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    story->finding.kind = FINDING_INVALID_MASK;
    text_add(&story->message, "only ");
    words_count(&story->message, 32 - check_lane_count(event->lanes), "thread");
    text_add(&story->message, " of a warp of ");
    words_block_of(story);
    text_add(&story->message, " take part in a matrix operation, which needs all 32");
    text_add(&story->why,
             "The 32 threads of a warp hold the matrices between them, so none may have returned before, "
             "and the number of threads in a block must be a multiple of 32. Let every thread of the warp "
             "stay until the matrices are done, and launch whole warps.");
}

static void tell(SyncStory *story) {
    switch (story->event->mistake) {
    case GPU_SYNC_DIFFERENT_BARRIERS:
        tell_different_barriers(story);
        return;
    case GPU_SYNC_BYPASSED:
        tell_bypassed(story);
        return;
    case GPU_SYNC_EXITED:
        tell_exited(story);
        return;
    case GPU_SYNC_DEADLOCK:
        tell_deadlock(story);
        return;
    case GPU_SYNC_BUDGET:
        tell_budget(story);
        return;
    case GPU_SYNC_MASK_OMITS_CALLER:
        tell_mask_omits_caller(story);
        return;
    case GPU_SYNC_MASK_NAMES_ABSENT:
        tell_mask_names_absent(story);
        return;
    case GPU_SYNC_MASKS_DIFFER:
        tell_masks_differ(story);
        return;
    case GPU_SYNC_SHUFFLE_SOURCE:
        break;
    case GPU_SYNC_WARP_INCOMPLETE:
        tell_warp_incomplete(story);
        return;
    case GPU_SYNC_BARRIER_COUNT:
        tell_barrier_count(story);
        return;
    }
    BUG("sync mistake %d", (int)story->event->mistake);
}

static void on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Check *check = self;
    if (event->mistake == GPU_SYNC_SHUFFLE_SOURCE) return; /* shuffle_story.c has it */
    uint64_t key = check_key(SEEN_SYNC + (uint64_t)event->mistake, event->pc, event->other_pc);
    if (check_seen(check, key, 1)) return;
    SyncStory story = {.check = check, .event = event, .finding = {.severity = FINDING_ERROR}};
    text_init(&story.message);
    text_init(&story.why);
    set_parties(&story);
    tell(&story);
    story.finding.message = story.message.bytes;
    story.finding.explanation = story.why.bytes;
    check_record(check, &story.finding, key);
    text_free(&story.message);
    text_free(&story.why);
}

GpuObserver sync_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .block_begin = partings_on_block_begin,
                         .branch = partings_on_branch,
                         .sync_mistake = on_sync_mistake,
                         .in_repeats = true,
                         .in_ranges = true};
}
