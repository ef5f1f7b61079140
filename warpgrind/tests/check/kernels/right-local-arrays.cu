// expect-none: arrays of a thread's own, reached from the middle, through pointers, as members, whole and at the last element.
#include "../../mistakes/mistake.h"

struct Both {
    int first[4];
    int count;
    float second[3];
};

__device__ int sum_of(const int *values, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

__global__ void arrays(int *out, int n) {
    int before[4], taps[4], after[4];
    for (int i = 0; i < n; i++)
        before[i] = taps[i] = after[n - 1 - i] = i;
    const int *middle = &taps[2], *end = taps + 4;
    out[threadIdx.x] = middle[-1] + end[-n] + sum_of(taps, n) + taps[n - 1] + before[n - 4] + after[n / 2];
}

__global__ void members(int *out, int n) {
    Both both;
    for (int i = 0; i < n; i++)
        both.first[i] = i;
    for (int i = 0; i + 1 < n; i++)
        both.second[i] = 1.0f;
    both.count = n;
    Both copy = both;
    const int *all = copy.first;
    out[threadIdx.x] = all[n] + copy.first[n - 1] + (int)copy.second[n - 2];
}

__global__ void tables(int *out, int n) {
    int table[3][5];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            table[i][j] = i * 5 + j;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += table[0][k]; // all rows in one loop
    char text[5];
    for (int i = 0; i < 5; i++)
        text[i] = (char)('a' + i);
    out[threadIdx.x] = sum + text[n - 11];
}

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    arrays<<<1, 32>>>(out, 4);
    members<<<1, 32>>>(out, 4);
    tables<<<1, 32>>>(out, 15);
    finish();
    CHECK(cudaFree(out));
}
