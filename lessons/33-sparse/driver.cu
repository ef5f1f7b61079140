/* driver.cu - calls the learner's sparse_multiply with one case's matrix and vector.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count);

void driver_case(DriverCase *driven) {
    size_t starts = 0, count = 0, columns = 0;
    const int *d_row_starts = driver_device_input_ints(driven, "row_starts", &starts);
    const int *d_columns = driver_device_input_ints(driven, "columns", &count);
    const float *d_values = driver_device_input(driven, "values", &count);
    const float *d_x = driver_device_input(driven, "x", &columns);
    const int rows = driver_input_int(driven, "rows");
    float *d_y = driver_device_poisoned(driven, (size_t)rows);
    sparse_multiply(d_y, d_row_starts, d_columns, d_values, d_x, rows, driver_input_int(driven, "count"));
    driver_answer_device(driven, "y", d_y, (size_t)rows);
}
