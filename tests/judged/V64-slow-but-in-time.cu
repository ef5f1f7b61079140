/* lesson: 01 */
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void add_some(float *z, const float *x, const float *y, int first, int n) {
    int i = first + (int)threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    usleep(20000); // near: timeout; slow, and soon over
    if (n == 0) return;
    size_t bytes = n * sizeof(float), room = (size_t)64 << 20;
    float *d = NULL, *between = (float *)malloc(bytes);
    CHECK(cudaMalloc(&d, room)); // near: limit; far more than needed, and less than there is
    float *x = d, *y = d + (room / 3) / 4, *z = d + (room / 3) / 4 * 2;
    CHECK(cudaMemcpy(x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, h_y, bytes, cudaMemcpyHostToDevice));
    for (int first = 0; first < n; first += 1024) { // near: timeout limit; one block each
        add_some<<<1, 1024>>>(z, x, y, first, n); // expect-note: over-budget
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(between, z, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) h_z[i] = between[i]; // near: not-on-gpu; carried by the host, made by the kernel
    printf("added %d numbers\n", n);                 // near: limit
    free(between);
    CHECK(cudaFree(d));
}
