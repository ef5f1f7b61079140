/* memory_rows.c - which direction a thread left an array with rows in.
 *
 * In a grid of two or three dimensions an index past the end says little: the thread is too far right, too
 * far down, or too deep. The kernel's parameters tell. When the product of two or three of them is the
 * array's length, and the thread's numbers with these extents give the index that it used, then that is how
 * the index was made, and one of the numbers is not less than its extent.
 */
#include "check/faults/memory.h"

#include <string.h>

enum { MOST_PARAMETERS = 16 };

/* The extents of an array with rows: parameters whose product is its length. */
typedef struct Extents {
    const PtxVariable *bound[3]; /* of x, y and z; NULL where the array has no such extent */
    uint64_t value[3];
} Extents;

/* The thread's number over the whole launch, in each direction. */
static void global_index(const FaultStory *story, uint64_t at[3]) {
    const GpuDim block = story->party.block, size = story->launch->spec.block, thread = story->party.thread;
    at[0] = (uint64_t)block.x * size.x + thread.x;
    at[1] = (uint64_t)block.y * size.y + thread.y;
    at[2] = (uint64_t)block.z * size.z + thread.z;
}

/* Would a thread without a guard have computed this index with these extents? Then it is outside of one. */
static bool explains(const FaultStory *story, const Extents *extents, unsigned dimensions) {
    uint64_t at[3], length = 1, index = 0;
    global_index(story, at);
    for (unsigned d = dimensions; d-- > 0;) {
        if (__builtin_mul_overflow(length, extents->value[d], &length)) return false;
        if (__builtin_mul_overflow(index, extents->value[d], &index)) return false;
        index += at[d];
    }
    return length == story->array.length && index == (uint64_t)story->array.index;
}

static bool is_count(const FaultStory *story, const PtxVariable *parameter, uint64_t *value) {
    if (parameter->bytes != 4 && parameter->bytes != 8) return false;
    return check_parameter_value(story->launch, parameter, value) && *value < UINT32_MAX;
}

/* Does the parameter's name say that it is the extent along x, y or z? */
static bool has_name_of(const PtxVariable *parameter, unsigned dimension) {
    static const char *const words[3][4] = {
        {"x", "X", "col", "width"}, {"y", "Y", "row", "height"}, {"z", "Z", "plane", "depth"}};
    static const char *const initials[3] = {"w", "h", "d"};
    if (strcmp(parameter->plain_name, initials[dimension]) == 0) return true;
    for (unsigned i = 0; i < 4; i++)
        if (strstr(parameter->plain_name, words[dimension][i])) return true;
    return false;
}

/* Chooses a different parameter for each dimension from `d` on, until they explain the index. Square matrices
 * have more than one choice: names decide first. */
static bool find_extents(const FaultStory *story, Extents *extents, unsigned d, unsigned dimensions,
                         bool named) {
    if (d == dimensions) return explains(story, extents, dimensions);
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count && i < MOST_PARAMETERS; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        bool used = false;
        for (unsigned before = 0; before < d; before++)
            used = used || extents->bound[before] == parameter;
        if (used || (named && !has_name_of(parameter, d))) continue;
        if (!is_count(story, parameter, &extents->value[d])) continue;
        extents->bound[d] = parameter;
        if (find_extents(story, extents, d + 1, dimensions, named)) return true;
    }
    extents->bound[d] = NULL;
    return false;
}

/* Which of the thread's numbers is too large, and the guard that is missing: "x < nx && y < ny". */
static void tell_rows(FaultStory *story, const Extents *extents, unsigned dimensions, Text *bounds) {
    static const char *const axis[] = {"x", "y", "z"};
    BoundsFacts *facts = &story->bounds;
    uint64_t at[3];
    global_index(story, at);
    for (unsigned d = dimensions; d-- > 0;) {
        if (at[d] < extents->value[d]) continue;
        facts->axis = axis[d];
        facts->at = (int64_t)at[d];
        facts->parameter = extents->bound[d]->plain_name;
        facts->bound = (int64_t)extents->value[d];
    }
    for (unsigned d = 0; d < dimensions; d++) {
        if (d > 0) text_add(bounds, " && ");
        text_format(bounds, "%s < %s", axis[d], extents->bound[d]->plain_name);
    }
    facts->bounds = bounds->bytes;
}

/* Does another parameter have the same value as one that was chosen? */
static bool has_twin(const FaultStory *story, const Extents *extents, unsigned dimensions) {
    const PtxFunction *function = gpu_kernel_function(story->launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count && i < MOST_PARAMETERS; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value;
        bool used = false, same = false;
        if (!is_count(story, parameter, &value)) continue;
        for (unsigned d = 0; d < dimensions; d++) {
            used = used || extents->bound[d] == parameter;
            same = same || extents->value[d] == value;
        }
        if (same && !used) return true;
    }
    return false;
}

/* Is it anybody's guess which parameter belongs to which direction? */
static bool are_alike(const Extents *extents, unsigned dimensions) {
    for (unsigned d = 1; d < dimensions; d++)
        if (extents->value[d] == extents->value[0] || extents->value[d] == extents->value[d - 1]) return true;
    return false;
}

bool memory_rows_explain(FaultStory *story, Text *bounds) {
    const bool deep = story->launch->spec.grid.z > 1 || story->launch->spec.block.z > 1;
    unsigned dimensions = 2;
    if (deep) dimensions = 3;
    Extents extents = {{NULL}, {0}};
    if (!find_extents(story, &extents, 0, dimensions, true) &&
        (!find_extents(story, &extents, 0, dimensions, false) || are_alike(&extents, dimensions) ||
         has_twin(story, &extents, dimensions)))
        return false;
    tell_rows(story, &extents, dimensions, bounds);
    return true;
}
