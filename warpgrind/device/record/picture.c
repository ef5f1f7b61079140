/* picture.c - records one launch for the picture: its life, its launches and blocks; see picture.h. */
#include "device/record/picture_parts.h"
#include "device/record/picture_streams.h"

#include "gpu/inspect.h"

#include <inttypes.h>
#include <stdlib.h>

void picture_add_dim(Text *out, const char *key, GpuDim dim) {
    text_format(out, "\"%s\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", key, dim.x, dim.y, dim.z);
}

/* ---- blocks and launches ---- */

static bool is_chosen(const Picture *picture, GpuDim index) {
    for (unsigned i = 0; i < picture->chosen_count; i++) {
        const uint32_t *chosen = picture->chosen[i];
        if (chosen[0] == index.x && chosen[1] == index.y && chosen[2] == index.z) return true;
    }
    return picture->chosen_count == 0;
}

/** The first PICTURE_BLOCKS blocks that run are shown, or those that somebody chose; how many were left out
 * is said on the page. */
static void on_block_begin(void *self, const GpuBlock *block) {
    Picture *picture = self;
    if (!picture->recording) return;
    if (picture->block_count == PICTURE_BLOCKS || !is_chosen(picture, gpu_block_index(block))) {
        picture->left_out_blocks++;
        return;
    }
    Text *blocks = &picture->blocks;
    text_add(blocks, picture->block_count > 0 ? ",{" : "{");
    picture_add_dim(blocks, "index", gpu_block_index(block));
    text_format(blocks, ",\"threads\":%" PRIu32 "}", gpu_block_threads(block));
    picture->block_steps[picture->block_count] = 0;
    picture->seen[picture->block_count] = 0;
    picture->skipped[picture->block_count] = 0;
    picture->shown[picture->block_count++] = block;
}

static void on_block_end(void *self, const GpuBlock *block) {
    Picture *picture = self;
    picture_steps_flush(picture);
    int shown = picture_steps_block(picture, block);
    if (shown >= 0) picture->shown[shown] = NULL;
}

/** What was found again in an instruction is a finding of its block. */
static void mark_again(Picture *picture) {
    for (unsigned what = PICTURE_ERRORS; what <= PICTURE_NOTES; what++) {
        if (picture->found_again[what] == 0) continue;
        picture_grid_add(picture->grid, picture->running, (PictureCount)what, picture->found_again[what]);
        picture->found_again[what] = 0;
    }
}

/** A machine that is asked to tell of each instruction also knows where threads are. */
static void on_instruction(void *self, const GpuStepping *step) {
    Picture *picture = self;
    mark_again(picture);
    picture->running = gpu_block_linear(gpu_warp_block(step->warp));
    picture_grid_add(picture->grid, picture->running, PICTURE_INSTRUCTIONS, 1);
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Picture *picture = self;
    picture->launch = launch;
    picture->atomic.open = false;
    /* A launch without an error gives way to the first one that has one, so every launch is recorded till
     * then. */
    const long chosen = picture->device->options.pictured.launch;
    picture->launches++;
    picture->just_kept = false;
    picture->recording = picture->worth < WORTH_ERROR && (chosen == 0 || launch->id == (uint64_t)chosen);
    if (!picture->recording) return;
    gpu_set_stepper(picture->device->gpu, on_instruction, picture);
    picture_grid_begin(picture->grid,
                       (uint64_t)launch->spec.grid.x * launch->spec.grid.y * launch->spec.grid.z);
    picture_variables_clear(picture->variables);
    text_clear(&picture->head);
    text_clear(&picture->steps);
    text_clear(&picture->blocks);
    text_clear(&picture->findings);
    picture->block_count = picture->finding_count = picture->array_count = 0;
    picture->left_out_steps = picture->left_out_blocks = 0;
    picture->pending[0] = '\0';
    picture->file = NULL;
    picture->has_error = picture->has_undefined = picture->has_unordered = false;
    text_add(&picture->head, "\"kernel\":");
    picture_add_word(&picture->head, gpu_kernel_function(launch->spec.kernel)->plain_name);
    text_format(&picture->head, ",\"launch\":%" PRIu32 ",\"mark\":", launch->id);
    picture_add_word(&picture->head, picture->device->program.mark);
    text_add(&picture->head, ",");
    picture_add_dim(&picture->head, "grid", launch->spec.grid);
    text_add(&picture->head, ",");
    picture_add_dim(&picture->head, "block", launch->spec.block);
}

/** All that is recorded of the launch, as one object. */
static void add_object(const Picture *picture, Text *out) {
    text_format(out, "{\"schema\":\"warpgrind/picture/v3\",%s%s\"file\":", picture->head.bytes,
                picture->head.length > 0 ? "," : "");
    picture_add_word(out, picture->file);
    text_add(out, ",\"arrays\":[");
    for (unsigned i = 0; i < picture->array_count; i++) {
        const PictureArray *array = &picture->arrays[i];
        text_add(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        picture_add_word(out, array->name);
        text_format(out, ",\"space\":\"%s\",\"length\":%" PRIu64 ",\"bytes\":%u,\"line\":%d%s}", array->space,
                    array->length, array->bytes, array->line,
                    array->kind == PICTURE_NO_KIND ? ",\"structures\":true" : "");
    }
    text_add(out, "],\"variables\":[");
    picture_variables_names(picture->variables, out);
    text_format(out, "],\"blocks\":[%s],\"left_out\":{\"steps\":%" PRIu64 ",\"blocks\":%" PRIu64 "},\n",
                picture->blocks.bytes, picture->left_out_steps, picture->left_out_blocks);
    picture_grid_write(picture->grid, out);
    text_add(out, ",\n");
    text_format(out, "\"findings\":[%s],\n\"steps\":[\n%s]}", picture->findings.bytes, picture->steps.bytes);
}

static PictureWorth worth_of(const Picture *picture) {
    if (picture->has_error) return WORTH_ERROR;
    if (picture->has_undefined) return WORTH_UNDEFINED;
    if (picture->has_unordered) return WORTH_UNORDERED;
    return WORTH_LAUNCH;
}

/** Of launches that show nothing in particular the last one is kept: an answer is more likely its work. */
static void end_launch(Picture *picture) {
    if (!picture->recording) return;
    picture_steps_flush(picture);
    mark_again(picture);
    for (unsigned i = 0; i < picture->block_count; i++)
        picture_steps_tell_gap(picture, (int)i);
    gpu_set_stepper(picture->device->gpu, NULL, NULL);
    picture->recording = false;
    const PictureWorth worth = worth_of(picture);
    if (worth < picture->worth || (worth == picture->worth && worth > WORTH_LAUNCH)) return;
    picture->worth = worth;
    picture->just_kept = true;
    text_clear(&picture->kept);
    add_object(picture, &picture->kept);
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Picture *picture = self;
    (void)status;
    end_launch(picture);
    picture_streams_launched(picture->device->picture_streams, launch->id);
    picture->launch = NULL;
}

/* ---- life ---- */

/** The page's parts grow side by side while the launch runs, and are put together by picture_json. */
Picture *picture_create(Device *device) {
    Picture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) return NULL;
    picture->variables = picture_variables_create();
    picture->grid = picture_grid_create();
    if (picture->variables == NULL || picture->grid == NULL) {
        picture_variables_destroy(picture->variables);
        picture_grid_destroy(picture->grid);
        free(picture);
        return NULL;
    }
    picture->device = device;
    const char *blocks = device->options.pictured.blocks;
    if (blocks != NULL) picture->chosen_count = picture_blocks(blocks, picture->chosen);
    text_init(&picture->head);
    text_init(&picture->steps);
    text_init(&picture->blocks);
    text_init(&picture->findings);
    text_init(&picture->kept);
    GpuObserver observer = {.self = picture,
                            .launch_begin = on_launch_begin,
                            .launch_end = on_launch_end,
                            .block_begin = on_block_begin,
                            .block_end = on_block_end};
    picture_steps_observe(&observer);
    gpu_attach(device->gpu, &observer);
    return picture;
}

void picture_destroy(Picture *picture) {
    if (picture == NULL) return;
    picture_variables_destroy(picture->variables);
    picture_grid_destroy(picture->grid);
    text_free(&picture->head);
    text_free(&picture->steps);
    text_free(&picture->blocks);
    text_free(&picture->findings);
    text_free(&picture->kept);
    free(picture);
}

/** What somebody chose, and what is of the whole run, as further members. */
static void add_run(const Picture *picture, Text *out) {
    const PictureChoice *choice = &picture->device->options.pictured;
    text_format(out, ",\n\"launches\":%" PRIu64 ",\"chosen\":{\"launch\":%ld,\"blocks\":", picture->launches,
                choice->launch);
    picture_add_word(out, choice->blocks);
    text_format(out, ",\"warp\":%ld,\"from\":%ld},\n", choice->warp, choice->from);
    picture_streams_write(picture->device, out);
}

/** The picture as the text of one JSON object, of which the launcher makes the page: it is kept as text in
 * the report, so that no reader of the report has to parse thousands of steps. */
struct json_object *picture_json(Picture *picture) {
    end_launch(picture);
    if (picture->worth == WORTH_NOTHING) add_object(picture, &picture->kept);
    Text whole = text_new();
    if (picture->kept.length > 0) text_append(&whole, picture->kept.bytes, picture->kept.length - 1);
    add_run(picture, &whole);
    text_add(&whole, "}");
    struct json_object *object = json_object_new_string_len(whole.bytes, (int)whole.length);
    text_free(&whole);
    return object;
}
