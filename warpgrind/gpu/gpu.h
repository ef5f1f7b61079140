/* gpu.h - the machine: memory, launches, and the events it sends while it executes PTX.
 *
 * The machine executes one launch at a time. A warp is 32 lanes in one or more lane groups with their own
 * program counters; groups of one warp and warps of one block all make progress (as on Volta and later).
 * Blocks are resident a few at a time. The order of blocks, warps and groups comes from GpuConfig.seed alone:
 * every run can be repeated exactly.
 *
 * The machine is safe by itself (no program can make it read or write outside its own memory) and knows
 * nothing of what is a mistake beyond that: it sends events, before they take effect, to observers (check/).
 * An observer that is not attached costs nothing.
 *
 * Definedness is the one thing the machine carries for observers: which lanes of a register (and bytes of
 * local memory) hold values that come from nowhere. It asks the keeper of memory (GpuKeeper) which bytes read
 * were undefined, moves that along with the values, and hands it to the keeper at stores and atomics and to
 * `undefined_use` where it decides something.
 *
 * Addresses: global memory is one range of device addresses that no program maps (GPU_GLOBAL_BASE), so a
 * device pointer used on the host faults. Shared and local memory have windows in generic addressing.
 * Allocations have guard zones round them, are poisoned, and their addresses are not soon given out again.
 */
#pragma once

#include "ptx/ptx.h"

enum {
    GPU_WARP_LANES = 32,
    GPU_MAX_BLOCK_THREADS = 1024,
    GPU_USUAL_RESIDENT_BLOCKS = 64,
    GPU_MAX_RESIDENT_BLOCKS = 132 * 32 /* all blocks of a cooperative launch: 132 processors with 32 each */
};

#define GPU_GLOBAL_BASE UINT64_C(0x200000000000) /**< device memory */
#ifndef GPU_GLOBAL_SPAN /* tests under an emulator, which counts each page, take fewer */
#define GPU_GLOBAL_SPAN UINT64_C(0x001000000000) /**< 64 GiB of addresses */
#endif
#define GPU_CONST_BASE                                                                                       \
    UINT64_C(0x300000000000) /**< generic address of .const variables: no store may go there */
#define GPU_SHARED_WINDOW UINT64_C(0x310000000000) /**< generic address of shared offset 0 */
#define GPU_LOCAL_WINDOW UINT64_C(0x320000000000)  /**< generic address of local offset 0 */
#define GPU_PARAM_WINDOW UINT64_C(0x330000000000)  /**< generic address of the kernel's first parameter */
#define GPU_WINDOW_SPAN UINT64_C(0x000001000000)   /**< 16 MiB each */
enum { GPU_GUARD_BYTES = 256 };                    /**< at least this much between two allocations */
enum { GPU_SHARED_GUARD_BYTES = 4096 };            /**< and this much between two shared arrays */

typedef struct Gpu Gpu;
typedef struct GpuModule GpuModule; /**< a loaded PtxModule: globals placed, code decoded */
typedef struct GpuKernel GpuKernel;
typedef struct GpuBlock GpuBlock;
typedef struct GpuWarp GpuWarp;
struct GpuTextureFault; /* texture.h */
struct GpuFetch;        /* texture.h */

typedef struct GpuDim {
    uint32_t x, y, z;
} GpuDim;

/* ---- configuration and life ---- */

typedef struct GpuConfig {
    uint64_t seed; /**< 0: blocks and warps in order; others: adversarial orders, a different one each */
    uint64_t memory_bytes;    /**< quota of live device memory, default 2 GiB */
    uint64_t step_budget;     /**< warp instructions a launch may execute; 0: default */
    uint32_t resident_blocks; /**< blocks of a usual launch in flight at once, 1..GPU_MAX_RESIDENT_BLOCKS; 0:
                                 default */
    bool track_undefined;     /**< carry definedness */
    unsigned threads;     /**< host processes that one launch may be divided among; 0 and 1: none but this */
    uint64_t divide_from; /**< warp instructions that must be left for that; 0: default */
    bool lanes_apart;   /**< shuffles and reductions of a warp give each lane its own value: what an answer is
                           without them */
    bool products_lost; /**< a product of matrices adds nothing to its sums: what an answer is without it */
    bool copies_lost;   /**< asynchronous copies to shared memory bring nothing */
    unsigned parts;     /**< of the addresses, each with an order of its own: at most GPU_MAX_PARTS; 0: one */
    /** Not 0 any more: the launch that runs ends soon, and so do its workers, which must share the word. May
     * be NULL. */
    const volatile int *halt;
} GpuConfig;

/** What a program may change of the machine: bytes of a thread's stack, of the buffer that printf fills, and
 * of the heap that malloc in kernels takes from. The numbers are cudaLimit's. */
typedef enum GpuLimit { GPU_LIMIT_STACK, GPU_LIMIT_PRINTF, GPU_LIMIT_HEAP, GPU_LIMIT_COUNT } GpuLimit;

Gpu *gpu_create(const GpuConfig *config); /**< NULL without memory */
void gpu_destroy(Gpu *gpu);
/** False when it is too late: a kernel has printed, or has taken from the heap. */
bool gpu_set_limit(Gpu *gpu, GpuLimit limit, uint64_t bytes);
uint64_t gpu_limit(const Gpu *gpu, GpuLimit limit);
/** As they are at first. */
void gpu_reset_limits(Gpu *gpu);

/* ---- memory ---- */

enum { GPU_MAX_PARTS = 8 };

typedef enum GpuAllocationKind {
    GPU_ALLOC_DEVICE,
    GPU_ALLOC_GLOBAL_VARIABLE,
    GPU_ALLOC_CONST_VARIABLE,
    GPU_ALLOC_MANAGED,
    GPU_ALLOC_MAPPED,
    GPU_ALLOC_DEVICE_HEAP,
    GPU_ALLOC_ARRAY /**< a CUDA array: pointers may not go there */
} GpuAllocationKind;

typedef struct GpuAllocation {
    uint64_t address; /**< device address; const variables: generic address in the const range */
    uint64_t bytes;
    GpuAllocationKind kind;
    bool freed;
    bool kept;                      /**< a graph's: nobody else gets the addresses while it is freed */
    bool pooled;                    /**< allocated in a stream's order: freeing it waits for nothing */
    bool shown;                     /**< freed, but found as if it were not: gpu_memory_show_kept */
    uint32_t id;                    /**< counts up from 1, never reused */
    uint32_t number;                /**< the same, within its part of the addresses */
    const PtxVariable *variable;    /**< GLOBAL/CONST_VARIABLE: which */
    uint64_t alloc_site, free_site; /**< host call sites (code addresses in the program, 0 unknown), or pcs
                                       for the device heap */
} GpuAllocation;

/** NULL when the quota or the addresses are used up. Contents are poisoned (base/poison.h) and undefined. */
const GpuAllocation *gpu_memory_alloc(Gpu *gpu, uint64_t bytes, uint64_t alignment, GpuAllocationKind kind,
                                      uint64_t site);
/** New allocations get addresses of that part of the range from now on. What is allocated in one part does
 * not move what comes in another. */
void gpu_memory_use_part(Gpu *gpu, unsigned part);
/** The part that an address is in; 0 for one that is not the device's. */
unsigned gpu_memory_part(const Gpu *gpu, uint64_t address);
/** False when `address` is not the start of a live allocation. Freed ones are kept in the table for
 * explanations. */
bool gpu_memory_free(Gpu *gpu, uint64_t address, uint64_t site);
/** The allocation that begins there was made in a stream's order. */
void gpu_memory_set_pooled(Gpu *gpu, uint64_t address);
/* Memory of graphs has its address long before it is there, and gets it again for each launch. */
/** An allocation that counts as freed and keeps its addresses; NULL when they are used up. */
const GpuAllocation *gpu_memory_keep(Gpu *gpu, uint64_t bytes, GpuAllocationKind kind, uint64_t site);
/** It is there, poisoned, with an id of its own. False: the quota is used up, or it is there already. */
bool gpu_memory_revive(Gpu *gpu, uint64_t address);
/** Nobody needs the addresses any more, once it is freed. */
void gpu_memory_keep_no_longer(Gpu *gpu, uint64_t address);
/** While work is only written down, what it will find is found: kept memory that is not there now. */
void gpu_memory_show_kept(Gpu *gpu, bool shown);
/** The live allocation that contains the address; else NULL. Freed allocations and neighbours:
 * gpu_memory_nearest. */
const GpuAllocation *gpu_memory_find(const Gpu *gpu, uint64_t address);
/** The allocation (live or freed) that contains the address or lies closest to it; NULL when there is none.
 */
const GpuAllocation *gpu_memory_nearest(const Gpu *gpu, uint64_t address);
/** Walks all allocations in the order of their ids; start with NULL. */
const GpuAllocation *gpu_memory_next(const Gpu *gpu, const GpuAllocation *allocation);
/** The id of the newest allocation; 0: there was none yet. */
uint32_t gpu_memory_newest(const Gpu *gpu);
/** Host-side pointer to `bytes` bytes at the device address; NULL unless they lie in one live allocation. */
void *gpu_memory_host(Gpu *gpu, uint64_t address, uint64_t bytes);
/** The bytes at most by which [address, address+bytes) fits; 0 when address is in no live allocation. */
uint64_t gpu_memory_room(const Gpu *gpu, uint64_t address);
uint64_t gpu_memory_used(const Gpu *gpu);
/* Copies from and to the host and between device addresses go through these, so that observers see them.
 * False (and nothing done) unless the whole range lies in one live allocation. */
bool gpu_memory_write(Gpu *gpu, uint64_t address, const void *bytes, uint64_t count, uint64_t site);
bool gpu_memory_read(Gpu *gpu, uint64_t address, void *bytes, uint64_t count, uint64_t site);
bool gpu_memory_copy(Gpu *gpu, uint64_t to, uint64_t from, uint64_t count, uint64_t site);
bool gpu_memory_set(Gpu *gpu, uint64_t address, int value, uint64_t count, uint64_t site);

/* ---- modules and kernels ---- */

/** Places the module's variables. The PtxModule must live as long. NULL with diagnostics on failure (too much
 * constant memory, ...). */
GpuModule *gpu_module_load(Gpu *gpu, const PtxModule *ptx, Diagnostics *diagnostics);
void gpu_module_unload(GpuModule *module);
/** By mangled name; NULL when there is none. The kernel belongs to the module. */
GpuKernel *gpu_kernel_find(GpuModule *module, const char *name);
/** The allocation of a module variable by mangled name; NULL when there is none. */
const GpuAllocation *gpu_variable_find(GpuModule *module, const char *name);
/** Decodes the kernel and what it may call, at its first launch at the latest. False with diagnostics when it
 * can reach something that the machine cannot execute: an instruction that is not supported, or a function
 * that is neither in the module nor in the device's library. */
bool gpu_kernel_prepare(GpuKernel *kernel, Diagnostics *diagnostics);
/** Never NULL. */
const PtxFunction *gpu_kernel_function(const GpuKernel *kernel);
/** The file that the kernel's first line stands in; "" unknown, or by the word of the program. */
const char *gpu_kernel_file(const GpuKernel *kernel);
/** Where an instruction of the kernel's lies; 0: it became no code. */
uint32_t gpu_kernel_pc(const GpuKernel *kernel, const PtxInstruction *instruction);
/** Bytes of static shared memory, as the hardware counts them (guards not included). */
uint32_t gpu_kernel_static_shared(const GpuKernel *kernel);

/* ---- launches ---- */

typedef struct GpuLaunchSpec {
    GpuKernel *kernel;
    GpuDim grid, block;
    uint32_t dynamic_shared; /**< bytes */
    const void *parameters;  /**< the kernel's parameter block, parameter_bytes long, already in PTX layout */
    uint64_t site;           /**< host call site */
    uint64_t stream;
    bool cooperative;
    uint32_t resident;  /**< how many blocks of this shape the device holds at once; 0: not known */
    uint32_t occupancy; /**< percent of its threads that these have; registers are not counted */
    uint32_t parent,
        parent_pc;  /**< of a launch from device code: the launch it comes from, and where; else 0 */
    uint32_t depth; /**< how many such launches are around it */
} GpuLaunchSpec;

typedef enum GpuStatus {
    GPU_OK,
    GPU_ILLEGAL_ADDRESS, /**< an address in no allocation's neighbourhood: a card would have stopped there */
    GPU_MISALIGNED,
    GPU_HANG,   /**< step budget used up, or nobody can go on */
    GPU_TRAP,   /**< trap instruction */
    GPU_ASSERT, /**< device-side assert */
    GPU_ILLEGAL_INSTRUCTION,
    GPU_OUT_OF_MEMORY, /**< the simulator's own */
    GPU_STACK_OVERFLOW,
    GPU_HALTED /**< GpuConfig.halt said so */
} GpuStatus;

typedef struct GpuLocalCounts {
    uint64_t load_requests, load_sectors, store_requests, store_sectors;
} GpuLocalCounts;

typedef struct GpuLaunch {
    GpuLaunchSpec spec;
    uint32_t id; /**< counts up from 1 */
    const GpuModule *module;
    bool meets_grid; /**< the kernel asks for what its whole grid meets in, as grid.sync() does; valid in
                        launch_end */
    uint32_t trap_pc,
        trap_thread; /**< where a trap or a call of nothing stopped it, 0: none did; valid in launch_end */
    uint64_t trap_block;
    uint32_t refused_pc; /**< where a thread asked the heap for memory last and got none, 0: nowhere so far */
    /* totals, valid in launch_end */
    uint64_t warp_instructions, thread_instructions, barriers, branches, divergent_branches;
    uint64_t exchanges;                    /**< warp instructions by which lanes read each other's values */
    uint64_t matrix_products;              /**< warp instructions that multiply matrices */
    uint64_t async_copies, idle_copies;    /**< those that copy asynchronously, and are waited for at once */
    uint64_t waited_warps, waited_threads; /**< those of warp_instructions and thread_instructions that did
                                              nothing but wait (waiting.h) */
    uint64_t longest_warp; /**< the most instructions that one warp executed, without those of waiting */
    GpuLocalCounts local;  /**< counted while somebody observes accesses */
    /** Not 0: the launch does again what that earlier one did, so that nothing is sent of it but launch_begin
     * and launch_end (gpu_allow_repeats). */
    uint32_t repeats;
    bool stands; /**< and all that it would write is in memory already: it was not even executed */
} GpuLaunch;

/** An earlier launch, of which no observer said anything, and which is to be done again. */
typedef struct GpuRepeat {
    uint32_t launch;
    const uint32_t *read; /**< ids of the allocations that it read */
    unsigned read_count;
} GpuRepeat;

/** Runs the launch to its end. The spec's limits (1024 threads, grid dimensions, shared memory) must have
 * been checked by the caller: that is an API error, not an event. */
GpuStatus gpu_launch(Gpu *gpu, const GpuLaunchSpec *spec);
/** The number that the next launch gets. */
uint32_t gpu_next_launch(const Gpu *gpu);

/** From now on a launch that does exactly what an earlier one did runs unwatched, when all observers agree
 * (repeat.h). False when that cannot be, as the order is random, or saves nothing, as nobody observes
 * accesses so far. */
bool gpu_allow_repeats(Gpu *gpu);
/** Something that earlier launches relied on has changed: they cannot be repeated unwatched any more. */
void gpu_forget_repeats(Gpu *gpu);

/** What device-side printf wrote since the last call: the caller takes it (Text is cleared). When it has more
 * than GPU_LIMIT_PRINTF bytes, the oldest lines are dropped and counted. */
void gpu_take_output(Gpu *gpu, Text *output, uint64_t *dropped_bytes);

/* ---- places in the code ---- */

/** A pc is a position in the decoded code of a Gpu, unique across modules; 0 is nowhere. */
typedef struct GpuPlace {
    const PtxFunction *function;
    const PtxInstruction *instruction;
    const char *file;              /**< "" unknown */
    int line, column;              /**< 0 unknown */
    const PtxFunction *written_in; /**< the function that the line belongs to: the caller of a library's */
} GpuPlace;
GpuPlace gpu_place(const Gpu *gpu, uint32_t pc);
/** The code there is a library's, a function of it and not inlined. */
bool gpu_is_in_library(const Gpu *gpu, uint32_t pc);
/** Of an instruction of the kernel's own function. */
GpuPlace gpu_kernel_place(const GpuKernel *kernel, const PtxInstruction *instruction);

/* ---- what values are made of ---- */

/** Where a value begins that another run or a card may give otherwise; a set of them has a bit for each. */
typedef enum GpuOrigin {
    GPU_ORIGIN_DATA = 1 << 0,     /**< memory, or an atomic */
    GPU_ORIGIN_FUNCTION = 1 << 1, /**< a function or instruction whose last bits are a card's own */
    GPU_ORIGIN_ORDER = 1 << 2,    /**< floats that atomics have added, in whatever order threads came */
    GPU_ORIGIN_CLOCK = 1 << 3,    /**< a clock or a timer */
    GPU_ORIGIN_PLACE = 1 << 4     /**< which multiprocessor the thread is on, or how many there are */
} GpuOrigin;

/** What the values of one kernel are made of. It says what may be, never what must: values are followed
 * through the text, and whatever is not followed counts as made of everything. */
typedef struct Flow GpuTrail;
typedef struct GpuTrailEnds {
    uint8_t present;   /**< these begin in the kernel's own code */
    uint8_t branches;  /**< may decide where its threads go, or which of them take part */
    uint8_t addresses; /**< may decide what they touch */
    uint8_t printed;   /**< may be printed */
} GpuTrailEnds;

/** Of a kernel that has been prepared: made when first asked for, and kept with it. NULL without memory. */
GpuTrail *gpu_kernel_trail(GpuKernel *kernel);
/** What begins in the kernel's own code, which costs less than all of it. */
uint8_t gpu_trail_present(const GpuTrail *trail);
GpuTrailEnds gpu_trail_ends(GpuTrail *trail);
/** What the store or atomic at that place may put into memory. */
uint8_t gpu_trail_stored(GpuTrail *trail, const GpuPlace *place);
/** The instruction at that place has met such values in memory. True when that is new. */
bool gpu_trail_met(GpuTrail *trail, const GpuPlace *place, uint8_t origins);

/** Gets each approximate function of a kernel once or more often: a name of CUDA ("sinf") or of PTX
 * ("ex2.approx.f32"), and by how many units in the last place a card's result may be off; negative: CUDA's
 * documents state no number. */
typedef void GpuApproximate(void *self, const char *name, int ulp);
void gpu_trail_functions(const GpuTrail *trail, GpuApproximate *each, void *self);

/* ---- what observers may ask about the moment ---- */

const GpuLaunch *gpu_block_launch(const GpuBlock *block);
GpuDim gpu_block_index(const GpuBlock *block);    /**< blockIdx */
uint64_t gpu_block_linear(const GpuBlock *block); /**< x + y*gridDim.x + z*gridDim.x*gridDim.y */
uint32_t
gpu_block_slot(const GpuBlock *block); /**< 0..GPU_MAX_RESIDENT_BLOCKS-1: which resident place it occupies */
uint32_t gpu_block_threads(const GpuBlock *block);
/** Of an access by an asynchronous copy: it is the start of a write, which has the pc of the read. */
bool gpu_is_copy_start(const Gpu *gpu, uint32_t pc);
/** Whether an asynchronous copy to that byte of the block's shared memory has been started and not been
 * waited for. */
bool gpu_block_copies_to(const GpuBlock *block, uint64_t address);
const GpuBlock *gpu_warp_block(const GpuWarp *warp);
uint32_t gpu_warp_index(const GpuWarp *warp);    /**< in its block; linear thread = 32*warp + lane */
uint32_t gpu_warp_poisoned(const GpuWarp *warp); /**< lanes that have read what is not there: all bits set */
uint32_t gpu_warp_alive(const GpuWarp *warp);    /**< lanes that exist and have not exited */
/** What a lane has in a register of 64 bits of the function that the pc is in, where the warp is now. */
uint64_t gpu_warp_register(const GpuWarp *warp, uint32_t pc, int32_t reg, unsigned lane);
/** The function that the warp is in, `level` calls further out, and the call there that led inside (NULL at
 * level 0). NULL: there are not so many. */
const PtxFunction *gpu_warp_function(const GpuWarp *warp, unsigned level, const PtxInstruction **call);
/** Eight bytes of a parameter of that function, as the lane got it; false when it has not so many. */
bool gpu_warp_parameter(const GpuWarp *warp, unsigned level, const PtxVariable *parameter, int64_t at,
                        unsigned lane, uint64_t *value);
GpuDim gpu_thread_index(const GpuBlock *block, uint32_t linear_thread); /**< threadIdx */
/** The call stack of a lane group is not visible; an access made in a device function has that function's
 * place, unless that is in a library's header: then it has the place of the call that led there. */

/** The shared variable that contains or is nearest before `offset`. Shared memory of a block is laid out with
 * guards: static variables one by one, then the dynamic part. */
typedef struct GpuSharedRegion {
    uint32_t offset, bytes;
    const PtxVariable
        *variable; /**< for the dynamic part: the first extern array, or NULL when the kernel has none */
    bool dynamic;
} GpuSharedRegion;
unsigned gpu_kernel_shared_regions(const GpuKernel *kernel, uint32_t dynamic_shared, GpuSharedRegion *regions,
                                   unsigned capacity);
/** All bytes of a block's shared memory, guards included. */
uint32_t gpu_kernel_shared_span(const GpuKernel *kernel, uint32_t dynamic_shared);

/** The simulator's own bytes of the block's shared memory at this offset; NULL where no variable has them
 * all. */
void *gpu_shared_host(const GpuBlock *block, uint64_t offset, uint64_t bytes);

/* ---- events ---- */

typedef enum GpuAccessKind { GPU_READ, GPU_WRITE, GPU_ATOMIC } GpuAccessKind;

/** One warp's access to global, shared or constant memory by one instruction, all lanes inside live memory
 * and aligned (others have been sent as faults and are not in `lanes`). Local memory and parameters send no
 * access events. */
typedef struct GpuAccess {
    const GpuWarp *warp;
    uint32_t pc;
    PtxSpace space; /**< GLOBAL, SHARED or CONST: generic addresses are resolved */
    GpuAccessKind kind;
    PtxSemantics semantics; /**< weak, volatile, relaxed, ... */
    PtxScope scope;
    bool reduction;     /**< atomic whose old value nobody sees */
    bool arrives;       /**< WRITE of an asynchronous copy that is waited for */
    uint8_t bytes;      /**< per lane: 1, 2, 4, 8 or 16 */
    bool contiguous;    /**< lanes are adjacent from the first one on: address[l] == address[first] +
                           (l-first)*bytes, no gaps in lanes */
    bool uniform;       /**< every lane has the same address */
    bool rows;          /**< all 32 lanes, and each eight of them are adjacent: rows of a tile */
    bool steps;         /**< all 32 lanes, and each eight of them have one address */
    uint64_t low, high; /**< the least and the greatest address of the lanes */
    uint64_t pattern;   /**< accesses with the same number, of one machine, have the same lanes and bytes, and
                           each   lane is as far from the first one; 0: no number */
    bool texture;       /**< through a texture or surface, one of its texels a lane */
    bool further;       /**< one more texel of a fetch whose first one had an access of its own */
    bool filtered;      /**< the first access of a fetch that blends texels */
    bool corners;       /**< and every lane's place lies right between them */
    bool waits;         /**< reads what it read before, in a loop that does nothing else (waiting.h) */
    uint32_t lanes;
    uint32_t
        wanted; /**< those of the lanes in which a value that is read may matter: an optimiser loads in all
                   threads what the source reads in some (speculation.h); WRITE, ATOMIC: all of them */
    const uint64_t *address; /**< [32]: device address (GLOBAL, CONST) or offset in the block's shared memory;
                                only set lanes are valid */
    const GpuAllocation
        *allocation;       /**< GLOBAL, CONST: the one all lanes are in; NULL when they are in several */
    const uint8_t *values; /**< WRITE, ATOMIC: what is written, lane l at values + l*bytes; NULL for READ */
    const uint8_t *memory; /**< the simulator's own bytes behind address[first lane] (for contiguous: all
                              lanes); read only */
    /* definedness; all zero unless track_undefined */
    uint32_t undefined_lanes; /**< in for WRITE/ATOMIC, out for READ/ATOMIC: lanes with an undefined byte */
    uint16_t undefined_bytes[GPU_WARP_LANES]; /**< for those lanes: bit i = byte i undefined */
    uint32_t origin; /**< in for WRITE/ATOMIC: a pc where the undefined value was read or made; out for READ:
                        the keeper may set it */
} GpuAccess;

typedef enum GpuFaultKind {
    GPU_FAULT_OUT_OF_BOUNDS,
    GPU_FAULT_FREED,
    GPU_FAULT_WILD /**< near no allocation: null, host pointer, garbage */,
    GPU_FAULT_MISALIGNED,
    GPU_FAULT_READ_ONLY /**< store to .const */,
    GPU_FAULT_LENT /**< local memory, through a pointer to another thread's */
} GpuFaultKind;

/** Which thread stored the address of a local variable of its own, and with which instruction. */
typedef struct GpuLender {
    uint64_t block;
    uint32_t thread, launch, pc;
} GpuLender;

/** Lanes of one access that may not happen. After OUT_OF_BOUNDS and FREED the launch goes on (reads give
 * poison, writes are dropped); WILD, MISALIGNED and READ_ONLY end the launch. LENT is done as it stands. */
typedef struct GpuFault {
    const GpuWarp *warp;
    uint32_t pc;
    GpuFaultKind kind;
    PtxSpace space;
    GpuAccessKind access;
    uint8_t bytes;
    uint32_t lanes;
    const uint64_t *address;      /**< as in GpuAccess; WILD: the generic address */
    const GpuAllocation *nearest; /**< GLOBAL/CONST: containing (freed) or closest allocation, or NULL */
    const PtxLocal *local;        /**< LOCAL: the array that the address was made from; NULL: not known */
    uint64_t local_address;       /**< and where it begins */
    bool undefined_address;       /**< the address itself came from nowhere (track_undefined) */
    GpuLender lender;             /**< LENT */
} GpuFault;

typedef enum GpuUndefinedUse {
    GPU_UNDEFINED_BRANCH,
    GPU_UNDEFINED_ADDRESS,
    GPU_UNDEFINED_ATOMIC,
    GPU_UNDEFINED_BARRIER,
    GPU_UNDEFINED_SHUFFLE_LANE,
    GPU_UNDEFINED_PRINTF
} GpuUndefinedUse;

typedef enum GpuPrintfMistake {
    GPU_PRINTF_FINE,
    GPU_PRINTF_UNKNOWN, /**< printed as it stands: a card does not know it */
    GPU_PRINTF_EXCESS,  /**< printed as it stands: there are values enough, but more than a card takes */
    GPU_PRINTF_MISSING, /**< the call has no value for it */
    GPU_PRINTF_CUT,     /**< 4 bytes, of a value of 8 */
    GPU_PRINTF_WIDE,    /**< 8 bytes, and the value has 4 */
    GPU_PRINTF_DOUBLE,  /**< a whole number or a text, and the value is a double */
    GPU_PRINTF_WHOLE,   /**< a double, and the value is a whole number of 8 bytes */
    GPU_PRINTF_NO_TEXT, /**< a text at an address where the device has nothing */
    GPU_PRINTF_NO_END   /**< a text without a zero behind it, as far as its memory has values */
} GpuPrintfMistake;

/** Threads that wait somewhere, for divergence and hang reports. */
typedef struct GpuWaiter {
    uint32_t warp;  /**< in the block */
    uint32_t lanes; /**< of the group */
    uint64_t block; /**< linear */
    uint32_t pc;    /**< where they wait or spin */
    enum { GPU_WAITS_BARRIER, GPU_WAITS_WARP, GPU_SPINS, GPU_EXITED } state;
    int barrier;   /**< barrier number; -1 */
    uint32_t mask; /**< WAITS_WARP: the mask waited for */
} GpuWaiter;

/** The first thread of the group, counted in its block. */
static inline uint32_t gpu_waiter_thread(const GpuWaiter *waiter) {
    return GPU_WARP_LANES * waiter->warp + (waiter->lanes ? (uint32_t)__builtin_ctz(waiter->lanes) : 0);
}

/** Whether the instruction arrives at an mbarrier object. */
bool gpu_is_arrival(const PtxInstruction *instruction);
/** So many arrivals: *state, which is what the object holds before, becomes what it holds then. True: they
 * end the phase. */
bool gpu_arrive(const PtxInstruction *arrival, uint64_t *state, uint64_t count);
/** Of lanes that store at once, takes out of *left the one whose turn it is: of several that store to one
 * place, the last to come wins. As a card does it (measured on an H100, in shared and global memory), a
 * warp's data goes in parts of 128 bytes: of a part the lowest lane wins, and a later part wins over an
 * earlier one. So of elements of up to 4 bytes the lowest lane wins, of 8 bytes the lowest of the last half
 * warp. The other order, lane after lane, lets the highest win. */
static inline unsigned gpu_next_to_store(uint32_t *left, unsigned bytes, bool as_card) {
    const unsigned lowest = (unsigned)__builtin_ctz(*left), part = bytes > 4 ? 128 / bytes : 32;
    unsigned lane = lowest;
    if (as_card) {
        const uint32_t others = (uint32_t)((UINT64_C(1) << part) - 1) << (lowest & ~(part - 1));
        lane = 31 - (unsigned)__builtin_clz(*left & others);
    }
    *left &= ~(UINT32_C(1) << lane);
    return lane;
}
/** Whether lanes store in the card's order: seed 0 and the even ones. */
bool gpu_stores_as_card(const Gpu *gpu);

typedef struct GpuBarrier {
    const GpuBlock *block;
    int number;        /**< 0..15 */
    uint32_t expected; /**< threads */
    bool whole_block;  /**< every thread of the block that is alive takes part */
    const uint32_t
        *arrived; /**< [warps of block] lane masks of those who arrived (bar.arrive ones included) */
    const uint32_t *waiting; /**< [warps of block] lane masks of those who were waiting (bar.sync/red) */
    uint32_t pc;             /**< of the first arrival */
} GpuBarrier;

typedef enum GpuSyncMistake {
    GPU_SYNC_DIFFERENT_BARRIERS, /**< threads of one block were released from one barrier by different bar
                                    instructions; pc, other_pc */
    GPU_SYNC_BYPASSED, /**< threads went around a barrier (both sides of a branch meet again) that others wait
                          at: divergent */
    GPU_SYNC_EXITED,   /**< threads had exited before the barrier (a note) */
    GPU_SYNC_DEADLOCK, /**< nobody can go on: waiters tell who waits where */
    GPU_SYNC_BUDGET,   /**< step budget used up: waiters tell who spins where */
    GPU_SYNC_HALTED,   /**< GpuConfig.halt said so: waiters tell who was where (a note) */
    GPU_SYNC_MASK_OMITS_CALLER, /**< a warp operation's mask lacks an executing lane */
    GPU_SYNC_MASK_NAMES_ABSENT, /**< the mask names a lane that went around the operation */
    GPU_SYNC_MASKS_DIFFER,      /**< lanes meet in one warp operation with different masks */
    GPU_SYNC_SHUFFLE_SOURCE,    /**< shuffle reads a lane that does not take part: the result is undefined */
    GPU_SYNC_SHUFFLE_WIDTH,     /**< a shuffle's width, `mask`, is no power of two from 1 to 32 */
    GPU_SYNC_SHUFFLE_FAR,       /**< up or down by at least the width: all get their own values; `mask` is the
                                   width, and from bit 8 on the distance */
    GPU_SYNC_WARP_INCOMPLETE,   /**< an instruction of all 32 lanes, some of which have ended or never were */
    GPU_SYNC_BARRIER_COUNT /**< thread count of bar not a multiple of 32, or barrier number out of range */
} GpuSyncMistake;

enum { GPU_MOST_WAITERS = 256 };

typedef struct GpuSyncEvent {
    GpuSyncMistake mistake;
    const GpuLaunch *launch;
    const GpuBlock *block; /**< NULL for whole-launch events */
    const GpuWarp *warp;   /**< of the first party, or NULL */
    uint32_t lanes;        /**< of that warp, concerned */
    uint32_t pc, other_pc; /**< where the first party is; where the other is, bypassed (the branch), or 0 */
    uint32_t call_pc;      /**< bypassed: the call that leads to the barrier at pc, or 0 */
    uint32_t mask;         /**< mask mistakes */
    uint32_t other_thread; /**< linear thread of the other party */
    uint32_t arrived, expected; /**< threads */
    const GpuWaiter *waiters;
    unsigned waiter_count; /**< at most GPU_MOST_WAITERS: of more, the first */
    /* budget */
    bool stuck;           /**< nothing changes any more: it would never end */
    bool asks;            /**< those who run wait for a phase of an mbarrier: arrived and expected are its */
    bool meets;           /**< some blocks wait in grid.sync() for others that have ended */
    uint64_t blocks_done; /**< that have ended */
    int64_t at,
        goal; /**< where the outermost loop that counts was, and where it ends; both 0: there is none */
    uint32_t loop_pc; /**< of its comparison */
} GpuSyncEvent;

/** Asynchronous copies to shared memory whose source is not any more what they read. */
typedef struct GpuChangedCopy {
    const GpuWarp *warp;
    uint32_t pc;   /**< of the copy */
    uint8_t bytes; /**< per lane */
    uint32_t lanes;
    const uint64_t *source; /**< [32]: device addresses */
    const uint8_t *was;     /**< what was copied, lane l at was + l*bytes */
} GpuChangedCopy;

/** A lane touches shared memory that an asynchronous copy may fill at that moment. */
typedef struct GpuMetCopy {
    const GpuAccess *access;
    unsigned lane;
    bool undefined; /**< what the lane reads has no value yet: copies bring its first one */
    const GpuWarp *copier;
    unsigned copier_lane;
    uint32_t copy_pc;
} GpuMetCopy;

/* ---- ranges: parts of a launch that other processes run (range.h) ---- */

typedef struct GpuRange GpuRange;

/** What a range touched of 4,096 bytes of global memory: a bit for each word of 4 bytes. */
typedef struct GpuRangePage {
    uint64_t offset; /**< of its first byte, from GPU_GLOBAL_BASE */
    uint64_t bytes_at;
    uint32_t read[32], written[32], atomic[32];
    uint32_t pc_table;
    bool changed; /**< written or atomic has a bit; valid in range_put and range_take */
} GpuRangePage;

/** In the order of their first access; NULL past the last. */
const GpuRangePage *gpu_range_page(const GpuRange *range, unsigned index);
/** How many ranges the launch was divided into. */
unsigned gpu_range_workers(const GpuRange *range);
/** Bytes that range_take gets back in the same pieces. */
void gpu_range_put(GpuRange *range, const void *bytes, uint64_t count);
const void *gpu_range_take(GpuRange *range,
                           uint64_t count); /**< aligned to 8 bytes; valid during range_take */
/** How many launches have been divided so far. */
uint64_t gpu_divided(const Gpu *gpu);

/** Who knows which bytes of memory are defined, for a machine that tracks it: no observer, since it answers.
 * It is asked of each access before observers hear of it: of a READ it sets the bytes that are undefined and
 * where that comes from, of a WRITE it is told them. */
typedef struct GpuKeeper {
    void *self;
    void (*access)(void *self, GpuAccess *access);
} GpuKeeper;
/** There is one at most. It is asked only of accesses that some observer wants. */
void gpu_set_keeper(Gpu *gpu, const GpuKeeper *keeper);

/** Any member may be NULL. `self` is passed to each. Observers are called in the order they were attached. */
/** Lanes of a warp read each other's values: one shuffle, before it takes effect. */
typedef struct GpuExchange {
    const GpuWarp *warp;
    uint32_t pc;
    uint32_t lanes;        /**< that take part; of the arrays only theirs are valid */
    uint32_t undefined;    /**< of these: whose value comes from nowhere */
    bool apart;            /**< some are at another place of the code: what the warp has now is not theirs */
    const uint8_t *from;   /**< [32]: whose value each lane gets; its own, where there is none to get */
    const uint64_t *value; /**< [32]: what it gets */
} GpuExchange;

typedef struct GpuObserver {
    void *self;
    /* host side */
    void (*allocated)(void *self, const GpuAllocation *allocation);
    void (*freed)(void *self, const GpuAllocation *allocation);
    void (*host_write)(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                       uint64_t site); /**< also memset */
    void (*host_read)(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                      uint64_t site);
    void (*device_copy)(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site);
    /* launches */
    void (*launch_begin)(void *self, const GpuLaunch *launch);
    void (*launch_end)(void *self, const GpuLaunch *launch, GpuStatus status);
    void (*block_begin)(void *self, const GpuBlock *block);
    void (*block_end)(void *self, const GpuBlock *block);
    /* execution */
    void (*access)(void *self, const GpuAccess *access); /**< before it takes effect */
    bool access_global;                                  /**< accesses to shared memory need not be sent */
    void (*fault)(void *self, const GpuFault *fault);
    void (*lent)(void *self, const GpuWarp *warp); /**< stores a local variable's address in global memory */
    /** The instruction goes to another allocation of global memory than last time, which is in order by
     * itself. `nearest` is that allocation. */
    void (*moved)(void *self, const GpuFault *to);
    void (*texture_fault)(void *self, const struct GpuTextureFault *fault); /**< texture.h */
    void (*fetch)(void *self, const struct GpuFetch *fetch);                /**< texture.h */
    void (*undefined_use)(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                          uint32_t origin);
    void (*branch)(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken);
    void (*parted)(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken,
                   uint32_t not_taken); /**< after `branch`, when lanes go either way */
    /** A run of instructions, first and last pc included, was executed by these lanes. */
    void (*executed)(void *self, const GpuWarp *warp, uint32_t first_pc, uint32_t last_pc, uint32_t lanes);
    void (*barrier)(void *self, const GpuBarrier *barrier); /**< when it opens */
    void (*warp_sync)(void *self, const GpuWarp *warp, uint32_t lanes,
                      uint32_t pc); /**< bar.warp.sync completed by these lanes */
    void (*exchanged)(void *self, const GpuExchange *exchange);
    void (*fence)(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, PtxScope scope,
                  PtxSemantics semantics);
    /** An asynchronous copy is started: a write that comes again to `access` when it is waited for, with the
     * next pc (gpu_is_copy_start). */
    void (*copy_starts)(void *self, const GpuAccess *access);
    void (*copy_changed)(void *self, const GpuChangedCopy *copy); /**< when it is waited for */
    void (*copy_met)(void *self, const GpuMetCopy *met);          /**< after the access; one lane of it */
    void (*exited)(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc);
    void (*sync_mistake)(void *self, const GpuSyncEvent *event);
    void (*asserted)(void *self, const GpuWarp *warp, uint32_t lane, uint32_t pc, const char *condition,
                     const char *file, unsigned line);
    /** A launch from device code that cannot be; `kernel` may be "". */
    void (*child_refused)(void *self, const GpuWarp *warp, unsigned lane, uint32_t pc, const char *kernel,
                          const char *mistake);
    /** These lanes divide a whole number by 0 (div, rem), and go on with what comes of it. */
    void (*divided_by_zero)(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc);
    /** These lanes shift by at least as many bits as the number has (shl, shr), the first by `amount`: told
     * of code that is not optimised. */
    void (*shifted_far)(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, uint32_t amount);
    /** printf took this specifier otherwise than the program means it. */
    void (*printed_wrongly)(void *self, const GpuWarp *warp, unsigned lane, uint32_t pc,
                            const char *specifier, GpuPrintfMistake mistake);
    /* launches that are done again */
    bool in_repeats; /**< need not watch what is repeated; else an observer of launches sees every one */
    /** After launch_end: nothing has been said that would be said again, and whatever has to be known again
     * when the launch is repeated has been kept. NULL: there is nothing to keep. */
    bool (*keep)(void *self, const GpuLaunch *launch);
    /** Before launch_begin: the launch may be repeated without being watched. NULL: it may. */
    bool (*repeats)(void *self, const GpuRepeat *earlier);
    /* ranges */
    bool in_ranges; /**< blocks may run in another process: what is kept of them comes through range_put */
    void (*range_begin)(void *self); /**< in the worker: from now on everything is the range's */
    bool (*range_quiet)(
        void *self, const GpuRange *range); /**< in the worker, after each block: nothing has been told? */
    void (*range_put)(void *self, GpuRange *range);  /**< in the worker, at its end */
    void (*range_take)(void *self, GpuRange *range); /**< in the first process, range after range */
} GpuObserver;

/** Which variant of files that are compiled for several processors suits this one: 0 is the plainest. */
unsigned gpu_processor_level(void);

/** At most 8; the struct is copied. */
void gpu_attach(Gpu *gpu, const GpuObserver *observer);
