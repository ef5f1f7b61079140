/* cuda_runtime_templates.h - the C++ side of the Runtime API: typed pointers, symbols and kernels instead of
 * void *.
 *
 * Every template only casts and calls the C function; being always inlined, the call site that the runtime
 * sees is the user's own line. Source: CUDA Runtime API, C++ API Routines.
 */
#ifndef WARPGRIND_CUDA_RUNTIME_TEMPLATES_H
#define WARPGRIND_CUDA_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

#define WARPGRIND_TEMPLATE(...)                                                                              \
    template <__VA_ARGS__> static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t

__WARPGRIND_HOST__ cudaMemLocation __warpgrind_location(int device) {
    cudaMemLocation location = {cudaMemLocationTypeDevice, device};
    if (device == cudaCpuDeviceId) location = {cudaMemLocationTypeHost, 0};
    return location;
}

/* ---- memory ---- */
WARPGRIND_TEMPLATE(typename T) cudaMalloc(T **devPtr, size_t size) {
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
WARPGRIND_TEMPLATE(typename T) cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
WARPGRIND_TEMPLATE(typename T) cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
WARPGRIND_TEMPLATE(typename T) cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}
WARPGRIND_TEMPLATE(typename T)
cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
WARPGRIND_TEMPLATE(typename T) cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
WARPGRIND_TEMPLATE(typename T) cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
WARPGRIND_TEMPLATE(typename T)
cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}
WARPGRIND_TEMPLATE(typename T)
cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}

/* ---- older forms: a device's number in place of a location, edges without data ----
 * They call the newer ones by other names, since `warpcc --cuda=11` makes those an error. */
extern "C" {
cudaError_t __warpgrind_prefetch(const void *devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t __warpgrind_advise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                               struct cudaMemLocation location) __asm__("cudaMemAdvise");
cudaError_t __warpgrind_update(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                               cudaGraphExecUpdateResultInfo *resultInfo) __asm__("cudaGraphExecUpdate");
cudaError_t __warpgrind_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edgeData,
                                         size_t numDependencies) __asm__("cudaGraphAddDependencies");
cudaError_t __warpgrind_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData,
                                         size_t *pNumDependencies) __asm__("cudaGraphNodeGetDependencies");
}
__WARPGRIND_OLD(cudaMemPrefetchAsync_device)
__WARPGRIND_HOST__ cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                                    cudaStream_t stream = 0) {
    return __warpgrind_prefetch(devPtr, count, __warpgrind_location(dstDevice), 0, stream);
}
__WARPGRIND_OLD(cudaMemAdvise_device)
__WARPGRIND_HOST__ cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                             int device) {
    return __warpgrind_advise(devPtr, count, advice, __warpgrind_location(device));
}
__WARPGRIND_OLD(cudaGraphExecUpdate_node)
__WARPGRIND_HOST__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                                   cudaGraphNode_t *hErrorNode_out,
                                                   enum cudaGraphExecUpdateResult *updateResult_out) {
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t status = __warpgrind_update(hGraphExec, hGraph, &info);
    if (hErrorNode_out) *hErrorNode_out = info.errorNode;
    if (updateResult_out) *updateResult_out = info.result;
    return status;
}
__WARPGRIND_OLD(cudaGraphAddDependencies_plain)
__WARPGRIND_HOST__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                        const cudaGraphNode_t *to, size_t numDependencies) {
    return __warpgrind_add_dependencies(graph, from, to, 0, numDependencies);
}
__WARPGRIND_OLD(cudaGraphNodeGetDependencies_plain)
__WARPGRIND_HOST__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                            cudaGraphNode_t *pDependencies,
                                                            size_t *pNumDependencies) {
    return __warpgrind_get_dependencies(node, pDependencies, 0, pNumDependencies);
}

/* ---- symbols ---- */
WARPGRIND_TEMPLATE(typename T)
cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
WARPGRIND_TEMPLATE(typename T)
cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
WARPGRIND_TEMPLATE(typename T)
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
WARPGRIND_TEMPLATE(typename T)
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
WARPGRIND_TEMPLATE(typename T) cudaGetSymbolAddress(void **devPtr, const T &symbol) {
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <typename P, typename T>
static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t cudaGetSymbolAddress(P **devPtr,
                                                                                     const T &symbol) {
    return ::cudaGetSymbolAddress((void **)(void *)devPtr, (const void *)&symbol);
}
WARPGRIND_TEMPLATE(typename T) cudaGetSymbolSize(size_t *size, const T &symbol) {
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

#ifdef __clang__
/* Until CUDA 4 a symbol could be named in quotes. A text has no other way here than to be an array of
 * characters. */
#define WARPGRIND_QUOTED                                                                                     \
    __attribute__((diagnose_if(__builtin_constant_p(symbol),                                                 \
                               "CUDA 5 removed the name in quotes. Use the variable itself, without quotes", \
                               "error")))
WARPGRIND_TEMPLATE(size_t N)
cudaMemcpyToSymbol(const char (&symbol)[N], const void *src, size_t count, size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) WARPGRIND_QUOTED {
    return ::cudaMemcpyToSymbol((const void *)symbol, src, count, offset, kind);
}
WARPGRIND_TEMPLATE(size_t N)
cudaMemcpyFromSymbol(void *dst, const char (&symbol)[N], size_t count, size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) WARPGRIND_QUOTED {
    return ::cudaMemcpyFromSymbol(dst, (const void *)symbol, count, offset, kind);
}
WARPGRIND_TEMPLATE(size_t N)
cudaMemcpyToSymbolAsync(const char (&symbol)[N], const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = 0) WARPGRIND_QUOTED {
    return ::cudaMemcpyToSymbolAsync((const void *)symbol, src, count, offset, kind, stream);
}
WARPGRIND_TEMPLATE(size_t N)
cudaMemcpyFromSymbolAsync(void *dst, const char (&symbol)[N], size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) WARPGRIND_QUOTED {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)symbol, count, offset, kind, stream);
}
template <typename P, size_t N>
static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t
cudaGetSymbolAddress(P **devPtr, const char (&symbol)[N]) WARPGRIND_QUOTED {
    return ::cudaGetSymbolAddress((void **)(void *)devPtr, (const void *)symbol);
}
WARPGRIND_TEMPLATE(size_t N)
cudaGetSymbolAddress(void **devPtr, const char (&symbol)[N]) WARPGRIND_QUOTED {
    return ::cudaGetSymbolAddress(devPtr, (const void *)symbol);
}
WARPGRIND_TEMPLATE(size_t N) cudaGetSymbolSize(size_t *size, const char (&symbol)[N]) WARPGRIND_QUOTED {
    return ::cudaGetSymbolSize(size, (const void *)symbol);
}
#undef WARPGRIND_QUOTED
#endif

/* ---- events ---- */
static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t cudaEventCreate(cudaEvent_t *event,
                                                                                unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* ---- kernels ---- */
WARPGRIND_TEMPLATE(typename T)
cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                 cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
WARPGRIND_TEMPLATE(typename T)
cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem = 0,
                            cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
#if __cplusplus >= 201103L
/* A kernel gets its arguments converted to the types of its parameters, as in a launch with <<< >>>. */
WARPGRIND_TEMPLATE(typename... Parameters)
__warpgrind_launch(const cudaLaunchConfig_t *config, const void *kernel, Parameters... values) {
    void *addresses[] = {(void *)&values..., 0};
    return ::cudaLaunchKernelExC(config, kernel, addresses);
}
WARPGRIND_TEMPLATE(typename... Parameters, typename... Arguments)
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                   Arguments &&...arguments) {
    return __warpgrind_launch<Parameters...>(config, (const void *)kernel,
                                             static_cast<Arguments &&>(arguments)...);
}
#endif
WARPGRIND_TEMPLATE(typename T) cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value) {
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
WARPGRIND_TEMPLATE(typename T) cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func) {
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}
WARPGRIND_TEMPLATE(typename T) cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}
WARPGRIND_TEMPLATE(typename T)
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize, size_t dynamicSMemSize) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}

WARPGRIND_TEMPLATE(typename T)
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func, int blockSize,
                                                       size_t dynamicSMemSize, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, flags);
}

WARPGRIND_TEMPLATE(typename T)
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func, int numBlocks, int blockSize) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks,
                                                       blockSize);
}

/* The block size, a multiple of the warp, with the most threads resident on a multiprocessor. */
template <typename SizeOfBlock, typename T>
static __inline__ __attribute__((unused)) cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func, SizeOfBlock sharedOf,
                                               int blockSizeLimit = 0) {
    struct cudaFuncAttributes attributes;
    int device = 0, multiprocessors = 0, best = 0;
    cudaError_t status = ::cudaFuncGetAttributes(&attributes, (const void *)func);
    if (status == cudaSuccess) status = ::cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess) return status;
    *blockSize = *minGridSize = 0;
    int limit = attributes.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
    for (int size = limit; size > 0; size = (size - 1) / 32 * 32) {
        int blocks = 0;
        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)func, size,
                                                                 (size_t)sharedOf(size));
        if (status != cudaSuccess) return status;
        if (blocks * size <= best) continue;
        best = blocks * size;
        *blockSize = size;
        *minGridSize = blocks * multiprocessors;
    }
    return cudaSuccess;
}

WARPGRIND_TEMPLATE(typename T)
cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func, size_t dynamicSMemSize = 0,
                                   int blockSizeLimit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        minGridSize, blockSize, func, [=](int) { return dynamicSMemSize; }, blockSizeLimit);
}

WARPGRIND_TEMPLATE(typename T)
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
                                            size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
                                            unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit);
}

template <typename SizeOfBlock, typename T>
static __inline__ __attribute__((unused)) cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize, T func,
                                                        SizeOfBlock sharedOf, int blockSizeLimit = 0,
                                                        unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func, sharedOf,
                                                          blockSizeLimit);
}

/* ---- graphs ---- */
/* As it was until CUDA 11: there is never a node or a text to tell, because what could be wrong with a graph
 * is refused when its nodes are added. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *graphExec, cudaGraph_t graph,
                                               cudaGraphNode_t *errorNode, char *text, size_t textBytes) {
    if (errorNode) *errorNode = nullptr;
    if (text && textBytes) *text = 0;
    return cudaGraphInstantiate(graphExec, graph, 0ull);
}

/* ---- host functions, which get an address: of one number, or of more ---- */
extern "C" void warpgrindHostArgument(const void *data, size_t bytes) __attribute__((weak));
template <typename T> struct __warpgrind_one_number {
    enum { bytes = 0 };
};
template <typename T> struct __warpgrind_one_number<T *> {
    enum { bytes = sizeof(T *) };
};
#define WARPGRIND_NUMBER(type)                                                                               \
    template <> struct __warpgrind_one_number<type> {                                                        \
        enum { bytes = sizeof(type) };                                                                       \
    };
WARPGRIND_NUMBER(bool)
WARPGRIND_NUMBER(char)
WARPGRIND_NUMBER(short)
WARPGRIND_NUMBER(unsigned short)
WARPGRIND_NUMBER(int)
WARPGRIND_NUMBER(unsigned int)
WARPGRIND_NUMBER(long)
WARPGRIND_NUMBER(unsigned long)
WARPGRIND_NUMBER(long long)
WARPGRIND_NUMBER(unsigned long long)
WARPGRIND_NUMBER(float)
WARPGRIND_NUMBER(double)
#undef WARPGRIND_NUMBER

/** The runtime is told of a number, so that it can see whether the program changes it too early. */
template <typename T>
static __WARPGRIND_INLINE__ __attribute__((unused)) void *__warpgrind_host_argument(T *data) {
    if (data && warpgrindHostArgument) warpgrindHostArgument(data, __warpgrind_one_number<T>::bytes);
    return data;
}
WARPGRIND_TEMPLATE(typename T) cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, T *userData) {
    return ::cudaLaunchHostFunc(stream, fn, __warpgrind_host_argument(userData));
}
WARPGRIND_TEMPLATE(typename T)
cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, T *userData, unsigned int flags) {
    return ::cudaStreamAddCallback(stream, callback, __warpgrind_host_argument(userData), flags);
}

/* ---- CUB's functions, whose headers say that they are called (warpcc/cub.sh) ---- */
extern "C" void warpgrindCubCall(const void *storage, const void *bytes, const char *function)
    __attribute__((weak));
static __host__ __device__ __WARPGRIND_INLINE__ __attribute__((unused)) void
__warpgrind_cub_call(const void *storage, const size_t &bytes, const char *function) {
#ifdef __CUDA_ARCH__
    (void)storage, (void)bytes, (void)function;
#else
    if (warpgrindCubCall) warpgrindCubCall(storage, &bytes, function);
#endif
}

extern "C" void warpgrindCubShort(size_t given, size_t needed) __attribute__((weak));
static __host__ __device__ __WARPGRIND_INLINE__ __attribute__((unused)) void
__warpgrind_cub_short(size_t given, size_t needed) {
#ifdef __CUDA_ARCH__
    (void)given, (void)needed;
#else
    if (warpgrindCubShort) warpgrindCubShort(given, needed);
#endif
}

/** What BlockReduce and WarpReduce return: thread 0 of them has the result, "the return value is undefined in
 * threads other than" it (cub/block/block_reduce.cuh), whatever they happen to get. The register that never
 * gets a value is known by its name (check/initialisation/initialisation_story.c). */
#ifdef __CUDA_ARCH__
template <typename T>
static __device__ __WARPGRIND_INLINE__ __attribute__((unused)) T __warpgrind_first_has(bool first, T value) {
    unsigned char *bytes = reinterpret_cast<unsigned char *>(&value);
    for (unsigned i = 0; i < sizeof(T);) {
        unsigned word = 0, take = sizeof(T) - i < sizeof word ? 1 : sizeof word;
        if (take == 1)
            word = bytes[i];
        else
            __builtin_memcpy(&word, bytes + i, sizeof word);
        asm volatile("{ .reg .pred p; .reg .b32 warpgrind_first_only; setp.ne.u32 p, %2, 0;"
                     " selp.b32 %0, %1, warpgrind_first_only, p; }"
                     : "=r"(word)
                     : "r"(word), "r"((unsigned)first));
        if (take == 1)
            bytes[i] = (unsigned char)word;
        else
            __builtin_memcpy(bytes + i, &word, sizeof word);
        i += take;
    }
    return value;
}
#else
template <typename T>
static __device__ __WARPGRIND_INLINE__ __attribute__((unused)) T __warpgrind_first_has(bool, T value) {
    return value;
}
#endif

/* ---- textures ---- */
template <typename T> struct __warpgrind_channel;
#define WARPGRIND_CHANNEL(type, bits, components, kind)                                                      \
    template <> struct __warpgrind_channel<type> {                                                           \
        static cudaChannelFormatDesc make() {                                                                \
            return cudaChannelFormatDesc{bits, components > 1 ? bits : 0, components > 2 ? bits : 0,         \
                                         components > 3 ? bits : 0, kind};                                   \
        }                                                                                                    \
    };
#define WARPGRIND_CHANNELS(base, element, bits, kind)                                                        \
    WARPGRIND_CHANNEL(element, bits, 1, kind)                                                                \
    WARPGRIND_CHANNEL(base##1, bits, 1, kind)                                                                \
    WARPGRIND_CHANNEL(base##2, bits, 2, kind)                                                                \
    WARPGRIND_CHANNEL(base##4, bits, 4, kind)
WARPGRIND_CHANNELS(char, signed char, 8, cudaChannelFormatKindSigned)
WARPGRIND_CHANNELS(uchar, unsigned char, 8, cudaChannelFormatKindUnsigned)
WARPGRIND_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
WARPGRIND_CHANNELS(ushort, unsigned short, 16, cudaChannelFormatKindUnsigned)
WARPGRIND_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
WARPGRIND_CHANNELS(uint, unsigned int, 32, cudaChannelFormatKindUnsigned)
WARPGRIND_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)
WARPGRIND_CHANNEL(char, 8, 1, cudaChannelFormatKindSigned)
#undef WARPGRIND_CHANNELS
#undef WARPGRIND_CHANNEL

template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return __warpgrind_channel<T>::make();
}

#endif
