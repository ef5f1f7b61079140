/* driver.cu - calls the learner's stencil7 with one case's field.
 *
 * The result starts full of a NaN pattern, so that a cell nobody wrote shows.
 */
#include "lessons/common/driver.h"

void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz);

void driver_case(DriverCase *driven) {
    size_t count = 0;
    const float *d_in = driver_device_input(driven, "in", &count);
    const int nx = driver_input_int(driven, "nx");
    const int ny = driver_input_int(driven, "ny");
    const int nz = driver_input_int(driven, "nz");
    float *d_out = driver_device_poisoned(driven, count);
    stencil7(d_out, d_in, nx, ny, nz);
    driver_answer_device(driven, "out", d_out, count);
}
