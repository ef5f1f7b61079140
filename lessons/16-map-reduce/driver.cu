/* driver.cu - calls one of the learner's three functions with a case's numbers on the device. */
#include "lessons/common/driver.h"

enum { FLOATS, DOUBLES, PRODUCTS };

float l2_norm(const float *d_x, int n);
double l2_norm(const double *d_x, int n);
float sum_of_products(const float *d_x, const float *d_y, int n);

void driver_case(DriverCase *driven) {
    const int which = driver_input_int(driven, "which");
    size_t n = 0;
    if (which == DOUBLES) {
        const double *d_x = driver_device_input_doubles(driven, "x", &n);
        const double norm = l2_norm(d_x, (int)n);
        driver_answer_doubles(driven, "norm", &norm, 1);
        return;
    }
    const float *d_x = driver_device_input(driven, "x", &n);
    if (which == FLOATS) {
        const float norm = l2_norm(d_x, (int)n);
        driver_answer_floats(driven, "norm", &norm, 1);
        return;
    }
    const float *d_y = driver_device_input(driven, "y", &n);
    const float sum = sum_of_products(d_x, d_y, (int)n);
    driver_answer_floats(driven, "sum", &sum, 1);
}
