/* Memory pools. */
#include "api.h"

#include <cstdint>

__global__ void fill(int *out, int value) { out[threadIdx.x] = value; }

int main() {
    cudaMemPool_t usual, current, own;
    FINE(cudaDeviceGetDefaultMemPool(&usual, 0));
    FINE(cudaDeviceGetMemPool(&current, 0));
    EXPECT(usual == current);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    FINE(cudaMemPoolCreate(&own, &properties));
    FINE(cudaDeviceSetMemPool(0, own));
    FINE(cudaDeviceGetMemPool(&current, 0));
    EXPECT(current == own && own != usual);
    unsigned long long threshold = UINT64_MAX, got = 7;
    int reuse = 0, kept = 7;
    FINE(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
    FINE(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &got));
    FINE(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &kept));
    EXPECT(got == UINT64_MAX && kept == 1);
    FINE(cudaMemPoolSetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
    FINE(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &kept));
    EXPECT(kept == 0);
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    int *d = nullptr, h[32];
    FINE(cudaMallocFromPoolAsync((void **)&d, sizeof h, own, stream));
    fill<<<1, 32, 0, stream>>>(d, 5);
    FINE(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream));
    FINE(cudaFreeAsync(d, stream));
    FINE(cudaStreamSynchronize(stream));
    EXPECT(h[31] == 5);
    FINE(cudaMemPoolTrimTo(own, 0));
    FINE(cudaStreamDestroy(stream));
    FINE(cudaMemPoolDestroy(own));
    FINE(cudaDeviceGetMemPool(&current, 0));
    EXPECT(current == usual);
    return finish();
}
