/* driver.cu - calls the learner's grid_sum with one case's numbers and block size.
 *
 * The numbers are on the device already; the sum comes back as the function's value.
 */
#include "lessons/common/driver.h"

float grid_sum(const float *d_in, int n, int threads);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_in = driver_device_input(driven, "in", &n);
    const int threads = driver_input_int(driven, "threads");
    const float sum = grid_sum(d_in, (int)n, threads);
    driver_answer_floats(driven, "sum", &sum, 1);
}
