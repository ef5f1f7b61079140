/* Memory: allocation, copies in every direction and shape, pinned and managed memory, variables. */
#include "api.h"

#include <numeric>
#include <sys/mman.h>
#include <vector>

__constant__ int coefficients[4] = {1, 2, 3, 4};
__device__ int counter = 5;

__global__ void add(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + coefficients[i % 4] + counter;
}

static void plain_copies() {
    std::vector<int> host(1000), back(1000);
    std::iota(host.begin(), host.end(), 1);
    int *a = nullptr, *b = nullptr;
    FINE(cudaMalloc(&a, 4000));
    FINE(cudaMalloc(&b, 4000));
    FINE(cudaMemcpy(a, host.data(), 4000, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy(b, a, 4000, cudaMemcpyDeviceToDevice));
    FINE(cudaMemcpy(back.data(), b, 4000, cudaMemcpyDeviceToHost));
    EXPECT(back == host);
    FINE(cudaMemset(b, 0xff, 400));
    FINE(cudaMemcpy(back.data(), b, 4000, cudaMemcpyDefault));
    EXPECT(back[0] == -1 && back[99] == -1 && back[100] == 101);
    FINE(cudaMemcpyPeer(b, 0, a, 0, 4000));
    FINE(cudaMemcpyPeerAsync(b, 0, a, 0, 4000, 0));
    FINE(cudaMemcpy(back.data(), b, 4000, cudaMemcpyDeviceToHost));
    EXPECT(back == host);
    std::vector<int> other(1000);
    FINE(cudaMemcpy(other.data(), host.data(), 4000, cudaMemcpyHostToHost));
    EXPECT(other == host);
    FINE(cudaMemcpy(b + 500, host.data(), 2000, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy(back.data(), b + 500, 2000, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == 1 && back[499] == 500);
    cudaPointerAttributes attributes;
    FINE(cudaPointerGetAttributes(&attributes, a + 3));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == a + 3);
    FINE(cudaPointerGetAttributes(&attributes, host.data()));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    FINE(cudaFree(a));
    FINE(cudaFree(b));
    FINE(cudaFree(nullptr));
    FINE(cudaMalloc(&a, 0));
    EXPECT(a == nullptr);
}

static void large_copy() {
    std::vector<int> host(20 << 20), back(20 << 20); /* more than the window */
    std::iota(host.begin(), host.end(), 0);
    int *a = nullptr;
    size_t bytes = host.size() * sizeof(int);
    FINE(cudaMalloc(&a, bytes));
    FINE(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy(back.data(), a, bytes, cudaMemcpyDeviceToHost));
    EXPECT(back == host);
    FINE(cudaFree(a));
}

static void rows() {
    int host[6][7], back[6][10] = {};
    for (int i = 0; i < 42; i++) host[i / 7][i % 7] = i;
    char *a = nullptr;
    size_t pitch = 0;
    FINE(cudaMallocPitch((void **)&a, &pitch, 7 * sizeof(int), 6));
    EXPECT(pitch >= 28 && pitch % 256 == 0);
    FINE(cudaMemset2D(a, pitch, 0, 28, 6));
    FINE(cudaMemcpy2D(a, pitch, host, sizeof host[0], 28, 6, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2D(back, sizeof back[0], a, pitch, 28, 6, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 0 && back[5][6] == 41 && back[3][2] == 23 && back[3][7] == 0);
    FINE(cudaMemset2DAsync(a, pitch, 1, 4, 6, 0));
    FINE(cudaMemcpy2DAsync(back, sizeof back[0], a, pitch, 28, 6, cudaMemcpyDeviceToHost, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(back[5][0] == 0x01010101 && back[5][1] == 36);
    FINE(cudaFree(a));
}

static void box() {
    cudaPitchedPtr memory;
    FINE(cudaMalloc3D(&memory, make_cudaExtent(20, 3, 2)));
    EXPECT(memory.pitch >= 20 && memory.pitch % 256 == 0 && memory.xsize == 20 && memory.ysize == 3);
    char host[6][20] = {}, back[6][20] = {};
    host[5][19] = 7;
    FINE(cudaMemcpy2D(memory.ptr, memory.pitch, host, 20, 20, 6, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2D(back, 20, memory.ptr, memory.pitch, 20, 6, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(host, back, sizeof host) == 0);
    unsigned char h[6 * 20] = {};
    cudaPitchedPtr wider = memory; /* as if a slice had another row */
    FINE(cudaMemset3D(memory, 7, make_cudaExtent(20, 3, 2)));
    wider.ysize = 2;
    FINE(cudaMemset3DAsync(wider, 9, make_cudaExtent(20, 1, 2), 0));
    FINE(cudaMemcpy2D(h, 20, memory.ptr, memory.pitch, 20, 6, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 9 && h[20] == 7 && h[40] == 9 && h[119] == 7);
    cudaPitchedPtr other;
    FINE(cudaMalloc3D(&other, make_cudaExtent(20, 3, 2)));
    cudaMemcpy3DPeerParms both = {};
    both.srcPtr = memory;
    both.dstPtr = other;
    both.extent = make_cudaExtent(20, 3, 1);
    FINE(cudaMemcpy3DPeer(&both));
    both.extent.depth = 2;
    FINE(cudaMemcpy3DPeerAsync(&both, 0));
    FINE(cudaMemcpy2D(h, 20, other.ptr, other.pitch, 20, 6, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 9 && h[20] == 7 && h[119] == 7);
    FINE(cudaFree(other.ptr));
    FINE(cudaFree(memory.ptr));
    FINE(cudaMalloc3D(&memory, make_cudaExtent(20, 0, 2)));
    EXPECT(memory.ptr == nullptr);
}

static void variables() {
    int values[4] = {10, 20, 30, 40}, got[4] = {}, in[4] = {}, seven = 7;
    void *address = nullptr;
    size_t bytes = 0;
    FINE(cudaGetSymbolSize(&bytes, coefficients));
    EXPECT(bytes == 16);
    FINE(cudaMemcpyFromSymbol(got, coefficients, 16));
    EXPECT(got[3] == 4);
    FINE(cudaMemcpyToSymbol(coefficients, values, 16));
    FINE(cudaMemcpyToSymbol(coefficients, &seven, 4, 8));
    FINE(cudaMemcpyToSymbolAsync(counter, &seven, 4, 0, cudaMemcpyHostToDevice, 0));
    FINE(cudaMemcpyFromSymbolAsync(got, coefficients, 16, 0, cudaMemcpyDeviceToHost, 0));
    FINE(cudaDeviceSynchronize());
    EXPECT(got[0] == 10 && got[2] == 7);
    FINE(cudaGetSymbolAddress(&address, counter));
    FINE(cudaMemcpy(&seven, address, 4, cudaMemcpyDeviceToHost));
    EXPECT(seven == 7);
    int *a = nullptr, *b = nullptr;
    FINE(cudaMalloc(&a, 16));
    FINE(cudaMalloc(&b, 16));
    FINE(cudaMemcpy(a, in, 16, cudaMemcpyHostToDevice));
    add<<<1, 32>>>(b, a, 4);
    FINE(cudaGetLastError());
    FINE(cudaMemcpy(got, b, 16, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 17 && got[1] == 27 && got[2] == 14 && got[3] == 47);
    FINE(cudaFree(a));
    FINE(cudaFree(b));
}

static void shared_with_the_host() {
    int *pinned = nullptr, *mapped = nullptr, *device = nullptr, *managed = nullptr;
    FINE(cudaMallocHost(&pinned, 400));
    FINE(cudaHostAlloc(&mapped, 400, cudaHostAllocMapped));
    FINE(cudaMallocManaged(&managed, 400));
    unsigned flags = 0;
    FINE(cudaHostGetFlags(&flags, mapped));
    FINE(cudaHostGetDevicePointer((void **)&device, mapped, 0));
    for (int i = 0; i < 100; i++) mapped[i] = i;
    add<<<1, 128>>>(managed, device, 100);
    FINE(cudaGetLastError());
    FINE(cudaDeviceSynchronize());
    EXPECT(managed[0] == 17 && managed[99] == 99 + 40 + 7);
    FINE(cudaMemcpy(pinned, managed, 400, cudaMemcpyDefault));
    EXPECT(pinned[99] == 146);
    cudaPointerAttributes attributes;
    FINE(cudaPointerGetAttributes(&attributes, managed));
    EXPECT(attributes.type == cudaMemoryTypeManaged);
    FINE(cudaFreeHost(pinned));
    FINE(cudaFreeHost(mapped));
    EXPECT(msync(managed, 400, MS_ASYNC) == 0);
    FINE(cudaFree(managed));
    EXPECT(msync(managed, 400, MS_ASYNC) != 0); /* the host has no pages there any longer */
    std::vector<char> ordinary(8192);
    FINE(cudaHostRegister(ordinary.data(), 8192, 0));
    FINE(cudaHostUnregister(ordinary.data()));
}

static void advice() {
    int *managed = nullptr;
    FINE(cudaMallocManaged(&managed, 400));
#if CUDART_VERSION >= 13000
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    FINE(cudaMemAdvise(managed, 400, cudaMemAdviseSetReadMostly, 0)); /* the form of CUDA 12 */
    FINE(cudaMemPrefetchAsync(managed, 400, cudaCpuDeviceId, 0));
    FINE(cudaMemAdvise(managed, 400, cudaMemAdviseSetReadMostly, here));
    FINE(cudaMemPrefetchAsync(managed, 400, here, 0, 0));
#endif
    FINE(cudaStreamAttachMemAsync(0, managed, 0, 2));
    FINE(cudaFree(managed));
}

int main() {
    size_t free_before = 0, free_after = 0, total = 0;
    FINE(cudaMemGetInfo(&free_before, &total));
    plain_copies();
    large_copy();
    rows();
    box();
    variables();
    shared_with_the_host();
    advice();
    FINE(cudaMemGetInfo(&free_after, &total));
    EXPECT(total >= (size_t)2 << 30 && free_before <= total && free_after <= free_before);
    return finish();
}
