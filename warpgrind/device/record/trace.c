/* trace.c - the rows of the host and of the streams: a call is a slice, what a stream does is a slice at the
 * time when the model does it, and arrows lead from the call to the work and from an event to who waits for
 * it.
 *
 * Both ends of an arrow are written when the work is done, so none is ever loose: work that is never done has
 * no arrow.
 */
#include "device/record/trace.h"
#include "base/minmax.h"
#include "device/record/trace_parts.h"
#include "device/state/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** LIMIT: what a copy takes on this clock is a convention: a step for each 128 bytes, as one warp instruction
 * moves them. */
enum { COPY_STEP_BYTES = 128 };

/* ---- time and tracks ---- */

uint64_t trace_now(const Trace *trace) {
    return trace->clock + (trace->launch != NULL ? trace->launch->warp_instructions : 0);
}

/** Names a process or thread of the trace and gives it its place in the list: viewers sort by name unless
 * told otherwise. */
void trace_name(Trace *trace, char what, TraceTrack track, const char *name) {
    TraceEvent event = {.phase = 'M',
                        .name = what == 'p' ? "process_name" : "thread_name",
                        .process = track.process,
                        .thread = track.thread};
    trace_file_event(&trace->file, TRACE_END, &event);
    trace_file_text(&trace->file, "name", name);
    trace_file_close(&trace->file);
    if (what == 'p')
        event.name = "process_sort_index";
    else
        event.name = "thread_sort_index";
    trace_file_event(&trace->file, TRACE_END, &event);
    trace_file_number(&trace->file, "sort_index", what == 'p' ? track.process : track.thread);
    trace_file_close(&trace->file);
}

static TraceTrack host_track(Trace *trace, uint32_t thread) {
    TraceTrack track = {TRACE_HOST, thread % DEVICE_MAX_THREADS};
    if (trace->host_named[track.thread]) return track;
    trace->host_named[track.thread] = 1;
    char name[32];
    snprintf(name, sizeof name, "host thread %" PRIu32, track.thread);
    trace_name(trace, 't', track, name);
    return track;
}

/** The track of a stream. Process and thread are named when their first work is shown, so that unused streams
 * have no empty track. */
static TraceTrack work_track(Trace *trace, const DeviceOperation *operation) {
    const DeviceStream *stream = operation->stream;
    unsigned number = stream->number % DEVICE_MAX_OBJECTS;
    TraceTrack track = {TRACE_STREAMS + stream->device, number};
    if (!trace->device_named[stream->device]) {
        char name[32];
        trace->device_named[stream->device] = 1;
        snprintf(name, sizeof name, "device %u", stream->device);
        trace_name(trace, 'p', track, name);
    }
    if (trace->stream_named[number]) return track;
    trace->stream_named[number] = 1;
    Text text = text_new();
    trace_name_stream(stream, &text);
    trace_name(trace, 't', track, text.bytes);
    text_free(&text);
    return track;
}

static void add_place(Trace *trace, uint64_t site) {
    CheckPlace place;
    if (!symbols_place(trace->device->symbols, site, &place)) return;
    trace_file_text(&trace->file, "file", place.file);
    trace_file_number(&trace->file, "line", place.line > 0 ? (uint64_t)place.line : 0);
}

static void begin(Trace *trace, TraceShare share, char phase, const char *name, const char *category,
                  TraceTrack track) {
    TraceEvent event = {.phase = phase,
                        .name = name,
                        .category = category,
                        .process = track.process,
                        .thread = track.thread,
                        .time = trace_now(trace)};
    trace_file_event(&trace->file, share, &event);
}

/* ---- the host's calls ---- */

static void add_mark(Trace *trace, const WireRequest *request) {
    if (!trace_file_has_room(&trace->file, TRACE_CALL)) return;
    const Device *device = trace->device;
    begin(trace, TRACE_CALL, 'i', "mark", "mark", host_track(trace, request->thread));
    trace_file_text(&trace->file, "text", device->program.mark);
    trace_file_close(&trace->file);
    trace->clock++;
}

/** A call of the runtime as a slice of its host thread; what runs because of it nests inside, since the
 * device does that work while the call waits. */
void trace_call_begin(Device *device) {
    Trace *trace = device->trace;
    const char *name = trace_call_name(device);
    trace->call_shown = name != NULL && trace_file_has_room(&trace->file, TRACE_CALL);
    if (!trace->call_shown) return;
    begin(trace, TRACE_CALL, 'B', name, "call", host_track(trace, device->serving.request->thread));
    trace_add_arguments(device, &trace->file);
    add_place(trace, device->serving.site);
    trace_file_text(&trace->file, "mark", device->program.mark);
    trace_file_close(&trace->file);
    trace_file_flush(&trace->file);
}

/** The clock advances by one step, so that even a call that did nothing has a width in the picture. */
void trace_call_end(Device *device, int error) {
    Trace *trace = device->trace;
    if (device->serving.request->function == WIRE_MARK) add_mark(trace, device->serving.request);
    if (!trace->call_shown) return;
    trace->call_shown = false;
    trace->clock++;
    begin(trace, TRACE_END, 'E', NULL, NULL, host_track(trace, device->serving.request->thread));
    trace_file_text(&trace->file, "result", names_error((CudaCode)error));
    if (error != CUDA_OK) trace_file_text(&trace->file, "meaning", names_error_text((CudaCode)error));
    trace_file_close(&trace->file);
    trace_file_flush(&trace->file);
}

TraceAsked trace_asked(const Device *device) {
    return (TraceAsked){trace_now(device->trace), device->serving.request->thread};
}

/* ---- the streams' work ---- */

static uint64_t work_bytes(const DeviceOperation *operation) {
    uint64_t bytes = 0;
    bool fits = true;
    if (operation->kind == OPERATION_COPY)
        fits = !__builtin_mul_overflow(operation->copy.width, operation->copy.height, &bytes);
    if (operation->kind == OPERATION_SET)
        fits = !__builtin_mul_overflow(operation->set.width, operation->set.height, &bytes);
    if (fits && bytes <= INT64_MAX) return bytes;
    return 0;
}

static void add_launch(Trace *trace, const GpuLaunchSpec *spec) {
    Text text = text_new();
    trace_spell_shape(&text, spec->grid);
    trace_file_text(&trace->file, "grid", text.bytes);
    text_clear(&text);
    trace_spell_shape(&text, spec->block);
    trace_file_text(&trace->file, "block", text.bytes);
    text_free(&text);
    if (spec->dynamic_shared > 0) trace_file_number(&trace->file, "dynamic_shared", spec->dynamic_shared);
}

/** An arrow from one slice to another, both there already. */
static void add_arrow(Trace *trace, const char *name, TraceTrack from, uint64_t start, TraceTrack to) {
    uint64_t id = ++trace->next_flow;
    TraceEvent event = {.phase = 's',
                        .name = name,
                        .category = "order",
                        .process = from.process,
                        .thread = from.thread,
                        .time = start,
                        .id = id};
    trace_file_event(&trace->file, TRACE_END, &event);
    trace_file_close(&trace->file);
    event.phase = 'f';
    event.process = to.process;
    event.thread = to.thread;
    event.time = trace_now(trace);
    trace_file_event(&trace->file, TRACE_END, &event);
    trace_file_close(&trace->file);
}

/** A slice of the stream's track, with arrows from the call that asked for the work and from the event that
 * it waited for. The last TRACE_REMEMBERED operations can be pointed at; a wait for an older one has no
 * arrow. */
void trace_work_begin(Device *device, const DeviceOperation *operation) {
    Trace *trace = device->trace;
    trace->work = operation;
    trace->work_shown = trace_file_has_room(&trace->file, TRACE_CALL);
    if (!trace->work_shown) return;
    TraceTrack track = work_track(trace, operation);
    Text name = text_new();
    trace_name_work(operation, &name);
    begin(trace, TRACE_CALL, 'B', name.bytes, "work", track);
    text_free(&name);
    if (operation->kind == OPERATION_LAUNCH) add_launch(trace, &operation->launch.spec);
    if (work_bytes(operation) > 0) trace_file_number(&trace->file, "bytes", work_bytes(operation));
    add_place(trace, operation->site);
    trace_file_text(&trace->file, "mark", operation->mark);
    trace_file_close(&trace->file);
    trace->done[operation->sequence % TRACE_REMEMBERED] =
        (TraceDone){operation->sequence, trace_now(trace), track};
    if (operation->asked.thread != 0)
        add_arrow(trace, "asked for", host_track(trace, operation->asked.thread), operation->asked.time,
                  track);
    uint64_t awaited = 0;
    if (operation->kind == OPERATION_WAIT) awaited = operation->wait.sequence;
    const TraceDone *done = &trace->done[awaited % TRACE_REMEMBERED];
    if (awaited != 0 && done->sequence == awaited)
        add_arrow(trace, "waits for", done->track, done->time, track);
    trace_file_flush(&trace->file);
}

static void add_totals(Trace *trace, const DeviceOperation *operation) {
    if (operation->kind != OPERATION_LAUNCH) return;
    trace_file_number(&trace->file, "blocks",
                      operation->launch.spec.grid.x * (uint64_t)operation->launch.spec.grid.y *
                          operation->launch.spec.grid.z);
    trace_file_number(&trace->file, "blocks_shown", trace->blocks_shown);
    trace_file_number(&trace->file, "events_left_out", trace->left_out);
}

void trace_work_end(Device *device, const DeviceOperation *operation, int error) {
    Trace *trace = device->trace;
    trace->clock += 1 + work_bytes(operation) / COPY_STEP_BYTES;
    trace->work = NULL;
    if (!trace->work_shown) return;
    trace->work_shown = false;
    begin(trace, TRACE_END, 'E', NULL, NULL, work_track(trace, operation));
    add_totals(trace, operation);
    if (error != CUDA_OK) trace_file_text(&trace->file, "result", names_error((CudaCode)error));
    trace_file_close(&trace->file);
}

/* ---- findings ---- */

/** The warp or block where it happened when that is being shown, else the stream's work, else the host. */
static TraceTrack finding_track(Trace *trace, const CheckFinding *finding) {
    TraceTrack track;
    bool inside = trace->launch != NULL && finding->party.has_thread;
    if (inside && trace_block_track(trace, finding->party.block, finding->party.thread, &track)) return track;
    if (trace->work != NULL) return work_track(trace, trace->work);
    return host_track(trace, trace->device->serving.request->thread);
}

static void add_party(Trace *trace, const CheckParty *party, const char *file, const char *line) {
    if (party->place.line <= 0) return;
    trace_file_text(&trace->file, file, party->place.file);
    trace_file_number(&trace->file, line, (uint64_t)party->place.line);
}

/** A finding is an instant of the track where it happened. A share of the file is kept for findings, so that
 * they are shown when nothing else is any more. */
void trace_found(void *self, const CheckFinding *finding) {
    Device *device = self;
    Trace *trace = device->trace;
    if (trace == NULL || !trace_file_has_room(&trace->file, TRACE_FINDING)) return;
    TraceTrack track = finding_track(trace, finding);
    begin(trace, TRACE_FINDING, 'i', finding_info(finding->kind)->name, "finding", track);
    trace_file_text(&trace->file, "severity", finding->severity == FINDING_NOTE ? "note" : "error");
    trace_file_text(&trace->file, "message", finding->message);
    trace_file_text(&trace->file, "explanation", finding->explanation);
    add_party(trace, &finding->party, "file", "line");
    add_party(trace, &finding->other, "other_file", "other_line");
    trace_file_text(&trace->file, "kernel", finding->kernel);
    trace_file_close(&trace->file);
}

/* ---- life ---- */

/** The trace is written while the program runs, to a file that was opened before lock-down. */
Trace *trace_create(Device *device, int file, unsigned blocks) {
    Trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) return NULL;
    trace->device = device;
    trace->blocks_wanted = MIN(blocks, TRACE_MOST_BLOCKS);
    trace_file_open(&trace->file, file);
    trace->file.seed = device->options.seed;
    trace->file.early = device->options.early;
    const char *program = device->options.program, *slash = program != NULL ? strrchr(program, '/') : NULL;
    if (slash != NULL) program = slash + 1;
    trace_name(trace, 'p', (TraceTrack){TRACE_HOST, 0}, text_or(program, "program"));
    GpuObserver observer = trace_observer(trace);
    gpu_attach(device->gpu, &observer);
    return trace;
}

void trace_destroy(Trace *trace) {
    if (trace == NULL) return;
    text_free(&trace->file.text);
    free(trace);
}

void trace_finish(Device *device) {
    if (device->trace != NULL) trace_file_finish(&device->trace->file);
}

struct json_object *trace_summary(const Trace *trace) {
    struct json_object *summary = json_object_new_object();
    json_put_number(summary, "events", (int64_t)trace->file.events);
    json_put_number(summary, "events_left_out", (int64_t)trace->file.left_out);
    json_put_flag(summary, "written", !trace->file.failed);
    return summary;
}
