/* driver.cu - calls the learner's group_sums with one case's numbers and their groups.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void group_sums(float *d_sums, const int *d_groups, const float *d_values, int n, int groups);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const int *d_groups = driver_device_input_ints(driven, "groups", &n);
    const float *d_values = driver_device_input(driven, "values", &n);
    const int count = driver_input_int(driven, "count");
    float *d_sums = driver_device_poisoned(driven, (size_t)count);
    group_sums(d_sums, d_groups, d_values, (int)n, count);
    driver_answer_device(driven, "sums", d_sums, (size_t)count);
}
