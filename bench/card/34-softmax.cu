/* Rows: 64 million numbers in rows of three lengths, the memory bandwidth if each were read once, and the time beside a copy. */
#include "card.h"

void softmax(float *d_y, const float *d_x, int rows, int cols);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,rows,cols,time (us),bandwidth (GB/s),times a copy\n");
    const int n = 64000000;
    float *x = card_floats(n), *y = card_floats(n);
    const double copy = card_microseconds([&] { CARD_CHECK(cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice)); });
    for (int cols : {100, 1000, 64000}) {
        const double time = card_microseconds([&] { softmax(y, x, n / cols, cols); });
        printf("%s,%d,%d,%.1f,%.0f,%.2f\n", argc > 1 ? argv[1] : "solution", n / cols, cols, time, 8e-3 * n / time, time / copy);
    }
    card_free(x);
    card_free(y);
}
