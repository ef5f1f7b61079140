/* driver.cu - calls the learner's potentials with one case's points and plates.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void potentials(float *d_y, const float *d_x, const float2 *d_plates, int n, int m);

void driver_case(DriverCase *driven) {
    size_t n = 0, numbers = 0;
    const float *d_x = driver_device_input(driven, "x", &n);
    const float *d_plates = driver_device_input(driven, "plates", &numbers);
    const int m = driver_input_int(driven, "m");
    float *d_y = driver_device_poisoned(driven, n);
    potentials(d_y, d_x, (const float2 *)d_plates, (int)n, m);
    driver_answer_device(driven, "y", d_y, n);
}
