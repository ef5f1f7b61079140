/* texture.c - the table of texture and surface objects. */
#include "base/growable.h"
#include "gpu/state/machine.h"
#include "gpu/texture.h"

#include <stdlib.h>

/* Far from every address and from small numbers, so that a pointer or a forgotten 0 is no handle. */
#define HANDLE_BASE UINT64_C(0x340000000000)
enum { HANDLE_STEP = 64 };

/** Bytes from the first texel to the end of the last one; false when that is no sensible number. */
static bool texture_extent(const GpuTexture *texture, uint64_t *bytes) {
    uint64_t rows, row = (uint64_t)texture->width * texture_texel_bytes(texture);
    uint64_t slices;
    if (texture->stored_slices)
        slices = texture->stored_slices;
    else
        slices = texture->depth;
    if (!texture->width || !texture->height || !texture->depth || !texture->components) return false;
    if ((uint64_t)texture->first_slice + texture->depth > slices) return false;
    if (__builtin_mul_overflow(texture->pitch, texture->height - 1, &rows)) return false;
    if (__builtin_mul_overflow(texture->slice, slices - 1, bytes)) return false;
    return !__builtin_add_overflow(*bytes, rows, bytes) && !__builtin_add_overflow(*bytes, row, bytes);
}

/* ---- mipmaps ---- */

enum { LEVEL_ALIGNMENT = 512 };

static uint32_t halved(uint32_t extent) {
    if (extent > 1) return extent / 2;
    return 1;
}

uint64_t texture_level_bytes(const GpuTexture *texture) {
    uint64_t slices;
    if (texture->stored_slices)
        slices = texture->stored_slices;
    else
        slices = texture->depth;
    uint64_t bytes = texture->slice * slices;
    return (bytes + LEVEL_ALIGNMENT - 1) / LEVEL_ALIGNMENT * LEVEL_ALIGNMENT;
}

/** The level of a mipmap as a texture by itself: levels lie one behind the other, each half as large. */
GpuTexture texture_level(const GpuTexture *texture, unsigned level) {
    GpuTexture small = *texture;
    for (; level > 0; level--) {
        small.address += texture_level_bytes(&small);
        small.width = halved(small.width);
        small.height = halved(small.height);
        if (!small.layered && !small.cube) small.depth = halved(small.depth);
        small.pitch = (uint64_t)small.width * texture_texel_bytes(&small);
        small.slice = small.pitch * small.height;
        if (small.levels > 0) small.levels--;
    }
    return small;
}

/** As texture_extent, to the end of the last level. */
static bool all_levels_extent(const GpuTexture *texture, uint64_t *bytes) {
    if (texture->cube && texture->depth % 6) return false;
    if (texture->levels > GPU_MAX_LEVELS || !texture_extent(texture, bytes)) return false;
    if (texture->levels < 2) return true;
    GpuTexture last = texture_level(texture, texture->levels - 1);
    bool fits = texture_extent(&last, bytes);
    *bytes += last.address - texture->address;
    return fits;
}

/* ---- handles ---- */

/** Handles are numbers that no address has and that are not given out again, so that one which is
 * destroyed is known as such. */
uint64_t gpu_texture_create(Gpu *gpu, const GpuTexture *description) {
    GpuTextures *table = &gpu->textures;
    uint64_t extent;
    if (table->count == GPU_MAX_TEXTURES || !all_levels_extent(description, &extent)) return 0;
    if (extent > gpu_memory_room(gpu, description->address)) return 0;
    GpuTexture *items =
        growable_grow(table->items, &table->capacity, (size_t)table->count + 1, sizeof *items);
    if (!items) return 0;
    table->items = items;
    gpu_forget_repeats(gpu);
    GpuTexture *made = &table->items[table->count++];
    *made = *description;
    made->handle = HANDLE_BASE + (uint64_t)table->count * HANDLE_STEP;
    made->allocation = gpu_memory_find(gpu, description->address)->id;
    made->destroyed = false;
    made->destroy_site = 0;
    return made->handle;
}

static GpuTexture *find(const Gpu *gpu, uint64_t handle) {
    uint64_t number = (handle - HANDLE_BASE) / HANDLE_STEP;
    bool fits = handle >= HANDLE_BASE && handle % HANDLE_STEP == 0 && number >= 1;
    if (fits && number <= gpu->textures.count) return &gpu->textures.items[number - 1];
    return NULL;
}

const GpuTexture *gpu_texture_find(const Gpu *gpu, uint64_t handle) {
    return find(gpu, handle);
}

bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, uint64_t site) {
    GpuTexture *texture = find(gpu, handle);
    if (!texture || texture->destroyed) return false;
    gpu_forget_repeats(gpu);
    texture->destroyed = true;
    texture->destroy_site = site;
    return true;
}
