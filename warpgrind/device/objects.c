/* objects.c - the tables of what a program has made, and loading its device code at first use. */
#include "device/complain.h"
#include "device/devices.h"
#include "device/fatbin.h"

#include <string.h>

/* ---- looking up ---- */

DeviceModule *objects_module(Device *device, uint64_t handle) {
    DeviceModule *module = device->objects.modules;
    while (module != NULL && module->handle != handle)
        module = module->next;
    return module;
}

DeviceKernel *objects_kernel(Device *device, uint64_t host) {
    DeviceKernel *kernel = device->objects.kernels;
    while (kernel != NULL && kernel->host != host)
        kernel = kernel->next;
    return kernel;
}

DeviceVariable *objects_variable(Device *device, uint64_t host) {
    DeviceVariable *variable = device->objects.variables;
    while (variable != NULL && !(host >= variable->host && host - variable->host < variable->bytes))
        variable = variable->next;
    return variable;
}

DeviceStream *objects_stream(Device *device, uint64_t handle) {
    bool usual = handle <= STREAM_PER_THREAD; /* each device has these */
    bool own = device->serving.request != NULL && device->serving.request->own_stream != 0;
    if (handle == 0) handle = own ? STREAM_PER_THREAD : STREAM_LEGACY;
    unsigned current = devices_current(device);
    DeviceStream *stream = device->objects.streams;
    while (stream != NULL && (stream->handle != handle || (usual && stream->device != current)))
        stream = stream->next;
    return stream;
}

DeviceStream *objects_legacy(Device *device, unsigned number) {
    DeviceStream *stream = device->objects.streams;
    while (stream != NULL && (stream->handle != STREAM_LEGACY || stream->device != number))
        stream = stream->next;
    return stream;
}

DeviceEvent *objects_event(Device *device, uint64_t handle) {
    DeviceEvent *event = device->objects.events;
    while (event != NULL && event->handle != handle)
        event = event->next;
    return event;
}

DeviceShared *objects_shared(Device *device, uint64_t address) {
    DeviceShared *shared = device->objects.shared;
    while (shared != NULL &&
           !(shared->used && address >= shared->address && address - shared->address < shared->bytes))
        shared = shared->next;
    return shared;
}

DevicePinned *objects_pinned(Device *device, uint64_t address) {
    DevicePinned *pinned = device->objects.pinned;
    while (pinned != NULL && !(address >= pinned->address && address - pinned->address < pinned->bytes))
        pinned = pinned->next;
    return pinned;
}

uint64_t objects_pinned_address(Device *device, uint64_t host) {
    const DevicePinned *pinned = objects_pinned(device, host);
    if (pinned == NULL || pinned->shared == NULL) return 0;
    return pinned->shared->address + (host - pinned->first_page);
}

void *objects_new(Device *device, size_t bytes) {
    if (device->objects.count >= DEVICE_MAX_OBJECTS) return NULL;
    device->objects.count++;
    return arena_alloc(device->arena, bytes);
}

/* ---- addresses ---- */

static DeviceAddressKind device_range_kind(Device *device, uint64_t address) {
    if (gpu_memory_find(device->gpu, address) != NULL) return ADDRESS_DEVICE;
    const GpuAllocation *nearest = gpu_memory_nearest(device->gpu, address);
    bool inside =
        nearest != NULL && address >= nearest->address && address - nearest->address < nearest->bytes;
    return inside && nearest->freed ? ADDRESS_FREED : ADDRESS_NEAR;
}

/** The device's ranges lie where no program maps anything (gpu.h), so an address tells its kind by itself.
 * STACK_BELOW_TOP is generous: a stack has 8 MiB unless the user has raised the limit, and what is taken for
 * stack only changes the words of a message. */
DeviceAddressKind objects_address_kind(Device *device, uint64_t address) {
    enum { STACK_BELOW_TOP = 64 << 20, LOWEST_PAGE = 4096 };
    if (address < LOWEST_PAGE) return ADDRESS_NULL;
    if (objects_shared(device, address) != NULL) return ADDRESS_SHARED;
    if (address >= GPU_GLOBAL_BASE && address < GPU_CONST_BASE + GPU_WINDOW_SPAN)
        return device_range_kind(device, address);
    if (objects_variable(device, address) != NULL) return ADDRESS_SHADOW;
    if (address >= device->program.image_begin && address < device->program.image_end) return ADDRESS_IMAGE;
    if (address < device->program.stack_top && device->program.stack_top - address < STACK_BELOW_TOP)
        return ADDRESS_STACK;
    return ADDRESS_HOST;
}

bool objects_is_host_address(DeviceAddressKind kind) {
    return kind == ADDRESS_SHADOW || kind == ADDRESS_IMAGE || kind == ADDRESS_STACK || kind == ADDRESS_HOST;
}

/* ---- device code ---- */

/** Files the first error of the diagnostics; `message` says what the software GPU could not do with the code.
 */
static void say_first(Device *device, const Diagnostics *diagnostics, CodeText message, CodeText why) {
    const Diagnostic *first = diagnostics->first;
    while (first != NULL && first->level != DIAG_ERROR)
        first = first->next;
    CodeFacts facts = {0};
    if (first != NULL) facts = (CodeFacts){.error = first->message, .source_line = first->source_line};
    complain(device, FINDING_LIMIT, said_code(message, why, &facts));
}

/** Device code runs on cards that are as new as its target, or newer. */
static CudaCode refuse_target(Device *device, unsigned target) {
    const CardCapability *capability = device->card->capability;
    complain(device, FINDING_LIMIT,
             SAID_CODE(TOO_NEW, .major = target / 10, .minor = target % 10, .card = device->card->name,
                       .card_major = capability->major, .card_minor = capability->minor,
                       .cards = cards_names()));
    return CUDA_NO_KERNEL_IMAGE;
}

/** Finds the PTX for this card in the image. When there is none the finding says what is there instead:
 * machine code, or code for newer cards. */
static CudaCode read_image(Device *device, DeviceModule *module, const void *bytes, FatbinImage *image,
                           Diagnostics *diagnostics) {
    if (!fatbin_find_ptx(image, module->arena, bytes, module->image_bytes, cards_target(device->card),
                         diagnostics)) {
        say_first(device, diagnostics, CODE_UNREADABLE_MESSAGE, CODE_NOT_UNDERSTOOD_WHY);
        return CUDA_INVALID_PTX;
    }
    if (image->ptx != NULL) return CUDA_OK;
    if (image->too_new != 0) return refuse_target(device, image->too_new);
    complain(device, FINDING_LIMIT,
             SAID_CODE(NO_PTX, .machine = image->only_machine_code ? image->architectures : NULL));
    return CUDA_NO_KERNEL_IMAGE;
}

/** Parses and verifies the PTX of a module; each way to fail has its own finding and error. */
static CudaCode load(Device *device, DeviceModule *module, const void *bytes) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, module->arena);
    FatbinImage image;
    CudaCode error = read_image(device, module, bytes, &image, &diagnostics);
    if (error != CUDA_OK) return error;
    module->ptx = ptx_load(module->arena, "device code", image.ptx, image.length, &diagnostics);
    if (module->ptx == NULL) {
        say_first(device, &diagnostics, CODE_NOT_RUN_MESSAGE, CODE_NOT_UNDERSTOOD_WHY);
        return CUDA_UNSUPPORTED_PTX;
    }
    if (module->ptx->target > cards_target(device->card)) return refuse_target(device, module->ptx->target);
    return CUDA_OK;
}

/** LIMIT: a __managed__ variable is one variable a device here, and the host sees the first. */
static CudaCode place(Device *device, DeviceModule *module, unsigned number) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, module->arena);
    module->gpu[number] = gpu_module_load(device->gpu, module->ptx, &diagnostics);
    sent_module_on_device(device, number);
    if (module->gpu[number] != NULL) return CUDA_OK;
    say_first(device, &diagnostics, CODE_NOT_PLACED_MESSAGE, CODE_NOT_PLACED_WHY);
    return CUDA_UNSUPPORTED_PTX;
}

CudaCode objects_module_load(Device *device, DeviceModule *module) {
    if (!module->tried) module->error = load(device, module, module->image);
    module->tried = true;
    unsigned number = devices_current(device);
    if (module->error == CUDA_OK && module->gpu[number] == NULL)
        module->error = place(device, module, number);
    return module->error;
}

CudaCode objects_kernel_load(Device *device, DeviceKernel *kernel) {
    CudaCode error = objects_module_load(device, kernel->module);
    if (error != CUDA_OK) return error;
    kernel->gpu = gpu_kernel_find(kernel->module->gpu[devices_current(device)], kernel->name);
    if (kernel->gpu == NULL) return CUDA_INVALID_FUNCTION;
    Diagnostics diagnostics;
    diag_init(&diagnostics, kernel->module->arena);
    if (gpu_kernel_prepare(kernel->gpu, &diagnostics)) return CUDA_OK;
    say_first(device, &diagnostics, CODE_KERNEL_MESSAGE, CODE_KERNEL_WHY);
    return CUDA_UNSUPPORTED_PTX;
}

const GpuAllocation *objects_variable_load(Device *device, DeviceVariable *variable) {
    if (objects_module_load(device, variable->module) != CUDA_OK) return NULL;
    return gpu_variable_find(variable->module->gpu[devices_current(device)], variable->name);
}
