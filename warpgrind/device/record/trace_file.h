/* trace_file.h - the file of a trace: events in Chrome's JSON form, within bounds, valid at any moment.
 *
 * The file is {"traceEvents":[...],"otherData":{...}}. Each flush writes the new events and the end of the
 * file behind them, over the end that stood there before; ends are padded to one length. So whoever reads the
 * file, also after the device was killed, reads whole JSON: what is missing is what had not been flushed.
 *
 * An event is made by trace_file_event, any number of arguments, trace_file_close.
 */
#pragma once

#include "base/text.h"

/** Bounds, in bytes: the whole file; of it, what blocks and warps may take; and one launch of that. */
enum { TRACE_FILE_BYTES = 24 << 20, TRACE_DETAIL_BYTES = 16 << 20, TRACE_LAUNCH_BYTES = 1 << 20 };

/** Who asks for room: the later ones get some when the earlier ones get none any more. */
typedef enum TraceShare {
    TRACE_DETAIL,  /**< blocks and warps */
    TRACE_CALL,    /**< the host's calls and the streams' work */
    TRACE_FINDING, /**< findings */
    TRACE_END      /**< what closes something that was opened: always */
} TraceShare;

/** A trace while it is written, and how much of its limits is used up. */
typedef struct TraceFile {
    int file;
    bool seekable, failed, complete;
    Text text;        /**< events not yet written */
    uint64_t written; /**< bytes of the file before its end */
    uint64_t detail;  /**< bytes of TRACE_DETAIL */
    uint64_t events, left_out;
    TraceShare share; /**< of the event being made */
    size_t start;     /**< in the text */
    bool has_arguments;
    /* for the end of the file */
    uint64_t seed;
    bool early;
} TraceFile;

/** An event of the Trace Event Format; letters of the phases are the format's. */
typedef struct TraceEvent {
    char phase;           /**< B, E, X, i, s, f or M */
    const char *name;     /**< any bytes; NULL for E */
    const char *category; /**< ours; NULL: none */
    uint32_t process, thread;
    uint64_t time, duration; /**< duration: of X */
    uint64_t id;             /**< of s and f */
} TraceEvent;

void trace_file_open(TraceFile *trace, int file);
/** The file's last flush; `complete` is what its reader is told. */
void trace_file_finish(TraceFile *trace);
void trace_file_flush(TraceFile *trace);

/** Whether there is room for one more; counts it as left out when there is none. */
bool trace_file_has_room(TraceFile *trace, TraceShare share);
void trace_file_event(TraceFile *trace, TraceShare share, const TraceEvent *event);
void trace_file_text(TraceFile *trace, const char *key, const char *value);
void trace_file_number(TraceFile *trace, const char *key, uint64_t value);
void trace_file_close(TraceFile *trace);
