/* driver.cu - calls the learner's fill_upper with one case's matrix, and brings back what each row has on
 * either side of the diagonal.
 *
 * The matrix is the case's own, or, where it is large, all zeros. Of a large one only some rows come
 * back: the input "rows" says which.
 */
#include "lessons/common/driver.h"

#include <cuda_runtime.h>
#include <stdlib.h>

void fill_upper(float *d_a, int n, float value);

static float *matrix_of(DriverCase *driven, int n) {
    size_t count = 0;
    float *d_a = driver_device_input(driven, "a", &count);
    if (count == (size_t)n * n) return d_a;
    d_a = driver_device_poisoned(driven, (size_t)n * n);
    if (cudaMemset(d_a, 0, (size_t)n * n * sizeof(float)) != cudaSuccess) exit(71);
    return d_a;
}

void driver_case(DriverCase *driven) {
    const int n = driver_input_int(driven, "n");
    const float value = driver_input_float(driven, "value");
    float *d_a = matrix_of(driven, n);
    size_t count = 0;
    const float *rows = driver_input_floats(driven, "rows", &count);
    fill_upper(d_a, n, value);
    size_t upper = 0, lower = 0;
    float *above = driver_poisoned_floats(driven, count * n);
    float *below = driver_poisoned_floats(driven, count * n);
    for (size_t i = 0; i < count; i++) {
        const int row = (int)rows[i];
        const float *d_row = d_a + (size_t)row * n;
        driver_copy_back(driven, above + upper, d_row + row, n - row);
        upper += n - row;
    }
    for (size_t i = 0; i < count; i++) {
        const int row = (int)rows[i];
        driver_copy_kept(driven, below + lower, d_a + (size_t)row * n, row);
        lower += row;
    }
    driver_answer_floats(driven, "above", above, upper);
    driver_answer_floats(driven, "below", below, lower);
}
