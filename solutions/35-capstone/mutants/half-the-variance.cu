// Lesson 35, a typical mistake: the exponent of the weights lacks its factor 2.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <vector>
// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

typedef void Blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);
enum { MOST_RADIUS = 16, ACROSS = 64, DOWN = 4 };
__constant__ float weights[2 * MOST_RADIUS + 1];

static std::vector<float> weights_of(int radius) {
    std::vector<double> g;
    double all = 0;
    for (int k = -radius; k <= radius; k++) {
        const double sigma = radius / 2.0;
        g.push_back(radius ? exp(-k * k / (sigma * sigma)) : 1.0);
        all += g.back();
    }
    std::vector<float> w;
    for (double one : g)
        w.push_back((float)(one / all));
    return w;
}

__host__ __device__ inline float4 plus(float4 a, float w, float4 b) {
    return make_float4(a.x + w * b.x, a.y + w * b.y, a.z + w * b.z, a.w + w * b.w);
}

// Blurs along rows, and leaves the result turned: done twice, rows and columns are blurred and the image
// stands as before.
__global__ void blur_and_turn(float4 *out, const float4 *in, int width, int height, int radius) {
    __shared__ float4 tile[DOWN][ACROSS + 2 * MOST_RADIUS];
    const int y = blockIdx.y * DOWN + threadIdx.y, first = blockIdx.x * ACROSS;
    if (y < height)
        for (int i = threadIdx.x; i < ACROSS + 2 * radius; i += ACROSS)
            tile[threadIdx.y][i] = in[(size_t)y * width + min(max(first + i - radius, 0), width - 1)];
    __syncthreads();
    const int x = first + threadIdx.x;
    if (x >= width || y >= height) return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k <= 2 * radius; k++)
        sum = plus(sum, weights[k], tile[threadIdx.y][threadIdx.x + k]);
    out[(size_t)x * height + y] = sum; // expect: wrong-answer
}

void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    if (width == 0 || height == 0) return;
    const std::vector<float> w = weights_of(radius);
    CHECK(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof w[0]));
    float4 *d_turned;
    CHECK(cudaMalloc(&d_turned, sizeof(float4) * width * height));
    const dim3 block(ACROSS, DOWN);
    blur_and_turn<<<dim3((width + ACROSS - 1) / ACROSS, (height + DOWN - 1) / DOWN), block>>>(
        d_turned, d_in, width, height, radius);
    CHECK(cudaGetLastError());
    blur_and_turn<<<dim3((height + ACROSS - 1) / ACROSS, (width + DOWN - 1) / DOWN), block>>>(
        d_out, d_turned, height, width, radius);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_turned));
}

static std::vector<float4> plain_pass(const std::vector<float4> &in, int width, int height, int radius,
                                      bool along) {
    const std::vector<float> w = weights_of(radius);
    std::vector<float4> out(in.size());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float4 sum = make_float4(0, 0, 0, 0);
            for (int k = -radius; k <= radius; k++) {
                const int c = along ? std::min(std::max(x + k, 0), width - 1) : x;
                const int r = along ? y : std::min(std::max(y + k, 0), height - 1);
                sum = plus(sum, w[k + radius], in[r * width + c]);
            }
            out[y * width + x] = sum;
        }
    return out;
}

static bool near(float a, float b) {
    return fabsf(a - b) < 1e-4f;
}

static bool right(Blur *blur, int width, int height, int radius, unsigned seed) {
    std::vector<float4> image(width * height), got(width * height);
    for (float4 &p : image) {
        float *c = &p.x;
        for (int i = 0; i < 4; i++) {
            seed = seed * 1664525U + 1013904223U;
            c[i] = (seed >> 8) / 16777216.0f;
        }
    }
    const size_t bytes = image.size() * sizeof(float4);
    float4 *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, image.data(), bytes, cudaMemcpyHostToDevice));
    blur(d_out, d_in, width, height, radius);
    CHECK(cudaMemcpy(got.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    const std::vector<float4> want =
        plain_pass(plain_pass(image, width, height, radius, true), width, height, radius, false);
    for (size_t i = 0; i < got.size(); i++)
        if (!near(got[i].x, want[i].x) || !near(got[i].y, want[i].y) || !near(got[i].z, want[i].z) ||
            !near(got[i].w, want[i].w))
            return false;
    return true;
}

bool test_blur(Blur *blur) {
    const int sizes[][2] = {{1, 1}, {13, 7}, {70, 9}, {5, 40}}, radii[] = {0, 1, 3, 16};
    for (const auto &size : sizes)
        for (int radius : radii)
            if (!right(blur, size[0], size[1], radius, 17 + radius)) return false;
    return true;
}

// told: narrow-sigma rejects-all
