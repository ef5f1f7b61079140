/* warpgrind: --devices 2 */
/* Two devices: the current one by host thread, peers, copies between them.
 * default stream: legacy */
#include "api.h"

#include <thread>

__global__ void increase(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i]++;
}

static void other_thread() {
    int device = 7;
    FINE(cudaGetDevice(&device));
    EXPECT(device == 0); /* each thread starts with device 0 */
}

int main() {
    int count = 0, device = 7, can = 0, h[32], *there = nullptr, *here = nullptr;
    FINE(cudaGetDeviceCount(&count));
    EXPECT(count == 2);
    FINE(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can == 1);
    FINE(cudaDeviceCanAccessPeer(&can, 1, 1));
    EXPECT(can == 0);
    FINE(cudaSetDevice(1));
    FINE(cudaGetDevice(&device));
    EXPECT(device == 1);
    std::thread(other_thread).join();
    FINE(cudaMalloc(&there, sizeof h));
    FINE(cudaMemset(there, 0, sizeof h));
    increase<<<1, 32>>>(there, 32);
    cudaPointerAttributes attributes;
    FINE(cudaPointerGetAttributes(&attributes, there));
    EXPECT(attributes.device == 1);
    cudaStream_t stream;
    cudaEvent_t event;
    FINE(cudaStreamCreate(&stream));
    FINE(cudaEventCreate(&event));
    increase<<<1, 32, 0, stream>>>(there, 32); /* behind the default stream of its own device */
    FINE(cudaEventRecord(event, stream));
    FINE(cudaSetDevice(0));
    FINE(cudaStreamWaitEvent(0, event, 0)); /* another device's event may be waited for */
    FINE(cudaMalloc(&here, sizeof h));
    FINE(cudaMemcpyPeerAsync(here, 0, there, 1, sizeof h, 0));
    FINE(cudaMemcpyPeer(here, 0, there, 1, sizeof h));
    int value = 9;
    FINE(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    EXPECT(value == 1);
    FINE(cudaDeviceEnablePeerAccess(1, 0));
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    (void)cudaGetLastError();
    increase<<<1, 32>>>(there, 32);
    FINE(cudaMemcpy(h, there, sizeof h, cudaMemcpyDefault));
    EXPECT(h[31] == 3);
    FINE(cudaMemcpy(h, here, sizeof h, cudaMemcpyDefault));
    EXPECT(h[31] == 2);
    FINE(cudaDeviceDisablePeerAccess(1));
    cudaMemPool_t pool;
    FINE(cudaDeviceGetDefaultMemPool(&pool, 1));
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 0;
    enum cudaMemAccessFlags flags;
    FINE(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtNone);
    access.flags = cudaMemAccessFlagsProtReadWrite;
    FINE(cudaMemPoolSetAccess(pool, &access, 1));
    FINE(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    int *pooled = nullptr;
    FINE(cudaMallocFromPoolAsync((void **)&pooled, sizeof h, pool, stream));
    FINE(cudaMemsetAsync(pooled, 0, sizeof h, stream));
    FINE(cudaStreamSynchronize(stream));
    increase<<<1, 32>>>(pooled, 32); /* by device 0, which may use it now */
    FINE(cudaMemcpy(h, pooled, sizeof h, cudaMemcpyDefault));
    EXPECT(h[31] == 1);
    FINE(cudaFree(pooled));
    access.flags = cudaMemAccessFlagsProtNone;
    FINE(cudaMemPoolSetAccess(pool, &access, 1));
    FINE(cudaEventDestroy(event));
    FINE(cudaStreamDestroy(stream));
    FINE(cudaFree(here));
    FINE(cudaFree(there));
    return finish();
}
