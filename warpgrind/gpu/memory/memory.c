/* memory.c - device memory: one reserved span of host memory behind a span of device addresses.
 *
 * Addresses are handed out upwards and far apart, and a freed allocation keeps its addresses until the span
 * is used up: an access past an array's end, or through a stale pointer, meets nobody else's data. The span
 * may be cut into parts, one for each virtual device, so that an address does not depend on what other
 * devices allocate, and tells whose it is. Host address minus device address is the same everywhere, so a
 * lookup is only needed to know whether an access is allowed, never to translate.
 *
 * The table of allocations is sorted by address; records are never freed before the machine, because findings
 * name them.
 */
#include "base/growable.h"
#include "base/minmax.h"
#include "gpu/memory/memory.h"
#include "gpu/state/machine.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 256, MIN_GAP = 1 << 16, MAX_GAP = 1 << 26, POISON = POISON_DEVICE_BYTE };
#define CONST_SPAN ((uint64_t)1 << 24)
#define NEAR ((uint64_t)1 << 27)
#define PART_ALIGNMENT ((uint64_t)1 << 16)

static uint8_t *memory_reserve(uint64_t bytes) {
    void *base =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return NULL;
    return base;
}

/* ---- parts of the addresses ---- */

static bool memory_in_global(uint64_t address) {
    return address - GPU_GLOBAL_BASE < GPU_GLOBAL_SPAN;
}

static bool memory_in_const(uint64_t address) {
    return address - GPU_CONST_BASE < CONST_SPAN;
}

static uint64_t part_bytes(const GpuMemory *memory, uint64_t span) {
    return (span / memory->parts) & ~(PART_ALIGNMENT - 1);
}

/** One past the last address that the part in use may give out. */
static uint64_t part_end(const GpuMemory *memory, uint64_t base, uint64_t span) {
    return base + (memory->part + 1) * part_bytes(memory, span);
}

static uint64_t part_begin(const GpuMemory *memory, uint64_t base, uint64_t span) {
    return base + memory->part * part_bytes(memory, span) + MIN_GAP;
}

void gpu_memory_use_part(Gpu *gpu, unsigned part) {
    if (part >= gpu->memory.parts) BUG("part %u of %u", part, gpu->memory.parts);
    gpu->memory.part = part;
}

unsigned gpu_memory_part(const Gpu *gpu, uint64_t address) {
    const GpuMemory *memory = &gpu->memory;
    uint64_t part = 0;
    if (memory_in_global(address)) part = (address - GPU_GLOBAL_BASE) / part_bytes(memory, memory->span);
    if (memory_in_const(address)) part = (address - GPU_CONST_BASE) / part_bytes(memory, CONST_SPAN);
    if (part < memory->parts) return (unsigned)part;
    return memory->parts - 1;
}

/** All addresses that there are, or where the system limits those of a process, half of what it lets us have:
 * the rest of us needs some, too. */
static bool memory_reserve_span(GpuMemory *memory) {
    const uint64_t least = UINT64_C(1) << 27;
    memory->span = GPU_GLOBAL_SPAN;
    memory->base = memory_reserve(memory->span);
    while (!memory->base && memory->span > least) {
        memory->span /= 2;
        memory->base = memory_reserve(memory->span);
    }
    if (!memory->base || memory->span == GPU_GLOBAL_SPAN) return memory->base != NULL;
    memory->span /= 2;
    munmap(memory->base + memory->span, memory->span);
    return true;
}

/** Reserves the addresses; pages come when they are touched. The epoch begins at 1, as 0 marks regions
 * that are not known. */
bool gpu_memory_init(GpuMemory *memory, unsigned parts) {
    const bool reserved = memory_reserve_span(memory);
    memory->const_base = memory_reserve(CONST_SPAN);
    memory->parts = parts > 0 ? parts : 1;
    if (memory->parts > GPU_MAX_PARTS) BUG("%u parts", parts);
    for (memory->part = memory->parts; memory->part-- > 0;) {
        memory->each[memory->part].top = part_begin(memory, GPU_GLOBAL_BASE, memory->span);
        memory->each[memory->part].const_top = part_begin(memory, GPU_CONST_BASE, CONST_SPAN);
    }
    memory->part = 0;
    memory->epoch = 1;
    return reserved && memory->const_base;
}

void gpu_memory_destroy(GpuMemory *memory) {
    if (memory->base) munmap(memory->base, memory->span);
    if (memory->const_base) munmap(memory->const_base, CONST_SPAN);
    for (unsigned i = 0; i < memory->id_count; i++)
        free(memory->by_id[i]);
    free(memory->by_id);
    free(memory->sorted);
}

uint8_t *gpu_memory_bytes(const Gpu *gpu, uint64_t address) {
    if (memory_in_global(address)) return gpu->memory.base + (address - GPU_GLOBAL_BASE);
    if (memory_in_const(address)) return gpu->memory.const_base + (address - GPU_CONST_BASE);
    BUG("no memory behind device address %#llx", (unsigned long long)address);
}

/* ---- the table ---- */

/** Index of the first allocation that begins after `address`. */
static unsigned memory_upper(const GpuMemory *memory, uint64_t address) {
    unsigned low = 0, high = memory->count;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (memory->sorted[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool memory_grow(GpuAllocation ***table, unsigned count, size_t *capacity) {
    GpuAllocation **items = growable_grow(*table, capacity, (size_t)count + 1, sizeof *items);
    if (items) *table = items;
    return items != NULL;
}

/** A record in both tables, by address and by id. It is never moved or freed, as observers hold pointers
 * to it. */
static GpuAllocation *memory_record(GpuMemory *memory, uint64_t address, uint64_t bytes,
                                    GpuAllocationKind kind, uint64_t site) {
    if (!memory_grow(&memory->sorted, memory->count, &memory->capacity)) return NULL;
    if (!memory_grow(&memory->by_id, memory->id_count, &memory->id_capacity)) return NULL;
    GpuAllocation *allocation = calloc(1, sizeof *allocation);
    if (!allocation) return NULL;
    *allocation = (GpuAllocation){.address = address, .bytes = bytes, .kind = kind, .alloc_site = site};
    memory->by_id[memory->id_count++] = allocation;
    allocation->id = memory->id_count;
    allocation->number = ++memory->each[memory->part].numbered;
    unsigned at = memory_upper(memory, address);
    memmove(memory->sorted + at + 1, memory->sorted + at, (memory->count - at) * sizeof *memory->sorted);
    memory->sorted[at] = allocation;
    memory->count++;
    memory->epoch++;
    return allocation;
}

/* ---- addresses ---- */

static uint64_t align_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

static uint64_t memory_gap(uint64_t bytes, GpuAllocationKind kind) {
    if (kind == GPU_ALLOC_DEVICE_HEAP) return GPU_GUARD_BYTES;
    uint64_t gap = bytes * 4;
    if (gap < MIN_GAP) return MIN_GAP;
    return MIN(MAX_GAP, gap);
}

/** Takes the addresses of freed allocations back, once the span is used up: the first hole between live ones
 * that is large enough. Forgets the freed ones in it. 0: there is none. */
static uint64_t memory_reuse(GpuMemory *memory, uint64_t bytes, uint64_t alignment) {
    uint64_t hole = part_begin(memory, GPU_GLOBAL_BASE, memory->span);
    const uint64_t last = part_end(memory, GPU_GLOBAL_BASE, memory->span);
    for (unsigned i = 0; i <= memory->count; i++) {
        const GpuAllocation *next = NULL;
        if (i < memory->count) next = memory->sorted[i];
        if (next && (!memory_in_global(next->address) || next->address >= last)) next = NULL;
        if (next && ((next->freed && !next->kept) || next->address < hole)) continue;
        uint64_t end = last;
        if (next) end = next->address;
        uint64_t address = align_up(hole, alignment);
        if (address + bytes + GPU_GUARD_BYTES <= end) {
            unsigned kept = 0;
            for (unsigned k = 0; k < memory->count; k++) {
                const GpuAllocation *old = memory->sorted[k];
                bool overlaps =
                    old->address < address + bytes + GPU_GUARD_BYTES && address < old->address + old->bytes;
                if (!(old->freed && overlaps)) memory->sorted[kept++] = memory->sorted[k];
            }
            memory->count = kept;
            return address;
        }
        if (!next) return 0;
        hole = align_up(next->address + next->bytes + GPU_GUARD_BYTES, ALIGNMENT);
    }
    return 0;
}

/** Addresses are handed out upwards with a gap behind each; only when the part is used up are those of
 * freed allocations given out again, and constants' never. */
static uint64_t memory_take_address(GpuMemory *memory, uint64_t bytes, uint64_t alignment,
                                    GpuAllocationKind kind) {
    bool constant = kind == GPU_ALLOC_CONST_VARIABLE;
    uint64_t *top;
    if (constant)
        top = &memory->each[memory->part].const_top;
    else
        top = &memory->each[memory->part].top;
    uint64_t end;
    if (constant)
        end = part_end(memory, GPU_CONST_BASE, CONST_SPAN);
    else
        end = part_end(memory, GPU_GLOBAL_BASE, memory->span);
    uint64_t address = align_up(*top, alignment);
    uint64_t gap = MIN_GAP;
    if (!constant) gap = memory_gap(bytes, kind);
    if (address < end && bytes < end - address && gap < end - address - bytes) {
        *top = align_up(address + bytes + gap, ALIGNMENT);
        return address;
    }
    if (constant) return 0;
    return memory_reuse(memory, bytes, alignment);
}

GpuAllocation *gpu_memory_place(Gpu *gpu, uint64_t bytes, uint64_t alignment, GpuAllocationKind kind,
                                uint64_t site) {
    GpuMemory *memory = &gpu->memory;
    if (alignment < ALIGNMENT) alignment = ALIGNMENT;
    if (bytes > memory->span || (alignment & (alignment - 1))) return NULL;
    uint64_t address = memory_take_address(memory, bytes, alignment, kind);
    GpuAllocation *allocation = NULL;
    if (address) allocation = memory_record(memory, address, bytes, kind, site);
    if (allocation) memory->used += bytes;
    return allocation;
}

const GpuAllocation *gpu_memory_alloc(Gpu *gpu, uint64_t bytes, uint64_t alignment, GpuAllocationKind kind,
                                      uint64_t site) {
    if (bytes > gpu->config.memory_bytes || gpu->memory.used > gpu->config.memory_bytes - bytes) return NULL;
    GpuAllocation *allocation = gpu_memory_place(gpu, bytes, alignment, kind, site);
    if (!allocation) return NULL;
    if (kind == GPU_ALLOC_DEVICE_HEAP) gpu->heap_used += bytes;
    memset(gpu_memory_bytes(gpu, allocation->address), POISON, bytes);
    GPU_SEND(gpu, allocated, allocation);
    return allocation;
}

/** The record stays, for explanations; whole pages go back to the system. */
bool gpu_memory_free(Gpu *gpu, uint64_t address, uint64_t site) {
    const GpuAllocation *found = gpu_memory_find(gpu, address);
    if (!found || found->address != address) return false;
    GpuAllocation *allocation = gpu->memory.by_id[found->id - 1];
    allocation->freed = true;
    allocation->free_site = site;
    gpu->memory.used -= allocation->bytes;
    if (allocation->kind == GPU_ALLOC_DEVICE_HEAP) gpu->heap_used -= allocation->bytes;
    gpu->memory.epoch++;
    if (allocation->bytes >= 4096) {
        uint64_t first = align_up(address, 4096), end = (address + allocation->bytes) & ~UINT64_C(4095);
        if (end > first) madvise(gpu_memory_bytes(gpu, first), end - first, MADV_DONTNEED);
    }
    GPU_SEND(gpu, freed, allocation);
    return true;
}

/* ---- memory of graphs ---- */

const GpuAllocation *gpu_memory_keep(Gpu *gpu, uint64_t bytes, GpuAllocationKind kind, uint64_t site) {
    GpuAllocation *allocation = gpu_memory_place(gpu, bytes, ALIGNMENT, kind, site);
    if (!allocation) return NULL;
    allocation->freed = allocation->kept = true;
    gpu->memory.used -= bytes;
    return allocation;
}

/** The kept allocation that begins at the address; NULL: there is none. */
static GpuAllocation *memory_kept(const GpuMemory *memory, uint64_t address) {
    unsigned upper = memory_upper(memory, address);
    GpuAllocation *below = NULL;
    if (upper > 0) below = memory->sorted[upper - 1];
    if (below && below->address == address && below->kept) return below;
    return NULL;
}

/** What observers know of the allocation that was there before is about another one. */
bool gpu_memory_revive(Gpu *gpu, uint64_t address) {
    GpuMemory *memory = &gpu->memory;
    GpuAllocation *old = memory_kept(memory, address);
    if (!old || !old->freed) return false;
    uint64_t bytes = old->bytes;
    if (bytes > gpu->config.memory_bytes || memory->used > gpu->config.memory_bytes - bytes) return false;
    unsigned at = memory_upper(memory, address) - 1;
    GpuAllocation *made = memory_record(memory, address, bytes, old->kind, old->alloc_site);
    if (!made) return false;
    memory->count--;
    memmove(memory->sorted + at, memory->sorted + at + 1, (memory->count - at) * sizeof *memory->sorted);
    old->kept = old->shown = false;
    made->kept = true;
    memory->used += bytes;
    memset(gpu_memory_bytes(gpu, address), POISON, bytes);
    GPU_SEND(gpu, allocated, made);
    return true;
}

void gpu_memory_keep_no_longer(Gpu *gpu, uint64_t address) {
    GpuAllocation *allocation = memory_kept(&gpu->memory, address);
    if (allocation) allocation->kept = allocation->shown = false;
}

void gpu_memory_set_pooled(Gpu *gpu, uint64_t address) {
    const unsigned upper = memory_upper(&gpu->memory, address);
    if (upper > 0 && gpu->memory.sorted[upper - 1]->address == address)
        gpu->memory.sorted[upper - 1]->pooled = true;
}

void gpu_memory_show_kept(Gpu *gpu, bool shown) {
    for (unsigned i = 0; i < gpu->memory.count; i++)
        gpu->memory.sorted[i]->shown = shown && gpu->memory.sorted[i]->kept;
    gpu->memory.epoch++;
}

/* ---- questions ---- */

const GpuAllocation *gpu_memory_find(const Gpu *gpu, uint64_t address) {
    const GpuMemory *memory = &gpu->memory;
    unsigned upper = memory_upper(memory, address);
    if (upper == 0) return NULL;
    const GpuAllocation *below = memory->sorted[upper - 1];
    bool inside = address - below->address < below->bytes || (address == below->address && below->bytes == 0);
    if (inside && (!below->freed || below->shown)) return below;
    return NULL;
}

static uint64_t memory_distance(const GpuAllocation *allocation, uint64_t address) {
    if (address < allocation->address) return allocation->address - address;
    uint64_t into = address - allocation->address;
    if (into < allocation->bytes) return 0;
    return into - allocation->bytes + 1;
}

const GpuAllocation *gpu_memory_nearest(const Gpu *gpu, uint64_t address) {
    const GpuMemory *memory = &gpu->memory;
    unsigned upper = memory_upper(memory, address);
    const GpuAllocation *below = NULL;
    if (upper > 0) below = memory->sorted[upper - 1];
    const GpuAllocation *above = NULL;
    if (upper < memory->count) above = memory->sorted[upper];
    if (!below || !above) return below ? below : above;
    if (memory_distance(below, address) <= memory_distance(above, address)) return below;
    return above;
}

bool gpu_memory_is_near(const Gpu *gpu, uint64_t address) {
    if (!memory_in_global(address) && !memory_in_const(address)) return false;
    const GpuAllocation *nearest = gpu_memory_nearest(gpu, address);
    return nearest && memory_distance(nearest, address) < NEAR;
}

const GpuAllocation *gpu_memory_next(const Gpu *gpu, const GpuAllocation *allocation) {
    unsigned next = 0;
    if (allocation) next = allocation->id;
    if (next < gpu->memory.id_count) return gpu->memory.by_id[next];
    return NULL;
}

uint32_t gpu_memory_newest(const Gpu *gpu) {
    return gpu->memory.id_count;
}

uint64_t gpu_memory_room(const Gpu *gpu, uint64_t address) {
    const GpuAllocation *allocation = gpu_memory_find(gpu, address);
    if (allocation) return allocation->bytes - (address - allocation->address);
    return 0;
}

uint64_t gpu_memory_used(const Gpu *gpu) {
    return gpu->memory.used;
}

void *gpu_memory_host(Gpu *gpu, uint64_t address, uint64_t bytes) {
    const GpuAllocation *allocation = gpu_memory_find(gpu, address);
    if (!allocation || bytes > allocation->bytes - (address - allocation->address)) return NULL;
    return gpu_memory_bytes(gpu, address);
}

/* ---- copies ---- */

bool gpu_memory_write(Gpu *gpu, uint64_t address, const void *bytes, uint64_t count, uint64_t site) {
    void *to = gpu_memory_host(gpu, address, count);
    if (!to) return false;
    GPU_SEND(gpu, host_write, gpu_memory_find(gpu, address), address, count, site);
    if (count) memcpy(to, bytes, count);
    return true;
}

bool gpu_memory_read(Gpu *gpu, uint64_t address, void *bytes, uint64_t count, uint64_t site) {
    const void *from = gpu_memory_host(gpu, address, count);
    if (!from) return false;
    GPU_SEND(gpu, host_read, gpu_memory_find(gpu, address), address, count, site);
    if (count) memcpy(bytes, from, count);
    return true;
}

bool gpu_memory_copy(Gpu *gpu, uint64_t to, uint64_t from, uint64_t count, uint64_t site) {
    void *target = gpu_memory_host(gpu, to, count);
    const void *origin = gpu_memory_host(gpu, from, count);
    if (!target || !origin) return false;
    GPU_SEND(gpu, device_copy, to, from, count, site);
    memmove(target, origin, count);
    return true;
}

bool gpu_memory_set(Gpu *gpu, uint64_t address, int value, uint64_t count, uint64_t site) {
    void *to = gpu_memory_host(gpu, address, count);
    if (!to) return false;
    GPU_SEND(gpu, host_write, gpu_memory_find(gpu, address), address, count, site);
    memset(to, value, count);
    return true;
}
