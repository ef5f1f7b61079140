/* Objects made, asked and deleted on the device; a table of function pointers; a lambda for a kernel. */
#include "sample.h"

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};

struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

struct Triangle : Shape {
    float base, height;
    __device__ Triangle(float b, float h) : base(b), height(h) {}
    __device__ float area() const override { return 0.5f * base * height; }
};

__global__ void make(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2)
        shapes[i] = new Square((float)i);
    else
        shapes[i] = new Triangle((float)i, 3.0f);
}

__global__ void ask(float *areas, Shape *const *shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) areas[i] = shapes[i]->area();
}

__global__ void discard(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) delete shapes[i];
}

typedef float (*Change)(float);
__device__ float doubled(float x) { return 2 * x; }
__device__ float halved(float x) { return x / 2; }
__device__ Change changes[] = {doubled, halved};

template <typename Function> __global__ void apply(float *values, int n, Function function) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = changes[i % 2](function(values[i]));
}

int main() {
    const int n = 100;
    Shape **shapes = nullptr;
    float *areas = nullptr, offset = 1.5f;
    CHECK(cudaMalloc(&shapes, n * sizeof *shapes));
    CHECK(cudaMalloc(&areas, n * sizeof(float)));
    make<<<4, 32>>>(shapes, n);
    ask<<<4, 32>>>(areas, shapes, n);
    apply<<<4, 32>>>(areas, n, [=] __device__(float x) { return x + offset; });
    discard<<<4, 32>>>(shapes, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(areas, n), want(n);
    for (int i = 0; i < n; i++) want[i] = i % 2 ? ((float)i * i + offset) / 2 : ((float)i * 1.5f + offset) * 2;
    CHECK(cudaFree(shapes));
    CHECK(cudaFree(areas));
    return verdict(got, want, 1e-3);
}
