/* launch.c - kernel launches and questions about kernels.
 *
 * k<<<grid, block, shared, stream>>>(arguments) becomes __cudaPushCallConfiguration at the user's line, then
 * a generated stub that pops the configuration and calls cudaLaunchKernel (nvcc 13: __cudaLaunchKernel). So
 * the launch's place in the source is where the push came from.
 */
#include "cudart/client.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PENDING = 16 };

typedef struct CallConfiguration {
    CudaDim3 grid, block;
    size_t shared;
    CudaStream stream;
    ClientSite site;
} CallConfiguration;

/** Per thread, as kernel arguments may launch kernels themselves while they are evaluated. */
typedef struct PendingLaunches {
    CallConfiguration stack[MAX_PENDING];
    unsigned depth;
    ClientSite site; /* of the configuration popped last: the launch that follows is from there */
} PendingLaunches;
static _Thread_local PendingLaunches pending;

/** cudaLaunchConfig_t */
typedef struct LaunchConfiguration {
    CudaDim3 grid, block;
    size_t shared;
    CudaStream stream;
    const struct LaunchAttribute *attributes;
    unsigned attribute_count;
} LaunchConfiguration;

/** cudaLaunchAttribute: an id, padding to 8, a value of 64 bytes. */
typedef struct LaunchAttribute {
    int id;
    char padding[4];
    int value[16];
} LaunchAttribute;
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

/** cudaFuncAttributes, as far as all versions have it. */
typedef struct FunctionAttributes {
    size_t shared, constant, local;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, carveout;
} FunctionAttributes;

EXPORT unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block, size_t shared, CudaStream stream);
EXPORT CudaError __cudaPopCallConfiguration(CudaDim3 *grid, CudaDim3 *block, size_t *shared, void *stream);
EXPORT CudaError __cudaGetKernel(void **kernel, const void *function);
EXPORT CudaError cudaGetKernel(void **kernel, const void *function);
EXPORT CudaError cudaGetFuncBySymbol(void **kernel, const void *function);
EXPORT CudaError __cudaLaunchKernel(void *kernel, CudaDim3 grid, CudaDim3 block, void **arguments,
                                    size_t shared, CudaStream stream);
EXPORT CudaError cudaLaunchKernel(const void *function, CudaDim3 grid, CudaDim3 block, void **arguments,
                                  size_t shared, CudaStream stream);
EXPORT CudaError cudaLaunchCooperativeKernel(const void *function, CudaDim3 grid, CudaDim3 block,
                                             void **arguments, size_t shared, CudaStream stream);
EXPORT CudaError cudaLaunchKernelExC(const LaunchConfiguration *configuration, const void *function,
                                     void **arguments);
EXPORT CudaError cudaFuncGetAttributes(FunctionAttributes *attributes, const void *function);
EXPORT CudaError cudaFuncSetAttribute(const void *function, int attribute, int value);
EXPORT CudaError cudaFuncSetCacheConfig(const void *function, int config);
EXPORT CudaError cudaFuncSetSharedMemConfig(const void *function, int config);
EXPORT CudaError cudaFuncGetName(const char **name, const void *function);
EXPORT CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                               size_t shared);
EXPORT CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                        int threads, size_t shared,
                                                                        unsigned flags);
EXPORT CudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                           int threads);

/* ---- <<< >>> ---- */

unsigned __cudaPushCallConfiguration(CudaDim3 grid, CudaDim3 block, size_t shared, CudaStream stream) {
    if (pending.depth == MAX_PENDING) return 1;
    pending.stack[pending.depth++] = (CallConfiguration){grid, block, shared, stream, CLIENT_SITE()};
    return 0;
}

CudaError __cudaPopCallConfiguration(CudaDim3 *grid, CudaDim3 *block, size_t *shared, void *stream) {
    if (pending.depth == 0) return CUDA_UNKNOWN;
    const CallConfiguration *top = &pending.stack[--pending.depth];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    memcpy(stream, &top->stream, sizeof top->stream);
    pending.site = top->site;
    return CUDA_SUCCESS;
}

/** The place of the launch: where its configuration was pushed, or for direct calls where the call is. */
static ClientSite take_site(ClientSite own) {
    ClientSite site = pending.site.site != 0 ? pending.site : own;
    site.own_stream = own.own_stream;
    pending.site = (ClientSite){.site = 0};
    return site;
}

/* ---- parameters ---- */

static CudaError ask_kernel(const void *function, ClientSite site, const ClientKernel **kernel) {
    WireParameter parameters[CLIENT_MAX_PARAMETERS];
    WireRequest request = client_request(WIRE_KERNEL_PARAMETERS, site);
    request.arguments[0] = client_word(function);
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, parameters, sizeof parameters);
    if (error != CUDA_SUCCESS) return error;
    uint32_t count = (uint32_t)(reply.payload_bytes / sizeof(WireParameter));
    if (count > CLIENT_MAX_PARAMETERS) return CUDA_UNKNOWN;
    ClientKernel *made = malloc(sizeof *made + count * sizeof(WireParameter));
    if (made == NULL) return CUDA_OUT_OF_MEMORY;
    *made = (ClientKernel){.function = function, .count = count, .bytes = (uint32_t)reply.results[1]};
    memcpy(made->parameters, parameters, count * sizeof(WireParameter));
    client_kernel_keep(made);
    *kernel = made;
    return CUDA_SUCCESS;
}

static bool gather_parameters(const ClientKernel *kernel, void **arguments, uint8_t *block) {
    if (kernel->bytes > CLIENT_MAX_PARAMETER_BYTES) return false;
    memset(block, 0, kernel->bytes);
    for (uint32_t i = 0; i < kernel->count; i++) {
        const WireParameter *parameter = &kernel->parameters[i];
        if (arguments == NULL || arguments[i] == NULL) return false;
        if (parameter->offset + parameter->bytes > kernel->bytes) return false;
        memcpy(block + parameter->offset, arguments[i], parameter->bytes);
    }
    return true;
}

static CudaError find_kernel(const void *function, ClientSite site, const ClientKernel **kernel) {
    *kernel = client_kernel_find(function);
    return *kernel != NULL ? CUDA_SUCCESS : ask_kernel(function, site, kernel);
}

CudaError client_gather(const void *function, void **arguments, ClientSite site, uint8_t *block,
                        size_t *bytes) {
    const ClientKernel *kernel;
    CudaError error = find_kernel(function, site, &kernel);
    if (error != CUDA_SUCCESS) return error;
    if (!gather_parameters(kernel, arguments, block)) return CUDA_INVALID_VALUE;
    *bytes = kernel->bytes;
    return CUDA_SUCCESS;
}

static CudaError launch(WireFunction how, const void *function, const LaunchConfiguration *configuration,
                        void **arguments, bool cooperative, ClientSite site) {
    const ClientKernel *kernel;
    CudaError known = find_kernel(function, site, &kernel);
    if (known != CUDA_SUCCESS) return known;
    uint8_t block[CLIENT_MAX_PARAMETER_BYTES];
    if (!gather_parameters(kernel, arguments, block)) return CUDA_INVALID_VALUE;
    client_references_refresh(site);
    WireRequest request = client_request(how, site);
    const LaunchConfiguration *c = configuration;
    const uint64_t words[] = {client_word(function),
                              c->grid.x,
                              c->grid.y,
                              c->grid.z,
                              c->block.x,
                              c->block.y,
                              c->block.z,
                              c->shared,
                              client_word(c->stream),
                              cooperative};
    memcpy(request.arguments, words, sizeof words);
    request.payload_bytes = kernel->bytes;
    CudaError error = client_call(&request, block, NULL);
    if (error == CUDA_SUCCESS) client_watch_parameters(block, kernel->bytes);
    if (error == CUDA_SUCCESS) client_launched();
    return error;
}

/* ---- launches ---- */

CudaError __cudaGetKernel(void **kernel, const void *function) {
    *kernel = client_pointer(client_word(function));
    return CUDA_SUCCESS;
}

CudaError cudaGetKernel(void **kernel, const void *function) {
    return __cudaGetKernel(kernel, function);
}

CudaError cudaGetFuncBySymbol(void **kernel, const void *function) {
    return __cudaGetKernel(kernel, function);
}

CudaError __cudaLaunchKernel(void *kernel, CudaDim3 grid, CudaDim3 block, void **arguments, size_t shared,
                             CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchKernel, kernel, &configuration, arguments, false, take_site(CLIENT_SITE()));
}

CudaError cudaLaunchKernel(const void *function, CudaDim3 grid, CudaDim3 block, void **arguments,
                           size_t shared, CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchKernel, function, &configuration, arguments, false,
                  take_site(CLIENT_SITE()));
}

CudaError cudaLaunchCooperativeKernel(const void *function, CudaDim3 grid, CudaDim3 block, void **arguments,
                                      size_t shared, CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchCooperativeKernel, function, &configuration, arguments, true, CLIENT_SITE());
}

CudaError cudaLaunchKernelExC(const LaunchConfiguration *configuration, const void *function,
                              void **arguments) {
    bool cooperative = false;
    uint64_t cluster = 1;
    for (unsigned i = 0; i < configuration->attribute_count; i++) {
        const LaunchAttribute *attribute = &configuration->attributes[i];
        const int *value = attribute->value;
        if (attribute->id == ATTRIBUTE_COOPERATIVE) cooperative = value[0] != 0;
        if (attribute->id == ATTRIBUTE_CLUSTER)
            cluster = (uint64_t)(unsigned)value[0] * (unsigned)value[1] * (unsigned)value[2];
    }
    if (cluster > 1) return CLIENT_SIMPLE(CLUSTER, cluster);
    return launch(WIRE_cudaLaunchKernelExC, function, configuration, arguments, cooperative, CLIENT_SITE());
}

/* ---- questions ---- */

CudaError cudaFuncGetAttributes(FunctionAttributes *attributes, const void *function) {
    WireRequest request = client_request(WIRE_cudaFuncGetAttributes, CLIENT_SITE());
    request.arguments[0] = client_word(attributes);
    request.arguments[1] = client_word(function);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    *attributes = (FunctionAttributes){.shared = reply.results[0],
                                       .local = reply.results[2],
                                       .max_threads = (int)reply.results[3],
                                       .registers = (int)reply.results[4],
                                       .ptx_version = (int)(uint32_t)reply.results[1],
                                       .binary_version = (int)(reply.results[1] >> 32),
                                       .max_dynamic_shared = (int)reply.results[5],
                                       .carveout = -1};
    return CUDA_SUCCESS;
}

CudaError cudaFuncSetAttribute(const void *function, int attribute, int value) {
    return CLIENT_SIMPLE(cudaFuncSetAttribute, client_word(function), (uint64_t)attribute,
                         (uint64_t)(int64_t)value);
}

CudaError cudaFuncSetCacheConfig(const void *function, int config) {
    return CLIENT_SIMPLE(cudaFuncSetCacheConfig, client_word(function), (uint64_t)config);
}

CudaError cudaFuncSetSharedMemConfig(const void *function, int config) {
    return CLIENT_SIMPLE(cudaFuncSetSharedMemConfig, client_word(function), (uint64_t)config);
}

/** The text lives as long as the program, as with NVIDIA's runtime. */
CudaError cudaFuncGetName(const char **name, const void *function) {
    enum { LONGEST = 4096 };
    WireRequest request = client_request(WIRE_cudaFuncGetName, CLIENT_SITE());
    request.arguments[0] = client_word(name);
    request.arguments[1] = client_word(function);
    char text[LONGEST];
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, text, sizeof text - 1);
    if (error != CUDA_SUCCESS) return error;
    size_t length = reply.payload_bytes < sizeof text - 1 ? (size_t)reply.payload_bytes : sizeof text - 1;
    char *kept = strndup(text, length);
    if (kept == NULL) return CUDA_OUT_OF_MEMORY;
    *name = kept;
    return CUDA_SUCCESS;
}

static CudaError occupancy(WireFunction which, ClientSite site, int *blocks, const void *function,
                           int threads, size_t shared) {
    WireRequest request = client_request(which, site);
    const uint64_t words[] = {client_word(blocks), client_word(function), (uint64_t)(int64_t)threads, shared};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *blocks = (int)reply.results[0];
    return error;
}

CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                        size_t shared) {
    return occupancy(WIRE_cudaOccupancyMaxActiveBlocksPerMultiprocessor, CLIENT_SITE(), blocks, function,
                     threads, shared);
}

CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                 int threads, size_t shared, unsigned flags) {
    (void)flags;
    return occupancy(WIRE_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, CLIENT_SITE(), blocks,
                     function, threads, shared);
}

CudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                    int threads) {
    WireRequest request = client_request(WIRE_cudaOccupancyAvailableDynamicSMemPerBlock, CLIENT_SITE());
    const uint64_t words[] = {client_word(bytes), client_word(function), (uint64_t)(int64_t)blocks,
                              (uint64_t)(int64_t)threads};
    memcpy(request.arguments, words, sizeof words);
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error == CUDA_SUCCESS) *bytes = (size_t)reply.results[0];
    return error;
}
