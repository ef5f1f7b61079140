/* driver.cu - calls the learner's matrix_product with one case's matrices.
 *
 * The product starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k);

void driver_case(DriverCase *driven) {
    const int m = driver_input_int(driven, "m");
    const int n = driver_input_int(driven, "n");
    const int k = driver_input_int(driven, "k");
    size_t count = 0;
    const float *d_a = driver_device_input(driven, "a", &count);
    const float *d_b = driver_device_input(driven, "b", &count);
    const size_t elements = (size_t)m * (size_t)n;
    float *d_c = driver_device_poisoned(driven, elements);
    matrix_product(d_c, d_a, d_b, m, n, k);
    driver_answer_device(driven, "c", d_c, elements);
}
