/* footprint.c - what a range of blocks touches: a bit for each word of global memory that it read, wrote or
 * updated atomically without seeing what was there.
 *
 * An atomic whose old value nobody sees commutes with those of other ranges: whole numbers are put together
 * from what each range made of the value, and additions of floats, whose order shows, are written down one by
 * one. Whatever else could tell a range from a part of one process ends the worker.
 *
 * Memory that the program maps as well (managed, pinned) is no worker's own after the fork: what it wrote
 * there would stay when the ranges are thrown away. Before a worker's first access to such an allocation its
 * pages are therefore replaced by a copy.
 */
#include "base/minmax.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/divide/range.h"
#include "gpu/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FAN = 4096, RECENT = 16, ATOMIC_SLOTS = 64 };

typedef enum AtomicKind { ATOMIC_SEEN, ATOMIC_WHOLE, ATOMIC_ADDITION } AtomicKind;

typedef struct AtomicCode {
    uint32_t pc;
    AtomicKind kind;
} AtomicCode;

typedef struct Footprint {
    GpuRun *run;
    GpuRange *range;
    const GpuAllocation **shared; /**< with the program, and not yet copied */
    unsigned shared_count;
    GpuRangePage **folders[FAN];
    GpuRangePage *recent[RECENT]; /**< by page number */
    AtomicCode atomics[ATOMIC_SLOTS];
} Footprint;

/* ---- what a kernel may hold ---- */

static bool reads_clock(const PtxInstruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const PtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_SPECIAL && operand->index >= PTX_CLOCK &&
            operand->index <= PTX_GLOBALTIMER_HI)
            return true;
    }
    return false;
}

bool footprint_suits(const GpuKernel *kernel) {
    const PtxModule *module = kernel->module->ptx;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const GpuFunction *function = kernel->functions[f];
        if (!function) continue;
        for (uint32_t i = 0; i < function->ptx->instruction_count; i++)
            if (reads_clock(&function->ptx->instructions[i])) return false;
    }
    return true;
}

static const GpuFunction *function_of(const GpuKernel *kernel, const PtxFunction *function) {
    for (uint32_t f = 0; f < kernel->module->ptx->function_count; f++)
        if (kernel->functions[f] && kernel->functions[f]->ptx == function) return kernel->functions[f];
    return NULL;
}

static bool old_value_is_seen(const GpuKernel *kernel, const GpuPlace *place, const GpuAccess *access) {
    if (access->reduction) return false;
    const PtxOperand *destination = &place->instruction->operands[0];
    const GpuFunction *function = function_of(kernel, place->function);
    return !function || destination->kind != PTX_OPERAND_REGISTER ||
           liveness_register_is_read(function, destination->index);
}

/** Whether an atomic's updates by several ranges can be put together: operations on whole numbers in any
 * order, additions of floats in the order of blocks, if nobody sees the old value. All others count as a
 * read and a write. */
static AtomicKind atomic_kind(const GpuRun *run, const GpuAccess *access) {
    GpuPlace place = gpu_place(run->gpu, access->pc);
    if (!place.instruction || old_value_is_seen(run->kernel, &place, access)) return ATOMIC_SEEN;
    if (access->bytes != 4 && access->bytes != 8) return ATOMIC_SEEN;
    PtxType type = place.instruction->type;
    bool whole = type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64 ||
                 type == PTX_B32 || type == PTX_B64;
    switch (place.instruction->modifiers.atomic) {
    case PTX_ATOM_ADD:
        if (type == PTX_F32 || type == PTX_F64) return ATOMIC_ADDITION;
        if (whole) return ATOMIC_WHOLE;
        return ATOMIC_SEEN;
    case PTX_ATOM_AND:
    case PTX_ATOM_OR:
    case PTX_ATOM_XOR:
    case PTX_ATOM_MIN:
    case PTX_ATOM_MAX:
        if (whole) return ATOMIC_WHOLE;
        return ATOMIC_SEEN;
    case PTX_ATOM_CAS:
    case PTX_ATOM_EXCH:
    case PTX_ATOM_INC:
    case PTX_ATOM_DEC:
    case PTX_ATOM_NONE:
        return ATOMIC_SEEN;
    }
    BUG("atomic operation %d", (int)place.instruction->modifiers.atomic);
}

static AtomicKind known_kind(Footprint *footprint, const GpuAccess *access) {
    AtomicCode *code = &footprint->atomics[access->pc % ATOMIC_SLOTS];
    if (code->pc != access->pc) *code = (AtomicCode){access->pc, atomic_kind(footprint->run, access)};
    return code->kind;
}

/* ---- pages ---- */

/** The page with that number, found in a table of two levels; NULL when the range has touched too much,
 * or without memory. */
static GpuRangePage *make_page(Footprint *footprint, uint64_t number) {
    GpuRange *range = footprint->range;
    GpuRangePage ***folder = &footprint->folders[number / FAN % FAN];
    if (!*folder) *folder = calloc(FAN, sizeof **folder);
    if (!*folder) return NULL;
    GpuRangePage **page = &(*folder)[number % FAN];
    if (!*page && range->page_count < RANGE_MAX_PAGES) {
        *page = &range->pages[range->page_count++];
        (*page)->offset = number * RANGE_PAGE_BYTES;
    }
    return *page;
}

/** NULL, and the worker ends, when there is no room. */
static GpuRangePage *page_of(Footprint *footprint, uint64_t offset) {
    uint64_t number = offset / RANGE_PAGE_BYTES;
    GpuRangePage **recent = &footprint->recent[number % RECENT];
    bool same = *recent && (*recent)->offset == number * RANGE_PAGE_BYTES;
    if (!same) *recent = make_page(footprint, number);
    if (!*recent) range_refuse(footprint->run);
    return *recent;
}

static void set_words(uint32_t *mask, unsigned first, unsigned last) {
    for (unsigned at = first / 32; at <= last / 32; at++) {
        unsigned from = 0;
        if (at == first / 32) from = first % 32;
        unsigned to = 31;
        if (at == last / 32) to = last % 32;
        mask[at] |= (UINT32_MAX >> (31 - to)) & (UINT32_MAX << from);
    }
}

static uint32_t *mask_of(GpuRangePage *page, GpuAccessKind kind) {
    if (kind == GPU_READ) return page->read;
    if (kind == GPU_WRITE) return page->written;
    return page->atomic;
}

static void mark(Footprint *footprint, uint64_t offset, uint64_t bytes, GpuAccessKind kind) {
    while (bytes > 0) {
        uint64_t room = RANGE_PAGE_BYTES - offset % RANGE_PAGE_BYTES, here = MIN(bytes, room);
        GpuRangePage *page = page_of(footprint, offset);
        if (!page) return;
        unsigned first = (unsigned)(offset % RANGE_PAGE_BYTES);
        set_words(mask_of(page, kind), first / 4, (unsigned)(first + here - 1) / 4);
        offset += here;
        bytes -= here;
    }
}

/** Marks the words of an access: as one run where the lanes lie side by side, which is nearly always,
 * else lane by lane. */
static void mark_access(Footprint *footprint, const GpuAccess *access, GpuAccessKind kind) {
    unsigned first = (unsigned)__builtin_ctz(access->lanes);
    uint64_t offset = access->address[first] - GPU_GLOBAL_BASE;
    if (access->uniform) {
        mark(footprint, offset, access->bytes, kind);
    } else if (access->contiguous) {
        unsigned lanes = (unsigned)__builtin_popcount(access->lanes);
        mark(footprint, offset, (uint64_t)lanes * access->bytes, kind);
    } else {
        for (uint32_t left = access->lanes; left; left &= left - 1)
            mark(footprint, access->address[__builtin_ctz(left)] - GPU_GLOBAL_BASE, access->bytes, kind);
    }
}

/* ---- atomics ---- */

static uint32_t *pcs_of(Footprint *footprint, GpuRangePage *page) {
    GpuRange *range = footprint->range;
    if (!page->pc_table) {
        if (range->pc_table_count == RANGE_MAX_PC_TABLES) {
            range_refuse(footprint->run);
            return NULL;
        }
        page->pc_table = ++range->pc_table_count;
    }
    return range->pc_tables[page->pc_table - 1];
}

/** Marks the words of one lane's update, and which instruction updates them: two different ones cannot be
 * put together. */
static void mark_update(Footprint *footprint, const GpuAccess *access, unsigned lane) {
    uint64_t offset = access->address[lane] - GPU_GLOBAL_BASE;
    mark(footprint, offset, access->bytes, GPU_ATOMIC);
    GpuRangePage *page = page_of(footprint, offset);
    uint32_t *pcs = NULL;
    if (page) pcs = pcs_of(footprint, page);
    if (!pcs) return;
    unsigned word = (unsigned)(offset % RANGE_PAGE_BYTES) / 4;
    for (unsigned i = 0; i < access->bytes / 4U; i++) {
        uint32_t *pc = &pcs[word + i];
        if (*pc == 0 || *pc == access->pc)
            *pc = access->pc;
        else
            *pc = RANGE_PC_MIXED;
    }
}

static void note_addition(Footprint *footprint, const GpuAccess *access, unsigned lane) {
    GpuRange *range = footprint->range;
    if (range->addition_count == RANGE_MAX_ADDITIONS) {
        range_refuse(footprint->run);
        return;
    }
    RangeAddition *addition = &range->additions[range->addition_count++];
    *addition = (RangeAddition){.address = access->address[lane], .pc = access->pc};
    memcpy(&addition->operand, access->values + lane * access->bytes, access->bytes);
}

/** An atomic access of a worker: updates that can be put together later are noted, others make their
 * words read and written. */
static void on_atomic(Footprint *footprint, const GpuAccess *access) {
    AtomicKind kind = known_kind(footprint, access);
    if (kind == ATOMIC_SEEN) {
        mark_access(footprint, access, GPU_READ);
        mark_access(footprint, access, GPU_WRITE);
        return;
    }
    for (uint32_t left = access->lanes; left && !footprint->run->ended; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        mark_update(footprint, access, lane);
        if (kind == ATOMIC_ADDITION) note_addition(footprint, access, lane);
    }
}

/* ---- memory that the program maps as well ---- */

static bool is_shared(const GpuAllocation *allocation) {
    bool managed = allocation->variable && allocation->variable->managed;
    return managed || allocation->kind == GPU_ALLOC_MANAGED || allocation->kind == GPU_ALLOC_MAPPED;
}

static bool list_shared(Footprint *footprint) {
    const GpuMemory *memory = &footprint->run->gpu->memory;
    footprint->shared = calloc(memory->count + 1, sizeof *footprint->shared);
    if (!footprint->shared) return false;
    for (unsigned i = 0; i < memory->count; i++)
        if (is_shared(memory->sorted[i]) && !memory->sorted[i]->freed)
            footprint->shared[footprint->shared_count++] = memory->sorted[i];
    return true;
}

/** Such an allocation has whole pages. */
static bool copy_pages(const Gpu *gpu, const GpuAllocation *allocation) {
    uint8_t *at = gpu_memory_bytes(gpu, allocation->address);
    uint64_t bytes = (allocation->bytes + RANGE_PAGE_BYTES - 1) & ~(uint64_t)(RANGE_PAGE_BYTES - 1);
    void *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (own == MAP_FAILED) return false;
    memcpy(own, at, allocation->bytes);
    return mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at;
}

/** Copies what the access is about to touch of it. */
static void own_shared(Footprint *footprint, const GpuAccess *access) {
    for (unsigned i = 0; i < footprint->shared_count;) {
        const GpuAllocation *shared = footprint->shared[i];
        bool met =
            access->low < shared->address + shared->bytes && shared->address < access->high + access->bytes;
        if (met && !copy_pages(footprint->run->gpu, shared)) range_refuse(footprint->run);
        if (met)
            footprint->shared[i] = footprint->shared[--footprint->shared_count];
        else
            i++;
    }
}

/** The host may take part in an atomic for the whole system while the launch runs. */
static bool meets_host(const GpuAccess *access) {
    if (access->kind != GPU_ATOMIC || access->scope != PTX_SCOPE_SYS) return false;
    return !access->allocation || is_shared(access->allocation);
}

/* ---- events ---- */

static void on_access(void *self, const GpuAccess *access) {
    Footprint *footprint = self;
    bool waits = access->kind == GPU_READ && access->semantics != PTX_SEM_WEAK;
    bool global = access->space == PTX_SPACE_GLOBAL;
    if (global && footprint->shared_count) own_shared(footprint, access);
    if (access->undefined_lanes || access->texture || (global && (waits || meets_host(access))))
        range_refuse(footprint->run);
    else if (global && access->kind == GPU_ATOMIC)
        on_atomic(footprint, access);
    else if (global)
        mark_access(footprint, access, access->kind);
}

static void on_allocation(void *self, const GpuAllocation *allocation) {
    (void)allocation;
    range_refuse(((Footprint *)self)->run);
}

static void on_fault(void *self, const GpuFault *fault) {
    (void)fault;
    range_refuse(((Footprint *)self)->run);
}

static void on_lent(void *self, const GpuWarp *warp) {
    (void)warp;
    range_refuse(((Footprint *)self)->run);
}

static void on_texture_fault(void *self, const struct GpuTextureFault *fault) {
    (void)fault;
    range_refuse(((Footprint *)self)->run);
}

static void on_undefined_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                             GpuUndefinedUse use, uint32_t origin) {
    (void)warp, (void)lanes, (void)pc, (void)use, (void)origin;
    range_refuse(((Footprint *)self)->run);
}

static void on_copy_changed(void *self, const GpuChangedCopy *copy) {
    (void)copy;
    range_refuse(((Footprint *)self)->run);
}

static void on_copy_met(void *self, const GpuMetCopy *met) {
    (void)met;
    range_refuse(((Footprint *)self)->run);
}

static void on_sync_mistake(void *self, const GpuSyncEvent *event) {
    (void)event;
    range_refuse(((Footprint *)self)->run);
}

/** The footprint is taken by an observer, the last one to be called. Events that are findings end the
 * range: only the single process may tell them. */
bool footprint_begin(GpuRun *run) {
    Footprint *footprint = calloc(1, sizeof *footprint);
    if (!footprint || run->gpu->observer_count == GPU_MAX_OBSERVERS) return false;
    footprint->run = run;
    footprint->range = run->range;
    if (!list_shared(footprint)) return false;
    GpuObserver observer = {.self = footprint,
                            .access = on_access,
                            .access_global = true,
                            .allocated = on_allocation,
                            .freed = on_allocation,
                            .fault = on_fault,
                            .lent = on_lent,
                            .texture_fault = on_texture_fault,
                            .undefined_use = on_undefined_use,
                            .copy_changed = on_copy_changed,
                            .copy_met = on_copy_met,
                            .sync_mistake = on_sync_mistake};
    gpu_attach(run->gpu, &observer);
    return true;
}

/* ---- the end ---- */

static bool page_is_changed(const GpuRangePage *page) {
    uint32_t any = 0;
    for (unsigned i = 0; i < RANGE_PAGE_WORDS / 32; i++)
        any |= page->written[i] | page->atomic[i];
    return any != 0;
}

void footprint_put_pages(GpuRun *run) {
    GpuRange *range = run->range;
    for (unsigned i = 0; i < range->page_count; i++) {
        GpuRangePage *page = &range->pages[i];
        page->changed = page_is_changed(page);
        if (!page->changed) continue;
        page->bytes_at = range->stream_bytes;
        gpu_range_put(range, gpu_memory_bytes(run->gpu, GPU_GLOBAL_BASE + page->offset), RANGE_PAGE_BYTES);
    }
    range->taken = range->stream_bytes; /* where the observers' part begins */
}
