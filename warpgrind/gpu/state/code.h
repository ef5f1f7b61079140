/* code.h - decoded code: what the decoder makes of a PTX function, and the handlers read.
 *
 * A register of a warp is a row: 32 lanes of 4 bytes (types of up to 32 bits) or of 8. A decoded instruction
 * names rows by a GpuRow: which of the warp's bases, and the offset from it. Immediates are rows too
 * (broadcast once when decoding), and so are tid and its like (per warp), ctaid and the kernel's parameters
 * (per block), and words of the local frame; so a handler only ever sees rows. A predicate is one 32-bit word
 * in the frame, a bit a lane.
 */
#pragma once

#include "gpu/gpu.h"

typedef struct GpuInstruction GpuInstruction;
typedef struct GpuFunction GpuFunction;
typedef struct GpuSpeculation GpuSpeculation;
typedef struct GpuLibraryEntry GpuLibraryEntry;

/* ---- rows ---- */

/** Which of GpuWarp.base, and how far behind it. */
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
/** In place of a register's number: there is none to keep definedness of. */
#define GPU_NO_REGISTER UINT16_MAX

/* ---- instructions ---- */

/** Executes one instruction for the lanes in `mask`; returns the next one, or NULL when the group has to
 * stop: then its state has been saved, or the launch has ended (gpu_go_on). */
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

/** What an instruction does: the rows of steps.def. */
typedef enum GpuStep {
    STEP_operation, /**< a row of a GpuOperation table (variant.h) */
#define STEP(name) STEP_##name,
#include "gpu/state/steps.def"
#undef STEP
} GpuStep;

/* The handlers that steps are named after; each lies in the room that its row stands under. */
#define STEP(name) GpuHandler name;
#include "gpu/state/steps.def"
#undef STEP

/** Whether an instruction only moves a word of the local frame, which has a fixed place, from or to a row. */
typedef enum GpuFrameWord { GPU_FRAME_NOT, GPU_FRAME_LOAD, GPU_FRAME_STORE } GpuFrameWord;

/** What a guard decides on, and what it guards. */
typedef struct GpuGuard {
    GpuHandlers
        inner; /**< NULL: the instruction is not guarded, or it is a branch, which asks its guard itself */
    GpuShadow *shadow; /**< the guarded instruction's */
    uint32_t place;    /**< of the predicate in the frame; valid with a guard alone */
    uint32_t flip;     /**< all ones for @!%p */
    uint16_t number;   /**< of the predicate's register */
} GpuGuard;

/** Where a branch leads. */
typedef struct GpuBranch {
    const GpuInstruction *target; /**< NULL: the branch has a table of targets in `extra` */
    const GpuInstruction *meet;   /**< the join where the sides meet again, or NULL */
    const GpuInstruction *bypass_taken, *bypass_through; /**< barriers gone around on either side, or NULL */
} GpuBranch;

/** Where an instruction finds its place in memory: `a` has the address, or the place is fixed in the local
 * frame (frame_word). */
typedef struct GpuPlaceInMemory {
    int64_t offset;        /**< is added to the address; of a word of the frame: the place */
    const PtxLocal *array; /**< the local array that the address was made from; NULL: unknown */
    uint32_t cache;        /**< index into function->caches */
    uint8_t space;         /**< PtxSpace */
    uint8_t address_width; /**< lane bytes of a */
    bool wraps;            /**< the address has 32 bits, whatever its register has (PTX ISA 5.1) */
    bool speculative;      /**< a load whose value may be wanted in some lanes only (speculation.h) */
    bool sign;             /**< what is loaded is sign-extended */
    bool gives_way;        /**< an atomic whose old value is used: others may come before what follows */
} GpuPlaceInMemory;

/** One step of a warp: its handlers, what they work on, and for definedness which registers. A PtxInstruction
 * becomes one or several of them, side by side. */
struct GpuInstruction {
    GpuHandlers run;
    const GpuInstruction *next; /**< what is executed after it, unless it leads elsewhere: ins + 1, or behind
                                   the presets that stand there (presets.c) */
    GpuRow d, a, b, c;
    GpuShadow *shadow;       /**< NULL: nothing to do */
    GpuShadow *frame_shadow; /**< the same while all registers are defined: that of local memory */
    GpuFunction *function;
    const PtxInstruction *source;
    uint32_t pc;
    uint32_t ordinal; /**< index in the PtxFunction: counts instructions */
    uint32_t extra;   /**< first of this instruction's entries in function->extra */
    uint16_t defines; /**< register numbers for definedness; GPU_NO_REGISTER: none */
    uint16_t uses[4];
    uint16_t address_register; /**< that of an address or a called function's; of setp's second predicate */
    uint8_t use_count;
    uint8_t step;       /**< GpuStep; with a guard, that of what is guarded */
    uint8_t frame_word; /**< GpuFrameWord */
    uint8_t width;      /**< lane bytes of d: 4 or 8 */
    uint8_t bytes;      /**< memory: of one element; else of the value */
    uint8_t count;      /**< of the entries in `extra`: elements, parts */
    bool flip_c;        /**< predicate operand c is negated */
    bool preset;        /**< executed when a launch begins (presets.c) */
    GpuGuard guard;
    union { /**< by step */
        GpuBranch branch;
        GpuPlaceInMemory memory;
    };
    union { /**< by step as well */
        GpuCompare *compare;
        GpuScalar *scalar;
        const struct GpuCall *call;
        uint64_t bits;
    } u;
};

/** The instruction's handler is the one that looks at its guard. */
static inline bool gpu_is_guarded(const GpuInstruction *ins) {
    return ins->guard.inner.full != NULL;
}
/** Where the space's window begins as its own instructions see it: they add 32 bits to that. */
static inline uint64_t gpu_window_start(const GpuInstruction *ins) {
    if (ins->memory.space == PTX_SPACE_CONST) return GPU_CONST_BASE;
    return 0;
}

/* ---- functions ---- */

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

/** How the lanes of a memory instruction lay to each other when they were neither side by side nor in one
 * place: most often they lie so again. */
typedef struct GpuPattern {
    uint64_t further[GPU_WARP_LANES]; /**< from the first lane's address; 0 for lanes that do not take part */
    uint64_t below, above;            /**< to the least and the greatest address */
    uint64_t number;                  /**< of all patterns of the machine; 0: it has not come again yet */
    uint64_t step;                    /**< bytes a lane */
    uint32_t mask;                    /**< 0: no pattern is kept */
    uint32_t misses;                  /**< in a row */
    unsigned relation;                /**< GPU_ADDRESSES_ROWS and GPU_ADDRESSES_STEPS */
    bool aligned;                     /**< to the step, as far as the first lane is */
} GpuPattern;

/** A call of a function in the module, of one of the library, or through a pointer. */
typedef struct GpuCall {
    GpuFunction *callee;            /**< NULL: indirect or library */
    const GpuLibraryEntry *library; /**< or NULL */
    unsigned argument_count, result_count;
    uint32_t arguments[64], argument_bytes[64]; /**< offsets in the caller's local frame */
    uint32_t results[4], result_bytes[4];
} GpuCall;

/** A function as it is executed for one kernel. It may be called by several kernels, and is decoded for each:
 * shared variables and parameters have other places there. */
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
    const PtxLocal **frame_array; /**< [register] the local array that it points into; NULL: unknown */
    uint32_t frame_bytes;
    uint32_t local_bytes; /**< the function's own .local */
    uint32_t param_base;  /**< where its .param area begins in the local frame */
    uint32_t stack_bytes; /**< both, rounded up to 16 */
    uint32_t card_frame;  /**< what a card's compiler makes of it, at least; 0: a loop */
    GpuExtra *extra;
    uint32_t extra_count;
    size_t extra_capacity;
    GpuRegionCache *caches;
    GpuPattern *patterns; /**< as many */
    uint32_t cache_count;
    GpuCall *calls;
    uint32_t call_count;
    PtxInstruction *fused; /**< what stands for sums that took in a product */
    uint32_t fused_count;
    /** [instruction] words at fixed places of the frame that all before it load, and in the upper half store;
     * NULL: it uses no local memory so */
    uint64_t *local_sums;
    bool formals_addressed; /**< the address of a parameter is taken */
    bool reads_unset;       /**< a register may be read before it has a value (assigned.c) */
    bool words_sure;        /**< and no word of its frame may, which nothing else reaches (the same) */
    uint32_t *presets; /**< indices of instructions that give the same in all of a launch, in their order */
    uint32_t preset_count;
    bool *decides; /**< [instruction] its result decides (deciding.c), or what it stores is made of such
                      values; NULL: not asked yet */
    GpuSpeculation *speculation;     /**< NULL: the function has no speculative loads */
    const GpuInstruction *last_call; /**< of this function, wherever; NULL: none yet */
};
