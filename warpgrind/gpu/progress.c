/* progress.c - when a launch has used up its steps: does a loop still come nearer to its end?
 *
 * The warp that runs goes on for a while, one instruction after the other, and its comparisons are watched in
 * one lane. A loop that counts brings the two sides of its comparison nearer to each other in every round; in
 * one that waits, or whose step is 0, they stay as they are. An inner loop that is begun again and again
 * shows nothing: its sides part each time.
 */
#include "gpu/internal.h"

#include <math.h>

enum { WATCHED_STEPS = 1 << 16, WATCHED_COMPARISONS = 32, LEAST_ROUNDS = 3 };

typedef struct Comparison {
    const GpuInstruction *at;
    unsigned rounds;
    bool parts; /**< it did not come nearer once */
    double distance;
    int64_t left, right; /**< of integers, as last seen */
} Comparison;

typedef struct Progress {
    Comparison list[WATCHED_COMPARISONS];
    unsigned count;
} Progress;

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

static Comparison *progress_of(Progress *progress, const GpuInstruction *ins) {
    for (unsigned i = 0; i < progress->count; i++)
        if (progress->list[i].at == ins) return &progress->list[i];
    if (progress->count == WATCHED_COMPARISONS) return NULL;
    progress->list[progress->count] = (Comparison){.at = ins};
    return &progress->list[progress->count++];
}

static void progress_look(Progress *progress, const GpuWarp *warp, const GpuInstruction *ins, unsigned lane) {
    PtxType type = ins->source ? ins->source->type : PTX_NONE;
    if (!ins->source || ins->source->opcode != PTX_OP_setp) return;
    if (!progress_is_float(type) && !progress_is_integer(type)) return;
    Comparison *seen = progress_of(progress, ins);
    if (!seen) return;
    unsigned width = type == PTX_S64 || type == PTX_U64 || type == PTX_F64 ? 8 : 4;
    uint64_t a = gpu_lane_value(warp, ins->a, width, lane), b = gpu_lane_value(warp, ins->b, width, lane);
    double distance;
    if (progress_is_float(type)) {
        distance = fabs(progress_float(type, a) - progress_float(type, b));
    } else {
        seen->left = progress_integer(type, a);
        seen->right = progress_integer(type, b);
        distance = fabs((double)seen->left - (double)seen->right);
    }
    if (seen->rounds++ && !(distance < seen->distance)) seen->parts = true;
    seen->distance = distance;
}

static const Comparison *progress_found(const Progress *progress) {
    for (unsigned i = 0; i < progress->count; i++)
        if (!progress->list[i].parts && progress->list[i].rounds >= LEAST_ROUNDS) return &progress->list[i];
    return NULL;
}

/* As warp_execute, with a look at each instruction before it. */
static unsigned progress_run(Progress *progress, GpuWarp *warp, GpuGroup *group, unsigned steps) {
    unsigned lane = (unsigned)__builtin_ctz(group->mask);
    warp->turn = (unsigned)(group - warp->groups);
    warp->slice = steps;
    warp_enter(warp, group);
    warp->start = group->next;
    uint32_t mask = group->mask;
    for (const GpuInstruction *ins = group->next; ins;) {
        progress_look(progress, warp, ins, lane);
        if (warp->run->track && ins->shadow) ins->shadow(warp, ins, mask);
        ins = ins->run.masked(warp, ins, mask);
    }
    return steps > (unsigned)(warp->slice > 0 ? warp->slice : 0) ? steps - (unsigned)warp->slice : 1;
}

bool progress_seen(GpuWarp *warp, int64_t *at, int64_t *goal) {
    Progress progress = {.count = 0};
    for (unsigned left = WATCHED_STEPS; left > 0 && warp->runnable && !warp->run->ended;) {
        GpuGroup *group = &warp->groups[__builtin_ctz(warp->runnable)];
        unsigned spent = progress_run(&progress, warp, group, left);
        left = spent < left ? left - spent : 0;
    }
    const Comparison *found = progress_found(&progress);
    if (!found) return false;
    bool integer = progress_is_integer(found->at->source->type);
    *at = integer ? found->left : 0;
    *goal = integer ? found->right : 0;
    return true;
}
