/* driver.cu - calls the learner's resample with one case's picture, from host memory to device memory. */
#include "lessons/common/driver.h"

void resample(float *d_out, int out_width, int out_height, const float *h_in, int width, int height);

void driver_case(DriverCase *driven) {
    size_t elements = 0;
    const float *h_in = driver_input_floats(driven, "in", &elements);
    const int width = driver_input_int(driven, "width"), height = driver_input_int(driven, "height");
    const int out_width = driver_input_int(driven, "out_width");
    const int out_height = driver_input_int(driven, "out_height");
    const size_t n = (size_t)out_width * (size_t)out_height;
    float *d_out = driver_device_poisoned(driven, n);
    resample(d_out, out_width, out_height, h_in, width, height);
    driver_answer_device(driven, "out", d_out, n);
}
