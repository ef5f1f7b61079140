/* Rows: the sum of n elements that stays on the device, added up by shuffles. */
#include "card.h"

void grid_sum(float *d_out, const float *d_in, int n, int threads);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,threads,time (us),bandwidth (GB/s)\n");
    float *out = card_floats(1);
    for (int n : {10000, 1000000, 100000000}) {
        float *in = card_floats(n);
        for (int threads : {128, 256, 1024}) {
            double time = card_microseconds([&] { grid_sum(out, in, n, threads); });
            printf("%s,%d,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", n, threads, time,
                   4e-3 * n / time);
        }
        card_free(in);
    }
    card_free(out);
}
