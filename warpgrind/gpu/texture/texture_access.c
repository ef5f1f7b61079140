/* texture_access.c - see texture_access.h. */
#include "gpu/definedness/undefined.h"
#include "gpu/memory/memory.h"
#include "gpu/texture/texture_access.h"

#define POISON UINT64_MAX /* as fresh memory, base/poison.h */

unsigned texture_details(const PtxInstruction *source) {
    if (source->opcode != PTX_OP_tex) return 0;
    if (source->modifiers.select == PTX_SELECT_LEVEL) return 1;
    if (source->modifiers.select == PTX_SELECT_GRAD) return 2 * texture_dimensions(source);
    return 0;
}

uint32_t texture_operand(const GpuWarp *warp, const GpuInstruction *ins, unsigned i, unsigned lane) {
    const GpuExtra *part = ins->function->extra + ins->extra + ins->count + i;
    return (uint32_t)gpu_lane_value(warp, part->row, part->width, lane);
}

/* ---- the object ---- */

static bool ends_launch(GpuTextureMistake mistake) {
    return mistake != GPU_TEXTURE_OUT_OF_BOUNDS && mistake != GPU_TEXTURE_FREED &&
           mistake != GPU_TEXTURE_NOT_LINEAR && mistake != GPU_TEXTURE_LAYER &&
           mistake != GPU_TEXTURE_WRONG_SHAPE;
}

void texture_send_fault(GpuWarp *warp, GpuTextureFault *fault) {
    fault->warp = warp;
    GPU_SEND(warp->run->gpu, texture_fault, fault);
    if (fault->mistake == GPU_TEXTURE_MISALIGNED)
        run_end(warp->run, GPU_MISALIGNED);
    else if (ends_launch(fault->mistake))
        run_end(warp->run, GPU_ILLEGAL_ADDRESS);
}

static uint32_t same_handle(const GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, uint64_t handle) {
    uint32_t same = 0;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        same |= (uint32_t)(gpu_lane_value(warp, ins->a, 8, lane) == handle) << lane;
    }
    return same;
}

static bool is_for_surfaces(const GpuInstruction *ins) {
    PtxOpcode opcode = ins->source->opcode;
    return opcode == PTX_OP_suld || opcode == PTX_OP_sust || opcode == PTX_OP_sust_p ||
           opcode == PTX_OP_sured || opcode == PTX_OP_suq;
}

/** The address of a reference stands for what is bound to it. */
static const GpuTexture *find_object(const Gpu *gpu, uint64_t handle, const PtxVariable **reference) {
    *reference = NULL;
    const GpuTexture *texture = gpu_texture_find(gpu, handle);
    const GpuAllocation *allocation = NULL;
    if (!texture) allocation = gpu_memory_find(gpu, handle);
    bool named = allocation && allocation->variable && allocation->variable->reference;
    if (!named || handle != allocation->address) return texture;
    *reference = allocation->variable;
    uint64_t bound;
    memcpy(&bound, gpu_memory_bytes(gpu, handle), sizeof bound);
    return gpu_texture_find(gpu, bound);
}

/** Why an object cannot be used; `allocation`: the memory that it was made of, NULL when that is gone. */
static GpuTextureMistake mistake_of(const GpuTexture *texture, const GpuAllocation *allocation) {
    if (!texture) return GPU_TEXTURE_NO_HANDLE;
    if (texture->destroyed) return GPU_TEXTURE_DESTROYED;
    if (allocation) return GPU_TEXTURE_WRONG_KIND;
    return GPU_TEXTURE_FREED;
}

bool texture_use(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind, uint32_t *mask,
                 GpuTextureUse *use) {
    Gpu *gpu = warp->run->gpu;
    uint64_t handle = gpu_lane_value(warp, ins->a, 8, (unsigned)__builtin_ctz(*mask));
    const PtxVariable *reference;
    const GpuTexture *texture = find_object(gpu, handle, &reference);
    *use = (GpuTextureUse){.texture = texture, .lanes = same_handle(warp, ins, *mask, handle)};
    *mask &= ~use->lanes;
    if (texture) use->allocation = gpu_memory_find(gpu, texture->address);
    if (use->allocation && use->allocation->id != texture->allocation)
        use->allocation = NULL; /* another one */
    GpuTextureFault fault = {
        .pc = ins->pc, .access = kind, .lanes = use->lanes, .handle = handle, .texture = texture};
    fault.reference = reference;
    if (texture && !texture->destroyed && texture->surface == is_for_surfaces(ins) && use->allocation) {
        use->bytes = gpu_memory_bytes(gpu, texture->address);
        return true;
    }
    fault.mistake = mistake_of(texture, use->allocation);
    texture_send_fault(warp, &fault);
    return false;
}

/* ---- definedness and events ---- */

static void check_register(GpuWarp *warp, const GpuInstruction *ins, uint16_t number, uint32_t mask) {
    uint32_t undefined = undefined_in(warp, number, mask);
    if (undefined) undefined_report(warp, ins, number, undefined, GPU_UNDEFINED_ADDRESS);
}

void texture_check_operands(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    if (!warp->run->track) return;
    check_register(warp, ins, ins->address_register, mask);
    const GpuExtra *parts = ins->function->extra + ins->extra + ins->count;
    unsigned count = ptx_geometry_coordinates(ins->source->modifiers.geometry) + texture_details(ins->source);
    for (unsigned i = 0; i < count; i++)
        check_register(warp, ins, parts[i].number, mask);
}

/** Observers see texels as global memory with a mark, one for each lane. */
GpuAccess *texture_send_access(GpuWarp *warp, const GpuInstruction *ins, GpuAccessKind kind,
                               const GpuTextureUse *use, uint32_t lanes, unsigned bytes) {
    GpuAccess *access = memory_begin_access(warp, ins, kind, lanes, (uint8_t)bytes, PTX_SPACE_GLOBAL);
    access->texture = true;
    access->further = use->further;
    access->filtered = use->filtered;
    access->corners = use->corners;
    access->allocation = use->allocation;
    access->memory = use->bytes + (warp->address[__builtin_ctz(lanes)] - use->texture->address);
    access->reduction = kind == GPU_ATOMIC;
    if (kind == GPU_WRITE && warp->run->track) undefined_of_parts(warp, ins, lanes, access);
    if (warp->run->gpu->access_count) memory_send_access(warp, access);
    return access;
}

/* ---- results ---- */

void texture_poison(const GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (; lanes; lanes &= lanes - 1)
        for (unsigned k = 0; k < ins->count; k++)
            if (!parts[k].sink)
                gpu_lane_set(warp, parts[k].row, parts[k].width, (unsigned)__builtin_ctz(lanes), POISON);
}
