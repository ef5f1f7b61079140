#include "mistake.h"

struct Padded {
    char letter;
    int number;
    double value;
    char last;
};

__global__ void copy(Padded *out, const Padded *in) {
    out[threadIdx.x] = in[threadIdx.x]; // near: uninitialized-read
}

__global__ void make(Padded *out) {
    Padded made;
    made.letter = 'a';
    made.number = threadIdx.x;
    made.value = 0.5;
    made.last = 'z';
    out[threadIdx.x] = made;
}

int main() {
    std::vector<Padded> h(32);
    Padded *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, 32 * sizeof(Padded)));
    CHECK(cudaMalloc(&b, 32 * sizeof(Padded)));
    make<<<1, 32>>>(a);
    copy<<<1, 32>>>(b, a);
    finish();
    CHECK(cudaMemcpy(h.data(), b, 32 * sizeof(Padded), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
