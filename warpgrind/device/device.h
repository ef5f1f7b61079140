/* device.h - the device process: what it keeps while it serves one program.
 *
 * A Device owns a Gpu, a Check and, in parts with names, the tables of everything the program has made:
 * modules, kernels, variables, streams, events, pending operations, pinned ranges. Requests come through the
 * Link one at a time; each function of api.def has a handler in a serve_*.c file (serve.h). A handler fills
 * the reply's results and returns a cudaError_t; when it is not 0 it has already said why through a finding
 * (complain.h).
 *
 * A part is declared in the header of the file that it belongs to; those that several files share are here.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/diag.h"
#include "check/check.h"
#include "device/calls.h"
#include "device/cards.h"
#include "device/codes.h"
#include "device/copies.h"
#include "device/devices.h"
#include "device/graph.h"
#include "device/hints.h"
#include "device/hostside.h"
#include "device/link.h"
#include "device/memsets.h"
#include "device/objects.h"
#include "device/order.h"
#include "device/picture.h"
#include "device/queue.h"
#include "device/redundant.h"
#include "device/sent.h"
#include "device/symbolcopies.h"
#include "device/symbols.h"
#include "device/timeline.h"
#include "device/timing.h"
#include "device/trace.h"

/** What the command line says. */
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

/** What the program has said of itself, all untrusted and used for explanations; and what it has had done. */
typedef struct DeviceProgram {
    uint64_t load_base, image_begin, image_end, stack_top; /**< from HELLO */
    unsigned toolkit; /**< CUDA major version of the runtime that it was linked to */
    bool greeted, goodbye, crashed;
    int64_t exit_status;
    uint64_t flags, limits[8]; /**< settings of the runtime's that change nothing */
    const char *mark;          /**< the newest of warpgrindMark */
    uint64_t mark_site;        /**< of the call that set it */
    uint64_t launches, threads, output_dropped;
} DeviceProgram;

/** The request that is being served, and the reply to it. */
typedef struct DeviceServing {
    WireRequest received;
    const WireRequest *request; /**< that one, or a crash that came in its place */
    uint64_t site;              /**< of the call, in the program */
    bool answering;             /**< the program waits for the reply */
    WireReply reply;
    const void *payload;                 /**< of the reply */
    WireRange ranges[DEVICE_MAX_RANGES]; /**< room for it */
    WireProperties properties;           /**< room for it */
} DeviceServing;

/** A call that failed and whose result was thrown away: a finding unless somebody asks for the error later.
 */
typedef struct DeviceUnchecked {
    uint32_t thread, function;
    uint64_t site;
    CudaCode error;
    const char *mark;
} DeviceUnchecked;

/** The errors of calls, and whether the program looks at them. */
typedef struct DeviceErrors {
    CudaCode last[DEVICE_MAX_THREADS]; /**< of each host thread */
    CudaCode sticky;                   /**< a kernel's fault: every later call fails with it */
    CudaCode refusal; /**< set with a NULL from serve_stream or queue_add: what the call returns instead */
    DeviceUnchecked unchecked[DEVICE_MAX_UNCHECKED];
    unsigned unchecked_count;
    bool looked_at;                    /**< one call's result was taken, or the last error asked for */
    uint64_t status_calls, first_call; /**< calls that return a status; the site of the first */
} DeviceErrors;

struct Device {
    Arena *arena;
    DeviceOptions options;
    Link link;
    Gpu *gpu;
    Check *check;
    Symbols *symbols;
    const Card *card;         /**< what all virtual devices are like */
    const volatile int *halt; /**< halt.h: set when work has to end */

    DeviceProgram program;
    DeviceServing serving;
    DeviceErrors errors;
    DeviceObjects objects;
    DeviceQueue queue;
    DeviceGraphs graphs;
    DevicePeers peers;
    struct DevicePool *pools; /**< serve_pool.c */
    struct DevicePool
        *current_pools[DEVICE_MAX_DEVICES]; /**< those that cudaMallocAsync uses; NULL: the usual one */
    struct DeviceArray *arrays;             /**< array.h */
    struct DeviceTexture *textures;         /**< array.h */

    /* what is watched, for findings and for the report */
    Order *order;
    HostTouches touches;
    HostLandings landings;
    Hints hints;
    Timing timing;
    Redundant redundant;
    Memsets memsets;
    SymbolCopies symbol_copies;
    struct Pitched *pitched; /**< pitched.c */
    struct Unread *unread;   /**< NULL: not watched */
    Calls calls;
    Timeline *timeline;
    Trace *trace;     /**< NULL: none */
    Picture *picture; /**< NULL: none */
    Sent *sent;       /**< NULL: not kept */
};

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

#endif
