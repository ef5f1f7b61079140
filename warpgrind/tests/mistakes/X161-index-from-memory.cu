#include "mistake.h"

// What a thread reads chooses the element that it uses: no threadIdx.x can change which one.
__global__ void gather(float *y, const float *x, const int *columns, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[columns[i]]; // expect-note: uncoalesced // says: Sort or renumber the data
}

__global__ void scatter(float *y, const float *x, const int *places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[places[i]] = x[i]; // expect-note: uncoalesced // says: which elements a warp writes together
}

// The first element comes from memory, the others follow it: here the threads could take neighbours.
__global__ void rows(float *y, const float *values, const int *starts, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k]; // expect-note: uncoalesced // says: Neighbouring threads should use neighbouring elements
    if (row < n) y[row] = sum;
}

int main() {
    const int n = 16384;
    int *places = nullptr, *starts = nullptr;
    static int host[n + 1];
    float *x = device_floats(n), *y = device_floats(n);
    CHECK(cudaMalloc(&places, n * sizeof(int)));
    CHECK(cudaMalloc(&starts, 257 * sizeof(int)));
    for (int i = 0; i < n; i++) host[i] = (int)(i * 4099LL % n);
    CHECK(cudaMemcpy(places, host, n * sizeof(int), cudaMemcpyHostToDevice));
    for (int i = 0; i <= 256; i++) host[i] = i * (n / 256);
    CHECK(cudaMemcpy(starts, host, 257 * sizeof(int), cudaMemcpyHostToDevice));
    gather<<<n / 256, 256>>>(y, x, places, n);
    scatter<<<n / 256, 256>>>(y, x, places, n);
    rows<<<1, 256>>>(y, x, starts, 256);
    finish();
    CHECK(cudaFree(places));
    CHECK(cudaFree(starts));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}
