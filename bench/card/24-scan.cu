/* Rows: the running sums of n numbers on the device. */
#include "card.h"

void inclusive_scan(int *d_out, const int *d_in, int n);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,time (us),bandwidth (GB/s)\n");
    for (int n : {10000, 1000000, 100000000}) {
        int *in = NULL, *out = NULL;
        CARD_CHECK(cudaMalloc(&in, n * sizeof(int)));
        CARD_CHECK(cudaMalloc(&out, n * sizeof(int)));
        CARD_CHECK(cudaMemset(in, 0, n * sizeof(int)));
        double time = card_microseconds([&] { inclusive_scan(out, in, n); });
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", n, time, 8e-3 * n / time);
        CARD_CHECK(cudaFree(in));
        CARD_CHECK(cudaFree(out));
    }
}
