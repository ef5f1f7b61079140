/* memory_hints.c - why a thread left its array, guessed from the numbers of the launch.
 *
 * Each hint is one function that looks at the story and either explains it or declines; the first one that
 * explains wins. They stand in the order of how certain they are.
 */
#include "check/memory.h"

#include <inttypes.h>
#include <string.h>

static uint64_t launched_threads(const GpuLaunch *launch) {
    return check_dim_volume(launch->spec.grid) * check_dim_volume(launch->spec.block);
}

/* The thread's number over the whole launch, along x. */
static int64_t global_x(const FaultStory *story) {
    return (int64_t)story->party.block.x * story->launch->spec.block.x + story->party.thread.x;
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

static const char *array_name(const FaultStory *story) {
    return story->array.name ? story->array.name : "the array";
}

/* An integer parameter with that value: the learner's n. */
static const PtxVariable *parameter_of_value(const GpuLaunch *launch, uint64_t wanted) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; function && i < function->parameter_count; i++) {
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

/* A type that learners use of elements of that size; NULL: none. */
static const char *type_of_size(unsigned bytes) {
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

/* "sizeof(double), or whichever type of 8 bytes it is", or "24, the size of an element" */
static void words_size(Text *out, unsigned element) {
    const char *type = type_of_size(element);
    if (type)
        text_format(out, "sizeof(%s), or whichever type of %u byte%s it is", type, element,
                    element == 1 ? "" : "s");
    else
        text_format(out, "%u, the size of an element", element);
}

/* The size of smaller elements, `count` of which fill `bytes`; 0: none. */
static unsigned smaller_element(uint64_t bytes, uint64_t count, unsigned element) {
    for (unsigned size = 2; size < element; size *= 2)
        if (count <= UINT64_MAX / element && count * size == bytes && element % size == 0) return size;
    return 0;
}

/* What `bytes` would be enough for. */
static void words_ratio(Text *why, const FaultStory *story, uint64_t count, unsigned size, uint64_t bytes) {
    unsigned element = story->array.element_bytes;
    words_count(why, bytes, "byte");
    text_add(why, " hold ");
    words_count(why, count, "element");
    text_format(why, " of %u bytes, such as %s, but those of %s have %u. Multiply the number of elements by ",
                size, type_of_size(size), array_name(story), element);
    words_size(why, element);
    text_add(why, ".");
}

/* cudaMalloc(&d_x, n * sizeof(float)) for doubles. Where a parameter is the length that the array has, the
 * array is as large as it should be. */
static bool hint_smaller_type(FaultStory *story, Text *message) {
    const GpuAllocation *allocation = story->fault->nearest;
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    const CheckArray *array = &story->array;
    if (is_shared(story) || !allocation || allocation->variable || !past_end(story)) return false;
    if (parameter_of_value(story->launch, array->length)) return false;
    const PtxVariable *named = NULL;
    uint64_t count = launched_threads(story->launch);
    unsigned size = smaller_element(allocation->bytes, count, array->element_bytes);
    for (unsigned i = 0; function && !size && i < function->parameter_count; i++) {
        named = &function->parameters[i];
        if (named->bytes > 8 || !check_parameter_value(story->launch, named, &count)) continue;
        size = smaller_element(allocation->bytes, count, array->element_bytes);
    }
    if (!size || (uint64_t)array->index >= count) return false;
    text_add(message, "; ");
    words_count(message, count, "element");
    text_format(message, " of %u bytes need ", array->element_bytes);
    words_count(message, count * array->element_bytes, "byte");
    words_ratio(&story->why, story, count, size, allocation->bytes);
    if (named)
        text_format(&story->why,
                    " If %s counts the smaller elements, the kernel has only %s / %u of its own.",
                    named->plain_name, named->plain_name, array->element_bytes / size);
    return true;
}

/* p[y * pitch + x]: the pitch counts bytes, an index elements. */
static bool hint_pitch_as_elements(FaultStory *story, Text *message) {
    const CheckOptions *options = &story->check->options;
    const GpuAllocation *allocation = story->fault->nearest;
    const CheckArray *array = &story->array;
    CheckRows rows;
    if (is_shared(story) || !allocation || !past_end(story) || !options->rows) return false;
    if (!options->rows(options->rows_self, allocation->address, &rows)) return false;
    uint64_t row = (uint64_t)array->index / rows.pitch, column = (uint64_t)array->index % rows.pitch;
    const PtxVariable *pitch = parameter_of_value(story->launch, rows.pitch);
    if (!pitch || row >= rows.count || column >= rows.width / array->element_bytes) return false;
    text_format(message, "; %s is %" PRIu64 ", in bytes", pitch->plain_name, rows.pitch);
    text_format(&story->why,
                "%s counts bytes and an index counts elements, so %s[y * %s + x] is %u times as far as it "
                "should be. Find row y by bytes: (float *)((char *)%s + y * %s), or the type that %s has; "
                "then take [x].",
                pitch->plain_name, array_name(story), pitch->plain_name, array->element_bytes,
                array_name(story), pitch->plain_name, array_name(story));
    return true;
}

/* Where the second extern array was to begin behind the first, it does not. */
static bool hint_overlap(FaultStory *story, Text *message) {
    (void)message;
    const PtxVariable *other =
        is_dynamic(story) ? check_dynamic_other(story->launch, story->array.name) : NULL;
    if (!other) return false;
    text_format(&story->why,
                "All extern __shared__ arrays of a kernel begin at the same address, so the bytes that "
                "the launch gives must be enough for %s and %s together. Declare one array, pass the "
                "bytes of both as the third launch argument, and let the second begin where the first "
                "ends: float *%s = %s + elements_of_%s;",
                story->array.name, other->plain_name, other->plain_name, story->array.name,
                story->array.name);
    return true;
}

static bool hint_no_dynamic_memory(FaultStory *story, Text *message) {
    uint32_t given = story->launch->spec.dynamic_shared;
    if (!is_dynamic(story) || story->array.length != 0) return false;
    if (given == 0)
        text_add(message, "; the launch gives 0 bytes: its third argument is 0 or missing");
    else {
        text_add(message, "; the launch gives only ");
        words_count(message, given, "byte");
    }
    text_add(&story->why, "The size of an extern __shared__ array is the third argument of the launch, in "
                          "bytes; without it the array has none. Write kernel<<<blocks, threads, threads * "
                          "sizeof(float)>>>(...), with the number of elements that the block uses.");
    return true;
}

static bool hint_elements_for_bytes(FaultStory *story, Text *message) {
    const GpuAllocation *allocation = story->fault->nearest;
    unsigned element = story->array.element_bytes;
    if (is_shared(story) || !allocation || allocation->variable || element < 2 || !past_end(story))
        return false;
    if (allocation->bytes == 0) return false;
    const PtxVariable *count = parameter_of_value(story->launch, allocation->bytes);
    if (!count) return false;
    text_format(message, "; %s is ", count->plain_name);
    text_number(message, allocation->bytes);
    text_add(message, ", and so is the number of bytes allocated");
    words_count(&story->why, allocation->bytes, "byte");
    text_add(&story->why, allocation->bytes == 1 ? " holds only " : " hold only ");
    words_count(&story->why, allocation->bytes / element, "element");
    text_format(&story->why,
                " of %u bytes. cudaMalloc, cudaMemcpy and cudaMemset count bytes: multiply the number of "
                "elements by ",
                element);
    words_size(&story->why, element);
    text_add(&story->why, ".");
    return true;
}

/* A tree's step: thread d reads temp[d + d], which a condition with < would have kept out. */
static bool is_tree_step(const FaultStory *story) {
    const CheckArray *array = &story->array;
    return array->index == (int64_t)array->length && array->index == 2 * (int64_t)story->party.thread.x &&
           story->fault->access == GPU_READ;
}

/* Every thread of the block has its element: more memory would only hide the index. */
static bool hint_shared_index(FaultStory *story, Text *message) {
    (void)message;
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    const CheckArray *array = &story->array;
    if (!is_shared(story) || !past_end(story) || array->length < threads) return false;
    text_format(&story->why, "%s is large enough: it has ", array_name(story));
    words_count(&story->why, array->length, "element");
    text_add(&story->why, " for ");
    words_count(&story->why, threads, "thread");
    text_add(&story->why, ". The index is wrong. ");
    if (is_tree_step(story))
        text_format(&story->why,
                    "In a sum that adds %s[tid + d], the first d threads work, 0 to d - 1; thread %" PRIu32
                    " is one too many. Write if (tid < d), with < and not <=.",
                    array_name(story), story->party.thread.x);
    else
        text_format(&story->why,
                    "Thread %" PRIu32 " computes %" PRId64
                    ": work out by hand how it gets there, and let it skip this "
                    "access or use another element.",
                    story->party.thread.x, array->index);
    return true;
}

static bool hint_dynamic_too_small(FaultStory *story, Text *message) {
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    uint32_t given = story->launch->spec.dynamic_shared;
    unsigned element = story->array.element_bytes;
    if (!is_dynamic(story) || !past_end(story)) return false;
    text_add(message, "; the launch gives ");
    words_count(message, given, "byte");
    text_add(message, " for ");
    words_count(message, threads, "thread");
    if (given == threads && element > 1) {
        text_add(&story->why, "The third launch argument counts bytes, not elements: multiply it by ");
        words_size(&story->why, element);
        text_add(&story->why, ".");
        return true;
    }
    unsigned size = smaller_element(given, threads, element);
    if (size) {
        words_ratio(&story->why, story, threads, size, given);
        return true;
    }
    text_format(&story->why, "The third launch argument is the size of %s in bytes: ", array_name(story));
    words_count(&story->why, given, "byte");
    text_add(&story->why, given == 1 ? " holds " : " hold ");
    words_count(&story->why, story->array.length, "element");
    text_format(&story->why,
                " of %u bytes, fewer than the block has threads. Ask for one element per thread: threads * ",
                element);
    words_size(&story->why, element);
    text_add(&story->why, ".");
    return true;
}

static bool hint_static_too_small(FaultStory *story, Text *message) {
    uint64_t threads = check_dim_volume(story->launch->spec.block);
    const CheckArray *array = &story->array;
    if (!is_shared(story) || !past_end(story) || array->length >= threads) return false;
    text_add(message, "; the block has ");
    words_count(message, threads, "thread");
    text_format(&story->why, "%s has ", array_name(story));
    words_count(&story->why, array->length, "element");
    text_add(&story->why, ", but ");
    words_count(&story->why, threads, "thread");
    text_add(&story->why, " run. What lies past the end belongs to another array. Give it one element per "
                          "thread, or let only the first ");
    if (array->length == 1) {
        text_add(&story->why, "thread use it.");
        return true;
    }
    words_count(&story->why, array->length, "thread");
    text_add(&story->why, " use it.");
    return true;
}

static bool hint_negative(FaultStory *story, Text *message) {
    (void)message;
    if (story->array.index >= 0) return false;
    if (story->array.index == -1)
        text_format(&story->why,
                    "The first element has no left neighbour: %s[-1] does not exist. Decide what the edge "
                    "should be (skip it, use 0, wrap around) and handle it with an if.",
                    array_name(story));
    else
        text_format(&story->why,
                    "The index is negative: something was subtracted from a smaller number, or an int "
                    "overflowed. An element "
                    "before the start of %s does not exist.",
                    array_name(story));
    return true;
}

static bool hint_right_neighbour(FaultStory *story, Text *message) {
    (void)message;
    const CheckArray *array = &story->array;
    if ((uint64_t)array->index != array->length || has_rows(story)) return false;
    bool own =
        is_shared(story) ? array->index == (int64_t)story->party.thread.x : array->index == global_x(story);
    bool next = is_shared(story) ? array->index == (int64_t)story->party.thread.x + 1
                                 : array->index == global_x(story) + 1;
    if (own || !next) return false;
    text_format(&story->why,
                "The last element has no right neighbour: %s ends with [%" PRIu64
                "]. If a neighbour is read here, decide what the edge should be (skip it, use 0, wrap "
                "around%s) and handle it with an if. If a loop or a condition counts up to the end, write "
                "< in place of <=.",
                array_name(story), array->length - 1, is_shared(story) ? ", load one more element" : "");
    return true;
}

static bool hint_missing_guard(FaultStory *story, Text *message) {
    const GpuLaunch *launch = story->launch;
    const CheckArray *array = &story->array;
    uint64_t threads = launched_threads(launch);
    if (is_shared(story) || !past_end(story) || threads <= array->length) return false;
    if (array->index != global_x(story)) return false;
    const PtxVariable *count = parameter_of_value(launch, array->length);
    uint64_t blocks = check_dim_volume(launch->spec.grid), per_block = check_dim_volume(launch->spec.block);
    text_add(message, "; ");
    words_count(message, blocks, "block");
    text_add(message, " x ");
    words_count(message, per_block, "thread");
    text_add(message, " = ");
    words_count(message, threads, "thread");
    text_add(message, " run");
    words_count(&story->why, threads, "thread");
    text_add(&story->why, " run (");
    text_number(&story->why, blocks);
    text_add(&story->why, " x ");
    text_number(&story->why, per_block);
    text_format(&story->why, "), %s has ", array_name(story));
    words_count(&story->why, array->length, "element");
    text_format(&story->why, ": the last threads have no element. Guard the access with if (i < %s).",
                count ? count->plain_name : "n");
    return true;
}

/* Memory for no element at all: most often n is 0. */
/* The threads of a grid with two or three dimensions, one for each element of an array with as many. */
static bool hint_missing_guard_of_rows(FaultStory *story, Text *message) {
    return !is_shared(story) && past_end(story) && has_rows(story) && rows_explain(story, message);
}

static bool hint_no_elements(FaultStory *story, Text *message) {
    const CheckArray *array = &story->array;
    if (is_shared(story) || array->length != 0) return false;
    const PtxVariable *count = check_parameter_count(story->launch, 0);
    if (count) text_format(message, "; %s is 0", count->plain_name);
    text_format(&story->why,
                "%s has no elements. Guard the access with if (i < %s), or launch nothing when "
                "there is nothing to do.",
                array_name(story), count ? count->plain_name : "n");
    return true;
}

static bool hint_general(FaultStory *story, Text *message) {
    (void)message;
    text_format(
        &story->why,
        "%s has elements 0 to %" PRIu64
        ". Work out by hand which index this thread computes, and correct the index or guard the access. "
        "On a GPU it would touch whatever lies there, and often go unnoticed.",
        array_name(story), story->array.length - 1);
    return true;
}

void hint_out_of_bounds(FaultStory *story, Text *message) {
    static bool (*const hints[])(FaultStory *, Text *) = {
        hint_no_dynamic_memory, hint_overlap,           hint_elements_for_bytes, hint_negative,
        hint_no_elements,       hint_pitch_as_elements, hint_smaller_type,       hint_right_neighbour,
        hint_shared_index,      hint_dynamic_too_small, hint_static_too_small,   hint_missing_guard_of_rows,
        hint_missing_guard,     hint_general,
    };
    if (!story->array.space || story->fault->space == PTX_SPACE_LOCAL) {
        text_add(&story->why, "The index lies outside what was declared or allocated. Work out by hand "
                              "which index this thread computes.");
        return;
    }
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (hints[i](story, message)) return;
}
