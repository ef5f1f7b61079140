/* A host function in a stream must call nothing of the runtime. */
#include <atomic>

#include "mistake.h"

struct Job {
    float *device, *host;
    std::atomic<int> done;
};

__global__ void scale(float *x, float factor) {
    x[threadIdx.x] *= factor;
}

static void CUDART_CB fetch(void *data) {
    Job *job = (Job *)data;
    cudaMemcpy(job->host, job->device, 4, cudaMemcpyDeviceToHost); // expect: api-misuse // says: cudaMemcpy is called in a host function that a stream runs
    cudaGetLastError();                                            // expect: api-misuse
    scale<<<1, 32>>>(job->device, 3); // expect: api-misuse // says: a kernel is launched in a host function
    job->done++;
}

static void CUDART_CB check(cudaStream_t stream, cudaError_t status, void *data) {
    if (cudaStreamQuery(stream) == cudaSuccess) status = cudaSuccess; // expect: api-misuse // says: returned cudaErrorNotPermitted
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    ((Job *)data)->done++;
}

/* What has nothing to do with the device is allowed. */
static void CUDART_CB count(void *data) {
    fprintf(stderr, "%s\n", cudaGetErrorName(cudaSuccess)); // near: api-misuse
    ((Job *)data)->done += 10;                             // near: api-misuse
}

int main() {
    float h = 0;
    Job job = {device_floats(32), &h, {0}};
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    scale<<<1, 32, 0, stream>>>(job.device, 2);
    CHECK(cudaLaunchHostFunc(stream, fetch, &job));
    CHECK(cudaStreamAddCallback(stream, check, &job, 0));
    CHECK(cudaLaunchHostFunc(stream, count, &job));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&h, job.device, 4, cudaMemcpyDeviceToHost)); // near: api-misuse
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(job.device));
    return job.done != 12;
}
