/* memory_hints.c - why a thread left its array, guessed from the numbers of the launch.
 *
 * Each hint is one function that looks at the story and either sets the facts of its text in [bounds] or
 * declines; the first one that explains wins. They stand in the order of how certain they are.
 */
#include "check/faults/memory.h"
#include "check/findings/parts.h"

static uint64_t launched_threads(const GpuLaunch *launch) {
    return check_dim_volume(launch->spec.grid) * check_dim_volume(launch->spec.block);
}

/* The thread's number over the whole launch, along x. */
static int64_t global_x(const FaultStory *story) {
    return (int64_t)story->party.block.x * story->launch->spec.block.x + story->party.thread.x;
}

/* The thread's number in its block. */
static uint64_t own_number(const FaultStory *story) {
    const GpuDim *thread = &story->party.thread, *block = &story->launch->spec.block;
    return ((uint64_t)thread->z * block->y + thread->y) * block->x + thread->x;
}

/* Does the launch have more than one dimension? */
static bool has_rows(const FaultStory *story) {
    const GpuLaunchSpec *spec = &story->launch->spec;
    return check_dim_volume(spec->grid) * check_dim_volume(spec->block) !=
           (uint64_t)spec->grid.x * spec->block.x;
}

static bool is_shared(const FaultStory *story) {
    return story->fault->space == PTX_SPACE_SHARED;
}

static bool past_end(const FaultStory *story) {
    return story->array.index >= 0 && (uint64_t)story->array.index >= story->array.length;
}

/* An integer parameter with that value: the learner's n. */
static const PtxVariable *parameter_of_value(const GpuLaunch *launch, uint64_t wanted) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value;
        if (parameter->bytes != 4 && parameter->bytes != 8) continue;
        if (check_parameter_value(launch, parameter, &value) && value == wanted) return parameter;
    }
    return NULL;
}

static bool is_dynamic(const FaultStory *story) {
    return is_shared(story) && story->array.dynamic;
}

/* The type that a learner's code most likely has; NULL for sizes that no type has. */
const char *memory_hint_type_of_size(unsigned bytes) {
    switch (bytes) {
    case 1:
        return "char";
    case 2:
        return "short";
    case 4:
        return "float";
    case 8:
        return "double";
    case 16:
        return "float4";
    default:
        return NULL;
    }
}

/* The size of smaller elements, `count` of which fill `bytes`; 0: none. */
static unsigned smaller_element(uint64_t bytes, uint64_t count, unsigned element) {
    for (unsigned size = 2; size < element; size *= 2)
        if (count <= UINT64_MAX / element && count * size == bytes && element % size == 0) return size;
    return 0;
}

/* The bytes would be enough for elements of this size. */
static void set_smaller(FaultStory *story, unsigned size) {
    story->bounds.small = size;
    story->bounds.small_type = memory_hint_type_of_size(size);
    story->bounds.times_smaller = story->array.element_bytes / size;
}

/* cudaMalloc(&d_x, n * sizeof(float)) for doubles. Where a parameter is the length that the array has, the
 * array is as large as it should be. */
static bool hint_smaller_type(FaultStory *story) {
    const GpuAllocation *allocation = story->fault->nearest;
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    const CheckArray *array = &story->array;
    if (is_shared(story) || !allocation || allocation->variable || !past_end(story)) return false;
    if (parameter_of_value(story->launch, array->length)) return false;
    const PtxVariable *named = NULL;
    uint64_t count = launched_threads(story->launch);
    unsigned size = smaller_element(allocation->bytes, count, array->element_bytes);
    for (unsigned i = 0; !size && i < function->parameter_count; i++) {
        named = &function->parameters[i];
        if (named->bytes > 8 || !check_parameter_value(story->launch, named, &count)) continue;
        size = smaller_element(allocation->bytes, count, array->element_bytes);
    }
    if (!size || (uint64_t)array->index >= count) return false;
    set_smaller(story, size);
    story->bounds.smaller_type = true;
    story->bounds.elements = count;
    story->bounds.needed = count * array->element_bytes;
    story->bounds.given = allocation->bytes;
    if (named)
        story->bounds.parameter = named->plain_name;
    else
        story->bounds.parameter = NULL;
    return true;
}

/* A parameter that may count the elements: the bytes are so many of another size, less than the kernel's. */
static const PtxVariable *count_of_others(const FaultStory *story, uint64_t bytes, uint64_t *count) {
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    const unsigned element = story->array.element_bytes;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        if (!check_parameter_value(story->launch, parameter, count) || *count < 2) continue;
        uint64_t size = bytes / *count;
        if (bytes % *count == 0 && size < element && size > element / 4) return parameter;
    }
    return NULL;
}

/* Of what is taken at once, a vector or several small elements as one, the first part exists and the rest
 * does not; no elements of another size fill the bytes. */
static bool hint_wide_access(FaultStory *story) {
    const GpuAllocation *allocation = story->fault->nearest;
    const PtxInstruction *instruction = gpu_place(story->check->gpu, story->fault->pc).instruction;
    const uint64_t address = story->fault->address[story->lane];
    uint64_t count;
    const bool vector = instruction && instruction->modifiers.vector;
    if (is_shared(story) || !allocation || !(vector || story->bounds.partly)) return false;
    if (address < allocation->address || address - allocation->address >= allocation->bytes) return false;
    if (count_of_others(story, allocation->bytes, &count)) return false;
    story->bounds.wide = true;
    story->bounds.partly = true;
    story->bounds.given = allocation->bytes - (address - allocation->address);
    return true;
}

/* The bytes are no whole number of the kernel's elements: whoever allocated them had other elements, such as
 * structures that are packed on the host alone. */
static bool hint_other_layout(FaultStory *story) {
    const GpuAllocation *allocation = story->fault->nearest;
    const CheckArray *array = &story->array;
    uint64_t count;
    if (is_shared(story) || !allocation || allocation->variable || array->guessed || !past_end(story))
        return false;
    if (array->element_bytes < 2 || allocation->bytes % array->element_bytes == 0) return false;
    const PtxVariable *parameter = count_of_others(story, allocation->bytes, &count);
    story->bounds.layout = true;
    story->bounds.given = allocation->bytes;
    if (parameter)
        story->bounds.parameter = parameter->plain_name;
    else
        story->bounds.parameter = NULL;
    if (!parameter) return true;
    story->bounds.elements = count;
    story->bounds.small = (unsigned)(allocation->bytes / count);
    return true;
}

/* An array of float3 that the kernel takes for one of float4. */
static bool hint_three_of_four(FaultStory *story) {
    enum { THREE = 12, FOUR = 16 };
    const GpuAllocation *allocation = story->fault->nearest;
    const CheckArray *array = &story->array;
    uint64_t count;
    if (is_shared(story) || !allocation || allocation->variable || !past_end(story)) return false;
    if (array->element_bytes != FOUR || allocation->bytes % THREE != 0) return false;
    count = allocation->bytes / THREE;
    const PtxVariable *parameter = parameter_of_value(story->launch, count);
    if (!parameter || (uint64_t)array->index >= count) return false;
    story->bounds.three_of_four = true;
    story->bounds.given = allocation->bytes;
    story->bounds.elements = count;
    story->bounds.parameter = parameter->plain_name;
    return true;
}

/* p[y * pitch + x]: the pitch counts bytes, an index elements. */
static bool hint_pitch_as_elements(FaultStory *story) {
    const CheckOptions *options = &story->check->options;
    const GpuAllocation *allocation = story->fault->nearest;
    const CheckArray *array = &story->array;
    CheckRows rows;
    if (is_shared(story) || !allocation || !past_end(story) || !options->rows) return false;
    if (!options->rows(options->rows_self, allocation->address, &rows)) return false;
    uint64_t row = (uint64_t)array->index / rows.pitch, column = (uint64_t)array->index % rows.pitch;
    const PtxVariable *pitch = parameter_of_value(story->launch, rows.pitch);
    if (!pitch || row >= rows.count || column >= rows.width / array->element_bytes) return false;
    story->bounds.pitch_counted = true;
    story->bounds.parameter = pitch->plain_name;
    story->bounds.pitch = (int64_t)rows.pitch;
    return true;
}

/* Where the second extern array was to begin behind the first, it does not. */
static bool hint_overlap(FaultStory *story) {
    const PtxVariable *other = NULL;
    if (is_dynamic(story)) other = check_dynamic_other(story->launch, story->array.name);
    if (other)
        story->bounds.other = other->plain_name;
    else
        story->bounds.other = NULL;
    return other != NULL;
}

static bool hint_no_dynamic_memory(FaultStory *story) {
    if (!is_dynamic(story) || story->array.length != 0) return false;
    story->bounds.no_dynamic = true;
    story->bounds.given = story->launch->spec.dynamic_shared;
    return true;
}

/* cudaMalloc(&p, n) for n floats: the allocation has as many bytes as a parameter says that there are
 * elements. */
static bool hint_elements_for_bytes(FaultStory *story) {
    const GpuAllocation *allocation = story->fault->nearest;
    unsigned element = story->array.element_bytes;
    if (is_shared(story) || !allocation || allocation->variable || element < 2 || !past_end(story))
        return false;
    if (allocation->bytes == 0) return false;
    const PtxVariable *count = parameter_of_value(story->launch, allocation->bytes);
    if (!count) return false;
    story->bounds.bytes_counted = true;
    story->bounds.parameter = count->plain_name;
    story->bounds.given = allocation->bytes;
    story->bounds.held = allocation->bytes / element;
    return true;
}

/* A tree's step: thread d reads temp[d + d], which a condition with < would have kept out. */
static bool is_tree_step(const FaultStory *story) {
    const CheckArray *array = &story->array;
    return array->index == (int64_t)array->length && array->index == 2 * (int64_t)story->party.thread.x &&
           story->fault->access == GPU_READ;
}

/* The bytes that the launch gives hold one element for each thread, and a thread stores its own element as
 * many places further on: of a second array, which the launch has no bytes for. */
static bool is_of_second_array(const FaultStory *story, uint64_t threads) {
    const CheckArray *array = &story->array;
    return is_dynamic(story) && story->fault->access == GPU_WRITE && array->length == threads &&
           (uint64_t)array->index == array->length + own_number(story);
}

/* Every thread of the block has its element. The index is wrong, unless a thread should have several. */
static bool hint_shared_index(FaultStory *story) {
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    if (!is_shared(story) || !past_end(story) || story->array.length < threads) return false;
    story->bounds.second_array = is_of_second_array(story, threads);
    if (is_dynamic(story)) story->bounds.given = story->launch->spec.dynamic_shared;
    story->bounds.large_enough = true;
    story->bounds.threads = threads;
    story->bounds.tree_step = is_tree_step(story);
    return true;
}

/* The launch's third argument counts bytes. As many bytes as threads, or a smaller type's size for each
 * thread, is what people write instead. */
static bool hint_dynamic_too_small(FaultStory *story) {
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    uint32_t given = story->launch->spec.dynamic_shared;
    unsigned element = story->array.element_bytes, size = smaller_element(given, threads, element);
    if (!is_dynamic(story) || !past_end(story)) return false;
    story->bounds.dynamic_small = true;
    story->bounds.given = given;
    story->bounds.threads = story->bounds.elements = threads;
    story->bounds.elements_counted = given == threads && element > 1;
    if (size) set_smaller(story, size);
    return true;
}

/* bins[values[i]]: no thread has an element of its own, and the numbers of threads explain nothing, unless
 * the launch gives less than one for each. */
static bool hint_chosen(FaultStory *story) {
    const uint64_t threads = check_dim_volume(story->launch->spec.block);
    if (is_dynamic(story) && story->array.length < threads) return false;
    story->bounds.chosen =
        past_end(story) && story->array.length > 0 && gather_chosen_by_data(story->check, story->fault->pc);
    return story->bounds.chosen;
}

/* Fewer elements than threads. */
static bool hint_static_too_small(FaultStory *story) {
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    if (!is_shared(story) || !past_end(story) || story->array.length >= threads) return false;
    story->bounds.static_small = true;
    story->bounds.threads = threads;
    return true;
}

/* list[atomicAdd(&count, 1)], and atomicInc, whose limit is one of the numbers that it gives. */
static bool hint_counted(FaultStory *story) {
    const PtxInstruction *atomic = NULL;
    if (past_end(story)) atomic = gather_counter(story->check, story->fault->pc);
    if (!atomic) return false;
    story->bounds.counted = true;
    story->bounds.wraps =
        atomic->modifiers.atomic == PTX_ATOM_INC && (uint64_t)story->array.index == story->array.length;
    return true;
}

/* Bytes that are signed reach from -128 to -1; the indices of -1 and -2 have simpler causes. */
static bool is_of_a_char(const FaultStory *story) {
    enum { LEAST = -128, MOST = -3, VALUES = 256 };
    return story->array.index >= LEAST && story->array.index <= MOST && story->array.length == VALUES;
}

/* The thread is the first one along x or y, so that what it subtracts one from is most likely its own place.
 */
static bool is_first_in_line(const FaultStory *story) {
    const GpuDim thread = story->party.thread, block = story->party.block;
    const bool rows = story->launch->spec.block.y * story->launch->spec.grid.y > 1;
    const bool first_x = thread.x == 0 && (is_shared(story) || block.x == 0);
    const bool first_y = thread.y == 0 && (is_shared(story) || block.y == 0);
    return first_x || (rows && first_y);
}

static bool hint_negative(FaultStory *story) {
    story->bounds.mark = story->array.index < 0 && gather_chosen_by_data(story->check, story->fault->pc);
    story->bounds.one_before = story->array.index == -1 && is_first_in_line(story) && !story->bounds.mark;
    story->bounds.in_pass = is_shared(story) && story->fault->access == GPU_READ;
    story->bounds.of_a_char = is_of_a_char(story);
    story->bounds.negative = story->array.index < 0;
    return story->bounds.negative;
}

static bool hint_right_neighbour(FaultStory *story) {
    const CheckArray *array = &story->array;
    if ((uint64_t)array->index != array->length || has_rows(story)) return false;
    int64_t self;
    if (is_shared(story))
        self = (int64_t)story->party.thread.x;
    else
        self = global_x(story);
    story->bounds.right_neighbour = array->index == self + 1;
    story->bounds.in_pass = is_shared(story) && story->fault->access == GPU_READ;
    return story->bounds.right_neighbour;
}

/* An integer that is larger than the index, such as the length of all where this launch has a part: what a
 * guard may have been written with. */
static const PtxVariable *larger_bound(const FaultStory *story, uint64_t *bound) {
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        const bool counts = parameter->bytes == 4 || parameter->bytes == 8;
        if (!counts || !check_parameter_value(story->launch, parameter, bound)) continue;
        if (*bound > (uint64_t)story->array.index && *bound <= INT32_MAX) return parameter;
    }
    *bound = 0;
    return NULL;
}

/* Thread 0 of a block alone, where others beside it would be past the end as well: it was chosen. */
static bool hint_one_of_block(FaultStory *story) {
    const GpuLaunchSpec *spec = &story->launch->spec;
    const uint64_t blocks = check_dim_volume(spec->grid);
    if (story->party.thread.x != 0 || spec->block.x < 2 || has_rows(story) || blocks < 2) return false;
    if (check_lane_count(story->fault->lanes) != 1) return false;
    story->bounds.slot_of_block = story->array.length == blocks;
    story->bounds.one_of_block = true;
    story->bounds.blocks = blocks;
    return true;
}

/* More threads than elements, and the index is the thread's own: if (i < n) is missing. A parameter that
 * holds the length is the n to write; where there is none, a larger one may be in a guard. */
static bool hint_missing_guard(FaultStory *story) {
    const GpuLaunch *launch = story->launch;
    const CheckArray *array = &story->array;
    uint64_t threads = launched_threads(launch), bound = 0;
    if (is_shared(story) || !past_end(story) || threads <= array->length) return false;
    if (array->index != global_x(story)) return false;
    if (hint_one_of_block(story)) return true;
    const PtxVariable *count = parameter_of_value(launch, array->length);
    if (!count) count = larger_bound(story, &bound);
    story->bounds.guard = true;
    story->bounds.other_bound = count && bound > 0;
    story->bounds.bound = (int64_t)bound;
    story->bounds.blocks = check_dim_volume(launch->spec.grid);
    story->bounds.per_block = check_dim_volume(launch->spec.block);
    story->bounds.threads = threads;
    if (count)
        story->bounds.parameter = count->plain_name;
    else
        story->bounds.parameter = NULL;
    return true;
}

/* Fewer bytes than one element has. (An allocation of no bytes gives a null pointer.) */
static bool hint_no_elements(FaultStory *story) {
    story->bounds.no_elements = !is_shared(story) && story->array.length == 0;
    return story->bounds.no_elements;
}

/* The threads of a grid with two or three dimensions, one for each element of an array with as many. */
static bool hint_missing_guard_of_rows(FaultStory *story, Text *bounds) {
    return !is_shared(story) && past_end(story) && has_rows(story) && memory_rows_explain(story, bounds);
}

/* With a grid in two directions no single guard is known to be the missing one. */
static bool hint_several_ways(FaultStory *story) {
    const GpuLaunchSpec *spec = &story->launch->spec;
    const bool wide = spec->grid.x * spec->block.x > 1, by_x = story->array.index == global_x(story);
    story->bounds.several_ways = !is_shared(story) && past_end(story) && wide && by_x && has_rows(story) &&
                                 launched_threads(story->launch) > story->array.length;
    return story->bounds.several_ways;
}

void memory_hint_out_of_bounds(FaultStory *story, Text *bounds) {
    static bool (*const hints[])(FaultStory *) = {
        hint_no_dynamic_memory, hint_overlap,      hint_wide_access,       hint_elements_for_bytes,
        hint_negative,          hint_no_elements,  hint_pitch_as_elements, hint_counted,
        hint_smaller_type,      hint_other_layout, hint_three_of_four,     hint_chosen,
        hint_right_neighbour,   hint_shared_index, hint_dynamic_too_small, hint_static_too_small,
    };
    if (story->bounds.nowhere || story->bounds.local || story->bounds.without_shared) return;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (hints[i](story)) return;
    if (hint_missing_guard_of_rows(story, bounds)) return;
    if (!hint_several_ways(story)) hint_missing_guard(story);
}
