// C++ in device code: templates, lambdas, structs by value, classes, namespaces, constexpr, default arguments, recursion,
// function pointers, launch bounds, restrict, unions, enum classes, std::min, range of integer types.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

struct Point {
    float x, y;
    __host__ __device__ Point operator+(const Point &other) const {
        return Point{x + other.x, y + other.y};
    }
};

namespace shapes {
enum class Kind : int { Circle, Square };
template <typename T, int N> struct Small {
    T values[N];
    __host__ __device__ T &operator[](int i) { return values[i]; }
    __host__ __device__ const T &operator[](int i) const { return values[i]; }
    __device__ static constexpr int size() { return N; }
};
} // namespace shapes

constexpr int kThreads = 64;
__device__ float d_total;
__device__ const int table[4] = {1, 2, 3, 5};
static __device__ __forceinline__ int clamp_index(int i, int low = 0, int high = 3) {
    return i < low ? low : i > high ? high : i;
}
__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
typedef float (*Function)(float);
__device__ float twice(float x) {
    return 2 * x;
}
__device__ float half_of(float x) {
    return x / 2;
}

template <typename T> __global__ void __launch_bounds__(kThreads) axpy(T *__restrict__ y, const T *__restrict__ x, T a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] += a * x[i];
}

template <typename F> __global__ void apply(int *out, int n, F f) {
    int i = threadIdx.x;
    if (i < n) out[i] = f(i);
}

__global__ void many(Point *points, shapes::Small<int, 4> small, Point shift, shapes::Kind kind, uint8_t *bytes,
                     int64_t *wide, float4 *vectors) {
    const unsigned int i = threadIdx.x;
    points[i] = points[i] + shift;
    small[i & 3] += table[clamp_index((int)i - 1)];
    wide[i] = (int64_t)small[i & 3] * INT64_C(10000000000) + fibonacci(i % 8);
    bytes[i] = static_cast<uint8_t>(std::min(300u, 2 * i) & 0xff);
    Function f = kind == shapes::Kind::Circle ? twice : half_of;
    union {
        float real;
        unsigned int word;
    } bits;
    bits.real = f(1.0f);
    float4 v = make_float4(1.0f, 2.0f, 3.0f, bits.word == 0x40000000u ? 4.0f : 0.0f);
    vectors[i] = v;
    if (i == 0) d_total = v.x + v.y + v.z + v.w;
    switch (i % 3) {
    case 0: points[i].x += 1; break;
    case 1: points[i].y += 1; break;
    default: break;
    }
    static_assert(shapes::Small<int, 4>::size() == 4, "size");
}

int main() {
    int *d_out, got[32];
    cudaMalloc(&d_out, sizeof got);
    int k = 3;
    apply<<<1, 32>>>(d_out, 32, [k] __device__(int i) { return i * k + 1; });
    cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (got[i] != 3 * i + 1) return 1;
    double *d_x, *d_y;
    std::vector<double> x(100, 2.0), y(100, 1.0);
    cudaMalloc(&d_x, 100 * sizeof(double));
    cudaMalloc(&d_y, 100 * sizeof(double));
    cudaMemcpy(d_x, x.data(), 100 * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), 100 * sizeof(double), cudaMemcpyHostToDevice);
    axpy<double><<<2, kThreads>>>(d_y, d_x, 0.5, 100);
    cudaMemcpy(y.data(), d_y, 100 * sizeof(double), cudaMemcpyDeviceToHost);
    if (std::any_of(y.begin(), y.end(), [](double v) { return v != 2.0; })) return 2;

    Point *d_points;
    uint8_t *d_bytes;
    int64_t *d_wide;
    float4 *d_vectors;
    std::array<Point, 32> points{};
    cudaMalloc(&d_points, sizeof points);
    cudaMalloc(&d_bytes, 32);
    cudaMalloc(&d_wide, 32 * sizeof(int64_t));
    cudaMalloc(&d_vectors, 32 * sizeof(float4));
    cudaMemcpy(d_points, points.data(), sizeof points, cudaMemcpyHostToDevice);
    shapes::Small<int, 4> small{{10, 20, 30, 40}};
    many<<<1, 32>>>(d_points, small, Point{1, 2}, shapes::Kind::Circle, d_bytes, d_wide, d_vectors);
    cudaMemcpy(points.data(), d_points, sizeof points, cudaMemcpyDeviceToHost);
    float total = 0;
    cudaMemcpyFromSymbol(&total, d_total, sizeof total);
    int64_t wide[32];
    cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost);
    if (points[4].x != 1 || points[4].y != 3 || points[3].x != 2 || total != 10) return 3;
    if (wide[5] != INT64_C(250000000005)) return 4;
    cudaFree(d_out);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_points);
    cudaFree(d_bytes);
    cudaFree(d_wide);
    cudaFree(d_vectors);
    return 0;
}
