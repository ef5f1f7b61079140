/* driver.cu - calls the learner's grid_sum with one case's numbers and block size, some cases twice in a row.
 *
 * The result starts as a NaN pattern, and after a first call, with other numbers, as that call's sum: the
 * learner has to zero it each time.
 */
#include "lessons/common/driver.h"

void grid_sum(float *d_out, const float *d_in, int n, int threads);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_in = driver_device_input(driven, "in", &n);
    const int threads = driver_input_int(driven, "threads");
    const int calls = driver_input_int(driven, "calls");
    float *d_out = driver_device_poisoned(driven, 1);
    if (calls > 1) {
        size_t others = 0;
        const float *d_others = driver_device_input(driven, "others", &others);
        grid_sum(d_out, d_others, (int)others, threads);
    }
    grid_sum(d_out, d_in, (int)n, threads);
    driver_answer_device(driven, "sum", d_out, 1);
}
