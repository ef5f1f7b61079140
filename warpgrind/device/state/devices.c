/* devices.c - several virtual devices: whose memory is whose, and which device may use another's.
 *
 * All devices share one machine and one range of addresses, as unified addressing has it; an allocation
 * belongs to the device that was current when it was made, and lies in that device's part of the addresses.
 * Streams, events and loaded modules carry their device's number. A kernel that touches memory of another
 * device without peer access is found by looking at its accesses.
 */
#include "device/state/devices.h"
#include "device/state/complain.h"
#include "device/state/names.h"

unsigned devices_enough(const Device *device, int64_t number) {
    bool may = !device->options.judged && number >= 0 && number < DEVICE_MAX_DEVICES;
    if (may) return (unsigned)number + 1;
    return 0;
}

unsigned devices_count(const Device *device) {
    if (device->options.devices > 0) return device->options.devices;
    return 1;
}

unsigned devices_current(const Device *device) {
    return device->peers.current[device->serving.request->thread % DEVICE_MAX_THREADS];
}

/* ---- whose memory ---- */

unsigned devices_owner(const Device *device, const GpuAllocation *allocation) {
    if (allocation != NULL) return gpu_memory_part(device->gpu, allocation->address);
    return 0;
}

static bool is_of_host(const GpuAllocation *allocation) {
    return allocation->kind == GPU_ALLOC_MANAGED || allocation->kind == GPU_ALLOC_MAPPED;
}

/** Pinned and managed memory, and what kernels allocate, is everybody's. */
static bool is_private(const GpuAllocation *allocation) {
    return allocation->kind == GPU_ALLOC_DEVICE || allocation->kind == GPU_ALLOC_GLOBAL_VARIABLE;
}

/* ---- peer access ---- */

/** Says that a kernel used the memory of a device whose access was not enabled. */
static void report(Device *device, const GpuAccess *access, const GpuAllocation *allocation, unsigned owner) {
    const DeviceOperation *running = device->queue.running;
    CheckFinding finding = {.kind = FINDING_API_MISUSE,
                            .severity = FINDING_ERROR,
                            .kernel = gpu_kernel_function(running->launch.spec.kernel)->plain_name,
                            .party = {.what = access->kind == GPU_READ ? "read" : "write",
                                      .place = check_place_of_pc(device->check, access->pc)},
                            .mark = device->program.mark,
                            .count = 1};
    complain_finding(device, &finding,
                     SAID_DEVICES(NO_ACCESS, .user = running->device, .owner = owner,
                                  .reads = access->kind == GPU_READ,
                                  .place = complain_line(device, allocation->alloc_site)));
}

static void check_owner(Device *device, const GpuAccess *access, const GpuAllocation *allocation) {
    if (allocation == NULL || is_of_host(allocation)) return;
    unsigned owner = devices_owner(device, allocation), user = device->queue.running->device;
    device->peers.reached |= 1U << owner;
    if (!is_private(allocation)) return;
    if (owner == user || device->peers.enabled[user][owner] || device->peers.pools[user][owner]) return;
    if (!device->peers.fault) report(device, access, allocation, owner);
    device->peers.fault = true;
}

static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (device->queue.running == NULL || access->space != PTX_SPACE_GLOBAL) return;
    if (access->allocation != NULL || access->lanes == 0) {
        check_owner(device, access, access->allocation);
        return;
    }
    for (uint32_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1)
        check_owner(device, access, gpu_memory_find(device->gpu, access->address[__builtin_ctz(lanes)]));
}

void devices_watch(Device *device) {
    if (devices_count(device) < 2) return;
    GpuObserver observer = {.self = device, .access = on_access, .in_ranges = true};
    gpu_attach(device->gpu, &observer);
}

/* ---- the wrong device ---- */

CudaCode devices_refuse(Device *device, bool event, unsigned owner, unsigned wanted) {
    bool launch = device->serving.request->function == WIRE_cudaLaunchKernel;
    const char *function = names_function(device->serving.request->function);
    complain(device, FINDING_API_MISUSE,
             SAID_DEVICES(OTHER, .function = launch ? NULL : function, .event = event, .owner = owner,
                          .user = wanted));
    return CUDA_INVALID_HANDLE;
}
