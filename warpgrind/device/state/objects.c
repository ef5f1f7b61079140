/* objects.c - the tables of what a program has made. */
#include "device/state/objects.h"
#include "device/state/complain.h"
#include "device/state/devices.h"

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

bool objects_in_place(Device *device, uint64_t address) {
    return objects_shared(device, address) != NULL || objects_pinned(device, address) != NULL;
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
    if (inside && nearest->freed) return ADDRESS_FREED;
    return ADDRESS_NEAR;
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

/* ---- calls ---- */

uint64_t objects_site(Device *device, const WireRequest *request) {
    SymbolsCall call = {.address = request->site};
    _Static_assert(sizeof call.callers == sizeof request->callers, "as many as the program sends");
    /* Elsewhere two addresses tell where a call comes from, and each way of a recursion would be a site of
     * its own. A program crashes once. */
    unsigned most = 1;
    if (device->program.has_library || request->function == WIRE_CRASH) most = SYMBOLS_CALLERS;
    memcpy(call.callers, request->callers, most * sizeof *call.callers);
    return symbols_site(device->symbols, &call);
}
