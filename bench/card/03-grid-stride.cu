/* Rows: n floats copied on the device by grids of several sizes, and how that compares with the runtime's
 * copy. */
#include "card.h"

void copy_strided(float *d_y, const float *d_x, int n, int blocks, int threads);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,blocks,threads,time (us),bandwidth (GB/s),times a copy\n");
    const int n = 100000007;
    float *x = card_floats(n), *y = card_floats(n);
    const size_t bytes = n * sizeof(float);
    const double copy =
        card_microseconds([&] { CARD_CHECK(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice)); }, 11);
    const int grids[][2] = {{1, 256},    {132, 256},   {132, 1024},
                            {1056, 256}, {16896, 256}, {(n + 255) / 256, 256}};
    for (const int *grid : grids) {
        double time = card_microseconds([&] { copy_strided(y, x, n, grid[0], grid[1]); }, 11);
        printf("%s,%d,%d,%.1f,%.0f,%.2f\n", argc > 1 ? argv[1] : "solution", grid[0], grid[1], time,
               8e-3 * n / time, time / copy);
    }
    card_free(x);
    card_free(y);
}
