#include "mistake.h"

__device__ float *kept;

__global__ void make(void) {
    kept = (float *)malloc(32 * sizeof(float)); // near: leak
}

__global__ void use(float *out) {
    kept[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = kept[threadIdx.x];
}

__global__ void drop(void) {
    free(kept);
}

__global__ void own(float *out, int n) {
    float *values = new float[n]; // near: leak
    for (int i = 0; i < n; i++)
        values[i] = i + threadIdx.x;
    for (int i = 0; i < n; i++)
        out[threadIdx.x] += values[i];
    delete[] values;
}

int main() {
    float *out = device_floats(32);
    make<<<1, 1>>>();
    use<<<1, 32>>>(out);
    drop<<<1, 1>>>();
    own<<<1, 32>>>(out, 5);
    finish();
    CHECK(cudaFree(out));
    make<<<1, 1>>>(); /* the heap goes with the device */
    finish();
    CHECK(cudaDeviceReset());
}
