// An error of a function for both sides is held back until device code calls it, also by way of a template.
#include <array>
#include <cstdio>

int host_only(int);
__host__ __device__ int both(int x) {
    return host_only(x); // error: reference to __host__ function 'host_only' in __host__ __device__ function
}
inline __host__ __device__ int not_called(int x) { return host_only(x); }
template <typename T> __host__ __device__ T through(T x) { return both(x); }

__global__ void k(int *p) { p[0] = through(p[1]); }
