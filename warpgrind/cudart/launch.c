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

/* ---- <<< >>> ---- */

ENTRY(unsigned, __cudaPushCallConfiguration, CudaDim3 grid, CudaDim3 block, size_t shared,
      CudaStream stream) {
    if (pending.depth == MAX_PENDING) return 1;
    pending.stack[pending.depth++] = (CallConfiguration){grid, block, shared, stream, CLIENT_SITE()};
    return 0;
}

ENTRY(CudaError, __cudaPopCallConfiguration, CudaDim3 *grid, CudaDim3 *block, size_t *shared, void *stream) {
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
    ClientSite site = own;
    if (pending.site.site != 0) site = pending.site;
    site.own_stream = own.own_stream;
    pending.site = (ClientSite){.site = 0};
    return site;
}

/* ---- parameters ---- */

/** Asks the device where a kernel's parameters go, and keeps the answer: it is the same for every launch. */
static CudaError ask_kernel(const void *function, ClientSite site, const ClientKernel **kernel) {
    WireParameter parameters[CLIENT_MAX_PARAMETERS];
    WireRequest request = client_request(WIRE_KERNEL_PARAMETERS, site);
    request.KERNEL_PARAMETERS.kernel = client_word(function);
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, parameters, sizeof parameters);
    if (error != CUDA_SUCCESS) return error;
    uint32_t count = (uint32_t)(reply.payload_bytes / sizeof(WireParameter));
    if (count > CLIENT_MAX_PARAMETERS) return CUDA_UNKNOWN;
    ClientKernel *made = malloc(sizeof *made + count * sizeof(WireParameter));
    if (made == NULL) return CUDA_OUT_OF_MEMORY;
    *made = (ClientKernel){
        .function = function, .count = count, .bytes = (uint32_t)reply.KERNEL_PARAMETERS.bytes};
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
        client_reads_argument(i + 1);
        memcpy(block + parameter->offset, arguments[i], parameter->bytes);
        client_reads_argument(0);
    }
    return true;
}

static CudaError find_kernel(const void *function, ClientSite site, const ClientKernel **kernel) {
    *kernel = client_kernel_find(function);
    if (*kernel != NULL) return CUDA_SUCCESS;
    return ask_kernel(function, site, kernel);
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

/** Gathers the parameters into one block and sends the launch. A launch that was accepted uses the memory
 * that the parameters point to, so the host's access to that is watched from here on. */
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
    request.cudaLaunchKernel = (Arguments_cudaLaunchKernel){.kernel = client_word(function),
                                                            .grid = {c->grid.x, c->grid.y, c->grid.z},
                                                            .block = {c->block.x, c->block.y, c->block.z},
                                                            .shared_bytes = c->shared,
                                                            .stream = client_word(c->stream),
                                                            .cooperative = cooperative};
    request.payload_bytes = kernel->bytes;
    CudaError error = client_call(&request, block, NULL);
    if (error == CUDA_SUCCESS) client_watch_parameters(block, kernel->bytes);
    if (error == CUDA_SUCCESS) client_launched();
    return error;
}

/* ---- launches ---- */

ENTRY(CudaError, __cudaGetKernel, void **kernel, const void *function) {
    *kernel = client_pointer(client_word(function));
    return CUDA_SUCCESS;
}

ENTRY(CudaError, cudaGetKernel, void **kernel, const void *function) {
    return __cudaGetKernel(kernel, function);
}

ENTRY(CudaError, cudaGetFuncBySymbol, void **kernel, const void *function) {
    return __cudaGetKernel(kernel, function);
}

ENTRY(CudaError, __cudaLaunchKernel, void *kernel, CudaDim3 grid, CudaDim3 block, void **arguments,
      size_t shared, CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchKernel, kernel, &configuration, arguments, false, take_site(CLIENT_SITE()));
}

ENTRY(CudaError, cudaLaunchKernel, const void *function, CudaDim3 grid, CudaDim3 block, void **arguments,
      size_t shared, CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchKernel, function, &configuration, arguments, false,
                  take_site(CLIENT_SITE()));
}

ENTRY(CudaError, cudaLaunchCooperativeKernel, const void *function, CudaDim3 grid, CudaDim3 block,
      void **arguments, size_t shared, CudaStream stream) {
    LaunchConfiguration configuration = {grid, block, shared, stream, NULL, 0};
    return launch(WIRE_cudaLaunchCooperativeKernel, function, &configuration, arguments, true, CLIENT_SITE());
}

/** Of the attributes two matter here: cooperative launches, and clusters, which are refused when they have
 * more than one block. */
ENTRY(CudaError, cudaLaunchKernelExC, const LaunchConfiguration *configuration, const void *function,
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
    if (cluster > 1) return CLIENT_SEND(CLUSTER, .blocks = cluster);
    return launch(WIRE_cudaLaunchKernelExC, function, configuration, arguments, cooperative, CLIENT_SITE());
}

/* ---- questions ---- */

/** The PTX version and that of the machine code come in one word of the reply. */
ENTRY(CudaError, cudaFuncGetAttributes, FunctionAttributes *attributes, const void *function) {
    WireRequest request =
        CLIENT_REQUEST(cudaFuncGetAttributes, CLIENT_SITE(), .attributes = client_word(attributes),
                       .kernel = client_word(function));
    WireReply reply;
    CudaError error = client_call(&request, NULL, &reply);
    if (error != CUDA_SUCCESS) return error;
    const Results_cudaFuncGetAttributes *r = &reply.cudaFuncGetAttributes;
    *attributes = (FunctionAttributes){.shared = r->shared,
                                       .local = r->local,
                                       .max_threads = (int)r->most_threads,
                                       .registers = (int)r->registers,
                                       .ptx_version = (int)(uint32_t)r->targets,
                                       .binary_version = (int)(r->targets >> 32),
                                       .max_dynamic_shared = (int)r->most_dynamic,
                                       .carveout = -1};
    return CUDA_SUCCESS;
}

/** The text lives as long as the program, as with NVIDIA's runtime. */
ENTRY(CudaError, cudaFuncGetName, const char **name, const void *function) {
    enum { LONGEST = 4096 };
    WireRequest request = CLIENT_REQUEST(cudaFuncGetName, CLIENT_SITE(), .name = client_word(name),
                                         .kernel = client_word(function));
    char text[LONGEST];
    WireReply reply;
    CudaError error = client_call_into(&request, NULL, &reply, text, sizeof text - 1);
    if (error != CUDA_SUCCESS) return error;
    size_t length;
    if (reply.payload_bytes < sizeof text - 1)
        length = (size_t)reply.payload_bytes;
    else
        length = sizeof text - 1;
    char *kept = strndup(text, length);
    if (kept == NULL) return CUDA_OUT_OF_MEMORY;
    *name = kept;
    return CUDA_SUCCESS;
}
