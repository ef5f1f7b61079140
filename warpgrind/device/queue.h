/* queue.h - streams: work is queued, and done as late as the CUDA model allows, so that a missing
 * synchronisation shows.
 */
#ifndef DEVICE_QUEUE_H
#define DEVICE_QUEUE_H

#include "device/copies.h"
#include "device/objects.h"
#include "device/trace.h"

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

/** Work in a stream: what it is, whose, and what comes before it. */
struct DeviceOperation {
    DeviceOperationKind kind;
    DeviceStream *stream;
    unsigned device; /**< whose work it is */
    unsigned thread; /**< of the host, that asked for it */
    uint64_t sequence, site;
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
        struct {
            uint64_t function, data, form;
        } host;
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
    unsigned body_rounds;           /**< of loops in the operation that is running (graph_bodies.h) */
} DeviceQueue;

/** A new operation at the end of the stream, filled in by the caller. NULL: no memory (or too many: then all
 * run first). */
DeviceOperation *queue_add(Device *device, DeviceOperationKind kind, DeviceStream *stream);
/** The record is the event's newest: from now on the event waits for it. */
void queue_recorded(DeviceOperation *operation);
/** The first copy that is pending and whose bytes, on either side, meet these of the host; NULL: none. */
const DeviceOperation *queue_copy_of(const Device *device, uint64_t host, uint64_t bytes);
/** Does the operation and everything it must come after. Returns the sticky error. */
CudaCode queue_run_to(Device *device, const DeviceOperation *operation);
CudaCode queue_run_stream(Device *device, const DeviceStream *stream);
CudaCode queue_run_all(Device *device);
/** All streams of one device. */
CudaCode queue_run_device(Device *device, unsigned number);
bool queue_stream_idle(const Device *device, const DeviceStream *stream);
/** Does everything pending, as a device that is free would; the host has not waited for any of it. */
void queue_run_early(Device *device);
/** Does what is pending in the order of the calls, up to the first that needs the program's help: to be
 * called when the program is not waiting for a reply. */
void queue_run_unattended(Device *device);
/** Runs the first host function that is due, and what comes before it: whether another one is left. */
bool queue_attend(Device *device);
/** Forgets everything pending without doing it. */
void queue_drop_all(Device *device);
/** Does an operation that is part of one that runs. */
CudaCode queue_run_within(Device *device, const DeviceOperation *outer, const DeviceOperation *pattern);

#endif
