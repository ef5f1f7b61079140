/* picture_steps.c - the steps of a picture: an event of the machine becomes a line; see picture_parts.h.
 *
 * A step is a small JSON array, appended to a text as it happens, so that a launch that is left out costs
 * nothing later: [kind, block, warp, line, lanes as hex, ...]. The kinds and their further members are in
 * docs/picture.md.
 */
#include "device/record/picture_parts.h"

#include "check/traffic.h"

#include <inttypes.h>
#include <string.h>

/** LIMIT: steps of each block (PICTURE_BLOCKS of them) and all bytes of a picture: the page has to open in a
 * second. */
enum {
    BLOCK_STEPS = 1200,
    RESULT_STEPS = 200, /* more of them for what a block leaves in global memory */
    PICTURE_BYTES = 1200 << 10,
    RESULT_BYTES = 100 << 10,
    LINE_BYTES = 128 /* four sectors; and as many bytes as all banks have side by side */
};

static int line_of(Picture *picture, uint32_t pc) {
    if (pc == 0) return 0;
    GpuPlace place = gpu_place(picture->device->gpu, pc);
    if (place.line <= 0 || place.file == NULL) return 0;
    if (picture->file == NULL) picture->file = place.file;
    if (strcmp(picture->file, place.file) == 0) return place.line;
    return 0;
}

/** The number of the block in the picture, or -1. */
int picture_steps_block(const Picture *picture, const GpuBlock *block) {
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
void picture_steps_flush(Picture *picture) {
    PictureAtomic *atomic = &picture->atomic;
    if (!atomic->open) return;
    atomic->open = false;
    text_add(&picture->steps, ",");
    picture_add_left(&picture->steps, &atomic->access, atomic->kind, atomic->bytes);
    add_addresses(picture, &atomic->access);
    add_found(picture, atomic->found);
}

void picture_steps_tell_gap(Picture *picture, int block) {
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
    picture_steps_flush(picture);
    if (block < 0) {
        picture->pending[0] = '\0'; /* it is about what is not shown */
        return false;
    }
    picture->seen[block]++;
    if (!has_room(picture, block, warp)) {
        leave_out(picture, block, warp);
        return false;
    }
    picture_steps_tell_gap(picture, block);
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
    const char *name = "";
    if (array->name != NULL) name = array->name;
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
    if (bytes >= 0) return bytes / size;
    return -((-bytes + size - 1) / size);
}

/** The array and the element of each lane: [array, first, ...]; [-1] where no name is known. The array's
 * number. */
static unsigned add_elements(Picture *picture, const CheckArray *array, uint32_t lanes,
                             const uint64_t *address, PictureKind kind) {
    unsigned number = PICTURE_ARRAYS;
    if (array->element_bytes != 0 && array->space != NULL) number = array_number(picture, array, kind);
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
    picture_steps_flush(picture);
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
    const int shown = picture_steps_block(picture, block);
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
                                        [GPU_FAULT_READ_ONLY] = "which kernels cannot write",
                                        [GPU_FAULT_LENT] = "through another thread's pointer"};
    return words[kind];
}

/** A fault is a step of its own, with the element that was aimed at where an array is near enough to be
 * named. */
static void on_fault(void *self, const GpuFault *fault) {
    Picture *picture = self;
    int shown = picture_steps_block(picture, gpu_warp_block(fault->warp));
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
    int shown = picture_steps_block(picture, barrier->block);
    if (!begin_step(picture, 'b', shown, -1, line_of(picture, barrier->pc), 0)) return;
    unsigned waiting = 0, warps = (gpu_block_threads(barrier->block) + GPU_WARP_LANES - 1) / GPU_WARP_LANES;
    for (unsigned warp = 0; warp < warps; warp++)
        waiting += check_lane_count(barrier->waiting[warp]);
    text_format(&picture->steps, ",%u,%s", waiting, barrier->whole_block ? "true" : "false");
    end_step(picture);
}

static void on_warp_sync(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Picture *picture = self;
    int shown = picture_steps_block(picture, gpu_warp_block(warp));
    if (begin_step(picture, 's', shown, (int)gpu_warp_index(warp), line_of(picture, pc), lanes))
        end_step(picture);
}

static void on_exchanged(void *self, const GpuExchange *exchange) {
    Picture *picture = self;
    const int shown = picture_steps_block(picture, gpu_warp_block(exchange->warp));
    if (!begin_step(picture, 'h', shown, (int)gpu_warp_index(exchange->warp), line_of(picture, exchange->pc),
                    exchange->lanes))
        return;
    const GpuPlace place = gpu_place(picture->device->gpu, exchange->pc);
    PictureRow from = {0};
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        if (exchange->lanes >> lane & 1) picture_row_add_number(&from, exchange->from[lane]);
    text_add(&picture->steps, ",");
    picture_row_write_list(&from, &picture->steps);
    text_add(&picture->steps, ",");
    picture_add_exchanged(&picture->steps, exchange, &place);
    if (exchange->apart)
        text_add(&picture->steps, ",[]");
    else
        add_variables(picture, shown, exchange->warp, exchange->lanes);
    end_step(picture);
}

static void on_branch(void *self, const GpuWarp *warp, uint32_t pc, uint32_t taken, uint32_t not_taken) {
    Picture *picture = self;
    if (!picture->recording || taken == 0 || not_taken == 0) return;
    picture_grid_add(picture->grid, gpu_block_linear(gpu_warp_block(warp)), PICTURE_DIVERGENT, 1);
    int shown = picture_steps_block(picture, gpu_warp_block(warp));
    if (!begin_step(picture, 'd', shown, (int)gpu_warp_index(warp), line_of(picture, pc), taken | not_taken))
        return;
    text_format(&picture->steps, ",\"%" PRIx32 "\"", taken);
    add_variables(picture, shown, warp, taken | not_taken);
    end_step(picture);
}

/* Threads that miss a barrier, or wait for ever. */
static void on_sync_mistake(void *self, const GpuSyncEvent *event) {
    Picture *picture = self;
    int shown = -1;
    if (event->block != NULL) shown = picture_steps_block(picture, event->block);
    int warp = -1;
    if (event->warp != NULL) warp = (int)gpu_warp_index(event->warp);
    if (!begin_step(picture, 'm', shown, warp, line_of(picture, event->pc), event->lanes)) return;
    text_format(&picture->steps, ",%d,%" PRIu32 ",%" PRIu32, line_of(picture, event->other_pc),
                event->arrived, event->expected);
    end_step(picture);
}

static void on_exited(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Picture *picture = self;
    int shown = picture_steps_block(picture, gpu_warp_block(warp));
    if (begin_step(picture, 'x', shown, (int)gpu_warp_index(warp), line_of(picture, pc), lanes))
        end_step(picture);
}

void picture_steps_observe(GpuObserver *observer) {
    observer->access = on_access;
    observer->fault = on_fault;
    observer->barrier = on_barrier;
    observer->warp_sync = on_warp_sync;
    observer->exchanged = on_exchanged;
    observer->branch = on_branch;
    observer->sync_mistake = on_sync_mistake;
    observer->exited = on_exited;
}
