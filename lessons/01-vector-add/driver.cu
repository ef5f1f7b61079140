/* driver.cu - calls the learner's vector_add with one case's arrays.
 *
 * z starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void vector_add(float *h_z, const float *h_x, const float *h_y, int n);

void driver_case(DriverCase *driven) {
    size_t n = 0;
    const float *x = driver_input_floats(driven, "x", &n);
    const float *y = driver_input_floats(driven, "y", &n);
    float *z = driver_poisoned_floats(driven, n);
    vector_add(z, x, y, (int)n);
    driver_answer_floats(driven, "z", z, n);
}
