/* waiting.c - finds the rounds of waiting.h. Values are looked at once a read has come back to the same
 * addresses, which most never do. */
#include "gpu/dataflow/waiting.h"

#include "gpu/dataflow/progress.h"

#include <string.h>

enum { LONGEST_ROUND = 256 };

static void mix(uint64_t *sum, uint64_t word) {
    *sum = (*sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    *sum ^= *sum >> 29;
}

static void mix_bytes(uint64_t *sum, const uint8_t *bytes, size_t count) {
    for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        mix(sum, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, bytes, count);
    if (count) mix(sum, rest);
}

/** Who reads what, and what is there now. */
static void mix_access(uint64_t *sum, const GpuAccess *access) {
    const unsigned first = (unsigned)__builtin_ctz(access->lanes);
    mix(sum, (uint64_t)access->pc << 32 | access->lanes);
    mix(sum, access->address[first]);
    if (access->contiguous || access->uniform) {
        unsigned lanes = 1;
        if (!access->uniform) lanes = (unsigned)__builtin_popcount(access->lanes);
        mix_bytes(sum, access->memory, (size_t)lanes * access->bytes);
        return;
    }
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        const uint64_t address = access->address[__builtin_ctz(lanes)];
        mix(sum, address);
        mix_bytes(sum, access->memory + (int64_t)(address - access->address[first]), access->bytes);
    }
}

/** The lanes' memory is one piece of the simulator's, and the access leaves it as it is. */
static bool access_only_looks(const GpuWarp *warp, const GpuAccess *access) {
    const bool single = (access->lanes & (access->lanes - 1)) == 0;
    const bool one = single || access->contiguous || access->uniform || access->allocation;
    if (!access->lanes || !access->memory || !one || access->texture) return false;
    if (access->kind == GPU_ATOMIC) return progress_keeps(warp->run->gpu, access);
    return access->kind == GPU_READ;
}

static void begin(GpuWarp *warp, const GpuAccess *access) {
    warp->waiting = (GpuWaiting){.pc = access->pc,
                                 .lanes = access->lanes,
                                 .low = access->low,
                                 .high = access->high,
                                 .began = warp->steps,
                                 .steps = warp->waiting.steps,
                                 .thread_steps = warp->waiting.thread_steps};
}

static bool comes_back(const GpuWaiting *waiting, const GpuAccess *access) {
    return access->pc == waiting->pc && access->lanes == waiting->lanes && access->low == waiting->low &&
           access->high == waiting->high;
}

/** The read that rounds begin with: the round before is compared with the one before that. */
static void end_round(GpuWarp *warp, GpuAccess *access) {
    GpuWaiting *waiting = &warp->waiting;
    const uint64_t took = warp->steps - waiting->began;
    uint64_t look = 0;
    mix_access(&look, access);
    waiting->waits = waiting->rounds >= 2 && waiting->sees == waiting->saw && took <= LONGEST_ROUND;
    if (waiting->waits) {
        waiting->steps += took;
        warp->run->waited += took;
        waiting->thread_steps += took * (unsigned)__builtin_popcount(access->lanes);
    }
    access->waits = waiting->waits && look == waiting->look;
    waiting->rounds += waiting->rounds < 2;
    waiting->saw = waiting->sees;
    waiting->sees = waiting->look = look;
    waiting->began = warp->steps;
}

static void go_on(GpuWarp *warp, GpuAccess *access) {
    GpuWaiting *waiting = &warp->waiting;
    if (comes_back(waiting, access)) {
        end_round(warp, access);
        return;
    }
    if (access->space == PTX_SPACE_CONST && waiting->rounds == 0) return;
    if (warp->steps - waiting->began > LONGEST_ROUND) {
        begin(warp, access);
        return;
    }
    if (waiting->rounds == 0) return;
    mix_access(&waiting->sees, access);
    access->waits = waiting->waits;
}

void waiting_look(GpuWarp *warp, GpuAccess *access) {
    GpuWaiting *waiting = &warp->waiting;
    const bool fresh = waiting->pc == 0;
    if (fresh && access->space == PTX_SPACE_CONST) return;
    if (fresh)
        begin(warp, access);
    else if (waiting->rounds == 0 && !comes_back(waiting, access))
        go_on(warp, access);
    else if (access_only_looks(warp, access))
        go_on(warp, access);
    else
        waiting->pc = 0;
}
