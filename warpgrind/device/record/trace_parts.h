/* trace_parts.h - what the files of the trace share: its clock, its tracks, and the launch it is showing. */
#pragma once

#include "device/state/state.h"
#include "device/record/trace.h"
#include "device/record/trace_file.h"

/** Process numbers in the file: the program; a device's streams, by device; a launch's blocks, by its id. */
enum { TRACE_HOST = 1, TRACE_STREAMS = 10, TRACE_LAUNCHES = 1000 };

/** A block has this many tracks: its own, then one for each of its warps. */
enum { TRACE_BLOCK_TRACKS = 64, TRACE_BLOCK_WARPS = 32 };

/** A row of the picture, as the format names it: a process and a thread. */
typedef struct TraceTrack {
    uint32_t process, thread;
} TraceTrack;

/** What a shown warp is doing. */
typedef struct TraceWarp {
    uint64_t phase; /**< when it began what it is doing, up to the next barrier */
    uint32_t lanes; /**< that ran last */
    bool gone;
} TraceWarp;

/** A block that is shown, while it runs. */
typedef struct TraceBlock {
    const GpuBlock *block; /**< NULL: it has ended */
    uint32_t track;
    uint64_t begin;
    TraceWarp warps[TRACE_BLOCK_WARPS];
} TraceBlock;

/** What one warp does without another one, or other lanes, coming between. */
typedef struct TraceRun {
    const GpuWarp *warp; /**< NULL: none */
    uint32_t lanes;
    uint64_t begin;
    const char *file;
    int first_line, last_line;
    uint64_t reads, writes, atomics; /**< of the warp */
} TraceRun;

/** A branch that sends a warp both ways; told at the end of its run. */
typedef struct TraceParting {
    uint32_t pc, taken, not_taken; /**< pc 0: none */
} TraceParting;

/** Where a stream's work was shown, by its sequence: for arrows from it. */
typedef struct TraceDone {
    uint64_t sequence, time;
    TraceTrack track;
} TraceDone;

enum { TRACE_REMEMBERED = 4096 };

struct Trace {
    Device *device;
    TraceFile file;
    unsigned blocks_wanted;
    uint64_t clock; /**< but for the launch that runs */
    uint64_t next_flow;
    TraceDone done[TRACE_REMEMBERED]; /**< by sequence, modulo */
    uint8_t host_named[DEVICE_MAX_THREADS], device_named[DEVICE_MAX_DEVICES];
    uint8_t stream_named[DEVICE_MAX_OBJECTS];
    bool call_shown, work_shown;
    const DeviceOperation *work; /**< being done */
    const char *source;          /**< the file that most places are in: others are said */
    /* the launch that runs */
    const GpuLaunch *launch;              /**< NULL: none */
    TraceBlock blocks[TRACE_MOST_BLOCKS]; /**< in the order in which they began */
    uint8_t
        by_slot[GPU_MAX_RESIDENT_BLOCKS]; /**< 1 + where the slot's block is; stale when that is another */
    unsigned blocks_shown;
    uint64_t detail_start, left_out; /**< bytes of detail before it; its events left out */
    TraceRun run;
    TraceParting parting; /**< at its end */
    TraceRun coming;      /**< the accesses of what has not been sent yet */
    TraceParting coming_parting;
};

uint64_t trace_now(const Trace *trace);
/** A name for a process ('p') or a thread ('t') of the file. */
void trace_name(Trace *trace, char what, TraceTrack track, const char *name);

/* ---- trace_blocks.c ---- */

GpuObserver trace_observer(Trace *trace);
/** The track of a thread's warp, or of the block when there is no thread; false when the block is not being
 * shown. */
bool trace_block_track(const Trace *trace, GpuDim block, GpuDim thread, TraceTrack *track);

/* ---- trace_words.c ---- */

/** Whether the request is a call of the runtime's, and what its slice is called (in the device's arena). */
const char *trace_call_name(Device *device);
/** Adds the arguments of the request to the event being made. */
void trace_add_arguments(Device *device, TraceFile *file);
/** "4 x 2", with as many dimensions as are used. */
void trace_spell_shape(Text *out, GpuDim shape);
/** Which event it is, in the order in which the program made them, from 1. */
unsigned trace_event_number(const DeviceEvent *event);
/** "the default stream", "stream 2" by the program's order. */
void trace_name_stream(const DeviceStream *stream, Text *out);
/** What stands in the slice of an operation: a kernel's own name, and a word or two for all else. */
void trace_name_work(const DeviceOperation *operation, Text *out);
