/* exec_texture.c - tex, tld4 and the queries: a warp's taps are worked out lane by lane, shown to the
 * observers tap by tap, then blended.
 */
#include "base/minmax.h"
#include "gpu/definedness/undefined.h"
#include "gpu/texture/texture_access.h"

#include <math.h>

typedef struct LaneFetch {
    GpuTaps taps;
    uint32_t values[TEXTURE_MAX_TAPS][4];
} LaneFetch;

static float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** A lane's coordinates, as floats and as whole numbers; of an array the layer comes first. */
static GpuCoordinates lane_coordinates(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane) {
    PtxGeometry geometry = ins->source->modifiers.geometry;
    unsigned count = ptx_geometry_coordinates(geometry), first = ptx_geometry_layered(geometry);
    GpuCoordinates at = {.whole = ins->source->source_type == PTX_S32};
    if (first) at.layer = texture_operand(warp, ins, 0, lane);
    for (unsigned i = first; i < count; i++) {
        uint32_t bits = texture_operand(warp, ins, i, lane);
        at.number[i - first] = (int32_t)bits;
        at.at[i - first] = as_float(bits);
    }
    return at;
}

/** The longer of the two derivatives, in texels of the first level: each level halves it. */
static double detail_of_derivatives(const GpuWarp *warp, const GpuInstruction *ins, const GpuTexture *texture,
                                    unsigned lane) {
    const uint32_t extents[] = {texture->width, texture->height, texture->depth};
    unsigned first = ptx_geometry_coordinates(ins->source->modifiers.geometry);
    unsigned dimensions = texture_dimensions(ins->source);
    double longest = 0;
    for (unsigned direction = 0; direction < 2; direction++) {
        double sum = 0;
        for (unsigned i = 0; i < dimensions; i++) {
            double step =
                (double)as_float(texture_operand(warp, ins, first + direction * dimensions + i, lane));
            if (texture->normalized_coordinates) step *= extents[i];
            sum += step * step;
        }
        longest = fmax(longest, sqrt(sum));
    }
    return log2(longest);
}

static double lane_detail(const GpuWarp *warp, const GpuInstruction *ins, const GpuTexture *texture,
                          unsigned lane) {
    PtxSelect select = ins->source->modifiers.select;
    if (ins->source->opcode != PTX_OP_tex || texture->levels < 2 || select == PTX_SELECT_NONE) return 0;
    if (select == PTX_SELECT_GRAD) return detail_of_derivatives(warp, ins, texture, lane);
    uint32_t bits =
        texture_operand(warp, ins, ptx_geometry_coordinates(ins->source->modifiers.geometry), lane);
    if (ins->source->source_type == PTX_S32) return (double)(int32_t)bits;
    return (double)as_float(bits);
}

static void lane_taps(const GpuWarp *warp, const GpuInstruction *ins, const GpuTexture *texture,
                      unsigned lane, GpuTaps *taps) {
    GpuCoordinates at = lane_coordinates(warp, ins, lane);
    at.detail = lane_detail(warp, ins, texture, lane);
    if (ins->source->opcode == PTX_OP_tld4)
        texture_gather_taps(texture, &at, taps);
    else
        texture_taps(texture, texture_dimensions(ins->source), &at, taps);
}

/* ---- reading ---- */

static void mark_undefined(const GpuWarp *warp, const GpuInstruction *ins, const GpuAccess *access) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (uint32_t lanes = access->undefined_lanes & access->lanes; lanes; lanes &= lanes - 1)
        for (unsigned k = 0; k < ins->count; k++)
            if (parts[k].number != GPU_NO_REGISTER)
                undefined_set(warp->frame, parts[k].number, (unsigned)__builtin_ctz(lanes), 0xF, 4,
                              undefined_from(access->origin, ins));
}

/** The k-th taps' texels, which observers have been told of. */
static void take_values(const GpuTextureUse *use, unsigned k, LaneFetch fetches[GPU_WARP_LANES]) {
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        LaneFetch *fetch = &fetches[__builtin_ctz(left)];
        const GpuTap *tap = &fetch->taps.tap[k];
        if (k >= fetch->taps.count) continue;
        texture_value(use->texture, tap->border ? NULL : use->bytes + tap->offset, fetch->values[k]);
    }
}

/** Reads the k-th tap of all lanes that have one; returns whether there was any. */
static bool read_tap(GpuWarp *warp, const GpuInstruction *ins, GpuTextureUse *use, unsigned k,
                     LaneFetch fetches[GPU_WARP_LANES]) {
    uint32_t reading = 0, any = 0;
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const GpuTap *tap = &fetches[lane].taps.tap[k];
        if (k >= fetches[lane].taps.count) continue;
        any |= 1U << lane;
        if (!tap->border) reading |= 1U << lane;
        warp->address[lane] = use->texture->address + tap->offset;
    }
    if (reading) {
        const GpuAccess *access =
            texture_send_access(warp, ins, GPU_READ, use, reading, texture_texel_bytes(use->texture));
        use->further = true;
        if (warp->run->track && access->undefined_lanes) mark_undefined(warp, ins, access);
    }
    take_values(use, k, fetches);
    return any != 0;
}

/** All texels count alike: the place is where they meet, half a texel from each one's centre. */
static bool is_corner(const GpuTaps *taps) {
    for (unsigned k = 1; k < taps->count; k++)
        if (taps->tap[k].weight < taps->tap[0].weight || taps->tap[k].weight > taps->tap[0].weight)
            return false;
    return taps->count > 1;
}

/** Texels asked for by number, and directions in a cube, are no places in the texture. */
static void send_fetch(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    if (ins->source->source_type == PTX_S32 || ptx_geometry_cube(ins->source->modifiers.geometry)) return;
    GpuFetch fetch = {.warp = warp, .pc = ins->pc, .lanes = use->lanes, .texture = use->texture};
    fetch.dimensions = texture_dimensions(ins->source);
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        GpuCoordinates at = lane_coordinates(warp, ins, lane);
        for (unsigned i = 0; i < 3; i++)
            fetch.at[i][lane] = at.at[i];
    }
    GPU_SEND(warp->run->gpu, fetch, &fetch);
}

/** Reads the texels of all lanes, the first of each lane before the second of any: so that observers see
 * accesses of a warp. Corners, places right between texels, count only when all lanes have them. */
static void read_taps(GpuWarp *warp, const GpuInstruction *ins, GpuTextureUse *use,
                      LaneFetch fetches[GPU_WARP_LANES]) {
    send_fetch(warp, ins, use);
    use->further = false;
    use->filtered = use->corners = use->texture->filter && ins->source->opcode != PTX_OP_tld4;
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lane_taps(warp, ins, use->texture, lane, &fetches[lane].taps);
        if (!is_corner(&fetches[lane].taps)) use->corners = false;
    }
    for (unsigned k = 0; k < TEXTURE_MAX_TAPS; k++) {
        if (!read_tap(warp, ins, use, k, fetches)) return;
        use->filtered = false;
    }
}

static void set_result(const GpuWarp *warp, const GpuInstruction *ins, unsigned lane,
                       const uint32_t result[4]) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    for (unsigned k = 0; k < ins->count; k++)
        if (!parts[k].sink) gpu_lane_set(warp, parts[k].row, parts[k].width, lane, result[k]);
}

/* ---- tex, tld4 ---- */

static GpuTextureFault fault_of(const GpuInstruction *ins, const GpuTextureUse *use,
                                GpuTextureMistake mistake) {
    return (GpuTextureFault){.pc = ins->pc,
                             .mistake = mistake,
                             .access = GPU_READ,
                             .lanes = use->lanes,
                             .handle = use->texture->handle,
                             .texture = use->texture};
}

/** What this instruction cannot read gives zeros: an array by number (as the hardware does), and layers or
 * faces of what has none. */
static bool refuse_shape(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    PtxGeometry geometry = ins->source->modifiers.geometry;
    const GpuTexture *texture = use->texture;
    bool whole = ins->source->source_type == PTX_S32 && !texture->linear_memory;
    bool shape =
        ptx_geometry_layered(geometry) == texture->layered && ptx_geometry_cube(geometry) == texture->cube;
    if (!whole && shape) return false;
    GpuTextureFault fault = fault_of(ins, use, shape ? GPU_TEXTURE_NOT_LINEAR : GPU_TEXTURE_WRONG_SHAPE);
    texture_send_fault(warp, &fault);
    for (uint32_t left = use->lanes; left; left &= left - 1)
        set_result(warp, ins, (unsigned)__builtin_ctz(left), (const uint32_t[4]){0});
    return true;
}

/** A layer outside is read as the nearest one, which is hardly what was meant. */
static void check_layers(GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use) {
    if (!use->texture->layered) return;
    uint32_t layers = use->texture->depth / (use->texture->cube ? 6 : 1), outside = 0;
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (texture_operand(warp, ins, 0, lane) >= layers) outside |= 1U << lane;
    }
    if (!outside) return;
    GpuTextureFault fault = fault_of(ins, use, GPU_TEXTURE_LAYER);
    fault.lanes = outside;
    fault.at[2] = (int32_t)texture_operand(warp, ins, 0, (unsigned)__builtin_ctz(outside));
    texture_send_fault(warp, &fault);
}

static void finish_fetch(const GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use,
                         LaneFetch fetches[GPU_WARP_LANES]) {
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t result[4];
        texture_blend(use->texture, &fetches[lane].taps, fetches[lane].values, result);
        set_result(warp, ins, lane, result);
    }
}

static void finish_gather(const GpuWarp *warp, const GpuInstruction *ins, const GpuTextureUse *use,
                          LaneFetch fetches[GPU_WARP_LANES]) {
    unsigned component = ins->source->modifiers.select - PTX_SELECT_R;
    for (uint32_t left = use->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t result[4];
        for (unsigned k = 0; k < 4; k++)
            result[k] = fetches[lane].values[k][component];
        set_result(warp, ins, lane, result);
    }
}

/** Lanes may have different handles: those of one are done together. */
const GpuInstruction *texture_fetch(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    LaneFetch fetches[GPU_WARP_LANES];
    texture_check_operands(warp, ins, mask);
    if (warp->run->track) undefined_clear_parts(warp, ins, mask);
    while (mask && !warp->run->ended) {
        GpuTextureUse use;
        if (!texture_use(warp, ins, GPU_READ, &mask, &use)) {
            texture_poison(warp, ins, use.lanes);
            continue;
        }
        if (refuse_shape(warp, ins, &use)) continue;
        check_layers(warp, ins, &use);
        read_taps(warp, ins, &use, fetches);
        if (ins->source->opcode == PTX_OP_tld4)
            finish_gather(warp, ins, &use, fetches);
        else
            finish_fetch(warp, ins, &use, fetches);
    }
    return gpu_go_on(warp, ins);
}

const GpuInstruction *texture_gather(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    return texture_fetch(warp, ins, mask);
}

/* ---- txq, suq (PTX ISA 9.7.10.5; the formats' numbers are those of cuda.h and OpenCL) ---- */

static uint32_t channel_type(const GpuTexture *texture) {
    static const uint16_t numbers[][3] = {[GPU_TEXEL_SIGNED] = {0x10D7, 0x10D8, 0x10D9},
                                          [GPU_TEXEL_UNSIGNED] = {0x10DA, 0x10DB, 0x10DC},
                                          [GPU_TEXEL_FLOAT] = {0, 0x10DD, 0x10DE}};
    return numbers[texture->kind][texture->bits / 16]; /* of 8, 16 and 32 */
}

static uint32_t channel_order(const GpuTexture *texture) {
    if (texture->components == 1) return 0x10B0;
    if (texture->components == 2) return 0x10B2;
    return 0x10B5;
}

static uint32_t property(const GpuTexture *texture, PtxSelect select) {
    switch (select) {
    case PTX_SELECT_WIDTH:
        return texture->width;
    case PTX_SELECT_HEIGHT:
        return texture->height;
    case PTX_SELECT_DEPTH:
        if (texture->layered || texture->cube) return 0;
        return texture->depth;
    case PTX_SELECT_ARRAY_SIZE:
        if (!texture->layered) return 0;
        if (texture->cube) return texture->depth / 6;
        return texture->depth;
    case PTX_SELECT_LEVELS:
        return MAX(texture->levels, 1);
    case PTX_SELECT_CHANNEL_TYPE:
        return channel_type(texture);
    case PTX_SELECT_CHANNEL_ORDER:
        return channel_order(texture);
    case PTX_SELECT_NORMALIZED:
        return texture->normalized_coordinates;
    case PTX_SELECT_SAMPLES:
    case PTX_SELECT_NONE: /* the rest are no queries */
    case PTX_SELECT_LEVEL:
    case PTX_SELECT_GRAD:
    case PTX_SELECT_R:
    case PTX_SELECT_G:
    case PTX_SELECT_B:
    case PTX_SELECT_A:
        break;
    }
    return 1;
}

const GpuInstruction *texture_query(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    while (mask && !warp->run->ended) {
        GpuTextureUse use;
        if (!texture_use(warp, ins, GPU_READ, &mask, &use)) continue;
        for (uint32_t left = use.lanes; left; left &= left - 1)
            gpu_lane_set(warp, ins->d, 4, (unsigned)__builtin_ctz(left),
                         property(use.texture, ins->source->modifiers.select));
    }
    return gpu_go_on(warp, ins);
}
