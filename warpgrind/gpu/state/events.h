/* events.h - events that several rooms send, each with what has to be known of it. */
#pragma once

#include "gpu/state/machine.h"

/** A branch, and after it that its lanes go either way, if they do. */
void event_branch(const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken);
/** The run of instructions from warp->start up to that ordinal, which is not counted. */
void event_executed(const GpuWarp *warp, uint32_t end);
/** A mistake in synchronising; once in a launch from each place. */
void event_sync(GpuRun *run, GpuSyncEvent *event);
void event_undefined(GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use, uint32_t origin);
