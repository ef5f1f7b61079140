/* internal.h - what the files of the machine share: decoded code, warps, blocks, the launch in progress.
 *
 * A register of a warp is a row: 32 lanes of 4 bytes (types of up to 32 bits) or of 8. A decoded instruction
 * names rows by a GpuRow: which of the warp's bases, and the offset from it. Immediates are rows too
 * (broadcast once when decoding), and so are tid and its like (per warp), ctaid and the kernel's parameters
 * (per block), and words of the local frame; so a handler only ever sees rows. A predicate is one 32-bit word
 * in the frame, a bit a lane.
 *
 * Control: a warp's alive lanes are divided among its groups. A group that has reached the point where a
 * branch's sides meet is PARKED there in a GpuJoin until the others come, exit or are stuck.
 */
#ifndef GPU_INTERNAL_H
#define GPU_INTERNAL_H

#include "base/poison.h"
#include "gpu/gpu.h"

#include <string.h>

typedef struct GpuInstruction GpuInstruction;
typedef struct GpuFunction GpuFunction;
typedef struct GpuFrame GpuFrame;
typedef struct GpuRun GpuRun;
typedef struct GpuProgress GpuProgress;
typedef struct GpuRepeats GpuRepeats;
typedef struct GpuSample GpuSample;
typedef struct GpuSpeculation GpuSpeculation;
typedef struct GpuChild GpuChild;
typedef struct GpuLibraryEntry GpuLibraryEntry;

#ifndef CHECK_BOTH
#define CHECK_BOTH 0 /* make CHECK_BOTH=1: see check/parts.h */
#endif

/* ---- rows ---- */

typedef uint32_t GpuRow;
enum {
    GPU_BASE_FRAME,
    GPU_BASE_CONSTANT,
    GPU_BASE_WARP,
    GPU_BASE_BLOCK,
    GPU_BASE_LOCAL,
    GPU_BASE_COUNT = 16
};
enum { GPU_ROW_BYTES = 128, GPU_WIDE_ROW_BYTES = 256, GPU_BASE_SHIFT = 28 };
#define GPU_ROW(base, offset) ((GpuRow)(base) << GPU_BASE_SHIFT | (GpuRow)(offset))
#define GPU_NO_REGISTER UINT16_MAX

/* ---- decoded code ---- */

/** Executes one instruction for the lanes in `mask`; returns the next one, or NULL when the group has to stop
 * here (its state has then been saved). */
typedef const GpuInstruction *GpuHandler(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** Moves definedness along, before the handler runs. */
typedef void GpuShadow(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** The lanes in which a comparison holds. */
typedef uint32_t GpuCompare(const void *a, const void *b);
/** A per-lane function on bits, for what is too rare to deserve a vector loop. */
typedef uint64_t GpuScalar(const GpuInstruction *ins, const uint64_t sources[4]);

/** A handler for all lanes that count (inactive ones may be overwritten) and one that keeps lanes outside the
 * mask. */
typedef struct GpuHandlers {
    GpuHandler *masked, *full;
} GpuHandlers;

/** What an instruction does. */
typedef enum GpuStep {
    STEP_operation,
#define STEP(name) STEP_##name,
#include "gpu/state/steps.def"
#undef STEP
} GpuStep;

/** Whether an instruction only moves a word of the local frame, which has a fixed place, from or to a row. */
typedef enum GpuFrameWord { GPU_FRAME_NOT, GPU_FRAME_LOAD, GPU_FRAME_STORE } GpuFrameWord;

struct GpuInstruction {
    GpuHandlers run;
    GpuRow d, a, b, c;
    GpuHandlers inner;       /**< with a guard: what the guard guards */
    GpuShadow *shadow;       /**< NULL: nothing to do */
    GpuShadow *frame_shadow; /**< the same while all registers are defined: that of local memory */
    const GpuInstruction *target;
    const GpuInstruction *meet; /**< branches: the join where the sides meet again, or NULL */
    const GpuInstruction *bypass_taken, *bypass_through; /**< branches: barriers gone around */
    GpuShadow *inner_shadow;
    const PtxInstruction *source;
    uint32_t pc;
    uint32_t ordinal;    /**< index in the PtxFunction: counts instructions */
    int32_t guard;       /**< frame offset of the guard predicate, -1: none */
    uint32_t guard_flip; /**< all ones for @!%p */
    uint16_t guard_register;
    uint16_t defines; /**< register numbers for definedness; GPU_NO_REGISTER: none */
    uint16_t uses[4];
    uint8_t use_count;
    uint8_t step;       /**< GpuStep; with a guard, that of what is guarded */
    uint8_t frame_word; /**< GpuFrameWord */
    uint8_t width;      /**< lane bytes of d: 4 or 8 */
    uint8_t bytes;      /**< memory: bytes of one element; else of the value */
    uint8_t count;      /**< memory: elements; pack and unpack: parts */
    bool sign;          /**< memory: sign-extend */
    uint8_t space;      /**< PtxSpace */
    uint8_t address_width;
    bool wraps;       /**< memory: the address has 32 bits, whatever its register has (PTX ISA 5.1) */
    bool flip_c;      /**< predicate operand c is negated */
    bool speculative; /**< a load whose value may be wanted in some lanes only (speculation.h) */
    uint32_t extra;   /**< first of this instruction's entries in function->extra */
    uint32_t cache;   /**< memory: index into function->caches */
    int64_t offset;
    uint16_t address_register;
    uint16_t local; /**< memory: number + 1 of the local array that the address was made from; 0: unknown */
    GpuFunction *function;
    union {
        GpuCompare *compare;
        GpuScalar *scalar;
        const struct GpuCall *call;
        uint64_t bits;
    } u;
};

/** A register or immediate of a list: vector elements, call arguments, pack and unpack. */
typedef struct GpuExtra {
    GpuRow row;
    uint16_t number; /**< register, GPU_NO_REGISTER for constants and sinks */
    uint8_t width;   /**< lane bytes; 0: a predicate */
    bool sink;
    bool flip; /**< a predicate that is negated */
} GpuExtra;

/** Where a memory instruction last went. */
typedef struct GpuRegionCache {
    uint64_t first, bytes; /**< addresses as the instruction sees them */
    uint8_t *host;         /**< byte behind `first`; NULL for shared (the block's) */
    uint64_t bias;         /**< subtract from an address to get the event's address */
    const GpuAllocation *allocation;
    uint32_t shared_offset;
    uint8_t space;
    uint32_t epoch;  /**< memory.epoch when it was filled */
    uintptr_t last;  /**< the host's byte where the instruction's lanes began last */
    uintptr_t apart; /**< how far that was from the time before */
} GpuRegionCache;

typedef struct GpuCall {
    GpuFunction *callee;            /**< NULL: indirect or library */
    const GpuLibraryEntry *library; /**< or NULL */
    unsigned argument_count, result_count;
    uint32_t arguments[64], argument_bytes[64]; /**< offsets in the caller's local frame */
    uint32_t results[4], result_bytes[4];
} GpuCall;

/** Of the instructions before one: what they do to fixed places of the frame. */
typedef struct GpuLocalSums {
    uint32_t load_words, store_words;
} GpuLocalSums;

struct GpuFunction {
    const PtxFunction *ptx;
    GpuKernel *kernel;
    GpuInstruction *code;
    uint32_t code_count, code_capacity;
    uint32_t first_pc;
    uint8_t *constants;
    uint32_t constant_bytes, constant_capacity;
    uint32_t *register_offset;
    int64_t *frame_constant; /**< [register] offset in the frame's local memory that it always holds, or -1 */
    uint16_t *frame_array;   /**< [register] number + 1 of the local array that it points into; 0: unknown */
    uint32_t frame_bytes;
    uint32_t local_bytes; /**< the function's own .local */
    uint32_t param_base;  /**< where its .param area begins in the local frame */
    uint32_t stack_bytes; /**< both, rounded up to 16 */
    uint32_t card_frame;  /**< what a card's compiler makes of it, at least; 0: a loop */
    GpuExtra *extra;
    uint32_t extra_count, extra_capacity;
    GpuRegionCache *caches;
    uint32_t cache_count;
    GpuCall *calls;
    uint32_t call_count;
    PtxInstruction *fused; /**< what stands for sums that took in a product */
    uint32_t fused_count;
    GpuLocalSums *local_sums; /**< [instruction], NULL: the function uses no local memory so */
    bool formals_addressed;   /**< the address of a parameter is taken */
    bool reads_unset;         /**< a register may be read before it has a value (assigned.c) */
    bool *decides; /**< [instruction] its result decides (deciding.c), or what it stores is made of such
                      values; NULL: not asked yet */
    GpuSpeculation *speculation;     /**< NULL: the function has no speculative loads */
    const GpuInstruction *last_call; /**< of this function, wherever; NULL: none yet */
};

/** A piece of the parameter block that has its own row. */
typedef struct GpuUniform {
    uint32_t offset, bytes;
    bool sign;
    uint8_t width;
    uint32_t row; /**< offset in the block's rows */
} GpuUniform;

/* Rows that a block and a warp always have, in this order. */
enum {
    GPU_BLOCK_CTAID,
    GPU_BLOCK_NCTAID = 3,
    GPU_BLOCK_NTID = 6,
    GPU_BLOCK_GRIDID = 9,
    GPU_BLOCK_NWARPID,
    GPU_BLOCK_SMID,
    GPU_BLOCK_NSMID,
    GPU_BLOCK_DYNAMIC_SHARED,
    GPU_BLOCK_TOTAL_SHARED,
    GPU_BLOCK_WORKSPACE, /**< high and low half of its address */
    GPU_BLOCK_WORKSPACE_LOW,
    GPU_BLOCK_ROWS
};
enum {
    GPU_WARP_TID,
    GPU_WARP_LANEID = 3,
    GPU_WARP_WARPID,
    GPU_WARP_LANEMASK,
    GPU_WARP_ROWS = GPU_WARP_LANEMASK + 5
};

/** What some blocks of a kernel did. */
typedef struct GpuSampled {
    uint64_t steps;            /**< warp instructions; none: nothing is known */
    uint64_t accesses, global; /**< how many of them went to memory, and to global memory */
    uint64_t segments;         /**< of 128 bytes of global memory, that were changed */
} GpuSampled;

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
    uint32_t uniform_count, uniform_capacity;
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
};

typedef struct GpuPlaced { /**< a module variable and where it is */
    const PtxVariable *variable;
    const GpuAllocation *allocation;
} GpuPlaced;

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

/* ---- definedness ---- */

typedef struct GpuMeta {
    uint32_t undefined; /**< lanes with an undefined byte */
    uint32_t partial; /**< of these: lanes whose undefined bytes are in the frame's `partial`; the others: all
                         bytes */
    uint32_t origin;
} GpuMeta;

/* ---- lane groups ---- */

typedef enum GpuGroupState {
    GROUP_FREE,
    GROUP_RUNNABLE,
    GROUP_PARKED,
    GROUP_RETURNED,
    GROUP_BARRIER,
    GROUP_WARP_SYNC
} GpuGroupState;

typedef struct GpuJoin {
    struct GpuJoin *parent; /**< also the list of free ones */
    const GpuInstruction *at;
    GpuFrame *frame;
    uint32_t expected;
    uint32_t ahead; /**< lanes that have gone on from here while others are still on their way */
    struct GpuGroup *parked;
    struct GpuJoin *next_all;
} GpuJoin;

typedef struct GpuGroup {
    GpuGroupState state;
    uint32_t mask;
    const GpuInstruction *next;
    GpuFrame *frame;
    GpuJoin *join;
    int barrier;
    uint32_t sync_mask;
    uint64_t spun; /**< instructions since it last stopped for anything but its slice */
} GpuGroup;

struct GpuFrame {
    GpuFunction *function;
    GpuFrame *caller;
    const GpuInstruction *call;
    GpuJoin *caller_join;
    GpuGroup *returned;
    uint32_t lanes; /**< alive and inside */
    uint32_t ahead; /**< lanes that have returned and gone on while others are still inside */
    uint32_t carry;
    uint32_t local_base;
    uint32_t depth;
    uint32_t card_stack; /**< on a card, from the first call that recurs or goes through a pointer on */
    bool grown;          /**< by alloca: then each lane has a top, from local_base */
    bool undefined;      /**< a register may have an undefined lane; else no meta has one */
    uint32_t tops[GPU_WARP_LANES];
    uint8_t *registers;
    GpuMeta *meta;
    uint8_t (*partial)[GPU_WARP_LANES]; /**< [register][lane] byte masks */
    GpuFrame *next_free, *next_all;
};

typedef struct GpuCopies GpuCopies;

struct GpuWarp {
    uint8_t *base[GPU_BASE_COUNT];
    GpuMeta *meta;
    GpuFrame *frame;
    GpuGroup *current;
    const GpuInstruction *start; /**< first instruction not yet counted */
    const GpuInstruction
        *ended_at; /**< the one that ended the launch, until its group has stopped; NULL: none */
    int64_t slice;
    uint64_t steps;        /**< instructions executed */
    uint64_t looked;       /**< instructions looked ahead at (speculation.h) */
    uint32_t wanted;       /**< by a speculative load that is being executed: lanes that want the value */
    uint64_t watched_from; /**< steps when the watch of the launch began */
    GpuRun *run;
    GpuBlock *block;
    uint32_t index, existing, alive;
    uint32_t runnable; /**< groups in that state, a bit each */
    uint32_t used;     /**< groups not free */
    unsigned turn;     /**< group to run next, if it can */
    GpuGroup groups[GPU_WARP_LANES];
    GpuJoin *free_joins;
    GpuFrame *free_frames;
    GpuJoin *all_joins;
    GpuFrame *all_frames;
    GpuFrame *entry_frame;
    uint8_t *local;            /**< lane stacks: [word][lane] */
    uint32_t *local_undefined; /**< [byte]: lane masks */
    uint32_t *local_origin;    /**< [word] */
    /* barriers gone around (PtxInstruction.bypasses_barrier_*) */
    const GpuInstruction *bypassed[GPU_WARP_LANES], *bypass_branch[GPU_WARP_LANES];
    uint32_t bypass_generation[GPU_WARP_LANES];
    uint32_t bypass_lanes;
    uint8_t rows[12 * GPU_ROW_BYTES] __attribute__((aligned(64)));
    uint64_t address[GPU_WARP_LANES] __attribute__((aligned(64)));
    uint8_t values[GPU_WARP_LANES * 16] __attribute__((aligned(64)));
    const uint8_t *stored; /**< what the store in progress writes: values, or a row as it stands */
    GpuAccess access;
    GpuCopies *copies; /**< exec_copy.c; NULL: none was ever asked for */
};

enum { GPU_BARRIERS = 16, GPU_MAX_WARPS = GPU_MAX_BLOCK_THREADS / GPU_WARP_LANES };

typedef struct GpuBarrierState {
    uint32_t arrived[GPU_MAX_WARPS], waiting[GPU_MAX_WARPS];
    uint32_t arrived_threads;
    uint32_t expected; /**< 0: whole block */
    const GpuInstruction *first;
    const GpuInstruction *other; /**< a different instruction that also waits */
    uint32_t other_warp, other_lanes;
    bool all, any; /**< bar.red: of the predicates so far */
    uint32_t votes;
} GpuBarrierState;

struct GpuBlock {
    GpuRun *run;
    uint32_t slot;
    bool busy, stuck;
    GpuDim index;
    uint64_t linear;
    uint32_t threads, warp_count;
    uint32_t alive_threads;
    bool bypassed;       /**< somebody has gone around a barrier since the last one opened */
    bool bypass_told;    /**< the same of any barrier before */
    uint32_t generation; /**< whole-block barriers opened so far */
    uint8_t *uniforms;
    uint8_t *shared;
    uint32_t shared_span;
    GpuWarp *warps;
    uint32_t live_warps;
    GpuBarrierState barriers[GPU_BARRIERS];
    uint32_t barriers_used; /**< those with somebody waiting */
    /* what the slot's memory was made for */
    uint32_t launch; /**< id of the launch whose parameters are in the uniforms */
    const GpuKernel *kernel;
    GpuDim shape;
    uint32_t dynamic_shared, stack_bytes;
    uint8_t *stacks;
    size_t stack_memory;
    bool track;
};

/** Where the system's shared memory lies in block->shared: behind the program's. */
static inline uint32_t block_system_shared(const GpuBlock *block) {
    return (block->shared_span + 63) & ~UINT32_C(63);
}

/* ---- the launch in progress ---- */

typedef struct GpuMistakeKey {
    uint32_t pc;
    GpuSyncMistake mistake;
} GpuMistakeKey;

struct GpuRun {
    Gpu *gpu;
    GpuLaunch launch;
    GpuKernel *kernel;
    const uint8_t *parameters;
    GpuStatus status;
    bool ended;
    bool track;
    uint64_t random;
    uint64_t budget;
    uint64_t pause;       /**< after so many steps the launch looks whether it still gets on */
    GpuProgress *watch;   /**< NULL: nobody watches */
    uint64_t watch_steps; /**< how many steps this watch takes */
    uint32_t stack_bytes; /**< local stack of a lane */
    uint32_t most_depth;  /**< of calls */
    uint32_t resident;
    uint32_t running; /**< blocks started and not finished */
    GpuMistakeKey sent[256];
    unsigned sent_count;
    uint64_t next_block, block_total, order_factor, order_offset;
    uint64_t block_end; /**< the first one of the order that is not run here */
    bool may_divide;    /**< not yet tried */
    GpuSample *sample;  /**< NULL: the blocks that run now are not sampled */
    GpuRange *range;    /**< in a worker: what it fills */
    const volatile uint32_t *crew_refused;
    uint64_t output_before, dropped_before;
    /* launches from device code (children.c): buffers given out, then launches, and those at the tail */
    GpuChild *asked, *children, *last_child, *tails, *last_tail;
    uint32_t child_count;
};

/* ---- memory ---- */

typedef struct GpuMemory {
    uint8_t *base, *const_base;
    unsigned parts, part; /**< how many the addresses have, and the one that is in use; 0: one */
    struct {
        uint64_t top, const_top; /**< next address to give out */
        uint32_t numbered;
    } each[GPU_MAX_PARTS];
    GpuAllocation **sorted; /**< by address */
    unsigned count, capacity;
    GpuAllocation **by_id; /**< [id - 1] */
    unsigned id_count, id_capacity;
    unsigned last; /**< index of the last hit in sorted */
    uint64_t used;
    uint32_t epoch; /**< changes whenever an allocation comes or goes */
} GpuMemory;

typedef struct GpuCode { /**< a run of pcs */
    uint32_t first_pc;
    const GpuFunction *function;
} GpuCode;

enum { GPU_MAX_OBSERVERS = 20 };

/** Texture and surface objects, by number. */
typedef struct GpuTextures {
    struct GpuTexture *items;
    unsigned count, capacity;
} GpuTextures;

/** How the addresses of the lanes in a mask lie. */
enum {
    GPU_ADDRESSES_ADJACENT = 1, /**< one step apart from lane to lane */
    GPU_ADDRESSES_EQUAL = 2,
    GPU_ADDRESSES_ROWS = 4,   /**< 32 lanes: each eight of them adjacent */
    GPU_ADDRESSES_STEPS = 8,  /**< 32 lanes: each eight of them equal */
    GPU_ADDRESSES_INSIDE = 16 /**< within reach, and multiples of the step */
};
/** Where an access may begin: from `first` on, `limit` bytes further at most (below 2^63). */
typedef struct GpuReach {
    uint64_t first, limit;
} GpuReach;
/** Addresses of 32 lanes from the instruction's row of 4- or 8-byte lanes, and how those in the mask lie; the
 * other lanes get the address of the first one in it. */
typedef unsigned GpuAddresses(uint64_t *address, const void *row, const GpuInstruction *ins, uint32_t mask,
                              uint64_t step, const GpuReach *reach);
/** Loads a row of lanes of 4 or 8 bytes; lanes outside the mask keep what they have. `base`: the host's byte
 * behind address 0; every address is valid; `relation`: how the addresses lie. */
typedef void GpuLoadRow(void *d, uintptr_t base, const uint64_t *address, uint32_t mask, unsigned width,
                        unsigned relation);
/** Copies lanes of 4 bytes from row to row. */
typedef void GpuMoveRow(void *d, const void *from, uint32_t mask);
/** Loads 32 lanes of 1 or 2 bytes, which are extended to rows of 4. */
typedef void GpuLoadNarrow(void *d, uintptr_t base, const uint64_t *address, unsigned bytes, bool sign,
                           bool adjacent);

/** The least and the greatest of 32 addresses. */
typedef struct GpuSpan {
    uint64_t low, high;
} GpuSpan;
typedef GpuSpan GpuFindSpan(const uint64_t *address);
/** Where the host has what 32 lanes address in their local memory, from the beginning of all lanes' stacks
 * on. `bottom`: the address of the first byte of a stack. */
typedef void GpuLocalPlaces(uint64_t *place, const uint64_t *address, uint64_t bottom);
/** Of the lanes in the mask, those whose word of 4 bytes no earlier one of the same eight lanes has. */
typedef uint32_t GpuFreshWords(const uint64_t *address, uint32_t mask);

struct Gpu {
    GpuConfig config;
    GpuMemory memory;
    GpuObserver observers[GPU_MAX_OBSERVERS];
    unsigned observer_count;
    const GpuObserver *access_observers[GPU_MAX_OBSERVERS];
    unsigned access_count,
        shared_count; /**< how many there are, and how many of them want shared memory too */
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
    GpuCode *codes;
    unsigned code_count, code_capacity;
    uint32_t next_pc;
    Text output;         /**< what was printed, from output_start on */
    size_t output_start; /**< before it, what was overwritten */
    uint64_t dropped;
    uint64_t limits[GPU_LIMIT_COUNT];
    bool limit_is_fixed[GPU_LIMIT_COUNT];
    uint64_t heap_used;
    GpuBlock *slots[GPU_MAX_RESIDENT_BLOCKS];
    const GpuWarp *running;           /**< NULL: between launches */
    int child_error;                  /**< the last one of a launch from device code */
    uint64_t child_handles;           /**< streams and events made there */
    const struct GpuVariant *variant; /**< what is compiled for this processor */
};

/* For each observer that wants it: GPU_SEND(gpu, freed, allocation). */
#define GPU_SEND(gpu_, member, ...)                                                                          \
    do {                                                                                                     \
        for (unsigned o_ = 0; o_ < (gpu_)->observer_count; o_++)                                             \
            if ((gpu_)->observers[o_].member)                                                                \
                (gpu_)->observers[o_].member((gpu_)->observers[o_].self, __VA_ARGS__);                       \
    } while (0)

/** The instruction's handler is the one that looks at its guard. */
static inline bool gpu_is_guarded(const GpuInstruction *ins) {
    return ins->inner.full != NULL;
}
static inline void *gpu_row(const GpuWarp *warp, GpuRow row) {
    return warp->base[row >> GPU_BASE_SHIFT] + (row & ((1u << GPU_BASE_SHIFT) - 1));
}
/** Where the space's window begins as its own instructions see it: they add 32 bits to that. */
static inline uint64_t gpu_window_start(const GpuInstruction *ins) {
    return ins->space == PTX_SPACE_CONST ? GPU_CONST_BASE : 0;
}
static inline uint64_t gpu_lane_value(const GpuWarp *warp, GpuRow row, unsigned width, unsigned lane) {
    const uint8_t *bytes = gpu_row(warp, row);
    uint64_t wide;
    uint32_t narrow;
    if (width == 8) {
        memcpy(&wide, bytes + lane * 8, 8);
        return wide;
    }
    memcpy(&narrow, bytes + lane * 4, 4);
    return narrow;
}
static inline void gpu_lane_set(const GpuWarp *warp, GpuRow row, unsigned width, unsigned lane,
                                uint64_t value) {
    uint8_t *bytes = gpu_row(warp, row);
    uint32_t narrow = (uint32_t)value;
    if (width == 8)
        memcpy(bytes + lane * 8, &value, 8);
    else
        memcpy(bytes + lane * 4, &narrow, 4);
}

/** The lowest bytes of a value, extended to 64 bits. */
static inline uint64_t gpu_extend(uint64_t value, unsigned bytes, bool sign) {
    unsigned unused = 64 - bytes * 8;
    if (!unused) return value;
    return sign ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}
/** A handler's last word: where the group goes on; when the launch has been ended, NULL, and the group stops
 * behind the instruction. */
static inline const GpuInstruction *gpu_go_on(GpuWarp *warp, const GpuInstruction *ins) {
    if (!warp->run->ended) return ins + 1;
    warp->ended_at = ins;
    return NULL;
}

/* run.c */
/** Ends the launch with that status, unless it has ended already. */
void run_end(GpuRun *run, GpuStatus status);
uint64_t run_random(GpuRun *run);

/* memory.c */
bool memory_init(GpuMemory *memory, unsigned parts);
void memory_destroy(GpuMemory *memory);
/** Without quota and poison questions asked: for variables. */
GpuAllocation *memory_place(Gpu *gpu, uint64_t bytes, uint64_t alignment, GpuAllocationKind kind,
                            uint64_t site);
uint8_t *memory_bytes(const Gpu *gpu, uint64_t address);
bool memory_is_near(const Gpu *gpu, uint64_t address);

/* load.c */
void module_destroy(GpuModule *module);

/* module.c */
const GpuAllocation *module_variable_allocation(const GpuModule *module, const PtxVariable *variable);
uint64_t module_variable_address(const GpuKernel *kernel, const PtxVariable *variable);
uint64_t module_function_address(const GpuModule *module, const PtxFunction *function);
/** The kernel behind a function address; NULL when it is none. */
GpuKernel *module_kernel_at(GpuModule *module, uint64_t address);
/** The decoded function behind a function address; NULL when it is none. */
GpuFunction *module_function_at(const GpuKernel *kernel, uint64_t address);
int module_function_index(const PtxModule *ptx, const PtxFunction *function);
/** The function with that name that has a body; NULL when there is none. */
const PtxFunction *module_definition(const PtxModule *ptx, const PtxFunction *function);

/* decode.c */
/** Decodes the kernel and all it may call, unless that has been done; false with diagnostics (which may be
 * NULL): then it is as before. */
bool decode_kernel(GpuKernel *kernel, Diagnostics *diagnostics);
void decode_free(GpuKernel *kernel);

/** div of f32: to the nearest, or one of the two approximations. */
typedef enum GpuDivision { GPU_DIV_EXACT, GPU_DIV_APPROX, GPU_DIV_FULL } GpuDivision;
GpuDivision exec_division(const PtxInstruction *source);

/* exec_*.c: rows of operations, one table for each file and processor level */
typedef struct GpuOperation {
    PtxOpcode opcode;
    PtxType type, source_type;
    int mode; /**< PtxMode, PtxCompare for setp and set, GpuDivision for div; 0 any */
    GpuHandlers run;
    GpuCompare *compare;
} GpuOperation;
typedef struct GpuOperations {
    const GpuOperation *rows;
    unsigned count;
} GpuOperations;
typedef GpuOperations GpuOperationTable(void);

enum { GPU_OPERATION_TABLES = 3 };
/** What is compiled once for every processor level. */
typedef struct GpuVariant {
    GpuOperationTable *operations[GPU_OPERATION_TABLES];
    GpuAddresses *addresses;
    GpuFindSpan *find_span;
    GpuLoadRow *load_row;
    GpuLoadNarrow *load_narrow;
    GpuMoveRow *move_row;
    GpuLocalPlaces *local_places;
    GpuFreshWords *fresh_words;
} GpuVariant;
/** That of a level up to gpu_processor_level(); all of them give the same results. */
const GpuVariant *variant_at(unsigned level);
/** The row for an instruction, in the tables for this processor; NULL when there is none. */
const GpuOperation *variant_find(const Gpu *gpu, PtxOpcode opcode, PtxType type, PtxType source_type,
                                 int mode);
/** The scalar fallback for an instruction, or NULL. */
GpuScalar *exec_scalar_find(const PtxInstruction *source);

/* schedule.c, warp.c */
void warp_start(GpuWarp *warp);
int64_t warp_run(GpuWarp *warp, int64_t slice);
/** Frees lanes parked where siblings will not come soon; false when there were none. */
bool warp_release_parked(GpuWarp *warp);
/** Sends the run of instructions from warp->start up to that ordinal, which is not counted. */
void event_executed(const GpuWarp *warp, uint32_t end);
/** Counts the instructions from warp->start up to the one with ordinal `end`, which is not counted. */
void warp_count(GpuWarp *warp, uint32_t end);
/** Saves the current group: counts `ins` too, goes on at ins + 1 when it is runnable again. Returns NULL. */
const GpuInstruction *warp_stop(GpuWarp *warp, const GpuInstruction *ins, GpuGroupState state);
/** The current group ends. */
void warp_exit(GpuWarp *warp, const GpuInstruction *ins);
/** The current group has returned from its frame, which is not the kernel's. */
const GpuInstruction *warp_return(GpuWarp *warp, const GpuInstruction *ins);
/** Lanes that are past the end of a branch, or of a call, in which the group still is; at the kernel's own
 * end they only end. */
uint32_t warp_lanes_ahead(const GpuGroup *group);
/** A join of the lanes in mask, inside `parent`. */
GpuJoin *warp_new_join(GpuWarp *warp, GpuJoin *parent, const GpuInstruction *at, uint32_t expected);
/** The current group has come to its join's instruction; returns where to go on, or NULL. */
const GpuInstruction *warp_arrive(GpuWarp *warp, const GpuInstruction *at);
void warp_park(GpuWarp *warp, GpuGroup *group, GpuJoin *join);
GpuGroup *warp_new_group(GpuWarp *warp);
void warp_set_state(GpuWarp *warp, GpuGroup *group, GpuGroupState state);
void warp_free_group(GpuWarp *warp, GpuGroup *group);
/** A frame for the lanes, inside `caller`; NULL when the stack is full or there is no memory (the run has
 * been ended). */
GpuFrame *warp_new_frame(GpuWarp *warp, GpuFunction *function, GpuFrame *caller, uint32_t lanes);
void warp_enter(GpuWarp *warp, GpuGroup *group);
void warp_free_frame(GpuWarp *warp, GpuFrame *frame);
/** Makes one runnable group of two with the same next instruction and frame. */
void warp_merge(GpuWarp *warp, GpuGroup *into, GpuGroup *from);
/** Frees the warp's frames and joins. */
void warp_destroy(GpuWarp *warp);
/** Takes back frames and joins that a launch left behind when it ended early. */
void warp_reset(GpuWarp *warp);

/* barrier.c */
void barrier_arrive(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, int number, uint32_t expected,
                    bool waits);
/** Opens the barriers that can open now that lanes have exited. */
void barrier_check_all(GpuBlock *block);

/* exec_flow.c */
/** Remembers in the launch who stopped it, and where. */
void flow_note_stop(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
GpuHandler flow_join, flow_branch, flow_branch_if, flow_branch_bypass, flow_skip, flow_guard, flow_exit,
    flow_return, flow_nop, flow_trap, flow_illegal, flow_barrier, flow_barrier_red, flow_arrive, flow_table,
    flow_local_address, flow_clock, flow_fence;

/* exec_mem.c */
GpuHandler memory_load, memory_store, memory_atomic, memory_local_load, memory_local_store, memory_param_load,
    memory_copy_load, memory_copy_store, memory_copy_commit, memory_copy_wait;
/* exec_copy.c: what becomes of the copies of lanes that exit, and of a warp that starts anew or goes */
void memory_copy_exit(GpuWarp *warp, uint32_t lanes);
void memory_copy_reset(GpuWarp *warp);
void memory_copy_destroy(GpuWarp *warp);

/* exec_stack.c */
GpuHandler stack_allocate, stack_save, stack_restore;
/** What lies behind the frame in the lane's stack, as an offset from its bottom. */
uint32_t stack_top(const GpuFrame *frame, unsigned lane);
/** Where a function that these lanes call finds room: behind all of theirs, aligned to 16. */
uint32_t stack_top_of_all(const GpuFrame *frame, uint32_t lanes);

/* exec_mbarrier.c */
GpuHandler mbarrier_test;

/* exec_wide.c */
GpuHandler wide_pack, wide_unpack, wide_move;

/* exec_texture.c, exec_surface.c */
GpuHandler texture_fetch, texture_gather, texture_query, surface_load, surface_store, surface_reduce;

/* exec_warp.c */
GpuHandler warp_shfl, warp_vote, warp_match, warp_active_mask, warp_redux, warp_elect, warp_sync_lanes,
    warp_meet_all;

/* exec_matrix.c */
GpuHandler matrix_product, matrix_address, matrix_load_rows, matrix_store_rows, matrix_spread, matrix_collect,
    matrix_transpose;

/* exec_scalar.c */
GpuHandler scalar_lanes, scalar_predicate, scalar_pack, scalar_unpack, scalar_setp, scalar_table,
    scalar_carry;

/* call.c */
GpuHandler call_function, call_library;

/* printf.c */
void printf_run(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, const uint64_t *formats,
                const uint64_t *arguments, uint64_t *result);
/** The C string at a generic address, cut to capacity. */
void printf_read_string(GpuWarp *warp, unsigned lane, uint64_t address, char *to, size_t capacity);

/* events.c */
void event_branch(const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken);
void event_sync(GpuRun *run, GpuSyncEvent *event);
/** local_count.c: of a decoded function (false without memory); of the run that ends before instruction
 * `end`; of lanes that go to places of their own, in warp->address, or all to one. */
bool local_count_make(GpuFunction *function);
void local_count_run(const GpuWarp *warp, uint32_t end);
void local_count_lanes(const GpuWarp *warp, uint32_t lanes, uint64_t bytes, bool writes, bool together);
void event_undefined(GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use, uint32_t origin);

#endif
