// Words that blocks publish past the L1 cache (st.cg, ld.cg), as CUB does: a flag behind a fence, and a flag with its value in one word.
// expect-none: global-race
#include "../../mistakes/mistake.h"

__device__ void publish(int *to, int value) { asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory"); }
__device__ int look(const int *from) {
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}
__device__ void publish_pair(long long *to, long long pair) { asm volatile("st.global.cg.s64 [%0], %1;" ::"l"(to), "l"(pair) : "memory"); }
__device__ long long look_pair(const long long *from) {
    long long pair;
    asm volatile("ld.global.cg.s64 %0, [%1];" : "=l"(pair) : "l"(from) : "memory");
    return pair;
}

__global__ void behind_a_fence(float *out, float *value, int *flag) {
    if (blockIdx.x == 0) {
        *value = 3;
        __threadfence();
        publish(flag, 1);
    } else {
        while (look(flag) == 0) {
        }
        __threadfence();
        *out = *value;
    }
}

/* Block 1 overwrites what block 0 has read, once block 0 has said what it was. */
__global__ void value_in_the_word(float *values, long long *word) {
    if (blockIdx.x == 0) {
        publish_pair(word, 1ll << 32 | (unsigned)(int)values[0]);
    } else {
        long long pair;
        while ((pair = look_pair(word)) == 0) {
        }
        values[0] = (float)(int)pair;
    }
}

int main() {
    float *values = device_floats(64);
    long long *words;
    CHECK(cudaMalloc(&words, 16));
    CHECK(cudaMemset(words, 0, 16));
    behind_a_fence<<<2, 1>>>(values, values + 1, (int *)words);
    value_in_the_word<<<2, 1>>>(values + 2, words + 1);
    finish();
    CHECK(cudaFree(values));
    CHECK(cudaFree(words));
}
