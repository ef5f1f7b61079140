/* hints.c - see hints.h. */
#include "device/hints.h"
#include "device/complain.h"

static DeviceHint *find_hint(Device *device, uint32_t allocation, bool to_device) {
    for (unsigned i = 0; i < device->hint_count; i++)
        if (device->hints[i].allocation == allocation && device->hints[i].to_device == to_device)
            return &device->hints[i];
    return NULL;
}

static bool looks_like_elements(const GpuAllocation *allocation, uint64_t address, uint64_t bytes) {
    enum { FEWEST = 8 };
    if (address != allocation->address || bytes < FEWEST) return false;
    return bytes * 4 == allocation->bytes || bytes * 8 == allocation->bytes;
}

enum { POINTER = 8 };

/** As long as a pointer, in a larger array. */
static bool looks_like_pointer(const GpuAllocation *allocation, uint64_t address, uint64_t bytes) {
    return bytes == POINTER && address == allocation->address && allocation->bytes >= 4 * POINTER;
}

void hints_note(Device *device, uint64_t address, uint64_t bytes, bool to_device) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || allocation->kind == GPU_ALLOC_ARRAY) return;
    DeviceHint *known = find_hint(device, allocation->id, to_device);
    if (known != NULL) {
        /* A copy that is whole, or of another part: the short one was meant. The place stays, so that it is
         * not made again. */
        if (address != allocation->address || bytes != known->bytes) known->whole = 0;
        return;
    }
    if (device->hint_count == DEVICE_MAX_HINTS) return;
    bool short_one =
        looks_like_elements(allocation, address, bytes) || looks_like_pointer(allocation, address, bytes);
    device->hints[device->hint_count++] = (DeviceHint){.allocation = allocation->id,
                                                       .to_device = to_device,
                                                       .site = device->site,
                                                       .bytes = bytes,
                                                       .whole = short_one ? allocation->bytes : 0,
                                                       .mark = device->mark};
}

static void tell_pointer(Device *device, const DeviceHint *hint) {
    complain_note_at(
        device, FINDING_API_MISUSE, hint->site, hint->mark,
        "sizeof of a pointer is 8, however long the array is that it points to: write n * sizeof(float). If "
        "only the first 8 bytes were meant, all is well.",
        "8 bytes of an array of %s bytes: as many as a pointer has, as in sizeof(d_x)",
        complain_number(device, hint->whole));
}

static void tell_elements(Device *device, const DeviceHint *hint) {
    complain_note_at(
        device, FINDING_API_MISUSE, hint->site, hint->mark,
        "cudaMalloc, cudaMemcpy and cudaMemset count bytes: n * sizeof(float) for n floats. If "
        "only a part was meant, all is well.",
        "%s bytes of an array of %s bytes: exactly one %s, as if elements had been counted instead of bytes",
        complain_number(device, hint->bytes), complain_number(device, hint->whole),
        hint->whole == 4 * hint->bytes ? "quarter" : "eighth");
}

void hints_report(Device *device) {
    for (unsigned i = 0; i < device->hint_count; i++) {
        const DeviceHint *hint = &device->hints[i];
        if (hint->whole == 0) continue;
        if (hint->whole == 4 * hint->bytes || hint->whole == 8 * hint->bytes)
            tell_elements(device, hint);
        else
            tell_pointer(device, hint);
    }
    device->hint_count = 0;
}
