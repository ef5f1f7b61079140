/* driver.cu - calls the learner's transpose with one case's matrix.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void transpose(float *d_out, const float *d_in, int rows, int cols);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_in = driver_device_input(driven, "in", &count);
    const int rows = driver_input_int(driven, "rows");
    const int cols = driver_input_int(driven, "cols");
    float *d_out = driver_device_poisoned(driven, count);
    transpose(d_out, d_in, rows, cols);
    driver_answer_device(driven, "out", d_out, count);
}
