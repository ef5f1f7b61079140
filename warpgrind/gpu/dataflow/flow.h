/* flow.h - what values of a kernel are made of, and whether that decides where threads go or what they touch.
 *
 * A value begins at an origin (GpuOrigin): memory, a function that a card has otherwise, a clock. All that is
 * made from it has its origins too. Registers and words of the local frame are followed through all functions
 * of the kernel; once one has an origin, it has it everywhere. Only the words in which calls hand over
 * arguments and results, which many calls share, are followed in the order of the text, within a basic block.
 */
#pragma once

#include "gpu/state/machine.h"

/** A set of GpuOrigin. */
typedef uint8_t FlowOrigins;

/** One function. */
typedef struct FlowFunction {
    const GpuFunction *function;
    FlowOrigins *registers; /**< [register] */
    FlowOrigins *words;     /**< [word of the frame] */
    FlowOrigins *loaded;    /**< [instruction] what a load finds besides DATA; at first nothing */
    bool *passing; /**< [word of the frame] arguments and results of calls: as the last store left it */
    bool *starts;  /**< [instruction] of a basic block */
} FlowFunction;

struct Flow {
    const GpuKernel *kernel;
    FlowFunction *functions; /**< [function of the module]; those that the kernel does not have are zero */
    FlowOrigins frames;      /**< may have been stored through a pointer into some frame */
    FlowOrigins shared;      /**< may lie in shared memory, besides DATA */
    FlowOrigins present;     /**< begin in the kernel's own code */
    FlowOrigins found;       /**< and these come from elsewhere: what any load has found */
    FlowOrigins printed;     /**< may be printed by the kernel */
    FlowOrigins branches;    /**< decide a branch, a barrier, or which lanes take part */
    FlowOrigins addresses;   /**< decide what is touched */
    bool exposed;            /**< a pointer to a local variable may be anywhere */
    bool unknown;            /**< the kernel does something that is not followed */
    bool changed, settled;   /**< settled: all has been found */
};
typedef struct Flow Flow;

/** A kernel that has been decoded; nothing is known yet. False without memory: flow_end all the same. */
bool flow_begin(Flow *flow, const GpuKernel *kernel);
/** Goes on until nothing more is found: origins only ever grow, so that this ends. */
void flow_find(Flow *flow);
void flow_end(Flow *flow);
/** NULL when the kernel does not have the function. */
FlowFunction *flow_of(const Flow *flow, const PtxFunction *function);
/** Of what the store or the atomic puts into memory. */
FlowOrigins flow_stored(const Flow *flow, const FlowFunction *of, const PtxInstruction *instruction);

/** An instruction whose result a card takes from a table. */
static inline bool flow_approximates(const PtxInstruction *instruction) {
    return instruction->modifiers.approx || instruction->modifiers.full;
}
