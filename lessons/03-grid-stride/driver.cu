/* driver.cu - calls the learner's copy_strided with one case's array and grid.
 *
 * The copy starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void copy_strided(float *d_y, const float *d_x, int n, int blocks, int threads);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *d_x = driver_device_input(driven, "x", &n);
    const int blocks = driver_input_int(driven, "blocks");
    const int threads = driver_input_int(driven, "threads");
    float *d_y = driver_device_poisoned(driven, n);
    copy_strided(d_y, d_x, (int)n, blocks, threads);
    driver_answer_device(driven, "y", d_y, n);
}
