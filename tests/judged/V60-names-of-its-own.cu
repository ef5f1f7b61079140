/* lesson: 01 */
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

namespace mine {
static int main(int n) { // near: reserved-symbol; only the global one is the program's
    return (n + 255) / 256;
}
} // namespace mine

struct Buffer {
    float *data = nullptr;
    void cudaMalloc(size_t bytes) { // near: reserved-symbol; a member is called by another name
        CHECK(::cudaMalloc(&data, bytes));
    }
    ~Buffer() { CHECK(cudaFree(data)); } // near: leak
};

template <typename T> static __host__ __device__ T cuda_sum(T a, T b) { // near: reserved-symbol
    return a + b;
}

const int UNIT = 1;

__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * UNIT) z[i] = cuda_sum(x[i], y[i]); // near: compile-error; a constant, and a function for both sides
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    size_t bytes = n * sizeof(float);
    Buffer x, y, z;
    x.cudaMalloc(bytes);
    y.cudaMalloc(bytes);
    z.cudaMalloc(bytes);
    CHECK(cudaMemcpy(x.data, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y.data, h_y, bytes, cudaMemcpyHostToDevice));
    vector_add_kernel<<<mine::main(n), 256>>>(z.data, x.data, y.data, n); // near: over-budget
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_z, z.data, bytes, cudaMemcpyDeviceToHost));
}
