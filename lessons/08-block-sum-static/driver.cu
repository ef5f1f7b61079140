/* driver.cu - calls the learner's block_sum with the 512 elements of one case.
 *
 * The result starts as a NaN, so that a sum nobody wrote shows.
 */
#include "lessons/common/driver.h"

void block_sum(float *d_out, const float *d_in);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_in = driver_device_input(driven, "in", &count);
    float *d_out = driver_device_poisoned(driven, 1);
    block_sum(d_out, d_in);
    driver_answer_device(driven, "sum", d_out, 1);
}
