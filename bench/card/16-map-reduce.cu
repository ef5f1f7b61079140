/* Rows: the three functions for n numbers on the device. */
#include "card.h"

float l2_norm(const float *d_x, int n);
double l2_norm(const double *d_x, int n);
float sum_of_products(const float *d_x, const float *d_y, int n);

static const char *version = "solution";

static void row(const char *function, int n, double bytes, double time) {
    printf("%s,%s,%d,%.1f,%.0f\n", version, function, n, time, 1e-3 * bytes / time);
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,function,n,time (us),bandwidth (GB/s)\n");
    if (argc > 1) version = argv[1];
    for (int n : {10000, 1000000, 100000000}) {
        float *x = card_floats(n), *y = card_floats(n);
        double *z = NULL;
        CARD_CHECK(cudaMalloc(&z, n * sizeof(double)));
        CARD_CHECK(cudaMemset(z, 0, n * sizeof(double)));
        row("norm of floats", n, 4.0 * n, card_microseconds([&] { l2_norm(x, n); }));
        row("norm of doubles", n, 8.0 * n, card_microseconds([&] { l2_norm(z, n); }));
        row("sum of products", n, 8.0 * n, card_microseconds([&] { sum_of_products(x, y, n); }));
        CARD_CHECK(cudaFree(x));
        CARD_CHECK(cudaFree(y));
        CARD_CHECK(cudaFree(z));
    }
}
