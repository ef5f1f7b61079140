// Past the L1 cache is not enough: a flag without a fence before it, and a word that others read as usual.
#include "../../mistakes/mistake.h"

__device__ void publish(int *to, int value) { asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory"); }
__device__ int look(const int *from) {
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__global__ void without_a_fence(float *out, float *value, int *flag) {
    if (blockIdx.x == 0) {
        *value = 3; // expect: global-race
        publish(flag, 1);
    } else {
        while (look(flag) == 0) {
        }
        *out = *value;
    }
}

__global__ void read_as_usual(float *out, int *word) {
    if (blockIdx.x == 0)
        publish(word, 1);
    else
        *out = (float)*word; // expect: global-race
}

__global__ void written_as_usual(float *out, int *word) {
    if (blockIdx.x == 0)
        *word = 1; // expect: global-race
    else
        *out = (float)look(word);
}

int main() {
    float *values = device_floats(64);
    int *words;
    CHECK(cudaMalloc(&words, 16));
    CHECK(cudaMemset(words, 0, 16));
    without_a_fence<<<2, 1>>>(values, values + 1, words);
    read_as_usual<<<2, 1>>>(values + 2, words + 1);
    written_as_usual<<<2, 1>>>(values + 3, words + 2);
    finish();
    CHECK(cudaFree(values));
    CHECK(cudaFree(words));
}
