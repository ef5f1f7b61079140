/* leaks.h - what the program made and has not given back at its end.
 *
 * Memory of any sort that is left is an error: a function that is called often fills the card with it. A
 * stream, an event, a texture or a graph takes little, and is a note.
 */
#pragma once

#include "device/state/state.h"

/** What is looked at: all that was made, or memory that was made under marks without an error. */
typedef enum LeaksOf { LEAKS_OF_ALL, LEAKS_OF_CLEAN_MARKS } LeaksOf;

/** At the end of a program: one finding for each place that made something. All is looked at where the
 * program ended by itself and nothing went wrong. */
void leaks_report(Device *device, LeaksOf of);
/** cudaDeviceReset destroys what there is on the device. */
void leaks_forgive(Device *device, unsigned number);
