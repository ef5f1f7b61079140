/* device.h - the device process: what it keeps while it serves one program.
 *
 * A Device owns a Gpu, a Check and the tables of everything the program has made: modules, kernels,
 * variables, streams, events, pending operations, pinned ranges. Requests come through the Link one at a
 * time; each function of api.def has a handler in a serve_*.c file (serve.c has the table). A handler fills
 * the reply's results and returns a cudaError_t; when it is not 0 it has already said why through a finding
 * (complain.h).
 *
 * Work in streams is queued (queue.c) and done as late as the CUDA model allows, so that a missing
 * synchronisation shows.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/diag.h"
#include "check/check.h"
#include "device/calls.h"
#include "device/cards.h"
#include "device/link.h"
#include "device/memsets.h"
#include "device/order.h"
#include "device/redundant.h"
#include "device/sent.h"
#include "device/timeline.h"
#include "device/timing.h"
#include "device/symbols.h"
#include "device/picture.h"
#include "device/trace.h"

/* ---- CUDA's numbers that the device itself uses ---- */

typedef enum CudaCode {
    CUDA_OK = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_INVALID_CONFIGURATION = 9,
    CUDA_INVALID_PITCH = 12,
    CUDA_INVALID_SYMBOL = 13,
    CUDA_INVALID_TEXTURE = 18,
    CUDA_INVALID_CHANNELS = 20,
    CUDA_INVALID_DIRECTION = 21,
    CUDA_INVALID_FILTER = 26,
    CUDA_INVALID_NORMALIZATION = 27,
    CUDA_INVALID_FUNCTION = 98,
    CUDA_INVALID_DEVICE = 101,
    CUDA_NO_KERNEL_IMAGE = 209,
    CUDA_INVALID_PTX = 218,
    CUDA_UNSUPPORTED_PTX = 222,
    CUDA_INVALID_HANDLE = 400,
    CUDA_ILLEGAL_STATE = 401,
    CUDA_SYMBOL_NOT_FOUND = 500,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_PEER_UNSUPPORTED = 217,
    CUDA_PEER_ALREADY_ENABLED = 704,
    CUDA_PEER_NOT_ENABLED = 705,
    CUDA_ASSERT = 710,
    CUDA_ALREADY_REGISTERED = 712,
    CUDA_NOT_REGISTERED = 713,
    CUDA_STACK_ERROR = 714,
    CUDA_ILLEGAL_INSTRUCTION = 715,
    CUDA_MISALIGNED = 716,
    CUDA_LAUNCH_FAILURE = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_NOT_SUPPORTED = 801,
    CUDA_CAPTURE_UNSUPPORTED = 900,
    CUDA_CAPTURE_INVALIDATED = 901,
    CUDA_CAPTURE_MERGE = 902,
    CUDA_CAPTURE_UNMATCHED = 903,
    CUDA_CAPTURE_UNJOINED = 904,
    CUDA_CAPTURE_ISOLATION = 905,
    CUDA_CAPTURE_IMPLICIT = 906,
    CUDA_CAPTURED_EVENT = 907,
    CUDA_CAPTURE_WRONG_THREAD = 908,
    CUDA_GRAPH_UPDATE_FAILURE = 910,
    CUDA_UNKNOWN = 999
} CudaCode;

enum { COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST, COPY_DEVICE_TO_DEVICE, COPY_DEFAULT };
enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2, STREAM_BUILDER = 3 /**< graph.h: nodes added by hand */ };
#define STREAM_HIDDEN (UINT64_MAX - 1) /**< no handle of the program's: lanes of graphs */

/** Bounds on what a program may make; past them it gets cudaErrorMemoryAllocation. */
enum {
    DEVICE_MAX_OBJECTS = 65536, /**< streams, events, kernels, variables, each */
    DEVICE_MAX_MODULES = 1024,
    DEVICE_MAX_PENDING = 8192,
    DEVICE_MAX_THREADS = 256,
    DEVICE_MAX_DEVICES = 8,
    DEVICE_MAX_UNCHECKED = 1024,
    DEVICE_MAX_HINTS = 256,
    DEVICE_MAX_TOUCHES = 256,
    DEVICE_MAX_RANGES = 128,
    DEVICE_MAX_LANDINGS = 64,   /**< as many as the client remembers */
    DEVICE_OLDEST_TOOLKIT = 11, /**< of libcudart, by its soname */
    DEVICE_NEWEST_TOOLKIT = 13,
    DEVICE_MAX_MODULE_BYTES = 64 << 20, /**< of all images together */
    DEVICE_MAX_NAME_BYTES = 16 << 20,   /**< of all names and marks together */
    DEVICE_LONGEST_MARK = 255
};

/* ---- what a program has made ---- */

typedef struct DeviceModule {
    uint64_t handle;
    Arena *arena; /**< the image, then the PtxModule */
    const void *image;
    size_t image_bytes;
    bool tried; /**< loading was tried, at first use */
    CudaCode error;
    const PtxModule *ptx;
    GpuModule *gpu[DEVICE_MAX_DEVICES]; /**< each device has its own variables */
    struct DeviceModule *next;
} DeviceModule;

typedef struct DeviceKernel {
    uint64_t host; /**< address of the host function */
    DeviceModule *module;
    const char *name;
    GpuKernel *gpu;                /**< on the device that was current at its last use; NULL until then */
    uint32_t dynamic_shared_limit; /**< opted in to; 0: default */
    struct DeviceKernel *next;
} DeviceKernel;

typedef struct DeviceVariable {
    uint64_t host, bytes; /**< the host's shadow */
    DeviceModule *module;
    const char *name;
    bool constant, managed;
    struct DeviceVariable *next;
} DeviceVariable;

/** Nodes of a graph (graph.h). */
typedef struct GraphSet {
    struct GraphNode **nodes;
    unsigned count;
    size_t capacity;
} GraphSet;

/** What a stream was told with cudaStreamSetAttribute, and tells again: cudaLaunchAttributeValue of each
 * kind. */
enum { STREAM_ATTRIBUTES = 3, STREAM_ATTRIBUTE_BYTES = sizeof(WireStreamAttribute) };

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
    uint64_t asked_site; /**< of the first call that waits for it, though it was never recorded; or 0 */
    const char *asked_what, *mark; /**< that call's name; the mark of its creation */
    struct Graph *captured;        /**< recorded last by a stream that captures: what it stands for */
    GraphSet tail;
    struct DeviceEvent *next;
} DeviceEvent;

/** A memory pool: settings only (serve_pool.c). */
typedef struct DevicePool {
    uint64_t handle, threshold;
    unsigned device;
    bool usual, destroyed, reuse[3];
    uint8_t access[DEVICE_MAX_DEVICES]; /**< cudaMemAccessFlags of devices that are not its own */
    struct DevicePool *next;
} DevicePool;

/** The memory that a device's graphs hold, the most so far, and how much of it everybody knows to be free. */
typedef struct DeviceGraphPool {
    uint64_t held, high, spare;
} DeviceGraphPool;

/** The handle of a condition (graph_bodies.h): where it is, and its value when its graph is launched. */
typedef struct DeviceCondition {
    uint64_t address, graph;
    uint32_t value;
    bool assigned; /**< at each launch */
    struct DeviceCondition *next;
} DeviceCondition;

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

/** The host touched shared memory, or gave it back, while work was pending (hostside.h). */
typedef struct DeviceTouch {
    uint64_t address, bytes, site;
    uint64_t sequence; /**< launches up to here were pending */
    unsigned again;    /**< how often the same byte was touched after the first time */
    bool write, freed, told;
} DeviceTouch;

/** A copy that wrote to host memory: should the program die of it, its line is wanted. */
typedef struct DeviceLanding {
    uint64_t address, site;
} DeviceLanding;

typedef struct DeviceError {
    CudaCode last;
} DeviceError;

/** A call that failed and whose result was thrown away: a finding unless somebody asks for the error later.
 */
typedef struct DeviceUnchecked {
    uint32_t thread, function;
    uint64_t site;
    CudaCode error;
    const char *mark;
} DeviceUnchecked;

/** A copy or memset of exactly a quarter or an eighth of an allocation, from its start: elements taken for
 * bytes, unless the rest follows. */
typedef struct DeviceHint {
    uint32_t allocation; /**< id; 0: taken back */
    bool to_device;
    uint64_t site, bytes, whole;
    const char *mark;
} DeviceHint;

typedef struct DeviceOptions {
    const char *program; /**< its file, or NULL */
    uint64_t seed, steps, memory_bytes;
    unsigned devices;       /**< virtual devices, 1 to DEVICE_MAX_DEVICES; 0: one */
    unsigned threads;       /**< host cores for one launch; 0: one */
    uint64_t divide_from;   /**< warp instructions that are worth dividing; 0: the machine's default */
    const char *checks;     /**< "all", "none", or a list */
    const char *card;       /**< one of cards_names; NULL: the default */
    bool lines;             /**< count per source line */
    bool discard_output;    /**< device-side printf is taken but not sent */
    bool judged;            /**< the program may lie about its end: nothing is left out for its sake */
    uint64_t process_bytes; /**< of addresses that this process may reserve besides device memory; 0: any */
    bool recheck;           /**< launches that repeat an earlier one are watched like any other */
    bool early;             /**< streams work as soon as they may, instead of as late */
    int trace;              /**< open file for a trace; 0: none */
    bool picture;           /**< the report gets a picture of a launch */
    unsigned trace_blocks;  /**< of each launch, shown in it */
    int sent;               /**< open file for what the program sends (sent.h); 0: none */
} DeviceOptions;

typedef struct Device {
    Arena *arena;
    DeviceOptions options;
    Link link;
    Gpu *gpu;
    Check *check;
    Symbols *symbols;
    const Card *card; /**< what all virtual devices are like */

    DeviceModule *modules;
    DeviceKernel *kernels;
    DeviceVariable *variables;
    DeviceStream *streams;
    DeviceEvent *events;
    DevicePinned *pinned;
    struct Pitched *pitched; /**< pitched.c */
    DevicePool *pools, *current_pool[DEVICE_MAX_DEVICES];
    DeviceShared *shared;
    struct DeviceArray *arrays;     /**< array.h */
    struct DeviceTexture *textures; /**< array.h */
    uint64_t array_count;
    struct Graph *graphs;
    DeviceStream *lanes[8]; /**< hidden streams in which graphs run side by side; GRAPH_LANES */
    unsigned graph_nodes;
    DeviceCondition *conditions;
    DeviceGraphPool graph_pools[DEVICE_MAX_DEVICES];
    bool kept_shown; /**< graph_memory_show */
    unsigned module_count, object_count;
    uint64_t module_bytes, name_bytes; /**< kept of what the program sent */
    uint64_t mark_site;                /**< of the call that set `mark` */
    uint64_t next_handle;
    DeviceLanding landings[DEVICE_MAX_LANDINGS]; /**< the newest at (count - 1) % DEVICE_MAX_LANDINGS */
    unsigned landing_count;
    DeviceTouch touches[DEVICE_MAX_TOUCHES];
    unsigned touch_count;
    bool touches_watched;

    Trace *trace;     /**< NULL: none */
    Picture *picture; /**< NULL: none */
    Sent *sent;       /**< NULL: not kept */
    Timeline *timeline;
    Calls calls;

    DeviceOperation *first, *last; /**< pending, in the order of the calls */
    unsigned pending_count, stream_count;
    uint64_t next_sequence;
    Order *order;
    Timing timing;
    Redundant redundant;
    Memsets memsets;
    struct SymbolCopies *symbol_copies; /**< symbolcopies.c */
    bool symbol_copies_watched;
    struct Unread *unread; /**< NULL: not watched */

    DeviceError errors[DEVICE_MAX_THREADS];
    DeviceUnchecked unchecked[DEVICE_MAX_UNCHECKED];
    unsigned unchecked_count;
    bool looks_at_status;              /**< one call's result was taken, or the last error asked for */
    uint64_t status_calls, first_call; /**< calls that return a status; the site of the first */
    DeviceHint hints[DEVICE_MAX_HINTS];
    unsigned hint_count;
    CudaCode sticky;  /**< a kernel's fault: every later call fails with it */
    CudaCode refusal; /**< set with a NULL from serve_stream or queue_add: what the call returns instead */

    /* several devices (devices.h) */
    unsigned current[DEVICE_MAX_THREADS];                    /**< by host thread */
    bool peers[DEVICE_MAX_DEVICES][DEVICE_MAX_DEVICES];      /**< [user][owner]: access was enabled */
    bool pool_peers[DEVICE_MAX_DEVICES][DEVICE_MAX_DEVICES]; /**< the same, by cudaMemPoolSetAccess */
    int capture_modes[DEVICE_MAX_THREADS];                   /**< by host thread: graph.h's CAPTURE_ */
    bool peer_fault;  /**< the running kernel used memory that it may not */
    uint32_t reached; /**< by the running kernel: the devices whose memory it has used, as bits */
    const DeviceOperation *running; /**< the launch that is running */
    unsigned body_rounds;           /**< of loops in the pending operation that is running (graph_bodies.h) */
    const volatile int *halt;       /**< halt.h: set when work has to end */

    /* the program, from HELLO: all untrusted, used for explanations */
    uint64_t load_base, image_begin, image_end, stack_top;
    unsigned toolkit; /**< CUDA major version of the runtime that it was linked to */
    bool greeted, goodbye;
    int64_t exit_status;
    uint64_t flags, limits[8];
    const char *mark;

    /* the request being served */
    WireRequest received;
    bool answering;             /**< the program waits for the reply to it */
    const WireRequest *request; /**< that one, or a crash that came in its place */
    uint64_t site;
    WireReply reply;
    const void *reply_payload;
    WireRange ranges[DEVICE_MAX_RANGES]; /**< for it */
    WireProperties properties;           /**< for it */

    /* for the report */
    uint64_t launches, threads, output_dropped;
    bool crashed;
} Device;

/* ---- serve.c ---- */

/** Serves until the other end goes away, then finishes: pending work, leaks, unchecked errors. */
void device_serve(Device *device);
/** NULL with errno set. Takes over the socket. */
Device *device_create(const DeviceOptions *options, int socket);
void device_destroy(Device *device);
/** The report; caller puts it. */
struct json_object *device_report(const Device *device);

const char *device_function_name(uint32_t function);
const char *device_error_name(CudaCode code);
const char *device_error_text(CudaCode code);

/* ---- devices.c ---- */

unsigned device_count(const Device *device);
/** The calling host thread's current device. */
unsigned device_current(const Device *device);

/* ---- objects.c: looking things up ---- */

DeviceModule *device_module(Device *device, uint64_t handle);
DeviceKernel *device_kernel(Device *device, uint64_t host);
/** The variable whose host shadow contains the address. */
DeviceVariable *device_variable(Device *device, uint64_t host);
DeviceStream *
device_stream(Device *device,
              uint64_t handle); /**< 0 is the current device's legacy stream; NULL: no such stream */
/** The legacy stream of one device. */
DeviceStream *device_legacy(Device *device, unsigned number);
DeviceEvent *device_event(Device *device, uint64_t handle);
/** A new stream that the program does not see; NULL without memory. */
DeviceStream *device_hidden_stream(Device *device);
DeviceShared *device_shared(Device *device, uint64_t address);
DevicePinned *device_pinned(Device *device, uint64_t address);
/** The address at which kernels reach registered host memory; 0: they cannot. */
uint64_t device_pinned_address(Device *device, uint64_t host);
/** Loads the module when that was not tried yet; says what is wrong with it once. */
CudaCode device_module_load(Device *device, DeviceModule *module);
CudaCode device_kernel_load(Device *device, DeviceKernel *kernel);
/** The device's copy of a variable; NULL when its module cannot be loaded or lacks it. */
const GpuAllocation *device_variable_load(Device *device, DeviceVariable *variable);
/** Zeroed memory that lives as long as the device, counted against DEVICE_MAX_OBJECTS; NULL past it. */
void *device_new_object(Device *device, size_t bytes);
#define DEVICE_NEW(device, Type) ((Type *)device_new_object((device), sizeof(Type)))

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
DeviceAddressKind device_address_kind(Device *device, uint64_t address);
bool device_is_host_address(DeviceAddressKind kind);

/* ---- queue.c: streams ---- */

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

typedef struct DeviceCopy {
    uint64_t to, from, to_pitch, from_pitch, width, height;
    int direction;   /**< resolved: never COPY_DEFAULT */
    bool library;    /**< libcurand.so asked for it */
    uint8_t *staged; /**< host bytes taken at the call; NULL: taken when it runs. Freed with the operation */
} DeviceCopy;

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

/* ---- copies.c: the bytes of one copy ---- */

/** Does a checked copy now; the client is asked for host bytes or given them. */
CudaCode copy_run(Device *device, const DeviceCopy *copy, uint64_t site);
/** Whether the host's memory holds, or is, something else than when the copy's bytes were staged (the first
 * row counts). Only known while the program waits for a reply. */
bool copy_source_changed(Device *device, const DeviceCopy *copy);
/** Looks at bytes of the program that must be mapped there; during a call that is answered. */
bool copy_peek(Device *device, uint64_t host, void *bytes, uint64_t count);
/** Takes the host bytes of a host-to-device copy into `staged`. */
bool copy_stage(Device *device, DeviceCopy *copy);

#endif
