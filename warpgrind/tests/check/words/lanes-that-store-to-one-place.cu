// options: --seed 0
// says: bytes global: 0 8 16 24 | 0 1 2 3 | 0 99 99 3 | 0 2 3 4
// says: bytes shared: 0 8 16 24 | 0 1 2 3 | 0 2 2 3 | 0 2 3 4
// says: ints global: 0 8 16 24 | 0 1 2 3 | 0 99 99 3 | 0 2 3 4
// says: ints shared: 0 8 16 24 | 0 1 2 3 | 0 2 2 3 | 0 2 3 4
// says: pairs global: 0 8 16 24 | 16 17 18 19 | 17 99 99 18 | 19 20 16 18
// says: pairs shared: 0 8 16 24 | 16 17 18 19 | 17 2 2 18 | 19 20 16 18
// says: fours global: 0 8 16 24 | 24 25 26 27 | 25 99 99 24 | 28 24 26 27
// says: fours shared: 0 8 16 24 | 24 25 26 27 | 25 2 2 24 | 28 24 26 27
// says: exchanged: 7 15 23 31
#include <cstdio>

// Who wins where lanes of a warp store to one place: with seed 0 the lane that wins on a card (an H100 prints these lines).
__device__ unsigned place_of(int pattern, unsigned lane) {
    if (pattern == 0) return lane / 8;
    if (pattern == 1) return lane % 4;
    if (pattern == 2) return (lane * lane + 3 * lane) % 5;
    return (lane * 7 % 32) / 8;
}

template <class T> __device__ T value_of(unsigned lane) { return T(lane); }
template <> __device__ int2 value_of<int2>(unsigned lane) { return make_int2(lane, lane); }
template <> __device__ int4 value_of<int4>(unsigned lane) { return make_int4(lane, lane, lane, lane); }

template <class T> __global__ void to_global(T *out, int pattern) {
    out[place_of(pattern, threadIdx.x)] = value_of<T>(threadIdx.x);
}

template <class T> __global__ void to_shared(T *out, int pattern) {
    __shared__ T all[8];
    if (threadIdx.x < 8) all[threadIdx.x] = value_of<T>(2);
    __syncwarp();
    all[place_of(pattern, threadIdx.x)] = value_of<T>(threadIdx.x);
    __syncwarp();
    if (threadIdx.x < 8) out[threadIdx.x] = all[threadIdx.x];
}

__global__ void exchange(int *out) {
    atomicExch(&out[threadIdx.x / 8], (int)threadIdx.x);
}

static void print(const unsigned char *bytes, size_t size, const char *end) {
    for (int i = 0; i < 4; i++) printf("%d%s", bytes[i * size], i < 3 ? " " : end);
}

template <class T> void show(const char *name) {
    T *out;
    unsigned char h[8 * sizeof(T)];
    cudaMalloc(&out, sizeof h);
    for (int shared = 0; shared < 2; shared++) {
        printf("%s %s: ", name, shared ? "shared" : "global");
        for (int pattern = 0; pattern < 4; pattern++) {
            cudaMemset(out, 99, sizeof h);
            if (shared) to_shared<T><<<1, 32>>>(out, pattern);
            else to_global<T><<<1, 32>>>(out, pattern);
            cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
            print(h, sizeof(T), pattern < 3 ? " | " : "\n");
        }
    }
    cudaFree(out);
}

int main() {
    show<unsigned char>("bytes");
    show<int>("ints");
    show<int2>("pairs");
    show<int4>("fours");
    int *out, h[4];
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    exchange<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("exchanged: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    cudaFree(out);
}
