/* driver.cu - calls the learner's softmax with one case's matrix.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void softmax(float *d_y, const float *d_x, int rows, int cols);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_x = driver_device_input(driven, "x", &count);
    float *d_y = driver_device_poisoned(driven, count);
    softmax(d_y, d_x, driver_input_int(driven, "rows"), driver_input_int(driven, "cols"));
    driver_answer_device(driven, "y", d_y, count);
}
