/* serve_launch.c - launches: the limits, with the arithmetic said; pointers among the arguments; questions
 * about kernels.
 *
 * What is found here is found before the kernel runs: a launch past a limit never starts, as on a device.
 */
#include "device/complain.h"
#include "device/devices.h"
#include "device/serve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** An address that no kernel was registered for; CUDA 13 calls it a handle. */
static CudaCode no_kernel(Device *device, const DeviceKernel *kernel) {
    bool launch = device->serving.request->function == WIRE_KERNEL_PARAMETERS;
    const char *function = launch ? "the launch" : serve_function(device);
    if (kernel != NULL)
        complain(device, FINDING_LIMIT,
                 "Of a program that nvcc -rdc=true has linked from several files the software GPU reads the "
                 "device "
                 "code of one file. Include the others in it, or build with warpcc, which links them itself.",
                 "%s: the device code that was read has no kernel %s", function, kernel->name);
    else
        complain(device, FINDING_API_MISUSE, "Pass the name of a __global__ function of this program.",
                 "%s: this is not a kernel", function);
    return device->program.toolkit >= 13 ? CUDA_INVALID_HANDLE : CUDA_INVALID_FUNCTION;
}

DeviceKernel *serve_kernel(Device *device, uint64_t host, CudaCode *error) {
    DeviceKernel *kernel = objects_kernel(device, host);
    *error = kernel != NULL ? objects_kernel_load(device, kernel) : CUDA_INVALID_FUNCTION;
    if (*error == CUDA_INVALID_FUNCTION) *error = no_kernel(device, kernel);
    return *error == CUDA_OK ? kernel : NULL;
}

/* ---- parameters ---- */

/** Where each parameter goes in the block that a launch sends. This is also where a launch of an unknown
 * kernel fails first. */
SERVE(serve_kernel_parameters, KERNEL_PARAMETERS) {
    CudaCode error;
    DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    WireParameter *parameters = ARENA_ARRAY(device->arena, function->parameter_count + 1, WireParameter);
    if (parameters == NULL) return CUDA_OUT_OF_MEMORY;
    for (unsigned i = 0; i < function->parameter_count; i++)
        parameters[i] = (WireParameter){.offset = function->parameters[i].offset,
                                        .bytes = (uint32_t)function->parameters[i].bytes};
    r->count = function->parameter_count;
    r->bytes = function->parameter_bytes;
    return serve_reply_with(device, parameters, function->parameter_count * sizeof *parameters);
}

/* ---- limits ---- */

static uint64_t product(const uint64_t *sizes) {
    uint64_t all;
    if (__builtin_mul_overflow(sizes[0], sizes[1], &all) || __builtin_mul_overflow(all, sizes[2], &all))
        return UINT64_MAX;
    return all;
}

static const char *spell(Device *device, const uint64_t *sizes) {
    const char *text;
    if (sizes[2] != 1)
        text = arena_format(device->arena, "%s x %s x %s", complain_number(device, sizes[0]),
                            complain_number(device, sizes[1]), complain_number(device, sizes[2]));
    else if (sizes[1] != 1)
        text = arena_format(device->arena, "%s x %s", complain_number(device, sizes[0]),
                            complain_number(device, sizes[1]));
    else
        text = complain_number(device, sizes[0]);
    return text != NULL ? text : "?";
}

/** CUDA 13 has changed what a block or grid of 0 or too large returns, as seen on an H200. */
static CudaCode configuration_error(const Device *device) {
    return device->program.toolkit >= 13 ? CUDA_INVALID_VALUE : CUDA_INVALID_CONFIGURATION;
}

/** Too many threads for a block, with the product said; numbers that would fit the other way round may have
 * been swapped. */
static CudaCode refuse_threads(Device *device, const DeviceKernel *kernel, const ServeLaunch *shape) {
    uint64_t threads = product(shape->block), blocks = product(shape->grid);
    const char *name = gpu_kernel_function(kernel->gpu)->plain_name;
    bool swapped =
        blocks <= CARD_BLOCK_THREADS && shape->grid[1] == 1 && shape->block[1] == 1 && shape->block[2] == 1;
    complain(device, FINDING_INVALID_LAUNCH,
             swapped ? "A block has at most 1,024 threads, all dimensions multiplied. In <<<blocks, "
                       "threads>>> the number of "
                       "blocks comes first: the two may be swapped."
                     : "A block has at most 1,024 threads, all dimensions multiplied. Use smaller blocks and "
                       "more of them.",
             "%s: %s%s%s threads per block, the limit is 1,024", name, spell(device, shape->block),
             shape->block[1] != 1 || shape->block[2] != 1 ? " = " : "",
             shape->block[1] != 1 || shape->block[2] != 1 ? complain_number(device, threads) : "");
    return configuration_error(device);
}

static CudaCode refuse_shape(Device *device, const DeviceKernel *kernel, const char *what,
                             const uint64_t *sizes, const char *limit, const char *advice) {
    complain(device, FINDING_INVALID_LAUNCH, advice, "%s: %s of %s, %s",
             gpu_kernel_function(kernel->gpu)->plain_name, what, spell(device, sizes), limit);
    return configuration_error(device);
}

/** The limits on grid and block in the order in which they are easiest to understand: nothing at all, too
 * many threads, one long dimension. */
static CudaCode check_shape(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    if (product(s->block) == 0)
        return refuse_shape(device, kernel, "a block", s->block, "which has no threads",
                            "Every dimension of a block is at least 1.");
    if (product(s->grid) == 0)
        return refuse_shape(
            device, kernel, "a grid", s->grid, "which has no blocks",
            "Every dimension of a grid is at least 1. When there is nothing to do (n = 0), do not launch "
            "at all; (n + threads - 1) / threads rounds up.");
    if (product(s->block) > CARD_BLOCK_THREADS) return refuse_threads(device, kernel, s);
    if (s->block[2] > CARD_BLOCK_Z)
        return refuse_shape(device, kernel, "a block", s->block, "the limit in z is 64",
                            "Put the long dimension in x.");
    if (s->grid[0] > CARD_GRID_X)
        return refuse_shape(device, kernel, "a grid", s->grid, "the limit in x is 2,147,483,647",
                            "The number may be negative: check the arithmetic for overflow.");
    if (s->grid[1] > CARD_GRID_YZ || s->grid[2] > CARD_GRID_YZ)
        return refuse_shape(
            device, kernel, "a grid", s->grid, "the limit in y and z is 65,535",
            "Put the long dimension in x, or let each thread do several elements (a grid-stride loop).");
    return CUDA_OK;
}

/** Bytes of shared memory that one block of the kernel may have. Arrays of fixed size must do with 48 KiB. */
static uint64_t most_shared(const DeviceKernel *kernel) {
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), opted = fixed + kernel->dynamic_shared_limit;
    return fixed <= CARD_USUAL_SHARED && opted > CARD_USUAL_SHARED ? opted : CARD_USUAL_SHARED;
}

/** What to do depends on which part is too large: arrays of fixed size, what was not opted in to, or more
 * than the card has. */
static const char *shared_advice(Device *device, uint64_t fixed, uint64_t dynamic) {
    uint64_t most = (uint64_t)device->card->capability->most_shared;
    if (fixed > CARD_USUAL_SHARED)
        return "Arrays of fixed size may take 48 KiB in all, and no attribute changes that. Make them "
               "smaller, or take the memory from the launch: extern __shared__ float s[], with its bytes "
               "as the third launch argument (past 48 KiB after cudaFuncSetAttribute).";
    if (dynamic <= most && fixed + dynamic <= most)
        return "More than 48 KiB must be asked for first: cudaFuncSetAttribute(kernel, "
               "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).";
    const char *text = arena_format(
        device->arena,
        "A block has at most %s KiB of shared memory on this card. The third launch argument is in bytes.",
        complain_number(device, most >> 10));
    return text != NULL ? text : "";
}

static CudaCode check_shared(Device *device, const DeviceKernel *kernel, uint64_t dynamic) {
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), limit = most_shared(kernel);
    if (fixed <= limit && dynamic <= limit - fixed) return CUDA_OK;
    complain(
        device, FINDING_INVALID_LAUNCH, shared_advice(device, fixed, dynamic),
        "%s: %s bytes of shared memory per block (%s in arrays of fixed size, %s from the launch), the limit "
        "is %s",
        gpu_kernel_function(kernel->gpu)->plain_name, complain_number(device, fixed + dynamic),
        complain_number(device, fixed), complain_number(device, dynamic), complain_number(device, limit));
    return CUDA_INVALID_VALUE;
}

/** What __launch_bounds__ and friends allow, as the PTX carries them. */
static uint64_t most_threads(const DeviceKernel *kernel) {
    const uint32_t *most = gpu_kernel_function(kernel->gpu)->max_threads;
    uint64_t limit = most[0];
    for (unsigned i = 1; i < 3; i++)
        if (most[i] != 0) limit *= most[i];
    return limit != 0 && limit < CARD_BLOCK_THREADS ? limit : CARD_BLOCK_THREADS;
}

static CudaCode check_bounds(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    uint64_t limit = most_threads(kernel);
    if (product(s->block) <= limit) return CUDA_OK;
    complain(device, FINDING_INVALID_LAUNCH,
             "__launch_bounds__ promises the compiler that blocks are never larger.",
             "%s: %s threads per block, but the kernel's __launch_bounds__ says at most %s",
             function->plain_name, complain_number(device, product(s->block)),
             complain_number(device, limit));
    return CUDA_INVALID_VALUE;
}

/** Blocks on a multiprocessor; 0: none can be launched. LIMIT: registers are not counted, as PTX has no bound
 * on them. */
static uint64_t resident_blocks(const Device *device, const DeviceKernel *kernel, uint64_t threads,
                                uint64_t dynamic) {
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), limit = most_shared(kernel);
    if (threads > most_threads(kernel) || fixed > limit || dynamic > limit - fixed) return 0;
    return cards_resident_blocks(device->card, threads, fixed + dynamic);
}

/** A grid that waits for itself must fit the device. */
static CudaCode check_cooperative(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    uint64_t blocks = product(s->grid);
    uint64_t most =
        (uint64_t)device->card->processors * resident_blocks(device, kernel, product(s->block), s->shared);
    if (blocks <= most) return CUDA_OK;
    complain(device, FINDING_INVALID_LAUNCH,
             "In a cooperative launch all blocks must run at the same time, so that its blocks can wait for "
             "each other. Use fewer "
             "blocks and a grid-stride loop.",
             "%s: a cooperative launch of %s blocks, this device runs %s at once",
             gpu_kernel_function(kernel->gpu)->plain_name, complain_number(device, blocks),
             complain_number(device, most));
    return CUDA_COOPERATIVE_TOO_LARGE;
}

/* ---- pointers among the arguments ---- */

static const char *ordinal(Device *device, unsigned index, const PtxVariable *parameter) {
    if (parameter->plain_name != NULL && parameter->plain_name[0] != 0 &&
        !text_starts_with(parameter->plain_name, "parameter"))
        return parameter->plain_name;
    const char *text = arena_format(device->arena, "argument %u", index + 1);
    return text != NULL ? text : "an argument";
}

/** An 8-byte argument that can only be a host pointer. Small numbers, doubles and device addresses are none.
 */
static bool is_host_pointer(Device *device, uint64_t value) {
    enum { LOWEST = 0x10000 };
    if (value < LOWEST || value >= UINT64_C(0x800000000000)) return false;
    DeviceAddressKind kind = objects_address_kind(device, value);
    if (kind == ADDRESS_SHADOW || kind == ADDRESS_IMAGE || kind == ADDRESS_STACK) return true;
    /* The heap lies above the program's image, libraries and large blocks near the top of the address space.
     */
    bool heap = device->program.image_end != 0 && value >= device->program.image_end &&
                value - device->program.image_end < (UINT64_C(1) << 36) &&
                device->program.image_end > (UINT64_C(1) << 40);
    bool mapped = value >= UINT64_C(0x7f0000000000) && (value & 3) == 0;
    return kind == ADDRESS_HOST && (heap || mapped);
}

/** A host pointer that stands for a device variable deserves other advice than one to ordinary memory. */
static void tell_host_pointer(Device *device, const PtxFunction *function, unsigned index, uint64_t value) {
    const DeviceVariable *variable = objects_variable(device, value);
    const char *name = ordinal(device, index, &function->parameters[index]);
    if (variable != NULL)
        complain(device, FINDING_HOST_DEVICE_POINTER,
                 "A __constant__ or __device__ variable is seen by every kernel of the file: use its name in "
                 "the kernel and "
                 "leave the argument out, or ask cudaGetSymbolAddress for its device address.",
                 "%s is passed the device variable %s by its host placeholder, which kernels cannot use (%s)",
                 function->plain_name, variable->name, name);
    else
        complain(device, FINDING_HOST_DEVICE_POINTER,
                 "Kernels cannot reach the host's memory. Allocate device memory with cudaMalloc, copy the "
                 "data there, and pass "
                 "that pointer.",
                 "%s is passed a pointer to %s for %s", function->plain_name, complain_address(device, value),
                 name);
}

/** Only parameters of eight bytes can be pointers; among them those that only the host can have made are
 * told. */
static bool check_arguments(Device *device, const PtxFunction *function, const uint8_t *block) {
    bool fine = true;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value;
        if (parameter->bytes != sizeof value) continue;
        memcpy(&value, block + parameter->offset, sizeof value);
        if (!is_host_pointer(device, value)) continue;
        tell_host_pointer(device, function, i, value);
        fine = false;
    }
    return fine;
}

/** A registered host pointer means the same memory to a kernel: such arguments become the address that it has
 * there.
 */
static void translate_pinned(Device *device, uint8_t *block, size_t bytes) {
    for (size_t at = 0; device->objects.pinned != NULL && at + sizeof(uint64_t) <= bytes;
         at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, block + at, sizeof value);
        uint64_t reached = objects_pinned_address(device, value);
        if (reached != 0) memcpy(block + at, &reached, sizeof reached);
    }
}

/* ---- the launch ---- */

/** What a launch may ask for, and whether the kernel's parameters are all there. */
static CudaCode check_launch(Device *device, const DeviceKernel *kernel, const ServeLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    CudaCode error = check_shape(device, kernel, launch);
    if (error == CUDA_OK) error = check_bounds(device, kernel, launch);
    if (error == CUDA_OK) error = check_shared(device, kernel, launch->shared);
    if (error == CUDA_OK && launch->cooperative) error = check_cooperative(device, kernel, launch);
    if (error == CUDA_OK && launch->parameter_bytes != function->parameter_bytes) error = CUDA_INVALID_VALUE;
    return error;
}

static GpuDim dimension(const uint64_t *sizes) {
    return (GpuDim){(uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2]};
}

/** LIMIT: each block is a cluster of its own. */
SERVE(serve_cluster, CLUSTER) {
    complain(
        device, FINDING_LIMIT,
        "Leave out cudaLaunchAttributeClusterDimension, and let blocks share through global memory. "
        "cudaDevAttrClusterLaunch says whether a device has clusters; it is 0 here.",
        "cudaLaunchKernelExC: the software GPU has no clusters of blocks, and this launch asks for clusters "
        "of %s",
        complain_number(device, a->blocks));
    return CUDA_NOT_SUPPORTED;
}

/** A copy of the parameters as the kernel gets them; NULL without memory. A host pointer among them is
 * explained now; the launch goes on and faults, as on a device. */
static uint8_t *take_parameters(Device *device, const DeviceKernel *kernel, const ServeLaunch *launch) {
    size_t bytes = (size_t)launch->parameter_bytes;
    uint8_t *parameters = malloc(bytes + 1);
    if (parameters == NULL) return NULL;
    memcpy(parameters, launch->parameters, bytes);
    translate_pinned(device, parameters, bytes);
    check_arguments(device, gpu_kernel_function(kernel->gpu), parameters);
    return parameters;
}

/** Checks the launch against the limits of kernel, device and stream, and queues it with parameters of its
 * own. */
CudaCode serve_launch_with(Device *device, const ServeLaunch *launch) {
    CudaCode error;
    DeviceKernel *kernel = serve_kernel(device, launch->kernel, &error);
    if (kernel == NULL) return error;
    DeviceStream *stream = serve_stream(device, launch->stream);
    if (stream == NULL) return CUDA_INVALID_HANDLE;
    if (stream->device != devices_current(device))
        return devices_refuse(device, "a stream", stream->device, devices_current(device));
    error = check_launch(device, kernel, launch);
    if (error != CUDA_OK) return error;
    uint8_t *parameters = take_parameters(device, kernel, launch);
    DeviceOperation *operation = parameters != NULL ? queue_add(device, OPERATION_LAUNCH, stream) : NULL;
    if (operation == NULL) {
        free(parameters);
        return CUDA_OUT_OF_MEMORY;
    }
    timing_launched(device, operation);
    operation->launch.parameters = parameters;
    operation->launch.threads = product(launch->grid) * product(launch->block);
    operation->launch.spec = (GpuLaunchSpec){.kernel = kernel->gpu,
                                             .grid = dimension(launch->grid),
                                             .block = dimension(launch->block),
                                             .dynamic_shared = (uint32_t)launch->shared,
                                             .parameters = parameters,
                                             .site = device->serving.site,
                                             .stream = stream->handle,
                                             .cooperative = launch->cooperative};
    return CUDA_OK;
}

SERVE(serve_launch, cudaLaunchKernel) {
    const ServeLaunch launch = {.kernel = a->kernel,
                                .grid = a->grid,
                                .block = a->block,
                                .shared = a->shared_bytes,
                                .stream = a->stream,
                                .cooperative = a->cooperative != 0,
                                .parameters = device->link.payload,
                                .parameter_bytes = device->serving.request->payload_bytes};
    return serve_launch_with(device, &launch);
}

/* ---- questions ---- */

SERVE(serve_function_attributes, cudaFuncGetAttributes) {
    CudaCode error = serve_check_out(device, a->attributes, "the attributes");
    if (error != CUDA_OK) return error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), limit = most_shared(kernel);
    r->shared = fixed;
    /* Libraries choose by the target what they launch; the machine code would be the card's. */
    r->targets = kernel->module->ptx->target | (uint64_t)cards_target(device->card) << 32;
    r->local = function->local_bytes;
    r->most_threads = most_threads(kernel);
    r->registers = function->register_count < 255 ? function->register_count : 255;
    r->most_dynamic = limit > fixed ? limit - fixed : 0;
    return CUDA_OK;
}

/** Of the attributes only the opt-in to more shared memory has an effect. */
SERVE(serve_set_function_attribute, cudaKernelSetAttributeForDevice) {
    enum { DYNAMIC_SHARED = 8 };
    CudaCode error;
    DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    if (a->attribute != DYNAMIC_SHARED) return CUDA_OK;
    uint64_t most = (uint64_t)device->card->capability->most_shared;
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu);
    if (a->value > most || fixed + a->value > most) {
        complain(device, FINDING_API_MISUSE,
                 "cudaDevAttrMaxSharedMemoryPerBlockOptin says how much a block may have.",
                 "cudaFuncSetAttribute: %s bytes of dynamic shared memory asked for, the limit is %s",
                 complain_number(device, a->value), complain_number(device, fixed < most ? most - fixed : 0));
        return CUDA_INVALID_VALUE;
    }
    kernel->dynamic_shared_limit = (uint32_t)a->value;
    return CUDA_OK;
}

SERVE(serve_function_setting, cudaFuncSetCacheConfig) {
    CudaCode error;
    serve_kernel(device, a->kernel, &error);
    return error;
}

SERVE(serve_function_name, cudaFuncGetName) {
    CudaCode error = serve_check_out(device, a->name, "the name");
    if (error != CUDA_OK) return error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    return serve_reply_with(device, kernel->name, strlen(kernel->name));
}

SERVE(serve_occupancy, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) {
    CudaCode error = serve_check_out(device, a->blocks, "the number of blocks");
    if (error != CUDA_OK) return error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    if (a->threads == 0 || a->threads > INT32_MAX) return CUDA_INVALID_VALUE;
    r->blocks = resident_blocks(device, kernel, a->threads, a->shared_bytes);
    return CUDA_OK;
}

/** What is left for the launch when that many blocks are to be resident: occupancy asked the other way round.
 */
SERVE(serve_available_shared, cudaOccupancyAvailableDynamicSMemPerBlock) {
    CudaCode error = serve_check_out(device, a->bytes, "the size");
    if (error != CUDA_OK) return error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    if (a->blocks == 0 || a->blocks > resident_blocks(device, kernel, a->threads, 0))
        return CUDA_INVALID_VALUE;
    uint64_t share = cards_shared_for(device->card, a->blocks), limit = most_shared(kernel),
             fixed = gpu_kernel_static_shared(kernel->gpu);
    if (share > limit) share = limit;
    r->bytes = share > fixed ? share - fixed : 0;
    return CUDA_OK;
}
