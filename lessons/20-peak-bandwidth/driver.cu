/* driver.cu - calls the learner's peak_sum with one case's numbers.
 *
 * The numbers are a part of a larger array: they begin `skip` numbers into it, and others may follow. The
 * result starts as a NaN pattern, and in a second call as the sum of the first.
 */
#include "lessons/common/driver.h"

void peak_sum(float *d_out, const float *d_in, int n);

void driver_case(DriverCase *driven) {
    size_t all = 0;
    const float *d_all = driver_device_input(driven, "in", &all);
    const int skip = driver_input_int(driven, "skip");
    const int n = driver_input_int(driven, "n");
    float *d_out = driver_device_poisoned(driven, 1);
    peak_sum(d_out, d_all + skip, n);
    driver_answer_device(driven, "sum", d_out, 1);
}
