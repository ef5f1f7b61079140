/* driver.cu - calls the learner's half_product with one case's matrices.
 *
 * The product starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include <cuda_fp16.h>

#include "lessons/common/driver.h"

void half_product(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k);

void driver_case(DriverCase *driven) {
    const int m = driver_input_int(driven, "m");
    const int n = driver_input_int(driven, "n");
    const int k = driver_input_int(driven, "k");
    size_t bytes = 0;
    const unsigned char *d_a = driver_device_input_bytes(driven, "a", &bytes);
    const unsigned char *d_b = driver_device_input_bytes(driven, "b", &bytes);
    const size_t elements = (size_t)m * (size_t)n;
    float *d_c = driver_device_poisoned(driven, elements);
    half_product(d_c, (const __half *)d_a, (const __half *)d_b, m, n, k);
    driver_answer_device(driven, "c", d_c, elements);
}
