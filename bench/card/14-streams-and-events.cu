/* Rows: n numbers from pinned memory through the device and back, in one chunk and in several. */
#include "card.h"

void process_chunks(float *h_y, const float *h_x, int n, int chunks);

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,chunks,time (us),both directions (GB/s)\n");
    for (int n : {100000, 1000000, 100000000}) {
        float *x = NULL, *y = NULL;
        CARD_CHECK(cudaMallocHost(&x, n * sizeof(float)));
        CARD_CHECK(cudaMallocHost(&y, n * sizeof(float)));
        for (int i = 0; i < n; i++)
            x[i] = 0.25f * (float)(i % 1000 - 500);
        for (int chunks : {1, 4, 16, 64}) {
            double time = card_microseconds([&] { process_chunks(y, x, n, chunks); }, n > 10000000 ? 11 : 51);
            printf("%s,%d,%d,%.0f,%.1f\n", argc > 1 ? argv[1] : "solution", n, chunks, time, 8e-3 * n / time);
        }
        CARD_CHECK(cudaFreeHost(x));
        CARD_CHECK(cudaFreeHost(y));
    }
}
