/* memory.h - a fault on its way to becoming a finding; shared by memory.c (what happened), memory_hints.c
 * and memory_rows.c (why). Each fills the facts of a section of texts.txt. */
#pragma once

#include "check/texts.h"

typedef struct FaultStory {
    Check *check;
    const GpuFault *fault;
    const GpuLaunch *launch;
    unsigned lane;                   /**< the one that is told */
    const GpuAllocation *allocation; /**< that the access missed, NULL unknown */
    CheckParty party, other;
    CheckArray array;
    uint64_t pointer;   /**< that the address was computed from; 0: unknown */
    bool read;          /**< something from memory is among what it was computed from */
    uint64_t key;       /**< of the finding */
    BoundsFacts bounds; /**< of an access outside of an array */
} FaultStory;

/** A type that learners use of elements of that size; NULL: none. */
const char *memory_hint_type_of_size(unsigned bytes);
/** The likely cause of an access outside an array: sets the facts of one of the texts; `bounds` is room for
 * words of theirs. */
void memory_hint_out_of_bounds(FaultStory *story, Text *bounds);
/** The same for an array with rows in a grid with rows; false, and nothing set, when they do not explain it.
 */
bool memory_rows_explain(FaultStory *story, Text *bounds);
