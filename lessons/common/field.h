/* field.h - for judges whose answer is a field of several extents: which part of it was never written.
 *
 * "element 4352 was never written" tells a learner little. "every plane from z = 2 on" is a loop or a grid
 * that ends too early, and says in which direction.
 */
#pragma once

#include "lessons/common/sums.h"

enum { FIELD_DIMENSIONS = 3 };

/** Elements of a field; the first extent is the one whose index runs fastest. */
typedef struct Field {
    size_t extent[FIELD_DIMENSIONS];
    const char *part[FIELD_DIMENSIONS];  /**< what elements with one index in common are: "row", "plane" */
    const char *index[FIELD_DIMENSIONS]; /**< what stands before its number: "z = ", or nothing */
} Field;

/** The index of element i along a dimension. */
static inline size_t field_index(const Field *field, size_t i, unsigned dimension) {
    for (unsigned d = 0; d < dimension; d++)
        i /= field->extent[d];
    return i % field->extent[dimension];
}

/** From which index on along the dimension nothing was written, when all before it was; 0 when the two are
 * not so clearly apart. */
static inline size_t field_written_up_to(const Field *field, unsigned dimension, const float *got) {
    size_t first = field->extent[dimension], last_written = 0;
    const size_t count = field->extent[0] * field->extent[1] * field->extent[2];
    for (size_t i = 0; i < count; i++) {
        const size_t at = field_index(field, i, dimension);
        if (!sums_is_poison(got[i]) && at + 1 > last_written) last_written = at + 1;
        if (sums_is_poison(got[i]) && at < first) first = at;
    }
    if (first == last_written && first < field->extent[dimension]) return first;
    return 0;
}

/** Where the columns end at what the rows need in whole blocks, or the rows at what the columns need: the two
 * numbers of the grid have changed places. */
static inline JudgeCause field_name_exchanged(Arena *arena, const Field *field, const float *got) {
    enum { SMALLEST = 4, LARGEST = 1024 };
    for (unsigned d = 0; d < 2; d++) {
        const size_t first = field_written_up_to(field, d, got), other = field->extent[1 - d];
        for (size_t size = SMALLEST; first > 0 && size <= LARGEST; size *= 2)
            if ((other + size - 1) / size * size == first)
                return judge_cause(
                    arena, "grid-exchanged",
                    "no %s from %s%zu on was written (there are %zu), and %zu is what %zu needs in blocks of "
                    "%zu: the grid's x and y are swapped, or the indices that are computed "
                    "from them",
                    field->part[d], field->index[d], first, field->extent[d], first, other, size);
    }
    return JUDGE_UNKNOWN;
}

/** "no plane from z = 2 on was written"; unknown when the missing elements have no such edge. */
static inline JudgeCause field_name_unwritten(Arena *arena, const Field *field, const float *got) {
    for (unsigned d = FIELD_DIMENSIONS; d-- > 0;) {
        const size_t first = field_written_up_to(field, d, got);
        if (first > 0)
            return judge_cause(arena, "ends-early", "no %s from %s%zu on was written (there are %zu)",
                               field->part[d], field->index[d], first, field->extent[d]);
    }
    return JUDGE_UNKNOWN;
}

/** Where an element of a matrix lies, for Judge.work; of the first one nothing. */
static inline void field_step_row(Text *steps, const char *name, size_t i, size_t columns) {
    if (i == 0) return;
    judge_step(steps, "%s[%zu] is in row %zu, column %zu: %zu = %zu * %zu + %zu", name, i, i / columns,
               i % columns, i, i / columns, columns, i % columns);
}

/** The same in a field of three extents. */
static inline void field_step_cell(Text *steps, const char *name, size_t i, size_t nx, size_t ny) {
    if (i == 0) return;
    const size_t x = i % nx, y = i / nx % ny, z = i / nx / ny;
    judge_step(steps, "%s[%zu] is at (x, y, z) = (%zu, %zu, %zu): %zu = (%zu * %zu + %zu) * %zu + %zu", name,
               i, x, y, z, i, z, ny, y, nx, x);
}
