/* driver.cu - calls the learner's block_sum with one block's elements.
 *
 * The result starts as a NaN, so that a sum nobody wrote shows.
 */
#include "lessons/common/driver.h"

void block_sum(float *d_out, const float *d_in, int threads);

void driver_case(DriverCase *driven) {
    size_t threads = 0;
    const float *d_in = driver_device_input(driven, "in", &threads);
    float *d_out = driver_device_poisoned(driven, 1);
    block_sum(d_out, d_in, (int)threads);
    driver_answer_device(driven, "sum", d_out, 1);
}
