/* driver.cu - calls the learner's grid_sum with one case's numbers and block size.
 *
 * The result starts as a NaN pattern, and in a second call as the sum of the first: the learner has to zero
 * it each time.
 */
#include "lessons/common/driver.h"

void grid_sum(float *d_out, const float *d_in, int n, int threads);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_in = driver_device_input(driven, "in", &n);
    const int threads = driver_input_int(driven, "threads");
    float *d_out = driver_device_poisoned(driven, 1);
    grid_sum(d_out, d_in, (int)n, threads);
    driver_answer_device(driven, "sum", d_out, 1);
}
