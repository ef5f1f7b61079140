/* texture_filter.c - from coordinates to texels and weights, and from texels to colours.
 *
 * With linear filtering a coordinate lies between two texels whose centres are at i + 0.5. How far between
 * them is kept in fixed point with 8 fractional bits, as the hardware does: the weights are multiples of
 * 1/256. So is the product of two of them, that of the texel which both fractions lead to; the weights of the
 * three others in the plane are what the fractions leave. Between two planes each of these weights is split,
 * and rounded again: the far plane's part is rounded, the near plane's is what that leaves.
 */
#include "gpu/alu/half.h"
#include "gpu/texture.h"

#include <math.h>
#include <string.h>

enum { MAX_AXES = 3, WEIGHT_STEPS = 256 };

/** The one or two texels along one axis. */
typedef struct Axis {
    unsigned count;
    int64_t index[2]; /* -1: outside, the border */
    double weight[2];
} Axis;

static uint32_t axis_extent(const GpuTexture *texture, unsigned axis) {
    const uint32_t extents[3] = {texture->width, texture->height, texture->depth};
    return extents[axis];
}

static int64_t modulo(int64_t value, int64_t n) {
    int64_t rest = value % n;
    if (rest < 0) return rest + n;
    return rest;
}

/* Wrapping and mirroring are for normalized coordinates; without them the machine clamps. */
static GpuAddressMode axis_mode(const GpuTexture *texture, unsigned axis) {
    if (texture->linear_memory) return GPU_ADDRESS_BORDER;
    if (texture->cube) return GPU_ADDRESS_CLAMP; /* each face ends at its edges */
    GpuAddressMode mode = texture->mode[axis];
    bool needs_normalized = mode == GPU_ADDRESS_WRAP || mode == GPU_ADDRESS_MIRROR;
    if (needs_normalized && !texture->normalized_coordinates) return GPU_ADDRESS_CLAMP;
    return mode;
}

/** The index of a texel on one axis, brought inside by the address mode; -1: outside of a border. */
static int64_t axis_resolve(GpuAddressMode mode, int64_t index, int64_t n) {
    if (index >= 0 && index < n) return index;
    switch (mode) {
    case GPU_ADDRESS_WRAP:
        return modulo(index, n);
    case GPU_ADDRESS_MIRROR:
        index = modulo(index, 2 * n);
        if (index < n) return index;
        return 2 * n - 1 - index;
    case GPU_ADDRESS_BORDER:
        return -1;
    case GPU_ADDRESS_CLAMP:
        break;
    }
    if (index < 0) return 0;
    return n - 1;
}

/* In texels; what is no number or beyond all sizes is kept where arithmetic is safe. */
static double axis_position(const GpuTexture *texture, float at, uint32_t n) {
    const double limit = 1 << 30;
    double position;
    if (texture->normalized_coordinates)
        position = (double)at * n;
    else
        position = (double)at;
    if (isnan(position)) return 0;
    return fmin(fmax(position, -limit), limit);
}

static Axis axis_linear(double position, GpuAddressMode mode, int64_t n) {
    int64_t fixed = (int64_t)floor(position * (double)WEIGHT_STEPS + 0.5) - WEIGHT_STEPS / 2;
    int64_t part = modulo(fixed, WEIGHT_STEPS), index = (fixed - part) / WEIGHT_STEPS;
    return (Axis){.count = 2,
                  .index = {axis_resolve(mode, index, n), axis_resolve(mode, index + 1, n)},
                  .weight = {(double)(WEIGHT_STEPS - part) / (double)WEIGHT_STEPS,
                             (double)part / (double)WEIGHT_STEPS}};
}

static Axis axis_of(const GpuTexture *texture, unsigned axis, const GpuCoordinates *at, bool filter) {
    uint32_t n = axis_extent(texture, axis);
    GpuAddressMode mode = axis_mode(texture, axis);
    if (at->whole) return (Axis){1, {axis_resolve(mode, at->number[axis], n), 0}, {1, 0}};
    double position = axis_position(texture, at->at[axis], n);
    if (filter) return axis_linear(position, mode, n);
    return (Axis){1, {axis_resolve(mode, (int64_t)floor(position), n), 0}, {1, 0}};
}

/** A layer below the first, a negative number, is the first; one above the last is the last. */
static uint32_t layer_within(uint32_t layer, uint32_t count) {
    if (layer > INT32_MAX) return 0;
    if (layer < count) return layer;
    return count - 1;
}

static uint64_t layer_offset(const GpuTexture *texture, uint32_t layer) {
    if (!texture->layered && !texture->cube) return 0;
    return (texture->first_slice + layer_within(layer, texture->depth)) * texture->slice;
}

/** The weight of one of the four texels in the plane of x and y. */
static double plane_weight(const Axis *x, const Axis *y, bool right, bool lower) {
    if (x->count < 2 || y->count < 2) return x->weight[right] * y->weight[lower];
    double a = x->weight[1], b = y->weight[1],
           both = floor(a * b * (double)WEIGHT_STEPS + 0.5) / (double)WEIGHT_STEPS;
    if (right) return lower ? both : a - both;
    if (lower) return b - both;
    return 1 - a - b + both;
}

/** Of a weight in the plane, the part of the near or the far plane. LIMIT: measured for the texel to which
 * all three fractions lead; that the others are split alike is assumed. */
static double plane_part(const Axis *z, double weight, bool far) {
    if (z->count < 2) return weight * z->weight[0];
    double part = floor(weight * z->weight[1] * (double)WEIGHT_STEPS + 0.5) / (double)WEIGHT_STEPS;
    if (far) return part;
    return weight - part;
}

static GpuTap tap_at(const GpuTexture *texture, const Axis axes[MAX_AXES], const unsigned pick[MAX_AXES],
                     uint64_t layer) {
    int64_t x = axes[0].index[pick[0]], y = axes[1].index[pick[1]], z = axes[2].index[pick[2]];
    GpuTap tap = {.border = x < 0 || y < 0 || z < 0};
    tap.weight = plane_part(&axes[2], plane_weight(&axes[0], &axes[1], pick[0], pick[1]), pick[2]);
    if (!tap.border)
        tap.offset = layer + (uint64_t)z * texture->slice + (uint64_t)y * texture->pitch +
                     (uint64_t)x * texture_texel_bytes(texture);
    return tap;
}

static void axes_of(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at, bool filter,
                    Axis axes[MAX_AXES]) {
    for (unsigned i = 0; i < MAX_AXES; i++)
        axes[i] = i < dimensions ? axis_of(texture, i, at, filter) : (Axis){1, {0, 0}, {1, 0}};
}

/** Adds the taps of one level, `base` bytes behind the first one, each with its share of `weight`. */
static void add_level(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at, uint64_t base,
                      double weight, GpuTaps *taps) {
    Axis axes[MAX_AXES];
    axes_of(texture, dimensions, at, texture->filter && !texture->linear_memory, axes);
    uint64_t layer = base + layer_offset(texture, at->layer);
    for (unsigned z = 0; z < axes[2].count; z++)
        for (unsigned y = 0; y < axes[1].count; y++)
            for (unsigned x = 0; x < axes[0].count; x++) {
                GpuTap tap = tap_at(texture, axes, (const unsigned[]){x, y, z}, layer);
                tap.weight *= weight;
                if (tap.weight > 0) taps->tap[taps->count++] = tap;
            }
}

/* ---- levels of detail: bias, clamp, then the nearest level or the two around it ---- */

static double clamped_detail(const GpuTexture *texture, double detail) {
    double level = detail + (double)texture->level_bias;
    if (isnan(level)) level = 0;
    level = fmin(fmax(level, (double)texture->level_least), (double)texture->level_most);
    return fmin(fmax(level, 0), texture->levels - 1);
}

static void add_numbered_level(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at,
                               unsigned level, double weight, GpuTaps *taps) {
    GpuTexture one = texture_level(texture, level);
    add_level(&one, dimensions, at, one.address - texture->address, weight, taps);
}

/** With linear filtering between levels the two neighbours share the weight in steps of 1/256, as the
 * level of detail is kept in fixed point too. */
static void add_levels(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at,
                       GpuTaps *taps) {
    double detail = clamped_detail(texture, at->detail);
    if (!texture->level_filter) {
        add_numbered_level(texture, dimensions, at, (unsigned)floor(detail + 0.5), 1, taps);
        return;
    }
    unsigned fixed = (unsigned)floor(detail * (double)WEIGHT_STEPS + 0.5), part = fixed % WEIGHT_STEPS;
    double upper = (double)part / (double)WEIGHT_STEPS;
    add_numbered_level(texture, dimensions, at, fixed / WEIGHT_STEPS, 1 - upper, taps);
    if (part > 0) add_numbered_level(texture, dimensions, at, fixed / WEIGHT_STEPS + 1, upper, taps);
}

/* ---- cubes: the largest coordinate chooses the face, the others the place on it (CUDA C++ Programming
 * Guide, Cubemap Textures) ---- */

/** The axis of the largest coordinate chooses the face, the two others divided by it are the place on it
 * (CUDA C++ Programming Guide, "Cubemap Textures"). */
static GpuCoordinates on_cube(const GpuTexture *texture, const GpuCoordinates *at) {
    static const struct Face {
        uint8_t axis, s, t;
        int8_t s_sign, t_sign;
    } faces[] = {{0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1},
                 {1, 0, 2, 1, -1},  {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1}};
    float x = fabsf(at->at[0]), y = fabsf(at->at[1]), z = fabsf(at->at[2]);
    unsigned axis = 2;
    if (y > z) axis = 1;
    if (x > y && x > z) axis = 0;
    unsigned number = 2 * axis + (at->at[axis] < 0);
    const struct Face *face = &faces[number];
    float most = fabsf(at->at[axis]);
    GpuCoordinates on = *at;
    on.layer = layer_within(at->layer, texture->depth / 6) * 6 + number;
    on.at[0] = ((float)face->s_sign * at->at[face->s] / most + 1) / 2;
    on.at[1] = ((float)face->t_sign * at->at[face->t] / most + 1) / 2;
    return on;
}

/** All texels that a fetch reads, with their weights: of a face of a cube, of one level or of two. */
void texture_taps(const GpuTexture *texture, unsigned dimensions, const GpuCoordinates *at, GpuTaps *taps) {
    taps->count = 0;
    GpuCoordinates on;
    if (texture->cube) {
        on = on_cube(texture, at);
        at = &on;
        dimensions = 2;
    }
    if (texture->levels > 1)
        add_levels(texture, dimensions, at, taps);
    else
        add_level(texture, dimensions, at, 0, 1, taps);
}

/* PTX ISA 9.7.10.4: counter-clockwise, from the lower left texel on. */
void texture_gather_taps(const GpuTexture *texture, const GpuCoordinates *at, GpuTaps *taps) {
    static const unsigned order[4][MAX_AXES] = {{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    Axis axes[MAX_AXES];
    axes_of(texture, 2, at, true, axes);
    taps->count = 4;
    for (unsigned i = 0; i < 4; i++) {
        unsigned last_x = axes[0].count - 1, last_y = axes[1].count - 1;
        const unsigned pick[MAX_AXES] = {order[i][0] & last_x, order[i][1] & last_y, 0};
        taps->tap[i] = tap_at(texture, axes, pick, layer_offset(texture, at->layer));
    }
}

/* ---- texels ---- */

static uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float bits_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool gives_floats(const GpuTexture *texture) {
    return texture->kind == GPU_TEXEL_FLOAT || (texture->normalized_values && texture->bits < 32);
}

/* The most negative number and the one above it are both -1. */
static uint32_t normalized(const GpuTexture *texture, uint32_t raw, int32_t number) {
    uint32_t most = (UINT32_C(1) << texture->bits) - 1;
    if (texture->kind == GPU_TEXEL_UNSIGNED) return float_bits((float)raw / (float)most);
    return float_bits(fmaxf((float)number / (float)(most >> 1), -1.0F));
}

static uint32_t component(const GpuTexture *texture, const uint8_t *bytes) {
    uint32_t raw = 0;
    memcpy(&raw, bytes, texture->bits / 8U);
    unsigned unused = 32U - texture->bits;
    int32_t number = (int32_t)(raw << unused) >> unused;
    if (texture->kind == GPU_TEXEL_FLOAT)
        return texture->bits == 16 ? float_bits((float)half_from_f16((uint16_t)raw)) : raw;
    if (gives_floats(texture)) return normalized(texture, raw, number);
    if (texture->kind == GPU_TEXEL_SIGNED) return (uint32_t)number;
    return raw;
}

/* The colour of the border is kept in the texels' own format, as the hardware does: of integers the low bits.
 */
static uint32_t border_component(const GpuTexture *texture, unsigned i) {
    uint32_t bits = float_bits(texture->border[i]), most = (UINT32_C(1) << (texture->bits & 31U)) - 1;
    if (texture->linear_memory || i >= texture->components) return 0;
    if (texture->kind == GPU_TEXEL_FLOAT || texture->bits == 32) return bits;
    if (!gives_floats(texture)) return component(texture, (const uint8_t *)&bits);
    bool sign = texture->kind == GPU_TEXEL_SIGNED;
    float scale = (float)(sign ? most >> 1 : most);
    float clamped = fminf(fmaxf(texture->border[i], sign ? -1.0F : 0.0F), 1.0F);
    return float_bits(rintf(clamped * scale) / scale);
}

/* IEC 61966-2-1 */
static float linear_light(float encoded) {
    if (encoded <= 0.04045F) return encoded / 12.92F;
    return powf((encoded + 0.055F) / 1.055F, 2.4F);
}

/* Components that the format lacks are 0, alpha too. */
void texture_value(const GpuTexture *texture, const uint8_t *texel, uint32_t value[4]) {
    for (unsigned i = 0; i < 4; i++) {
        if (!texel)
            value[i] = border_component(texture, i);
        else
            value[i] = i < texture->components ? component(texture, texel + i * texture->bits / 8U) : 0;
        if (texture->srgb && i < 3) value[i] = float_bits(linear_light(bits_float(value[i])));
    }
}

/** The weighted sum of texels, for textures that give floats; others give the one texel as it stands. */
void texture_blend(const GpuTexture *texture, const GpuTaps *taps, uint32_t values[][4], uint32_t result[4]) {
    if (taps->count == 1 || !gives_floats(texture)) {
        memcpy(result, values[0], 4 * sizeof *result);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        double sum = 0;
        for (unsigned k = 0; k < taps->count; k++)
            sum += taps->tap[k].weight * (double)bits_float(values[k][i]);
        result[i] = float_bits((float)sum);
    }
}
