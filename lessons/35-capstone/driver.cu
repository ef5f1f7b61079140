/* driver.cu - calls the learner's gaussian_blur with one case's image, or the learner's test with filters of
 * its own.
 *
 * The filters work out each pixel from its own sum, one pass after the other, as slowly as they are plain.
 * One is right; the others break one rule of the specification each, and none touches memory that is not its
 * own.
 */
#include "lessons/common/driver.h"

#include <cstdlib>

typedef void Blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);

void gaussian_blur(float4 *d_out, const float4 *d_in, int width, int height, int radius);
bool test_blur(Blur *blur);

namespace {

/* WRAPS: at the upper and the lower edge. WHOLE_WARPS_ONLY: of images that are wider than a warp. */
enum Fault { RIGHT, WRAPS, KEEPS_ALPHA, SHORT_RADIUS, WHOLE_WARPS_ONLY, MIRRORS };
enum { THREADS = 128, WARP = 32 };

template <Fault fault> __device__ int place(int i, int length) {
    if (fault == WRAPS) return (i % length + length) % length;
    if (fault == MIRRORS) {
        const int period = 2 * length, at = (i % period + period) % period;
        return min(at, period - 1 - at);
    }
    return min(max(i, 0), length - 1);
}

/* One pass, along rows or along columns. */
template <Fault fault>
__global__ void pass(float4 *out, const float4 *in, int width, int height, int radius, bool columns) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= width * height) return;
    const int x = i % width, y = i / width;
    const bool skipped = fault == WHOLE_WARPS_ONLY && width > WARP && x >= width / WARP * WARP;
    constexpr Fault along = fault == WRAPS ? RIGHT : fault;
    const float sigma = (float)radius / 2.0f;
    const int taken = fault == SHORT_RADIUS && radius > 0 ? radius - 1 : radius;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    float weights = 0.0f;
    for (int k = -taken; k <= taken; k++) {
        const float weight = radius > 0 ? expf(-(float)(k * k) / (2.0f * sigma * sigma)) : 1.0f;
        const float4 pixel = columns ? in[place<fault>(y + k, height) * width + x]
                                     : in[y * width + place<along>(x + k, width)];
        sum.x += weight * pixel.x;
        sum.y += weight * pixel.y;
        sum.z += weight * pixel.z;
        sum.w += weight * pixel.w;
        weights += weight;
    }
    sum = {sum.x / weights, sum.y / weights, sum.z / weights, sum.w / weights};
    if (fault == KEEPS_ALPHA) sum.w = in[i].w;
    out[i] = skipped ? in[i] : sum;
}

template <Fault fault> void filter(float4 *d_out, const float4 *d_in, int width, int height, int radius) {
    const int count = width * height, blocks = (count + THREADS - 1) / THREADS;
    float4 *d_rows = NULL;
    if (width <= 0 || height <= 0) return;
    if (cudaMalloc(&d_rows, (size_t)count * sizeof *d_rows) != cudaSuccess) exit(EXIT_FAILURE);
    pass<fault><<<blocks, THREADS>>>(d_rows, d_in, width, height, radius, false);
    pass<fault><<<blocks, THREADS>>>(d_out, d_rows, width, height, radius, true);
    if (cudaFree(d_rows) != cudaSuccess) exit(EXIT_FAILURE);
}

Blur *const filters[] = {
    filter<RIGHT>,  filter<WRAPS>, filter<KEEPS_ALPHA>, filter<SHORT_RADIUS>, filter<WHOLE_WARPS_ONLY>,
    filter<MIRRORS>};

} // namespace

/* The case's filters, each by its number, in the case's order. */
static void ask_test(DriverCase *driven) {
    size_t count = 0;
    const float *numbers = driver_input_floats(driven, "filters", &count);
    float *verdicts = driver_poisoned_floats(driven, count);
    for (size_t i = 0; i < count; i++)
        verdicts[i] = test_blur(filters[(int)numbers[i]]) ? 1.0f : 0.0f;
    driver_answer_floats(driven, "verdicts", verdicts, count);
}

void driver_case(DriverCase *driven) {
    if (driver_input_int(driven, "of_test")) {
        ask_test(driven);
        return;
    }
    size_t count = 0;
    const float *d_in = driver_device_input(driven, "image", &count);
    float *d_out = driver_device_poisoned(driven, count);
    gaussian_blur((float4 *)d_out, (const float4 *)d_in, driver_input_int(driven, "width"),
                  driver_input_int(driven, "height"), driver_input_int(driven, "radius"));
    driver_answer_device(driven, "out", d_out, count);
}
