/* redundant.h - copies to the device that bring what is there already: an array that travels to and fro in a
 * loop, and changes on one side only.
 */
#pragma once

#include <stdint.h>

struct Device;

/** The bytes are about to be written there. */
void redundant_note(struct Device *device, uint64_t address, const uint8_t *bytes, uint64_t count,
                    uint64_t site);
/** At the end: calls that hardly ever brought anything new become notes. */
void redundant_report(struct Device *device);
