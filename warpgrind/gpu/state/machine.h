/* machine.h - the machine as a whole: memory, observers, modules, what is resident. */
#pragma once

#include "base/poison.h"
#include "gpu/inspect.h"
#include "gpu/state/run.h"
#include "gpu/state/variant.h"

typedef struct GpuRepeats GpuRepeats;
typedef struct GpuLent GpuLent;

/** Device memory: the table of allocations, and the span of host memory behind all of them (memory/memory.c).
 */
typedef struct GpuMemory {
    uint8_t *base, *const_base;
    uint64_t span;        /**< bytes behind `base` */
    unsigned parts, part; /**< how many the addresses have, and the one that is in use; 0: one */
    struct {
        uint64_t top, const_top; /**< next address to give out */
        uint32_t numbered;
    } each[GPU_MAX_PARTS];
    GpuAllocation **sorted; /**< by address */
    unsigned count;
    size_t capacity;
    GpuAllocation **by_id; /**< [id - 1] */
    unsigned id_count;
    size_t id_capacity;
    unsigned last; /**< index of the last hit in sorted */
    uint64_t used;
    uint32_t epoch; /**< changes whenever an allocation comes or goes */
} GpuMemory;

/** A run of pcs. */
typedef struct GpuCode {
    uint32_t first_pc;
    const GpuFunction *function;
} GpuCode;

enum { GPU_MAX_OBSERVERS = 20 };

/** Texture and surface objects, by number. */
typedef struct GpuTextures {
    struct GpuTexture *items;
    unsigned count;
    size_t capacity;
} GpuTextures;

/** The machine. */
struct Gpu {
    GpuConfig config;
    GpuMemory memory;
    GpuObserver observers[GPU_MAX_OBSERVERS];
    unsigned observer_count;
    const GpuObserver *access_observers[GPU_MAX_OBSERVERS];
    unsigned access_count,
        shared_count; /**< how many there are, and how many of them want shared memory too */
    GpuKeeper keeper; /**< of definedness in memory; no function: nobody keeps it */
    const GpuObserver *branch_observers[GPU_MAX_OBSERVERS];
    unsigned branch_count;
    bool wants_branch, wants_fence, wants_warp_sync, wants_exited, wants_executed;
    GpuTextures textures;
    const GpuAllocation *workspace; /**< of cooperative launches; NULL: not yet needed */
    GpuRepeats *repeats;            /**< NULL: every launch is watched */
    uint64_t forgotten;             /**< how often earlier launches have had to be forgotten (repeat.h) */
    GpuModule *modules;
    uint32_t module_count;
    uint32_t launches;
    uint64_t divided;
    uint64_t patterns; /**< how many of GpuPattern have a number */
    GpuCode *codes;
    unsigned code_count;
    size_t code_capacity;
    uint32_t next_pc;
    Text output;         /**< what was printed, from output_start on */
    size_t output_start; /**< before it, what was overwritten */
    uint64_t dropped;
    uint64_t limits[GPU_LIMIT_COUNT];
    bool limit_is_fixed[GPU_LIMIT_COUNT];
    uint64_t heap_used;
    GpuBlock *slots[GPU_MAX_RESIDENT_BLOCKS];
    const GpuWarp *running; /**< NULL: between launches */
    GpuStepper *stepper;    /**< is told of each instruction (inspect.h); NULL: nobody */
    void *stepper_self;
    const GpuInstruction *stepped; /**< the one that it was told of last, while its group runs */
    int child_error;               /**< the last one of a launch from device code */
    uint64_t child_handles;        /**< streams and events made there */
    GpuLent *lent;                 /**< addresses of local memory in other memory; NULL: none yet */
    const GpuVariant *variant;     /**< what is compiled for this processor */
};

/** See gpu_next_to_store. */
static inline bool machine_stores_as_card(const Gpu *gpu) {
    return !(gpu->config.seed & 1);
}

/* For each observer that wants it: GPU_SEND(gpu, freed, allocation). */
#define GPU_SEND(gpu_, member, ...)                                                                          \
    do {                                                                                                     \
        for (unsigned o_ = 0; o_ < (gpu_)->observer_count; o_++)                                             \
            if ((gpu_)->observers[o_].member)                                                                \
                (gpu_)->observers[o_].member((gpu_)->observers[o_].self, __VA_ARGS__);                       \
    } while (0)
