/* graph_bodies.h - graphs inside of graphs: child graphs, and the bodies of conditional nodes.
 *
 * Such a node holds graphs of its own, which the program may fill but not destroy. Its operation runs them,
 * one node after the other in their order, when the queue comes to it: only then is the condition known.
 *
 * A condition is a word of device memory, and its handle the word's address: a kernel sets it with
 * cudaGraphSetConditional (gpu/alu/library.def), and the node reads it as a copy would.
 *
 * LIMIT: inside of a body nothing runs side by side, so work in it that no edge orders is not reported.
 */
#pragma once

#include "device/streams/graph.h"

/** What a node does with its bodies: cudaGraphConditionalNodeType, and a child graph. */
enum { BODIES_IF, BODIES_WHILE, BODIES_SWITCH, BODIES_CHILD };
/** All loops in a node of the outermost graph share its rounds. */
enum { BODIES_MAX = 1024, BODIES_MAX_DEPTH = 32, BODIES_MAX_ROUNDS = 1 << 16 };

/** The graphs inside of a node. */
typedef struct GraphBodies {
    Graph **graphs;
    unsigned count;
} GraphBodies;

/** A conditional node as it is asked for. */
typedef struct BodiesCondition {
    uint64_t handle, type, bodies;
} BodiesCondition;

/** A condition for the graph: its handle. It has the value at each launch, if that is assigned. */
CudaCode graph_bodies_make_condition(Device *device, const Graph *graph, uint32_t value, bool assigned,
                                     uint64_t *handle);
/** Add a node to what the stream captures: a conditional one with empty bodies, or one with a copy of the
 * graph. */
CudaCode graph_bodies_add_condition(Device *device, DeviceStream *stream, const BodiesCondition *wanted);
CudaCode graph_bodies_add_child(Device *device, DeviceStream *stream, const Graph *graph);

/** The graphs in a node, by its operation; none for other kinds of nodes. */
GraphBodies graph_bodies_of(const DeviceOperation *operation);
/** Whether the graph has a node with bodies, and whether one of them is conditional. */
bool graph_bodies_used(const Graph *graph);
bool graph_bodies_conditional(const Graph *graph);
/** The node's bodies are copies of their own; false without memory. */
bool graph_bodies_copy(Device *device, GraphNode *node);
void graph_bodies_destroy(Device *device, GraphNode *node);
/** Whether the operation is a host function, or runs a graph that has one. */
bool graph_bodies_call_host(const DeviceOperation *operation);
bool graph_bodies_have_host(const Graph *graph);
/** Whether no graph that belongs to a node can have nodes of this kind: says so, and sets the refusal. */
bool graph_bodies_refuse(Device *device, DeviceOperationKind kind);
/** Whether a stream captures into a graph of the node, or into one inside of that. */
bool graph_bodies_capturing(const GraphNode *node);
/** The graphs in a new executable; false: one has a cycle. */
bool graph_bodies_sort(Graph *graph);
/** Queues what gives the conditions of an executable their values at its launch. */
CudaCode graph_bodies_start(Device *device, const Graph *graph, DeviceStream *stream);
/** The operation of such a node. */
CudaCode graph_bodies_run(Device *device, const DeviceOperation *operation);
