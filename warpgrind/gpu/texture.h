/* texture.h - textures and surfaces: what stands behind a handle, and which texels a fetch reads.
 *
 * A texture object is a number that the program passes to its kernels; the machine keeps a GpuTexture for it,
 * also after it has been destroyed, so that a late use can be explained. The texels lie in ordinary device
 * memory: rows of `pitch` bytes, slices (of a volume, or layers) of `slice` bytes.
 *
 * A fetch is made in two steps. texture_taps works out which texels count and how much (addressing,
 * filtering); texture_value and texture_blend turn their bytes into what the instruction returns. Between the
 * two the machine shows the reads to its observers.
 *
 * Source: CUDA C++ Programming Guide, Texture Fetching; PTX ISA 9.7.10 and 9.7.11.
 */
#pragma once

#include "gpu/gpu.h"

/** What becomes of coordinates outside; the numbers are CUDA's. */
typedef enum GpuAddressMode {
    GPU_ADDRESS_WRAP,
    GPU_ADDRESS_CLAMP,
    GPU_ADDRESS_MIRROR,
    GPU_ADDRESS_BORDER
} GpuAddressMode;

typedef enum GpuTexelKind { GPU_TEXEL_SIGNED, GPU_TEXEL_UNSIGNED, GPU_TEXEL_FLOAT } GpuTexelKind;

typedef struct GpuTexture {
    bool surface;
    uint64_t address, pitch, slice; /**< of the first texel; bytes from row to row, from slice to slice */
    uint32_t width, height,
        depth;          /**< texels, at least 1 each; depth counts slices when `layered` or `cube` */
    bool layered, cube; /**< a cube has six slices, its faces, in each layer */
    uint32_t first_slice,
        stored_slices; /**< a view of some layers: the first one, and how many the memory has */
    uint32_t levels;   /**< of mipmaps, one behind the other (texture_level); 0 is 1 */
    bool level_filter; /**< between levels; else the nearest one */
    float level_bias, level_least, level_most;
    bool linear_memory; /**< no array: reads outside give zero, whatever the modes */
    uint8_t components; /**< 1, 2 or 4 */
    uint8_t bits;       /**< of a component: 8, 16 or 32 */
    GpuTexelKind kind;
    GpuAddressMode mode[3];
    bool filter;                 /**< linear; else the nearest texel */
    bool normalized_coordinates; /**< 0..1 for the whole width */
    bool normalized_values;      /**< integers are read as 0..1 or -1..1 */
    bool srgb; /**< unsigned bytes are decoded to linear light, but for the fourth component */
    float border[4];
    uint64_t site; /**< host call site of the creation */

    /* filled in by the machine */
    uint64_t handle;
    uint32_t allocation; /**< id of the one that the texels lie in */
    bool destroyed;
    uint64_t destroy_site;
} GpuTexture;

static inline unsigned texture_texel_bytes(const GpuTexture *texture) {
    return texture->components * (texture->bits / 8U);
}

/** Bytes from the start of one level to the next one: they are packed, and each begins at a multiple of 512.
 */
uint64_t texture_level_bytes(const GpuTexture *texture);
/** The texture that has this level and those after it only; its rows are packed. */
GpuTexture texture_level(const GpuTexture *texture, unsigned level);

/* ---- handles ---- */

enum { GPU_MAX_LEVELS = 18 };      /**< of 131072 texels */
enum { GPU_MAX_TEXTURES = 65536 }; /**< over the life of a Gpu: handles are never given out again */

/** Keeps a copy of the description; its handle, or 0: no memory, more than GPU_MAX_TEXTURES, or texels that
 * do not lie in one live allocation. */
uint64_t gpu_texture_create(Gpu *gpu, const GpuTexture *description);
/** Also destroyed ones; NULL when there never was such a handle. */
const GpuTexture *gpu_texture_find(const Gpu *gpu, uint64_t handle);
/** False when it is no live handle. */
bool gpu_texture_destroy(Gpu *gpu, uint64_t handle, uint64_t site);

/* ---- fetching ---- */

typedef struct GpuCoordinates {
    bool whole;        /**< `number` counts texels; else `at` counts */
    float at[3];       /**< x, y, z */
    int32_t number[3]; /**< x, y, z */
    uint32_t layer;
    double detail; /**< level of detail, before the object's bias */
} GpuCoordinates;

enum { TEXTURE_MAX_TAPS = 16 };

typedef struct GpuTap {
    uint64_t offset; /**< bytes from the first texel */
    bool border;     /**< no texel: the border's colour */
    double weight;
} GpuTap;

typedef struct GpuTaps {
    unsigned count;
    GpuTap tap[TEXTURE_MAX_TAPS];
} GpuTaps;

/** Where the lanes of a warp fetch from one texture by floating-point coordinates, before they read. */
typedef struct GpuFetch {
    const GpuWarp *warp;
    uint32_t pc, lanes;
    const GpuTexture *texture;
    unsigned dimensions;         /**< 1 to 3 */
    float at[3][GPU_WARP_LANES]; /**< only set lanes are valid */
} GpuFetch;

/** The texels that a fetch with `dimensions` coordinates reads; those without weight are left out. Of a cube
 * the three are a direction. */
void texture_taps(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at, GpuTaps *taps);
/** The four that tld4 gathers, in its order. */
void texture_gather_taps(const GpuTexture *texture, const GpuCoordinates *at, GpuTaps *taps);
/** Four components of a tap as the bits of a register: floats, or integers widened. `texel` NULL: the border.
 */
void texture_value(const GpuTexture *texture, const uint8_t *texel, uint32_t value[4]);
/** What the instruction returns, from the taps' values. */
void texture_blend(const GpuTexture *texture, const GpuTaps *taps, uint32_t values[][4], uint32_t result[4]);

/* ---- mistakes ---- */

typedef enum GpuTextureMistake {
    GPU_TEXTURE_NO_HANDLE,     /**< a number that no object has */
    GPU_TEXTURE_DESTROYED,     /**< the object was destroyed before */
    GPU_TEXTURE_WRONG_KIND,    /**< a surface where a texture is needed, or the other way */
    GPU_TEXTURE_FREED,         /**< the object's memory was freed */
    GPU_TEXTURE_NOT_LINEAR,    /**< tex1Dfetch from an array, which gives 0 */
    GPU_TEXTURE_WRONG_SHAPE,   /**< layers or faces of an object that has none, or the other way: gives 0 */
    GPU_TEXTURE_LAYER,         /**< a fetch from a layer outside, which reads the nearest one */
    GPU_TEXTURE_OUT_OF_BOUNDS, /**< a surface access outside, with .trap */
    GPU_TEXTURE_MISALIGNED     /**< a surface access in the middle of an element */
} GpuTextureMistake;

/** Sent before the lanes' access, which then gives poison or is dropped. NO_HANDLE,
 * DESTROYED, WRONG_KIND and MISALIGNED end the launch. */
typedef struct GpuTextureFault {
    const GpuWarp *warp;
    uint32_t pc;
    GpuTextureMistake mistake;
    GpuAccessKind access;
    uint32_t lanes;
    uint64_t handle;
    const GpuTexture *texture;    /**< NULL: NO_HANDLE */
    const PtxVariable *reference; /**< the texture reference that was named; NULL: it was an object */
    int32_t at[3];                /**< of the first lane: x in bytes, y, z or layer */
    unsigned bytes;               /**< of the access */
} GpuTextureFault;
