/* timeline.c - places each piece of work on one of the device's engines; see timeline.h.
 *
 * Work is gathered as it is done, and placed when nothing is pending any more: then all calls up to now are
 * known, and their order decides who gets an engine first. The order in which the queue works does not, since
 * it empties one stream after the other.
 * LIMIT: work that is never waited for keeps a batch open; after MOST_GATHERED pieces it is placed all the
 * same, as if the missing ones took no time. Of a stream the ends of its newest pieces are remembered; who
 * waits for an older one waits for the oldest of those.
 */
#include "device/record/timeline.h"
#include "base/minmax.h"

#include "base/growable.h"
#include "device/record/picture_streams.h"
#include "device/state/state.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 128, MOST_GATHERED = DEVICE_MAX_PENDING, MOST_MARKS = 256, REMEMBERED = 128 };
enum { SEEN = 256 }; /* pieces of an engine that later ones of another are held against */

/** What an operation keeps busy: two operations on one engine run one after the other. */
typedef enum Engine {
    ENGINE_TO_DEVICE,
    ENGINE_TO_HOST,
    ENGINE_KERNELS, /* and copies and memsets within device memory */
    ENGINE_COUNT,
    ENGINE_NONE = ENGINE_COUNT
} Engine;

/** An operation that was done, waiting to be placed on the device's clock. */
typedef struct Work {
    uint64_t sequence, steps;
    unsigned slot, device, thread;
    Engine engine;
    bool host_waits;
    bool launch, in_default; /* of a kernel; in a default stream that waits for the others */
    const char *mark;
    unsigned pictured; /* its number in the picture */
    OrderClock clock;
} Work;

/** The time of all work under one mark. */
typedef struct Span {
    const char *mark;
    uint64_t steps;   /* from its first work to its last */
    uint64_t work;    /* of all its work, one after the other */
    uint64_t overlap; /* of kernels while a copy from or to the host was running on the same device */
    uint64_t default_launches, launch_slots; /* how many; in the streams of which slots the others were */
    bool whole; /* all of it is ordered: no stream is without a place in the clocks */
} Span;

/** When an operation ended, by its place in the order of all. */
typedef struct End {
    uint64_t sequence, at;
} End;

/* The newest pieces of one stream, the newest at (count - 1) % REMEMBERED. */
typedef struct Ends {
    End newest[REMEMBERED];
    uint64_t count;
    End asked; /* for what was asked last: the host's waits are asked for again and again */
} Ends;

/* The newest pieces of one engine that matter for overlap: when they ran, the newest at (count - 1) % SEEN.
 */
typedef struct Pieces {
    struct {
        uint64_t from, to;
    } newest[SEEN];
    uint64_t count;
} Pieces;

struct Timeline {
    Work *works;
    unsigned count;
    size_t capacity;
    uint64_t free_at[DEVICE_MAX_DEVICES][ENGINE_COUNT];
    Pieces pieces[DEVICE_MAX_DEVICES][ENGINE_COUNT];
    Ends ends[ORDER_STREAMS];            /* of the stream in each slot */
    uint64_t not_before;                 /* the mark began then */
    uint64_t waited[DEVICE_MAX_THREADS]; /* each host thread waited so long */
    uint64_t end;                        /* of everything so far */
    uint64_t launch_steps;               /* of the launch that ended last */
    unsigned processors;
    Span spans[MOST_MARKS];
    unsigned span_count;
    Span *span; /* of the running mark; NULL: past the last */
};

/* ---- durations ---- */

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Timeline *timeline = self;
    (void)status;
    uint64_t share = launch->warp_instructions / timeline->processors;
    timeline->launch_steps = 1 + MAX(share, launch->longest_warp);
}

static uint64_t steps_of_bytes(uint64_t width, uint64_t height) {
    return 1 + (width * height + COPY_BYTES - 1) / COPY_BYTES;
}

/** The engine that a copy keeps busy, and whether the host waits for it: copies between the device and
 * ordinary memory are staged, so the host stands still meanwhile (CUDA Runtime API, API synchronization
 * behavior). */
static void describe_copy(Device *device, const DeviceCopy *copy, Work *work) {
    work->steps = steps_of_bytes(copy->width, copy->height);
    switch (copy->direction) {
    case COPY_HOST_TO_DEVICE:
        work->engine = ENGINE_TO_DEVICE;
        work->host_waits = copy->staged != NULL || !objects_in_place(device, copy->from);
        return;
    case COPY_DEVICE_TO_HOST:
        work->engine = ENGINE_TO_HOST;
        work->host_waits = !objects_in_place(device, copy->to);
        return;
    case COPY_HOST_TO_HOST:
        work->engine = ENGINE_NONE;
        return;
    default:
        work->engine = ENGINE_KERNELS;
    }
}

/** How long an operation takes on the device's own clock, and which engine it needs. Those that only order
 * others take no time. */
static void describe(Device *device, const DeviceOperation *operation, Work *work) {
    switch (operation->kind) {
    case OPERATION_LAUNCH:
        work->engine = ENGINE_KERNELS;
        work->launch = true;
        work->steps = device->timeline->launch_steps;
        return;
    case OPERATION_COPY:
        describe_copy(device, &operation->copy, work);
        return;
    case OPERATION_SET:
        work->engine = ENGINE_KERNELS;
        work->steps = steps_of_bytes(operation->set.width, operation->set.height);
        return;
    case OPERATION_RECORD:
    case OPERATION_WAIT:
    case OPERATION_HOST:
    case OPERATION_ALLOCATE:
    case OPERATION_FREE:
    case OPERATION_BODIES:
    case OPERATION_EMPTY:
        return;
    }
}

/* ---- gathering ---- */

static Work *new_work(Timeline *timeline) {
    Work *works = growable_grow(timeline->works, &timeline->capacity, timeline->count + 1, sizeof *works);
    if (works == NULL) return NULL;
    timeline->works = works;
    return &works[timeline->count++];
}

/** Work is gathered and scheduled later in one go (timeline_settle), since what runs beside it may be known
 * only then. MOST_GATHERED bounds the memory; a larger value lets more work overlap across that border. */
void timeline_done(Device *device, const DeviceOperation *operation) {
    Timeline *timeline = device->timeline;
    if (timeline->count == MOST_GATHERED) timeline_settle(device);
    Work *work = new_work(timeline);
    if (work == NULL) return;
    *work = (Work){.sequence = operation->sequence,
                   .slot = operation->stream->slot,
                   .device = operation->device,
                   .thread = operation->thread,
                   .engine = ENGINE_NONE,
                   .in_default = operation->stream == objects_legacy(device, operation->device),
                   .mark = operation->mark,
                   .clock = operation->clock};
    describe(device, operation, work);
    if (device->picture_streams != NULL) work->pictured = picture_streams_done(device, operation);
}

/* ---- placing ---- */

static int compare_works(const void *a, const void *b) {
    const Work *x = a, *y = b;
    if (x->sequence < y->sequence) return -1;
    return x->sequence > y->sequence;
}

static void remember(Ends *ends, uint64_t sequence, uint64_t at) {
    ends->newest[ends->count++ % REMEMBERED] = (End){sequence, at};
}

static uint64_t find_end(const Ends *ends, uint64_t sequence) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < ends->count && i < REMEMBERED; i++) {
        const End *end = &ends->newest[(ends->count - 1 - i) % REMEMBERED];
        at = end->at;
        if (end->sequence <= sequence) return at;
    }
    if (ends->count > REMEMBERED) return at;
    return 0;
}

/* Where the stream's work up to that sequence ended. */
static uint64_t end_of(Ends *ends, uint64_t sequence) {
    if (ends->asked.sequence != sequence) ends->asked = (End){sequence, find_end(ends, sequence)};
    return ends->asked.at;
}

static Span *find_span(Timeline *timeline, const char *mark) {
    for (unsigned i = 0; i < timeline->span_count; i++)
        if (strcmp(timeline->spans[i].mark, mark) == 0) return &timeline->spans[i];
    if (timeline->span_count == MOST_MARKS) return NULL;
    Span *span = &timeline->spans[timeline->span_count++];
    *span = (Span){.mark = mark, .whole = true};
    return span;
}

/* A mark begins when all work of the one before has ended, so that each has a time of its own. */
static void enter_mark(Timeline *timeline, const char *mark) {
    if (timeline->span != NULL && strcmp(timeline->span->mark, mark) == 0) return;
    timeline->not_before = timeline->end;
    timeline->span = find_span(timeline, mark);
}

uint64_t timeline_host_time(Timeline *timeline, unsigned thread, const uint64_t *since) {
    uint64_t at = MAX(timeline->not_before, timeline->waited[thread]);
    for (unsigned slot = 0; slot < ORDER_STREAMS; slot++) {
        if (since[slot] == 0) continue;
        uint64_t before = end_of(&timeline->ends[slot], since[slot]);
        if (before > at) at = before;
    }
    return at;
}

/* Where it ends. */
static uint64_t place(Timeline *timeline, const Work *work) {
    uint64_t start = timeline_host_time(timeline, work->thread, work->clock.since);
    uint64_t *waited = &timeline->waited[work->thread];
    uint64_t *engine = NULL;
    if (work->engine != ENGINE_NONE) engine = &timeline->free_at[work->device][work->engine];
    if (engine != NULL && *engine > start) start = *engine;
    uint64_t end = start + work->steps;
    if (engine != NULL) *engine = end;
    if (work->host_waits) *waited = end;
    if (work->slot < ORDER_STREAMS) remember(&timeline->ends[work->slot], work->sequence, end);
    return end;
}

/* The steps that the pieces of one engine have in common with another one's. */
static uint64_t steps_beside(const Pieces *pieces, uint64_t from, uint64_t to) {
    uint64_t steps = 0;
    for (uint64_t i = 0; i < pieces->count && i < SEEN; i++) {
        const uint64_t begin = MAX(pieces->newest[i].from, from);
        const uint64_t end = MIN(pieces->newest[i].to, to);
        if (end > begin) steps += end - begin;
    }
    return steps;
}

/* Kernels beside copies, on one device: whichever of the two is placed later finds the other. */
static uint64_t overlap_of(Timeline *timeline, const Work *work, uint64_t end) {
    if (work->engine == ENGINE_NONE || (work->engine == ENGINE_KERNELS && !work->launch)) return 0;
    Pieces *engines = timeline->pieces[work->device], *own = &engines[work->engine];
    const uint64_t from = end - work->steps, at = own->count++ % SEEN;
    own->newest[at].from = from;
    own->newest[at].to = end;
    if (work->engine != ENGINE_KERNELS) return steps_beside(&engines[ENGINE_KERNELS], from, end);
    return steps_beside(&engines[ENGINE_TO_DEVICE], from, end) +
           steps_beside(&engines[ENGINE_TO_HOST], from, end);
}

static void add_launch(Span *span, const Work *work) {
    if (work->in_default)
        span->default_launches++;
    else if (work->slot < ORDER_STREAMS)
        span->launch_slots |= (uint64_t)1 << work->slot;
}

static void add_to_span(Timeline *timeline, const Work *work, uint64_t end) {
    const uint64_t overlap = overlap_of(timeline, work, end);
    uint64_t later = 0;
    if (end > timeline->end) later = end - timeline->end;
    timeline->end += later;
    if (timeline->span == NULL) return;
    timeline->span->steps += later;
    timeline->span->work += work->steps;
    timeline->span->overlap += overlap;
    if (work->launch) add_launch(timeline->span, work);
    if (work->slot >= ORDER_STREAMS) timeline->span->whole = false;
}

void timeline_settle(Device *device) {
    Timeline *timeline = device->timeline;
    if (timeline->count == 0) return;
    qsort(timeline->works, timeline->count, sizeof *timeline->works, compare_works);
    for (unsigned i = 0; i < timeline->count; i++) {
        const Work *work = &timeline->works[i];
        if (device->picture_streams != NULL) picture_streams_reach(device, work->sequence);
        enter_mark(timeline, work->mark);
        const uint64_t end = place(timeline, work);
        if (device->picture_streams != NULL)
            picture_streams_placed(device, work->pictured, end - work->steps, end);
        add_to_span(timeline, work, end);
    }
    timeline->count = 0;
}

/* ---- life ---- */

Timeline *timeline_create(Device *device) {
    Timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL) return NULL;
    timeline->processors = (unsigned)device->card->processors;
    GpuObserver observer = {.self = timeline, .launch_end = on_launch_end, .in_ranges = true};
    gpu_attach(device->gpu, &observer);
    return timeline;
}

void timeline_destroy(Timeline *timeline) {
    if (timeline == NULL) return;
    free(timeline->works);
    free(timeline);
}

/** The spans of the report: for each mark the steps that passed, the work that they held, how much of it was
 * kernels beside copies, the streams of its launches, and whether the span was seen whole. */
struct json_object *timeline_json(const Timeline *timeline) {
    struct json_object *list = json_object_new_array();
    for (unsigned i = 0; i < timeline->span_count; i++) {
        const Span *span = &timeline->spans[i];
        struct json_object *entry = json_object_new_object();
        json_put_text(entry, "mark", span->mark);
        json_put_number(entry, "steps", (int64_t)span->steps);
        json_put_number(entry, "work", (int64_t)span->work);
        json_put_number(entry, "overlap", (int64_t)span->overlap);
        json_put_number(entry, "default_launches", (int64_t)span->default_launches);
        json_put_number(entry, "launch_streams", __builtin_popcountll(span->launch_slots));
        json_put_flag(entry, "whole", span->whole);
        json_object_array_add(list, entry);
    }
    return list;
}
