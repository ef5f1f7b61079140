/* exec_surface.c - suld.b, sust.b and sured.b: plain loads, stores and reductions at coordinates, x in bytes
 * (PTX ISA 9.7.11.1).
 */
#include "gpu/alu/half.h"
#include "gpu/definedness/undefined.h"
#include "gpu/texture/texture_access.h"

/** Where a lane goes: an offset from the first texel, or nowhere. */
typedef struct Place {
    bool inside, aligned;
    uint64_t offset;
    int32_t at[3]; /* x in bytes, y, z or layer */
} Place;

static int32_t clamped(int32_t value, uint32_t limit) {
    if (value < 0) return 0;
    if ((uint32_t)value > limit) return (int32_t)limit;
    return value;
}

/** Of an access by elements, which has the texel's size whatever the registers have. */
static bool counts_elements(const GpuInstruction *ins) {
    return ins->source->opcode == PTX_OP_sust_p;
}

static uint32_t access_bytes(const GpuInstruction *ins, const GpuTexture *texture) {
    if (counts_elements(ins)) return texture_texel_bytes(texture);
    return (uint32_t)ins->bytes * ins->count;
}

static int32_t bytes_of_elements(int32_t x, unsigned texel) {
    int32_t bytes, farthest = INT32_MAX / (int32_t)texel * (int32_t)texel;
    if (!__builtin_mul_overflow(x, (int32_t)texel, &bytes)) return bytes;
    if (x < 0) return -farthest;
    return farthest;
}

/** Where a lane's access begins (PTX ISA 9.7.11): x counts bytes, or elements for formatted access, and
 * .clamp brings a coordinate back inside where other modes leave it out. */
static Place lane_place(const GpuWarp *warp, const GpuInstruction *ins, const GpuTexture *texture,
                        unsigned lane) {
    PtxGeometry geometry = ins->source->modifiers.geometry;
    unsigned count = ptx_geometry_coordinates(geometry), first = ptx_geometry_layered(geometry);
    uint32_t step = access_bytes(ins, texture);
    Place place = {.inside = true};
    if (first) place.at[2] = (int32_t)texture_operand(warp, ins, 0, lane);
    for (unsigned i = first; i < count; i++)
        place.at[i - first] = (int32_t)texture_operand(warp, ins, i, lane);
    if (counts_elements(ins)) place.at[0] = bytes_of_elements(place.at[0], step);
    uint32_t row = texture->width * texture_texel_bytes(texture);
    const uint32_t limits[3] = {row < step ? 0 : row - step, texture->height - 1, texture->depth - 1};
    bool clamp = ins->source->modifiers.boundary == PTX_BOUNDARY_CLAMP;
    place.aligned = (uint32_t)place.at[0] % step == 0;
    int32_t at[3];
    for (unsigned i = 0; i < 3; i++) {
        at[i] = clamped(place.at[i], limits[i]);
        if (at[i] != place.at[i] && !clamp) place.inside = false;
    }
    if (row < step) place.inside = false;
    place.offset = (uint64_t)at[2] * texture->slice + (uint64_t)at[1] * texture->pitch + (uint64_t)at[0];
    return place;
}

/** The event has the coordinates of the first of the lanes. */
static void send_mistake(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use,
                         GpuAccessKind kind, uint32_t lanes, GpuTextureMistake mistake,
                         const Place places[GPU_WARP_LANES]) {
    GpuTextureFault fault = {.pc = ins->pc,
                             .mistake = mistake,
                             .access = kind,
                             .lanes = lanes,
                             .handle = use->texture->handle,
                             .texture = use->texture,
                             .bytes = access_bytes(ins, use->texture)};
    memcpy(fault.at, places[__builtin_ctz(lanes)].at, sizeof fault.at);
    texture_send_fault(warp, &fault);
}

/** Fills warp->address; the lanes that may go on. */
static uint32_t place_lanes(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use,
                            GpuAccessKind kind, Place places[GPU_WARP_LANES]) {
    uint32_t inside = 0, odd = 0;
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        places[lane] = lane_place(warp, ins, use->texture, lane);
        inside |= (uint32_t)places[lane].inside << lane;
        odd |= (uint32_t)!places[lane].aligned << lane;
        warp->address[lane] = use->texture->address + places[lane].offset;
    }
    uint32_t outside = use->lanes & ~inside;
    bool trap = ins->source->modifiers.boundary == PTX_BOUNDARY_TRAP;
    if (odd) send_mistake(warp, ins, use, kind, odd, GPU_TEXTURE_MISALIGNED, places);
    if (!odd && outside && trap)
        send_mistake(warp, ins, use, kind, outside, GPU_TEXTURE_OUT_OF_BOUNDS, places);
    if (odd) return 0;
    return inside;
}

/* ---- loading ---- */

static void load_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, const uint8_t *from) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++) {
        uint64_t value = 0;
        if (from) memcpy(&value, from + k * ins->bytes, ins->bytes);
        if (!parts[k].sink) gpu_lane_set(warp, parts[k].row, parts[k].width, lane, value);
    }
}

/** Loads in lanes of one surface. What is outside is poison with .trap, whose access a card would stop
 * at, and zero with .zero. */
static void load_lanes(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    Place places[GPU_WARP_LANES];
    uint32_t good = place_lanes(warp, ins, use, GPU_READ, places), bad = use->lanes & ~good;
    if (ins->source->modifiers.boundary == PTX_BOUNDARY_TRAP)
        texture_poison(warp, ins, bad);
    else
        for (uint32_t left = bad; left; left &= left - 1)
            load_lane(warp, ins, (unsigned)__builtin_ctz(left), NULL);
    if (!good) return;
    const GpuAccess *access =
        texture_send_access(warp, ins, GPU_READ, use, good, (unsigned)ins->bytes * ins->count);
    if (warp->run->track && access->undefined_lanes) undefined_to_parts(warp, ins, good, access);
    for (; good; good &= good - 1) {
        unsigned lane = (unsigned)__builtin_ctz(good);
        load_lane(warp, ins, lane, use->bytes + places[lane].offset);
    }
}

/** Lanes may have different handles: those of one are done together. */
const GpuInstruction *surface_load(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    texture_check_operands(warp, ins, mask);
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    while (mask && !warp->run->ended) {
        GpuTextureUse use;
        if (texture_use(warp, ins, GPU_READ, &mask, &use))
            load_lanes(warp, ins, &use);
        else
            texture_poison(warp, ins, use.lanes);
    }
    return gpu_go_on(warp, ins);
}

/* ---- storing ---- */

static void gather_values(GpuWarp *warp, const GpuInstruction *ins, uint32_t lanes) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    unsigned step = (unsigned)ins->bytes * ins->count;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        for (unsigned k = 0; k < ins->count; k++) {
            uint64_t value = gpu_lane_value(warp, parts[k].row, parts[k].width, lane);
            memcpy(warp->values + lane * step + k * ins->bytes, &value, ins->bytes);
        }
    }
}

/** Components that the registers do not have become 0. */
static void convert_values(GpuWarp *warp, const GpuInstruction *ins, const GpuTexture *texture,
                           uint32_t lanes) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    unsigned step = texture_texel_bytes(texture), bytes = texture->bits / 8U;
    bool half = texture->kind == GPU_TEXEL_FLOAT && texture->bits == 16;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        memset(warp->values + lane * step, 0, step);
        for (unsigned k = 0; k < ins->count && k < texture->components; k++) {
            uint32_t value = (uint32_t)gpu_lane_value(warp, parts[k].row, parts[k].width, lane);
            if (half) {
                float number;
                memcpy(&number, &value, sizeof number);
                value = half_to_f16((double)number, PTX_RN);
            }
            memcpy(warp->values + lane * step + k * bytes, &value, bytes);
        }
    }
}

static void store_lanes(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    Place places[GPU_WARP_LANES];
    unsigned step = access_bytes(ins, use->texture);
    uint32_t good = place_lanes(warp, ins, use, GPU_WRITE, places);
    if (!good) return;
    if (counts_elements(ins))
        convert_values(warp, ins, use->texture, good);
    else
        gather_values(warp, ins, good);
    texture_send_access(warp, ins, GPU_WRITE, use, good, step);
    bool as_card = machine_stores_as_card(warp->run->gpu);
    while (good) {
        unsigned lane = gpu_next_to_store(&good, step, as_card);
        memcpy(use->bytes + places[lane].offset, warp->values + lane * step, step);
    }
}

const GpuInstruction *surface_store(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    texture_check_operands(warp, ins, mask);
    while (mask && !warp->run->ended) {
        GpuTextureUse use;
        if (texture_use(warp, ins, GPU_WRITE, &mask, &use)) store_lanes(warp, ins, &use);
    }
    return gpu_go_on(warp, ins);
}

/* ---- reducing ---- */

static void reduce_lane(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane, uint8_t *at) {
    uint64_t old = 0, value = 0;
    memcpy(&old, at, ins->bytes);
    memcpy(&value, warp->values + lane * ins->bytes, ins->bytes);
    value = atomic_apply(ins->source, old, value, 0);
    memcpy(at, &value, ins->bytes);
}

/** Reductions of lanes inside the surface, one after the other; those outside do nothing. */
static void reduce_lanes(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    Place places[GPU_WARP_LANES];
    uint16_t number = ins->function->extra[ins->extra].number;
    uint32_t good = place_lanes(warp, ins, use, GPU_ATOMIC, places);
    if (!good) return;
    if (warp->run->track && number != GPU_NO_REGISTER) {
        uint32_t undefined = warp->meta[number].undefined & good;
        if (undefined) undefined_report(warp, ins, number, undefined, GPU_UNDEFINED_ATOMIC);
    }
    gather_values(warp, ins, good);
    texture_send_access(warp, ins, GPU_ATOMIC, use, good, ins->bytes);
    for (; good; good &= good - 1) {
        unsigned lane = (unsigned)__builtin_ctz(good);
        reduce_lane(warp, ins, lane, use->bytes + places[lane].offset);
    }
}

const GpuInstruction *surface_reduce(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    texture_check_operands(warp, ins, mask);
    while (mask && !warp->run->ended) {
        GpuTextureUse use;
        if (texture_use(warp, ins, GPU_ATOMIC, &mask, &use)) reduce_lanes(warp, ins, &use);
    }
    return gpu_go_on(warp, ins);
}
