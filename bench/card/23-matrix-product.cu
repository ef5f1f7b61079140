/* Rows: the product of two matrices on the device. */
#include "card.h"

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,m = n = k,time (us),arithmetic (Gflop/s)\n");
    for (int size : {256, 1000, 4096}) {
        const size_t count = (size_t)size * size;
        float *a = card_floats(count), *b = card_floats(count), *c = card_floats(count);
        double time = card_microseconds([&] { matrix_product(c, a, b, size, size, size); }, 11);
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", size, time, 2e-3 * count * size / time);
        card_free(a);
        card_free(b);
        card_free(c);
    }
}
