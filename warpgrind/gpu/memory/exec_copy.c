/* exec_copy.c - cp.async: a copy to shared memory that is done when it is waited for (PTX ISA 9.7.9.25.3).
 *
 * It is decoded as two instructions, so that observers see a read and a write. The source is read at once;
 * what was read, with its definedness, is kept with the warp until the lanes wait for it
 * (cp.async.wait_group, wait_all) or exit. That is the latest moment allowed: who does not wait, or waits
 * without a barrier, finds the old bytes. With a source size, the rest of the bytes are zeros.
 */
#include "base/growable.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

#include <stdlib.h>

typedef struct Copy { /**< of one instruction; lanes leave it as they wait */
    const GpuInstruction *ins;
    uint32_t lanes, undefined_lanes, origin;
    uint32_t group[GPU_WARP_LANES]; /**< how many groups the lane had committed before */
    uint64_t address[GPU_WARP_LANES], source[GPU_WARP_LANES];
    uint8_t *host[GPU_WARP_LANES], *source_host[GPU_WARP_LANES];
    uint8_t given[GPU_WARP_LANES];       /**< bytes that were read; 0: the source is not there */
    uint8_t values[GPU_WARP_LANES * 16]; /**< lane l's at l * ins->bytes */
    uint16_t undefined_bytes[GPU_WARP_LANES];
} Copy;

struct GpuCopies { /**< of one warp, in the order they were asked for */
    uint32_t committed[GPU_WARP_LANES];
    unsigned count;
    size_t capacity;
    Copy *items;
    Copy read; /**< what the instruction's first half leaves for the second */
};

static uint32_t copy_source_bytes(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane) {
    if (!ins->count) return ins->bytes;
    uint64_t given = gpu_lane_value(warp, ins->b, 4, lane);
    return given < ins->bytes ? (uint32_t)given : ins->bytes;
}

/** A lane of a copy that cannot be done: in shared memory any place outside is out of bounds, elsewhere
 * it is wild if no allocation is near. */
static void copy_fault(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, GpuAccessKind kind,
                       bool misaligned) {
    PtxSpace space = (PtxSpace)ins->memory.space;
    uint64_t address = warp->address[lane];
    const Gpu *gpu = warp->run->gpu;
    bool shared = space == PTX_SPACE_SHARED, near = shared || gpu_memory_is_near(gpu, address);
    GpuFault fault = {.warp = warp,
                      .pc = ins->pc,
                      .space = space,
                      .access = kind,
                      .bytes = ins->bytes,
                      .lanes = 1u << lane,
                      .address = warp->address,
                      .nearest = shared ? NULL : gpu_memory_nearest(gpu, address)};
    fault.kind = near ? GPU_FAULT_OUT_OF_BOUNDS : GPU_FAULT_WILD;
    if (misaligned) fault.kind = GPU_FAULT_MISALIGNED;
    GPU_SEND(warp->run->gpu, fault, &fault);
    if (misaligned) run_fault(warp->run, GPU_MISALIGNED);
    if (fault.kind == GPU_FAULT_WILD) run_fault(warp->run, GPU_ILLEGAL_ADDRESS);
}

static uint8_t *copy_host(GpuWarp *warp, const GpuInstruction *ins, uint64_t address) {
    if (ins->memory.space != PTX_SPACE_SHARED) return gpu_memory_host(warp->run->gpu, address, ins->bytes);
    return memory_shared_host(warp->block, address, ins->bytes);
}

/** Finds the lanes' places, into warp->address and host; the lanes that may go on. */
static uint32_t copy_find(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                          uint8_t *host[GPU_WARP_LANES]) {
    uint32_t good = 0;
    for (uint32_t left = mask; left && !warp->run->ended; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address =
            gpu_lane_value(warp, ins->a, ins->memory.address_width, lane) + (uint64_t)ins->memory.offset;
        bool misaligned = address % ins->bytes != 0;
        if (ins->memory.space == PTX_SPACE_SHARED && address - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN)
            address -= GPU_SHARED_WINDOW;
        if (ins->memory.wraps) address = (uint32_t)address;
        warp->address[lane] = address;
        host[lane] = copy_host(warp, ins, address);
        if (misaligned || !host[lane])
            copy_fault(warp, ins, lane, kind, misaligned);
        else
            good |= 1u << lane;
    }
    return good;
}

/** The warp's copies, made when the first one comes; NULL (and the launch is over) without memory. */
static GpuCopies *copy_state(GpuWarp *warp) {
    if (!warp->copies) warp->copies = calloc(1, sizeof *warp->copies);
    if (!warp->copies) run_end(warp->run, GPU_OUT_OF_MEMORY);
    return warp->copies;
}

/** Keeps what the first half has read until the lanes wait for it. Waiting copies are found by going
 * through all of them: kernels keep a few stages under way. */
static Copy *copy_add(GpuWarp *warp) {
    GpuCopies *copies = copy_state(warp);
    if (!copies) return NULL;
    Copy *items = growable_grow(copies->items, &copies->capacity, (size_t)copies->count + 1, sizeof *items);
    if (!items) {
        run_end(warp->run, GPU_OUT_OF_MEMORY);
        return NULL;
    }
    copies->items = items;
    copies->items[copies->count] = copies->read;
    return &copies->items[copies->count++];
}

/* ---- the two halves ---- */

static void copy_tell_read(GpuWarp *warp, const GpuInstruction *ins, uint32_t good, uint8_t *const *host,
                           Copy *read) {
    GpuAccess *access = memory_begin_access(warp, ins, GPU_READ, good, ins->bytes, PTX_SPACE_GLOBAL);
    access->allocation = NULL;
    access->memory = host[__builtin_ctz(good)];
    memory_send_access(warp, access);
    if (!warp->run->track) return;
    read->undefined_lanes = access->undefined_lanes & good;
    read->origin = undefined_from(access->origin, ins);
    memcpy(read->undefined_bytes, access->undefined_bytes, sizeof read->undefined_bytes);
}

/** The first half: reads the source now. Bytes past the given size are zeros and defined; lanes whose
 * source is not there carry poison. */
const GpuInstruction *copy_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *host[GPU_WARP_LANES];
    uint32_t good = copy_find(warp, ins, mask, GPU_READ, host);
    GpuCopies *copies = copy_state(warp);
    if (!copies) return gpu_go_on(warp, ins);
    Copy *read = &copies->read;
    read->undefined_lanes = 0;
    if (good && warp->run->gpu->access_count) copy_tell_read(warp, ins, good, host, read);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t *value = read->values + lane * ins->bytes;
        uint32_t given = copy_source_bytes(warp, ins, lane);
        read->source[lane] = warp->address[lane];
        read->source_host[lane] = host[lane];
        read->given[lane] = good >> lane & 1 ? (uint8_t)given : 0;
        if (good >> lane & 1)
            memcpy(value, host[lane], given);
        else
            memset(value, POISON_DEVICE_BYTE, given);
        memset(value + given, 0, ins->bytes - given);
        if (!(read->undefined_lanes >> lane & 1)) continue;
        read->undefined_bytes[lane] &= (uint16_t)((1u << given) - 1);
        if (!read->undefined_bytes[lane]) read->undefined_lanes &= ~(1u << lane);
    }
    return gpu_go_on(warp, ins);
}

/** The second half: notes where the bytes go, and how many groups each lane had committed when it asked. */
const GpuInstruction *copy_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *host[GPU_WARP_LANES] = {NULL};
    uint32_t good = copy_find(warp, ins, mask, GPU_WRITE, host);
    Copy *copy = good ? copy_add(warp) : NULL;
    if (!copy) return gpu_go_on(warp, ins);
    copy->ins = ins;
    copy->lanes = good;
    copy->undefined_lanes &= good;
    memcpy(copy->group, warp->copies->committed, sizeof copy->group);
    memcpy(copy->address, warp->address, sizeof copy->address);
    memcpy(copy->host, host, sizeof copy->host);
    return gpu_go_on(warp, ins);
}

/* ---- waiting ---- */

/** Until it is waited for, a copy may read its source at any moment: who changes it takes a chance. */
static void copy_tell_changed(GpuWarp *warp, const Copy *copy, uint32_t lanes) {
    uint32_t changed = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const uint8_t *now = copy->given[lane] ? copy->source_host[lane] : NULL;
        if (now && memcmp(now, copy->values + lane * copy->ins->bytes, copy->given[lane]) != 0)
            changed |= 1u << lane;
    }
    if (!changed) return;
    GpuChangedCopy event = {.warp = warp,
                            .pc = copy->ins->pc,
                            .bytes = copy->ins->bytes,
                            .lanes = changed,
                            .source = copy->source,
                            .was = copy->values};
    GPU_SEND(warp->run->gpu, copy_changed, &event);
}

/** Does the copy for lanes that have waited: observers see the write now, when it takes effect, with the
 * pc of the instruction that asked for it. */
static void copy_do(GpuWarp *warp, Copy *copy, uint32_t lanes) {
    const GpuInstruction *ins = copy->ins;
    if (warp->run->gpu->access_count) copy_tell_changed(warp, copy, lanes);
    if (warp->run->gpu->access_count) {
        GpuAccess *access = memory_begin_access(warp, ins, GPU_WRITE, lanes, ins->bytes, PTX_SPACE_SHARED);
        access->address = copy->address;
        access->values = copy->values;
        access->allocation = NULL;
        access->memory = copy->host[__builtin_ctz(lanes)];
        access->undefined_lanes = copy->undefined_lanes & lanes;
        access->origin = copy->origin;
        memcpy(access->undefined_bytes, copy->undefined_bytes, sizeof copy->undefined_bytes);
        memory_send_access(warp, access);
    }
    copy->lanes &= ~lanes;
    const bool as_card = machine_stores_as_card(warp->run->gpu);
    while (lanes) {
        unsigned lane = gpu_next_to_store(&lanes, ins->bytes, as_card);
        memcpy(copy->host[lane], copy->values + lane * ins->bytes, ins->bytes);
    }
}

/** Does the lanes' copies but for those of the newest `but` groups; with `all` those in no group, too. */
static void copy_finish(GpuWarp *warp, uint32_t mask, uint64_t but, bool all) {
    GpuCopies *copies = warp->copies;
    unsigned kept = 0;
    for (unsigned i = 0; i < copies->count; i++) {
        Copy *copy = &copies->items[i];
        uint32_t done = all ? copy->lanes & mask : 0;
        for (uint32_t left = all ? 0 : copy->lanes & mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            if (copy->group[lane] + but < copies->committed[lane]) done |= 1u << lane;
        }
        if (done) copy_do(warp, copy, done);
        if (!copy->lanes) continue;
        if (kept != i) copies->items[kept] = *copy;
        kept++;
    }
    copies->count = kept;
}

static bool copies_reach(const GpuCopies *copies, uint64_t address) {
    for (unsigned i = 0; i < copies->count; i++) {
        const Copy *copy = &copies->items[i];
        for (uint32_t left = copy->lanes; left; left &= left - 1)
            if (address - copy->address[__builtin_ctz(left)] < copy->ins->bytes) return true;
    }
    return false;
}

bool gpu_block_copies_to(const GpuBlock *block, uint64_t address) {
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].copies && copies_reach(block->warps[i].copies, address)) return true;
    return false;
}

const GpuInstruction *copy_commit(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    GpuCopies *copies = copy_state(warp);
    if (!copies) return gpu_go_on(warp, ins);
    for (; mask; mask &= mask - 1)
        copies->committed[__builtin_ctz(mask)]++;
    return ins + 1;
}

const GpuInstruction *copy_wait(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    bool all =
        ins->source->modifiers.mode == PTX_MODE_WAIT_ALL || ins->source->opcode == PTX_OP_cp_async_mbarrier;
    if (warp->copies) copy_finish(warp, mask, ins->u.bits, all);
    return gpu_go_on(warp, ins);
}

void copy_exit(GpuWarp *warp, uint32_t lanes) {
    if (warp->copies && warp->copies->count) copy_finish(warp, lanes, 0, true);
}

void copy_reset(GpuWarp *warp) {
    if (!warp->copies) return;
    warp->copies->count = 0;
    memset(warp->copies->committed, 0, sizeof warp->copies->committed);
}

void copy_destroy(GpuWarp *warp) {
    if (!warp->copies) return;
    free(warp->copies->items);
    free(warp->copies);
    warp->copies = NULL;
}
