/* dap.h - `warpgrind debug --dap`: the debugger as an editor speaks to it, by the Debug Adapter Protocol on
 * the standard input and output (docs/debug-adapter.md). */
#pragma once

#include "device/options.h"

/** Serves one session, which the editor's `launch` begins; `device` is what that does not say. Returns the
 * exit status. */
int dap_serve(const DeviceOptions *device);
