/* unread.h - what kernels computed and nobody ever looked at: no copy to the host, no kernel.
 *
 * A word that a kernel wrote is used when anybody reads it afterwards: the host, a copy, a kernel (also the
 * same one: scratch memory, counters, values of the next step). An array of which no such word was ever used
 * is a result that went nowhere. LIMIT: an atomic operation counts as reading what it changes, unless the
 * code throws its value away (red).
 */
#pragma once

#include <stdbool.h>

struct Device;
typedef struct Unread Unread;

/** Watches from now on; false without memory. */
bool unread_watch(struct Device *device);
void unread_destroy(Unread *unread);
/** At the end of a program that ended by itself: a few notes. */
void unread_report(struct Device *device);
