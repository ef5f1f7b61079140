/* clang only: nvcc takes a lambda of the device with --extended-lambda alone */
/* An array that a structure or a lambda brings along has the name that the source has for it. */
#include "mistake.h"

struct Box {
    float *low, *high;
};

struct Particles {
    int count;
    double *mass;
    Box box;
};

/* An optimiser loads both pointers at once. */
struct alignas(16) Ends {
    float *from, *to;
};

__global__ void shift(Ends e, int by) {
    e.to[threadIdx.x + by] = e.from[threadIdx.x]; // expect: out-of-bounds // says: e.to[1048576] of 64
}

__global__ void weigh(Particles p) {
    int i = threadIdx.x;
    if (i <= p.count) p.mass[i] = 1; // expect: out-of-bounds // says: p.mass[40] of 40
    p.box.high[i + 1] = p.box.low[i]; // expect: out-of-bounds // says: p.box.high[64] of 64
}

template <class Function>
__global__ void each(int count, Function f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) f(i);
}

int main() {
    Particles p = {40, nullptr, {device_floats(64), device_floats(64)}};
    CHECK(cudaMalloc(&p.mass, p.count * sizeof(double)));
    float *x = device_floats(64), *y = device_floats(64);
    weigh<<<1, 64>>>(p);
    finish();
    shift<<<1, 1>>>({y, x}, 1 << 20);
    finish();
    each<<<1, 96>>>(65, [=] __device__(int i) {
        x[i] += y[63 - i % 64]; // expect: out-of-bounds // says: x[64] of 64
    });
    finish();
    float host[64];
    double masses[40];
    for (float *array : {p.box.low, p.box.high, x, y}) {
        CHECK(cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(array));
    }
    CHECK(cudaMemcpy(masses, p.mass, sizeof masses, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p.mass));
    printf("%g\n", host[0] + masses[0]);
}
