/* ranges.h - which memory of the host work uses: the client protects it while the work is pending
 * (cudart/watch.h).
 */
#pragma once

#include "device/streams/graph.h"

/** Ranges, each kept once; what there is no room for is left out. */
typedef struct RangeList {
    WireRange *list;
    size_t count, room;
} RangeList;

void ranges_add(RangeList *ranges, WireRange range);
/** The memory that both sides use and the operation too, the nodes of its graphs included. */
void ranges_of_operation(Device *device, const DeviceOperation *operation, RangeList *ranges);
void ranges_of_graph(Device *device, const Graph *graph, RangeList *ranges);
