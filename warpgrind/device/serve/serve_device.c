/* serve_device.c - the devices' numbers, properties and settings. All virtual devices are alike. */
#include "device/record/sent.h"
#include "device/serve/array.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/devices.h"
#include "device/streams/queue.h"
#include "device/watch/leaks.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT_COUNT = 8 };

/* The number of each attribute, in the order of their values. */
static const int attributes[] = {
#define CUDA_ATTRIBUTE(code, name, value) code,
#include "cudart/attributes.def"
};

static CudaCode check_device(Device *device, uint64_t number) {
    unsigned count = devices_count(device);
    if (number < count) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             SAID_DEVICES(MISSING, .function = serve_function(device), .number = (int64_t)number,
                          .several = count > 1, .last = count - 1,
                          .enough = devices_enough(device, (int64_t)number)));
    return CUDA_INVALID_DEVICE;
}

SERVE(serve_device_count, cudaGetDeviceCount) {
    r->count = devices_count(device);
    return CUDA_OK;
}

SERVE(serve_set_device, cudaSetDevice) {
    CudaCode error = check_device(device, a->device);
    if (error == CUDA_OK) device->peers.current[serve_thread(device)] = (unsigned)a->device;
    return error;
}

SERVE(serve_init_device, cudaInitDevice) {
    return check_device(device, a->device);
}

SERVE(serve_get_device, cudaGetDevice) {
    r->device = devices_current(device);
    return CUDA_OK;
}

/** All are alike: the first is as good as any. */
SERVE(serve_choose_device, cudaChooseDevice) {
    return CUDA_OK;
}

SERVE(serve_set_flags, cudaSetDeviceFlags) {
    device->program.flags = a->flags;
    return CUDA_OK;
}

SERVE(serve_get_flags, cudaGetDeviceFlags) {
    r->flags = device->program.flags;
    return CUDA_OK;
}

SERVE(serve_properties, cudaGetDeviceProperties) {
    CudaCode error = check_device(device, a->device);
    if (error != CUDA_OK) return error;
    WireProperties *properties = &device->serving.properties;
    *properties = (WireProperties){.memory = options_memory(&device->options)};
    snprintf(properties->name, sizeof properties->name, "Warpgrind software GPU (%s)", device->card->title);
    snprintf(properties->uuid, sizeof properties->uuid, "Warpgrind GPU %u", (unsigned)a->device);
    cards_attributes(device->card, (unsigned)a->device, properties->values);
    return serve_reply_with(device, properties, sizeof *properties);
}

/** Values are worked out for all attributes at once, in the order of their table. */
SERVE(serve_attribute, cudaDeviceGetAttribute) {
    CudaCode error = check_device(device, a->device);
    if (error != CUDA_OK) return error;
    int32_t values[WIRE_ATTRIBUTE_COUNT];
    cards_attributes(device->card, (unsigned)a->device, values);
    for (size_t i = 0; i < WIRE_ATTRIBUTE_COUNT; i++) {
        if ((uint64_t)(int64_t)attributes[i] != a->attribute) continue;
        r->value = (uint64_t)(int64_t)values[i];
        return CUDA_OK;
    }
    complain(device, FINDING_API_MISUSE,
             said_devices(DEVICES_NO_ATTRIBUTE_MESSAGE, SAY_NOTHING,
                          &(DevicesFacts){.number = (int64_t)a->attribute}));
    return CUDA_INVALID_VALUE;
}

/** Everything the program allocated goes; module variables stay. A judge hears of it first: a reset frees
 * what was forgotten. */
SERVE(serve_reset, cudaDeviceReset) {
    unsigned current = devices_current(device);
    queue_run_device(device, current);
    if (device->options.judged) leaks_report(device, LEAKS_OF_ALL);
    const GpuAllocation *next, *allocation = gpu_memory_next(device->gpu, NULL);
    for (; allocation != NULL; allocation = next) {
        next = gpu_memory_next(device->gpu, allocation);
        bool own = allocation->kind == GPU_ALLOC_DEVICE || allocation->kind == GPU_ALLOC_DEVICE_HEAP ||
                   allocation->kind == GPU_ALLOC_ARRAY;
        if (!own || allocation->freed || devices_owner(device, allocation) != current) continue;
        sent_free(device, allocation->address);
        gpu_memory_free(device->gpu, allocation->address, device->serving.site);
        array_forget(device, allocation->address);
    }
    leaks_forgive(device, current);
    gpu_reset_limits(device->gpu);
    sent_setting(device, LIMIT_COUNT, 0);
    device->errors.sticky = CUDA_OK;
    memset(device->errors.last, 0, sizeof device->errors.last);
    return CUDA_OK;
}

SERVE(serve_set_limit, cudaDeviceSetLimit) {
    if (a->limit >= LIMIT_COUNT) return CUDA_INVALID_VALUE;
    if (a->limit >= GPU_LIMIT_COUNT) {
        device->program.limits[a->limit] = a->value;
        return CUDA_OK;
    }
    queue_run_device(device, devices_current(device)); /* what was launched before has the old limit */
    if (gpu_set_limit(device->gpu, (GpuLimit)a->limit, a->value)) {
        sent_setting(device, a->limit, a->value);
        return CUDA_OK;
    }
    complain(device, FINDING_API_MISUSE, SAID_DEVICES(TOO_LATE, .heap = a->limit == GPU_LIMIT_HEAP));
    return CUDA_INVALID_VALUE;
}

SERVE(serve_get_limit, cudaDeviceGetLimit) {
    static const uint64_t usual[LIMIT_COUNT] = {0, 0, 0, 2, 2048, 128, 0, 0};
    if (a->limit >= LIMIT_COUNT) return CUDA_INVALID_VALUE;
    if (a->limit < GPU_LIMIT_COUNT)
        r->value = gpu_limit(device->gpu, (GpuLimit)a->limit);
    else
        r->value = device->program.limits[a->limit] != 0 ? device->program.limits[a->limit] : usual[a->limit];
    return CUDA_OK;
}

SERVE(serve_ignored, cudaDeviceSetSharedMemConfig) {
    return CUDA_OK;
}

SERVE(serve_set_double, cudaSetDoubleForDevice) {
    return CUDA_OK;
}

/** As cards have it: smaller numbers are served first. Here a stream's priority is kept, and changes nothing.
 */
SERVE(serve_priority_range, cudaDeviceGetStreamPriorityRange) {
    r->least = 0;
    r->greatest = (uint64_t)(int64_t)STREAM_GREATEST_PRIORITY;
    return CUDA_OK;
}

/** cudaFuncCachePreferNone to cudaFuncCachePreferEqual: wishes, which this device need not follow. */
SERVE(serve_cache_config, cudaDeviceSetCacheConfig) {
    enum { LAST_WISH = 3 };
    if (a->config <= LAST_WISH) return CUDA_OK;
    return CUDA_INVALID_VALUE;
}

SERVE(serve_zero, cudaDeviceGetCacheConfig) {
    return CUDA_OK;
}

SERVE(serve_can_access_peer, cudaDeviceCanAccessPeer) {
    CudaCode error = check_device(device, a->device);
    if (error == CUDA_OK) error = check_device(device, a->peer);
    r->answer = error == CUDA_OK && a->device != a->peer;
    return error;
}

static CudaCode check_peer(Device *device, uint64_t peer) {
    CudaCode error = check_device(device, peer);
    if (error != CUDA_OK || peer != devices_current(device)) return error;
    complain(device, FINDING_API_MISUSE,
             SAID_DEVICES(OWN, .function = serve_function(device), .number = (int64_t)peer));
    return CUDA_PEER_UNSUPPORTED;
}

SERVE(serve_enable_peer, cudaDeviceEnablePeerAccess) {
    if (a->flags != 0) return CUDA_INVALID_VALUE; /* flags: none are defined */
    CudaCode error = check_peer(device, a->peer);
    if (error != CUDA_OK) return error;
    bool *enabled = &device->peers.enabled[devices_current(device)][a->peer];
    if (*enabled) return CUDA_PEER_ALREADY_ENABLED;
    *enabled = true;
    return CUDA_OK;
}

SERVE(serve_disable_peer, cudaDeviceDisablePeerAccess) {
    CudaCode error = check_peer(device, a->peer);
    if (error != CUDA_OK) return error;
    queue_run_device(device, devices_current(device)); /* they were asked for while it was allowed */
    bool *enabled = &device->peers.enabled[devices_current(device)][a->peer];
    if (!*enabled) return CUDA_PEER_NOT_ENABLED;
    *enabled = false;
    return CUDA_OK;
}

SERVE(serve_pci_bus_id, cudaDeviceGetPCIBusId) {
    return check_device(device, a->device);
}

/** domain:bus:device.function, domain:bus:device or bus:device.function; the bus is the device's number. */
SERVE(serve_find_pci, cudaDeviceGetByPCIBusId) {
    char text[32] = "";
    size_t bytes = (size_t)device->serving.request->payload_bytes;
    memcpy(text, device->link.payload, bytes < sizeof text ? bytes : sizeof text - 1);
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    bool whole = sscanf(text, "%8x:%8x:%8x.%8x", &domain, &bus, &slot, &function) >= 3;
    if (!whole) domain = 0, whole = sscanf(text, "%8x:%8x.%8x", &bus, &slot, &function) == 3;
    if (!whole) return CUDA_INVALID_VALUE;
    if (domain != 0 || slot != 0 || function != 0 || bus >= devices_count(device)) return CUDA_INVALID_DEVICE;
    r->device = bus;
    return CUDA_OK;
}

/** cudaDeviceP2PAttr: rank, access, atomics, arrays. */
SERVE(serve_p2p_attribute, cudaDeviceGetP2PAttribute) {
    enum { RANK = 1, ACCESS, ATOMICS, ARRAYS };
    CudaCode error = check_device(device, a->device);
    if (error == CUDA_OK) error = check_device(device, a->peer);
    if (error != CUDA_OK) return error;
    if (a->device == a->peer) return CUDA_INVALID_DEVICE;
    if (a->attribute < RANK || a->attribute > ARRAYS) return CUDA_INVALID_VALUE;
    r->value = a->attribute != RANK; /* all peers are as near as each other */
    return CUDA_OK;
}

SERVE(serve_linear_width, cudaDeviceGetTexture1DLinearMaxWidth) {
    r->width = CARD_LINEAR_WIDTH;
    return check_device(device, a->device);
}

SERVE(serve_version, cudaRuntimeGetVersion) {
    /* The newest of the toolkit that the program was built with; the driver is as new as any. */
    static const int versions[] = {[11] = 11080, [12] = 12090, [DEVICE_NEWEST_TOOLKIT] = 13000};
    bool runtime = device->serving.request->function == WIRE_cudaRuntimeGetVersion;
    r->version = (uint64_t)versions[runtime ? device->program.toolkit : DEVICE_NEWEST_TOOLKIT];
    return CUDA_OK;
}

SERVE(serve_memory_info, cudaMemGetInfo) {
    uint64_t total = options_memory(&device->options);
    uint64_t used = gpu_memory_used(device->gpu);
    if (used < total)
        r->free = total - used;
    else
        r->free = 0;
    r->total = total;
    return CUDA_OK;
}
