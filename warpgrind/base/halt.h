/* halt.h - how whoever started a device tells it to end the launch that it runs, and to report what was found
 * so far. */
#ifndef BASE_HALT_H
#define BASE_HALT_H

#include <signal.h>

enum { HALT_SIGNAL = SIGUSR1 };

#endif
