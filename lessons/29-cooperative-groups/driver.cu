/* driver.cu - calls the learner's center with one case's numbers.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void center(float *d_y, const float *d_x, int n);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_x = driver_device_input(driven, "x", &count);
    float *d_y = driver_device_poisoned(driven, count);
    center(d_y, d_x, (int)count);
    driver_answer_device(driven, "y", d_y, count);
}
