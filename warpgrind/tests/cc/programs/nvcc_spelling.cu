/* nvcc_spelling.cu - what nvcc reads and clang alone does not: alignas behind __shared__, and registers of inline PTX with one
 * percent sign. */
#include <cstdio>

struct alignas(16) Wide {
    float part[3];
};
__device__ alignas(32) int table[8];
__constant__ alignas(float4) float fixed[4] = {1, 2, 3, 4};

/* asm("%laneid" : "=r"(x)) in a comment, and in a text. */
static const char text[] = "asm(\"%laneid\" : \"=r\"(x)) __shared__ alignas(16)";

__device__ unsigned lane() {
    unsigned number, other;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(number));
    asm("{\n\t"
        ".reg .u32 %other;\n\t" /* a name of its own */
        "mov.u32 %other, %%tid.x;\n\t"
        "add.u32 %0, %other, %1;\n\t"
        "}"
        : "=r"(other)
        : "r"(0));
    return number == other ? number : 99;
}

__global__ void kernel(unsigned *out) {
    __shared__ alignas(16) float narrow[32];
    __shared__ alignas(alignof(float4)) float wide[32];
    extern __shared__ char rest[];
    narrow[threadIdx.x] = static_cast<float>(lane());
    wide[threadIdx.x] = fixed[threadIdx.x % 4];
    rest[threadIdx.x] = 1;
    __syncthreads();
    bool aligned = reinterpret_cast<size_t>(wide) % 16 == 0 && reinterpret_cast<size_t>(table) % 32 == 0;
    out[threadIdx.x] = aligned ? static_cast<unsigned>(narrow[threadIdx.x] + wide[threadIdx.x]) + rest[threadIdx.x] : 77;
}

int main() {
    unsigned *d, h[32];
    if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 1;
    kernel<<<1, 32, 32>>>(d);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    int wrong = 0;
    for (unsigned i = 0; i < 32; i++)
        wrong += h[i] != i + i % 4 + 2;
    std::printf("%d wrong, %zu %c\n", wrong, sizeof(Wide), text[5]);
    cudaFree(d);
    return wrong;
}
