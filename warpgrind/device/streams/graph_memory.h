/* graph_memory.h - memory that graphs allocate and free.
 *
 * A node that allocates has its address from the moment it is made; the memory is there from when the node
 * runs until a free of the same address, in that graph, in another one, or outside of graphs. So the machine
 * keeps the addresses (gpu_memory_keep), and each launch brings the memory back to them.
 *
 * A launch brings back at once what it can, as cudaMallocAsync does: calls that follow find the memory. What
 * an earlier launch still has to free comes when the node runs.
 *
 * What the attributes count is the memory that the graphs of a device hold: a launch takes what was freed
 * before in the same stream, or what everybody knows to be free, and only then more; it goes back to the
 * device with cudaDeviceGraphMemTrim.
 */
#pragma once

#include "device/streams/graph.h"

/** Writes an allocation, or a free, into what the stream captures. */
CudaCode graph_memory_allocate(Device *device, DeviceStream *stream, uint64_t bytes, uint64_t *address);
CudaCode graph_memory_free(Device *device, DeviceStream *stream, uint64_t address);
/** Calls that write work down find the memory of graphs, until the request has been served. */
void graph_memory_show(Device *device);
/** The same, when that stream captures. */
void graph_memory_show_to(Device *device, uint64_t stream);
void graph_memory_hide(Device *device);

/** Whether the graph has nodes that allocate or free. */
bool graph_memory_used(const Graph *graph);
/** At a launch: refuses what would allocate or free twice. */
CudaCode graph_memory_check(Device *device, const Graph *graph);
/** Before an executable's operations are queued: brings its memory back. */
CudaCode graph_memory_launch(Device *device, const Graph *graph, DeviceStream *stream);
/** The launch is refused after all. */
void graph_memory_take_back(Device *device, const Graph *graph);
/** Nothing can refuse the launch any longer: what its nodes take and give counts. */
void graph_memory_count(Device *device, const Graph *graph, DeviceStream *stream);
/** The node runs. */
CudaCode graph_memory_run(Device *device, const DeviceOperation *operation);
/** A free outside of graphs was asked for in the stream (NULL: it is done now). Does nothing to other memory.
 */
void graph_memory_freed(Device *device, uint64_t address, DeviceStream *stream, DeviceOperation *operation);
/** A free has been done. */
void graph_memory_free_done(Device *device, const DeviceOperation *operation);
/** A node that allocates ends; the addresses are free when it was the last one with them. */
void graph_memory_forget(Device *device, const GraphNode *node);
