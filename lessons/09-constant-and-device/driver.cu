/* driver.cu - calls the learner's calibrate with one case's readings, offsets and coefficients.
 *
 * y starts full of NaNs. The coefficients stay on the host, in an array of just as many as there are.
 */
#include "lessons/common/driver.h"

void calibrate(float *d_y, const float *d_x, int n, const float *d_offset, int sensors, const float *h_c,
               int terms);

void driver_case(DriverCase *driven) {
    size_t n = 0, sensors = 0, terms = 0;
    const float *d_x = driver_device_input(driven, "x", &n);
    const float *d_offset = driver_device_input(driven, "offset", &sensors);
    const float *h_c = driver_input_floats(driven, "c", &terms);
    float *d_y = driver_device_poisoned(driven, n);
    calibrate(d_y, d_x, (int)n, d_offset, (int)sensors, h_c, (int)terms);
    driver_answer_device(driven, "y", d_y, n);
}
