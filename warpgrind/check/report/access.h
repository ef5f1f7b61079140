/* access.h - what becomes of each access: the keeper and the observer that give it to those that look at it.
 */
#pragma once

#include "check/findings/parts.h"

/** Of definedness; no function where nothing is to be kept. */
GpuKeeper access_keeper(Check *check);
GpuObserver access_observer(Check *check);
