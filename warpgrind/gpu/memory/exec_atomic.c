/* exec_atomic.c - atom and red: each lane's operation on the bytes as the lanes before it have left them. */
#include "gpu/alu/atomic.h"
#include "gpu/memory/exec_memory.h"

/* ---- atomics ---- */

/** Only compare-and-swap has a third operand, c. */
static bool atomic_swaps(const GpuInstruction *ins) {
    return ins->source->modifiers.atomic == PTX_ATOM_CAS;
}

/** exch and cas of 128 bits. */
static void atomic_wide(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint8_t *at) {
    enum { WIDE = 16 };
    uint8_t old[WIDE];
    const uint8_t *b = (uint8_t *)gpu_row(warp, ins->b) + lane * WIDE;
    memcpy(old, at, WIDE);
    if (!atomic_swaps(ins))
        memcpy(at, b, WIDE);
    else if (memcmp(old, b, WIDE) == 0)
        memcpy(at, (uint8_t *)gpu_row(warp, ins->c) + lane * WIDE, WIDE);
    if (ins->count) memcpy((uint8_t *)gpu_row(warp, ins->d) + lane * WIDE, old, WIDE);
}

/** Whether other processors may take part: the host, where the memory is managed or pinned. */
static bool atomic_for_system(const GpuInstruction *ins) {
    return ins->source->modifiers.scope == PTX_SCOPE_SYS;
}

/** Stores `now` if the bytes still hold `old`; else gives what they hold. LIMIT: only 4 and 8 bytes are
 * looked at, and other sizes stored. */
static bool atomic_replace(uint8_t *at, unsigned bytes, uint64_t *old, uint64_t now) {
    uint32_t seen = (uint32_t)*old;
    switch (bytes) {
    case 4:
        if (__atomic_compare_exchange_n((uint32_t *)(void *)at, &seen, (uint32_t)now, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
        *old = seen;
        return false;
    case 8:
        return __atomic_compare_exchange_n((uint64_t *)(void *)at, old, now, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    default:
        memcpy(at, &now, bytes);
        return true;
    }
}

/** One lane's operation, on the bytes as the lanes before it have left them. */
static void atomic_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint8_t *at) {
    if (ins->bytes > 8) {
        atomic_wide(warp, ins, lane, at);
        return;
    }
    uint64_t old = memory_read_value(at, ins->bytes);
    uint64_t b = gpu_lane_value(warp, ins->b, ins->width, lane);
    uint64_t c = 0;
    if (atomic_swaps(ins)) c = gpu_lane_value(warp, ins->c, ins->width, lane);
    uint64_t now = atomic_apply(ins->source, old, b, c);
    if (atomic_for_system(ins))
        while (!atomic_replace(at, ins->bytes, &old, now))
            now = atomic_apply(ins->source, old, b, c);
    else
        memcpy(at, &now, ins->bytes);
    if (ins->count) gpu_lane_set(warp, ins->d, ins->width, lane, old);
}

/** What most atomics are: adding whole numbers of 4 bytes. */
static bool atomic_adds_words(const GpuInstruction *ins) {
    PtxType type = ins->source->type;
    return !atomic_for_system(ins) && ins->bytes == 4 && ins->width == 4 &&
           ins->source->modifiers.atomic == PTX_ATOM_ADD && (type == PTX_U32 || type == PTX_S32);
}

/** The same for additions of words, without a call for each lane. Odd seeds take lanes from the last one
 * down, so that programs which rely on the order are seen. */
static void memory_add_words(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uintptr_t base) {
    const bool backwards = warp->run->gpu->config.seed & 1, keeps = ins->count;
    const uint8_t *b = gpu_row(warp, ins->b);
    while (mask) {
        unsigned lane;
        if (backwards)
            lane = 31 - (unsigned)__builtin_clz(mask);
        else
            lane = (unsigned)__builtin_ctz(mask);
        uint8_t *at = (uint8_t *)(base + warp->address[lane]);
        uint32_t old, more;
        mask &= ~(1u << lane);
        memcpy(&old, at, sizeof old);
        memcpy(&more, b + lane * sizeof more, sizeof more);
        more += old;
        memcpy(at, &more, sizeof more);
        if (keeps) gpu_lane_set(warp, ins->d, 4, lane, old);
    }
}

/** What observers see as the values of an atomic: the new value of cas, the operand of all others. */
static void atomic_values(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *values = warp->values;
    GpuRow row = atomic_swaps(ins) ? ins->c : ins->b;
    if (ins->bytes > 8 || (ins->bytes == 4 && ins->width == 4)) {
        memcpy(values, gpu_row(warp, row), (size_t)ins->bytes * GPU_WARP_LANES);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t value = gpu_lane_value(warp, row, ins->width, lane);
        memcpy(values + lane * ins->bytes, &value, ins->bytes);
    }
}

/** Whether a compare-and-swap would put back what it compares with, and so only reads. */
static bool atomic_only_reads(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        if (gpu_lane_value(warp, ins->b, ins->width, lane) != gpu_lane_value(warp, ins->c, ins->width, lane))
            return false;
    }
    return true;
}

/** What a program does with the old value comes later, and others may come between: except with seed 0 they
 * do, so that an update made of two atomics is seen to lose some. One that compares and swaps notices them by
 * itself; and whoever waits for a lock by one lets others go anyway. In shared memory they do not: there
 * barriers of a group are made of such atomics, and turns at each would order what the barrier does not. */
static const GpuInstruction *atomic_go_on(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,
                                          const GpuRegionCache *region) {
    const bool mixed = ins->memory.gives_way && warp->run->gpu->config.seed != 0 && !warp->run->ended;
    const bool shared = region && region->space == PTX_SPACE_SHARED;
    if (!mixed || shared || (atomic_swaps(ins) && (ins->bytes > 8 || !atomic_only_reads(warp, ins, mask))))
        return gpu_go_on(warp, ins);
    return gpu_give_way(warp, ins);
}

/** Lanes are done one after the other, also where several have one address. With a fault the others are
 * done nevertheless. */
const GpuInstruction *atomic_update(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint64_t step = ins->bytes;
    GpuShape shape;
    GpuLane lanes[GPU_WARP_LANES];
    bool undefined = memory_check_address(warp, ins, mask);
    memory_addresses(warp, ins, mask, step, &shape);
    atomic_values(warp, ins, mask);
    if (warp->run->track && ins->defines != GPU_NO_REGISTER) undefined_clear(warp, ins->defines, mask);
    const GpuRegionCache *region = memory_fast(warp, ins, mask, GPU_ATOMIC, step, &shape);
    uint32_t good = mask;
    if (region && region->space != PTX_SPACE_CONST && region->space != PTX_SPACE_LOCAL) {
        uint8_t *host = memory_region_host(warp, region);
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            lanes[lane].host = host + (warp->address[lane] - region->first);
        }
        if (memory_is_watched(warp, region)) {
            memory_tell(warp, ins, GPU_ATOMIC, mask, step, region, &shape);
            if (warp->run->track && ins->defines != GPU_NO_REGISTER && warp->access.undefined_lanes)
                undefined_to_register(warp, ins, ins->defines, mask, &warp->access);
        }
        if (atomic_adds_words(ins)) {
            memory_add_words(warp, ins, mask, (uintptr_t)host - (uintptr_t)region->first);
            return atomic_go_on(warp, ins, mask, region);
        }
    } else {
        good = slow_sort(warp, ins, mask, GPU_ATOMIC, step, lanes, undefined);
    }
    bool backwards = warp->run->gpu->config.seed & 1;
    while (good) {
        unsigned lane = backwards ? 31 - (unsigned)__builtin_clz(good) : (unsigned)__builtin_ctz(good);
        good &= ~(1u << lane);
        atomic_lane(warp, ins, lane, lanes[lane].host);
    }
    return atomic_go_on(warp, ins, mask, region);
}
