/* pitched.c - see pitched.h. */
#include "device/pitched.h"

#include "device/complain.h"
#include "device/device.h"

/** How an allocation's rows lie. */
typedef struct Pitched {
    uint32_t allocation; /* id */
    uint64_t pitch, width, rows;
    struct Pitched *next;
} Pitched;

void pitched_made(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t rows) {
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    if (allocation == NULL || rows < 2 || pitch == width) return;
    Pitched *made = DEVICE_NEW(device, Pitched);
    if (made == NULL) return;
    *made = (Pitched){allocation->id, pitch, width, rows, device->pitched};
    device->pitched = made;
}

static const Pitched *find(const Device *device, uint64_t address) {
    if (device->pitched == NULL) return NULL;
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, address);
    const Pitched *any = allocation != NULL ? device->pitched : NULL;
    while (any != NULL && any->allocation != allocation->id)
        any = any->next;
    return any;
}

bool pitched_rows(void *device, uint64_t address, CheckRows *rows) {
    const Device *owner = device;
    const Pitched *memory = find(owner, address);
    if (memory == NULL) return false;
    *rows = (CheckRows){.start = gpu_memory_find(owner->gpu, address)->address,
                        .width = memory->width,
                        .pitch = memory->pitch,
                        .count = memory->rows};
    return true;
}

/** One run over several rows, as long as they would be without what lies between them. */
static bool is_dense(const Pitched *memory, const PitchedUse *use) {
    return use->height == 1 && use->width > memory->width && use->width % memory->width == 0 &&
           use->width % memory->pitch != 0;
}

static bool is_other_pitch(const Pitched *memory, const PitchedUse *use) {
    return use->height > 1 && use->pitch % memory->pitch != 0;
}

static void tell_dense(Device *device, const Pitched *memory, const PitchedUse *use) {
    complain_note(
        device, FINDING_API_MISUSE,
        "There is padding between the rows. Use cudaMemcpy2D (cudaMemset2D) and give it the pitch: "
        "cudaMemcpy2D(to, its_pitch, from, its_pitch, width_in_bytes, rows, kind).",
        "%s: %s bytes in one piece, as if %s rows of %s bytes lay side by side, but in this memory of "
        "cudaMallocPitch the rows begin %s bytes apart",
        device_function_name(device->serving.request->function), complain_number(device, use->width),
        complain_number(device, use->width / memory->width), complain_number(device, memory->width),
        complain_number(device, memory->pitch));
}

static void tell_pitch(Device *device, const Pitched *memory, const PitchedUse *use) {
    bool swapped = use->other_pitch == memory->pitch;
    complain_note(
        device, FINDING_API_MISUSE,
        swapped ? "Each pitch belongs to the pointer before it: to, its pitch, from, its pitch."
                : "The pitch that goes with a pointer of cudaMallocPitch is the one that cudaMallocPitch "
                  "returned with it; for plain memory it is the width of a row in bytes.",
        "%s: rows %s bytes apart in memory whose rows begin %s bytes apart%s",
        device_function_name(device->serving.request->function), complain_number(device, use->pitch),
        complain_number(device, memory->pitch), swapped ? ": the two pitches are swapped" : "");
}

void pitched_note(Device *device, const PitchedUse *use) {
    const Pitched *memory = find(device, use->address);
    if (memory == NULL) return;
    if (is_dense(memory, use)) tell_dense(device, memory, use);
    if (is_other_pitch(memory, use)) tell_pitch(device, memory, use);
}
