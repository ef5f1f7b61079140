/* array.h - CUDA arrays: memory for textures and surfaces that the program knows by a handle, not by an
 * address.
 *
 * The elements lie row by row in an allocation of its own kind, which the program's pointers never reach; the
 * handle is a number that no address has, so that an array passed where a pointer belongs is recognised.
 */
#pragma once

#include "device/state/state.h"
#include "gpu/texture.h"

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBE = 4, ARRAY_GATHER = 8 };

/** A CUDA array, a mipmapped array, or one level of such; its elements lie in an allocation of the machine's.
 * */
typedef struct DeviceArray {
    uint64_t handle, address;
    uint64_t width, height, depth; /**< elements, as asked for: 0 where there is no such dimension */
    unsigned flags, element_bytes;
    unsigned levels;    /**< of a mipmapped array, which is reached by them only; else 0 */
    unsigned level;     /**< of `mipmapped` */
    uint64_t mipmapped; /**< handle of the array that this is a level of; else 0 */
    WireChannels channels;
    bool freed;
    uint64_t site, free_site;
    struct DeviceArray *next;
} DeviceArray;

/** Also freed ones; NULL when the program was never given the handle. */
DeviceArray *array_find(const Device *device, uint64_t handle);
/** The live array, or NULL after saying what is wrong with the handle: also when it is a mipmapped one. */
DeviceArray *array_need(Device *device, uint64_t handle);
/** As array_need, of a mipmapped array. */
DeviceArray *array_need_mipmapped(Device *device, uint64_t handle);
/** Where its elements lie, in the machine's words: address, sizes, levels. */
GpuTexture array_shape(const DeviceArray *array);
/** The memory at that address was freed: the array that has it is no more. */
void array_forget(Device *device, uint64_t address);
/** Components and bits of a channel description; false when textures have no such format. */
bool array_format(const WireChannels *channels, unsigned *components, unsigned *bits);

static inline uint64_t array_rows(const DeviceArray *array) {
    if (array->height > 0) return array->height;
    return 1;
}
static inline uint64_t array_slices(const DeviceArray *array) {
    if (array->depth > 0) return array->depth;
    return 1;
}
static inline uint64_t array_pitch(const DeviceArray *array) {
    return array->width * array->element_bytes;
}
