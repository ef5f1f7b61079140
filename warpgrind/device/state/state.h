/* state.h - what the device process keeps while it serves one program.
 *
 * A Device owns a Gpu, a Check and, in parts with names, the tables of everything the program has made:
 * modules, kernels, variables, streams, events, pending operations, pinned ranges. Requests come through the
 * Link one at a time; each function of api.def has a handler in a serve_*.c file (serve.h). A handler fills
 * the reply's results and returns a cudaError_t; when it is not 0 it has already said why through a finding
 * (complain.h).
 *
 * The types of the parts are here and in the headers that this one includes, but for those behind a pointer,
 * which are private to their files; what can be done with a part is in the header of the file that it belongs
 * to.
 */
#pragma once

#include "base/diag.h"
#include "check/check.h"
#include "device/state/cards.h"
#include "device/state/codes.h"
#include "device/state/devices.h"
#include "device/state/graphs.h"
#include "device/process/link.h"
#include "device/state/objects.h"
#include "device/state/operation.h"
#include "device/image/symbols.h"
#include "device/state/watched.h"

/** What the program said it was about to do (warpgrindMark), and the newest allocation before that. */
typedef struct DeviceMark {
    const char *text;
    uint32_t
        allocated; /**< its id (gpu_memory_newest): what was allocated under this mark has a higher one */
    struct DeviceMark *before;
} DeviceMark;

/** What the program has said of itself, all untrusted and used for explanations; and what it has had done. */
typedef struct DeviceProgram {
    uint64_t load_base, image_begin, image_end, stack_top; /**< from HELLO */
    unsigned toolkit; /**< CUDA major version of the runtime that it was linked to */
    bool greeted, goodbye, crashed;
    bool has_library; /**< there are kernels of Thrust or CUB: their calls are looked for further up */
    int64_t exit_status;
    uint64_t flags, limits[8]; /**< settings of the runtime's that change nothing */
    const char *mark;          /**< the newest of warpgrindMark */
    uint64_t mark_site;        /**< of the call that set it */
    struct DeviceMark *marks;  /**< all of them, the newest first */
    uint64_t launches, threads, output_dropped;
} DeviceProgram;

/** The request that is being served, and the reply to it. */
typedef struct DeviceServing {
    WireRequest received;
    const WireRequest *request; /**< that one, or a crash that came in its place */
    uint64_t site;              /**< of the call, in the program */
    bool answering;             /**< the program waits for the reply */
    bool uncounted;             /**< it did not do what such calls are counted for (calls.h) */
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

/** The first call that found no device memory (watch/exhausted.h). */
typedef struct DeviceExhausted {
    uint64_t asked, used; /**< bytes; 0 were asked for: there was none */
    uint64_t site;
    uint32_t function;
    const char *mark;
} DeviceExhausted;

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
    DeviceExhausted exhausted;
    DeviceObjects objects;
    DeviceQueue queue;
    DeviceGraphs graphs;
    DevicePeers peers;
    struct DevicePool *pools; /**< serve_pool.c */
    struct DevicePool
        *current_pools[DEVICE_MAX_DEVICES]; /**< those that cudaMallocAsync uses; NULL: the usual one */
    struct DeviceArray *arrays;             /**< array.h */
    DeviceTexture *textures;

    /* what is watched, for findings and for the report */
    struct Order *order;
    HostTouches touches;
    HostLandings landings;
    Hints hints;
    AskedSizes asked;
    Timing timing;
    Redundant redundant;
    Memsets memsets;
    SymbolCopies symbol_copies;
    struct Pitched *pitched; /**< pitched.c */
    struct Unread *unread;   /**< NULL: not watched */
    Calls calls;
    struct Timeline *timeline;
    struct Withhold *withhold;              /**< NULL: nothing is withheld */
    struct Trace *trace;                    /**< NULL: none */
    struct Picture *picture;                /**< NULL: none */
    struct PictureStreams *picture_streams; /**< beside it */
    struct Debug *debug;                    /**< NULL: none */
    struct Sent *sent;                      /**< NULL: not kept */
};
