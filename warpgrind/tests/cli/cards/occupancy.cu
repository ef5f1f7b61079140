/* Occupancy, its inverse, the best block size and the launch agree, for kernels with and without arrays of fixed size, with
 * launch bounds and having opted in. */
#include <cuda_runtime.h>
#include <cstdio>

__global__ void plain(int *x) { extern __shared__ int s[]; s[threadIdx.x % 2] = 1; if (x) *x = s[0]; }
__global__ void fixed(int *x) { __shared__ int s[1000]; s[threadIdx.x % 1000] = 1; if (x) *x = s[0]; }
__global__ void whole(int *x) { __shared__ int s[12288]; s[threadIdx.x % 12288] = 1; if (x) *x = s[0]; }
__global__ void __launch_bounds__(192) bounded(int *x) { if (x) *x = 1; }

static int wrong, asked;
static void expect(bool fine, const char *what, const char *kernel, int threads, long shared) {
    asked++;
    if (!fine && wrong++ < 20) printf("%s: %s, %d threads, %ld bytes\n", what, kernel, threads, shared);
}

static int blocks_of(const void *kernel, int threads, size_t shared) {
    int blocks = -1, same = -2;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared) != cudaSuccess) return -1;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, kernel, threads, shared, 0) != cudaSuccess) return -1;
    return blocks == same ? blocks : -1;
}

/* A full grid is thousands of blocks, so only one shape in so many runs one; a prime, to meet all sizes and kernels. */
enum { FULL_GRIDS = 23 };
static int shapes;
static int processors, threads_of, shared_of, reserved, most;

static void check_one(const char *name, void (*kernel)(int *), size_t own, int threads, size_t shared) {
    int blocks = blocks_of((const void *)kernel, threads, shared), same = -1;
    expect(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, kernel, threads, shared, cudaOccupancyDefault) == cudaSuccess && same == blocks, "by the kernel itself", name, threads, (long)shared);
    expect(blocks >= 0, "no answer", name, threads, (long)shared);
    kernel<<<1, threads, shared>>>(nullptr);
    cudaError_t launched = cudaGetLastError();
    expect((launched == cudaSuccess) == (blocks > 0), "launch and occupancy differ", name, threads, (long)shared);
    if (blocks == 0) return;
    int rounded = (threads + 31) / 32 * 32;
    expect(blocks * rounded <= threads_of, "more threads than there are", name, threads, (long)shared);
    expect(blocks * (long)(own + shared + (size_t)reserved) <= shared_of, "more shared memory than there is", name, threads, (long)shared);
    size_t left = 0;
    expect(cudaOccupancyAvailableDynamicSMemPerBlock(&left, kernel, blocks, threads) == cudaSuccess, "no inverse", name, threads, (long)shared);
    expect(left >= shared && blocks_of((const void *)kernel, threads, left) >= blocks, "inverse", name, threads, (long)left);
    expect(cudaOccupancyAvailableDynamicSMemPerBlock(&left, (const void *)kernel, 33 * 64, threads) != cudaSuccess, "inverse of too many", name, threads, 0);
    void *none = nullptr, *arguments[] = {&none};
    cudaError_t together = cudaSuccess;
    if (shapes++ % FULL_GRIDS == 0) together = cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks * processors), dim3(threads), arguments, shared, nullptr);
    expect(together == cudaSuccess, "a full grid is refused", name, threads, (long)shared);
    together = cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks * processors + 1), dim3(threads), arguments, shared, nullptr);
    expect(together == cudaErrorCooperativeLaunchTooLarge, "one more than a full grid", name, threads, (long)shared);
    (void)cudaGetLastError();
}

static void check(const char *name, void (*kernel)(int *), size_t own) {
    static const size_t sizes[] = {0, 1, 8, 128, 4000, 20000, 45152, 45153, 49152, 49153, 65536, 65537, 98304, 101376, 101377, 166912, 232448, 232449, (size_t)1 << 40};
    static const int counts[] = {1, 32, 33, 128, 192, 193, 512, 768, 1024, 1025};
    for (size_t shared : sizes)
        for (int threads : {1, 33, 192, 1024}) check_one(name, kernel, own, threads, shared);
    for (int threads : counts) check_one(name, kernel, own, threads, 0);
    cudaFuncAttributes attributes;
    expect(cudaFuncGetAttributes(&attributes, (const void *)kernel) == cudaSuccess, "attributes", name, 0, 0);
    expect(attributes.sharedSizeBytes == own, "own size", name, 0, (long)attributes.sharedSizeBytes);
    size_t dynamic = (size_t)attributes.maxDynamicSharedSizeBytes;
    expect(blocks_of((const void *)kernel, 32, dynamic) > 0 && blocks_of((const void *)kernel, 32, dynamic + 1) == 0, "attributes and occupancy", name, 32, (long)dynamic);
    int grid = -1, block = -1;
    expect(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0) == cudaSuccess && block > 0 && block <= attributes.maxThreadsPerBlock, "best size", name, block, 0);
    expect(grid == processors * blocks_of((const void *)kernel, block, 0), "best grid", name, block, grid);
    expect(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, (size_t)1 << 30, 0) == cudaSuccess && grid == 0, "best size of nothing", name, block, grid);
}

int main() {
    int value = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&threads_of, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    cudaDeviceGetAttribute(&shared_of, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    check("plain", plain, 0);
    check("fixed", fixed, 4000);
    check("whole", whole, 49152);
    check("bounded", bounded, 0);
    printf("usual %d %d %d\n", blocks_of((const void *)plain, 32, 4000), blocks_of((const void *)plain, 32, 49152), blocks_of((const void *)plain, 32, 49153));
    expect(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1) != cudaSuccess, "too much opted in", "plain", 0, most + 1);
    (void)cudaGetLastError();
    for (int opted : {60000, most}) {
        expect(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, opted) == cudaSuccess, "opted in", "plain", 0, opted);
        check("plain, opted in", plain, 0);
    }
    printf("opted in %d\n", blocks_of((const void *)plain, 32, (size_t)most));
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, (const void *)plain) == cudaSuccess) value = attributes.binaryVersion;
    printf("binary %d\nasked %d wrong %d\n", value, asked, wrong);
    return wrong != 0;
}
