/* progress.c - a launch that has taken many steps: does anything still change, and how far has it come?
 *
 * While a launch is watched, so are the values of all instructions that decide where its threads go and what
 * they touch (deciding.c), and the memory that such values come from. When everybody who can run has gone
 * round at least twice, nobody has finished a block or begun one, and none of that has changed, then none of
 * it ever will: every round is like the one before. That is a hang. Whatever else the launch does may end,
 * only not within the steps that it may take. A loop that counts brings the two sides of its comparison
 * nearer to each other in every round: they say how far it has come.
 *
 * Who waits at an mbarrier, or for an object of libcu++, looks at the time as well, to wait longer and
 * longer: values that change, and decide. When nothing changes that others could see, only time passes
 * (progress_only_time_passes): the launch lets much of it pass at once, since a wait may have an end in time.
 * When after that no comparison comes nearer to its end, the wait never ends (progress_waits_in_vain).
 *
 * A loop that waits may have others inside that count from the start in each of its rounds: then values
 * change, and the rounds of the warp as a whole are compared (rounds.h). Where the time is looked at no two
 * rounds are alike, and a comparison whose values come back in the same order again and again counts as one
 * that does not come nearer to its end.
 */
#include "gpu/alu/atomic.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/progress.h"
#include "gpu/dataflow/rounds.h"

#include <math.h>
#include <stdlib.h>

enum { COMPARISONS = 1 << 16, PROBES = 16, LEAST_ROUNDS = 3, SURE_ROUNDS = 2, MOST_CALLS = 16 };

/** One comparison, or another deciding instruction, as one group of lanes executes it. */
typedef struct Comparison {
    const GpuInstruction *at;
    const GpuWarp *warp;
    uint64_t way; /**< the calls that led there */
    uint32_t mask;
    unsigned rounds;
    bool decides;
    bool asks;    /**< whether a phase of an mbarrier is over, which operands holds */
    bool changes; /**< an operand (or a result) was another one once, in some lane */
    bool nears;   /**< its sides came nearer once, or changed places */
    bool parts;   /**< the sides did not come nearer once, in the first lane */
    bool blocks;  /**< seen in more than one block: a warp that has ended makes room for one of the next */
    uint64_t block;
    uint64_t operands;
    double distance;
    int64_t left, right; /**< of integers, as last seen */
    RoundMark mark;
    RoundValues values;
} Comparison;

struct GpuProgress {
    uint64_t blocks_done, next_block; /**< when the watch began */
    bool lost;                        /**< there were too many to watch all */
    bool unseen;                      /**< nobody tells of accesses */
    bool tells_time;                  /**< somebody has looked at a clock */
    uint64_t tests_passed;            /**< when the watch began */
    bool reads[PTX_SPACE_COUNT],
        writes[PTX_SPACE_COUNT]; /**< deciding loads; stores that changed something */
    Comparison list[COMPARISONS];
};

static bool progress_is_float(PtxType type) {
    return type == PTX_F32 || type == PTX_F64;
}

static bool progress_is_integer(PtxType type) {
    return type == PTX_S32 || type == PTX_U32 || type == PTX_S64 || type == PTX_U64;
}

static double progress_float(PtxType type, uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&value, &bits, sizeof value);
    if (type == PTX_F32) return (double)single;
    return value;
}

static int64_t progress_integer(PtxType type, uint64_t bits) {
    if (type == PTX_S32) return (int32_t)bits;
    if (type == PTX_U32) return (int64_t)(uint32_t)bits;
    return (int64_t)bits;
}

static uint64_t progress_add(uint64_t digest, uint64_t value) {
    digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 31;
}

/** A function that is called from several places compares other things in each. */
static uint64_t progress_way(const GpuWarp *warp) {
    uint64_t way = 0;
    const GpuFrame *frame = warp->frame;
    for (unsigned calls = 0; frame && calls < MOST_CALLS; calls++, frame = frame->caller)
        way = progress_add(way, (uintptr_t)frame->call);
    return way;
}

/** The entry of one instruction as one set of lanes executes it, in a hash table without chains. When its
 * neighbourhood is full, the watch has lost sight of somebody and can prove nothing any more. */
static Comparison *progress_of(GpuProgress *progress, const GpuWarp *warp, const GpuInstruction *ins,
                               uint32_t mask) {
    const uint64_t way = progress_way(warp);
    uint64_t key = (uintptr_t)ins * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)warp + mask + way;
    key = (key ^ key >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    for (unsigned probe = 0; probe < PROBES; probe++) {
        Comparison *seen = &progress->list[((key >> 40) + probe) & (COMPARISONS - 1)];
        if (seen->at == ins && seen->warp == warp && seen->mask == mask && seen->way == way) return seen;
        if (seen->at) continue;
        *seen = (Comparison){.at = ins, .warp = warp, .way = way, .mask = mask};
        return seen;
    }
    progress->lost = true;
    return NULL;
}

static bool progress_compares(const GpuInstruction *ins) {
    return ins->source->opcode == PTX_OP_setp;
}

/** Of a comparison the operands; else what the instruction gave the last time, which the first time is
 * nothing. */
static uint64_t progress_digest(const GpuWarp *warp, const GpuInstruction *ins, unsigned width,
                                uint32_t mask) {
    uint64_t digest = 0;
    bool compares = progress_compares(ins);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        digest = progress_add(digest, gpu_lane_value(warp, compares ? ins->a : ins->d, width, lane));
        if (compares) digest = progress_add(digest, gpu_lane_value(warp, ins->b, width, lane));
    }
    return digest;
}

static double progress_distance(Comparison *seen, const GpuWarp *warp, unsigned width) {
    PtxType type = seen->at->source->type;
    unsigned lane = (unsigned)__builtin_ctz(seen->mask);
    uint64_t a = gpu_lane_value(warp, seen->at->a, width, lane),
             b = gpu_lane_value(warp, seen->at->b, width, lane);
    if (progress_is_float(type)) return fabs(progress_float(type, a) - progress_float(type, b));
    if (!progress_is_integer(type)) return 0;
    seen->left = progress_integer(type, a);
    seen->right = progress_integer(type, b);
    return fabs((double)seen->left - (double)seen->right);
}

/** Its result is a single register of the usual kind: predicates are made of comparisons, and the parts of a
 * vector are seen where they are used. */
static bool progress_has_result(const GpuInstruction *ins) {
    const PtxInstruction *source = ins->source;
    if (!source->destination_count || source->operands[0].kind != PTX_OPERAND_REGISTER) return false;
    return ins->function->ptx->registers[source->operands[0].index].type != PTX_PRED;
}

static bool progress_decides(const GpuInstruction *ins) {
    const GpuFunction *function = ins->function;
    return function->decides && ins->ordinal < function->ptx->instruction_count &&
           function->decides[ins->ordinal];
}

/** Whether the phase is over, as these lanes ask it: the object has been read. */
static void progress_look_at_phase(GpuProgress *progress, const GpuWarp *warp, const GpuInstruction *ins,
                                   uint32_t mask) {
    Comparison *seen = progress_of(progress, warp, ins, mask);
    if (!seen) return;
    const GpuRow object = ins->function->extra[ins->extra].row;
    seen->asks = true;
    seen->rounds++;
    seen->operands = gpu_lane_value(warp, object, 8, (unsigned)__builtin_ctz(mask));
}

/** Whether a comparison may come out otherwise some time: its sides are not whole numbers, or they come
 * nearer, or have changed places. */
static bool progress_comes_nearer(const Comparison *seen, double distance, int64_t left, int64_t right) {
    if (!progress_is_integer(seen->at->source->type)) return true;
    return distance < seen->distance || (left < right) != (seen->left < seen->right);
}

/** What it has seen is one more step of the warp's, and ends a round there. */
static void progress_go_round(GpuWarp *warp, Comparison *seen) {
    const uint64_t who = progress_add(progress_add((uintptr_t)seen->at, seen->way), seen->mask);
    rounds_step(&warp->rounds, progress_add(who, seen->operands));
    rounds_mark(&warp->rounds, &seen->mark);
    if (progress_compares(seen->at)) rounds_value(&seen->values, seen->operands);
}

/** Compares what a deciding instruction sees with what it saw a round ago. Of a comparison the operands
 * count, and whether they come nearer; of another instruction its result, which is there from the second
 * round on. */
void progress_look(GpuProgress *progress, GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!ins->source) return;
    progress->tells_time |= ins->step == STEP_flow_clock;
    if (ins->step == STEP_mbarrier_test) progress_look_at_phase(progress, warp, ins, mask);
    bool compares = progress_compares(ins), decides = progress_decides(ins);
    if (!compares && !(decides && progress_has_result(ins))) return;
    Comparison *seen = progress_of(progress, warp, ins, mask);
    if (!seen) return;
    if (seen->rounds == 0) seen->block = warp->block->linear;
    seen->blocks |= seen->block != warp->block->linear;
    unsigned width = ins->width;
    if (compares) width = ptx_type_bytes(ins->source->type) == 8 ? 8 : 4;
    uint64_t operands = progress_digest(warp, ins, width, mask);
    const Comparison before = *seen;
    double distance = 0;
    if (compares) distance = progress_distance(seen, warp, width);
    if (seen->rounds > (unsigned)!compares && operands != seen->operands) {
        seen->changes = true;
        seen->nears |= compares && progress_comes_nearer(&before, distance, seen->left, seen->right);
    }
    if (seen->rounds++ && !(distance < seen->distance)) seen->parts = true;
    seen->decides = decides;
    seen->operands = operands;
    seen->distance = distance;
    if (decides) progress_go_round(warp, seen);
}

/* ---- memory ---- */

/** An atomic leaves what it finds; compare-and-swap is not known to, where the new value is another one. */
static bool access_keeps(const PtxInstruction *source, const uint8_t *now, const uint8_t *value,
                         unsigned bytes) {
    PtxAtomic operation = PTX_ATOM_EXCH;
    if (source) operation = source->modifiers.atomic;
    if (operation == PTX_ATOM_CAS || operation == PTX_ATOM_EXCH || bytes > sizeof(uint64_t))
        return memcmp(now, value, bytes) == 0;
    uint64_t old = 0, operand = 0;
    memcpy(&old, now, bytes);
    memcpy(&operand, value, bytes);
    uint64_t result = atomic_apply(source, old, operand, 0);
    return memcmp(&old, &result, bytes) == 0;
}

/** What is stored is made of values that are watched, so it stays the same when they do. */
static bool access_is_watched(const GpuAccess *access, const GpuPlace *place) {
    const GpuFunction *function = access->warp->frame->function;
    if (!place->instruction || place->function != function->ptx || !function->decides) return false;
    return function->decides[place->instruction - function->ptx->instructions];
}

/** A compare-and-swap of the lane finds another value than it looks for. */
static bool access_fails(const GpuAccess *access, unsigned lane, const uint8_t *now) {
    const GpuFunction *function = access->warp->frame->function;
    if (access->pc - function->first_pc >= function->code_count || access->bytes > sizeof(uint64_t))
        return false;
    const GpuInstruction *ins = &function->code[access->pc - function->first_pc];
    if (!ins->source || ins->source->modifiers.atomic != PTX_ATOM_CAS) return false;
    const uint64_t wanted = gpu_lane_value(access->warp, ins->b, ins->width, lane);
    return memcmp(now, &wanted, access->bytes) != 0;
}

/** Whether every lane leaves the value that is there now. `looks`: also because it looks for another one. */
static bool access_all_keep(const GpuAccess *access, const PtxInstruction *source, bool looks) {
    unsigned first = 0;
    if (access->lanes) first = (unsigned)__builtin_ctz(access->lanes);
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint8_t *now = access->memory + (int64_t)(access->address[lane] - access->address[first]);
        if (looks && access_fails(access, lane, now)) continue;
        if (!access_keeps(source, now, access->values + lane * access->bytes, access->bytes)) return false;
    }
    return true;
}

bool progress_keeps(const Gpu *gpu, const GpuAccess *access) {
    return access->memory && access->values &&
           access_all_keep(access, gpu_place(gpu, access->pc).instruction, false);
}

/** Whether the access leaves another value in some lane than there is now. Stores of values that are not
 * watched count as changes. On its own stack, a thread stores what it has made of watched values, at one
 * place now this and now that, as one call follows another: there the values themselves are looked at. */
static bool access_changes(const Gpu *gpu, const GpuAccess *access) {
    GpuPlace place = gpu_place(gpu, access->pc);
    if (!access->memory || !access->values || !access_is_watched(access, &place)) return true;
    if (access->space == PTX_SPACE_LOCAL) return false;
    if (access->kind == GPU_ATOMIC) return !access_all_keep(access, place.instruction, true);
    return !access_all_keep(access, NULL, false);
}

void progress_access(GpuProgress *progress, const Gpu *gpu, const GpuAccess *access) {
    unsigned space = access->space;
    if (space >= PTX_SPACE_COUNT) return;
    if (access->kind != GPU_WRITE && !progress->reads[space]) {
        GpuPlace place = gpu_place(gpu, access->pc);
        progress->reads[space] = access_is_watched(access, &place);
    }
    if (access->kind != GPU_READ && !progress->writes[space])
        progress->writes[space] = access_changes(gpu, access);
}

static bool progress_space_changes(const GpuProgress *progress, unsigned space) {
    return progress->reads[space] && progress->writes[space];
}

/** Memory that deciding values come from and that other threads may write has changed. */
static bool progress_others_change(const GpuProgress *progress) {
    for (unsigned space = 0; space < PTX_SPACE_COUNT; space++)
        if (space != PTX_SPACE_LOCAL && progress_space_changes(progress, space)) return true;
    return false;
}

/** Memory that deciding values come from has changed. */
static bool progress_memory_changes(const GpuProgress *progress) {
    return progress_others_change(progress) || progress_space_changes(progress, PTX_SPACE_LOCAL);
}

/* ---- a watch ---- */

/** For each warp that is there; until one says false. */
static bool progress_each(const GpuRun *run, bool (*look)(const GpuRun *run, GpuWarp *warp)) {
    for (uint32_t slot = 0; slot < run->resident; slot++) {
        GpuBlock *block = run->gpu->slots[slot];
        if (!block || block->launch != run->launch.id || !block->busy) continue;
        for (uint32_t w = 0; w < block->warp_count; w++)
            if (!look(run, &block->warps[w])) return false;
    }
    return true;
}

static bool progress_start(const GpuRun *run, GpuWarp *warp) {
    (void)run;
    warp->watched_from = warp->steps;
    warp->rounds = (GpuRounds){0};
    return true;
}

bool progress_begin(GpuRun *run) {
    bool known = deciding_find(run->kernel);
    run->watch = calloc(1, sizeof *run->watch);
    if (!run->watch) return false;
    run->watch->lost = !known;
    run->watch->blocks_done = run_blocks_done(run);
    run->watch->next_block = run->next_block;
    run->watch->tests_passed = run->tests_passed;
    if (run->gpu->access_count == 0) run->watch->unseen = true;
    progress_each(run, progress_start);
    return true;
}

void progress_end(GpuRun *run) {
    free(run->watch);
    run->watch = NULL;
}

static uint64_t progress_code(const GpuKernel *kernel) {
    uint64_t count = 0;
    for (uint32_t f = 0; f < kernel->module->ptx->function_count; f++)
        if (kernel->functions[f]) count += kernel->functions[f]->code_count;
    return count;
}

/** A loop without a deciding instruction takes no more steps than there are instructions. */
static bool progress_went_round(const GpuRun *run, GpuWarp *warp) {
    return !warp->runnable || warp->steps - warp->watched_from > SURE_ROUNDS * progress_code(run->kernel);
}

/** A deciding instruction has given another value, in a warp that does not always do the same. */
static bool progress_changes(const GpuProgress *progress) {
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const Comparison *seen = &progress->list[i];
        if (seen->decides && seen->changes && !seen->warp->rounds.repeats) return true;
    }
    return progress->unseen;
}

static bool progress_is_still(const GpuRun *run) {
    const GpuProgress *progress = run->watch;
    return progress && !progress->lost && !progress_changes(progress) && !progress_memory_changes(progress) &&
           run_blocks_done(run) == progress->blocks_done;
}

static bool progress_all_went_round(const GpuRun *run) {
    const GpuProgress *progress = run->watch;
    bool more_come = run->next_block < run->block_end && run->running < run->resident;
    if (more_come || run->next_block != progress->next_block) return false;
    for (unsigned i = 0; i < COMPARISONS; i++)
        if (progress->list[i].decides && progress->list[i].rounds <= SURE_ROUNDS) return false;
    return progress_each(run, progress_went_round);
}

bool progress_is_stuck(const GpuRun *run) {
    return progress_is_still(run) && progress_all_went_round(run);
}

bool progress_is_open(const GpuRun *run) {
    const GpuProgress *progress = run->watch;
    if (!progress || progress->lost || run_blocks_done(run) != progress->blocks_done) return false;
    bool waits = progress->tells_time && !progress_others_change(progress);
    return (waits || progress_is_still(run)) && !progress_all_went_round(run);
}

/** The lanes of the warp that ask, and have done so in at least three rounds. */
static uint32_t progress_asking(const GpuProgress *progress, const GpuWarp *warp) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const Comparison *seen = &progress->list[i];
        if (seen->asks && seen->warp == warp && seen->rounds > SURE_ROUNDS) lanes |= seen->mask;
    }
    return lanes;
}

static bool progress_only_asks(const GpuRun *run, GpuWarp *warp) {
    uint32_t runs = 0;
    for (uint32_t left = warp->runnable; left; left &= left - 1)
        runs |= warp->groups[__builtin_ctz(left)].mask;
    return !runs || !(runs & ~progress_asking(run->watch, warp));
}

static bool progress_gains_nothing(const GpuRun *run, GpuWarp *warp) {
    return progress_only_asks(run, warp) || (run->watch->tells_time && progress_went_round(run, warp));
}

bool progress_only_time_passes(const GpuRun *run) {
    const GpuProgress *progress = run->watch;
    if (!progress || progress->lost || run->tests_passed != progress->tests_passed) return false;
    bool more_come = run->next_block < run->block_end && run->running < run->resident;
    if (more_come || run_blocks_done(run) != progress->blocks_done) return false;
    if (run->tests_failed == 0 && !progress->tells_time) return false;
    if (run->tests_failed && progress->writes[PTX_SPACE_SHARED]) return false;
    return !progress_others_change(progress) && progress_each(run, progress_gains_nothing);
}

/** A deciding comparison may have come nearer to its end: one that does not begin again and again. */
static bool progress_nears_end(const GpuProgress *progress) {
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const Comparison *seen = &progress->list[i];
        if (seen->decides && seen->nears && !rounds_recur(&seen->values)) return true;
    }
    return false;
}

bool progress_waits_in_vain(const GpuRun *run) {
    return progress_only_time_passes(run) && !progress_nears_end(run->watch);
}

/** The first object, in the order of blocks and warps, whose phase somebody asks for. */
static void progress_tell_object(const GpuRun *run, GpuSyncEvent *event) {
    const Comparison *found = NULL;
    for (unsigned i = 0; i < COMPARISONS; i++) {
        const Comparison *seen = &run->watch->list[i];
        if (!seen->asks) continue;
        bool first = !found || seen->warp->block->linear < found->warp->block->linear;
        if (first || (seen->warp->block == found->warp->block && seen->warp->index < found->warp->index))
            found = seen;
    }
    if (!found) return;
    event->pc = found->at->pc;
    event->block = found->warp->block;
    event->warp = found->warp;
    event->lanes = found->mask;
    event->asks = true;
    mbarrier_counts(found->operands, &event->arrived, &event->expected);
}

/** Says in the report of a hang whether the launch gets on, and which loop is to blame: of those that count,
 * the one with the fewest rounds, which is the outermost. */
void progress_tell(const GpuRun *run, GpuSyncEvent *event) {
    const GpuProgress *progress = run->watch;
    const Comparison *found = NULL;
    for (unsigned i = 0; progress && i < COMPARISONS; i++) {
        const Comparison *seen = &progress->list[i];
        if (!seen->at || seen->parts || seen->blocks || seen->rounds < LEAST_ROUNDS) continue;
        if (!progress_is_integer(seen->at->source->type)) continue;
        if (!found || seen->rounds < found->rounds) found = seen;
    }
    bool in_vain = progress_waits_in_vain(run);
    event->stuck = in_vain || progress_is_stuck(run);
    if (in_vain) progress_tell_object(run, event);
    if (!found) return;
    event->at = found->left;
    event->goal = found->right;
    event->loop_pc = found->at->pc;
}
