/* serve_launch.c - launches: the limits, with the arithmetic said; pointers among the arguments; questions
 * about kernels.
 *
 * What is found here is found before the kernel runs: a launch past a limit never starts, as on a device.
 */
#include "base/minmax.h"
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/devices.h"
#include "device/streams/queue.h"
#include "device/watch/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** An address that no kernel was registered for; CUDA 13 calls it a handle. */
static CudaCode no_kernel(Device *device, const DeviceKernel *kernel) {
    bool launch = device->serving.request->function == WIRE_KERNEL_PARAMETERS;
    const char *function = NULL;
    if (!launch) function = serve_function(device);
    if (kernel != NULL)
        complain(device, FINDING_LIMIT, SAID_LAUNCH(NOT_READ, .function = function, .kernel = kernel->name));
    else
        complain(device, FINDING_API_MISUSE, SAID_LAUNCH(NO_KERNEL, .function = function));
    if (device->program.toolkit >= 13) return CUDA_INVALID_HANDLE;
    return CUDA_INVALID_FUNCTION;
}

DeviceKernel *serve_kernel(Device *device, uint64_t host, CudaCode *error) {
    DeviceKernel *kernel = objects_kernel(device, host);
    if (kernel != NULL)
        *error = modules_load_kernel(device, kernel);
    else
        *error = CUDA_INVALID_FUNCTION;
    if (*error == CUDA_INVALID_FUNCTION) *error = no_kernel(device, kernel);
    if (*error == CUDA_OK) return kernel;
    return NULL;
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
    const char *text = TOLD_LAUNCH(SHAPE, device->arena, .x = sizes[0], .y = sizes[1], .z = sizes[2],
                                   .three = sizes[2] != 1, .two = sizes[1] != 1);
    if (text != NULL) return text;
    return "?";
}

/** CUDA 13 has changed what a block or grid of 0 or too large returns, as seen on an H200. */
static CudaCode configuration_error(const Device *device) {
    if (device->program.toolkit >= 13) return CUDA_INVALID_VALUE;
    return CUDA_INVALID_CONFIGURATION;
}

/** Too many threads for a block, with the product said; numbers that would fit the other way round may have
 * been swapped. */
static CudaCode refuse_threads(Device *device, const DeviceKernel *kernel, const ServeLaunch *shape) {
    bool flat = shape->block[1] == 1 && shape->block[2] == 1;
    complain(
        device, FINDING_INVALID_LAUNCH,
        SAID_LAUNCH(THREADS, .kernel = gpu_kernel_function(kernel->gpu)->plain_name,
                    .shape = spell(device, shape->block), .flat = flat, .threads = product(shape->block),
                    .one_block = flat && product(shape->grid) == 1,
                    .swapped = flat && shape->grid[1] == 1 && product(shape->grid) <= CARD_BLOCK_THREADS));
    return configuration_error(device);
}

static CudaCode refuse_shape(Device *device, const DeviceKernel *kernel, const uint64_t *sizes,
                             LaunchText message, LaunchText why) {
    const LaunchFacts facts = {.kernel = gpu_kernel_function(kernel->gpu)->plain_name,
                               .shape = spell(device, sizes)};
    complain(device, FINDING_INVALID_LAUNCH, said_launch(message, why, &facts));
    return configuration_error(device);
}

/** The limits on a block, in the order in which they are easiest to understand. */
static CudaCode check_block(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    if (product(s->block) == 0)
        return refuse_shape(device, kernel, s->block, LAUNCH_NO_THREADS_MESSAGE, LAUNCH_NO_THREADS_WHY);
    if (product(s->block) > CARD_BLOCK_THREADS) return refuse_threads(device, kernel, s);
    if (s->block[2] > CARD_BLOCK_Z)
        return refuse_shape(device, kernel, s->block, LAUNCH_BLOCK_Z_MESSAGE, LAUNCH_BLOCK_Z_WHY);
    return CUDA_OK;
}

/** The limits on the grid. */
static CudaCode check_grid(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    if (product(s->grid) == 0)
        return refuse_shape(device, kernel, s->grid, LAUNCH_NO_BLOCKS_MESSAGE, LAUNCH_NO_BLOCKS_WHY);
    if (s->grid[0] > CARD_GRID_X)
        return refuse_shape(device, kernel, s->grid, LAUNCH_GRID_X_MESSAGE, LAUNCH_GRID_X_WHY);
    if (s->grid[1] > CARD_GRID_YZ || s->grid[2] > CARD_GRID_YZ)
        return refuse_shape(device, kernel, s->grid, LAUNCH_GRID_YZ_MESSAGE, LAUNCH_GRID_YZ_WHY);
    return CUDA_OK;
}

/** Bytes of shared memory that one block of the kernel may have. Arrays of fixed size must do with 48 KiB. */
static uint64_t most_shared(const DeviceKernel *kernel) {
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), opted = fixed + kernel->dynamic_shared_limit;
    if (fixed <= CARD_USUAL_SHARED && opted > CARD_USUAL_SHARED) return opted;
    return CARD_USUAL_SHARED;
}

/** What to do depends on which part is too large: arrays of fixed size, what was not opted in to, or more
 * than the card has. */
static CudaCode check_shared(Device *device, const DeviceKernel *kernel, uint64_t dynamic) {
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), limit = most_shared(kernel);
    uint64_t most = (uint64_t)device->card->capability->most_shared;
    if (fixed <= limit && dynamic <= limit - fixed) return CUDA_OK;
    complain(device, FINDING_INVALID_LAUNCH,
             SAID_LAUNCH(SHARED, .kernel = gpu_kernel_function(kernel->gpu)->plain_name,
                         .bytes = fixed + dynamic, .fixed = fixed, .dynamic = dynamic, .limit = limit,
                         .kib = most >> 10, .fixed_too_large = fixed > CARD_USUAL_SHARED,
                         .card_has_it = dynamic <= most && fixed + dynamic <= most));
    return CUDA_INVALID_VALUE;
}

/** What __launch_bounds__ and friends allow, as the PTX carries them. */
static uint64_t most_threads(const DeviceKernel *kernel) {
    const uint32_t *most = gpu_kernel_function(kernel->gpu)->max_threads;
    uint64_t limit = most[0];
    for (unsigned i = 1; i < 3; i++)
        if (most[i] != 0) limit *= most[i];
    if (limit != 0 && limit < CARD_BLOCK_THREADS) return limit;
    return CARD_BLOCK_THREADS;
}

static CudaCode check_bounds(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    uint64_t limit = most_threads(kernel);
    if (product(s->block) <= limit) return CUDA_OK;
    complain(
        device, FINDING_INVALID_LAUNCH,
        SAID_LAUNCH(BOUNDS, .kernel = function->plain_name, .threads = product(s->block), .limit = limit));
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

/** For the report: how much of the device a launch of this shape can fill. */
static void count_residents(const Device *device, const DeviceKernel *kernel, const ServeLaunch *s,
                            GpuLaunchSpec *spec) {
    enum { ALL = 100 };
    const uint64_t threads = product(s->block), each = resident_blocks(device, kernel, threads, s->shared);
    spec->resident = (uint32_t)(each * (uint64_t)device->card->processors);
    spec->occupancy = (uint32_t)(ALL * each * threads / (uint64_t)device->card->capability->threads);
}

/** A grid that waits for itself must fit the device. */
static CudaCode check_cooperative(Device *device, const DeviceKernel *kernel, const ServeLaunch *s) {
    uint64_t blocks = product(s->grid);
    uint64_t most =
        (uint64_t)device->card->processors * resident_blocks(device, kernel, product(s->block), s->shared);
    if (blocks <= most) return CUDA_OK;
    complain(device, FINDING_INVALID_LAUNCH,
             SAID_LAUNCH(COOPERATIVE, .kernel = gpu_kernel_function(kernel->gpu)->plain_name,
                         .blocks = blocks, .limit = most));
    return CUDA_COOPERATIVE_TOO_LARGE;
}

/* ---- pointers among the arguments ---- */

static const char *ordinal(Device *device, unsigned index, const PtxVariable *parameter) {
    if (parameter->plain_name != NULL && parameter->plain_name[0] != 0 &&
        !text_starts_with(parameter->plain_name, "parameter"))
        return parameter->plain_name;
    const char *text = TOLD_LAUNCH(ARGUMENT, device->arena, .number = index + 1);
    if (text != NULL) return text;
    return "?";
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
    const DeviceAddressKind kind = objects_address_kind(device, value);
    if (variable != NULL)
        complain(device, FINDING_HOST_DEVICE_POINTER,
                 SAID_LAUNCH(PLACEHOLDER, .kernel = function->plain_name, .variable = variable->name,
                             .argument = name));
    else
        complain(device, FINDING_HOST_DEVICE_POINTER,
                 SAID_LAUNCH(HOST_POINTER, .kernel = function->plain_name,
                             .memory = complain_address(device, value), .argument = name,
                             .of_variable = kind == ADDRESS_STACK || kind == ADDRESS_IMAGE));
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

/** What lies in a structure between its members is whatever the host's stack had there: a kernel gets zeros,
 * so that two runs of a program are alike. */
static void clear_padding(const PtxFunction *function, uint8_t *block) {
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        const PtxLayout *layout = parameter->own_layout;
        if (layout == NULL || layout->member == NULL || layout->bytes != parameter->bytes) continue;
        for (uint32_t at = 0; at < layout->bytes; at++)
            if (!layout->member[at]) block[parameter->offset + at] = 0;
    }
}

/* ---- the launch ---- */

/** What a launch may ask for, and whether the kernel's parameters are all there. A grid of 0 comes after what
 * a block may have: of a block that is too large a multiprocessor holds 0, which programs multiply. */
static CudaCode check_launch(Device *device, const DeviceKernel *kernel, const ServeLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    CudaCode error = check_block(device, kernel, launch);
    if (error == CUDA_OK) error = check_bounds(device, kernel, launch);
    if (error == CUDA_OK) error = check_shared(device, kernel, launch->shared);
    if (error == CUDA_OK) error = check_grid(device, kernel, launch);
    if (error == CUDA_OK && launch->cooperative) error = check_cooperative(device, kernel, launch);
    if (error == CUDA_OK && launch->parameter_bytes != function->parameter_bytes) error = CUDA_INVALID_VALUE;
    return error;
}

static GpuDim dimension(const uint64_t *sizes) {
    return (GpuDim){(uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2]};
}

/** LIMIT: each block is a cluster of its own. */
SERVE(serve_cluster, CLUSTER) {
    complain(device, FINDING_LIMIT, SAID_LAUNCH(CLUSTER, .blocks = a->blocks));
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
    clear_padding(gpu_kernel_function(kernel->gpu), parameters);
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
    device->serving.uncounted = stream->capture != NULL; /* nothing is launched yet */
    if (stream->device != devices_current(device))
        return devices_refuse(device, false, stream->device, devices_current(device));
    error = check_launch(device, kernel, launch);
    if (error != CUDA_OK) return error;
    uint8_t *parameters = take_parameters(device, kernel, launch);
    DeviceOperation *operation = NULL;
    if (parameters != NULL) operation = queue_add(device, OPERATION_LAUNCH, stream);
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
    count_residents(device, kernel, launch, &operation->launch.spec);
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
    CudaCode error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    const PtxFunction *function = gpu_kernel_function(kernel->gpu);
    uint64_t fixed = gpu_kernel_static_shared(kernel->gpu), limit = most_shared(kernel);
    r->shared = fixed;
    /* Libraries choose by the target what they launch; the machine code would be the card's. */
    r->targets = kernel->module->ptx->target | (uint64_t)cards_target(device->card) << 32;
    r->local = function->local_bytes;
    r->most_threads = most_threads(kernel);
    r->registers = MIN(function->register_count, 255);
    if (limit > fixed)
        r->most_dynamic = limit - fixed;
    else
        r->most_dynamic = 0;
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
                 SAID_LAUNCH(OPTED, .bytes = a->value, .limit = fixed < most ? most - fixed : 0));
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
    CudaCode error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    return serve_reply_with(device, kernel->name, strlen(kernel->name));
}

SERVE(serve_occupancy, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) {
    CudaCode error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    if (a->threads == 0 || a->threads > INT32_MAX) return CUDA_INVALID_VALUE;
    r->blocks = resident_blocks(device, kernel, a->threads, a->shared_bytes);
    return CUDA_OK;
}

/** What is left for the launch when that many blocks are to be resident: occupancy asked the other way round.
 */
SERVE(serve_available_shared, cudaOccupancyAvailableDynamicSMemPerBlock) {
    CudaCode error;
    const DeviceKernel *kernel = serve_kernel(device, a->kernel, &error);
    if (kernel == NULL) return error;
    if (a->blocks == 0 || a->blocks > resident_blocks(device, kernel, a->threads, 0))
        return CUDA_INVALID_VALUE;
    uint64_t share = cards_shared_for(device->card, a->blocks), limit = most_shared(kernel),
             fixed = gpu_kernel_static_shared(kernel->gpu);
    if (share > limit) share = limit;
    if (share > fixed)
        r->bytes = share - fixed;
    else
        r->bytes = 0;
    return CUDA_OK;
}
