// errors.cu - what the runtime returns for calls that are wrong: the rows of errors.def. Without an argument all that leave the context usable;
// with a number, that fatal row, for which it prints what the next two calls return.
#include "fidelity.h"

#include <cassert>
#include <cstring>

static __device__ int symbol[4];
static __global__ void nothing() {}
static __global__ void store(int *p) { *p = 1; }
static __global__ void trap() { asm volatile("trap;"); }
static __global__ void check(int truth) { assert(truth); }
static __global__ void far(int i)
{
    __shared__ int small[4];
    asm volatile("st.shared.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(small) + (unsigned)i), "r"(i) : "memory");
}

// Each row starts from the same state, and the error that it leaves behind is taken up.
#define ERROR_CASE(name, call)                                                                                                \
    {                                                                                                                         \
        cudaError_t status = call, left = cudaGetLastError();                                                                 \
        printf("errors\t%s\t%s, then %s\n", name, cudaGetErrorName(status), cudaGetErrorName(left));                           \
    }
#define FATAL_CASE(name, ...)

static void run_usual(char *h, char *d)
{
    void *p = nullptr;
    size_t size = 0;
    int number = 0;
    float time = 0;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaPointerAttributes pointer;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaTextureObject_t texture = 0;
    cudaGraph_t graph = nullptr;
    void *page = aligned_alloc(4096, 4096);
#include "errors.def"
}

#undef ERROR_CASE
#undef FATAL_CASE
#define ERROR_CASE(name, call)
#define FATAL_CASE(name, ...)                                                                                              \
    if (number++ == wanted) {                                                                                                 \
        __VA_ARGS__;                                                                                                             \
        cudaError_t first = cudaDeviceSynchronize(), second = cudaMemset(d, 0, 4);                                            \
        printf("errors\t%s\t%s, then %s\n", name, cudaGetErrorName(first), cudaGetErrorName(second));                          \
    }

static int run_fatal(char *d, int wanted)
{
    int number = 0;
#include "errors.def"
    return wanted < number ? 0 : 4; // 4: there are no more
}

int main(int argc, char **argv)
{
    char *d, *h = (char *)malloc(4096);
    memset(h, 0, 4096);
    NEED(cudaMalloc(&d, 64));
    if (argc > 1) return run_fatal(d, atoi(argv[1]));
    run_usual(h, d);
    return 0;
}
