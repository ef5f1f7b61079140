/* picture_grid.h - what a picture tells of all blocks of its launch, also of those whose steps it leaves out:
 * a few numbers of each, and which block has written which elements last.
 */
#pragma once

#include "base/text.h"
#include "gpu/gpu.h"

/** What is counted in each block. */
typedef enum PictureCount {
    PICTURE_ERRORS,       /**< findings in which it is a party */
    PICTURE_NOTES,        /**< the same of notes */
    PICTURE_INSTRUCTIONS, /**< of warps */
    PICTURE_DIVERGENT,    /**< branches at which a warp parts */
    PICTURE_EXCESS,       /**< sectors and wavefronts beyond the fewest possible */
    PICTURE_COUNTS
} PictureCount;

typedef struct PictureGrid PictureGrid;

/** NULL without memory. */
PictureGrid *picture_grid_create(void);
void picture_grid_destroy(PictureGrid *grid);
/** A launch of that many blocks begins: all counts are 0. */
void picture_grid_begin(PictureGrid *grid, uint64_t blocks);
/** `block`: its linear number. */
void picture_grid_add(PictureGrid *grid, uint64_t block, PictureCount what, uint64_t amount);
/** The block writes that element of the array with that number. */
void picture_grid_wrote(PictureGrid *grid, unsigned array, int64_t element, uint64_t block);
/** Adds the members of an object (docs/picture.md). */
void picture_grid_write(const PictureGrid *grid, Text *out);
