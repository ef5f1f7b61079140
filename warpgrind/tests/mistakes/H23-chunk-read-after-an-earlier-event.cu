/* The chunks of one buffer arrive one by one, and the event was recorded before the last copy. However many
 * numbers of the earlier chunks are read first, the last one's are seen. */
#include "mistake.h"

enum { CHUNKS = 4, COUNT = 250, BYTES = COUNT * sizeof(int) };

__global__ void make(int *z, int base) {
    z[threadIdx.x] = base + threadIdx.x;
}

/* Every third number of what the host takes the others of. */
__global__ void thirds(int *z) {
    z[3 * threadIdx.x] = 3; // expect: missing-sync
}

__global__ void other_thirds(int *z) {
    z[3 * threadIdx.x] = 3; // near: missing-sync
}

int main() {
    int *d = nullptr, *h = nullptr, *both = nullptr;
    cudaStream_t stream;
    cudaEvent_t done;
    long sum = 0;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMallocHost(&h, CHUNKS * COUNT * sizeof(int)));
    CHECK(cudaMalloc(&d, CHUNKS * COUNT * sizeof(int)));
    CHECK(cudaMallocManaged(&both, 3 * COUNT * sizeof(int)));
    for (int c = 0; c < CHUNKS; c++) {
        make<<<1, COUNT, 0, stream>>>(d + c * COUNT, c * 1000);
        CHECK(cudaEventRecord(done, stream));
        CHECK(cudaMemcpyAsync(h + c * COUNT, d + c * COUNT, BYTES, cudaMemcpyDeviceToHost, stream)); // expect: missing-sync
    }
    CHECK(cudaEventSynchronize(done));
    for (int i = 0; i < (CHUNKS - 1) * COUNT; i++)
        sum += h[i]; // near: missing-sync
    for (int i = 0; i < COUNT; i++)
        sum += h[(CHUNKS - 1) * COUNT + i]; // expect: missing-sync
    CHECK(cudaDeviceSynchronize());

    other_thirds<<<1, COUNT, 0, stream>>>(both);
    for (int i = 0; i < COUNT; i++)
        both[3 * i + 1] = 1; // near: missing-sync
    for (int i = 0; i < COUNT; i++)
        both[3 * i + 2] = 2; // near: missing-sync
    CHECK(cudaDeviceSynchronize());
    thirds<<<1, COUNT, 0, stream>>>(both);
    for (int i = 0; i < 3 * COUNT; i++)
        sum += both[i]; // expect: missing-sync
    CHECK(cudaDeviceSynchronize());

    printf("%ld\n", sum);
    CHECK(cudaFree(both));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(stream));
}
