/* look.c - what can be seen at a stop: the thread that is looked at, its functions and variables, the lanes
 * of its warp, the blocks that are under way. */
#include "base/minmax.h"
#include "device/debug/parts.h"
#include "device/state/state.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_BLOCKS = 64 };

/* ---- words ---- */

json_object *look_dim(GpuDim dim) {
    json_object *list = json_object_new_array();
    json_object_array_add(list, json_object_new_int64(dim.x));
    json_object_array_add(list, json_object_new_int64(dim.y));
    json_object_array_add(list, json_object_new_int64(dim.z));
    return list;
}

static const char *state_word(GpuLaneState state) {
    static const char *const words[] = {[GPU_LANE_NONE] = "none",
                                        [GPU_LANE_ENDED] = "ended",
                                        [GPU_LANE_READY] = "ready",
                                        [GPU_LANE_AT_BARRIER] = "at a barrier",
                                        [GPU_LANE_WAITS] = "waits for its warp"};
    return words[state];
}

static void put_code(Debug *debug, const GpuLaneFrame *frame, json_object *out) {
    const GpuPlace place = gpu_place(debug->device->gpu, frame->pc);
    json_put_text(out, "function", frame->function->plain_name);
    json_put_text(out, "file", text_or(place.file, ""));
    json_put_number(out, "line", MAX(place.line, 0));
}

/* ---- the thread ---- */

static const GpuBlock *find_block(const Debug *debug, uint64_t linear) {
    for (unsigned slot = 0; debug->launch != NULL && slot < GPU_MAX_RESIDENT_BLOCKS; slot++) {
        const GpuBlock *block = gpu_resident(debug->device->gpu, slot);
        if (block != NULL && gpu_block_linear(block) == linear) return block;
    }
    return NULL;
}

static const GpuWarp *warp_of(const Debug *debug, uint64_t number, uint64_t thread, unsigned *lane) {
    const GpuBlock *block = find_block(debug, number);
    *lane = (unsigned)(thread % GPU_WARP_LANES);
    if (block == NULL || thread >= gpu_block_threads(block)) return NULL;
    return gpu_block_warp(block, (uint32_t)(thread / GPU_WARP_LANES));
}

const GpuWarp *look_warp(const Debug *debug, unsigned *lane) {
    return warp_of(debug, debug->block, debug->thread, lane);
}

bool look_scene(const Debug *debug, Arena *arena, Scene *scene) {
    return look_scene_of(debug, debug->block, debug->thread, arena, scene);
}

bool look_scene_of(const Debug *debug, uint64_t block, uint64_t thread, Arena *arena, Scene *scene) {
    unsigned lane;
    const GpuWarp *warp = warp_of(debug, block, thread, &lane);
    if (warp != NULL) return scene_open(scene, arena, warp, lane);
    *scene = (Scene){.arena = arena};
    if (debug->launch != NULL)
        scene->error = "the thread's block is not running now";
    else
        scene->error = "no kernel is running now";
    return false;
}

static void put_launch(const Debug *debug, json_object *out) {
    const GpuLaunch *launch = debug->launch;
    if (launch == NULL) return;
    const GpuDim grid = launch->spec.grid, block = launch->spec.block;
    const uint64_t b = debug->block, t = debug->thread;
    json_put_number(out, "launch", launch->id);
    json_put_text(out, "kernel", gpu_kernel_function(launch->spec.kernel)->plain_name);
    json_object_object_add(out, "grid", look_dim(grid));
    json_object_object_add(out, "extent", look_dim(block));
    json_object_object_add(out, "block",
                           look_dim((GpuDim){(uint32_t)(b % grid.x), (uint32_t)(b / grid.x % grid.y),
                                             (uint32_t)(b / grid.x / grid.y)}));
    json_object_object_add(out, "thread",
                           look_dim((GpuDim){(uint32_t)(t % block.x), (uint32_t)(t / block.x % block.y),
                                             (uint32_t)(t / block.x / block.y)}));
}

/** Where the program itself is when no kernel runs: in the call that is being served. */
static void put_call(const Debug *debug, json_object *out) {
    CheckPlace place = {.file = ""};
    if (debug->device->serving.site == 0) return;
    symbols_place(debug->device->symbols, debug->device->serving.site, &place);
    json_put_text(out, "file", text_or(place.file, ""));
    json_put_number(out, "line", place.line);
    json_put_text(out, "function", "the program");
}

void look_place(Debug *debug, json_object *out) {
    unsigned lane;
    GpuLaneFrame frame;
    const GpuWarp *warp = look_warp(debug, &lane);
    json_put_number(out, "step", (int64_t)debug->step);
    put_launch(debug, out);
    if (debug->launch == NULL && !debug->ended) put_call(debug, out);
    if (debug->launch == NULL) return;
    json_put_text(out, "state", warp != NULL ? state_word(gpu_lane_state(warp, lane)) : "not running");
    if (warp == NULL || gpu_lane_frames(warp, lane, &frame, 1) == 0) return;
    put_code(debug, &frame, out);
}

void look_frames(Debug *debug, json_object *out) {
    unsigned lane;
    GpuLaneFrame frames[DEEPEST_CALL];
    const GpuWarp *warp = look_warp(debug, &lane);
    json_object *list = json_object_new_array();
    unsigned count = 0;
    if (warp != NULL) count = gpu_lane_frames(warp, lane, frames, DEEPEST_CALL);
    for (unsigned i = 0; i < count; i++) {
        json_object *frame = json_object_new_object();
        put_code(debug, &frames[i], frame);
        json_object_array_add(list, frame);
    }
    json_object_object_add(out, "frames", list);
}

/* ---- variables ---- */

typedef struct Listing {
    Scene *scene;
    json_object *list;
} Listing;

static void put_value(Scene *scene, const Value *value, char format, json_object *out) {
    Text text = text_new();
    value_text(scene, value, format, &text);
    if (scene->error != NULL)
        json_put_text(out, "error", scene->error);
    else
        json_put_visible(out, "value", text.bytes);
    text_clear(&text);
    value_type_text(value->type, &text);
    json_put_text(out, "type", text.bytes);
    text_free(&text);
    const uint64_t parts = value_part_count(value);
    if (parts > 0) json_put_number(out, "members", (int64_t)parts);
    if (parts > 0 && value->type->kind == PTX_SHOWN_ARRAY) json_put_flag(out, "indexed", true);
}

static void list_local(void *self, const char *name, const Value *value) {
    Listing *listing = self;
    json_object *variable = json_object_new_object();
    json_put_text(variable, "name", name);
    if (value == NULL)
        json_put_text(variable, "error", "optimised away");
    else if (value->type != NULL)
        put_value(listing->scene, value, 0, variable);
    listing->scene->error = NULL;
    json_object_array_add(listing->list, variable);
}

void look_locals(Debug *debug, unsigned frame, json_object *out) {
    Arena *arena = arena_create();
    Scene scene;
    Listing listing = {.scene = &scene, .list = json_object_new_array()};
    if (arena != NULL && look_scene(debug, arena, &scene) && frame < scene.frame_count) {
        scene.frame = frame;
        value_each_local(&scene, list_local, &listing);
    }
    json_object_object_add(out, "variables", listing.list);
    arena_destroy(arena);
}

bool look_print(Debug *debug, const char *expression, char format, unsigned frame, json_object *out,
                Text *error) {
    Arena *arena = arena_create();
    Scene scene = {.error = "no memory"};
    if (arena != NULL && look_scene(debug, arena, &scene)) {
        if (frame < scene.frame_count)
            scene.frame = frame;
        else
            scene.frame = 0;
        const Value value = expression_value(&scene, expression);
        if (scene.error == NULL) put_value(&scene, &value, format, out);
    }
    if (scene.error != NULL) text_add(error, scene.error);
    bool fine = scene.error == NULL;
    arena_destroy(arena);
    return fine;
}

/** "[3]" of a is (a)[3], "b" of a is (a).b; what p points to is *(p). A member without a name has no
 * expression. */
static void put_part_name(const Value *whole, const char *expression, uint64_t i, const char *name,
                          json_object *out) {
    Text text = text_new();
    if (whole->type->kind == PTX_SHOWN_ARRAY)
        text_format(&text, "[%" PRIu64 "]", i);
    else if (whole->type->kind == PTX_SHOWN_POINTER)
        text_add(&text, "*");
    else
        text_add(&text, *name != '\0' ? name : "(unnamed)");
    json_put_text(out, "name", text.bytes);
    text_clear(&text);
    if (whole->type->kind == PTX_SHOWN_ARRAY)
        text_format(&text, "(%s)[%" PRIu64 "]", expression, i);
    else if (whole->type->kind == PTX_SHOWN_POINTER)
        text_format(&text, "*(%s)", expression);
    else if (*name != '\0')
        text_format(&text, "(%s).%s", expression, name);
    json_put_text(out, "expression", text.bytes);
    text_free(&text);
}

static void put_parts(Scene *scene, const Value *whole, const LookPart *part, json_object *out) {
    const uint64_t total = value_part_count(whole);
    const uint64_t first = MIN(part->first, total);
    uint64_t count = MIN(part->count, LOOK_MOST_PARTS);
    if (count > total - first) count = total - first;
    json_object *list = json_object_new_array();
    for (uint64_t i = first; i < first + count; i++) {
        const char *name = "";
        const Value value = value_part(scene, whole, i, &name);
        json_object *row = json_object_new_object();
        put_part_name(whole, part->expression, i, name, row);
        if (scene->error != NULL)
            json_put_text(row, "error", scene->error);
        else
            put_value(scene, &value, part->format, row);
        scene->error = NULL;
        json_object_array_add(list, row);
    }
    json_object_object_add(out, "members", list);
    json_put_number(out, "total", (int64_t)total);
}

bool look_members(Debug *debug, const LookPart *part, json_object *out, Text *error) {
    Arena *arena = arena_create();
    Scene scene = {.error = "no memory"};
    if (arena != NULL && look_scene(debug, arena, &scene)) {
        if (part->frame < scene.frame_count)
            scene.frame = part->frame;
        else
            scene.frame = 0;
        const Value whole = expression_value(&scene, part->expression);
        if (scene.error == NULL) put_parts(&scene, &whole, part, out);
    }
    if (scene.error != NULL) text_add(error, scene.error);
    bool fine = scene.error == NULL;
    arena_destroy(arena);
    return fine;
}

/* ---- lanes and blocks ---- */

static void put_lane(Debug *debug, const GpuWarp *warp, unsigned lane, const char *expression,
                     json_object *out) {
    GpuLaneFrame frame;
    json_put_number(out, "lane", lane);
    json_put_text(out, "state", state_word(gpu_lane_state(warp, lane)));
    if (gpu_lane_frames(warp, lane, &frame, 1) > 0) put_code(debug, &frame, out);
    Arena *arena = NULL;
    if (expression != NULL) arena = arena_create();
    Scene scene;
    if (arena != NULL && scene_open(&scene, arena, warp, lane)) {
        const Value value = expression_value(&scene, expression);
        if (scene.error == NULL)
            put_value(&scene, &value, 0, out);
        else
            json_put_text(out, "error", scene.error);
    }
    arena_destroy(arena);
}

void look_lanes(Debug *debug, const char *expression, json_object *out) {
    unsigned focus;
    const GpuWarp *warp = look_warp(debug, &focus);
    json_object *list = json_object_new_array();
    char mask[16];
    snprintf(mask, sizeof mask, "%08" PRIx32, debug->now.warp == warp ? debug->now.lanes : 0);
    json_put_text(out, "active", mask);
    for (unsigned lane = 0; warp != NULL && lane < GPU_WARP_LANES; lane++) {
        if (gpu_lane_state(warp, lane) == GPU_LANE_NONE) continue;
        json_object *row = json_object_new_object();
        put_lane(debug, warp, lane, expression, row);
        json_object_array_add(list, row);
    }
    json_object_object_add(out, "lanes", list);
}

static json_object *warps_json(Debug *debug, const GpuBlock *block) {
    json_object *list = json_object_new_array();
    const GpuWarp *warp;
    for (uint32_t i = 0; (warp = gpu_block_warp(block, i)) != NULL; i++) {
        json_object *row = json_object_new_object();
        GpuLaneFrame frame;
        const uint32_t alive = gpu_warp_alive(warp);
        unsigned lane = 0;
        if (alive != 0) lane = (unsigned)__builtin_ctz(alive);
        json_put_number(row, "warp", i);
        json_put_number(row, "alive", __builtin_popcount(alive));
        json_put_text(row, "state", state_word(gpu_lane_state(warp, lane)));
        if (gpu_lane_frames(warp, lane, &frame, 1) > 0) put_code(debug, &frame, row);
        json_object_array_add(list, row);
    }
    return list;
}

/** LIMIT: a cooperative launch may have thousands of them; the first MOST_BLOCKS are listed, `total` says how
 * many there are. */
void look_blocks(Debug *debug, json_object *out) {
    json_object *list = json_object_new_array();
    unsigned total = 0;
    for (unsigned slot = 0; debug->launch != NULL && slot < GPU_MAX_RESIDENT_BLOCKS; slot++) {
        const GpuBlock *block = gpu_resident(debug->device->gpu, slot);
        if (block == NULL || ++total > MOST_BLOCKS) continue;
        json_object *row = json_object_new_object();
        json_object_object_add(row, "block", look_dim(gpu_block_index(block)));
        json_object_object_add(row, "warps", warps_json(debug, block));
        json_object_array_add(list, row);
    }
    json_object_object_add(out, "blocks", list);
    json_put_number(out, "total", total);
}
