/* watches.c - elements and variables that are watched: where they lie, and what an instruction has made of
 * them.
 *
 * What is watched was named by a thread. In global memory it is one place for all of them, in every launch;
 * in shared and local memory it is that thread's own, as long as its block runs. A run that repeats another
 * one is told the place itself: at its beginning the names in the expression may not mean anything yet, or
 * something else.
 */
#include "device/debug/parts.h"
#include "device/state/state.h"

#include <inttypes.h>
#include <string.h>

static bool is_watch(const DebugPoint *point) {
    return point->used && point->watched != NULL;
}

/** Neither shared memory nor a thread's own: all threads mean the same by that address. */
static bool is_everywhere(uint64_t address) {
    const uint64_t windows[] = {GPU_SHARED_WINDOW, GPU_LOCAL_WINDOW, GPU_PARAM_WINDOW};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (address - windows[i] < GPU_WINDOW_SPAN) return false;
    return true;
}

/** Takes the value that it has now; false: it cannot be read, and so is not watched. */
static bool arm(DebugPoint *point, const GpuWarp *warp, unsigned lane) {
    point->everywhere = is_everywhere(point->address);
    point->warp = warp;
    point->lane = lane;
    point->armed = gpu_lane_read(warp, lane, point->address, point->was, point->bytes);
    return point->armed;
}

/** Types live as long as what they were made for, so a number's is made anew. */
void watches_type(DebugPoint *point, PtxShownKind kind, const char *name) {
    bool number = kind == PTX_SHOWN_SIGNED || kind == PTX_SHOWN_UNSIGNED || kind == PTX_SHOWN_FLOAT ||
                  kind == PTX_SHOWN_BOOLEAN || kind == PTX_SHOWN_CHARACTER;
    point->type = (PtxShown){0};
    if (!number) return;
    point->type.kind = kind;
    static const char *const telling[] = {"unsigned", "__nv_bfloat16"};
    point->type.name = "";
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (name[0] == telling[i][0]) point->type.name = telling[i];
    point->type.bytes = point->bytes;
}

bool watches_arm(Debug *debug, DebugPoint *point) {
    Arena *arena = arena_create();
    Scene scene;
    point->armed = false;
    if (arena != NULL && look_scene_of(debug, point->of_block, point->of_thread, arena, &scene)) {
        const Value value = expression_value(&scene, point->watched);
        bool fits = value.placed && value.type->bytes > 0 && value.type->bytes <= WATCHED_BYTES;
        if (scene.error == NULL && fits) {
            point->address = value.address;
            point->bytes = value.type->bytes;
            point->launch = debug->launch->id;
            const char *name = "";
            if (value.type->name != NULL) name = value.type->name;
            watches_type(point, value.bits != 0 ? PTX_SHOWN_OTHER : value.type->kind, name);
            arm(point, scene.warp, scene.lane);
        }
    }
    arena_destroy(arena);
    return point->armed;
}

static bool is_of_warp(const DebugPoint *point, const GpuWarp *warp) {
    return gpu_warp_index(warp) == point->of_thread / GPU_WARP_LANES &&
           gpu_block_linear(gpu_warp_block(warp)) == point->of_block;
}

void watches_begin_step(Debug *debug, const GpuStepping *step) {
    for (unsigned i = 0; i < debug->highest_watch; i++) {
        DebugPoint *point = &debug->points[i];
        if (!is_watch(point) || point->armed) continue;
        const bool own = is_of_warp(point, step->warp);
        const unsigned lane = (unsigned)(point->of_thread % GPU_WARP_LANES);
        if (point->placed && (is_everywhere(point->address) || (own && debug->launch->id == point->launch)))
            arm(point, step->warp, lane);
        else if (!point->placed && own)
            watches_arm(debug, point);
    }
}

uint64_t watches_changed(Debug *debug, const GpuStepping *step) {
    uint64_t changed = 0;
    for (unsigned i = 0; i < debug->highest_watch; i++) {
        DebugPoint *point = &debug->points[i];
        uint8_t is[WATCHED_BYTES];
        if (!is_watch(point) || !point->armed) continue;
        const GpuWarp *warp;
        if (point->everywhere)
            warp = step->warp;
        else
            warp = point->warp;
        if (!gpu_lane_read(warp, point->lane, point->address, is, point->bytes)) continue;
        if (memcmp(is, point->was, point->bytes) == 0) continue;
        memcpy(point->before, point->was, point->bytes);
        memcpy(point->was, is, point->bytes);
        changed |= UINT64_C(1) << i;
    }
    return changed;
}

/** Where the access has its bytes, as a generic address. Another block's shared memory has the same. */
static bool may_write(const DebugPoint *point, const GpuAccess *access, uint64_t *window) {
    if (!is_watch(point) || !point->armed || access->kind == GPU_READ) return false;
    const bool shared = access->space == PTX_SPACE_SHARED;
    if (shared)
        *window = GPU_SHARED_WINDOW;
    else
        *window = 0;
    return !shared || (!point->everywhere && gpu_warp_block(point->warp) == gpu_warp_block(access->warp));
}

void watches_note(Debug *debug, const GpuAccess *access) {
    for (unsigned i = 0; i < debug->highest_watch; i++) {
        DebugPoint *point = &debug->points[i];
        uint64_t window;
        if (!may_write(point, access, &window)) continue;
        uint32_t lanes = 0;
        for (uint32_t left = access->lanes; left != 0; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(left);
            const uint64_t address = access->address[lane] + window;
            if (address < point->address + point->bytes && point->address < address + access->bytes)
                lanes |= UINT32_C(1) << lane;
        }
        if (lanes == 0) continue;
        point->writers = lanes;
        point->written_at = debug->step;
    }
}

/** In a lane's own memory it is that lane. */
static uint32_t writers_of(const Debug *debug, const DebugPoint *point) {
    if (point->address - GPU_LOCAL_WINDOW < GPU_WINDOW_SPAN) return UINT32_C(1) << point->lane;
    if (point->written_at + 1 == debug->step) return point->writers;
    return 0;
}

/** Of what came by another way, such as a copy of a whole tile, all lanes are taken for those that wrote. */
uint32_t watches_writers(const Debug *debug, uint64_t changed, const GpuStepping *writer) {
    uint32_t lanes = 0;
    for (uint64_t left = changed; left != 0; left &= left - 1)
        lanes |= writers_of(debug, &debug->points[__builtin_ctzll(left)]);
    lanes &= writer->lanes;
    if (lanes != 0) return lanes;
    return writer->lanes;
}

void watches_end_block(Debug *debug, const GpuBlock *block) {
    for (unsigned i = 0; i < debug->highest_watch; i++) {
        DebugPoint *point = &debug->points[i];
        if (is_watch(point) && point->armed && !point->everywhere && gpu_warp_block(point->warp) == block)
            point->armed = false;
    }
}

/* ---- words ---- */

static void add_value(const DebugPoint *point, const uint8_t *bytes, Text *out) {
    Scene scene = {.was = bytes, .was_at = point->address, .was_bytes = point->bytes};
    const Value value = {.type = &point->type, .placed = true, .address = point->address};
    value_text(&scene, &value, 0, out);
}

/** Of a number. A pointer's or a structure's type would have to be kept, too. */
static void add_values(const DebugPoint *point, Text *out) {
    if (point->type.bytes == 0) return;
    text_add(out, " from ");
    add_value(point, point->before, out);
    text_add(out, " to ");
    add_value(point, point->was, out);
}

static void add_dim(GpuDim at, Text *out) {
    text_format(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", at.x, at.y, at.z);
}

/** One thread by its name, several by their number. */
static void add_threads(const GpuStepping *writer, uint32_t lanes, Text *out) {
    const GpuBlock *block = gpu_warp_block(writer->warp);
    const uint32_t first = gpu_warp_index(writer->warp) * GPU_WARP_LANES;
    if ((lanes & (lanes - 1)) == 0) {
        text_add(out, "thread ");
        add_dim(gpu_thread_index(block, first + (uint32_t)__builtin_ctz(lanes)), out);
    } else {
        text_format(out, "%d threads of warp %u", __builtin_popcount(lanes), gpu_warp_index(writer->warp));
    }
    text_add(out, " of block ");
    add_dim(gpu_block_index(block), out);
}

/** The instruction before this one wrote; before the first one of a launch nobody's did. */
static void add_writer(Debug *debug, uint64_t changed, const GpuStepping *writer, Text *out) {
    if (debug->step == debug->first_step) text_add(out, " between two kernels, as by a copy");
    if (writer->warp == NULL) return;
    const GpuPlace place = gpu_place(debug->device->gpu, writer->pc);
    if (place.line <= 0) return;
    const char *slash = NULL;
    if (place.file != NULL) slash = strrchr(place.file, '/');
    text_add(out, ": ");
    add_threads(writer, watches_writers(debug, changed, writer), out);
    text_format(out, " wrote at %s:%d", slash != NULL ? slash + 1 : place.file, place.line);
}

void watches_say(Debug *debug, uint64_t changed, const GpuStepping *writer) {
    text_clear(&debug->message);
    for (uint64_t left = changed; left != 0; left &= left - 1) {
        const DebugPoint *point = &debug->points[__builtin_ctzll(left)];
        if (debug->message.length > 0) text_add(&debug->message, "; ");
        text_format(&debug->message, "%s has changed", point->watched);
        add_values(point, &debug->message);
    }
    add_writer(debug, changed, writer, &debug->message);
}
