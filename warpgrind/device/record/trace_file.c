/* trace_file.c - see trace_file.h. */
#include "device/record/trace_file.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = 256 << 10, /**< flushed when it is fuller */
    TAIL_BYTES = 1024,
    END_ROOM = 64 << 10,      /**< kept for what closes, and the end of the file */
    FINDING_ROOM = 512 << 10, /**< and this for findings */
    LONGEST_STRING = 2048
};

/* ---- the file ---- */

/** The end of the JSON: what the trace leaves out, and its limits. It is padded to a fixed length, so that a
 * later tail covers an earlier one whole. */
static void add_tail(const TraceFile *trace, Text *out) {
    size_t start = out->length;
    text_format(out,
                "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"schema\":\"warpgrind/trace/v1\","
                "\"time\":\"1 µs stands for one warp instruction of the model\",\"seed\":%" PRIu64
                ",\"stream_order\":\"%s\",",
                trace->seed, trace->early ? "early" : "late");
    text_format(out,
                "\"complete\":%s,\"events\":%" PRIu64 ",\"events_left_out\":%" PRIu64
                ",\"limit_bytes\":%d,\"limit_detail_bytes\":%d,\"limit_launch_bytes\":%d}}",
                trace->complete ? "true" : "false", trace->events, trace->left_out, TRACE_FILE_BYTES,
                TRACE_DETAIL_BYTES, TRACE_LAUNCH_BYTES);
    while (!out->failed && out->length - start < TAIL_BYTES - 1)
        text_add(out, " ");
    text_add(out, "\n");
}

/** One write, so that no reader and no death comes between the events and the end. */
static void put(TraceFile *trace, bool with_tail) {
    size_t events = trace->text.length;
    if (with_tail) add_tail(trace, &trace->text);
    bool fine = !trace->text.failed && !trace->failed;
    if (fine && trace->seekable) fine = lseek(trace->file, (off_t)trace->written, SEEK_SET) >= 0;
    if (fine) fine = text_write(trace->file, trace->text.bytes, trace->text.length);
    trace->failed = !fine;
    trace->written += events;
    text_clear(&trace->text);
}

void trace_file_open(TraceFile *trace, int file) {
    *trace = (TraceFile){.file = file, .seekable = lseek(file, 0, SEEK_CUR) >= 0};
    text_init(&trace->text);
    text_add(&trace->text, "{\"traceEvents\":[");
}

void trace_file_flush(TraceFile *trace) {
    if (trace->text.length > 0) put(trace, trace->seekable);
}

void trace_file_finish(TraceFile *trace) {
    trace->complete = true;
    put(trace, true);
    text_free(&trace->text);
}

/* ---- room ---- */

/** Each kind of event has a share of the file: details stop first, then calls, then findings, and what closes
 * an open slice is always written. All that found no room is counted. */
bool trace_file_has_room(TraceFile *trace, TraceShare share) {
    uint64_t used = trace->written + trace->text.length;
    bool room = !trace->failed;
    switch (share) {
    case TRACE_DETAIL:
        room = room && trace->detail < TRACE_DETAIL_BYTES && used < TRACE_FILE_BYTES - FINDING_ROOM;
        break;
    case TRACE_CALL:
        room = room && used < TRACE_FILE_BYTES - FINDING_ROOM;
        break;
    case TRACE_FINDING:
        room = room && used < TRACE_FILE_BYTES - END_ROOM;
        break;
    case TRACE_END:
        break;
    }
    if (!room) trace->left_out++;
    return room;
}

/* ---- events ---- */

/** A JSON string of any bytes: what is no UTF-8 or a control character is shown as \xNN, and long ones end
 * early. */
static void add_string(Text *out, const char *bytes) {
    Text visible = text_new();
    size_t length = strnlen(bytes, LONGEST_STRING);
    bool cut = length == LONGEST_STRING;
    if (cut) length = text_whole_characters(bytes, length);
    text_add_visible(&visible, bytes, length);
    text_add(out, "\"");
    for (const char *at = visible.bytes; *at; at++) {
        if (*at == '"' || *at == '\\')
            text_format(out, "\\%c", *at);
        else if (*at == '\n' || *at == '\t')
            text_add(out, *at == '\n' ? "\\n" : "\\t");
        else
            text_append(out, at, 1);
    }
    text_add(out, cut ? "...\"" : "\"");
    text_free(&visible);
}

/** Opens an event; what is added until trace_file_close are its arguments. The fields are those of the Trace
 * Event Format, each only for the phases that have it. */
void trace_file_event(TraceFile *trace, TraceShare share, const TraceEvent *event) {
    Text *out = &trace->text;
    trace->share = share;
    trace->start = out->length;
    trace->has_arguments = false;
    text_format(out, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, trace->events ? "," : "",
                event->phase, event->process, event->thread);
    if (event->phase != 'M') text_format(out, ",\"ts\":%" PRIu64, event->time);
    if (event->phase == 'X') text_format(out, ",\"dur\":%" PRIu64, event->duration);
    if (event->phase == 'i') text_add(out, ",\"s\":\"t\"");
    if (event->phase == 's' || event->phase == 'f') text_format(out, ",\"id\":%" PRIu64, event->id);
    if (event->phase == 'f') text_add(out, ",\"bp\":\"e\"");
    if (event->category != NULL) text_format(out, ",\"cat\":\"%s\"", event->category);
    if (event->name != NULL) {
        text_add(out, ",\"name\":");
        add_string(out, event->name);
    }
    trace->events++;
}

static void add_key(TraceFile *trace, const char *key) {
    text_format(&trace->text, "%s\"%s\":", trace->has_arguments ? "," : ",\"args\":{", key);
    trace->has_arguments = true;
}

void trace_file_text(TraceFile *trace, const char *key, const char *value) {
    if (value == NULL || value[0] == 0) return;
    add_key(trace, key);
    add_string(&trace->text, value);
}

void trace_file_number(TraceFile *trace, const char *key, uint64_t value) {
    add_key(trace, key);
    text_format(&trace->text, "%" PRIu64, value);
}

void trace_file_close(TraceFile *trace) {
    text_add(&trace->text, trace->has_arguments ? "}}" : "}");
    if (trace->share == TRACE_DETAIL) trace->detail += trace->text.length - trace->start;
    if (trace->text.length > BUFFER_BYTES) trace_file_flush(trace);
}
