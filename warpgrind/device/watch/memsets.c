/* memsets.c - see memsets.h. */
#include "device/watch/memsets.h"
#include "base/minmax.h"
#include "device/state/names.h"

#include "device/state/complain.h"
#include "device/state/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Memset Memset;

void memsets_asked(Device *device, int value) {
    if (value >= -128 && value <= 255) return;
    complain_note(device, FINDING_API_MISUSE,
                  SAID_MEMSET(LOWEST, .function = names_function(device->serving.request->function),
                              .value = value, .used = value & 0xff));
}

static bool is_sensible(uint8_t value) {
    static const uint8_t usual[] = {0, 0xff, 0x3f, 0x7f, 0x80};
    return memchr(usual, value, sizeof usual) != NULL;
}

/* ---- an element, as the kernel reads it ---- */

/** The element that equal bytes make, as a kernel reads it: floating-point types by value, all others in
 * hexadecimal, where the repeated byte can be seen. */
static const char *value_text(Device *device, PtxType type, uint8_t byte) {
    uint64_t bits = UINT64_C(0x0101010101010101) * byte;
    uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    if (type == PTX_F32) return arena_format(device->arena, "%g", (double)single);
    if (type == PTX_F64) return arena_format(device->arena, "%g", wide);
    unsigned bytes = ptx_type_bytes(type);
    uint64_t number;
    if (bytes >= 8)
        number = bits;
    else
        number = bits & ((UINT64_C(1) << (8 * bytes)) - 1);
    return arena_format(device->arena, "0x%llx", (unsigned long long)number);
}

/** The finding is at the memset, and names the kernel that read an element as something else. */
static void tell(Device *device, Memset *set, const GpuAccess *access) {
    GpuPlace place = gpu_place(device->gpu, access->pc);
    const char *value = value_text(device, place.instruction->type, set->value);
    CheckFinding finding = {.kind = FINDING_API_MISUSE,
                            .severity = FINDING_NOTE,
                            .party = {.what = "memset"},
                            .other = {.what = "read", .place = check_place_of_pc(device->check, access->pc)},
                            .mark = set->mark,
                            .count = 1};
    symbols_place(device->symbols, set->site, &finding.party.place);
    complain_finding(
        device, &finding,
        SAID_MEMSET(READ, .used = set->value, .bytes = ptx_type_bytes(place.instruction->type),
                    .kernel = gpu_kernel_function(device->queue.running->launch.spec.kernel)->plain_name,
                    .element = text_or(value, "?")));
    set->told = true;
}

static bool is_untouched(Device *device, const Memset *set, uint64_t address, uint8_t bytes) {
    if (address < set->address || address - set->address >= set->bytes) return false;
    const uint8_t *memory = gpu_memory_host(device->gpu, address, bytes);
    for (unsigned i = 0; memory != NULL && i < bytes; i++)
        if (memory[i] != set->value) return false;
    return memory != NULL;
}

/** The newest memset of a place is the one that counts. */
static void look(Device *device, const GpuAccess *access, uint64_t address) {
    Memsets *all = &device->memsets;
    unsigned kept = MIN(all->count, MEMSETS_KEPT);
    for (unsigned i = 1; i <= kept; i++) {
        Memset *set = &all->kept[(all->count - i) % MEMSETS_KEPT];
        if (set->told || !is_untouched(device, set, address, access->bytes)) continue;
        tell(device, set, access);
        return;
    }
}

/** Two lanes are enough: what a memset left lies side by side. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    if (device->queue.running == NULL || access->lanes == 0 || access->texture) return;
    if (access->space != PTX_SPACE_GLOBAL || access->kind == GPU_WRITE) return;
    GpuPlace place = gpu_place(device->gpu, access->pc);
    if (place.instruction == NULL || ptx_type_bytes(place.instruction->type) < 2) return;
    look(device, access, access->address[__builtin_ctz(access->lanes)]);
    look(device, access, access->address[31 - __builtin_clz(access->lanes)]);
}

/** Remembers the last MEMSETS_KEPT memsets whose byte makes no usual element. Kernels are watched from the
 * first of them on. */
void memsets_done(Device *device, const DeviceOperation *operation) {
    Memsets *all = &device->memsets;
    uint8_t value = (uint8_t)operation->set.value;
    if (is_sensible(value) || operation->site == 0 || operation->set.height == 0) return;
    if (!all->watched) {
        GpuObserver observer = {.self = device, .access = on_access, .in_ranges = true};
        gpu_attach(device->gpu, &observer);
        all->watched = true;
    }
    all->kept[all->count++ % MEMSETS_KEPT] =
        (Memset){.address = operation->set.address,
                 .bytes = (operation->set.height - 1) * operation->set.pitch + operation->set.width,
                 .site = operation->site,
                 .mark = operation->mark,
                 .value = value};
}
