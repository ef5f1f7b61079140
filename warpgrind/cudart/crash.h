/* crash.h - between the signal handler and the session. */
#ifndef CUDART_CRASH_H
#define CUDART_CRASH_H

#include <stdint.h>

/** Async-signal-safe: tells the device that the program dies at `instruction` after touching `address`. */
void client_tell_crash(uint64_t signal_number, uint64_t address, uint64_t instruction);

#endif
