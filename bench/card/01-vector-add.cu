/* Rows: the whole journey (allocate, copy, add, copy back, free) against the same sum on one core of the host. */
#include "card.h"

#include <chrono>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,GPU with copies (ms),host loop (ms)\n");
    for (int n : {1000, 100000, 10000000, 100000000}) {
        std::vector<float> x(n, 1.5f), y(n, 2.25f), z(n);
        double gpu = card_microseconds([&] { vector_add(z.data(), x.data(), y.data(), n); }, 11);
        double host = 1e30;
        for (int run = 0; run < 5; run++) {
            auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < n; i++) z[i] = x[i] + y[i];
            host = std::min(host, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
            if (z[n / 2] != 3.75f) return EXIT_FAILURE;
        }
        printf("%s,%d,%.3f,%.3f\n", argc > 1 ? argv[1] : "solution", n, gpu / 1000, host);
    }
}
