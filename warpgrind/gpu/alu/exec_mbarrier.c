/* exec_mbarrier.c - mbarrier objects: barriers that lie in shared memory (PTX ISA 9.7.13.15), made of plain
 * memory accesses.
 *
 * The object's 64 bits are ours to lay out: from the bottom the arrivals still missing in this phase (20
 * bits), those expected in a phase (20), and the phase's number (23). Arriving is an atomic operation on them
 * (atomic.c calls mbarrier_arrived), and the token is what was there before. A test that finds its phase over
 * is a relaxed read and then a fence, so that observers see the order that it makes, and none when it fails.
 */
#include "base/minmax.h"
#include "gpu/alu/atomic.h"
#include "gpu/alu/scalar.h"

enum { COUNT_BITS = 20, PHASE_BITS = 23, PHASE_SHIFT = 2 * COUNT_BITS };
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define PHASE_MASK ((UINT64_C(1) << PHASE_BITS) - 1)

static uint64_t mbarrier_state(uint64_t missing, uint64_t expected, uint64_t phase) {
    return missing | expected << COUNT_BITS | (phase & PHASE_MASK) << PHASE_SHIFT;
}

static uint64_t mbarrier_phase(uint64_t state) {
    return state >> PHASE_SHIFT & PHASE_MASK;
}

uint64_t mbarrier_initial(const GpuInstruction *ins, const uint64_t sources[4]) {
    (void)ins;
    uint64_t count = sources[0] & COUNT_MASK;
    return mbarrier_state(count, count, 0);
}

uint64_t mbarrier_pending(const GpuInstruction *ins, const uint64_t sources[4]) {
    (void)ins;
    return sources[0] & COUNT_MASK;
}

uint64_t mbarrier_arrived(const PtxInstruction *source, uint64_t state, uint64_t count) {
    uint64_t missing = state & COUNT_MASK, expected = state >> COUNT_BITS & COUNT_MASK;
    uint64_t phase = mbarrier_phase(state);
    if (source->opcode == PTX_OP_mbarrier_inval) return mbarrier_state(0, 0, 0);
    if (source->opcode == PTX_OP_mbarrier_arrive_drop) expected -= MIN(count, expected);
    if (count < missing) return mbarrier_state(missing - count, expected, phase);
    return mbarrier_state(expected, expected, phase + 1);
}

bool gpu_is_arrival(const PtxInstruction *instruction) {
    return instruction && ptx_has_trait(instruction->opcode, PTX_TRAIT_ARRIVES);
}

bool gpu_arrive(const PtxInstruction *arrival, uint64_t *state, uint64_t count) {
    const uint64_t before = mbarrier_phase(*state);
    *state = mbarrier_arrived(arrival, *state, count);
    return mbarrier_phase(*state) != before;
}

void mbarrier_counts(uint64_t state, uint32_t *arrived, uint32_t *expected) {
    *expected = (uint32_t)(state >> COUNT_BITS & COUNT_MASK);
    *arrived = *expected - (uint32_t)(state & COUNT_MASK);
}

/** Who asks in vain, again and again, may wait for ever: the launch looks soon, and then ever more seldom. */
static void mbarrier_count_test(GpuRun *run, bool passed) {
    enum { FIRST_TESTS = 1 << 12 };
    if (passed) {
        run->tests_passed++;
        return;
    }
    if (!run->tests_look) run->tests_look = FIRST_TESTS;
    if (++run->tests_failed < run->tests_look) return;
    run->tests_look *= 4;
    if (!run->watch && run->pause > run->launch.warp_instructions) run->pause = run->launch.warp_instructions;
}

/** p = the phase of the token (a, or its parity) is over; extra: the object's state, the token. */
const GpuInstruction *mbarrier_test(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    bool parity = ins->source->modifiers.mode == PTX_MODE_PARITY;
    uint32_t over = 0, old;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t now = mbarrier_phase(gpu_lane_value(warp, parts[0].row, 8, lane));
        uint64_t token = gpu_lane_value(warp, parts[1].row, parts[1].width, lane);
        bool same;
        if (parity)
            same = (now & 1) == (token & 1);
        else
            same = now == mbarrier_phase(token);
        over |= (uint32_t)!same << lane;
    }
    mbarrier_count_test(warp->run, over != 0);
    memcpy(&old, gpu_row(warp, ins->d), sizeof old);
    old = (old & ~mask) | over;
    memcpy(gpu_row(warp, ins->d), &old, sizeof old);
    if (over && ins->source->modifiers.sync && warp->run->gpu->wants_fence)
        GPU_SEND(warp->run->gpu, fence, warp, over, ins->pc, ins->source->modifiers.scope, PTX_SEM_ACQUIRE);
    return ins->next;
}
