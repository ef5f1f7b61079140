/* ranges.c - see ranges.h. */
#include "device/streams/ranges.h"
#include "device/state/state.h"
#include "device/streams/graph_bodies.h"

#include <string.h>

void ranges_add(RangeList *ranges, WireRange range) {
    for (size_t i = 0; i < ranges->count; i++)
        if (memcmp(&ranges->list[i], &range, sizeof range) == 0) return;
    if (ranges->count < ranges->room) ranges->list[ranges->count++] = range;
}

static void add_copy(const DeviceCopy *copy, RangeList *ranges) {
    if (copy->height == 0) return;
    uint64_t rows = copy->height - 1;
    ranges_add(ranges, (WireRange){copy->to, rows * copy->to_pitch + copy->width, WIRE_WRITTEN_BY_COPY});
    ranges_add(ranges, (WireRange){copy->from, rows * copy->from_pitch + copy->width, WIRE_READ_BY_COPY});
}

/** Any word of the parameters may be a pointer. */
static void add_launch(Device *device, const DeviceOperation *operation, RangeList *ranges) {
    size_t bytes = gpu_kernel_function(operation->launch.spec.kernel)->parameter_bytes;
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, operation->launch.parameters + at, sizeof value);
        if (objects_shared(device, value) != NULL)
            ranges_add(ranges, (WireRange){value, 1, WIRE_USED_BY_LAUNCH});
    }
}

void ranges_of_operation(Device *device, const DeviceOperation *operation, RangeList *ranges) {
    if (device->objects.shared == NULL) return;
    if (operation->kind == OPERATION_COPY) add_copy(&operation->copy, ranges);
    if (operation->kind == OPERATION_LAUNCH) add_launch(device, operation, ranges);
    if (operation->kind == OPERATION_SET && objects_shared(device, operation->set.address) != NULL)
        ranges_add(ranges, (WireRange){operation->set.address, 1, WIRE_USED_BY_LAUNCH});
    GraphBodies bodies = graph_bodies_of(operation);
    for (unsigned i = 0; i < bodies.count; i++)
        ranges_of_graph(device, bodies.graphs[i], ranges);
}

void ranges_of_graph(Device *device, const Graph *graph, RangeList *ranges) {
    for (const GraphNode *node = graph->first; node != NULL; node = node->next)
        ranges_of_operation(device, &node->operation, ranges);
}
