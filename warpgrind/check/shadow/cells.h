/* cells.h - runs of cells of the race detector's pages (shadow.h), eight at a time.
 *
 * Lanes side by side have records that differ by their thread alone; so a run of cells can be compared with
 * them, and take them, without looking at any cell by itself.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Cells side by side, a multiple of eight, and the records that come. */
typedef struct CellRun {
    uint64_t *cells;
    uint64_t record;       /**< of the first lane */
    uint32_t barrier_time; /**< of its block: what the block did before is ordered */
    unsigned count, each;  /**< cells; of one lane: 1, 2 or 4 */
} CellRun;

/** The same for one processor level. */
typedef struct CellWays {
    /** What each cell has is empty, of an earlier launch, the lane's own or of before the block's barrier. */
    bool (*before)(const CellRun *run);
    /** Pairs of readers, both of which are before the lane: it takes the first place, alone, unless it has
     * one. */
    void (*take_readers)(const CellRun *run);
    void (*take_writer)(const CellRun *run);
} CellWays;

const CellWays *cell_ways_for(unsigned level);
