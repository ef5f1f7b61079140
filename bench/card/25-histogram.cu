/* Rows: the histogram of n bytes on the device, spread over all values or all the same. */
#include "card.h"

void histogram(unsigned *d_bins, const unsigned char *d_data, int n);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,spread (us),one value (us)\n");
    unsigned *bins = NULL;
    CARD_CHECK(cudaMalloc(&bins, 256 * sizeof(unsigned)));
    for (int n : {10000, 1000000, 100000000}) {
        printf("%s,%d", argc > 1 ? argv[1] : "solution", n);
        for (int step : {97, 0}) {
            std::vector<unsigned char> host(n);
            for (int i = 0; i < n; i++)
                host[i] = (unsigned char)(i / 7 * step);
            unsigned char *data = NULL;
            CARD_CHECK(cudaMalloc(&data, n));
            CARD_CHECK(cudaMemcpy(data, host.data(), n, cudaMemcpyHostToDevice));
            printf(",%.1f", card_microseconds([&] { histogram(bins, data, n); }));
            CARD_CHECK(cudaFree(data));
        }
        printf("\n");
    }
    CARD_CHECK(cudaFree(bins));
}
