/* objects.h - what a program has made, and looking it up.
 */
#pragma once

#include "device/state/codes.h"
#include "device/device.h"
#include "cudart/protocol.h"
#include "gpu/gpu.h"

/** Device code of the program, as it was registered: read when a kernel or variable of it is first used. */
typedef struct DeviceModule {
    uint64_t handle;
    Arena *arena; /**< the image, then the PtxModule */
    const void *image;
    size_t image_bytes;
    bool tried; /**< loading was tried, at first use */
    CudaCode error;
    const PtxModule *ptx;
    bool by_hand;                       /**< the program loaded it, and wrote the text */
    GpuModule *gpu[DEVICE_MAX_DEVICES]; /**< each device has its own variables */
    struct DeviceModule *next;
} DeviceModule;

/** A __global__ function; the host function that stands for it is its name on the wire. */
typedef struct DeviceKernel {
    uint64_t host; /**< address of the host function */
    DeviceModule *module;
    const char *name;
    GpuKernel *gpu;                /**< on the device that was current at its last use; NULL until then */
    uint32_t dynamic_shared_limit; /**< opted in to; 0: default */
    struct DeviceKernel *next;
} DeviceKernel;

/** A __device__, __constant__ or __managed__ variable. */
typedef struct DeviceVariable {
    uint64_t host, bytes; /**< the host's shadow */
    DeviceModule *module;
    const char *name;
    bool constant, managed;
    bool assigned; /**< the host has changed its own */
    struct DeviceVariable *next;
} DeviceVariable;

/** LIMIT: streams that are in use at the same time; what others do is not ordered. */
enum { ORDER_STREAMS = 64 };

/** By the stream's slot: the sequence of its last operation that comes before. */
typedef struct OrderClock {
    uint64_t seen[ORDER_STREAMS];
    /** The same, where each host thread knows of its own waiting only: what one thread waits for holds up no
     * other. LIMIT: threads that wait for each other are not seen, so this serves the device's clock
     * (timeline.h) alone. */
    uint64_t since[ORDER_STREAMS];
} OrderClock;

/** Nodes of a graph (graphs.h). */
typedef struct GraphSet {
    struct GraphNode **nodes;
    unsigned count;
    size_t capacity;
} GraphSet;

/** What a stream was told with cudaStreamSetAttribute, and tells again: cudaLaunchAttributeValue of each
 * kind. */
enum {
    STREAM_ATTRIBUTES = 3,
    STREAM_PRIORITY = 2, /* the place of that attribute */
    STREAM_ATTRIBUTE_BYTES = sizeof(WireStreamAttribute),
    STREAM_GREATEST_PRIORITY = -5 /* of the range that today's cards have; the least is 0 */
};

/** A stream. Once it is destroyed only its handle goes: its work is still done. */
typedef struct DeviceStream {
    uint64_t handle;
    bool blocking;    /**< waits for, and is waited for by, the legacy stream */
    bool needed;      /**< queue.c, while it works out what must be done */
    unsigned number;  /**< counts up from 0, never reused */
    unsigned slot;    /**< its place in clocks (order.h); ORDER_STREAMS: none, there are too many */
    bool asked;       /**< its last query was answered without doing its work */
    OrderClock clock; /**< of its last operation, that one included */
    unsigned device;
    uint64_t site; /**< of its creation; 0: the program did not make it, or need not destroy it any more */
    uint8_t attributes[STREAM_ATTRIBUTES][STREAM_ATTRIBUTE_BYTES];
    uint64_t spare;        /**< graphs' memory that its pending work will free */
    struct Graph *capture; /**< the graph that its work is written to, instead of being done; or NULL */
    GraphSet tail;         /**< what the next captured node comes after */
    struct DeviceStream *next;
} DeviceStream;

typedef struct DeviceOperation DeviceOperation;

/** An event, with what its newest record stands for. */
typedef struct DeviceEvent {
    uint64_t handle;
    bool timing, recorded;
    bool ever_recorded;       /**< by a capture too */
    bool asked;               /**< its last query was answered without doing the work before it */
    DeviceOperation *pending; /**< the record that has not been reached yet */
    uint64_t sequence;        /**< of the newest record */
    uint64_t when;            /**< nanoseconds, once reached */
    OrderClock clock;         /**< what came before the record */
    uint64_t record_sequence; /**< of the record, among all operations */
    unsigned stream;          /**< slot of the stream that recorded it */
    unsigned device;
    uint64_t site;       /**< of cudaEventCreate; 0: it need not be destroyed any more */
    uint64_t created;    /**< the newest operation then */
    uint64_t asked_site; /**< of the first call that waits for it, though it was never recorded; or 0 */
    uint64_t
        early_wait; /**< the cudaStreamWaitEvent that came before any record, until a later one waits; or 0 */
    unsigned early_stream;         /**< the slot of the stream that was to wait */
    const char *asked_what, *mark; /**< that call's name; the mark of its creation */
    struct Graph *captured;        /**< recorded last by a stream that captures: what it stands for */
    GraphSet tail;
    struct DeviceEvent *next;
} DeviceEvent;

/** A texture or surface object, as the program described it. */
typedef struct DeviceTexture {
    uint64_t handle, site;
    bool surface;
    bool bound; /**< to a reference, by cudaBindTexture and its kin: nobody has to destroy it */
    WireResource resource;
    WireTextureSettings settings;
    bool viewed; /**< `view` counts */
    WireView view;
    struct DeviceTexture *next;
} DeviceTexture;

/** A piece of the shared pool: pinned or managed memory, mapped in both processes. */
typedef struct DeviceShared {
    uint64_t address, bytes, mapped_bytes, offset;
    unsigned flags;
    bool managed, used;
    bool variable;   /**< a __managed__ variable: never freed */
    bool forgiven;   /**< cudaDeviceReset took it along */
    uint64_t *fresh; /**< hostside.h: one bit for each word that nobody has written; NULL: all are */
    struct DeviceShared *next;
} DeviceShared;

/** Host memory that cudaHostRegister pinned. The whole pages round it are a piece of the shared pool, too. */
typedef struct DevicePinned {
    uint64_t address, bytes, flags;
    uint64_t first_page;
    uint64_t site;        /**< of the call */
    DeviceShared *shared; /**< NULL: kernels cannot reach it */
    struct DevicePinned *next;
} DevicePinned;

/** All that a program has made and knows by a handle or an address, the newest first in each list. */
typedef struct DeviceObjects {
    DeviceModule *modules;
    DeviceKernel *kernels;
    DeviceVariable *variables;
    DeviceStream *streams;
    DeviceEvent *events;
    DeviceShared *shared;
    DevicePinned *pinned;
    unsigned count;                      /**< of all kinds together */
    unsigned module_count, stream_count; /**< streams are counted that were destroyed, too */
    uint64_t module_bytes, name_bytes;   /**< kept of what the program sent */
    uint64_t next_handle;
} DeviceObjects;

/* ---- objects.c: looking things up ---- */

DeviceModule *objects_module(Device *device, uint64_t handle);
DeviceKernel *objects_kernel(Device *device, uint64_t host);
/** The variable whose host shadow contains the address. */
DeviceVariable *objects_variable(Device *device, uint64_t host);
DeviceStream *
objects_stream(Device *device,
               uint64_t handle); /**< 0 is the current device's legacy stream; NULL: no such stream */
/** The legacy stream of one device. */
DeviceStream *objects_legacy(Device *device, unsigned number);
DeviceEvent *objects_event(Device *device, uint64_t handle);
DeviceShared *objects_shared(Device *device, uint64_t address);
DevicePinned *objects_pinned(Device *device, uint64_t address);
/** Whether memory is managed or pinned: host and device both use it where it is. */
bool objects_in_place(Device *device, uint64_t address);
/** The address at which kernels reach registered host memory; 0: they cannot. */
uint64_t objects_pinned_address(Device *device, uint64_t host);
/** Zeroed memory that lives as long as the device, counted against DEVICE_MAX_OBJECTS; NULL past it. */
void *objects_new(Device *device, size_t bytes);
#define DEVICE_NEW(device, Type) ((Type *)objects_new((device), sizeof(Type)))

/** What an address is, for messages and checks. */
typedef enum DeviceAddressKind {
    ADDRESS_NULL,
    ADDRESS_DEVICE, /**< in a live allocation of device memory */
    ADDRESS_FREED,  /**< in a freed one */
    ADDRESS_NEAR,   /**< in the device's range, but in no allocation */
    ADDRESS_SHARED, /**< pinned or managed: both sides may use it */
    ADDRESS_SHADOW, /**< the host's shadow of a __device__ or __constant__ variable */
    ADDRESS_IMAGE,  /**< the program's own code and static data */
    ADDRESS_STACK,
    ADDRESS_HOST /**< anything else: heap, libraries */
} DeviceAddressKind;
DeviceAddressKind objects_address_kind(Device *device, uint64_t address);
bool objects_is_host_address(DeviceAddressKind kind);

/* ---- calls ---- */

/** The site of a request: where in the program it comes from (symbols.h). */
uint64_t objects_site(Device *device, const WireRequest *request);
