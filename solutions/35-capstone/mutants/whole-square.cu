// Lesson 35: a Gaussian blur, and a test of such filters. Each thread adds up the whole square
// round its pixel.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
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

// A filter: leaves the blurred image d_in, of width x height pixels, in d_out. All is on the device.
typedef void Blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);

enum { MOST_RADIUS = 16 };

enum { MOST_WEIGHTS = 2 * MOST_RADIUS + 1 };
enum { SIDE = 16 };

__constant__ float weights[MOST_WEIGHTS]; // weight k is at weights[k + radius]

// The weights of a radius, which add up to 1.
void make_weights(float *h_weights, int radius) {
    double sum = 0.0;
    for (int k = -radius; k <= radius; k++)
        sum += radius > 0 ? exp(-2.0 * k * k / (radius * (double)radius)) : 1.0;
    for (int k = -radius; k <= radius; k++)
        h_weights[k + radius] = (float)((radius > 0 ? exp(-2.0 * k * k / (radius * (double)radius)) : 1.0) / sum);
}

__device__ int clamped(int i, int length) {
    return min(max(i, 0), length - 1);
}

__device__ void add(float4 *sum, float weight, float4 pixel) {
    sum->x += weight * pixel.x;
    sum->y += weight * pixel.y;
    sum->z += weight * pixel.z;
    sum->w += weight * pixel.w;
}

// Each thread has a pixel.
__global__ void blur_kernel(float4 *out, const float4 *in, int width, int height, int radius) {
    const int x = (int)(blockIdx.x * SIDE + threadIdx.x), y = (int)(blockIdx.y * SIDE + threadIdx.y);
    if (x >= width || y >= height) return;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int j = 0; j <= 2 * radius; j++)
        for (int i = 0; i <= 2 * radius; i++)
            add(&sum, weights[j] * weights[i],
                in[(size_t)clamped(y + j - radius, height) * width + clamped(x + i - radius, width)]);
    out[(size_t)y * width + x] = sum;
}

// The filter: see the page for its specification. radius is 0 to MOST_RADIUS; width and height may be 0.
void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    if (width == 0 || height == 0) return;
    float h_weights[MOST_WEIGHTS];
    make_weights(h_weights, radius);
    CHECK(cudaMemcpyToSymbol(weights, h_weights, (size_t)(2 * radius + 1) * sizeof(float)));
    const dim3 blocks((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    blur_kernel<<<blocks, dim3(SIDE, SIDE)>>>(d_out, d_in, width, height, radius); // expect: over-budget
    CHECK(cudaGetLastError());
}

// The specification on the host, in double precision: one channel of one pixel.
double wanted(const std::vector<float> &image, int width, int height, int radius, int x, int y, int channel) {
    double sum = 0.0, all = 0.0;
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++) {
            const int from_x = x + i < 0 ? 0 : x + i < width ? x + i : width - 1;
            const int from_y = y + j < 0 ? 0 : y + j < height ? y + j : height - 1;
            const double weight = radius > 0 ? exp(-2.0 * (i * i + j * j) / (radius * (double)radius)) : 1.0;
            sum += weight * image[((size_t)from_y * width + from_x) * 4 + channel];
            all += weight;
        }
    return sum / all;
}

// Whether the filter is right for one image of this size.
bool is_right(Blur *blur, int width, int height, int radius) {
    const size_t count = (size_t)width * height * 4;
    std::vector<float> image(count), got(count);
    for (size_t i = 0; i < count; i++)
        image[i] = (float)(i * 7919 % 1009) / 1009.0f; // no two neighbours alike
    float4 *d_in = NULL, *d_out = NULL;
    CHECK(cudaMalloc(&d_in, count * sizeof(float)));
    CHECK(cudaMalloc(&d_out, count * sizeof(float)));
    CHECK(cudaMemcpy(d_in, image.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_out, 0xff, count * sizeof(float))); // what is never written is not a number
    blur(d_out, d_in, width, height, radius);
    CHECK(cudaMemcpy(got.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int channel = 0; channel < 4; channel++) {
                const double want = wanted(image, width, height, radius, x, y, channel);
                if (!(fabs(got[((size_t)y * width + x) * 4 + channel] - want) <= 1e-4)) return false;
            }
    return true;
}

// Your test of a filter: returns true when it is right, false when it is not.
bool test_blur(Blur *blur) {
    return is_right(blur, 5, 3, 0) && is_right(blur, 35, 9, 2) && is_right(blur, 9, 35, 5);
}
