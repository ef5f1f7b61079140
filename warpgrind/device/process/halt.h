/* halt.h - how the device is told to end the launch that it runs, so that what was found so far can be
 * reported. The flag lies in memory that the workers of a divided launch share. */
#pragma once

#include "base/halt.h"

#include <stdbool.h>

/** From here on HALT_SIGNAL sets the flag. NULL without memory. */
const volatile int *halt_watch(void);
/** Whether the signal has come. */
bool halt_came(void);
