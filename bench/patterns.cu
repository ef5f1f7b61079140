/* patterns.cu - kernels that touch device memory in as many ways as there are records to keep of it: memory_use.c runs them
 * and looks at how much the observers need. Each reads `in` and writes all n bytes of `out`.
 */
#include <cuda_runtime.h>

#define EACH(i, n) for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (n); i += gridDim.x * (size_t)blockDim.x)

extern "C" __global__ void floats(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 4)((float *)out)[i] = ((const float *)in)[i] + 1.0f;
}

extern "C" __global__ void doubles(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 8)((double *)out)[i] = ((const double *)in)[i] + 1.0;
}

extern "C" __global__ void bytes(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n) out[i] = in[i] + 1;
}

/* Neighbours are touched by threads of different blocks. */
extern "C" __global__ void scattered_floats(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 4) {
        size_t k = i * 40503 % (n / 4);
        ((float *)out)[k] = ((const float *)in)[k] + 1.0f;
    }
}

/* The worst there is: each byte written by another thread than its neighbours, and read by yet another one. */
extern "C" __global__ void scattered_bytes(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n) out[i * 40503 % n] = in[i * 10007 % n] + 1;
}

extern "C" __global__ void histogram(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 4) atomicAdd((unsigned *)out + ((const unsigned *)in)[i] % (n / 4), 1u);
}
