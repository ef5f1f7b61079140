// What the adapter is tried on: a function, a structure, a loop; with an argument also a kernel that runs long, and a program that does.
#include <cstdio>
#include <cstring>
struct Pair {
    int a;
    float b[3];
};
__device__ int twice(int x) {
    int y = x + x;
    return y;
}
__global__ void add(int *out, Pair pair, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int j = 0; j < 3; j++)
        sum += twice(i + j);
    if (i < n) out[i] = sum + pair.a;
}
__global__ void run_long(int *out) {
    unsigned x = 1;
    for (long i = 0; i < 1000000000000; i++)
        x = 3 * x + 1;
    *out = x;
}
int main(int argc, char **argv) {
    int *out, result[100];
    cudaMalloc(&out, sizeof result);
    Pair pair = {5, {1, 2, 3}};
    add<<<2, 50>>>(out, pair, 100);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d\n", result[0], result[99]);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "long") == 0) run_long<<<1, 1>>>(out);
    if (argc > 1 && strcmp(argv[1], "host") == 0)
        for (;;) { }
    if (argc > 1 && strcmp(argv[1], "dies") == 0) __builtin_abort();
    if (argc > 1 && strcmp(argv[1], "fails") == 0) cudaMemcpy(result, out, 1 << 20, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 3;
}
