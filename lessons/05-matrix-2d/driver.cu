/* driver.cu - calls the learner's multiply2d with one case's matrices.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void multiply2d(float *d_z, const float *d_x, const float *d_y, int rows, int cols);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_x = driver_device_input(driven, "x", &count);
    const float *d_y = driver_device_input(driven, "y", &count);
    const int rows = driver_input_int(driven, "rows");
    const int cols = driver_input_int(driven, "cols");
    float *d_z = driver_device_poisoned(driven, count);
    multiply2d(d_z, d_x, d_y, rows, cols);
    driver_answer_device(driven, "z", d_z, count);
}
