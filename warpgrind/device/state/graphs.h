/* graphs.h - the graphs that a program has made: nodes, each with the pattern of an operation; and what all
 * graphs share.
 *
 * What they are for, and how they are made and launched, is in graph.h.
 */
#pragma once

#include "device/state/operation.h"

enum { GRAPH_LANES = 8 };

/** An operation that a graph repeats at each launch, and what it comes after. */
typedef struct GraphNode {
    uint64_t handle;
    uint64_t original; /**< in a copy: the handle of the node that it is a copy of */
    struct Graph *graph;
    DeviceOperation operation; /**< the pattern */
    GraphSet before;
    struct GraphNode *copy;    /**< while its graph is being copied */
    unsigned lane;             /**< of an executable's node */
    DeviceOperation *launched; /**< while its executable is being launched */
    bool reached;              /**< while graph_end_capture and graph_sort look round */
    struct GraphNode *next;
} GraphNode;

/** A graph, the executable made of one, or a graph inside of a node; they share their nodes' form. */
typedef struct Graph {
    uint64_t handle, site; /**< of the call that made it */
    GraphNode *first, *last;
    unsigned node_count, edge_count;
    /* while it is being captured */
    bool capturing, invalid;
    bool given; /**< the program gave the graph to capture into: it stays when the capture fails */
    int mode;
    uint32_t thread;
    const DeviceStream *origin;
    uint64_t made_from;   /**< an executable's graph */
    bool frees_at_launch; /**< cudaGraphInstantiateFlagAutoFreeOnLaunch */
    bool inner;           /**< belongs to a node of another graph (graph_bodies.h) */
    bool child;           /**< and that, or one around it, is a child graph */
    unsigned depth;       /**< graphs around it */
    bool executable;      /**< sorted, with lanes: only cudaGraphLaunch and its kin see it */
    unsigned lanes;
    uint64_t last_sequence; /**< of the operation that ended its last launch; 0: not launched yet */
    OrderClock done;        /**< that operation's, itself included */
    struct Graph *next;
} Graph;

/** The memory that a device's graphs hold, the most so far, and how much of it everybody knows to be free. */
typedef struct DeviceGraphPool {
    uint64_t held, high, spare;
} DeviceGraphPool;

/** The handle of a condition: where it is, and its value when its graph is launched. */
typedef struct DeviceCondition {
    uint64_t address, graph;
    uint32_t value;
    bool assigned; /**< at each launch */
    struct DeviceCondition *next;
} DeviceCondition;

/** All graphs, and what they share. */
typedef struct DeviceGraphs {
    Graph *first;
    DeviceStream *lanes[GRAPH_LANES]; /**< hidden streams in which graphs run side by side */
    unsigned node_count;
    DeviceCondition *conditions;
    DeviceGraphPool pools[DEVICE_MAX_DEVICES];
    bool kept_shown;                       /**< graph_memory_show */
    bool lost;                             /**< the last capture that ended came to nothing */
    int capture_modes[DEVICE_MAX_THREADS]; /**< by host thread: CAPTURE_GLOBAL and so on */
} DeviceGraphs;
