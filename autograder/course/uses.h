/* uses.h - what a lesson may ask kernels to use (`must_use` of its manifest): the rows of uses.def. */
#pragma once

#include <stdbool.h>

/** A row of uses.def. */
typedef struct Use {
    const char *name;
    const char *counters[2];
    const char *what;  /**< the lack, where it is not used at all */
    const char *idle;  /**< the lack, where the answer does not need it; NULL: nothing can show that */
    bool by_each_warp; /**< each warp of a block but one has to hand on a value */
    const char *explanation;
} Use;

/** The row of this name; NULL. */
const Use *uses_find(const char *name);
