/* Rows: a matrix transposed on the device, and how that compares with copying it. */
#include "card.h"

void transpose(float *d_out, const float *d_in, int rows, int cols);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,rows,cols,time (us),bandwidth (GB/s),times a copy\n");
    const int sizes[][2] = {{1000, 1000}, {4096, 4096}, {10007, 9973}};
    for (const int *size : sizes) {
        const size_t count = (size_t)size[0] * size[1];
        float *in = card_floats(count), *out = card_floats(count);
        const size_t bytes = count * sizeof(float);
        double copy =
            card_microseconds([&] { CARD_CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); });
        double time = card_microseconds([&] { transpose(out, in, size[0], size[1]); });
        printf("%s,%d,%d,%.1f,%.0f,%.2f\n", argc > 1 ? argv[1] : "solution", size[0], size[1], time,
               8e-3 * count / time, time / copy);
        card_free(in);
        card_free(out);
    }
}
