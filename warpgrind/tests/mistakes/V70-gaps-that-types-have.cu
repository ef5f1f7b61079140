#include "mistake.h"

struct Base {
    double weight;
    char tag;
};
union Word {
    int number;
    char letters[3];
};
struct Record : Base {
    char letter;
    int number;
    double value;
    static int count;
    char last;
    unsigned small : 3, flag : 2;
    Word words[2];
};
struct Tail {
    double value;
    int number;
};

template <typename T> __global__ void make(T *out, int n) {
    T made;
    made.weight = 1;
    made.tag = 't';
    made.letter = 'a';
    made.number = n;
    made.value = 0.5;
    made.last = 'z';
    made.small = 1;
    made.flag = 2;
    made.words[0].number = 3;
    made.words[1].number = 4;
    out[threadIdx.x] = made;
}

__global__ void tails(Tail *out) {
    out[threadIdx.x].value = 2;
    out[threadIdx.x].number = threadIdx.x;
}

__global__ void copy_bytes(unsigned char *to, const unsigned char *from, int bytes) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        to[i] = from[i];
}

__global__ void three_of_four(float4 *out) {
    out[threadIdx.x].x = 1;
    out[threadIdx.x].y = 2;
    out[threadIdx.x].z = 3;
}

template <typename T> static void fetch(T *device, size_t count = 32) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T),
                     cudaMemcpyDeviceToHost)); // near: uninitialized-read
    CHECK(cudaFree(device));
}

int main() {
    Record *records = nullptr, *copied = nullptr;
    Tail *some = nullptr, *others = nullptr;
    float4 *vectors = nullptr;
    CHECK(cudaMalloc(&records, 32 * sizeof(Record)));
    CHECK(cudaMalloc(&copied, sizeof(Record)));
    CHECK(cudaMalloc(&some, 32 * sizeof(Tail)));
    CHECK(cudaMalloc(&others, 32 * sizeof(Tail)));
    CHECK(cudaMalloc(&vectors, 32 * sizeof(float4)));
    make<<<1, 32>>>(records, 7);
    CHECK(cudaMemcpy(copied, records + 5, sizeof(Record), cudaMemcpyDeviceToDevice));
    tails<<<1, 32>>>(some);
    copy_bytes<<<1, 32>>>((unsigned char *)others, (const unsigned char *)some, 32 * sizeof(Tail));
    three_of_four<<<1, 32>>>(vectors);
    finish();
    fetch(records);
    fetch(copied, 1);
    fetch(some);
    fetch(others);
    fetch(vectors);
}
