/* coordinates.c - tells texture coordinates from 0 to 1 from those that count texels, where the texture takes
 * the other kind.
 *
 * Either mistake reads one and the same texel, or the edge, for all threads, and no access is wrong. It shows
 * in all coordinates of an instruction together: none beyond 1 in a texture of many texels, or none that is
 * a fraction where all is to lie between 0 and 1.
 *
 * And what lies outside of a texture that counts texels is clamped, though it asks to wrap or mirror.
 */
#include "check/counts/notes.h"
#include "gpu/texture.h"

#include <math.h>

enum {
    MIN_LANES = 16, /* of one instruction in one launch, before anything is said about it */
    MIN_EXTENT = 4, /* texels: the two kinds are too alike in smaller textures */
    MIN_SPAN = 3    /* texels that lie between the least and the most */
};

static void count_place(FetchCount *count, unsigned i, float at, bool first) {
    if (first || at < count->least[i]) count->least[i] = at;
    if (first || at > count->most[i]) count->most[i] = at;
    if (!(2 * at == floorf(2 * at))) count->fractions = true;
}

/* "cudaAddressModeWrap and cudaAddressModeMirror are only supported for normalized texture coordinates"
 * (Programming Guide, Texture Memory): an H200 clamps in silence. */
static void count_outside(FetchCount *count, const GpuTexture *texture, unsigned i, float at,
                          uint32_t extent) {
    const GpuAddressMode mode = texture->mode[i];
    const bool outside = at < 0 || at >= (float)extent, mirrors = mode == GPU_ADDRESS_MIRROR;
    if (texture->normalized_coordinates || texture->linear_memory || texture->cube || !outside) return;
    if (!mirrors && mode != GPU_ADDRESS_WRAP) return;
    if (count->clamped++ > 0) return;
    count->mirrors = mirrors;
    count->clamped_axis = i;
}

/* Remembers the range of the coordinates and whether any lies off the centres; the texture may differ from
 * fetch to fetch, so the largest extent counts. */
void coordinates_count(FetchCount *count, const GpuFetch *fetch) {
    const GpuTexture *texture = fetch->texture;
    const uint32_t extent[3] = {texture->width, texture->height, texture->depth};
    bool *kind;
    if (texture->normalized_coordinates)
        kind = &count->normalized;
    else
        kind = &count->texels;
    *kind = true;
    for (unsigned i = 0; i < fetch->dimensions && i < 3; i++)
        if (extent[i] > count->extent[i]) count->extent[i] = extent[i];
    for (uint32_t left = fetch->lanes; left; left &= left - 1) {
        unsigned lane = check_first_lane(left);
        for (unsigned i = 0; i < fetch->dimensions && i < 3; i++) {
            count_place(count, i, fetch->at[i][lane], count->lanes == 0);
            count_outside(count, texture, i, fetch->at[i][lane], extent[i]);
        }
        count->lanes++;
    }
}

/* Joins what two workers have counted of one instruction. */
void coordinates_add(FetchCount *count, const FetchCount *more) {
    if (more->lanes == 0) return;
    for (unsigned i = 0; i < 3; i++) {
        if (count->lanes == 0 || more->least[i] < count->least[i]) count->least[i] = more->least[i];
        if (count->lanes == 0 || more->most[i] > count->most[i]) count->most[i] = more->most[i];
        if (more->extent[i] > count->extent[i]) count->extent[i] = more->extent[i];
    }
    if (count->clamped == 0) {
        count->mirrors = more->mirrors;
        count->clamped_axis = more->clamped_axis;
    }
    count->clamped += more->clamped;
    count->lanes += more->lanes;
    count->normalized |= more->normalized;
    count->texels |= more->texels;
    count->fractions |= more->fractions;
}

/* The widest of the coordinates that a texture has many texels for; -1: there is none. */
static int widest(const FetchCount *count) {
    int found = -1;
    for (int i = 0; i < 3; i++)
        if (count->extent[i] >= MIN_EXTENT &&
            (found < 0 || count->most[i] - count->least[i] > count->most[found] - count->least[found]))
            found = i;
    return found;
}

static bool all_within(const FetchCount *count, float least, float most) {
    for (unsigned i = 0; i < 3; i++)
        if (count->extent[i] >= MIN_EXTENT && !(count->least[i] >= least && count->most[i] <= most))
            return false;
    return true;
}

CoordinatesMistake coordinates_judge(const FetchCount *count) {
    int wide = widest(count);
    if (count->lanes < MIN_LANES || wide < 0 || (count->normalized && count->texels)) return COORDINATES_FINE;
    float span = count->most[wide] - count->least[wide];
    if (count->texels && count->fractions && span > 0.5F && all_within(count, 0, 1))
        return COORDINATES_NORMALIZED;
    if (count->normalized && !count->fractions && span >= (float)MIN_SPAN && all_within(count, 0, INFINITY))
        return COORDINATES_IN_TEXELS;
    return COORDINATES_FINE;
}

/* The axis that shows the mistake is told: where all are of the other kind the one along which the texture
 * has most texels, or x. */
CoordinatesFacts coordinates_facts(const FetchCount *count) {
    static const char *const axes[] = {"x", "y", "z"};
    int wide = widest(count);
    bool fine = coordinates_judge(count) == COORDINATES_FINE;
    unsigned at = wide < 0 ? 0 : (unsigned)wide;
    if (fine) at = count->clamped_axis;
    return (CoordinatesFacts){.from_0_to_1 = coordinates_judge(count) == COORDINATES_NORMALIZED,
                              .lanes = count->lanes,
                              .clamped = count->clamped,
                              .mirrors = count->mirrors,
                              .axis = axes[at],
                              .least = (double)count->least[at],
                              .most = (double)count->most[at],
                              .texels = count->extent[at],
                              .extent = count->extent[at]};
}
