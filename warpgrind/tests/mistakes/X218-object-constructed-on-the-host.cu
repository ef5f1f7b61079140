#include "mistake.h"

#include <new>

struct Shape {
    __host__ __device__ virtual float area() const = 0;
};

struct Square : Shape {
    float side;
    __host__ __device__ explicit Square(float length) : side(length) {}
    __host__ __device__ float area() const override {
        return side * side;
    }
};

__global__ void construct(Square *at) {
    new (&at[threadIdx.x]) Square(threadIdx.x + 1.0f);
}

__global__ void measure_constructed(const Square *squares, float *out) {
    const Shape *shape = &squares[threadIdx.x];
    out[threadIdx.x] = shape->area(); // near: host-device-pointer
}

__global__ void measure_copied(const Square *squares, float *out) {
    const Shape *shape = &squares[threadIdx.x];
    out[threadIdx.x] = shape->area(); // expect: host-device-pointer // says: Construct it in a kernel
}

int main() {
    Square squares[4] = {Square(1), Square(2), Square(3), Square(4)}, *copied, *constructed;
    float *out = device_floats(4);
    CHECK(cudaMalloc(&constructed, sizeof squares));
    construct<<<1, 4>>>(constructed);
    measure_constructed<<<1, 4>>>(constructed, out);
    finish();
    CHECK(cudaMalloc(&copied, sizeof squares));
    CHECK(cudaMemcpy(copied, squares, sizeof squares, cudaMemcpyHostToDevice));
    measure_copied<<<1, 4>>>(copied, out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
