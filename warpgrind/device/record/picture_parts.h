/* picture_parts.h - what the files of the picture share: the launch that is being recorded. */
#pragma once

#include "device/record/picture.h"
#include "device/record/picture_grid.h"
#include "device/record/picture_values.h"
#include "device/state/state.h"

/** LIMIT: the page has to open in a second. */
enum { PICTURE_ARRAYS = 32, PICTURE_FINDINGS = 32 };

/** An array that steps of the picture touch, named by its place in the list. */
typedef struct PictureArray {
    const char *name, *space;
    uint64_t length;
    unsigned bytes;
    int line;
    PictureKind kind;
} PictureArray;

/** An atomic operation whose step waits for its end: what it has left is known when the next event comes. */
typedef struct PictureAtomic {
    bool open;
    GpuAccess access;
    uint64_t address[GPU_WARP_LANES];
    PictureKind kind;
    unsigned bytes; /**< of an element */
    char found[256];
} PictureAtomic;

/** How much a launch has to show, in ascending order. */
typedef enum PictureWorth {
    WORTH_NOTHING,
    WORTH_LAUNCH,
    WORTH_UNORDERED, /**< it is in a finding about streams */
    WORTH_UNDEFINED,
    WORTH_ERROR
} PictureWorth;

struct Picture {
    Device *device;
    PictureWorth worth; /**< of the launch in `kept` */
    Text kept; /**< as an object; a launch that is worth as much takes its place, but for one with an error */
    bool recording, has_error, has_undefined, has_unordered;
    bool just_kept;          /**< `kept` is the launch that ended last, and no other has begun */
    bool is_result;          /**< the access writes to global memory */
    const GpuLaunch *launch; /**< that runs and is recorded; NULL: none */
    Text head;               /**< the launch, as members of the object */
    Text steps, blocks, findings;
    const GpuBlock *shown[PICTURE_BLOCKS]; /**< NULL: it has ended */
    unsigned block_steps[PICTURE_BLOCKS];
    uint64_t seen[PICTURE_BLOCKS];       /**< steps, recorded or not */
    uint64_t skipped[PICTURE_BLOCKS];    /**< since the last one that was recorded */
    bool skipped_others[PICTURE_BLOCKS]; /**< those are all of warps that nobody chose */
    uint32_t chosen[PICTURE_BLOCKS][3];
    unsigned chosen_count; /**< 0: those that begin first */
    uint64_t launches;
    PictureGrid *grid;
    uint64_t running;                        /**< the block of the instruction before this one */
    uint64_t found_again[PICTURE_NOTES + 1]; /**< in it */
    unsigned block_count, finding_count, array_count;
    PictureArray arrays[PICTURE_ARRAYS];
    const char *file; /**< the source that most places are in */
    uint64_t left_out_steps, left_out_blocks;
    char pending[256]; /**< findings that the next step is about: ",3,4" */
    PictureVariables *variables;
    PictureAtomic atomic;
};

/** Adds a member: the three numbers of an index or extent. */
void picture_add_dim(Text *out, const char *key, GpuDim dim);

/* ---- picture_steps.c ---- */

/** The callbacks of what makes a step. */
void picture_steps_observe(GpuObserver *observer);
/** No event comes any more: the last step is ended, if it was left open. */
void picture_steps_flush(Picture *picture);
/** What was left out of the block until now becomes a step: the page must not look as if nothing had happened
 * between two steps. */
void picture_steps_tell_gap(Picture *picture, int block);
/** The number of the block in the picture, or -1. */
int picture_steps_block(const Picture *picture, const GpuBlock *block);
