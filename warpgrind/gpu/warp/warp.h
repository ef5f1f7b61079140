/* warp.h - a warp's groups as they part, wait, meet, call and return; barriers; printf. */
#pragma once

#include "gpu/state/events.h"

/* ---- groups and joins: warp.c ---- */

/** Puts all lanes at the kernel's beginning. */
void warp_start(GpuWarp *warp);
/** Runs the warp for about so many instructions, or until none of its groups can go on; how many it were. */
int64_t warp_run(GpuWarp *warp, int64_t slice);
/** Frees lanes parked where siblings will not come soon; false when there were none. */
bool warp_release_parked(GpuWarp *warp);
/** Counts the instructions from warp->start up to the one with ordinal `end`, which is not counted. */
void warp_count(GpuWarp *warp, uint32_t end);
/** Saves the current group: counts `ins` too, goes on at ins + 1 when it is runnable again. Returns NULL. */
const GpuInstruction *warp_stop(GpuWarp *warp, const GpuInstruction *ins, GpuGroupState state);
/** The current group ends. */
void warp_exit(GpuWarp *warp, const GpuInstruction *ins);
/** A join of the lanes in mask, inside `parent`. */
GpuJoin *warp_new_join(GpuWarp *warp, GpuJoin *parent, const GpuInstruction *at, uint32_t expected);
/** The current group has come to its join's instruction; returns where to go on, or NULL. */
const GpuInstruction *warp_arrive(GpuWarp *warp, const GpuInstruction *at);
/** The group waits at the join for the lanes that still come there. */
void warp_park(GpuWarp *warp, GpuGroup *group, GpuJoin *join);
GpuGroup *warp_new_group(GpuWarp *warp);
void warp_set_state(GpuWarp *warp, GpuGroup *group, GpuGroupState state);
void warp_free_group(GpuWarp *warp, GpuGroup *group);
/** The group is the one that runs now. */
void warp_enter(GpuWarp *warp, GpuGroup *group);
/** Registers, constants and words are those of the frame from here on. */
void warp_use_frame(GpuWarp *warp, GpuFrame *frame);
/** Makes one runnable group of two with the same next instruction and frame. */
void warp_merge(GpuWarp *warp, GpuGroup *into, GpuGroup *from);
/** Frees the warp's frames and joins. */
void warp_destroy(GpuWarp *warp);
/** Takes back frames and joins that a launch left behind when it ended early. */
void warp_reset(GpuWarp *warp);

/** Takes the lanes out of the joins from `join` up to but without `end`. */
void warp_leave_joins(GpuWarp *warp, GpuJoin *join, const GpuJoin *end, uint32_t lanes);

/* ---- frames: frame.c ---- */

/** A frame for the lanes, inside `caller`; NULL when the stack is full or there is no memory (the run has
 * been ended). */
GpuFrame *frame_new(GpuWarp *warp, GpuFunction *function, GpuFrame *caller, uint32_t lanes);
void frame_free(GpuWarp *warp, GpuFrame *frame);
/** The current group has returned from its frame, which is not the kernel's. */
const GpuInstruction *frame_return(GpuWarp *warp, const GpuInstruction *ins);
/** Lets the lanes that have returned go on behind the call. */
void frame_release(GpuWarp *warp, GpuFrame *frame);
/** The same if nobody else is inside any more; frees a frame that nobody is in. */
void frame_settle(GpuWarp *warp, GpuFrame *frame);
/** Lanes that are past the end of a branch, or of a call, in which the group still is; at the kernel's own
 * end they only end. */
uint32_t frame_lanes_ahead(const GpuGroup *group);

/* ---- barriers: barrier.c ---- */

/** Lanes come to a barrier; with `waits` they stay until it opens. `expected`: threads, 0: the whole block.
 */
void barrier_arrive(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, int number, uint32_t expected,
                    bool waits);
/** Opens the barriers that can open now that lanes have exited. */
void barrier_check_all(GpuBlock *block);

/* ---- control flow: exec_flow.c ---- */

/** Remembers in the launch who stopped it, and where. */
void flow_note_stop(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** Executes what its guard lets through. */
GpuHandler flow_guard;

/* ---- printf.c ---- */

/** Prints for each lane its format with the arguments packed at its pointer; the results are as printf's. */
void printf_run(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes, const uint64_t *formats,
                const uint64_t *arguments, uint64_t *result);
/** The C string at a generic address, cut to capacity. */
size_t printf_read_string(GpuWarp *warp, unsigned lane, uint64_t address, char *to, size_t capacity);
