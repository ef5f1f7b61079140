/* serve_device.c - the devices' numbers, properties and settings. All virtual devices are alike. */
#include "device/array.h"
#include "device/complain.h"
#include "device/devices.h"
#include "device/leaks.h"
#include "device/serve.h"

#include <stdio.h>
#include <string.h>

enum { LIMIT_COUNT = 8 };

/* The number of each attribute, in the order of their values. */
static const int attributes[] = {
#define CUDA_ATTRIBUTE(code, name, value) code,
#include "cudart/attributes.def"
};

static CudaCode check_device(Device *device, uint64_t number) {
    unsigned count = device_count(device);
    if (number < count) return CUDA_OK;
    complain(device, FINDING_API_MISUSE,
             "Devices are numbered from 0; cudaGetDeviceCount says how many there are.",
             count == 1 ? "%s: there is no device %lld, only device 0%.0u"
                        : "%s: there is no device %lld, only 0 to %u",
             device_function_name(device->request->function), (long long)(int64_t)number, count - 1);
    return CUDA_INVALID_DEVICE;
}

static uint64_t memory_size(const Device *device) {
    return device->options.memory_bytes != 0 ? device->options.memory_bytes : UINT64_C(2) << 30;
}

CudaCode serve_device_count(Device *device, const uint64_t *a, uint64_t *r) {
    r[0] = device_count(device);
    return serve_check_out(device, a[0], "the count");
}

CudaCode serve_set_device(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = check_device(device, a[0]);
    if (error == CUDA_OK) device->current[device->request->thread % DEVICE_MAX_THREADS] = (unsigned)a[0];
    return error;
}

CudaCode serve_init_device(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    return check_device(device, a[0]);
}

CudaCode serve_get_device(Device *device, const uint64_t *a, uint64_t *r) {
    r[0] = device->request->function == WIRE_cudaGetDevice ? device_current(device) : 0;
    return serve_check_out(device, a[0], "the device number");
}

CudaCode serve_set_flags(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    device->flags = a[0];
    return CUDA_OK;
}

CudaCode serve_get_flags(Device *device, const uint64_t *a, uint64_t *r) {
    r[0] = device->flags;
    return serve_check_out(device, a[0], "the flags");
}

CudaCode serve_properties(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = serve_check_out(device, a[0], "the properties");
    if (error == CUDA_OK) error = check_device(device, a[1]);
    if (error != CUDA_OK) return error;
    WireProperties *properties = &device->properties;
    *properties = (WireProperties){.memory = memory_size(device)};
    snprintf(properties->name, sizeof properties->name, "Warpgrind software GPU (%s)", device->card->title);
    snprintf(properties->uuid, sizeof properties->uuid, "Warpgrind GPU %u", (unsigned)a[1]);
    cards_attributes(device->card, (unsigned)a[1], properties->values);
    device->reply_payload = properties;
    device->reply.payload_bytes = sizeof *properties;
    return CUDA_OK;
}

CudaCode serve_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the value");
    if (error == CUDA_OK) error = check_device(device, a[2]);
    if (error != CUDA_OK) return error;
    int32_t values[WIRE_ATTRIBUTE_COUNT];
    cards_attributes(device->card, (unsigned)a[2], values);
    for (size_t i = 0; i < WIRE_ATTRIBUTE_COUNT; i++) {
        if ((uint64_t)(int64_t)attributes[i] != a[1]) continue;
        r[0] = (uint64_t)(int64_t)values[i];
        return CUDA_OK;
    }
    complain(device, FINDING_API_MISUSE, NULL, "cudaDeviceGetAttribute: there is no attribute %lld",
             (long long)(int64_t)a[1]);
    return CUDA_INVALID_VALUE;
}

/** Everything the program allocated goes; module variables stay. A judge hears of it first: a reset frees
 * what was forgotten. */
CudaCode serve_reset(Device *device, const uint64_t *a, uint64_t *r) {
    (void)a, (void)r;
    unsigned current = device_current(device);
    queue_run_device(device, current);
    if (device->options.judged) leaks_report(device);
    const GpuAllocation *next, *allocation = gpu_memory_next(device->gpu, NULL);
    for (; allocation != NULL; allocation = next) {
        next = gpu_memory_next(device->gpu, allocation);
        bool own = allocation->kind == GPU_ALLOC_DEVICE || allocation->kind == GPU_ALLOC_DEVICE_HEAP ||
                   allocation->kind == GPU_ALLOC_ARRAY;
        if (!own || allocation->freed || devices_owner(device, allocation) != current) continue;
        sent_free(device, allocation->address);
        gpu_memory_free(device->gpu, allocation->address, device->site);
        array_forget(device, allocation->address);
    }
    leaks_forgive(device, current);
    gpu_reset_limits(device->gpu);
    sent_setting(device, LIMIT_COUNT, 0);
    device->sticky = CUDA_OK;
    memset(device->errors, 0, sizeof device->errors);
    return CUDA_OK;
}

CudaCode serve_set_limit(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    if (a[0] >= LIMIT_COUNT) return CUDA_INVALID_VALUE;
    if (a[0] >= GPU_LIMIT_COUNT) {
        device->limits[a[0]] = a[1];
        return CUDA_OK;
    }
    queue_run_device(device, device_current(device)); /* what was launched before has the old limit */
    if (gpu_set_limit(device->gpu, (GpuLimit)a[0], a[1])) {
        sent_setting(device, a[0], a[1]);
        return CUDA_OK;
    }
    complain(device, FINDING_API_MISUSE,
             "Call cudaDeviceSetLimit before the first launch of a kernel that calls malloc or printf.",
             "cudaDeviceSetLimit comes too late: a kernel has %s already",
             a[0] == GPU_LIMIT_HEAP ? "taken memory from the heap" : "printed");
    return CUDA_INVALID_VALUE;
}

CudaCode serve_get_limit(Device *device, const uint64_t *a, uint64_t *r) {
    static const uint64_t usual[LIMIT_COUNT] = {0, 0, 0, 2, 2048, 128, 0, 0};
    CudaCode error = serve_check_out(device, a[0], "the value");
    if (error != CUDA_OK) return error;
    if (a[1] >= LIMIT_COUNT) return CUDA_INVALID_VALUE;
    if (a[1] < GPU_LIMIT_COUNT)
        r[0] = gpu_limit(device->gpu, (GpuLimit)a[1]);
    else
        r[0] = device->limits[a[1]] != 0 ? device->limits[a[1]] : usual[a[1]];
    return CUDA_OK;
}

CudaCode serve_ignored(Device *device, const uint64_t *a, uint64_t *r) {
    (void)device, (void)a, (void)r;
    return CUDA_OK;
}

/** cudaFuncCachePreferNone to cudaFuncCachePreferEqual: wishes, which this device need not follow. */
CudaCode serve_cache_config(Device *device, const uint64_t *a, uint64_t *r) {
    enum { LAST_WISH = 3 };
    (void)device, (void)r;
    return a[0] <= LAST_WISH ? CUDA_OK : CUDA_INVALID_VALUE;
}

CudaCode serve_zero(Device *device, const uint64_t *a, uint64_t *r) {
    r[0] = 0;
    return serve_check_out(device, a[0], "the answer");
}

CudaCode serve_can_access_peer(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the answer");
    if (error == CUDA_OK) error = check_device(device, a[1]);
    if (error == CUDA_OK) error = check_device(device, a[2]);
    r[0] = error == CUDA_OK && a[1] != a[2];
    return error;
}

static CudaCode check_peer(Device *device, uint64_t peer) {
    CudaCode error = check_device(device, peer);
    if (error != CUDA_OK || peer != device_current(device)) return error;
    complain(device, FINDING_API_MISUSE, "A device can always use its own memory.",
             "%s: device %u is the current device", device_function_name(device->request->function),
             (unsigned)peer);
    return CUDA_PEER_UNSUPPORTED;
}

CudaCode serve_enable_peer(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    if (a[1] != 0) return CUDA_INVALID_VALUE; /* flags: none are defined */
    CudaCode error = check_peer(device, a[0]);
    if (error != CUDA_OK) return error;
    bool *enabled = &device->peers[device_current(device)][a[0]];
    if (*enabled) return CUDA_PEER_ALREADY_ENABLED;
    *enabled = true;
    return CUDA_OK;
}

CudaCode serve_disable_peer(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = check_peer(device, a[0]);
    if (error != CUDA_OK) return error;
    queue_run_device(device, device_current(device)); /* they were asked for while it was allowed */
    bool *enabled = &device->peers[device_current(device)][a[0]];
    if (!*enabled) return CUDA_PEER_NOT_ENABLED;
    *enabled = false;
    return CUDA_OK;
}

CudaCode serve_pci_bus_id(Device *device, const uint64_t *a, uint64_t *r) {
    (void)r;
    CudaCode error = serve_check_out(device, a[0], "the text");
    return error != CUDA_OK ? error : check_device(device, a[2]);
}

/** domain:bus:device.function, domain:bus:device or bus:device.function; the bus is the device's number. */
CudaCode serve_find_pci(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the device");
    if (error != CUDA_OK) return error;
    char text[32] = "";
    size_t bytes = (size_t)device->request->payload_bytes;
    memcpy(text, device->link.payload, bytes < sizeof text ? bytes : sizeof text - 1);
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    bool whole = sscanf(text, "%8x:%8x:%8x.%8x", &domain, &bus, &slot, &function) >= 3;
    if (!whole) domain = 0, whole = sscanf(text, "%8x:%8x.%8x", &bus, &slot, &function) == 3;
    if (!whole) return CUDA_INVALID_VALUE;
    if (domain != 0 || slot != 0 || function != 0 || bus >= device_count(device)) return CUDA_INVALID_DEVICE;
    r[0] = bus;
    return CUDA_OK;
}

/** cudaDeviceP2PAttr: rank, access, atomics, arrays. */
CudaCode serve_p2p_attribute(Device *device, const uint64_t *a, uint64_t *r) {
    enum { RANK = 1, ACCESS, ATOMICS, ARRAYS };
    CudaCode error = serve_check_out(device, a[0], "the value");
    if (error == CUDA_OK) error = check_device(device, a[2]);
    if (error == CUDA_OK) error = check_device(device, a[3]);
    if (error != CUDA_OK) return error;
    if (a[2] == a[3]) return CUDA_INVALID_DEVICE;
    if (a[1] < RANK || a[1] > ARRAYS) return CUDA_INVALID_VALUE;
    r[0] = a[1] != RANK; /* all peers are as near as each other */
    return CUDA_OK;
}

CudaCode serve_linear_width(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the width");
    r[0] = CARD_LINEAR_WIDTH;
    return error != CUDA_OK ? error : check_device(device, a[1]);
}

CudaCode serve_version(Device *device, const uint64_t *a, uint64_t *r) {
    /* The newest of the toolkit that the program was built with; the driver is as new as any. */
    static const int versions[] = {[11] = 11080, [12] = 12090, [DEVICE_NEWEST_TOOLKIT] = 13000};
    bool runtime = device->request->function == WIRE_cudaRuntimeGetVersion;
    r[0] = (uint64_t)versions[runtime ? device->toolkit : DEVICE_NEWEST_TOOLKIT];
    return serve_check_out(device, a[0], "the version");
}

CudaCode serve_memory_info(Device *device, const uint64_t *a, uint64_t *r) {
    CudaCode error = serve_check_out(device, a[0], "the free memory");
    if (error == CUDA_OK) error = serve_check_out(device, a[1], "the total memory");
    uint64_t total = memory_size(device);
    uint64_t used = gpu_memory_used(device->gpu);
    r[0] = used < total ? total - used : 0;
    r[1] = total;
    return error;
}
