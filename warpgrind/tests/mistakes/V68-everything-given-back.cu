#include "mistake.h"

int main() {
    float *pinned = nullptr, *managed = nullptr;
    std::vector<float> registered(5000);
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaMallocHost(&pinned, 4096));     // near: leak
    CHECK(cudaMallocManaged(&managed, 4096)); // near: leak
    CHECK(cudaStreamCreate(&stream));         // near-note: leak
    CHECK(cudaEventCreate(&event));           // near-note: leak
    CHECK(cudaGraphCreate(&graph, 0));        // near-note: leak
    CHECK(cudaGraphInstantiate(&executable, graph, 0)); // near-note: leak
    CHECK(cudaHostRegister(registered.data(), 5000 * sizeof(float), cudaHostRegisterDefault)); // near: leak; its memory is the vector's
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaMallocHost(&pinned, 4096)); // near: leak; the reset takes it along
    CHECK(cudaDeviceReset());
}
