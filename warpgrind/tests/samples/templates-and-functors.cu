/* A type-generic map and reduce with functors, structs by value and overloaded device functions. */
#include "sample.h"

struct Square {
    template <typename T> __host__ __device__ T operator()(T x) const { return x * x; }
};

struct Affine {
    float scale;
    double shift;
    __host__ __device__ double operator()(double x) const { return scale * x + shift; }
};

template <typename T, typename Map> __global__ void map_sum(T *out, const T *in, int n, Map map) {
    extern __shared__ unsigned char raw[];
    T *temp = reinterpret_cast<T *>(raw);
    T own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += map(in[i]);
    temp[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        T total = 0;
        for (unsigned t = 0; t < blockDim.x; t++) total += temp[t];
        *out = total;
    }
}

template <typename T, typename Map> double run(Map map, int n) {
    std::vector<T> in(n);
    for (int i = 0; i < n; i++) in[i] = (T)(8 * sample_value(i));
    T *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, sizeof(T)));
    map_sum<<<1, 96, 96 * sizeof(T)>>>(d_out, d_in, n, map);
    CHECK(cudaGetLastError());
    T got = to_host(d_out, 1)[0], want = 0;
    for (T x : in) want += map(x);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return std::fabs((double)(got - want));
}

int main() {
    std::vector<double> errors = {run<int>(Square(), 1001), run<float>(Square(), 1001), run<double>(Affine{0.5f, 0.125}, 1001),
                                  run<long long>(Square(), 33)};
    return verdict(errors, {0, 0, 0, 0}, 0.05);
}
