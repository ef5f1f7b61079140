/* memory.h - a fault on its way to becoming a finding; shared by memory.c (what happened), memory_hints.c
 * and memory_rows.c (why). */
#ifndef CHECK_MEMORY_H
#define CHECK_MEMORY_H

#include "check/parts.h"

typedef struct FaultStory {
    Check *check;
    const GpuFault *fault;
    const GpuLaunch *launch;
    unsigned lane;                   /**< the one that is told */
    const GpuAllocation *allocation; /**< that the access missed, NULL unknown */
    CheckParty party, other;
    CheckArray array;
    FindingKind kind;
    Text why; /**< becomes the explanation */
} FaultStory;

/** The likely cause of an access outside an array: added to the message (numbers) and to story->why. */
void hint_out_of_bounds(FaultStory *story, Text *message);
/** The same for an array with rows in a grid with rows; false, and nothing added, when they do not explain
 * it. */
bool rows_explain(FaultStory *story, Text *message);

#endif
