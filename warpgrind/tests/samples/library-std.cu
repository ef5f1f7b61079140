/* Parts of cuda::std in kernels: complex numbers, tuples, arrays, limits, and atomics of libcu++ on plain memory. */
#include "sample.h"

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>

enum { COUNT = 64 };
typedef cuda::std::complex<float> Complex;

__global__ void turn(Complex *z, int *sum) {
    cuda::std::array<int, 3> steps{1, 2, 3};
    auto pair = cuda::std::make_tuple(steps[2], 0.5f);
    z[threadIdx.x] *= Complex(0, 2);
    z[threadIdx.x] = z[threadIdx.x] / Complex(2, 0) + Complex(cuda::std::get<1>(pair), 0);
    if (z[threadIdx.x].real() > cuda::std::numeric_limits<float>::max()) return;
    cuda::atomic_ref<int, cuda::thread_scope_device> total(*sum);
    total.fetch_add(cuda::std::get<0>(pair), cuda::memory_order_relaxed);
}

int main() {
    std::vector<float> in, got, want;
    for (int i = 0; i < COUNT; i++) {
        in.insert(in.end(), {1.0f * i, 2.0f * i});
        want.insert(want.end(), {-2.0f * i + 0.5f, 1.0f * i});
    }
    float *numbers = to_device(in);
    int *sum = to_device(std::vector<int>(1));
    turn<<<1, COUNT>>>((Complex *)numbers, sum);
    CHECK(cudaGetLastError());
    got = to_host(numbers, 2 * COUNT);
    got.push_back(to_host(sum, 1)[0]);
    want.push_back(3 * COUNT);
    CHECK(cudaFree(numbers));
    CHECK(cudaFree(sum));
    return verdict(got, want);
}
