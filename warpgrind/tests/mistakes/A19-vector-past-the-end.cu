#include "mistake.h"

// The last vector has two numbers of its own. Nobody uses the other two, but they are read.
__global__ void add_up(float *sum, const float4 *fours, int n) {
    const int i = threadIdx.x;
    if (4 * i >= n) return;
    // clang-format off
    const float4 four = fours[i]; atomicAdd(sum, four.x + four.y + (4 * i + 2 < n ? four.z + four.w : 0.0f)); // expect: out-of-bounds // says: and of these 8 belong to fours
    // clang-format on
}

int main() {
    enum { N = 6 };
    float *d_sum, *d_six, sum = 0.0f;
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMalloc(&d_six, N * sizeof(float)));
    CHECK(cudaMemset(d_sum, 0, sizeof(float)));
    CHECK(cudaMemset(d_six, 0, N * sizeof(float)));
    add_up<<<1, 32>>>(d_sum, (const float4 *)d_six, N);
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d_six));
    printf("%g\n", sum);
}
