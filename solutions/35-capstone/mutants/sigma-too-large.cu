// Lesson 35, a typical mistake: the exponent lacks its factor 2.
// told: root-sigma

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
enum { ROW_TILE = 128 };                        // pixels of a row that a block has
enum { COLUMNS = 16, LANES = 16, STEPS = 4 };   // a block has a tile of 16 columns, of 4 times 16 rows
enum { COLUMN_TILE = LANES * STEPS };

__constant__ float weights[MOST_WEIGHTS]; // weight k is at weights[k + radius]

// The weights of a radius, which add up to 1.
void make_weights(float *h_weights, int radius) {
    double sum = 0.0;
    for (int k = -radius; k <= radius; k++)
        sum += radius > 0 ? exp(-k * k / (radius * (double)radius)) : 1.0;
    for (int k = -radius; k <= radius; k++)
        h_weights[k + radius] = (float)((radius > 0 ? exp(-k * k / (radius * (double)radius)) : 1.0) / sum);
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

// A block has ROW_TILE pixels of a row, and the pixels within the radius on both sides.
__global__ void rows_kernel(float4 *out, const float4 *in, int width, int radius) {
    __shared__ float4 tile[ROW_TILE + 2 * MOST_RADIUS];
    const int first = (int)blockIdx.x * ROW_TILE;
    const size_t row = (size_t)blockIdx.y * width;
    for (int i = (int)threadIdx.x; i < ROW_TILE + 2 * radius; i += ROW_TILE)
        tile[i] = in[row + clamped(first + i - radius, width)];
    __syncthreads();
    const int x = first + (int)threadIdx.x;
    if (x >= width) return;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k <= 2 * radius; k++)
        add(&sum, weights[k], tile[threadIdx.x + k]);
    out[row + x] = sum;
}

// A block has COLUMNS columns and COLUMN_TILE rows, and the rows within the radius above and below.
__global__ void columns_kernel(float4 *out, const float4 *in, int width, int height, int radius) {
    __shared__ float4 tile[COLUMN_TILE + 2 * MOST_RADIUS][COLUMNS];
    const int first = (int)blockIdx.y * COLUMN_TILE;
    const int x = (int)(blockIdx.x * COLUMNS + threadIdx.x);
    for (int i = (int)threadIdx.y; i < COLUMN_TILE + 2 * radius; i += LANES)
        tile[i][threadIdx.x] = in[(size_t)clamped(first + i - radius, height) * width + clamped(x, width)];
    __syncthreads();
    if (x >= width) return;
    for (int i = (int)threadIdx.y; i < COLUMN_TILE && first + i < height; i += LANES) {
        float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k <= 2 * radius; k++)
            add(&sum, weights[k], tile[i + k][threadIdx.x]);
        out[(size_t)(first + i) * width + x] = sum; // expect: wrong-answer
    }
}

// The filter: see the page for its specification. radius is 0 to MOST_RADIUS; width and height may be 0.
void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    if (width == 0 || height == 0) return;
    float h_weights[MOST_WEIGHTS];
    make_weights(h_weights, radius);
    CHECK(cudaMemcpyToSymbol(weights, h_weights, (size_t)(2 * radius + 1) * sizeof(float)));
    float4 *d_rows = NULL; // the image with its rows blurred
    CHECK(cudaMallocAsync(&d_rows, (size_t)width * height * sizeof(float4), 0));
    const dim3 row_blocks((width + ROW_TILE - 1) / ROW_TILE, height);
    rows_kernel<<<row_blocks, ROW_TILE>>>(d_rows, d_in, width, radius);
    CHECK(cudaGetLastError());
    const dim3 column_blocks((width + COLUMNS - 1) / COLUMNS, (height + COLUMN_TILE - 1) / COLUMN_TILE);
    columns_kernel<<<column_blocks, dim3(COLUMNS, LANES)>>>(d_out, d_rows, width, height, radius);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_rows, 0));
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
