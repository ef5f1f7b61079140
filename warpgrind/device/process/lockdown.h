/* lockdown.h - before the device hears the first word of a program, it gives up what it does not need.
 *
 * What is left (lockdown.def): memory, the open socket, clocks, and ending. No files, no processes, no
 * network. Anything else fails with EPERM. A device that divides launches (--threads) may besides fork, in
 * exactly the one form that fork() uses, wait for its workers, and ask that they end with it; they are as
 * locked down as it is.
 */
#pragma once

#include <stdbool.h>

/** Closes every descriptor from 3 on but these (negative: none). */
void lockdown_close_others(const int *keep, unsigned count);
/** Other processes of the user may not look into this one. */
void lockdown_hide(void);
/** Installs the system call filter for the rest of the process's life; with `workers` it may still fork.
 * False with errno set. */
bool lockdown_enter(bool workers);
