/* leaks.h - what the program made and has not given back at its end.
 *
 * Memory of any sort that is left is an error: a function that is called often fills the card with it. A
 * stream, an event, a texture or a graph takes little, and is a note.
 */
#ifndef DEVICE_WATCH_LEAKS_H
#define DEVICE_WATCH_LEAKS_H

#include "device/state/state.h"

/** At the end of a program that ended by itself: one finding for each place that made something. */
void leaks_report(Device *device);
/** cudaDeviceReset destroys what there is on the device. */
void leaks_forgive(Device *device, unsigned number);

#endif
