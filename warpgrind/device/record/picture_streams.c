/* picture_streams.c - the work of streams beside the host's calls; see picture_streams.h.
 *
 * Work is placed by the timeline when nothing is pending any more, in the order of the calls; a call gets its
 * place among the work by the operations that it comes after, and its time from what its thread has waited
 * for by then.
 */
#include "device/record/picture_streams.h"
#include "device/record/picture_values.h"

#include "device/record/timeline.h"
#include "device/record/trace_parts.h"
#include "device/state/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** LIMIT: bars of the page; what comes later is counted. */
enum { MOST_WORKS = 1000, MOST_CALLS = 1000, MOST_FOUND = 16, MOST_TRACKS = 64 };

/** A line of a file, which may be none of the source that the page shows. */
typedef struct StreamsPlace {
    const char *file; /**< without its folder; NULL: not known */
    int line;
} StreamsPlace;

/** One operation, by the word that docs/picture.md has for its kind. */
typedef struct StreamsWork {
    const char *name;
    char kind;
    unsigned track;
    uint32_t launch; /**< 0: none */
    uint64_t sequence, graph, awaited, bytes, from, to;
    StreamsPlace place;
} StreamsWork;

/** A call of the host, or several in a row that are alike and asked for no work. */
typedef struct StreamsCall {
    const char *name;
    uint32_t thread;
    unsigned times;
    int error;
    uint64_t first, last; /**< the work that it asked for; none where `last` is less */
    uint64_t from, to;
    StreamsPlace place;
    uint64_t waited[ORDER_STREAMS]; /**< as OrderClock.since of its thread, at its end */
} StreamsCall;

/** A finding about order, or one that no kernel has made. */
typedef struct StreamsFound {
    const CheckFinding *finding;
    StreamsPlace place, other;
    unsigned call; /**< in which it was found, and one more; 0: in none that is recorded */
} StreamsFound;

typedef struct StreamsTrack {
    unsigned device, number;
    const char *name;
} StreamsTrack;

struct PictureStreams {
    StreamsWork works[MOST_WORKS];
    StreamsCall calls[MOST_CALLS];
    StreamsFound found[MOST_FOUND];
    StreamsTrack tracks[MOST_TRACKS];
    unsigned work_count, call_count, found_count, track_count;
    unsigned placed_calls; /**< of them have their time */
    uint64_t left_out_works, left_out_calls;
    uint64_t host_at[DEVICE_MAX_THREADS]; /**< where each thread is */
    StreamsCall call;                     /**< that is being served; its name is NULL where there is none */
    uint32_t launch;
};

/* ---- places and names ---- */

static const char *base_of(const char *path) {
    const char *slash = NULL;
    if (path != NULL) slash = strrchr(path, '/');
    if (slash != NULL) return slash + 1;
    return path;
}

static StreamsPlace place_of(const CheckPlace *place) {
    return (StreamsPlace){place->line > 0 ? base_of(place->file) : NULL, place->line > 0 ? place->line : 0};
}

static StreamsPlace place_of_site(const struct Device *device, uint64_t site) {
    CheckPlace place;
    if (!symbols_place(device->symbols, site, &place)) return (StreamsPlace){0};
    return place_of(&place);
}

/** MOST_TRACKS: there are too many. */
static unsigned track_of(Device *device, const DeviceStream *stream) {
    PictureStreams *streams = device->picture_streams;
    for (unsigned i = 0; i < streams->track_count; i++)
        if (streams->tracks[i].device == stream->device && streams->tracks[i].number == stream->number)
            return i;
    if (streams->track_count == MOST_TRACKS) return MOST_TRACKS;
    Text name = text_new();
    trace_name_stream(stream, &name);
    streams->tracks[streams->track_count] =
        (StreamsTrack){stream->device, stream->number, arena_string(device->arena, name.bytes)};
    text_free(&name);
    return streams->track_count++;
}

static char kind_of_copy(const DeviceCopy *copy) {
    if (copy->direction == COPY_HOST_TO_DEVICE) return 'h';
    if (copy->direction == COPY_DEVICE_TO_HOST) return 'd';
    return 'c';
}

static char kind_of(const DeviceOperation *operation) {
    static const char kinds[] = {[OPERATION_LAUNCH] = 'k',   [OPERATION_COPY] = 'c', [OPERATION_SET] = 's',
                                 [OPERATION_RECORD] = 'e',   [OPERATION_WAIT] = 'w', [OPERATION_HOST] = 'f',
                                 [OPERATION_ALLOCATE] = 'm', [OPERATION_FREE] = 'm', [OPERATION_BODIES] = 'g',
                                 [OPERATION_EMPTY] = 'g'};
    if (operation->kind == OPERATION_COPY) return kind_of_copy(&operation->copy);
    return kinds[operation->kind];
}

/* ---- what happens ---- */

/** A request that is no call of the program's own is left aside. */
void picture_streams_call_begin(Device *device) {
    StreamsCall *call = &device->picture_streams->call;
    memset(call, 0, sizeof *call);
    call->name = trace_call_name(device);
    if (call->name == NULL) return;
    call->thread = device->serving.request->thread % DEVICE_MAX_THREADS;
    call->times = 1;
    call->first = device->queue.next_sequence + 1;
    call->place = place_of_site(device, device->serving.site);
}

static bool same_place(const StreamsPlace *a, const StreamsPlace *b) {
    return a->line == b->line &&
           (a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0));
}

/** A loop that asks whether something is ready, say. */
static bool repeats(const StreamsCall *call, const StreamsCall *before) {
    return call->last < call->first && before->last < before->first && call->thread == before->thread &&
           call->error == before->error && strcmp(call->name, before->name) == 0 &&
           same_place(&call->place, &before->place);
}

void picture_streams_call_end(Device *device, int error, const OrderClock *host) {
    PictureStreams *streams = device->picture_streams;
    StreamsCall *call = &streams->call;
    if (call->name == NULL) return;
    call->last = device->queue.next_sequence;
    call->error = error;
    memcpy(call->waited, host->since, sizeof call->waited);
    StreamsCall *before = NULL;
    if (streams->call_count > 0) before = &streams->calls[streams->call_count - 1];
    if (before != NULL && streams->placed_calls < streams->call_count && repeats(call, before)) {
        before->times++;
        memcpy(before->waited, call->waited, sizeof call->waited);
    } else if (streams->call_count < MOST_CALLS) {
        streams->calls[streams->call_count++] = *call;
    } else {
        streams->left_out_calls++;
    }
    call->name = NULL;
}

void picture_streams_launched(PictureStreams *streams, uint32_t launch) {
    streams->launch = launch;
}

static uint64_t bytes_of(const DeviceOperation *operation) {
    if (operation->kind == OPERATION_COPY) return operation->copy.width * operation->copy.height;
    if (operation->kind == OPERATION_SET) return operation->set.width * operation->set.height;
    return 0;
}

unsigned picture_streams_done(Device *device, const DeviceOperation *operation) {
    PictureStreams *streams = device->picture_streams;
    const uint32_t launch = streams->launch;
    streams->launch = 0;
    const unsigned track = track_of(device, operation->stream);
    if (streams->work_count == MOST_WORKS || track == MOST_TRACKS) {
        streams->left_out_works++;
        return MOST_WORKS;
    }
    Text name = text_new();
    trace_name_work(operation, &name);
    streams->works[streams->work_count] =
        (StreamsWork){.name = arena_string(device->arena, name.bytes),
                      .kind = kind_of(operation),
                      .track = track,
                      .launch = operation->kind == OPERATION_LAUNCH ? launch : 0,
                      .sequence = operation->sequence,
                      .graph = operation->graph,
                      .awaited = operation->kind == OPERATION_WAIT ? operation->wait.sequence : 0,
                      .bytes = bytes_of(operation),
                      .place = place_of_site(device, operation->site)};
    text_free(&name);
    return streams->work_count++;
}

/* ---- when ---- */

/** A call begins where its thread was, and ends when that has waited for what the call waits for. */
static void place_call(Device *device, StreamsCall *call) {
    uint64_t *at = &device->picture_streams->host_at[call->thread];
    const uint64_t waited = timeline_host_time(device->timeline, call->thread, call->waited);
    call->from = *at;
    if (waited > *at) *at = waited;
    call->to = *at;
}

void picture_streams_reach(Device *device, uint64_t sequence) {
    PictureStreams *streams = device->picture_streams;
    while (streams->placed_calls < streams->call_count &&
           streams->calls[streams->placed_calls].last < sequence)
        place_call(device, &streams->calls[streams->placed_calls++]);
}

void picture_streams_placed(Device *device, unsigned work, uint64_t from, uint64_t to) {
    if (work >= MOST_WORKS) return;
    device->picture_streams->works[work].from = from;
    device->picture_streams->works[work].to = to;
}

/* ---- findings ---- */

/** Those of one launch have a place in its steps. */
void picture_streams_found(Device *device, const CheckFinding *finding) {
    PictureStreams *streams = device->picture_streams;
    const bool of_steps = finding->party.has_thread || (finding->launch != 0 && finding->work == 0);
    if (of_steps || streams->found_count == MOST_FOUND) return;
    const bool in_call = streams->call.name != NULL;
    streams->found[streams->found_count++] = (StreamsFound){.finding = finding,
                                                            .place = place_of(&finding->party.place),
                                                            .other = place_of(&finding->other.place),
                                                            .call = in_call ? streams->call_count + 1 : 0};
}

/* ---- what is written ---- */

static void add_place(Text *out, const StreamsPlace *place) {
    text_format(out, ",%d,", place->line);
    picture_add_word(out, place->file);
}

static void add_work(Text *out, const StreamsWork *work) {
    text_format(out, "[\"%c\",%u,%" PRIu64 ",%" PRIu64 ",", work->kind, work->track, work->from, work->to);
    picture_add_word(out, work->name);
    add_place(out, &work->place);
    text_format(out, ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", work->sequence,
                work->launch, work->bytes, work->awaited, work->graph);
}

static void add_call(Text *out, const StreamsCall *call) {
    text_format(out, "[%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",", call->thread, call->from, call->to);
    picture_add_word(out, call->name);
    add_place(out, &call->place);
    text_format(out, ",%" PRIu64 ",%" PRIu64 ",%u,", call->first, call->last, call->times);
    picture_add_word(out, call->error != CUDA_OK ? names_error((CudaCode)call->error) : "");
    text_add(out, "]");
}

static void add_found(Text *out, const StreamsFound *found) {
    const CheckFinding *finding = found->finding;
    text_format(out, "{\"kind\":\"%s\",\"severity\":\"%s\",\"message\":", finding_info(finding->kind)->name,
                finding->severity == FINDING_NOTE ? "note" : "error");
    picture_add_word(out, finding->message);
    text_add(out, ",\"explanation\":");
    picture_add_word(out, finding->explanation);
    text_format(out, ",\"work\":[%" PRIu64 ",%" PRIu64 "],\"call\":%d,\"places\":[[%d,", finding->work,
                finding->other_work, (int)found->call - 1, found->place.line);
    picture_add_word(out, found->place.file);
    text_format(out, "],[%d,", found->other.line);
    picture_add_word(out, found->other.file);
    text_add(out, "]]}");
}

static void begin_entry(Text *out, unsigned i) {
    if (i > 0) text_add(out, ",\n");
}

void picture_streams_write(Device *device, Text *out) {
    PictureStreams *streams = device->picture_streams;
    picture_streams_reach(device, UINT64_MAX);
    text_add(out, "\"streams\":{\"tracks\":[");
    for (unsigned i = 0; i < streams->track_count; i++) {
        text_format(out, i > 0 ? ",[%u," : "[%u,", streams->tracks[i].device);
        picture_add_word(out, streams->tracks[i].name);
        text_add(out, "]");
    }
    text_add(out, "],\"work\":[");
    for (unsigned i = 0; i < streams->work_count; i++) {
        begin_entry(out, i);
        add_work(out, &streams->works[i]);
    }
    text_add(out, "],\"calls\":[");
    for (unsigned i = 0; i < streams->call_count; i++) {
        begin_entry(out, i);
        add_call(out, &streams->calls[i]);
    }
    text_add(out, "],\"findings\":[");
    for (unsigned i = 0; i < streams->found_count; i++) {
        begin_entry(out, i);
        add_found(out, &streams->found[i]);
    }
    text_format(out, "],\"left_out\":{\"work\":%" PRIu64 ",\"calls\":%" PRIu64 "}}", streams->left_out_works,
                streams->left_out_calls);
}

/* ---- life ---- */

PictureStreams *picture_streams_create(void) {
    return calloc(1, sizeof(PictureStreams));
}

void picture_streams_destroy(PictureStreams *streams) {
    free(streams);
}
