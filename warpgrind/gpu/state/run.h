/* run.h - the launch in progress, and what every room may do to it. */
#pragma once

#include "gpu/state/block.h"

typedef struct GpuProgress GpuProgress;
typedef struct GpuSample GpuSample;
typedef struct GpuChild GpuChild;

/** A mistake in synchronising is sent once from each place. */
typedef struct GpuMistakeKey {
    uint32_t pc;
    GpuSyncMistake mistake;
} GpuMistakeKey;

/** The launch in progress. */
struct GpuRun {
    Gpu *gpu;
    GpuLaunch launch;
    GpuKernel *kernel;
    const uint8_t *parameters;
    GpuStatus status;
    GpuStatus fault; /**< of the first access that a card would have stopped at; GPU_OK: there was none */
    uint32_t faults;
    bool ended;
    bool gives_way; /**< the warp that runs now lets others go first */
    bool track;
    uint64_t random;
    uint64_t budget;
    uint64_t pause;                      /**< after so many steps the launch looks whether it still gets on */
    uint64_t finished_at;                /**< steps when a block last finished */
    GpuProgress *watch;                  /**< NULL: nobody watches */
    uint64_t watch_steps;                /**< how many steps this watch takes */
    uint64_t tests_failed, tests_passed; /**< of mbarriers: whether a phase is over */
    uint64_t tests_look;                 /**< after so many that failed the launch looks, too */
    uint64_t clock_ahead;                /**< time that passed while all waited in vain */
    uint64_t waited;                     /**< steps of rounds in which a warp waits (waiting.h) */
    uint64_t asked_at, waited_by_then;   /**< steps, and those, when it was last asked who waits */
    uint64_t ask_next;                   /**< after so many steps it is asked again */
    uint32_t stack_bytes;                /**< local stack of a lane */
    uint32_t most_depth;                 /**< of calls */
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

/** Ends the launch with that status, unless it has ended already. */
void run_end(GpuRun *run, GpuStatus status);
/** An access that a card would have stopped the launch at, with that status. Here it is left out, what it
 * reads is poison, and the launch goes on for a while, so that what else is wrong is seen too; it ends with
 * that status. */
void run_fault(GpuRun *run, GpuStatus status);
/** The blocks that have ended. */
static inline uint64_t run_blocks_done(const GpuRun *run) {
    return run->next_block - run->running;
}
/** The next number of the launch's own sequence. */
uint64_t run_random(GpuRun *run);

/** A handler's last word: where the group goes on; when the launch has been ended, NULL, and the group stops
 * behind the instruction. */
static inline const GpuInstruction *gpu_go_on(GpuWarp *warp, const GpuInstruction *ins) {
    if (!warp->run->ended) return ins->next;
    warp->stopped_at = ins;
    return NULL;
}
/** The same where all others are to have a turn before what comes next. */
static inline const GpuInstruction *gpu_give_way(GpuWarp *warp, const GpuInstruction *ins) {
    warp->run->gives_way = true;
    warp->stopped_at = ins;
    return NULL;
}
