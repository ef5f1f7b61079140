/* hints.c - see hints.h. */
#include "device/watch/hints.h"
#include "device/state/complain.h"

static DeviceHint *find_hint(Device *device, uint32_t allocation, bool to_device) {
    for (unsigned i = 0; i < device->hints.count; i++)
        if (device->hints.list[i].allocation == allocation && device->hints.list[i].to_device == to_device)
            return &device->hints.list[i];
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

/** The first copy in its direction is kept, with a `whole` if it looks short; later ones say whether it was.
 */
static void keep(Device *device, const GpuAllocation *allocation, uint64_t address, DeviceHint hint) {
    DeviceHint *known = find_hint(device, allocation->id, hint.to_device);
    if (known != NULL) {
        /* A copy that is whole, or of another part: the short one was meant. The place stays, so that it is
         * not made again. */
        if (address != allocation->address || hint.bytes != known->bytes) known->whole = 0;
        return;
    }
    if (device->hints.count == DEVICE_MAX_HINTS) return;
    hint.allocation = allocation->id;
    hint.site = device->serving.site;
    hint.mark = device->program.mark;
    device->hints.list[device->hints.count++] = hint;
}

void hints_note(Device *device, uint64_t address, uint64_t bytes, bool to_device) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || allocation->kind == GPU_ALLOC_ARRAY) return;
    bool short_one =
        looks_like_elements(allocation, address, bytes) || looks_like_pointer(allocation, address, bytes);
    keep(device, allocation, address,
         (DeviceHint){.to_device = to_device, .bytes = bytes, .whole = short_one ? allocation->bytes : 0});
}

void hints_note_rows(Device *device, uint64_t address, uint64_t width, uint64_t whole, bool to_device) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || allocation->kind == GPU_ALLOC_ARRAY) return;
    bool short_one =
        address == allocation->address && whole != 0 && (4 * width == whole || 8 * width == whole);
    keep(device, allocation, address,
         (DeviceHint){.to_device = to_device, .rows = true, .bytes = width, .whole = short_one ? whole : 0});
}

/** Of copies of a part, those with the size of a pointer or the number of elements: whatever was whole later
 * was forgotten. */
void hints_report(Device *device) {
    for (unsigned i = 0; i < device->hints.count; i++) {
        const DeviceHint *hint = &device->hints.list[i];
        if (hint->whole == 0) continue;
        bool quarter = hint->whole == 4 * hint->bytes, eighth = hint->whole == 8 * hint->bytes;
        /* An eighth of 64 bytes is the size of a pointer, too, which is written by mistake more often. */
        bool pointer = !quarter && (!eighth || (hint->bytes == sizeof(void *) && !hint->rows));
        PartFacts facts = {.pointer = pointer,
                           .quarter = quarter,
                           .rows = hint->rows,
                           .bytes = hint->bytes,
                           .whole = hint->whole};
        Complaint complaint = {.kind = FINDING_API_MISUSE,
                               .note = true,
                               .earlier = true,
                               .site = hint->site,
                               .mark = hint->mark};
        if (hint->to_device) complaint.allocation = hint->allocation;
        complain_that(device, complaint, said_part(PART_MESSAGE, PART_WHY, &facts));
    }
}
