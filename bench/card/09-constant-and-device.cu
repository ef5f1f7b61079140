/* Rows: 100 million readings of 96 sensors, curves of three lengths, and the memory bandwidth that is reached. */
#include "card.h"

void calibrate(float *d_y, const float *d_x, int n, const float *d_offset, int sensors, const float *h_c, int terms);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,coefficients,time (us),bandwidth (GB/s)\n");
    const int n = 100000000, sensors = 96;
    const float c[16] = {1.0f, 0.5f, -0.25f, 0.125f};
    float *x = card_floats(n), *y = card_floats(n), *offset = card_floats(sensors);
    for (int terms : {2, 6, 16}) {
        double time = card_microseconds([&] { calibrate(y, x, n, offset, sensors, c, terms); });
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", terms, time, 8e-3 * n / time);
    }
    for (float *each : {x, y, offset})
        CARD_CHECK(cudaFree(each));
}
