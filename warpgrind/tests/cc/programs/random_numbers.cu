// Random numbers in kernels: the same as NVIDIA's header gives, for seeds, subsequences and offsets of all sizes. Whole numbers
// and uniform ones are compared by their bits, the others to the digits that are printed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <curand_kernel.h>

struct Start {
    unsigned long long seed, subsequence, offset;
};
__constant__ Start starts[] = {{0, 0, 0},
                               {1234, 0, 0},
                               {1234, 1, 0},
                               {1234, 0, 1},
                               {99, 17, 5},
                               {0x123456789abcdefull, 0xfedcba987654321ull, 0x8000000000000001ull},
                               {7, 1023, 1000003},
                               {5, 0xffffffffull, 0x100000002ull}};
enum { STARTS = sizeof starts / sizeof *starts };

__device__ void mix(unsigned long long &hash, unsigned long long word) {
    hash = (hash ^ word) * 0x100000001b3ull;
}

template <typename State> struct Results {
    unsigned long long whole, uniform, uniform_double, skipped;
    unsigned int first;
    float normal[3], log_normal;
    float2 normal2;
    double normal_double[3], log_normal_double;
    unsigned int poisson[3];
};

template <typename State> __global__ void numbers(Results<State> *results, unsigned long long most) {
    const Start start = starts[threadIdx.x];
    Results<State> r;
    memset(&r, 0, sizeof r);
    State state, other;
    curand_init(start.seed, start.subsequence & most, start.offset & most, &state);
    other = state;
    r.first = curand(&other);
    for (int i = 0; i < 50; i++) mix(r.whole, curand(&state));
    for (int i = 0; i < 50; i++) mix(r.uniform, __float_as_uint(curand_uniform(&state)));
    for (int i = 0; i < 50; i++) mix(r.uniform_double, (unsigned long long)__double_as_longlong(curand_uniform_double(&state)));
    skipahead(12345678901ull, &state);
    mix(r.skipped, curand(&state));
    skipahead_sequence(3, &state);
    mix(r.skipped, curand(&state));
    for (int i = 0; i < 3; i++) r.normal[i] = curand_normal(&state);
    for (int i = 0; i < 3; i++) r.normal_double[i] = curand_normal_double(&state);
    r.normal2 = curand_normal2(&state);
    r.log_normal = curand_log_normal(&state, 0.5f, 0.25f);
    r.log_normal_double = curand_log_normal_double(&state, 0.5, 0.25);
    r.poisson[0] = curand_poisson(&state, 4.5);
    r.poisson[1] = curand_poisson(&state, 800);
    r.poisson[2] = curand_poisson(&state, 1e6);
    results[threadIdx.x] = r;
}

__global__ void fours(unsigned int *words, float *floats, double *doubles) {
    curandStatePhilox4_32_10_t state;
    curand_init(42, threadIdx.x, threadIdx.x, &state); // each thread starts within a block of four
    uint4 whole = curand4(&state), counts = curand_poisson4(&state, 10);
    float4 uniform = curand_uniform4(&state), normal = curand_normal4(&state), log_normal = curand_log_normal4(&state, 1, 0.5f);
    double2 two = curand_uniform2_double(&state), normals = curand_normal2_double(&state);
    int i = threadIdx.x;
    words[2 * i] = whole.x ^ whole.y * 3 ^ whole.z * 5 ^ whole.w * 7;
    words[2 * i + 1] = counts.x + 100 * counts.y + 10000 * counts.z + 1000000 * counts.w;
    floats[i] = uniform.x + 2 * uniform.y + 3 * uniform.z + 4 * uniform.w + normal.x - normal.y + normal.z - normal.w + log_normal.w;
    doubles[i] = two.x + 2 * two.y + normals.x - normals.y;
}

// `most` keeps mrg32k3a within what NVIDIA's tables for it can skip.
template <typename State> static void run(const char *name, unsigned long long most = ~0ull) {
    Results<State> *d_results, results[STARTS];
    cudaMalloc(&d_results, sizeof results);
    numbers<State><<<1, STARTS>>>(d_results, most);
    cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(d_results);
    for (const Results<State> &r : results) {
        printf("%s %08x %016llx %016llx %016llx %016llx\n", name, r.first, r.whole, r.uniform, r.uniform_double, r.skipped);
        printf("  %.3f %.3f %.3f  %.6f %.6f %.6f  %.3f %.3f\n", r.normal[0], r.normal[1], r.normal[2], r.normal_double[0],
               r.normal_double[1], r.normal_double[2], r.normal2.x, r.normal2.y);
        printf("  %.3f %.6f  %u %u %u\n", r.log_normal, r.log_normal_double, r.poisson[0], r.poisson[1], r.poisson[2]);
    }
}

int main() {
    unsigned int *words, h_words[8];
    float *floats, h_floats[4];
    double *doubles, h_doubles[4];
    run<curandStateXORWOW_t>("xorwow");
    run<curandStatePhilox4_32_10_t>("philox");
    run<curandStateMRG32k3a_t>("mrg32k3a", (1ull << 40) - 1);
    cudaMalloc(&words, sizeof h_words);
    cudaMalloc(&floats, sizeof h_floats);
    cudaMalloc(&doubles, sizeof h_doubles);
    fours<<<1, 4>>>(words, floats, doubles);
    cudaMemcpy(h_words, words, sizeof h_words, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_floats, floats, sizeof h_floats, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_doubles, doubles, sizeof h_doubles, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) printf("fours %08x %u %.3f %.6f\n", h_words[2 * i], h_words[2 * i + 1], h_floats[i], h_doubles[i]);
    cudaFree(words);
    cudaFree(floats);
    cudaFree(doubles);
    if (cudaGetLastError() != cudaSuccess) exit(1);
    return 0;
}
