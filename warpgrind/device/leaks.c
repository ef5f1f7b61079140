/* leaks.c - see leaks.h. */
#include "device/leaks.h"
#include "device/array.h"
#include "device/complain.h"
#include "device/graph_bodies.h"

/** What can be left, by how it is given back. */
typedef enum LeakKind {
    LEAK_DEVICE,
    LEAK_MANAGED,
    LEAK_PINNED,
    LEAK_STREAM,
    LEAK_EVENT,
    LEAK_TEXTURE,
    LEAK_SURFACE,
    LEAK_GRAPH,
    LEAK_EXECUTABLE,
    LEAK_KINDS
} LeakKind;

typedef struct LeakWords {
    const char *noun, *remedy;
    bool memory;
} LeakWords;

static const LeakWords words[LEAK_KINDS] = {
    [LEAK_DEVICE] =
        {"device memory",
         "Every cudaMalloc needs a cudaFree, and every cudaMallocArray a cudaFreeArray, on every way out "
         "of the function. A program that runs for long, or a function called many times, fills the GPU's "
         "memory.",
         true},
    [LEAK_MANAGED] =
        {"managed memory",
         "Every cudaMallocManaged needs a cudaFree on every way out of the function. A program that runs "
         "for long, or a function called many times, fills the memory of both sides.",
         true},
    [LEAK_PINNED] =
        {"pinned host memory",
         "Every cudaMallocHost and cudaHostAlloc needs a cudaFreeHost on every way out of the function: "
         "the rest of the computer has to do without pinned memory.",
         true},
    [LEAK_STREAM] = {"stream",
                     "Call cudaStreamDestroy after the last copy or launch in the stream; work "
                     "under way is still finished.",
                     false},
    [LEAK_EVENT] = {"event", "Call cudaEventDestroy once nothing waits for the event any more.", false},
    [LEAK_TEXTURE] =
        {"texture object",
         "Call cudaDestroyTextureObject after the last kernel that uses it, and before its memory is "
         "freed.",
         false},
    [LEAK_SURFACE] =
        {"surface object",
         "Call cudaDestroySurfaceObject after the last kernel that uses it, and before its array is "
         "freed.",
         false},
    [LEAK_GRAPH] = {"graph", "Call cudaGraphDestroy once the graph has been instantiated for the last time.",
                    false},
    [LEAK_EXECUTABLE] = {"executable graph", "Call cudaGraphExecDestroy after its last launch.", false}};

typedef struct Leak {
    LeakKind kind;
    uint64_t site, count, bytes;
} Leak;

enum { MAX_LEAKS = 64 };
typedef struct LeakList {
    Leak rows[MAX_LEAKS];
    unsigned count;
    bool
        everything; /**< memory without a site as well: a judge's program can make its calls look like that */
} LeakList;

/* ---- gathering ---- */

/** Memory is told of place by place; of handles of one kind, one place stands for all. */
static bool is_same(const Leak *known, LeakKind kind, uint64_t site) {
    return known->kind == kind && (known->site == site || !words[kind].memory);
}

/** What has no site was made by a library, or is nobody's to give back. */
static void add(LeakList *leaks, LeakKind kind, uint64_t site, uint64_t bytes) {
    if (site == 0 && !(leaks->everything && words[kind].memory)) return;
    unsigned i = 0;
    while (i < leaks->count && !is_same(&leaks->rows[i], kind, site))
        i++;
    if (i == MAX_LEAKS) return;
    if (i == leaks->count) leaks->rows[leaks->count++] = (Leak){.kind = kind, .site = site};
    leaks->rows[i].count++;
    if (site < leaks->rows[i].site) leaks->rows[i].site = site; /* the lists are newest first */
    leaks->rows[i].bytes += bytes;
}

static void gather_memory(Device *device, LeakList *leaks) {
    const GpuAllocation *allocation = NULL;
    while ((allocation = gpu_memory_next(device->gpu, allocation)) != NULL) {
        bool own = allocation->kind == GPU_ALLOC_DEVICE || allocation->kind == GPU_ALLOC_ARRAY;
        if (allocation->freed || !own || graph_bodies_is_condition(device, allocation)) continue;
        add(leaks, LEAK_DEVICE, allocation->alloc_site, allocation->bytes);
    }
}

static bool is_registered(const Device *device, const DeviceShared *shared) {
    for (const DevicePinned *pinned = device->pinned; pinned != NULL; pinned = pinned->next)
        if (pinned->shared == shared) return true;
    return false;
}

/** Registered memory is the program's own, and goes with it. */
static void gather_shared(Device *device, LeakList *leaks) {
    for (const DeviceShared *shared = device->shared; shared != NULL; shared = shared->next) {
        const GpuAllocation *allocation = gpu_memory_find(device->gpu, shared->address);
        if (!shared->used || shared->variable || shared->forgiven || allocation == NULL) continue;
        if (is_registered(device, shared)) continue;
        add(leaks, shared->managed ? LEAK_MANAGED : LEAK_PINNED, allocation->alloc_site, shared->bytes);
    }
}

static void gather_handles(Device *device, LeakList *leaks) {
    for (const DeviceStream *stream = device->streams; stream != NULL; stream = stream->next)
        add(leaks, LEAK_STREAM, stream->site, 0);
    for (const DeviceEvent *event = device->events; event != NULL; event = event->next)
        add(leaks, LEAK_EVENT, event->site, 0);
    for (const DeviceTexture *texture = device->textures; texture != NULL; texture = texture->next) {
        const GpuTexture *made = gpu_texture_find(device->gpu, texture->handle);
        if (made != NULL && !made->destroyed && !texture->bound)
            add(leaks, texture->surface ? LEAK_SURFACE : LEAK_TEXTURE, texture->site, 0);
    }
    for (const Graph *graph = device->graphs; graph != NULL; graph = graph->next)
        if (!graph->inner) add(leaks, graph->executable ? LEAK_EXECUTABLE : LEAK_GRAPH, graph->site, 0);
}

/* ---- telling ---- */

static void tell_memory(Device *device, const Leak *leak) {
    const LeakWords *said = &words[leak->kind];
    bool many = leak->count > 1;
    complain_at(device, FINDING_LEAK, leak->site, device->mark, said->remedy,
                "%s bytes of %s allocated here were never freed%s%s%s", complain_number(device, leak->bytes),
                said->noun, many ? " (" : "", many ? complain_number(device, leak->count) : "",
                many ? " allocations)" : "");
}

static void tell_handle(Device *device, const Leak *leak) {
    const LeakWords *said = &words[leak->kind];
    if (leak->count == 1)
        complain_note_at(device, FINDING_LEAK, leak->site, device->mark, said->remedy,
                         "the %s created here was never destroyed", said->noun);
    else
        complain_note_at(device, FINDING_LEAK, leak->site, device->mark, said->remedy,
                         "%s %ss were never destroyed; the first of them was created here",
                         complain_number(device, leak->count), said->noun);
}

void leaks_report(Device *device) {
    LeakList leaks = {.everything = device->options.judged};
    check_end(device->check);
    gather_memory(device, &leaks);
    gather_shared(device, &leaks);
    gather_handles(device, &leaks);
    for (unsigned i = 0; i < leaks.count; i++) {
        if (words[leaks.rows[i].kind].memory)
            tell_memory(device, &leaks.rows[i]);
        else
            tell_handle(device, &leaks.rows[i]);
    }
}

void leaks_forgive(Device *device, unsigned number) {
    for (DeviceShared *shared = device->shared; shared != NULL; shared = shared->next)
        shared->forgiven = shared->used;
    for (DeviceStream *stream = device->streams; stream != NULL; stream = stream->next)
        if (stream->device == number) stream->site = 0;
    for (DeviceEvent *event = device->events; event != NULL; event = event->next)
        if (event->device == number) event->site = 0;
    for (DeviceTexture *texture = device->textures; texture != NULL; texture = texture->next)
        texture->site = 0;
    for (Graph *graph = device->graphs; graph != NULL; graph = graph->next)
        graph->site = 0;
}
