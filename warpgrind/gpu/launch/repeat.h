/* repeat.h - launches that do again exactly what an earlier one did, and so need not be watched again.
 *
 * A launch that nothing was said about is kept when its kernel is steady: which places it touches, in which
 * order, and where its threads go does not depend on data. A later launch of the same kernel, shape and
 * parameters then touches the same places in the same order. Whatever was not said of the first cannot be
 * said of the second, as long as
 *   - no memory has come or gone, and no constant was written, since;
 *   - what was defined is still defined: the first launch met no undefined value, and nothing since then has
 *     made a defined byte undefined (gpu_forget_repeats);
 *   - nobody else has written into the arrays that the first one wrote, so that its records of who wrote what
 *     still hold;
 *   - each observer agrees, which may have reasons of its own.
 * Such a launch runs without observers and without definedness; launch_begin and launch_end are sent, and
 * GpuLaunch.repeats names the earlier one.
 *
 * Where a kernel reads none of the arrays that it writes, and neither have changed since, it would compute
 * what is in memory already: then it is not executed at all (GpuLaunch.stands). Each array has a number that
 * changes whenever somebody may have written there; memory that the host can reach by itself has none.
 */
#pragma once

#include "gpu/state/machine.h"

/* repeat.c */
/** Sets run->launch.repeats when the launch may go unwatched. */
void repeat_look(GpuRun *run);
/** From here on nobody is told of what the launch does; until repeat_wake. */
void repeat_rest(GpuRun *run);
void repeat_wake(GpuRun *run);
/** The launch need not be executed either: it reads nothing that has changed since the earlier one, and what
 * that one wrote is still there. Then run->launch has the earlier one's totals. */
bool repeat_stands(GpuRun *run);
/** The launch has ended and observers know: keeps it, when it may be repeated. */
void repeat_keep(GpuRun *run);
void repeat_destroy(GpuRepeats *repeats);
