/* operation.h - work in streams, and what of it is pending. */
#pragma once

#include "device/state/objects.h"

/** What an operation does. */
typedef enum DeviceOperationKind {
    OPERATION_LAUNCH,
    OPERATION_COPY,
    OPERATION_SET,
    OPERATION_RECORD,
    OPERATION_WAIT,
    OPERATION_HOST,
    OPERATION_ALLOCATE, /**< by a graph (graph_memory.h) */
    OPERATION_FREE,
    OPERATION_BODIES, /**< graphs in a graph (graph_bodies.h) */
    OPERATION_EMPTY   /**< nothing: a place to wait for */
} DeviceOperationKind;

/** A copy of rows whose sides have been checked. */
typedef struct DeviceCopy {
    uint64_t to, from, to_pitch, from_pitch, width, height;
    int direction;      /**< resolved: never COPY_DEFAULT */
    bool library;       /**< libcurand.so asked for it */
    bool returns_early; /**< by a call that is none of the Async ones, and yet does not wait for its end */
    uint8_t *staged; /**< host bytes taken at the call; NULL: taken when it runs. Freed with the operation */
} DeviceCopy;

/** When and by which host thread work was asked for. */
typedef struct TraceAsked {
    uint64_t time;
    uint32_t thread;
} TraceAsked;

/** A host function of a stream. */
typedef struct DeviceHostCall {
    uint64_t function, data, form; /**< form: WireCallbackForm */
    uint64_t content, bytes;       /**< the number at `data` when it was given; 0 bytes: unknown */
    uint64_t before;               /**< host functions that had run by then */
} DeviceHostCall;

/** Work in a stream: what it is, whose, and what comes before it. */
struct DeviceOperation {
    DeviceOperationKind kind;
    DeviceStream *stream;
    unsigned device; /**< whose work it is */
    unsigned thread; /**< of the host, that asked for it */
    uint64_t sequence, site;
    uint64_t graph;   /**< of a node: which launch of its graph, by the sequence of its first operation; 0: no
                         node */
    OrderClock clock; /**< order.h */
    TraceAsked asked; /**< with a trace */
    const char *mark;
    bool needed;
    union {
        struct {
            GpuLaunchSpec spec;
            uint8_t *parameters; /**< freed with the operation */
            uint64_t threads;
        } launch;
        DeviceCopy copy;
        struct {
            uint64_t address, pitch, width, height;
            int value;
            unsigned element; /**< bytes of value that repeat: 1, 2 or 4 */
        } set;
        struct {
            DeviceEvent *event;
        } record;
        struct {
            DeviceOperation *target; /**< NULL: already reached */
            uint64_t sequence;       /**< of what is waited for, also when it has been reached; 0: unknown */
        } wait;
        DeviceHostCall host;
        struct {
            uint64_t address;
            uint64_t bytes;         /**< of a graph's memory; 0: other memory */
            DeviceStream *spare_of; /**< the stream that may use what is freed before others; or NULL */
        } memory;                   /**< of ALLOCATE and FREE */
        struct {
            struct Graph **graphs; /**< the node's */
            unsigned count;
            int type;
            uint64_t condition; /**< where its value is */
        } bodies;
    };
    DeviceOperation *next, *previous;
};

/** What is pending, in the order of the calls, and what is running. */
typedef struct DeviceQueue {
    DeviceOperation *first, *last;
    unsigned count;
    uint64_t next_sequence;
    const DeviceOperation *running; /**< the launch that is running */
    uint64_t host_functions_run;
    unsigned body_rounds; /**< of loops in the operation that is running (graph_bodies.h) */
    struct DeviceStream
        *frees; /**< hidden: where cudaFree of what streams allocated stands, which waits for nobody */
} DeviceQueue;
