/* crash.h - between the signal handler and the session. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Async-signal-safe: tells the device that the program dies at `instruction` after touching `address`. */
void client_tell_crash(uint64_t signal_number, uint64_t address, uint64_t instruction,
                       uint64_t stack_pointer);
/** Async-signal-safe: false when the fault has nothing to do with watched memory; else the access may be
 * repeated, and when *again client_touch_again called right behind it. */
bool client_tell_touch(uint64_t address, uint64_t instruction, bool write, bool *again);
void client_touch_again(void);
