/* patterns.cu - kernels of as many shapes as programs have: patterns.c measures the machine's speed and memory with each. All read
 * `in` and write `out`, which have n bytes each.
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

extern "C" __global__ void vectors(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 16) {
        float4 v = ((const float4 *)in)[i];
        ((float4 *)out)[i] = make_float4(v.w, v.z, v.y, v.x);
    }
}

/* Each warp touches 32 segments of 128 bytes at once. */
extern "C" __global__ void strided(unsigned char *out, const unsigned char *in, size_t n) {
    size_t rows = n / 4 / 1024;
    EACH(i, n / 4) {
        size_t k = i % rows * 1024 + i / rows;
        ((unsigned *)out)[k] = ((const unsigned *)in)[k] + 1;
    }
}

extern "C" __global__ void shared_histogram(unsigned char *out, const unsigned char *in, size_t n) {
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    EACH(i, n / 4) atomicAdd(&counts[((const unsigned *)in)[i] % 256], 1u);
    __syncthreads();
    atomicAdd((unsigned *)out + threadIdx.x, counts[threadIdx.x]);
}

extern "C" __global__ void transpose(unsigned char *out, const unsigned char *in, size_t n) {
    __shared__ float tile[16][17];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    const unsigned side = 2048, tiles = side / 16;
    for (unsigned t = blockIdx.x; t < tiles * tiles; t += gridDim.x) {
        unsigned row = t / tiles * 16, column = t % tiles * 16;
        __syncthreads();
        tile[y][x] = ((const float *)in)[(row + y) * side + column + x];
        __syncthreads();
        ((float *)out)[(column + y) * side + row + x] = tile[x][y];
    }
}

/* A bitonic sort of 256 numbers in each block. */
extern "C" __global__ void sort(unsigned char *out, const unsigned char *in, size_t n) {
    __shared__ unsigned s[256];
    unsigned t = threadIdx.x;
    for (size_t base = blockIdx.x * 256; base < n / 64; base += gridDim.x * 256) {
        s[t] = ((const unsigned *)in)[base + t] * 2654435761u;
        for (unsigned size = 2; size <= 256; size *= 2)
            for (unsigned step = size / 2; step > 0; step /= 2) {
                __syncthreads();
                unsigned other = t ^ step;
                if (other > t) {
                    unsigned a = s[t], b = s[other];
                    if ((a > b) == ((t & size) == 0)) {
                        s[t] = b;
                        s[other] = a;
                    }
                }
            }
        __syncthreads();
        ((unsigned *)out)[base + t] = s[t];
        __syncthreads();
    }
}

extern "C" __global__ void local_array(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 64) {
        unsigned ring[16], sum = 0;
        for (unsigned k = 0; k < 16; k++) ring[k] = ((const unsigned *)in)[i] + k;
        for (unsigned k = 0; k < 64; k++) sum += ring[(sum + k) % 16];
        ((unsigned *)out)[i] = sum;
    }
}

/* Each lane goes its own way for a while. */
extern "C" __global__ void divergent(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 64) {
        unsigned value = ((const unsigned *)in)[i] % 97 + 2, steps = 0;
        while (value != 1 && steps < 100) {
            value = value % 2 ? 3 * value + 1 : value / 2;
            steps++;
        }
        ((unsigned *)out)[i] = steps;
    }
}

__device__ __noinline__ unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void calls(unsigned char *out, const unsigned char *in, size_t n) {
    EACH(i, n / 256) ((unsigned *)out)[i] = fibonacci(((const unsigned *)in)[i] % 2 + 8);
}
