/* texture.c - the table of texture and surface objects. */
#include "gpu/texture.h"
#include "gpu/internal.h"

#include <stdlib.h>

/* Far from every address and from small numbers, so that a pointer or a forgotten 0 is no handle. */
#define HANDLE_BASE UINT64_C(0x340000000000)
enum { HANDLE_STEP = 64 };

/** Bytes from the first texel to the end of the last one; false when that is no sensible number. */
static bool texture_extent(const GpuTexture *texture, uint64_t *bytes) {
    uint64_t rows, row = (uint64_t)texture->width * texture_texel_bytes(texture);
    if (!texture->width || !texture->height || !texture->depth || !texture->components) return false;
    if (__builtin_mul_overflow(texture->pitch, texture->height - 1, &rows)) return false;
    if (__builtin_mul_overflow(texture->slice, texture->depth - 1, bytes)) return false;
    return !__builtin_add_overflow(*bytes, rows, bytes) && !__builtin_add_overflow(*bytes, row, bytes);
}

uint64_t gpu_texture_create(Gpu *gpu, const GpuTexture *description) {
    GpuTextures *table = &gpu->textures;
    uint64_t extent;
    if (table->count == GPU_MAX_TEXTURES || !texture_extent(description, &extent)) return 0;
    if (extent > gpu_memory_room(gpu, description->address)) return 0;
    if (table->count == table->capacity) {
        unsigned capacity = table->capacity * 2 + 16;
        GpuTexture *more = realloc(table->items, capacity * sizeof *more);
        if (!more) return 0;
        table->items = more;
        table->capacity = capacity;
    }
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
    return fits && number <= gpu->textures.count ? &gpu->textures.items[number - 1] : NULL;
}

const GpuTexture *gpu_texture_find(const Gpu *gpu, uint64_t handle) {
    return find(gpu, handle);
}

bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, uint64_t site) {
    GpuTexture *texture = find(gpu, handle);
    if (!texture || texture->destroyed) return false;
    texture->destroyed = true;
    texture->destroy_site = site;
    return true;
}
