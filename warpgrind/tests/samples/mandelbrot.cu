/* The Mandelbrot set: threads of one warp leave their loops at different times. */
#include "sample.h"

struct Complex {
    double re, im;
    __host__ __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __host__ __device__ Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
    __host__ __device__ double norm() const { return re * re + im * im; }
};

__host__ __device__ int steps(int x, int y, int width, int height, int most) {
    Complex c = {-2.0 + 2.75 * x / width, -1.25 + 2.5 * y / height}, z = {0, 0};
    int count = 0;
    while (count < most && z.norm() <= 4) {
        z = z * z + c;
        count++;
    }
    return count;
}

__global__ void draw(int *picture, int width, int height, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) picture[y * width + x] = steps(x, y, width, height, most);
}

int main() {
    const int width = 61, height = 37, most = 60;
    std::vector<int> want(width * height);
    for (int i = 0; i < width * height; i++) want[i] = steps(i % width, i / width, width, height, most);
    int *d_picture = nullptr;
    CHECK(cudaMalloc(&d_picture, want.size() * sizeof(int)));
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    draw<<<grid, block>>>(d_picture, width, height, most);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_picture, want.size());
    CHECK(cudaFree(d_picture));
    /* A fused multiply and add may end a loop at the set's edge one step earlier or later. */
    int different = 0;
    for (size_t i = 0; i < want.size(); i++) different += got[i] != want[i];
    if (different <= 10) got = want;
    return verdict(got, want);
}
