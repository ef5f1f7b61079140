/* leaks.c - see leaks.h. */
#include "device/watch/leaks.h"
#include "device/state/complain.h"
#include "gpu/texture.h"

#include <string.h>

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
    LEAK_EXECUTABLE
} LeakKind;

/** Memory comes first. */
static bool is_memory(LeakKind kind) {
    return kind <= LEAK_PINNED;
}

/** What one line left behind, counted together. */
typedef struct Leak {
    LeakKind kind;
    uint64_t site, count, bytes;
    uint32_t oldest; /**< the id of its first allocation; 0: it is no memory */
} Leak;

enum { MAX_LEAKS = 64 };
/** All that was left behind, in the order in which it was found. */
typedef struct LeakList {
    Leak rows[MAX_LEAKS];
    unsigned count;
    bool
        everything; /**< memory without a site as well: a judge's program can make its calls look like that */
    bool clean;     /**< only what was made under marks without an error */
} LeakList;

/* ---- under which mark ---- */

/** Under which mark the memory was allocated. Handles are not numbered: of theirs it is the program's last.
 */
static const char *mark_of(const Device *device, uint32_t id) {
    const DeviceMark *mark = device->program.marks;
    while (mark != NULL && id > 0 && mark->allocated >= id)
        mark = mark->before;
    if (id == 0) return device->program.mark;
    if (mark != NULL) return mark->text;
    return "";
}

/** An error may have kept the program from giving back what it had made: what else it was about to do under
 * that mark nobody knows. Of handles that is never known. */
static bool is_excused(const Device *device, uint32_t id) {
    const char *mark = mark_of(device, id);
    if (id == 0 || *mark == '\0') return true;
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(device->check, i)) != NULL; i++)
        if (finding->severity == FINDING_ERROR && finding->mark != NULL && strcmp(finding->mark, mark) == 0)
            return true;
    return false;
}

/* ---- gathering ---- */

/** Memory is told of place by place; of handles of one kind, one place stands for all. */
static bool is_same(const Leak *known, LeakKind kind, uint64_t site) {
    return known->kind == kind && (known->site == site || !is_memory(kind));
}

/** What has no site was made by a library, or is nobody's to give back. */
static void add(LeakList *leaks, LeakKind kind, uint64_t site, uint64_t bytes, uint32_t id) {
    if (site == 0 && !(leaks->everything && is_memory(kind))) return;
    unsigned i = 0;
    while (i < leaks->count && !is_same(&leaks->rows[i], kind, site))
        i++;
    if (i == MAX_LEAKS) return;
    if (i == leaks->count) leaks->rows[leaks->count++] = (Leak){.kind = kind, .site = site, .oldest = id};
    leaks->rows[i].count++;
    if (site < leaks->rows[i].site) leaks->rows[i].site = site; /* the lists are newest first */
    if (id < leaks->rows[i].oldest) leaks->rows[i].oldest = id;
    leaks->rows[i].bytes += bytes;
}

/** A graph's condition is a word of device memory, which goes with the graph. */
static bool is_condition(const Device *device, const GpuAllocation *allocation) {
    const DeviceCondition *condition = device->graphs.conditions;
    while (condition != NULL && condition->address != allocation->address)
        condition = condition->next;
    return condition != NULL;
}

static void gather_memory(Device *device, LeakList *leaks) {
    const GpuAllocation *allocation = NULL;
    while ((allocation = gpu_memory_next(device->gpu, allocation)) != NULL) {
        bool own = allocation->kind == GPU_ALLOC_DEVICE || allocation->kind == GPU_ALLOC_ARRAY;
        if (allocation->freed || !own || is_condition(device, allocation)) continue;
        if (leaks->clean && is_excused(device, allocation->id)) continue;
        add(leaks, LEAK_DEVICE, allocation->alloc_site, allocation->bytes, allocation->id);
    }
}

static bool is_registered(const Device *device, const DeviceShared *shared) {
    for (const DevicePinned *pinned = device->objects.pinned; pinned != NULL; pinned = pinned->next)
        if (pinned->shared == shared) return true;
    return false;
}

/** Registered memory is the program's own, and goes with it. */
static void gather_shared(Device *device, LeakList *leaks) {
    for (const DeviceShared *shared = device->objects.shared; shared != NULL; shared = shared->next) {
        const GpuAllocation *allocation = gpu_memory_find(device->gpu, shared->address);
        if (!shared->used || shared->variable || shared->forgiven || allocation == NULL) continue;
        if (is_registered(device, shared)) continue;
        if (leaks->clean && is_excused(device, allocation->id)) continue;
        add(leaks, shared->managed ? LEAK_MANAGED : LEAK_PINNED, allocation->alloc_site, shared->bytes,
            allocation->id);
    }
}

/** Everything that the program made and has a handle of. Graphs and textures that belong to others (a node's
 * graph, a reference's texture) go with those. */
static void gather_handles(Device *device, LeakList *leaks) {
    for (const DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next)
        add(leaks, LEAK_STREAM, stream->site, 0, 0);
    for (const DeviceEvent *event = device->objects.events; event != NULL; event = event->next)
        add(leaks, LEAK_EVENT, event->site, 0, 0);
    for (const DeviceTexture *texture = device->textures; texture != NULL; texture = texture->next) {
        const GpuTexture *made = gpu_texture_find(device->gpu, texture->handle);
        if (made != NULL && !made->destroyed && !texture->bound)
            add(leaks, texture->surface ? LEAK_SURFACE : LEAK_TEXTURE, texture->site, 0, 0);
    }
    for (const Graph *graph = device->graphs.first; graph != NULL; graph = graph->next)
        if (!graph->inner) add(leaks, graph->executable ? LEAK_EXECUTABLE : LEAK_GRAPH, graph->site, 0, 0);
}

/* ---- telling ---- */

/** Memory is an error, with its bytes; a handle that is left takes hardly any, and is a note. */
static void tell(Device *device, const Leak *leak) {
    bool memory = is_memory(leak->kind);
    LeakFacts facts = {.managed = leak->kind == LEAK_MANAGED,
                       .pinned = leak->kind == LEAK_PINNED,
                       .stream = leak->kind == LEAK_STREAM,
                       .event = leak->kind == LEAK_EVENT,
                       .texture = leak->kind == LEAK_TEXTURE,
                       .surface = leak->kind == LEAK_SURFACE,
                       .graph = leak->kind == LEAK_GRAPH,
                       .executable = leak->kind == LEAK_EXECUTABLE,
                       .several = leak->count > 1,
                       .bytes = leak->bytes,
                       .count = leak->count};
    Complaint complaint = {.kind = FINDING_LEAK,
                           .note = !memory,
                           .earlier = true,
                           .site = leak->site,
                           .mark = mark_of(device, leak->oldest)};
    complain_that(device, complaint,
                  memory ? said_leak(LEAK_MEMORY_MESSAGE, LEAK_MEMORY_WHY, &facts)
                         : said_leak(LEAK_HANDLE_MESSAGE, LEAK_HANDLE_WHY, &facts));
}

void leaks_report(Device *device, LeaksOf of) {
    LeakList leaks = {.everything = device->options.judged, .clean = of == LEAKS_OF_CLEAN_MARKS};
    check_end(device->check);
    gather_memory(device, &leaks);
    gather_shared(device, &leaks);
    if (!leaks.clean) gather_handles(device, &leaks);
    for (unsigned i = 0; i < leaks.count; i++)
        tell(device, &leaks.rows[i]);
}

/** cudaDeviceReset destroys what the program made on the device: none of it is a leak any more. A site of 0
 * stands for a handle that nobody asks about. */
void leaks_forgive(Device *device, unsigned number) {
    for (DeviceShared *shared = device->objects.shared; shared != NULL; shared = shared->next)
        shared->forgiven = shared->used;
    for (DeviceStream *stream = device->objects.streams; stream != NULL; stream = stream->next)
        if (stream->device == number) stream->site = 0;
    for (DeviceEvent *event = device->objects.events; event != NULL; event = event->next)
        if (event->device == number) event->site = 0;
    for (DeviceTexture *texture = device->textures; texture != NULL; texture = texture->next)
        texture->site = 0;
    for (Graph *graph = device->graphs.first; graph != NULL; graph = graph->next)
        graph->site = 0;
}
