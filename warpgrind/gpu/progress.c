/* progress.c - a launch that has taken many steps: does anything still change, and how far has it come?
 *
 * While a launch is watched, the operands of all its comparisons are. Where nobody finishes a block and no
 * comparison sees another value than the round before, no branch will ever go another way: it hangs. Whatever
 * else it does may end, only not within the steps that it may take. A loop that counts brings the two sides
 * of its comparison nearer to each other in every round: they say how far it has come.
 *
 * LIMIT: "no comparison sees another value" is known of the rounds that were watched, WATCHED_STEPS in all. A
 * loop that counts to many thousands before the value that it compares changes once is taken for a hang.
 */
#include "gpu/internal.h"

#include <math.h>
#include <stdlib.h>

enum { WATCHED_STEPS = 1 << 20, COMPARISONS = 4096, PROBES = 16, LEAST_ROUNDS = 3 };

/** One comparison as one group of lanes makes it. */
typedef struct Comparison {
    const GpuInstruction *at;
    const GpuWarp *warp;
    uint32_t mask;
    unsigned rounds;
    bool changes; /**< an operand was another one once, in some lane */
    bool parts;   /**< the sides did not come nearer once, in the first lane */
    uint64_t operands;
    double distance;
    int64_t left, right; /**< of integers, as last seen */
} Comparison;

struct GpuProgress {
    uint64_t first_step, blocks_done; /**< when the watch began */
    bool lost;                        /**< there were too many to watch all */
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
    return type == PTX_F32 ? (double)single : value;
}

static int64_t progress_integer(PtxType type, uint64_t bits) {
    if (type == PTX_S32) return (int32_t)bits;
    return type == PTX_U32 ? (int64_t)(uint32_t)bits : (int64_t)bits;
}

static Comparison *progress_of(GpuProgress *progress, const GpuWarp *warp, const GpuInstruction *ins,
                               uint32_t mask) {
    uint64_t key = (uintptr_t)ins * UINT64_C(0x9E3779B97F4A7C15) + (uintptr_t)warp + mask;
    key = (key ^ key >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    for (unsigned probe = 0; probe < PROBES; probe++) {
        Comparison *seen = &progress->list[((key >> 40) + probe) & (COMPARISONS - 1)];
        if (seen->at == ins && seen->warp == warp && seen->mask == mask) return seen;
        if (seen->at) continue;
        *seen = (Comparison){.at = ins, .warp = warp, .mask = mask};
        return seen;
    }
    progress->lost = true;
    return NULL;
}

static uint64_t progress_digest(const GpuWarp *warp, const GpuInstruction *ins, unsigned width,
                                uint32_t mask) {
    uint64_t digest = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        digest = (digest ^ gpu_lane_value(warp, ins->a, width, lane)) * UINT64_C(0x9E3779B97F4A7C15);
        digest = (digest ^ digest >> 31 ^ gpu_lane_value(warp, ins->b, width, lane)) *
                 UINT64_C(0x94D049BB133111EB);
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

void progress_look(GpuProgress *progress, const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!ins->source || ins->source->opcode != PTX_OP_setp) return;
    Comparison *seen = progress_of(progress, warp, ins, mask);
    if (!seen) return;
    unsigned width = ptx_type_bytes(ins->source->type) == 8 ? 8 : 4;
    uint64_t operands = progress_digest(warp, ins, width, mask);
    double distance = progress_distance(seen, warp, width);
    if (seen->rounds && operands != seen->operands) seen->changes = true;
    if (seen->rounds++ && !(distance < seen->distance)) seen->parts = true;
    seen->operands = operands;
    seen->distance = distance;
}

/* ---- a watch ---- */

static uint64_t progress_done(const GpuRun *run) {
    return run->next_block - run->running;
}

bool progress_begin(GpuRun *run) {
    run->watch = calloc(1, sizeof *run->watch);
    if (!run->watch) return false;
    run->watch->first_step = run->launch.warp_instructions;
    run->watch->blocks_done = progress_done(run);
    run->pause = run->launch.warp_instructions + WATCHED_STEPS;
    return true;
}

void progress_end(GpuRun *run) {
    free(run->watch);
    run->watch = NULL;
}

bool progress_is_stuck(const GpuRun *run) {
    const GpuProgress *progress = run->watch;
    if (!progress || progress->lost || progress_done(run) != progress->blocks_done) return false;
    for (unsigned i = 0; i < COMPARISONS; i++)
        if (progress->list[i].changes) return false;
    return true;
}

/** Of the loops that count, the one with the fewest rounds is the outermost. */
void progress_tell(const GpuRun *run, GpuSyncEvent *event) {
    const GpuProgress *progress = run->watch;
    const Comparison *found = NULL;
    for (unsigned i = 0; progress && i < COMPARISONS; i++) {
        const Comparison *seen = &progress->list[i];
        if (!seen->at || seen->parts || seen->rounds < LEAST_ROUNDS) continue;
        if (!progress_is_integer(seen->at->source->type)) continue;
        if (!found || seen->rounds < found->rounds) found = seen;
    }
    event->blocks_done = progress_done(run);
    event->stuck = progress_is_stuck(run);
    if (!found) return;
    event->at = found->left;
    event->goal = found->right;
    event->loop_pc = found->at->pc;
}
