/* module.h - modules and kernels, and what a module has by name, address or number. */
#pragma once

#include "gpu/state/code.h"

/** A piece of the parameter block that has its own row. */
typedef struct GpuUniform {
    uint32_t offset, bytes;
    bool sign;
    uint8_t width;
    uint32_t row; /**< offset in the block's rows */
} GpuUniform;

/** What some blocks of a kernel did. */
typedef struct GpuSampled {
    uint64_t steps;            /**< warp instructions; none: nothing is known */
    uint64_t accesses, global; /**< how many of them went to memory, and to global memory */
    uint64_t segments;         /**< of 128 bytes of global memory, that were changed */
} GpuSampled;

/** A kernel of a module: its functions once they are decoded, the layout of its shared memory, and what
 * earlier launches have taught about it. */
struct GpuKernel {
    GpuModule *module;
    const PtxFunction *ptx;
    GpuFunction **functions; /**< [ptx->function_count], by index in the module; NULL where not needed */
    GpuFunction *entry;
    bool decoded;
    GpuSharedRegion *regions; /**< static ones by offset */
    unsigned region_count;
    uint32_t static_bytes;   /**< as hardware counts */
    uint32_t dynamic_offset; /**< where the dynamic part begins */
    const PtxVariable *dynamic_variable;
    GpuUniform *uniforms;
    uint32_t uniform_count;
    size_t uniform_capacity;
    uint32_t uniform_bytes;        /**< of a block's uniform rows, special registers included */
    bool calls;                    /**< something is called */
    bool launches;                 /**< it may launch kernels */
    bool prints;                   /**< it may print */
    bool meets_grid;               /**< it asks for the grid's workspace */
    bool deciding_known;           /**< deciding.c has looked at its functions */
    bool undividable;              /**< dividing a launch among processes has failed once */
    bool steady, steadiness_known; /**< what it touches does not depend on data (steady.c) */
    bool met_undefined;            /**< in the last launch a register or a store had an undefined value */
    uint64_t steps_of_block;       /**< of its last launch, on average; 0: none */
    GpuSampled sampled;            /**< the first blocks of its first launch (range_sample.c) */
    GpuTrail *trail;               /**< what its values are made of (trail.c); NULL: nobody has asked */
};

/** A module variable and where it is. */
typedef struct GpuPlaced {
    const PtxVariable *variable;
    const GpuAllocation *allocation;
} GpuPlaced;

/** A PtxModule whose variables have been placed. It stays until the machine goes: findings name its places.
 */
struct GpuModule {
    Gpu *gpu;
    const PtxModule *ptx;
    GpuPlaced *placed;
    unsigned placed_count;
    GpuKernel *kernels;
    unsigned kernel_count;
    GpuModule *next;
    uint32_t index;
    bool unloaded;
};

/** The allocation of a module's variable; NULL when it has none. */
const GpuAllocation *module_variable_allocation(const GpuModule *module, const PtxVariable *variable);
/** As the kernel's code sees it: of shared variables the offset. */
uint64_t module_variable_address(const GpuKernel *kernel, const PtxVariable *variable);
uint64_t module_function_address(const GpuModule *module, const PtxFunction *function);
/** The kernel behind a function address; NULL when it is none. */
GpuKernel *module_kernel_at(GpuModule *module, uint64_t address);
/** The decoded function behind a function address; NULL when it is none. */
GpuFunction *module_function_at(const GpuKernel *kernel, uint64_t address);
/** In module->ptx->functions; -1 when it is not there. */
int module_function_index(const PtxModule *ptx, const PtxFunction *function);
/** The function with that name that has a body; NULL when there is none. */
const PtxFunction *module_definition(const PtxModule *ptx, const PtxFunction *function);
