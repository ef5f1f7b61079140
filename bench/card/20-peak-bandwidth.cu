/* Rows: the sum of n elements that stays on the device, beside CUB's. CUB's time has the allocation of its
 * scratch in it, from a pool that keeps its memory: the learner's sum has to bring its own as well. */
#include "card.h"

#include <cub/cub.cuh>

void peak_sum(float *d_out, const float *d_in, int n);

static void cub_sum(float *out, const float *in, int n) {
    void *scratch = NULL;
    size_t bytes = 0;
    CARD_CHECK(cub::DeviceReduce::Sum(NULL, bytes, in, out, n));
    CARD_CHECK(cudaMallocAsync(&scratch, bytes, 0));
    CARD_CHECK(cub::DeviceReduce::Sum(scratch, bytes, in, out, n));
    CARD_CHECK(cudaFreeAsync(scratch, 0));
}

/* Without this a pool gives its memory back whenever the host waits. */
static void pool_keeps_all(void) {
    cudaMemPool_t pool = NULL;
    unsigned long long all = ~0ULL;
    CARD_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CARD_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

static void row(const char *version, int n, double time) {
    printf("%s,%d,%.1f,%.0f\n", version, n, time, 4e-3 * n / time);
}

int main(int argc, char **argv) {
    if (argc < 2) printf("version,n,time (us),bandwidth (GB/s)\n");
    pool_keeps_all();
    float *out = card_floats(1);
    for (int power = 20; power <= 30; power++) {
        const int n = 1 << power;
        float *in = card_floats((size_t)n);
        row(argc > 1 ? argv[1] : "solution", n, card_microseconds([&] { peak_sum(out, in, n); }));
        if (argc < 2) row("CUB", n, card_microseconds([&] { cub_sum(out, in, n); }));
        card_free(in);
    }
    card_free(out);
}
