/* Rows: two matrices multiplied element by element on the device: square, wide, and high. */
#include "card.h"

void multiply2d(float *d_z, const float *d_x, const float *d_y, int rows, int cols);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,rows,cols,time (us),bandwidth (GB/s)\n");
    const int sizes[][2] = {{1000, 1000}, {8192, 8192}, {64, 1048583}, {1048583, 64}};
    for (const int *size : sizes) {
        const size_t count = (size_t)size[0] * size[1];
        float *x = card_floats(count), *y = card_floats(count), *z = card_floats(count);
        double time = card_microseconds([&] { multiply2d(z, x, y, size[0], size[1]); });
        printf("%s,%d,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", size[0], size[1], time,
               12e-3 * count / time);
        card_free(x);
        card_free(y);
        card_free(z);
    }
}
