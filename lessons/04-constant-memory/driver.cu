/* driver.cu - calls the learner's multiply_add with one case's arrays and its own b.
 *
 * y starts full of NaNs. Where the case is called twice b is another one, so that a constant that is set only
 * once is stale then.
 */
#include "lessons/common/driver.h"

void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_x1 = driver_device_input(driven, "x1", &n);
    const float *d_x2 = driver_device_input(driven, "x2", &n);
    float *d_y = driver_device_poisoned(driven, n);
    multiply_add(d_y, d_x1, d_x2, (int)n, driver_input_float(driven, "b"));
    driver_answer_device(driven, "y", d_y, n);
}
