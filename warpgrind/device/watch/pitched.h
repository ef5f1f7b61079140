/* pitched.h - memory with a pitch (cudaMallocPitch, cudaMalloc3D) that a copy or memset treats as if its rows
 * lay right behind each other, or with another pitch than its own.
 *
 * Neither leaves the allocation, so CUDA returns no error; the rows only land in the wrong places. A program
 * may do so throughout and be right, so it is a note.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Device;

/** The bytes that a call touches of one allocation. */
typedef struct PitchedUse {
    uint64_t address, pitch, width, height; /**< height 1: one run of `width` bytes */
    uint64_t other_pitch;                   /**< of the copy's other side; 0: there is none */
} PitchedUse;

/** The allocation at the address has rows of `width` bytes that begin `pitch` bytes apart. */
void pitched_made(struct Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t rows);
struct CheckRows;
/** The rows of the memory at the address (CheckPitched, of a Device). */
bool pitched_rows(void *device, uint64_t address, struct CheckRows *rows);
/** How many bytes of each row a copy of all rows of the memory would have, when that is sure and the other
 * side has rows for them; 0: it is not, or these are other rows. */
uint64_t pitched_whole(const struct Device *device, const PitchedUse *use);
/** A copy or memset was accepted. */
void pitched_note(struct Device *device, const PitchedUse *use);
