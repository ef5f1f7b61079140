#include "mistake.h"

int main() {
    float *pinned = nullptr, *mapped = nullptr, *managed = nullptr;
    cudaStream_t stream;
    cudaEvent_t events[3];
    cudaArray_t array = nullptr;
    cudaTextureObject_t texture = 0;
    cudaGraph_t graph = nullptr;
    CHECK(cudaMallocHost((void **)&pinned, 4096));                // expect: leak
    CHECK(cudaHostAlloc(&mapped, 4096, cudaHostAllocMapped));     // expect: leak
    CHECK(cudaMallocManaged(&managed, 4096));                     // expect: leak
    CHECK(cudaStreamCreate(&stream));                             // expect-note: leak
    for (cudaEvent_t &event : events) CHECK(cudaEventCreate(&event)); // expect-note: leak
    CHECK(cudaGraphCreate(&graph, 0));                            // expect-note: leak
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, 32, 8)); // expect: leak
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr)); // expect-note: leak
    CHECK(cudaDeviceSynchronize());
}
