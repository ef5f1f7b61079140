/* halt.h - how whoever started a device tells it to end the launch that it runs, and to report what was found
 * so far. */
#pragma once

#include <signal.h>

enum { HALT_SIGNAL = SIGUSR1 };
