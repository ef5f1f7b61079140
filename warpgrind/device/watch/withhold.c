/* withhold.c - see withhold.h.
 *
 * An observer hears of an access before it happens, so it can change what lies there: bytes that are withheld
 * have a bit or two turned over as long as they are looked at by the way that is withheld, and are right
 * again for every other. Shared memory is withheld where one thread reads what another one wrote; a constant
 * or a texel wherever it is fetched. Of an atomic operation the effect is withheld: the first one at a place
 * turns its bits over for good, until somebody stores there. Of results, each word that a kernel has written
 * is another one when the kernel ends. What needs no observer, lanes' exchanges and products of matrices, the
 * machine itself leaves out.
 */
#include "device/watch/withhold.h"
#include "base/minmax.h"

#include "base/headers.h"
#include "device/state/state.h"

#include <stdlib.h>
#include <string.h>

/** Bytes that are looked after together: a word, or less where an access is narrower. */
enum { UNIT = 4, TURNED = 0x8000, THREAD = 0x7fff };

/** Of each byte of a resident block's shared memory: the thread that wrote it last, counted from 1, and
 * whether it is turned over. */
typedef struct SharedNotes {
    uint16_t *bytes;
    size_t count, capacity;
} SharedNotes;

/** Of each byte of an allocation: whether it is turned over; of results, how many bytes the running launch
 * has written from here on. */
typedef struct ArrayNotes {
    uint32_t id;
    uint64_t address;
    uint8_t *turned;
    uint64_t count;
    struct ArrayNotes *next;
} ArrayNotes;

struct Withhold {
    Device *device;
    uint64_t count;
    bool shared, constant, texture, atomic, results;
    SharedNotes blocks[GPU_MAX_RESIDENT_BLOCKS];
    ArrayNotes *arrays;
};
typedef struct Withhold Withhold;

uint64_t withhold_count(const Device *device) {
    if (device->withhold != NULL) return device->withhold->count;
    return 0;
}

/** Turns over what makes another number of a float, a double and an int alike, of a zero as well: bits of the
 * exponent and of the fraction. */
static void turn_over(uint8_t *bytes, unsigned count) {
    static const uint8_t bits[UNIT + 1][UNIT] = {{0}, {0x4b}, {0, 0x4b}, {0}, {0, 0, 0x30, 0x4a}};
    for (unsigned i = 0; i < count; i++)
        bytes[i] ^= bits[count][i];
}

static unsigned unit_of(const GpuAccess *access) {
    return MIN(access->bytes, UNIT);
}

/* ---- shared memory ---- */

static void on_block_begin(void *self, const GpuBlock *block) {
    Withhold *withhold = self;
    SharedNotes *notes = &withhold->blocks[gpu_block_slot(block)];
    const GpuLaunchSpec *spec = &gpu_block_launch(block)->spec;
    const size_t count = gpu_kernel_shared_span(spec->kernel, spec->dynamic_shared);
    if (count > notes->capacity) {
        free(notes->bytes);
        notes->bytes = malloc(count * sizeof *notes->bytes);
        if (notes->bytes == NULL) BUG("no memory: what is not withheld would seem not to be needed");
        notes->capacity = count;
    }
    notes->count = count;
    if (count > 0) memset(notes->bytes, 0, notes->count * sizeof *notes->bytes);
}

/** The unit as this access has to find it: turned over, or not. */
static void set_shared(Withhold *withhold, const GpuAccess *access, SharedNotes *notes, uint64_t at,
                       bool turned) {
    const unsigned unit = unit_of(access);
    uint8_t *bytes = gpu_shared_host(gpu_warp_block(access->warp), at, unit);
    if (bytes == NULL || ((notes->bytes[at] & TURNED) != 0) == turned) return;
    turn_over(bytes, unit);
    notes->bytes[at] ^= TURNED;
    withhold->count += turned;
}

static void note_writer(SharedNotes *notes, uint64_t at, unsigned unit, uint16_t thread) {
    for (unsigned i = 0; i < unit; i++)
        notes->bytes[at + i] = (notes->bytes[at] & TURNED) | thread;
}

static void look_at_shared(Withhold *withhold, const GpuAccess *access, SharedNotes *notes, uint64_t at,
                           uint16_t thread) {
    const uint16_t writer = notes->bytes[at] & THREAD;
    if (access->kind == GPU_READ && withhold->shared)
        set_shared(withhold, access, notes, at, writer != 0 && writer != thread);
    if (access->kind == GPU_ATOMIC && withhold->atomic) set_shared(withhold, access, notes, at, true);
    if (access->kind == GPU_ATOMIC && withhold->shared) set_shared(withhold, access, notes, at, false);
    if (access->kind == GPU_WRITE) notes->bytes[at] = 0;
    if (access->kind != GPU_READ) note_writer(notes, at, unit_of(access), thread);
}

static void on_shared(Withhold *withhold, const GpuAccess *access) {
    SharedNotes *notes = &withhold->blocks[gpu_block_slot(gpu_warp_block(access->warp))];
    const unsigned unit = unit_of(access);
    for (uint32_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint16_t thread = (uint16_t)(gpu_warp_index(access->warp) * 32 + lane + 1);
        for (unsigned i = 0; i < access->bytes; i += unit)
            if (access->address[lane] + i + unit <= notes->count)
                look_at_shared(withhold, access, notes, access->address[lane] + i, thread);
    }
}

/* ---- global memory, constants, textures ---- */

static ArrayNotes *notes_of(Withhold *withhold, const GpuAllocation *allocation) {
    for (ArrayNotes *notes = withhold->arrays; notes != NULL; notes = notes->next)
        if (notes->id == allocation->id) return notes;
    ArrayNotes *notes = ARENA_NEW(withhold->device->arena, ArrayNotes);
    if (notes == NULL) return NULL;
    notes->turned = ARENA_ARRAY(withhold->device->arena, allocation->bytes, uint8_t);
    if (notes->turned == NULL) return NULL;
    notes->id = allocation->id;
    notes->address = allocation->address;
    notes->count = allocation->bytes;
    notes->next = withhold->arrays;
    withhold->arrays = notes;
    return notes;
}

static void set_global(Withhold *withhold, ArrayNotes *notes, uint64_t address, unsigned unit, bool turned) {
    const uint64_t at = address - notes->address;
    uint8_t *bytes = gpu_memory_host(withhold->device->gpu, address, unit);
    if (bytes == NULL || at + unit > notes->count || (notes->turned[at] != 0) == turned) return;
    turn_over(bytes, unit);
    notes->turned[at] = turned;
    withhold->count += turned;
}

/** What the next access has to find, by its way. */
static void look_at_global(Withhold *withhold, const GpuAccess *access, ArrayNotes *notes, uint64_t address) {
    const unsigned unit = unit_of(access);
    const bool by_name = access->space == PTX_SPACE_CONST;
    const uint64_t at = address - notes->address;
    if (withhold->results)
        notes->turned[at] = at + unit <= notes->count ? (uint8_t)unit : 0;
    else if (access->kind == GPU_WRITE)
        memset(notes->turned + at, 0, unit);
    else if (withhold->atomic)
        set_global(withhold, notes, address, unit, true);
    else
        set_global(withhold, notes, address, unit,
                   (withhold->constant && by_name) || (withhold->texture && access->texture));
}

static bool concerns(const Withhold *withhold, const GpuAccess *access) {
    if (withhold->results) return access->kind != GPU_READ && access->space != PTX_SPACE_CONST;
    return withhold->constant || withhold->texture || (withhold->atomic && access->kind != GPU_READ);
}

static void on_access(void *self, const GpuAccess *access) {
    Withhold *withhold = self;
    if (access->space == PTX_SPACE_SHARED) {
        on_shared(withhold, access);
        return;
    }
    if (!concerns(withhold, access)) return;
    for (uint32_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1) {
        const uint64_t address = access->address[__builtin_ctz(lanes)];
        const GpuAllocation *allocation = access->allocation;
        if (allocation == NULL) allocation = gpu_memory_find(withhold->device->gpu, address);
        ArrayNotes *notes = NULL;
        if (allocation != NULL) notes = notes_of(withhold, allocation);
        if (notes == NULL) continue;
        for (unsigned i = 0; i < access->bytes; i += unit_of(access))
            look_at_global(withhold, access, notes, address + i);
    }
}

/** What a kernel has written becomes another word, and none that a further kernel which copies it turns back:
 * a number is added in place of bits turned over. */
static void change_results(Withhold *withhold, ArrayNotes *notes) {
    for (uint64_t at = 0; at < notes->count; at++) {
        const unsigned unit = notes->turned[at];
        uint8_t *bytes = NULL;
        if (unit > 0) bytes = gpu_memory_host(withhold->device->gpu, notes->address + at, unit);
        notes->turned[at] = 0;
        if (bytes == NULL) continue;
        uint32_t word = 0;
        memcpy(&word, bytes, unit);
        word += UINT32_C(0x00301001);
        memcpy(bytes, &word, unit);
        withhold->count++;
    }
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Withhold *withhold = self;
    (void)launch;
    (void)status;
    for (ArrayNotes *notes = withhold->arrays; withhold->results && notes != NULL; notes = notes->next)
        change_results(withhold, notes);
}

/** What the host puts there is as it should be. */
static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    Withhold *withhold = self;
    (void)site;
    for (ArrayNotes *notes = withhold->arrays; notes != NULL; notes = notes->next)
        if (notes->id == allocation->id && address - notes->address + bytes <= notes->count)
            memset(notes->turned + (address - notes->address), 0, bytes);
}

bool withhold_names(const Device *device, const char *what) {
    return device->options.withhold != NULL && strcmp(device->options.withhold, what) == 0;
}

bool withhold_skips(const Device *device, const GpuKernel *kernel) {
    return withhold_names(device, "library") && headers_of_library(gpu_kernel_file(kernel));
}

bool withhold_skips_graphs(const Device *device) {
    return withhold_names(device, "graph");
}

bool withhold_watch(Device *device) {
    const Withhold named = {.device = device,
                            .shared = withhold_names(device, "shared"),
                            .constant = withhold_names(device, "constant"),
                            .texture = withhold_names(device, "texture"),
                            .atomic = withhold_names(device, "atomic"),
                            .results = withhold_names(device, "results")};
    if (!named.shared && !named.constant && !named.texture && !named.atomic && !named.results) return true;
    Withhold *withhold = ARENA_NEW(device->arena, Withhold);
    if (withhold == NULL) return false;
    *withhold = named;
    device->withhold = withhold;
    gpu_attach(device->gpu, &(GpuObserver){.self = withhold,
                                           .launch_end = on_launch_end,
                                           .block_begin = on_block_begin,
                                           .access = on_access,
                                           .host_write = on_host_write});
    return true;
}
