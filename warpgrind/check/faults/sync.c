/* sync.c - threads that wait wrongly: barriers that not all reach, masks that do not fit, waiting for ever.
 *
 * The machine says what went wrong and who waits where; this file says it in lines and thread numbers. The
 * sentences are in [sync] of texts.txt; `texts_of_mistake` has a row for each mistake of the machine's list.
 */
#include "check/faults/faults.h"
#include "check/texts.h"

#include <string.h>

typedef struct SyncStory {
    Check *check;
    const GpuSyncEvent *event;
    CheckFinding finding;
    SyncFacts facts;
    Text waiters, lanes; /**< words that the facts name */
    bool comes;          /**< the party is at a barrier, and its loop is not known */
} SyncStory;

/* ---- words for waiters ---- */

enum { MAX_GROUPS = 6 };

static bool same_group(const GpuWaiter *a, const GpuWaiter *b) {
    return a->block == b->block && a->pc == b->pc && a->state == b->state;
}

/** Which threads of a block a group has, a bit each. */
typedef struct Group {
    uint32_t masks[GPU_MAX_BLOCK_THREADS / 32];
    unsigned threads;
} Group;

/* Waiters of one place and state are told as one group of threads. */
static Group group_of(const GpuSyncEvent *event, unsigned first) {
    Group group = {{0}, 0};
    for (unsigned i = first; i < event->waiter_count; i++) {
        if (!same_group(&event->waiters[i], &event->waiters[first])) continue;
        if (event->waiters[i].warp >= GPU_MAX_BLOCK_THREADS / 32) continue;
        group.masks[event->waiters[i].warp] |= event->waiters[i].lanes;
        group.threads += check_lane_count(event->waiters[i].lanes);
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

static bool is_barrier(const Check *check, uint32_t pc) {
    const PtxInstruction *instruction = gpu_place(check->gpu, pc).instruction;
    return instruction && (instruction->opcode == PTX_OP_bar || instruction->opcode == PTX_OP_barrier);
}

/* bar.sync with a number of threads, of which CUDA C++ has none. */
static bool is_counted(const Check *check, uint32_t pc) {
    return is_barrier(check, pc) && gpu_place(check->gpu, pc).instruction->operand_count > 1;
}

/* "threads 0-15 and 64-79 of block 0 wait at the barrier in line 12, and the same in 3 more blocks" */
static void say_group(SyncStory *story, unsigned first) {
    const GpuSyncEvent *event = story->event;
    const GpuWaiter *waiter = &event->waiters[first];
    const Group group = group_of(event, first);
    GpuDim grid = event->launch->spec.grid;
    Text threads;
    text_init(&threads);
    words_threads(&threads, group.masks, GPU_MAX_BLOCK_THREADS / 32);
    const bool comes = waiter->state == GPU_SPINS && is_barrier(story->check, waiter->pc);
    WaitersFacts facts = {.at_barrier = waiter->state == GPU_WAITS_BARRIER || comes,
                          .counted = is_counted(story->check, waiter->pc),
                          .in_warp = waiter->state == GPU_WAITS_WARP,
                          .spins = waiter->state == GPU_SPINS,
                          .ended = waiter->state == GPU_EXITED,
                          .many = group.threads > 1,
                          .threads = threads.bytes,
                          .block = {check_dim_of(waiter->block, grid), grid},
                          .place = {check_place_of_pc(story->check, waiter->pc), NULL},
                          .others = like_it_behind(event, first),
                          .uncounted = event->waiter_count >= GPU_MOST_WAITERS};
    say_waiters(&story->waiters, WAITERS_GROUP, &facts);
    if (facts.others) say_waiters(&story->waiters, WAITERS_ALIKE, &facts);
    text_free(&threads);
}

/* Where each group of threads stands: a few groups in full, the rest as a number. */
static void say_all_waiters(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    WaitersFacts facts = {.left_out = 0};
    unsigned told = 0;
    for (unsigned i = 0; i < event->waiter_count; i++) {
        if (!is_first_of_group(event, i) || is_like_one_before(event, i)) continue;
        if (told == MAX_GROUPS) {
            facts.left_out++;
            continue;
        }
        text_add(&story->waiters, told++ ? "; " : "");
        say_group(story, i);
    }
    if (facts.left_out) say_waiters(&story->waiters, WAITERS_REST, &facts);
    if (event->waiter_count) story->facts.waiters = story->waiters.bytes;
}

/* ---- parties ---- */

static bool is_of_warp(const GpuSyncEvent *event) {
    return event->mistake == GPU_SYNC_MASK_OMITS_CALLER || event->mistake == GPU_SYNC_MASK_NAMES_ABSENT ||
           event->mistake == GPU_SYNC_SHUFFLE_WIDTH || event->mistake == GPU_SYNC_SHUFFLE_FAR ||
           event->mistake == GPU_SYNC_MASKS_DIFFER || event->mistake == GPU_SYNC_WARP_INCOMPLETE;
}

/* Who runs in a loop, and rather not where it has just come to a barrier. */
static const GpuWaiter *first_spinning(const Check *check, const GpuSyncEvent *event) {
    const GpuWaiter *found = NULL;
    for (unsigned i = event->waiter_count; i-- > 0;) {
        const GpuWaiter *waiter = &event->waiters[i];
        if (waiter->state != GPU_SPINS) continue;
        if (!found || !is_barrier(check, waiter->pc) || is_barrier(check, found->pc)) found = waiter;
    }
    return found;
}

/* Of those that no longer go on: who runs in a loop, where nothing else ends; lanes that wait for the rest of
 * their warp, which has gone past them; or else the first. */
static const GpuWaiter *first_waiter(const Check *check, const GpuSyncEvent *event) {
    const GpuWaiter *spinning = NULL;
    if (event->mistake == GPU_SYNC_BUDGET || event->mistake == GPU_SYNC_HALTED)
        spinning = first_spinning(check, event);
    if (spinning) return spinning;
    for (unsigned i = 0; event->mistake == GPU_SYNC_DEADLOCK && i < event->waiter_count; i++)
        for (unsigned k = 0; k < event->waiter_count; k++)
            if (event->waiters[i].state == GPU_WAITS_WARP && event->waiters[k].state == GPU_WAITS_BARRIER &&
                event->waiters[i].warp == event->waiters[k].warp &&
                event->waiters[i].block == event->waiters[k].block)
                return &event->waiters[i];
    if (event->waiter_count) return &event->waiters[0];
    return NULL;
}

/* Of a mask that names lanes which are gone, the first lane that is there. */
static uint32_t first_thread(const Check *check, const GpuSyncEvent *event) {
    bool absent = event->mistake == GPU_SYNC_MASK_NAMES_ABSENT || event->mistake == GPU_SYNC_WARP_INCOMPLETE;
    if (absent && event->warp)
        return 32 * gpu_warp_index(event->warp) + check_first_lane(gpu_warp_alive(event->warp));
    if (event->warp) return 32 * gpu_warp_index(event->warp) + check_first_lane(event->lanes);
    const GpuWaiter *waiter = first_waiter(check, event);
    if (waiter) return gpu_waiter_thread(waiter);
    return 0;
}

/* A barrier is no loop: where those that run in one have just come to its barrier, the loop's own line is
 * named, as far as it is known. */
static uint32_t place_of_loop(const Check *check, const GpuSyncEvent *event, const GpuWaiter *waiter,
                              uint32_t pc) {
    if (!waiter || !is_barrier(check, pc)) return pc;
    if (!is_barrier(check, waiter->pc)) return waiter->pc;
    if (event->at != event->goal) return event->loop_pc;
    return pc;
}

/* The event names a block where one is at fault; otherwise the first thread that waits stands for all. */
static void set_parties(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    Check *check = story->check;
    CheckFinding *finding = &story->finding;
    const GpuWaiter *waiter = first_waiter(check, event);
    uint32_t pc = event->pc;
    story->facts.parted = waiter && event->mistake == GPU_SYNC_DEADLOCK && waiter->state == GPU_WAITS_WARP;
    if (waiter && (!pc || story->facts.parted)) pc = waiter->pc;
    if (event->mistake == GPU_SYNC_BUDGET) pc = place_of_loop(check, event, waiter, pc);
    story->comes = is_barrier(check, pc);
    story->facts.counted = waiter && waiter->state == GPU_WAITS_BARRIER && is_counted(check, waiter->pc);
    finding->party.place = check_place_of_pc(check, pc);
    const char *what = "wait";
    if (is_of_warp(event)) what = "sync";
    finding->party.what = what;
    uint64_t block = 0;
    if (event->block)
        block = gpu_block_linear(event->block);
    else if (waiter)
        block = waiter->block;
    if (event->block || waiter)
        finding->party = check_party_at(check, event->launch, block, first_thread(check, event), pc, what);
    if (!event->other_pc) return;
    finding->other = check_party_at(check, event->launch, block, event->other_thread, event->other_pc, what);
}

/* ---- barriers ---- */

static bool on_one_line(const CheckPlace *a, const CheckPlace *b) {
    return a->line > 0 && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* ---- what is known ---- */

/* The barriers that threads wait at, and how many have come; one line may hold two barriers, or two copies of
 * one. */
static void know_barriers(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    SyncFacts *facts = &story->facts;
    const CheckPlace *here = &story->finding.party.place, *other = &story->finding.other.place;
    CheckPlace call = check_place_of_pc(story->check, event->call_pc);
    facts->place.place = *here;
    facts->other = (SayLine){*other, here};
    facts->same_line = on_one_line(here, other);
    facts->copied = facts->same_line && here->column == other->column;
    facts->at_object = event->asks;
    facts->at_grid = event->meets;
    facts->came = event->arrived;
    if (call.line != here->line) facts->call = (SayLine){call, here};
    if (event->arrived >= event->expected) return;
    facts->arrived = event->arrived;
    facts->expected = event->expected;
}

static void know_warp(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    SyncFacts *facts = &story->facts;
    uint32_t masks[GPU_MAX_BLOCK_THREADS / 32] = {0};
    if (event->warp) masks[gpu_warp_index(event->warp)] = event->lanes;
    words_threads(&story->lanes, masks, GPU_MAX_BLOCK_THREADS / 32);
    facts->lanes = story->lanes.bytes;
    facts->many = check_lane_count(event->lanes) > 1;
    facts->threads = 32 - check_lane_count(event->lanes);
    facts->mask = event->mask;
}

/* How far a launch came that takes too many steps. */
static void know_progress(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    SyncFacts *facts = &story->facts;
    uint64_t blocks = check_dim_volume(event->launch->spec.grid);
    if (blocks > 1)
        facts->blocks = blocks;
    else
        facts->blocks = 0;
    facts->blocks_done = event->blocks_done;
    facts->steps = event->launch->warp_instructions;
    facts->moving = event->at != event->goal;
    facts->at = event->at;
    facts->goal = event->goal;
    if (facts->moving)
        facts->loop = (SayLine){check_place_of_pc(story->check, event->loop_pc), &story->finding.party.place};
}

/* atomicCAS(&lock, 0, 1) or atomicExch(&lock, 1): what it compares with, or stores, is always the same. */
static bool takes(const PtxFunction *function, const PtxInstruction *instruction) {
    const PtxAtomic operation = instruction->modifiers.atomic;
    const bool swaps = operation == PTX_ATOM_CAS || operation == PTX_ATOM_EXCH;
    return instruction->opcode == PTX_OP_atom && swaps &&
           gather_same_for_all(function, &instruction->operands[2]);
}

/* The smallest loop round the place where threads run for ever tries to take something by an atomic. */
static void know_lock(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    const GpuWaiter *waiter = first_waiter(story->check, event);
    if (!event->stuck || !waiter || waiter->state != GPU_SPINS) return;
    const GpuPlace place = gpu_place(story->check->gpu, waiter->pc);
    if (!place.function || !place.instruction) return;
    const PtxFunction *function = place.function;
    const uint32_t at = (uint32_t)(place.instruction - function->instructions);
    uint32_t first, last;
    if (!ptx_loop_round(function, at, at, &first, &last)) return;
    for (uint32_t i = first; i <= last; i++)
        story->facts.at_lock |= takes(function, &function->instructions[i]);
}

/* The branch that sent lanes around the operation while they were alive is the other place. */
static void know_branch(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    uint32_t here = 0;
    if (event->warp) here = gpu_warp_alive(event->warp) & ~event->lanes;
    uint32_t branch = partings_find(story->check, event->warp, here, event->lanes);
    uint32_t thread = 32 * gpu_warp_index(event->warp) + check_first_lane(event->lanes);
    if (!branch) return;
    story->finding.other = check_party(story->check, event->block, thread, branch, "branch");
    story->facts.branch = true;
}

/** What a mistake of the machine's list is told as. */
typedef struct SyncTexts {
    FindingKind kind;
    FindingSeverity severity;
    SyncText message, why;
} SyncTexts;

static const SyncTexts texts_of_mistake[] = {
    [GPU_SYNC_DIFFERENT_BARRIERS] = {FINDING_BARRIER_DIVERGENCE, FINDING_ERROR, SYNC_DIFFERENT_MESSAGE,
                                     SYNC_DIFFERENT_WHY},
    [GPU_SYNC_BYPASSED] = {FINDING_BARRIER_DIVERGENCE, FINDING_ERROR, SYNC_BYPASSED_MESSAGE,
                           SYNC_BYPASSED_WHY},
    [GPU_SYNC_EXITED] = {FINDING_BARRIER_DIVERGENCE, FINDING_NOTE, SYNC_EXITED_MESSAGE, SYNC_EXITED_WHY},
    [GPU_SYNC_DEADLOCK] = {FINDING_HANG, FINDING_ERROR, SYNC_DEADLOCK_MESSAGE, SYNC_DEADLOCK_WHY},
    [GPU_SYNC_BUDGET] = {FINDING_LIMIT, FINDING_ERROR, SYNC_STEPS_MESSAGE, SYNC_STEPS_WHY},
    [GPU_SYNC_HALTED] = {FINDING_LIMIT, FINDING_NOTE, SYNC_HALTED_MESSAGE, SYNC_HALTED_WHY},
    [GPU_SYNC_MASK_OMITS_CALLER] = {FINDING_INVALID_MASK, FINDING_ERROR, SYNC_OMITS_MESSAGE, SYNC_OMITS_WHY},
    [GPU_SYNC_MASK_NAMES_ABSENT] = {FINDING_INVALID_MASK, FINDING_ERROR, SYNC_ABSENT_MESSAGE,
                                    SYNC_ABSENT_WHY},
    [GPU_SYNC_MASKS_DIFFER] = {FINDING_INVALID_MASK, FINDING_ERROR, SYNC_DIFFER_MESSAGE, SYNC_DIFFER_WHY},
    [GPU_SYNC_SHUFFLE_WIDTH] = {FINDING_API_MISUSE, FINDING_ERROR, SYNC_WIDTH_MESSAGE, SYNC_WIDTH_WHY},
    [GPU_SYNC_SHUFFLE_FAR] = {FINDING_API_MISUSE, FINDING_NOTE, SYNC_FAR_MESSAGE, SYNC_FAR_WHY},
    [GPU_SYNC_WARP_INCOMPLETE] = {FINDING_INVALID_MASK, FINDING_ERROR, SYNC_INCOMPLETE_MESSAGE,
                                  SYNC_INCOMPLETE_WHY},
    [GPU_SYNC_BARRIER_COUNT] = {FINDING_BARRIER_DIVERGENCE, FINDING_ERROR, SYNC_COUNT_MESSAGE,
                                SYNC_COUNT_WHY},
};
static const SyncTexts texts_of_stuck = {FINDING_HANG, FINDING_ERROR, SYNC_STUCK_MESSAGE, SYNC_STUCK_WHY};

/* Fills the facts, for which the parties of a mistake are put right first. */
static void know(SyncStory *story) {
    const GpuSyncEvent *event = story->event;
    CheckFinding *finding = &story->finding;
    if (event->mistake == GPU_SYNC_BYPASSED) finding->other.what = "branch";
    if (event->mistake == GPU_SYNC_BUDGET && !story->comes) finding->party.what = "loop";
    if (event->mistake == GPU_SYNC_HALTED) finding->party.what = "run";
    if (event->mistake == GPU_SYNC_BUDGET && !event->stuck && event->waiter_count == 0)
        finding->party = (CheckParty){.place = check_place_of_launch(story->check, event->launch)};
    if (event->mistake == GPU_SYNC_MASK_NAMES_ABSENT) know_branch(story);
    if (event->mistake == GPU_SYNC_SHUFFLE_WIDTH) story->facts.width = (int32_t)event->mask;
    if (event->mistake == GPU_SYNC_SHUFFLE_FAR) {
        story->facts.width = event->mask & 0xff;
        story->facts.distance = event->mask >> 8;
    }
    story->facts.block = (SayDim){finding->party.block, event->launch->spec.grid};
    say_all_waiters(story);
    know_barriers(story);
    know_warp(story);
    know_progress(story);
    know_lock(story);
}

static void on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Check *check = self;
    if (event->mistake == GPU_SYNC_SHUFFLE_SOURCE) return; /* shuffle_story.c has it */
    if (event->mistake == GPU_SYNC_HALTED && !check->options.stops) return;
    uint64_t key = check_key(SEEN_SYNC + (uint64_t)event->mistake, event->pc, event->other_pc);
    if (check_seen(check, key, 1)) return;
    SyncStory story = {.check = check, .event = event};
    text_init(&story.waiters);
    text_init(&story.lanes);
    set_parties(&story);
    know(&story);
    bool stuck = event->mistake == GPU_SYNC_BUDGET && event->stuck;
    const SyncTexts *texts;
    if (stuck)
        texts = &texts_of_stuck;
    else
        texts = &texts_of_mistake[event->mistake];
    story.finding.kind = texts->kind;
    story.finding.severity = texts->severity;
    if (event->mistake == GPU_SYNC_BUDGET && !stuck) story.finding.sort = "steps";
    Said said = said_sync(texts->message, texts->why, &story.facts);
    check_tell(check, &story.finding, key, &said);
    text_free(&story.waiters);
    text_free(&story.lanes);
}

GpuObserver sync_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .block_begin = partings_on_block_begin,
                         .parted = partings_on_parted,
                         .sync_mistake = on_sync_mistake,
                         .in_repeats = true,
                         .in_ranges = true};
}
