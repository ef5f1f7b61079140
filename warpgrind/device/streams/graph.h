/* graph.h - graphs: work that is written down instead of done, and what it must come after.
 *
 * A Graph is a list of nodes; each holds an operation like those of queue.c, as a pattern, and the nodes that
 * come before it. Graphs are made by capture: while a stream captures, queue_add hands out the pattern of a
 * new node where it would have queued an operation, so every call that works in a stream can be captured.
 * Nodes added by hand go the same way, through one hidden stream that captures for the length of the call.
 *
 * A launch queues every node's operation: those that follow each other in one lane, the others in lanes of
 * their own with waits between, so that only what the graph orders is ordered.
 *
 * Graphs, nodes and executables are malloc'ed and owned by the device's lists; sets only point at nodes.
 */
#pragma once

#include "device/state/graphs.h"

/** A launch of the largest graph fits the queue: see graph_launch. */
enum { GRAPH_MAX_NODES = 1536, GRAPH_MAX_EDGES = 3072, GRAPH_MAX_ALL_NODES = 65536 };

/** Captures that forbid calls which would wait for the device or allocate: cudaStreamCaptureMode. */
enum { CAPTURE_GLOBAL, CAPTURE_THREAD_LOCAL, CAPTURE_RELAXED };

Graph *graph_create(Device *device); /**< NULL without memory */
void graph_destroy(Device *device, Graph *graph);
void graph_destroy_all(Device *device);
/** A graph that is whole and no executable; an executable, but none inside of another. NULL: there is none.
 */
Graph *graph_find(Device *device, uint64_t handle);
Graph *graph_find_executable(Device *device, uint64_t handle);
/** The first of these, also while it is being captured. */
Graph *graph_find_open(Device *device, uint64_t handle);
GraphNode *graph_find_node(const Graph *graph, uint64_t handle);
/** Among all whole graphs. */
GraphNode *graph_find_any_node(Device *device, uint64_t handle);
/** NULL without memory. Nodes remember what they are copies of. */
Graph *graph_copy(Device *device, const Graph *graph);
/** Exchanges what the two nodes do; their edges stay. */
void graph_swap_patterns(GraphNode *one, GraphNode *two);
/** Takes the node out; what came after it comes after what it came after no longer. */
void graph_remove_node(Device *device, GraphNode *node);

/** False without memory or past the limits. */
bool graph_add_edge(GraphNode *node, GraphNode *before);
bool graph_set_add(GraphSet *set, GraphNode *node);
void graph_set_clear(GraphSet *set);

/** Puts each node behind those it comes after, and gives out lanes. False: there is a cycle. */
bool graph_sort(Graph *graph);
/** An executable waits for its own last launch, whatever the stream: before anything that a launch queues. */
CudaCode graph_wait_for_last(Device *device, const Graph *graph, DeviceStream *stream);
/** Queues all operations of an executable. */
CudaCode graph_launch(Device *device, Graph *graph, DeviceStream *stream);

/* ---- capture ---- */

/** What queue_add gives out while the stream captures. NULL without memory: the capture is invalid then. */
DeviceOperation *graph_capture(Device *device, DeviceOperationKind kind, DeviceStream *stream);
void graph_begin_capture(Graph *graph, DeviceStream *stream, int mode, uint32_t thread);
/** No stream or event takes part any longer. CUDA_OK: the graph is whole; else it was destroyed. */
CudaCode graph_end_capture(Device *device, Graph *graph);
/** An event that a capturing stream records stands for what the stream has captured so far. */
bool graph_record(DeviceEvent *event, const DeviceStream *stream);
/** The stream waits for such an event, and takes part in its capture from now on. */
CudaCode graph_wait(DeviceStream *stream, const DeviceEvent *event);
