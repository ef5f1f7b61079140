/* repeat.c - see repeat.h. An observer of its own notes which arrays a launch reads and writes, and who wrote
 * each array last. */
#include "base/growable.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/launch/repeat.h"

#include <stdlib.h>

enum { KEPT = 32, MOST_ARRAYS = 16 };

/** Ids of allocations. */
typedef struct Arrays {
    uint32_t ids[MOST_ARRAYS];
    uint64_t changes[MOST_ARRAYS]; /**< of each at the end of the launch */
    unsigned count;
    bool many; /**< there were more */
} Arrays;

typedef struct Kept {
    uint32_t id;        /**< of the launch; 0: free */
    uint64_t forgotten; /**< Gpu.forgotten when it was kept */
    GpuLaunchSpec spec;
    void *parameters; /**< a copy */
    GpuLaunch totals;
    bool apart; /**< it read none of the arrays that it wrote, and the host reaches none of them by itself */
    Arrays read, written;
} Kept;

typedef struct Writer {
    uint32_t launch;  /**< the one that wrote there last, or that it repeats; 0: the host */
    uint64_t changes; /**< grows with each write */
} Writer;

struct GpuRepeats {
    Kept kept[KEPT];
    unsigned next;
    Arrays read, written; /**< by the launch that runs */
    GpuKernel *kernel;    /**< of it */
    Kept *earlier;        /**< that it repeats */
    Writer *writers;      /**< [allocation id] */
    size_t writer_capacity;
    bool incomplete; /**< no memory: nothing is repeated any more */
    /* while a launch goes unwatched: what the earlier one counted, and what the Gpu had */
    GpuLocalCounts local;
    unsigned observers, access_observers, shared_observers;
    bool wants[5];
};

/* ---- arrays ---- */

static void arrays_add(Arrays *arrays, uint32_t id) {
    for (unsigned i = 0; i < arrays->count; i++)
        if (arrays->ids[i] == id) return;
    arrays->many |= arrays->count == MOST_ARRAYS;
    if (!arrays->many) arrays->ids[arrays->count++] = id;
}

/** Notes who wrote the array last. Without memory nothing can be relied on any more, and no launch is
 * repeated. */
static void set_writer(GpuRepeats *repeats, uint32_t id, uint32_t launch) {
    Writer *larger =
        growable_grow(repeats->writers, &repeats->writer_capacity, (size_t)id + 1, sizeof *larger);
    if (!larger) {
        repeats->incomplete = true;
        return;
    }
    repeats->writers = larger;
    repeats->writers[id].launch = launch;
    repeats->writers[id].changes++;
}

/* ---- what is watched ---- */

static void note(Gpu *gpu, const GpuAccess *access, const GpuAllocation *allocation) {
    if (!allocation) return;
    if (access->kind != GPU_WRITE) arrays_add(&gpu->repeats->read, allocation->id);
    if (access->kind == GPU_READ) return;
    arrays_add(&gpu->repeats->written, allocation->id);
    set_writer(gpu->repeats, allocation->id, gpu->launches);
}

static void on_access(void *self, const GpuAccess *access) {
    Gpu *gpu = self;
    if (access->space != PTX_SPACE_GLOBAL) return;
    if (access->allocation) {
        note(gpu, access, access->allocation);
        return;
    }
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1)
        note(gpu, access, gpu_memory_find(gpu, access->address[__builtin_ctz(lanes)]));
}

static void host_wrote(Gpu *gpu, const GpuAllocation *allocation) {
    bool constant = allocation && allocation->kind == GPU_ALLOC_CONST_VARIABLE;
    if (constant) gpu_forget_repeats(gpu);
    if (allocation) set_writer(gpu->repeats, allocation->id, 0);
}

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    (void)address, (void)bytes, (void)site;
    host_wrote(self, allocation);
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    (void)from, (void)bytes, (void)site;
    host_wrote(self, gpu_memory_find(self, to));
}

static void on_memory_changed(void *self, const GpuAllocation *allocation) {
    (void)allocation;
    gpu_forget_repeats(self);
}

/* ---- launches that are divided ---- */

/** What a range of blocks has added to the launch's notes. */
typedef struct RangeNotes {
    Arrays read, written;
    bool met_undefined;
} RangeNotes;

static void on_range_put(void *self, GpuRange *range) {
    const Gpu *gpu = self;
    RangeNotes notes;
    memset(&notes, 0, sizeof notes);
    notes.read = gpu->repeats->read;
    notes.written = gpu->repeats->written;
    notes.met_undefined = gpu->repeats->kernel->met_undefined;
    gpu_range_put(range, &notes, sizeof notes);
}

static void on_range_take(void *self, GpuRange *range) {
    Gpu *gpu = self;
    GpuRepeats *repeats = gpu->repeats;
    const RangeNotes *notes = gpu_range_take(range, sizeof *notes);
    for (unsigned i = 0; i < notes->read.count; i++)
        arrays_add(&repeats->read, notes->read.ids[i]);
    for (unsigned i = 0; i < notes->written.count; i++) {
        arrays_add(&repeats->written, notes->written.ids[i]);
        set_writer(repeats, notes->written.ids[i], gpu->launches);
    }
    repeats->read.many |= notes->read.many;
    repeats->written.many |= notes->written.many;
    if (notes->written.many) gpu_forget_repeats(gpu); /* an array has a writer that nobody has noted */
    repeats->kernel->met_undefined |= notes->met_undefined;
}

bool gpu_allow_repeats(Gpu *gpu) {
    GpuObserver observer = {.self = gpu,
                            .allocated = on_memory_changed,
                            .freed = on_memory_changed,
                            .host_write = on_host_write,
                            .device_copy = on_device_copy,
                            .access = on_access,
                            .in_repeats = true,
                            .in_ranges = true,
                            .range_put = on_range_put,
                            .range_take = on_range_take};
    bool watched =
        gpu->access_count > 0 || gpu->config.track_undefined; /* or there is nothing to leave out */
    if (gpu->repeats || gpu->config.seed != 0 || !watched) return false;
    gpu->repeats = calloc(1, sizeof *gpu->repeats);
    if (gpu->repeats) gpu_attach(gpu, &observer);
    return gpu->repeats != NULL;
}

static void kept_free(Kept *kept) {
    free(kept->parameters);
    *kept = (Kept){0};
}

void repeat_destroy(GpuRepeats *repeats) {
    if (!repeats) return;
    for (unsigned i = 0; i < KEPT; i++)
        kept_free(&repeats->kept[i]);
    free(repeats->writers);
    free(repeats);
}

/* ---- before a launch ---- */

static bool same_dim(GpuDim a, GpuDim b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/** Whether a later launch does the same; what had been forgotten when it was kept must not have become more.
 */
static bool same_launch(const Kept *kept, const GpuLaunchSpec *spec, uint64_t forgotten) {
    const GpuLaunchSpec *earlier = &kept->spec;
    if (!kept->id || kept->forgotten != forgotten || earlier->kernel != spec->kernel ||
        earlier->cooperative != spec->cooperative || earlier->dynamic_shared != spec->dynamic_shared)
        return false;
    return same_dim(earlier->grid, spec->grid) && same_dim(earlier->block, spec->block) &&
           memcmp(kept->parameters, spec->parameters, spec->kernel->ptx->parameter_bytes) == 0;
}

static bool is_last_writer(const GpuRepeats *repeats, const Kept *kept) {
    for (unsigned i = 0; i < kept->written.count; i++) {
        uint32_t id = kept->written.ids[i];
        if (id >= repeats->writer_capacity || repeats->writers[id].launch != kept->id) return false;
    }
    return true;
}

/** An observer that has nothing to do with launches need not be asked. */
static bool watches_launches(const GpuObserver *observer) {
    return observer->access || observer->branch || observer->parted || observer->executed ||
           observer->barrier || observer->block_begin || observer->exited || observer->fence ||
           observer->launch_begin;
}

static bool observers_agree(const Gpu *gpu, const GpuRepeat *earlier) {
    for (unsigned i = 0; i < gpu->observer_count; i++) {
        const GpuObserver *observer = &gpu->observers[i];
        if (!watches_launches(observer)) continue;
        if (!observer->in_repeats) return false;
        if (observer->repeats && !observer->repeats(observer->self, earlier)) return false;
    }
    return true;
}

static Kept *find(GpuRepeats *repeats, const GpuLaunchSpec *spec, uint64_t forgotten) {
    for (unsigned i = 0; i < KEPT; i++)
        if (same_launch(&repeats->kept[i], spec, forgotten)) return &repeats->kept[i];
    return NULL;
}

/** Before launch_begin. The notes of what a launch reads and writes begin anew even if it is not
 * repeated: perhaps it will be the first of several. */
void repeat_look(GpuRun *run) {
    GpuRepeats *repeats = run->gpu->repeats;
    if (!repeats || run->gpu->config.seed != 0) return;
    repeats->read = repeats->written = (Arrays){0};
    repeats->kernel = run->kernel;
    run->kernel->met_undefined = false;
    Kept *kept = find(repeats, &run->launch.spec, run->gpu->forgotten);
    repeats->earlier = kept;
    if (!kept || repeats->incomplete || !is_last_writer(repeats, kept)) return;
    GpuRepeat earlier = {.launch = kept->id, .read = kept->read.ids, .read_count = kept->read.count};
    if (!observers_agree(run->gpu, &earlier)) return;
    run->launch.repeats = kept->id;
    repeats->local = kept->totals.local;
}

/* ---- while it runs ---- */

/** Takes all observers out of the machine's sight, and definedness with them, by setting their numbers to
 * 0. */
void repeat_rest(GpuRun *run) {
    Gpu *gpu = run->gpu;
    if (!run->launch.repeats) return;
    GpuRepeats *repeats = gpu->repeats;
    bool wants[] = {gpu->wants_branch, gpu->wants_fence, gpu->wants_warp_sync, gpu->wants_exited,
                    gpu->wants_executed};
    memcpy(repeats->wants, wants, sizeof wants);
    repeats->observers = gpu->observer_count;
    repeats->access_observers = gpu->access_count;
    repeats->shared_observers = gpu->shared_count;
    gpu->observer_count = gpu->access_count = gpu->shared_count = 0;
    gpu->wants_branch = gpu->wants_fence = gpu->wants_warp_sync = gpu->wants_exited = gpu->wants_executed =
        false;
    run->track = false;
}

/** Puts back what repeat_rest has hidden. Counts of local memory, which are taken only while accesses are
 * observed, are those of the earlier launch. */
void repeat_wake(GpuRun *run) {
    Gpu *gpu = run->gpu;
    if (!run->launch.repeats) return;
    const GpuRepeats *repeats = gpu->repeats;
    run->launch.local = repeats->local;
    gpu->observer_count = repeats->observers;
    gpu->access_count = repeats->access_observers;
    gpu->shared_count = repeats->shared_observers;
    gpu->wants_branch = repeats->wants[0];
    gpu->wants_fence = repeats->wants[1];
    gpu->wants_warp_sync = repeats->wants[2];
    gpu->wants_exited = repeats->wants[3];
    gpu->wants_executed = repeats->wants[4];
}

/* ---- launches that need not be executed ---- */

static void arrays_note_changes(const GpuRepeats *repeats, Arrays *arrays) {
    for (unsigned i = 0; i < arrays->count; i++) {
        uint32_t id = arrays->ids[i];
        if (id < repeats->writer_capacity)
            arrays->changes[i] = repeats->writers[id].changes;
        else
            arrays->changes[i] = 0;
    }
}

static bool arrays_are_unchanged(const GpuRepeats *repeats, const Arrays *arrays) {
    Arrays now = *arrays;
    arrays_note_changes(repeats, &now);
    return memcmp(now.changes, arrays->changes, arrays->count * sizeof *now.changes) == 0;
}

static bool is_written(const Kept *kept, uint32_t id) {
    for (unsigned i = 0; i < kept->written.count; i++)
        if (kept->written.ids[i] == id) return true;
    return false;
}

/** The host writes into device memory by calls alone, which are seen. */
static bool are_device_memory(const Gpu *gpu, const Arrays *arrays) {
    for (unsigned i = 0; i < arrays->count; i++) {
        const GpuAllocation *allocation = gpu->memory.by_id[arrays->ids[i] - 1];
        if (!allocation || allocation->kind != GPU_ALLOC_DEVICE) return false;
    }
    return true;
}

static bool is_apart(const Gpu *gpu, const Kept *kept) {
    for (unsigned i = 0; i < kept->read.count; i++)
        if (is_written(kept, kept->read.ids[i])) return false;
    return are_device_memory(gpu, &kept->read) && are_device_memory(gpu, &kept->written);
}

/** Asked after launch_begin, whose observers may have had reasons to forget the earlier launch. */
bool repeat_stands(GpuRun *run) {
    const GpuRepeats *repeats = run->gpu->repeats;
    const Kept *kept = NULL;
    if (run->launch.repeats) kept = repeats->earlier;
    if (!kept || kept->forgotten != run->gpu->forgotten || !kept->apart ||
        !arrays_are_unchanged(repeats, &kept->read) || !arrays_are_unchanged(repeats, &kept->written))
        return false;
    GpuLaunch totals = kept->totals;
    totals.spec = run->launch.spec;
    totals.id = run->launch.id;
    totals.repeats = run->launch.repeats;
    totals.stands = true;
    run->launch = totals;
    return true;
}

/** The launch was executed unwatched: what it writes is no longer what it was. */
static void repeat_was_executed(GpuRepeats *repeats) {
    Kept *kept = repeats->earlier;
    for (unsigned i = 0; i < kept->written.count; i++)
        repeats->writers[kept->written.ids[i]].changes++;
    arrays_note_changes(repeats, &kept->read);
    arrays_note_changes(repeats, &kept->written);
}

/* ---- after a launch ---- */

static bool kernel_is_steady(GpuKernel *kernel) {
    if (!kernel->steadiness_known) kernel->steady = steady_kernel(kernel);
    kernel->steadiness_known = true;
    return kernel->steady;
}

static bool observers_keep(const Gpu *gpu, const GpuLaunch *launch) {
    for (unsigned i = 0; i < gpu->observer_count; i++) {
        const GpuObserver *observer = &gpu->observers[i];
        if (!watches_launches(observer)) continue;
        if (!observer->in_repeats) return false;
        if (observer->keep && !observer->keep(observer->self, launch)) return false;
    }
    return true;
}

void repeat_keep(GpuRun *run) {
    GpuRepeats *repeats = run->gpu->repeats;
    if (repeats && run->launch.repeats && !run->launch.stands) repeat_was_executed(repeats);
    if (!repeats || run->launch.repeats || run->launch.meets_grid) return;
    if (run->kernel->met_undefined) gpu_forget_repeats(run->gpu); /* it may have stored what is undefined */
    bool fine = run->status == GPU_OK && !run->kernel->met_undefined && !repeats->read.many &&
                !repeats->written.many && !repeats->incomplete;
    if (!fine || !kernel_is_steady(run->kernel) || !observers_keep(run->gpu, &run->launch)) return;
    Kept *kept = find(repeats, &run->launch.spec, run->gpu->forgotten);
    if (!kept) kept = &repeats->kept[repeats->next++ % KEPT];
    kept_free(kept);
    uint32_t bytes = run->kernel->ptx->parameter_bytes;
    kept->parameters = malloc(bytes + 1);
    if (!kept->parameters) return;
    memcpy(kept->parameters, run->parameters, bytes);
    kept->id = run->launch.id;
    kept->forgotten = run->gpu->forgotten;
    kept->spec = run->launch.spec;
    kept->totals = run->launch;
    kept->read = repeats->read;
    kept->written = repeats->written;
    arrays_note_changes(repeats, &kept->read);
    arrays_note_changes(repeats, &kept->written);
    kept->apart = is_apart(run->gpu, kept) && !run->kernel->launches && !run->kernel->prints;
}
