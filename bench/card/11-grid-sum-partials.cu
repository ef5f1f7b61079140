/* Rows: the sum of n elements, the host's part included. */
#include "card.h"

float grid_sum(const float *d_in, int n, int threads);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,threads,time (us),bandwidth (GB/s)\n");
    for (int n : {10000, 1000000, 100000000}) {
        float *in = card_floats(n);
        for (int threads : {128, 256, 1024}) {
            double time = card_microseconds([&] { grid_sum(in, n, threads); });
            printf("%s,%d,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", n, threads, time, 4e-3 * n / time);
        }
        card_free(in);
    }
}
