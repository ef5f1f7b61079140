/* driver.cu - calls the learner's scale3d with one case's field.
 *
 * The result starts full of a NaN pattern, so that an element nobody wrote shows.
 */
#include "lessons/common/driver.h"

void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_g = driver_device_input(driven, "g", &count);
    const int nx = driver_input_int(driven, "nx");
    const int ny = driver_input_int(driven, "ny");
    const int nz = driver_input_int(driven, "nz");
    float *d_f = driver_device_poisoned(driven, count);
    scale3d(d_f, d_g, nx, ny, nz);
    driver_answer_device(driven, "f", d_f, count);
}
