/* cells.c - which of the ways of cells_lanes.c suits the processor. */
#include "check/shadow/cells.h"

#ifdef __x86_64__
#define LEVELS(X) X(v2) X(v3) X(v4)
#else
#define LEVELS(X) X(generic)
#endif
#define DECLARE(level) extern const CellWays cell_ways_##level;
#define WAYS(level) &cell_ways_##level,
LEVELS(DECLARE)

const CellWays *cell_ways_for(unsigned level) {
    static const CellWays *const ways[] = {LEVELS(WAYS)};
    return ways[level];
}
