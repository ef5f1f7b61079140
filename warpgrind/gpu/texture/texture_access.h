/* texture_access.h - what texture and surface instructions share: coordinates, the object behind a handle,
 * events. */
#pragma once

#include "gpu/memory/memory_access.h"
#include "gpu/texture.h"

enum { TEXTURE_MAX_DATA = 4, TEXTURE_MAX_COORDINATES = 4, TEXTURE_MAX_DETAILS = 6 };

/** Coordinates without the layer. */
static inline unsigned texture_dimensions(const PtxInstruction *source) {
    PtxGeometry geometry = source->modifiers.geometry;
    return ptx_geometry_coordinates(geometry) - ptx_geometry_layered(geometry);
}
/** How many operands choose the level of detail: the level itself, or the derivatives along x, then along y.
 */
unsigned texture_details(const PtxInstruction *source);
/** The bits of a lane's coordinate operand; the details follow the coordinates. */
uint32_t texture_operand(const GpuWarp *warp, const GpuInstruction *ins, unsigned i, unsigned lane);

/** Some lanes of a warp that use one object. */
typedef struct GpuTextureUse {
    const GpuTexture *texture;
    const GpuAllocation *allocation;
    uint8_t *bytes; /**< the simulator's own, behind the first texel */
    uint32_t lanes;
    bool further, filtered, corners; /**< as in GpuAccess, of the access to come */
} GpuTextureUse;

/** Takes the lanes that have the same handle as the first one out of `mask`. False when their object cannot
 * be used, which has been said. */
bool texture_use(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t *mask,
                 GpuTextureUse *use);
/** Says that lanes cannot do what they want. */
void texture_send_fault(GpuWarp *warp, GpuTextureFault *fault);
/** Says that coordinates or the handle came from nowhere. */
void texture_check_operands(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask);
/** Shows a read or write of warp->address to the observers; warp->access has the answer. */
GpuAccess *texture_send_access(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind,
                               const GpuTextureUse *use, uint32_t lanes, unsigned bytes);
/** What lanes get that may not read. */
void texture_poison(const GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes);
