/* hints.h - a length that looks like a number of elements where bytes were meant, or like sizeof of a
 * pointer.
 *
 * Copying 256 bytes of an array of 256 floats is no error, and gives a quarter of the answer. It is told, as
 * a note, when no other call touched another part of the array in the same direction: then the quarter was
 * not one piece of several.
 */
#ifndef DEVICE_HINTS_H
#define DEVICE_HINTS_H

#include "device/objects.h"

/** A copy or memset of exactly a quarter or an eighth of an allocation, from its start: elements taken for
 * bytes, unless the rest follows. */
typedef struct DeviceHint {
    uint32_t allocation; /**< id; 0: taken back */
    bool to_device;
    uint64_t site, bytes, whole;
    const char *mark;
} DeviceHint;

/** What may be a mistake, kept until the program's end shows whether it was. */
typedef struct Hints {
    DeviceHint list[DEVICE_MAX_HINTS];
    unsigned count;
} Hints;

/** A copy to (or from) device memory, or a memset, was accepted. */
void hints_note(Device *device, uint64_t address, uint64_t bytes, bool to_device);
/** At the end: what is left becomes notes. */
void hints_report(Device *device);

#endif
