/* picture.c - records one launch for the picture; see picture.h.
 *
 * A step is a small JSON array, appended to a text as it happens, so that a launch that is left out costs
 * nothing later: [kind, block, warp, line, lanes as hex, ...]. The kinds and their further members are in
 * docs/picture.md.
 */
#include "device/record/picture.h"
#include "base/minmax.h"

#include "check/traffic.h"
#include "device/record/picture_grid.h"
#include "device/record/picture_streams.h"
#include "device/record/picture_values.h"
#include "device/state/state.h"
#include "gpu/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** LIMIT: steps of each block (PICTURE_BLOCKS of them) and all bytes of a picture: the page has to open in a
 * second. */
enum {
    BLOCK_STEPS = 1200,
    RESULT_STEPS = 200, /* more of them for what a block leaves in global memory */
    PICTURE_BYTES = 1200 << 10,
    RESULT_BYTES = 100 << 10,
    PICTURE_ARRAYS = 32,
    LINE_BYTES = 128, /* four sectors; and as many bytes as all banks have side by side */
    PICTURE_FINDINGS = 32
};

/** An array that steps of the picture touch, named by its place in the list. */
typedef struct PictureArray {
    const char *name, *space;
    uint64_t length;
    unsigned bytes;
    int line;
    PictureKind kind;
} PictureArray;

/** An atomic operation whose step waits for its end: what it has left is known when the next event comes. */
typedef struct PictureAtomic {
    bool open;
    GpuAccess access;
    uint64_t address[GPU_WARP_LANES];
    PictureKind kind;
    unsigned bytes; /**< of an element */
    char found[256];
} PictureAtomic;

/** How much a launch has to show, in ascending order. */
typedef enum PictureWorth { WORTH_NOTHING, WORTH_LAUNCH, WORTH_UNDEFINED, WORTH_ERROR } PictureWorth;

struct Picture {
    Device *device;
    PictureWorth worth; /**< of the launch in `kept` */
    Text kept; /**< as an object; a launch that is worth as much takes its place, but for one with an error */
    bool recording, has_error, has_undefined;
    bool is_result;          /**< the access writes to global memory */
    const GpuLaunch *launch; /**< that runs and is recorded; NULL: none */
    Text head;               /**< the launch, as members of the object */
    Text steps, blocks, findings;
    const GpuBlock *shown[PICTURE_BLOCKS]; /**< NULL: it has ended */
    unsigned block_steps[PICTURE_BLOCKS];
    uint64_t seen[PICTURE_BLOCKS];       /**< steps, recorded or not */
    uint64_t skipped[PICTURE_BLOCKS];    /**< since the last one that was recorded */
    bool skipped_others[PICTURE_BLOCKS]; /**< those are all of warps that nobody chose */
    uint32_t chosen[PICTURE_BLOCKS][3];
    unsigned chosen_count; /**< 0: those that begin first */
    uint64_t launches;
    PictureGrid *grid;
    uint64_t running;                        /**< the block of the instruction before this one */
    uint64_t found_again[PICTURE_NOTES + 1]; /**< in it */
    unsigned block_count, finding_count, array_count;
    PictureArray arrays[PICTURE_ARRAYS];
    const char *file; /**< the source that most places are in */
    uint64_t left_out_steps, left_out_blocks;
    char pending[256]; /**< findings that the next step is about: ",3,4" */
    PictureVariables *variables;
    PictureAtomic atomic;
};

/* ---- words ---- */

static void add_quoted(Text *out, const char *string) {
    struct json_object *object = json_object_new_string(string != NULL ? string : "");
    text_add(out,
             json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static void add_dim(Text *out, const char *key, GpuDim dim) {
    text_format(out, "\"%s\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", key, dim.x, dim.y, dim.z);
}

static uint64_t linear_of(GpuDim at, GpuDim extent) {
    return at.x + (uint64_t)extent.x * (at.y + (uint64_t)extent.y * at.z);
}

static int line_of(Picture *picture, uint32_t pc) {
    if (pc == 0) return 0;
    GpuPlace place = gpu_place(picture->device->gpu, pc);
    if (place.line <= 0 || place.file == NULL) return 0;
    if (picture->file == NULL) picture->file = place.file;
    return strcmp(picture->file, place.file) == 0 ? place.line : 0;
}

/* ---- steps ---- */

/** The number of the block in the picture, or -1. */
static int block_of(const Picture *picture, const GpuBlock *block) {
    for (unsigned i = 0; picture->recording && i < picture->block_count; i++)
        if (picture->shown[i] == block) return (int)i;
    return -1;
}

static void add_found(Picture *picture, const char *found) {
    text_format(&picture->steps, ",[%s]]", found[0] != '\0' ? found + 1 : "");
}

/** How many bytes each lane accesses, and where: counted from the line that the first lane's are in. */
static void add_addresses(Picture *picture, const GpuAccess *access) {
    PictureRow row = {0};
    const uint64_t line = access->address[check_first_lane(access->lanes)] / LINE_BYTES * LINE_BYTES;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        if (access->lanes >> lane & 1) picture_row_add_number(&row, (int64_t)(access->address[lane] - line));
    text_format(&picture->steps, ",[%u", access->bytes);
    picture_row_write(&row, &picture->steps);
    text_add(&picture->steps, "]");
}

/** The atomic operation before this event is over: its step gets what it has left in memory. */
static void end_atomic(Picture *picture) {
    PictureAtomic *atomic = &picture->atomic;
    if (!atomic->open) return;
    atomic->open = false;
    text_add(&picture->steps, ",");
    picture_add_left(&picture->steps, &atomic->access, atomic->kind, atomic->bytes);
    add_addresses(picture, &atomic->access);
    add_found(picture, atomic->found);
}

/** The page must not look as if nothing had happened between two steps. */
static void tell_gap(Picture *picture, int block) {
    if (picture->skipped[block] == 0) return;
    text_format(&picture->steps, "%s[\"g\",%d,-1,0,\"0\",%" PRIu64 ",%s,[]]",
                picture->steps.length > 0 ? ",\n" : "", block, picture->skipped[block],
                picture->skipped_others[block] ? "true" : "false");
    picture->skipped[block] = 0;
}

/** A barrier is a step of every warp. */
static bool is_of_others(const Picture *picture, int warp) {
    const long chosen = picture->device->options.pictured.warp;
    return chosen != PICTURE_ALL_WARPS && warp >= 0 && warp != chosen;
}

static void leave_out(Picture *picture, int block, int warp) {
    const bool others = is_of_others(picture, warp);
    picture->skipped_others[block] =
        others && (picture->skipped[block] == 0 || picture->skipped_others[block]);
    picture->skipped[block]++;
    picture->left_out_steps++;
}

/** A mistake is worth more than the accesses before it: it always has a step, and there are few. What a block
 * leaves in global memory has some room of its own, since the answer is there. */
static bool has_room(const Picture *picture, int block, int warp) {
    if (picture->pending[0] != '\0') return true;
    if (picture->seen[block] < (uint64_t)picture->device->options.pictured.from) return false;
    if (is_of_others(picture, warp)) return false;
    const unsigned steps = BLOCK_STEPS + (picture->is_result ? RESULT_STEPS : 0);
    const size_t bytes = PICTURE_BYTES + (picture->is_result ? RESULT_BYTES : 0);
    return picture->block_steps[block] < steps && picture->steps.length + picture->findings.length < bytes;
}

/** Begins a step unless there is no room; the caller adds members and ends it. */
static bool begin_step(Picture *picture, char kind, int block, int warp, int line, uint32_t lanes) {
    end_atomic(picture);
    if (block < 0) {
        picture->pending[0] = '\0'; /* it is about what is not shown */
        return false;
    }
    picture->seen[block]++;
    if (!has_room(picture, block, warp)) {
        leave_out(picture, block, warp);
        return false;
    }
    tell_gap(picture, block);
    picture->block_steps[block]++;
    text_format(&picture->steps, "%s[\"%c\",%d,%d,%d,\"%" PRIx32 "\"", picture->steps.length > 0 ? ",\n" : "",
                kind, block, warp, line, lanes);
    return true;
}

static void end_step(Picture *picture) {
    add_found(picture, picture->pending);
    picture->pending[0] = '\0';
}

/** The step of an atomic operation stays open until the next event. */
static void leave_open(Picture *picture, const GpuAccess *access, PictureKind kind, unsigned bytes) {
    PictureAtomic *atomic = &picture->atomic;
    atomic->access = *access;
    memcpy(atomic->address, access->address, sizeof atomic->address);
    atomic->access.address = atomic->address;
    atomic->kind = kind;
    atomic->bytes = bytes;
    memcpy(atomic->found, picture->pending, sizeof atomic->found);
    picture->pending[0] = '\0';
    atomic->open = true;
}

/** The variables of the lanes, as they are before the step. */
static void add_variables(Picture *picture, int shown, const GpuWarp *warp, uint32_t lanes) {
    text_add(&picture->steps, ",");
    picture_variables_add(picture->variables, &picture->steps, (unsigned)shown, warp, lanes);
}

/** The array's number; PICTURE_ARRAYS: one too many. */
static unsigned array_number(Picture *picture, const CheckArray *array, PictureKind kind) {
    const char *name = array->name != NULL ? array->name : "";
    for (unsigned i = 0; i < picture->array_count; i++) {
        const PictureArray *known = &picture->arrays[i];
        if (strcmp(known->name, name) == 0 && strcmp(known->space, array->space) == 0 &&
            known->length == array->length && known->bytes == array->element_bytes &&
            known->line == array->declared.line)
            return i;
    }
    if (picture->array_count == PICTURE_ARRAYS) return PICTURE_ARRAYS;
    picture->arrays[picture->array_count] =
        (PictureArray){name, array->space, array->length, array->element_bytes, array->declared.line, kind};
    return picture->array_count++;
}

static int64_t divided_down(int64_t bytes, int64_t size) {
    return bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
}

/** The array and the element of each lane: [array, first, ...]; [-1] where no name is known. The array's
 * number. */
static unsigned add_elements(Picture *picture, const CheckArray *array, uint32_t lanes,
                             const uint64_t *address, PictureKind kind) {
    unsigned number = array->element_bytes != 0 && array->space != NULL ? array_number(picture, array, kind)
                                                                        : PICTURE_ARRAYS;
    if (number == PICTURE_ARRAYS) {
        text_add(&picture->steps, ",[-1]");
        return number;
    }
    PictureRow row = {0};
    unsigned first = check_first_lane(lanes);
    for (unsigned lane = first; lane < GPU_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) == 0) continue;
        int64_t bytes = (int64_t)(address[lane] - address[first]);
        picture_row_add_number(&row, array->index + divided_down(bytes, array->element_bytes));
    }
    text_format(&picture->steps, ",[%u", number);
    picture_row_write(&row, &picture->steps);
    text_add(&picture->steps, "]");
    return number;
}

/** The elements of an access, the variables of its lanes, and its values. */
static void end_access(Picture *picture, const GpuAccess *access, int shown, const CheckArray *array) {
    const PtxInstruction *instruction = gpu_place(picture->device->gpu, access->pc).instruction;
    PictureKind kind = picture_kind(access, instruction, array);
    const unsigned number = add_elements(picture, array, access->lanes, access->address, kind);
    if (number < PICTURE_ARRAYS) kind = picture->arrays[number].kind;
    unsigned bytes = array->element_bytes;
    if (kind == PICTURE_NO_KIND && instruction != NULL) {
        kind = picture_kind_of_member(instruction);
        bytes = ptx_type_bytes(instruction->type);
    }
    add_variables(picture, shown, access->warp, access->lanes);
    if (access->kind == GPU_ATOMIC) {
        leave_open(picture, access, kind, bytes);
        return;
    }
    text_add(&picture->steps, ",");
    picture_add_values(&picture->steps, access, kind, bytes);
    add_addresses(picture, access);
    end_step(picture);
}

/** What an access costs beside the least that it could. Atomic operations have no cost of this kind. */
typedef struct PictureCost {
    unsigned cost, ideal;
} PictureCost;

static PictureCost cost_of(const GpuAccess *access) {
    if (access->kind == GPU_ATOMIC) return (PictureCost){0};
    if (access->space == PTX_SPACE_SHARED)
        return (PictureCost){traffic_wavefronts(access), traffic_ideal_wavefronts(access)};
    return (PictureCost){traffic_sectors(access), traffic_ideal_sectors(access)};
}

/** The array that the first lane's element is of. */
static CheckArray array_of(const Picture *picture, const GpuAccess *access) {
    if (access->space != PTX_SPACE_SHARED && access->allocation == NULL) return (CheckArray){0};
    return check_array_at(picture->device->check, picture->launch, access->space,
                          access->address[check_first_lane(access->lanes)], access->allocation,
                          access->bytes);
}

/** Whose work the elements are, for the grid of all blocks. An access of several elements at once is of the
 * block in all of them. */
static void note_writer(Picture *picture, const GpuAccess *access, const CheckArray *array) {
    const PtxInstruction *instruction = gpu_place(picture->device->gpu, access->pc).instruction;
    if (array->element_bytes == 0 || array->space == NULL) return;
    const unsigned number = array_number(picture, array, picture_kind(access, instruction, array));
    if (number == PICTURE_ARRAYS) return;
    const uint64_t first = access->address[check_first_lane(access->lanes)];
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++) {
        if ((access->lanes >> lane & 1) == 0) continue;
        const int64_t bytes = (int64_t)(access->address[lane] - first);
        const int64_t element = array->index + divided_down(bytes, array->element_bytes);
        for (unsigned part = 0; part == 0 || part < access->bytes / array->element_bytes; part++)
            picture_grid_wrote(picture->grid, number, element + part,
                               gpu_block_linear(gpu_warp_block(access->warp)));
    }
}

/** One access of a warp as a step: its kind, its cost, and the element that each lane has. The accesses of
 * all blocks are counted. */
static void on_access(void *self, const GpuAccess *access) {
    Picture *picture = self;
    end_atomic(picture);
    const bool global = access->space == PTX_SPACE_GLOBAL;
    if (!picture->recording || (!global && access->space != PTX_SPACE_SHARED)) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    const PictureCost cost = cost_of(access);
    const CheckArray array = array_of(picture, access);
    picture_grid_add(picture->grid, gpu_block_linear(block), PICTURE_EXCESS, cost.cost - cost.ideal);
    picture->has_undefined |= global && access->kind == GPU_READ && access->undefined_lanes != 0;
    picture->is_result = global && access->kind != GPU_READ;
    if (picture->is_result) note_writer(picture, access, &array);
    static const char kinds[] = {[GPU_READ] = 'r', [GPU_WRITE] = 'w', [GPU_ATOMIC] = 'a'};
    const int shown = block_of(picture, block);
    const bool begun = begin_step(picture, kinds[access->kind], shown, (int)gpu_warp_index(access->warp),
                                  line_of(picture, access->pc), access->lanes);
    picture->is_result = false;
    if (!begun) return;
    text_format(&picture->steps, ",%u,%u", cost.cost, cost.ideal);
    end_access(picture, access, shown, &array);
}

/** What is wrong with an access that may not happen, as the end of a sentence. */
static const char *fault_words(GpuFaultKind kind) {
    static const char *const words[] = {[GPU_FAULT_OUT_OF_BOUNDS] = "out of bounds",
                                        [GPU_FAULT_FREED] = "which was freed",
                                        [GPU_FAULT_WILD] = "at an address that was never allocated",
                                        [GPU_FAULT_MISALIGNED] = "at a misaligned address",
                                        [GPU_FAULT_READ_ONLY] = "which kernels cannot write"};
    return words[kind];
}

/** A fault is a step of its own, with the element that was aimed at where an array is near enough to be
 * named. */
static void on_fault(void *self, const GpuFault *fault) {
    Picture *picture = self;
    int shown = block_of(picture, gpu_warp_block(fault->warp));
    if (!begin_step(picture, 'o', shown, (int)gpu_warp_index(fault->warp), line_of(picture, fault->pc),
                    fault->lanes))
        return;
    uint64_t first = fault->address[check_first_lane(fault->lanes)];
    CheckArray array = {0};
    bool known =
        fault->space == PTX_SPACE_SHARED || (fault->space == PTX_SPACE_GLOBAL && fault->nearest != NULL);
    if (known && fault->kind == GPU_FAULT_OUT_OF_BOUNDS)
        array = check_array_at(picture->device->check, picture->launch, fault->space, first, fault->nearest,
                               fault->bytes);
    text_format(&picture->steps, ",\"%s\"", fault->access == GPU_READ ? "reads" : "writes");
    add_elements(picture, &array, fault->lanes, fault->address, PICTURE_NO_KIND);
    text_format(&picture->steps, ",\"%s\"", fault_words(fault->kind));
    add_variables(picture, shown, fault->warp, fault->lanes);
    end_step(picture);
}

static void on_barrier(void *self, const GpuBarrier *barrier) {
    Picture *picture = self;
    int shown = block_of(picture, barrier->block);
    if (!begin_step(picture, 'b', shown, -1, line_of(picture, barrier->pc), 0)) return;
    unsigned waiting = 0, warps = (gpu_block_threads(barrier->block) + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    for (unsigned warp = 0; warp < warps; warp++)
        waiting += check_lane_count(barrier->waiting[warp]);
    text_format(&picture->steps, ",%u,%s", waiting, barrier->whole_block ? "true" : "false");
    end_step(picture);
}

static void on_warp_sync(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Picture *picture = self;
    int shown = block_of(picture, gpu_warp_block(warp));
    if (begin_step(picture, 's', shown, (int)gpu_warp_index(warp), line_of(picture, pc), lanes))
        end_step(picture);
}

static void on_branch(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    Picture *picture = self;
    if (!picture->recording || taken == 0 || not_taken == 0) return;
    picture_grid_add(picture->grid, gpu_block_linear(gpu_warp_block(warp)), PICTURE_DIVERGENT, 1);
    int shown = block_of(picture, gpu_warp_block(warp));
    if (!begin_step(picture, 'd', shown, (int)gpu_warp_index(warp), line_of(picture, pc), taken | not_taken))
        return;
    text_format(&picture->steps, ",\"%" PRIx32 "\"", taken);
    add_variables(picture, shown, warp, taken | not_taken);
    end_step(picture);
}

/* Threads that miss a barrier, or wait for ever. */
static void on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Picture *picture = self;
    int shown = event->block != NULL ? block_of(picture, event->block) : -1;
    int warp = event->warp != NULL ? (int)gpu_warp_index(event->warp) : -1;
    if (!begin_step(picture, 'm', shown, warp, line_of(picture, event->pc), event->lanes)) return;
    text_format(&picture->steps, ",%d,%" PRIu32 ",%" PRIu32, line_of(picture, event->other_pc),
                event->arrived, event->expected);
    end_step(picture);
}

static void on_exited(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Picture *picture = self;
    int shown = block_of(picture, gpu_warp_block(warp));
    if (begin_step(picture, 'x', shown, (int)gpu_warp_index(warp), line_of(picture, pc), lanes))
        end_step(picture);
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
    add_dim(blocks, "index", gpu_block_index(block));
    text_format(blocks, ",\"threads\":%" PRIu32 "}", gpu_block_threads(block));
    picture->block_steps[picture->block_count] = 0;
    picture->seen[picture->block_count] = 0;
    picture->skipped[picture->block_count] = 0;
    picture->shown[picture->block_count++] = block;
}

static void on_block_end(void *self, const GpuBlock *block) {
    Picture *picture = self;
    end_atomic(picture);
    int shown = block_of(picture, block);
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
    picture->has_error = picture->has_undefined = false;
    text_add(&picture->head, "\"kernel\":");
    add_quoted(&picture->head, gpu_kernel_function(launch->spec.kernel)->plain_name);
    text_format(&picture->head, ",\"launch\":%" PRIu32 ",\"mark\":", launch->id);
    add_quoted(&picture->head, picture->device->program.mark);
    text_add(&picture->head, ",");
    add_dim(&picture->head, "grid", launch->spec.grid);
    text_add(&picture->head, ",");
    add_dim(&picture->head, "block", launch->spec.block);
}

/** All that is recorded of the launch, as one object. */
static void add_object(const Picture *picture, Text *out) {
    text_format(out, "{\"schema\":\"warpgrind/picture/v3\",%s%s\"file\":", picture->head.bytes,
                picture->head.length > 0 ? "," : "");
    add_quoted(out, picture->file);
    text_add(out, ",\"arrays\":[");
    for (unsigned i = 0; i < picture->array_count; i++) {
        const PictureArray *array = &picture->arrays[i];
        text_add(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        add_quoted(out, array->name);
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
    return picture->has_undefined ? WORTH_UNDEFINED : WORTH_LAUNCH;
}

/** Of launches that show nothing in particular the last one is kept: an answer is more likely its work. */
static void end_launch(Picture *picture) {
    if (!picture->recording) return;
    end_atomic(picture);
    mark_again(picture);
    for (unsigned i = 0; i < picture->block_count; i++)
        tell_gap(picture, (int)i);
    gpu_set_stepper(picture->device->gpu, NULL, NULL);
    picture->recording = false;
    const PictureWorth worth = worth_of(picture);
    if (worth < picture->worth || (worth == picture->worth && worth > WORTH_LAUNCH)) return;
    picture->worth = worth;
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

/* ---- findings ---- */

static void add_party(Text *out, const char *key, const CheckParty *party, GpuDim extent) {
    text_format(out, ",\"%s\":{\"line\":%d,\"what\":", key, MAX(party->place.line, 0));
    add_quoted(out, party->what);
    if (party->has_thread) {
        text_format(out, ",\"thread\":%" PRIu64 ",", linear_of(party->thread, extent));
        add_dim(out, "block", party->block);
    }
    text_add(out, "}");
}

static PictureCount count_of(const CheckFinding *finding) {
    return finding->severity == FINDING_NOTE ? PICTURE_NOTES : PICTURE_ERRORS;
}

static bool is_of_launch(const Picture *picture, const CheckFinding *finding) {
    return picture->recording && picture->launch != NULL && finding->kernel != NULL;
}

void picture_found_again(void *self, const CheckFinding *finding) {
    Picture *picture = self;
    if (is_of_launch(picture, finding)) picture->found_again[count_of(finding)]++;
}

/** The blocks of a new finding are marked in the grid. */
static void mark_blocks(Picture *picture, const CheckFinding *finding) {
    const GpuDim grid = picture->launch->spec.grid;
    const CheckParty *party = &finding->party, *other = &finding->other;
    const uint64_t block = linear_of(party->block, grid), another = linear_of(other->block, grid);
    if (party->has_thread) picture_grid_add(picture->grid, block, count_of(finding), 1);
    if (other->has_thread && (!party->has_thread || another != block))
        picture_grid_add(picture->grid, another, count_of(finding), 1);
}

/** A finding of the launch that is being recorded. Observers that check hear of an access before this one
 * does, so the finding waits in `pending` for the step that it is about. */
void picture_found(void *self, const CheckFinding *finding) {
    Picture *picture = self;
    if (!is_of_launch(picture, finding)) return;
    mark_blocks(picture, finding);
    if (picture->finding_count == PICTURE_FINDINGS) return;
    Text *out = &picture->findings;
    GpuDim extent = picture->launch->spec.block;
    text_add(out, picture->finding_count > 0 ? ",\n{\"kind\":" : "{\"kind\":");
    add_quoted(out, finding_info(finding->kind)->name);
    text_format(out,
                ",\"severity\":\"%s\",\"message\":", finding->severity == FINDING_NOTE ? "note" : "error");
    add_quoted(out, finding->message);
    text_add(out, ",\"explanation\":");
    add_quoted(out, finding->explanation);
    add_party(out, "party", &finding->party, extent);
    add_party(out, "other", &finding->other, extent);
    text_add(out, ",\"array\":");
    add_quoted(out, finding->array.name);
    text_format(out, ",\"index\":%" PRId64 "}", finding->array.index);
    if (finding->severity != FINDING_NOTE) picture->has_error = true;
    size_t length = strlen(picture->pending);
    if (length + 8 < sizeof picture->pending)
        snprintf(picture->pending + length, sizeof picture->pending - length, ",%u", picture->finding_count);
    picture->finding_count++;
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
    gpu_attach(device->gpu, &(GpuObserver){.self = picture,
                                           .launch_begin = on_launch_begin,
                                           .launch_end = on_launch_end,
                                           .block_begin = on_block_begin,
                                           .block_end = on_block_end,
                                           .access = on_access,
                                           .fault = on_fault,
                                           .barrier = on_barrier,
                                           .warp_sync = on_warp_sync,
                                           .branch = on_branch,
                                           .sync_mistake = on_sync_mistake,
                                           .exited = on_exited});
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
    add_quoted(out, choice->blocks);
    text_format(out, ",\"warp\":%ld,\"from\":%ld},\n", choice->warp, choice->from);
    picture_streams_write(picture->device, out);
}

/** The picture as the text of one JSON object, of which the launcher makes the page: it is kept as text in
 * the report, so that no reader of the report has to parse thousands of steps. */
struct json_object *picture_json(Picture *picture) {
    end_launch(picture);
    if (picture->worth == WORTH_NOTHING) add_object(picture, &picture->kept);
    Text whole;
    text_init(&whole);
    if (picture->kept.length > 0) text_append(&whole, picture->kept.bytes, picture->kept.length - 1);
    add_run(picture, &whole);
    text_add(&whole, "}");
    struct json_object *object = json_object_new_string_len(whole.bytes, (int)whole.length);
    text_free(&whole);
    return object;
}
