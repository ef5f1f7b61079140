// Lesson 21, another shape: the whole field is copied on the device, and the kernel fills in the inner cells.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { WIDTH = 32, HEIGHT = 8 };

__global__ void inner_kernel(float *d_out, const float *d_in, int nx, int ny, int nz) {
    __shared__ float tile[HEIGHT + 2][WIDTH + 2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * WIDTH + tx + 1, y = blockIdx.y * HEIGHT + ty + 1;
    const bool inner = x < nx - 1 && y < ny - 1;
    const size_t plane = (size_t)nx * ny;
    size_t i = (size_t)y * nx + x;
    float below = inner ? d_in[i] : 0.0F;
    float here = inner ? d_in[i + plane] : 0.0F;
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        const float above = inner ? d_in[i + plane] : 0.0F;
        if (inner) tile[ty + 1][tx + 1] = here;
        if (inner && tx == 0) tile[ty + 1][0] = d_in[i - 1];
        if (inner && (tx == WIDTH - 1 || x == nx - 2)) tile[ty + 1][tx + 2] = d_in[i + 1];
        if (inner && ty == 0) tile[0][tx + 1] = d_in[i - nx];
        if (inner && (ty == HEIGHT - 1 || y == ny - 2)) tile[ty + 2][tx + 1] = d_in[i + nx];
        __syncthreads();
        if (inner)
            d_out[i] = (here + below + above + tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                        tile[ty + 2][tx + 1]) /
                       7.0F;
        __syncthreads();
        below = here;
        here = above;
    }
}

void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz) {
    const size_t cells = (size_t)nx * ny * nz;
    if (cells == 0) return;
    CHECK(cudaMemcpy(d_out, d_in, cells * sizeof(float), cudaMemcpyDeviceToDevice));
    if (nx < 3 || ny < 3 || nz < 3) return;
    const dim3 blocks((nx - 3) / WIDTH + 1, (ny - 3) / HEIGHT + 1), threads(WIDTH, HEIGHT);
    inner_kernel<<<blocks, threads>>>(d_out, d_in, nx, ny, nz);
    CHECK(cudaGetLastError());
}
