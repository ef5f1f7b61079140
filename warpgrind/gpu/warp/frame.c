/* frame.c - the frames of functions that lanes are in: made at a call, left by lanes as they return. */

#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory.h"
#include "gpu/warp/warp.h"

#include <stdlib.h>

enum { POISON = POISON_DEVICE_BYTE };

/* ---- frames ---- */

static GpuFrame *frame_allocate(GpuFunction *function) {
    size_t registers = (function->frame_bytes + 63u) & ~(size_t)63;
    size_t meta = function->ptx->register_count * sizeof(GpuMeta);
    GpuFrame *frame = calloc(1, sizeof *frame);
    if (!frame) return NULL;
    frame->registers = aligned_alloc(64, (registers + meta + 320 + 63) & ~(size_t)63);
    if (!frame->registers) {
        free(frame);
        return NULL;
    }
    memset(frame->registers, POISON, registers + 256);
    frame->meta = (GpuMeta *)(void *)(frame->registers + registers + 256);
    frame->function = function;
    frame->undefined = true; /* its meta has not been set yet */
    return frame;
}

/** A frame of the function that is free, or a new one: a function that is called in a loop uses one frame
 * all the time. */
static GpuFrame *warp_take_frame(GpuWarp *warp, GpuFunction *function) {
    for (GpuFrame **link = &warp->free_frames; *link; link = &(*link)->next_free)
        if ((*link)->function == function) {
            GpuFrame *frame = *link;
            *link = frame->next_free;
            return frame;
        }
    GpuFrame *frame = frame_allocate(function);
    if (frame) {
        frame->next_all = warp->all_frames;
        warp->all_frames = frame;
    }
    return frame;
}

/** Fresh local memory for the lanes: poison that comes from nowhere. */
static void frame_clear_local(GpuWarp *warp, const GpuFrame *frame, uint32_t lanes) {
    uint32_t first = frame->local_base, bytes = frame->function->stack_bytes;
    bool all = lanes == warp->alive;
    if (all) memset(warp->local + (size_t)first * GPU_WARP_LANES, POISON, (size_t)bytes * GPU_WARP_LANES);
    if (!warp->run->track) return;
    for (uint32_t i = 0; i < bytes; i++)
        warp->local_undefined[first + i] |= lanes;
    memset(warp->local_origin + first / 4, 0, bytes);
}

/** The frame's local memory begins behind all that the lanes' callers use. Depth and stack are bounded,
 * so that a recursion without end is an error and no crash. */
GpuFrame *frame_new(GpuWarp *warp, GpuFunction *function, GpuFrame *caller, uint32_t lanes) {
    uint32_t base = 0;
    if (caller) base = stack_top_of_all(caller, lanes);
    uint32_t depth = 0;
    if (caller) depth = caller->depth + 1;
    if (base + function->stack_bytes > warp->run->stack_bytes || depth > warp->run->most_depth) {
        run_end(warp->run, GPU_STACK_OVERFLOW);
        return NULL;
    }
    GpuFrame *frame = warp_take_frame(warp, function);
    if (!frame) {
        run_end(warp->run, GPU_OUT_OF_MEMORY);
        return NULL;
    }
    frame->caller = caller;
    frame->returned = NULL;
    frame->lanes = lanes;
    frame->ahead = 0;
    frame->local_base = base;
    frame->grown = false;
    frame->depth = depth;
    frame->card_stack = 0;
    const bool looked_at = warp->run->gpu->stepper != NULL;
    frame->words = NULL;
    if (warp->run->track) {
        frame->words = warp->local_undefined + base;
        undefined_begin(frame, looked_at);
    }
    if (looked_at || !function->words_sure) frame_clear_local(warp, frame, lanes);
    return frame;
}

void frame_free(GpuWarp *warp, GpuFrame *frame) {
    frame->next_free = warp->free_frames;
    warp->free_frames = frame;
}

/** Lets the lanes that have returned go on behind the call. */
void frame_release(GpuWarp *warp, GpuFrame *frame) {
    GpuGroup *group = frame->returned;
    frame->returned = NULL;
    frame->lanes &= ~group->mask;
    frame->ahead |= group->mask;
    group->frame = frame->caller;
    group->join = frame->caller_join;
    group->next = frame->call + 1;
    warp_set_state(warp, group, GROUP_RUNNABLE);
    if (!frame->lanes) frame_free(warp, frame);
}

void frame_settle(GpuWarp *warp, GpuFrame *frame) {
    if (frame->returned && frame->returned->mask == frame->lanes)
        frame_release(warp, frame);
    else if (!frame->lanes && frame->caller)
        frame_free(warp, frame);
}

/** The joins of this frame that a returning group has not come to. */
static void warp_drop_frame_joins(GpuWarp *warp, GpuGroup *group) {
    GpuJoin *first = group->join;
    group->join = group->frame->caller_join;
    warp_leave_joins(warp, first, group->frame->caller_join, group->mask);
}

/** The group waits as GROUP_RETURNED for the lanes still inside of the frame, unless it was the last. */
const GpuInstruction *frame_return(GpuWarp *warp, const GpuInstruction *ins) {
    GpuGroup *group = warp->current;
    GpuFrame *frame = group->frame;
    warp_stop(warp, ins, GROUP_RETURNED);
    if (group->join != frame->caller_join) warp_drop_frame_joins(warp, group);
    if (frame->returned) {
        frame->returned->mask |= group->mask;
        warp_free_group(warp, group);
    } else {
        frame->returned = group;
    }
    frame_settle(warp, frame);
    return NULL;
}

/** Whether the lanes that go on here do nothing any more but end. */
static bool join_is_end(const GpuJoin *join) {
    const GpuInstruction *at = join->at;
    while (at->step == STEP_flow_join)
        at++;
    return at->step == STEP_flow_exit;
}

uint32_t frame_lanes_ahead(const GpuGroup *group) {
    uint32_t ahead = 0;
    for (const GpuJoin *join = group->join; join; join = join->parent)
        if (join->ahead && !join_is_end(join)) ahead |= join->ahead;
    for (const GpuFrame *frame = group->frame; frame->caller; frame = frame->caller)
        ahead |= frame->ahead;
    return ahead;
}
