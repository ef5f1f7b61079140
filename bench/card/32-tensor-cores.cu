/* Rows: square matrices of two sizes, and billions of floating-point operations per second, two for each
 * product. also: mutants/by-threads
 */
#include "card.h"

#include <cuda_fp16.h>

void half_product(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k);

static __half *halves(size_t count) {
    std::vector<__half> host(count);
    for (size_t i = 0; i < count; i++)
        host[i] = __float2half(0.25f * (float)(i % 3 + 1));
    __half *device = NULL;
    CARD_CHECK(cudaMalloc(&device, count * sizeof(__half)));
    CARD_CHECK(cudaMemcpy(device, host.data(), count * sizeof(__half), cudaMemcpyHostToDevice));
    return device;
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,size,time (us),speed (Gflop/s)\n");
    for (int size : {1001, 4001}) {
        const size_t count = (size_t)size * size;
        __half *a = halves(count), *b = halves(count);
        float *c = card_floats(count);
        const double time = card_microseconds([&] { half_product(c, a, b, size, size, size); }, 21);
        printf("%s,%d,%.1f,%.0f\n", argc > 1 ? argv[1] : "solution", size, time, 2e-3 * count * size / time);
        CARD_CHECK(cudaFree(a));
        CARD_CHECK(cudaFree(b));
        card_free(c);
    }
}
