/* unfinished.h - kernels that still wait in their streams when the program ends. */
#pragma once

#include "device/state/state.h"

/** Without a wait for them the program may have missed their results: one finding, at the last of them. */
void unfinished_report(Device *device);
