/* exec_lent.c - addresses of local memory that one thread stores and another one follows.
 *
 * Local memory is each thread's own, and all threads have theirs at the same addresses: through a pointer to
 * another thread's variable a thread reaches its own memory. A card does not notice. So it is kept which
 * thread stored such an address where (places), and which register of which thread got it from there
 * (takers); an access whose address was made from such a register (ptx/provenance.h) is the mistake.
 *
 * LIMIT: the tables have one entry a slot, and what was pushed out of them counts as the thread's own, as
 * does a pointer that came through a call's argument, a shuffle or a copy.
 */
#include "gpu/memory/exec_memory.h"
#include "ptx/provenance.h"

#include <stdlib.h>

enum { SLOTS = 4096, SOURCES = 1024, MOST_REGISTERS = 2 };

/** An address of local memory that stands in other memory. */
typedef struct LentPlace {
    uint64_t place, value; /* value 0: none */
    bool shared;
    GpuLender lender;
} LentPlace;

/** A register of a thread, and whose address it has got. */
typedef struct LentTaker {
    const GpuFunction *function; /* NULL: none */
    int32_t reg;
    uint64_t block;
    uint32_t thread, launch;
    GpuLender lender;
} LentTaker;

/** The registers that got from memory what an instruction's address is made of, when there is nothing else in
 * it. */
typedef struct LentSource {
    const GpuInstruction *ins;
    int32_t reg[MOST_REGISTERS];
    unsigned count;
} LentSource;

struct GpuLent {
    LentPlace places[SLOTS];
    LentTaker takers[SLOTS];
    LentSource sources[SOURCES];
};

static unsigned slot_of(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)((((a * odd) ^ b) * odd ^ c) * odd >> 32) % SLOTS;
}

static bool is_local(uint64_t value) {
    return value - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN;
}

static GpuLender self_of(const GpuWarp *warp, unsigned lane, uint32_t pc) {
    return (GpuLender){.block = warp->block->linear,
                       .thread = GPU_WARP_LANES * warp->index + lane,
                       .launch = warp->run->launch.id,
                       .pc = pc};
}

static bool is_same_thread(const GpuLender *a, const GpuLender *b) {
    return a->block == b->block && a->thread == b->thread && a->launch == b->launch;
}

/* ---- places ---- */

static LentPlace *place_slot(GpuLent *lent, const GpuWarp *warp, const GpuRegionCache *region,
                             uint64_t place) {
    const bool shared = region->space == PTX_SPACE_SHARED;
    return &lent->places[slot_of(place, shared ? warp->block->linear + 1 : 0, shared)];
}

/** Observers hear of global memory, which later launches see: what the worker of a divided launch finds out
 * is lost with it. */
static bool begin(GpuWarp *warp, const GpuRegionCache *region) {
    Gpu *gpu = warp->run->gpu;
    if (!gpu->lent) gpu->lent = calloc(1, sizeof *gpu->lent);
    if (region->space != PTX_SPACE_SHARED) GPU_SEND(gpu, lent, warp);
    return gpu->lent != NULL;
}

static void store_lane(GpuWarp *warp, const GpuInstruction *ins, unsigned lane,
                       const GpuRegionCache *region) {
    for (unsigned k = 0; k < ins->count; k++) {
        uint64_t value, at = 8 * (uint64_t)k;
        memcpy(&value, warp->stored + lane * 8 * (size_t)ins->count + at, sizeof value);
        if (!is_local(value) || !begin(warp, region)) continue;
        const uint64_t place = warp->address[lane] - region->bias + at;
        *place_slot(warp->run->gpu->lent, warp, region, place) =
            (LentPlace){.place = place,
                        .value = value,
                        .shared = region->space == PTX_SPACE_SHARED,
                        .lender = self_of(warp, lane, ins->pc)};
    }
}

void lent_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuRegionCache *region) {
    uint64_t value[GPU_WARP_LANES], any = 0;
    for (unsigned k = 0; k < ins->count; k++) {
        memcpy(value, warp->stored + k * sizeof value, sizeof value);
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            any |= value[i] - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN;
    }
    for (; any && mask; mask &= mask - 1)
        store_lane(warp, ins, (unsigned)__builtin_ctz(mask), region);
}

/* ---- registers ---- */

static LentTaker *taker_slot(GpuLent *lent, const GpuLender *self, int32_t reg) {
    return &lent->takers[slot_of(self->block, self->thread, (uint64_t)reg)];
}

/** The register that a load's element goes to, or -1. */
static int32_t register_of(const GpuInstruction *ins, unsigned k) {
    const PtxOperand *to = &ins->source->operands[0];
    if (to->kind == PTX_OPERAND_VECTOR) to = &ins->function->ptx->parts[to->first_part + k];
    if (to->kind == PTX_OPERAND_REGISTER) return to->index;
    return -1;
}

static void take(GpuWarp *warp, const GpuInstruction *ins, unsigned lane, const GpuRegionCache *region,
                 unsigned k, uint64_t value) {
    GpuLent *lent = warp->run->gpu->lent;
    const GpuLender self = self_of(warp, lane, ins->pc);
    const int32_t reg = register_of(ins, k);
    const uint64_t place = warp->address[lane] - region->bias + 8 * (uint64_t)k;
    const LentPlace *known = place_slot(lent, warp, region, place);
    const bool shared = region->space == PTX_SPACE_SHARED;
    bool other = known->value == value && known->place == place && known->shared == shared &&
                 !is_same_thread(&known->lender, &self);
    if (shared && (known->lender.block != self.block || known->lender.launch != self.launch)) other = false;
    LentTaker *taker = taker_slot(lent, &self, reg);
    *taker = (LentTaker){0};
    if (other && reg >= 0)
        *taker = (LentTaker){.function = ins->function,
                             .reg = reg,
                             .block = self.block,
                             .thread = self.thread,
                             .launch = self.launch,
                             .lender = known->lender};
}

void lent_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, const GpuRegionCache *region) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++) {
        if (parts[k].sink || parts[k].width != 8) continue;
        for (uint32_t left = mask; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(left);
            const uint64_t value = gpu_lane_value(warp, parts[k].row, 8, lane);
            if (is_local(value)) take(warp, ins, lane, region, k, value);
        }
    }
}

/* ---- uses ---- */

static const LentSource *source_of(GpuLent *lent, const GpuInstruction *ins) {
    LentSource *source = &lent->sources[ins->pc % SOURCES];
    if (source->ins == ins) return source;
    const Provenance found = ptx_provenance(ins->function->ptx, ins->source);
    *source = (LentSource){.ins = ins};
    if (!found.open && found.count == 0 && found.read_count <= MOST_REGISTERS)
        for (; source->count < found.read_count; source->count++)
            source->reg[source->count] = found.read[source->count];
    return source;
}

static const LentTaker *taker_of(GpuLent *lent, const GpuInstruction *ins, const LentSource *source,
                                 const GpuLender *self) {
    for (unsigned i = 0; i < source->count; i++) {
        const LentTaker *taker = taker_slot(lent, self, source->reg[i]);
        if (taker->function == ins->function && taker->reg == source->reg[i] && taker->block == self->block &&
            taker->thread == self->thread && taker->launch == self->launch)
            return taker;
    }
    return NULL;
}

uint32_t lent_use(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuAccessKind kind, uint64_t step,
                  uint64_t bottom) {
    GpuLent *lent = warp->run->gpu->lent;
    if (ins->memory.space != PTX_SPACE_GENERIC || ins->memory.array) return 0;
    const LentSource *source = source_of(lent, ins);
    uint64_t offsets[GPU_WARP_LANES];
    GpuFault fault = {.warp = warp,
                      .pc = ins->pc,
                      .kind = GPU_FAULT_LENT,
                      .space = PTX_SPACE_LOCAL,
                      .access = kind,
                      .bytes = (uint8_t)step,
                      .address = offsets};
    for (; source->count && mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        const GpuLender self = self_of(warp, lane, ins->pc);
        const LentTaker *taker = taker_of(lent, ins, source, &self);
        if (!taker) continue;
        if (fault.lanes == 0) fault.lender = taker->lender;
        fault.lanes |= UINT32_C(1) << lane;
    }
    if (fault.lanes == 0) return 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        offsets[i] = warp->address[i] - bottom;
    GPU_SEND(warp->run->gpu, fault, &fault);
    return fault.lanes;
}
