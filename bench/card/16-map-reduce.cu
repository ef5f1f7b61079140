/* Rows: the three functions for n numbers on the device. */
#include "card.h"

float l2_norm(const float *d_x, int n);
double l2_norm(const double *d_x, int n);
float sum_of_products(const float *d_x, const float *d_y, int n);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,norm of floats (us),norm of doubles (us),sum of products (us)\n");
    for (int n : {10000, 1000000, 100000000}) {
        float *x = card_floats(n), *y = card_floats(n);
        double *z = NULL;
        CARD_CHECK(cudaMalloc(&z, n * sizeof(double)));
        CARD_CHECK(cudaMemset(z, 0, n * sizeof(double)));
        printf("%s,%d", argc > 1 ? argv[1] : "solution", n);
        printf(",%.1f", card_microseconds([&] { l2_norm(x, n); }));
        printf(",%.1f", card_microseconds([&] { l2_norm(z, n); }));
        printf(",%.1f\n", card_microseconds([&] { sum_of_products(x, y, n); }));
        card_free(x);
        card_free(y);
        CARD_CHECK(cudaFree(z));
    }
}
