/* exec_copy.c - cp.async: a copy to shared memory that is done when it is waited for (PTX ISA 9.7.9.25.3).
 *
 * It is decoded as two instructions, so that observers see a read and a write. The source is read at once;
 * what was read, with its definedness, is kept with the warp until the lanes wait for it
 * (cp.async.wait_group, wait_all) or exit. That is the latest moment allowed: who does not wait, or waits
 * without a barrier, finds the old bytes. With a source size, only so many bytes are read, and the rest are
 * zeros.
 *
 * A copy may do its write at any moment from its start on, so observers hear of the start as well, and of
 * those who touch the place meanwhile.
 *
 * A warp that waits right after it has asked might have loaded the bytes itself: such copies are counted,
 * unless other warps, which leave the copying to it, have worked meanwhile.
 */
#include "base/growable.h"
#include "base/minmax.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/memory_access.h"

#include <stdlib.h>

/** A warp that executes fewer instructions between its last copy and the wait for it has done nothing else
 * meanwhile: an address, a commit, a barrier or two, and what a library wraps around them. Nor has a warp
 * that executes fewer from one barrier to the next. */
enum { AT_ONCE = 96 };

typedef struct Copy { /**< of one instruction; lanes leave it as they wait */
    const GpuInstruction *ins;
    uint64_t asked; /**< the warp's instructions up to there */
    uint32_t lanes, undefined_lanes, origin;
    uint32_t group[GPU_WARP_LANES]; /**< how many groups the lane had committed before */
    uint64_t address[GPU_WARP_LANES], source[GPU_WARP_LANES];
    uint64_t low, high; /**< from the first byte of all lanes to the last */
    uint8_t *host[GPU_WARP_LANES], *source_host[GPU_WARP_LANES];
    uint8_t given[GPU_WARP_LANES];       /**< bytes that were read; 0: the source is not there */
    uint8_t values[GPU_WARP_LANES * 16]; /**< lane l's at l * ins->bytes */
    uint16_t undefined_bytes[GPU_WARP_LANES];
} Copy;

struct GpuCopies { /**< of one warp, in the order they were asked for */
    uint32_t committed[GPU_WARP_LANES];
    bool started; /**< the warp has copied something in this block */
    unsigned count;
    size_t capacity;
    Copy *items;
    Copy read; /**< what the instruction's first half leaves for the second */
};

static uint32_t copy_source_bytes(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane) {
    if (!ins->count) return ins->bytes;
    uint64_t given = gpu_lane_value(warp, ins->b, 4, lane);
    if (given < ins->bytes) return (uint32_t)given;
    return ins->bytes;
}

/** A lane of a copy that cannot be done: in shared memory any place outside is out of bounds, elsewhere
 * it is wild if no allocation is near. */
static void copy_fault(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, GpuAccessKind kind,
                       uint32_t bytes, bool misaligned) {
    PtxSpace space = (PtxSpace)ins->memory.space;
    uint64_t address = warp->address[lane];
    const Gpu *gpu = warp->run->gpu;
    bool shared = space == PTX_SPACE_SHARED, near = shared || gpu_memory_is_near(gpu, address);
    GpuFault fault = {.warp = warp,
                      .pc = ins->pc,
                      .space = space,
                      .access = kind,
                      .bytes = (uint8_t)bytes,
                      .lanes = 1u << lane,
                      .address = warp->address,
                      .nearest = shared ? NULL : gpu_memory_nearest(gpu, address)};
    fault.kind = near ? GPU_FAULT_OUT_OF_BOUNDS : GPU_FAULT_WILD;
    if (misaligned) fault.kind = GPU_FAULT_MISALIGNED;
    GPU_SEND(warp->run->gpu, fault, &fault);
    if (misaligned) run_fault(warp->run, GPU_MISALIGNED);
    if (fault.kind == GPU_FAULT_WILD) run_fault(warp->run, GPU_ILLEGAL_ADDRESS);
}

static uint8_t *copy_host(GpuWarp *warp, const GpuInstruction *ins, uint64_t address, uint32_t bytes) {
    if (ins->memory.space != PTX_SPACE_SHARED) return gpu_memory_host(warp->run->gpu, address, bytes);
    return memory_shared_host(warp->block, address, bytes);
}

/** Finds the lanes' places, into warp->address and host; the lanes that may go on. A lane that reads no
 * bytes goes nowhere. */
static uint32_t copy_find(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind,
                          uint8_t *host[GPU_WARP_LANES]) {
    uint32_t good = 0;
    for (uint32_t left = mask; left && !warp->run->ended; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address =
            gpu_lane_value(warp, ins->a, ins->memory.address_width, lane) + (uint64_t)ins->memory.offset;
        uint32_t bytes;
        if (kind == GPU_READ)
            bytes = copy_source_bytes(warp, ins, lane);
        else
            bytes = ins->bytes;
        bool misaligned = address % ins->bytes != 0;
        if (ins->memory.space == PTX_SPACE_SHARED && address - GPU_SHARED_WINDOW < GPU_WINDOW_SPAN)
            address -= GPU_SHARED_WINDOW;
        if (ins->memory.wraps) address = (uint32_t)address;
        warp->address[lane] = address;
        if (bytes == 0) continue;
        host[lane] = copy_host(warp, ins, address, bytes);
        if (misaligned || !host[lane])
            copy_fault(warp, ins, lane, kind, bytes, misaligned);
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
    warp->block->copies++;
    return &copies->items[copies->count++];
}

/* ---- the two halves ---- */

/** Shows observers one piece of what lanes read: `bytes` of them, `offset` behind the lane's place. */
static void copy_tell_piece(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, uint32_t bytes,
                            const uint32_t offset[GPU_WARP_LANES], Copy *read) {
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    uint64_t address[GPU_WARP_LANES];
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        address[lane] = read->source[lane] + offset[lane];
    GpuAccess *access = memory_begin_access(warp, ins, GPU_READ, lanes, (uint8_t)bytes, PTX_SPACE_GLOBAL);
    access->address = address;
    access->allocation = NULL;
    access->memory = read->source_host[first] + offset[first];
    memory_send_access(warp, access);
    uint32_t undefined = 0;
    if (warp->run->track) undefined = access->undefined_lanes & lanes;
    for (uint32_t left = undefined; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!(read->undefined_lanes >> lane & 1)) read->undefined_bytes[lane] = 0;
        read->undefined_bytes[lane] |= (uint16_t)(access->undefined_bytes[lane] << offset[lane]);
        read->undefined_lanes |= 1u << lane;
    }
    if (undefined) read->origin = undefined_from(access->origin, ins);
}

/** Lanes may read different numbers of bytes, from none to 16: each of these numbers is a few pieces of a
 * power of two, as accesses are. */
static void copy_tell_read(GpuWarp *warp, const GpuInstruction *ins, uint32_t good, Copy *read) {
    enum { MOST = 16 };
    uint32_t offset[GPU_WARP_LANES] = {0};
    for (uint32_t bytes = MOST; bytes > 0; bytes /= 2) {
        uint32_t lanes = 0;
        for (uint32_t left = good; left; left &= left - 1)
            if (read->given[__builtin_ctz(left)] & bytes) lanes |= left & -left;
        if (lanes) copy_tell_piece(warp, ins, lanes, bytes, offset, read);
        for (; lanes; lanes &= lanes - 1)
            offset[__builtin_ctz(lanes)] += bytes;
    }
}

/** The first half: reads the source now. Bytes past the given size are zeros and defined; lanes whose
 * source is not there carry poison. */
const GpuInstruction *copy_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *host[GPU_WARP_LANES] = {NULL};
    uint32_t good = copy_find(warp, ins, mask, GPU_READ, host);
    GpuCopies *copies = copy_state(warp);
    if (!copies) return gpu_go_on(warp, ins);
    Copy *read = &copies->read;
    read->undefined_lanes = 0;
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
    }
    if (good && warp->run->gpu->access_count) copy_tell_read(warp, ins, good, read);
    return gpu_go_on(warp, ins);
}

/** How many instructions the warp has executed when it comes to this one. */
static uint64_t copy_clock(const GpuWarp *warp, const GpuInstruction *ins) {
    return warp->steps + (ins->ordinal - warp->start->ordinal);
}

bool gpu_is_copy_start(const Gpu *gpu, uint32_t pc) {
    const PtxInstruction *instruction = gpu_place(gpu, pc).instruction;
    return instruction && instruction->opcode == PTX_OP_cp_async &&
           gpu_place(gpu, pc + 1).instruction == instruction;
}

/** From now on the copy may write. Observers tell the start from the write by its pc. */
static void copy_start(GpuWarp *warp, Copy *copy) {
    const GpuInstruction *ins = copy->ins;
    copy->low = UINT64_MAX;
    copy->high = 0;
    for (uint32_t left = copy->lanes; left; left &= left - 1) {
        const uint64_t address = copy->address[__builtin_ctz(left)];
        copy->low = MIN(copy->low, address);
        copy->high = MAX(copy->high, address + ins->bytes - 1);
    }
    if (!warp->run->gpu->access_count) return;
    GpuAccess *access = memory_begin_access(warp, ins, GPU_WRITE, copy->lanes, ins->bytes, PTX_SPACE_SHARED);
    access->pc = ins[-1].pc;
    access->address = copy->address;
    access->values = copy->values;
    access->allocation = NULL;
    access->memory = copy->host[__builtin_ctz(copy->lanes)];
    access->low = copy->low;
    access->high = copy->high - (ins->bytes - 1u);
    GPU_SEND(warp->run->gpu, copy_starts, access);
}

/** The second half: notes where the bytes go, and how many groups each lane had committed when it asked. */
const GpuInstruction *copy_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    uint8_t *host[GPU_WARP_LANES] = {NULL};
    uint32_t good = copy_find(warp, ins, mask, GPU_WRITE, host);
    Copy *copy = NULL;
    if (good) copy = copy_add(warp);
    if (!copy) return gpu_go_on(warp, ins);
    warp->run->launch.async_copies++;
    warp->copies->started = warp->block->copied = true;
    copy->ins = ins;
    copy->asked = copy_clock(warp, ins);
    copy->lanes = good;
    copy->undefined_lanes &= good;
    memcpy(copy->group, warp->copies->committed, sizeof copy->group);
    memcpy(copy->address, warp->address, sizeof copy->address);
    memcpy(copy->host, host, sizeof copy->host);
    copy_start(warp, copy);
    return gpu_go_on(warp, ins);
}

/* ---- waiting ---- */

/** Until it is waited for, a copy may read its source at any moment: who changes it takes a chance. */
static void copy_tell_changed(GpuWarp *warp, const Copy *copy, uint32_t lanes) {
    uint32_t changed = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const uint8_t *now = NULL;
        if (copy->given[lane]) now = copy->source_host[lane];
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
    copy->lanes &= ~lanes;
    if (warp->run->gpu->access_count) copy_tell_changed(warp, copy, lanes);
    if (warp->run->gpu->access_count) {
        GpuAccess *access = memory_begin_access(warp, ins, GPU_WRITE, lanes, ins->bytes, PTX_SPACE_SHARED);
        access->arrives = true;
        access->address = copy->address;
        access->values = copy->values;
        access->allocation = NULL;
        access->memory = copy->host[__builtin_ctz(lanes)];
        access->undefined_lanes = copy->undefined_lanes & lanes;
        access->origin = copy->origin;
        memcpy(access->undefined_bytes, copy->undefined_bytes, sizeof copy->undefined_bytes);
        memory_send_access(warp, access);
    }
    if (warp->run->gpu->config.copies_lost) return;
    const bool as_card = machine_stores_as_card(warp->run->gpu);
    while (lanes) {
        unsigned lane = gpu_next_to_store(&lanes, ins->bytes, as_card);
        memcpy(copy->host[lane], copy->values + lane * ins->bytes, ins->bytes);
    }
}

/** What a wait has brought. */
typedef struct Arrived {
    unsigned copies; /**< those of which no lane is under way any more */
    uint64_t newest; /**< when the last of them was asked for */
} Arrived;

/** Does the lanes' copies but for those of the newest `but` groups; with `all` those in no group, too. */
static Arrived copy_finish(GpuWarp *warp, uint32_t mask, uint64_t but, bool all) {
    GpuCopies *copies = warp->copies;
    Arrived arrived = {0};
    unsigned kept = 0;
    for (unsigned i = 0; i < copies->count; i++) {
        Copy *copy = &copies->items[i];
        uint32_t done = 0;
        if (all) done = copy->lanes & mask;
        for (uint32_t left = all ? 0 : copy->lanes & mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            if (copy->group[lane] + but < copies->committed[lane]) done |= 1u << lane;
        }
        if (done) copy_do(warp, copy, done);
        if (!copy->lanes) {
            warp->block->copies--;
            arrived.copies++;
            arrived.newest = copy->asked; /* they stand in the order they were asked for */
            continue;
        }
        if (kept != i) copies->items[kept] = *copy;
        kept++;
    }
    copies->count = kept;
    return arrived;
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

/* ---- who touches the place meanwhile ---- */

/** The lane of the copy that fills a byte of the access's lane; 32: none does. */
static unsigned copy_filling(const Copy *copy, uint64_t address, uint32_t bytes) {
    for (uint32_t left = copy->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (address < copy->address[lane] + copy->ins->bytes && copy->address[lane] < address + bytes)
            return lane;
    }
    return GPU_WARP_LANES;
}

/** The first lane of the access that meets the copy. What it reads of no value is told apart. */
static bool copy_meets(const GpuWarp *copier, const Copy *copy, const GpuAccess *access) {
    if (access->low > copy->high || access->high + access->bytes - 1 < copy->low) return false;
    for (uint32_t left = access->wanted; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const unsigned filled = copy_filling(copy, access->address[lane], access->bytes);
        if (filled == GPU_WARP_LANES) continue;
        const GpuMetCopy met = {.access = access,
                                .lane = lane,
                                .undefined = access->kind == GPU_READ && access->undefined_lanes >> lane & 1,
                                .copier = copier,
                                .copier_lane = filled,
                                .copy_pc = copy->ins->pc};
        GPU_SEND(copier->run->gpu, copy_met, &met);
        return true;
    }
    return false;
}

/** Copies that arrive meet nobody here: two copies to one place are two writes, which need an order. */
void copy_meet(const GpuWarp *warp, const GpuAccess *access) {
    const GpuBlock *block = warp->block;
    if (access->arrives) return;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        const GpuCopies *copies = block->warps[i].copies;
        for (unsigned at = 0; copies && at < copies->count; at++)
            if (copy_meets(&block->warps[i], &copies->items[at], access)) return;
    }
}

const GpuInstruction *copy_commit(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    GpuCopies *copies = copy_state(warp);
    if (!copies) return gpu_go_on(warp, ins);
    for (; mask; mask &= mask - 1)
        copies->committed[__builtin_ctz(mask)]++;
    return ins->next;
}

/** LIMIT: who waits at a barrier object (cp.async.mbarrier) waits somewhere else, so those copies are never
 * counted as waited for at once. */
const GpuInstruction *copy_wait(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const bool for_barrier = ins->source->opcode == PTX_OP_cp_async_mbarrier;
    const bool all = for_barrier || ins->source->modifiers.mode == PTX_MODE_WAIT_ALL;
    if (warp->copies) {
        const Arrived arrived = copy_finish(warp, mask, ins->u.bits, all);
        if (!for_barrier && copy_clock(warp, ins) - arrived.newest < AT_ONCE)
            warp->block->idle_copies += arrived.copies;
    }
    return gpu_go_on(warp, ins);
}

/** Copies that were waited for at once are idle unless warps that copy nothing have worked in the meantime:
 * between the same two barriers, whichever of them the machine has run first. */
void copy_interval(GpuBlock *block) {
    bool others = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        GpuWarp *warp = &block->warps[i];
        const bool copies = warp->copies && warp->copies->started;
        others |= !copies && warp->steps - warp->barrier_steps >= AT_ONCE;
        warp->barrier_steps = warp->steps;
    }
    if (!others) block->run->launch.idle_copies += block->idle_copies;
    block->idle_copies = 0;
}

void copy_exit(GpuWarp *warp, uint32_t lanes) {
    if (warp->copies && warp->copies->count) copy_finish(warp, lanes, 0, true);
}

void copy_reset(GpuWarp *warp) {
    if (!warp->copies) return;
    warp->block->copies -= warp->copies->count;
    warp->copies->count = 0;
    warp->copies->started = false;
    memset(warp->copies->committed, 0, sizeof warp->copies->committed);
}

void copy_destroy(GpuWarp *warp) {
    if (!warp->copies) return;
    free(warp->copies->items);
    free(warp->copies);
    warp->copies = NULL;
}
