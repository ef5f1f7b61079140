/* pitched.c - see pitched.h. */
#include "device/watch/pitched.h"
#include "device/state/names.h"

#include "device/state/complain.h"
#include "device/state/state.h"

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
    const Pitched *any = NULL;
    if (allocation != NULL) any = device->pitched;
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
    complain_note(device, FINDING_API_MISUSE,
                  SAID_MEMORY(DENSE, .function = names_function(device->serving.request->function),
                              .bytes = use->width, .rows = use->width / memory->width, .width = memory->width,
                              .pitch = memory->pitch));
}

static void tell_pitch(Device *device, const Pitched *memory, const PitchedUse *use) {
    complain_note(device, FINDING_API_MISUSE,
                  SAID_MEMORY(PITCH, .function = names_function(device->serving.request->function),
                              .width = use->pitch, .pitch = memory->pitch,
                              .swapped = use->other_pitch == memory->pitch));
}

uint64_t pitched_whole(const Device *device, const PitchedUse *use) {
    const Pitched *memory = find(device, use->address);
    const GpuAllocation *allocation = gpu_memory_find(device->gpu, use->address);
    if (memory != NULL && memory->rows == use->height && memory->width == use->other_pitch)
        return memory->width;
    bool dense = memory == NULL && allocation != NULL && use->pitch == use->other_pitch &&
                 allocation->bytes / use->height == use->pitch && allocation->bytes % use->height == 0;
    return dense ? use->pitch : 0;
}

void pitched_note(Device *device, const PitchedUse *use) {
    const Pitched *memory = find(device, use->address);
    if (memory == NULL) return;
    if (is_dense(memory, use)) tell_dense(device, memory, use);
    if (is_other_pitch(memory, use)) tell_pitch(device, memory, use);
}
