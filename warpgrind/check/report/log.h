/* log.h - the observers that log launches and copies, and tell all others which launch runs. */
#pragma once

#include "check/findings/parts.h"

bool log_create(Check *check);
GpuObserver log_observer(Check *check);
GpuObserver log_last_observer(Check *check); /**< attached after all others */
