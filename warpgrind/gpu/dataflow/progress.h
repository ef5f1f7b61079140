/* progress.h - a watch of a launch that has taken many steps: does anything still change? */
#pragma once

#include "gpu/state/machine.h"

/** Begin and end a watch of the launch; false without memory. */
bool progress_begin(GpuRun *run);
void progress_end(GpuRun *run);
/** Before each instruction, while the launch is watched. */
void progress_look(GpuProgress *progress, GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** Each access, while the launch is watched. */
void progress_access(GpuProgress *progress, const Gpu *gpu, const GpuAccess *access);
/** An access of all its lanes to memory that they leave as it was. */
bool progress_keeps(const Gpu *gpu, const GpuAccess *access);
/** Nothing that decides anything has changed since the watch began, and everybody has been seen to do it
 * again. */
bool progress_is_stuck(const GpuRun *run);
/** Nothing has changed so far, but not everybody has been seen often enough. */
bool progress_is_open(const GpuRun *run);
/** All who can run ask whether a phase of an mbarrier is over, or look at memory and the time, and change
 * nothing that others can see. */
bool progress_only_time_passes(const GpuRun *run);
/** What they wait for will not come, whatever time it is. */
bool progress_waits_in_vain(const GpuRun *run);
void progress_tell(const GpuRun *run, GpuSyncEvent *event);
