/* hints.h - a length that looks like a number of elements where bytes were meant, or like sizeof of a
 * pointer.
 *
 * Copying 256 bytes of an array of 256 floats is no error, and gives a quarter of the answer. It is told, as
 * a note, when no other call touched another part of the array in the same direction: then the quarter was
 * not one piece of several.
 */
#pragma once

#include "device/state/objects.h"

/** A copy to (or from) device memory, or a memset, was accepted. */
void hints_note(Device *device, uint64_t address, uint64_t bytes, bool to_device);
/** A copy of several rows, of which `whole` bytes could have been copied; 0: nobody knows. */
void hints_note_rows(Device *device, uint64_t address, uint64_t width, uint64_t whole, bool to_device);
/** At the end: what is left becomes notes. */
void hints_report(Device *device);
