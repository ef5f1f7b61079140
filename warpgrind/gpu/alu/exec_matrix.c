/* exec_matrix.c - what decode_matrix.c makes of instructions on matrices: products, the places of fragments,
 * and rows that are spread over a warp.
 *
 * An element of a product is undefined when one of its row of a, of its column of b, or its element of c is.
 */
#include "gpu/alu/matrix.h"
#include "gpu/definedness/undefined.h"

/* ---- registers as matrices ---- */

typedef struct MatrixLost {
    bool lines[32]; /**< rows of a, columns of b */
    bool sums[GPU_MATRIX_SUMS];
    uint32_t origin; /**< where an undefined value came from */
    bool any;
} MatrixLost;

static unsigned lost_bytes(const GpuWarp *warp, const GpuExtra *part, unsigned lane) {
    if (!warp->run->track || part->number == GPU_NO_REGISTER) return 0;
    return undefined_bytes(warp->frame, part->number, lane);
}

/** Quads multiply four matrices; only lanes of the given one take part, or all. */
static bool takes_part(const PtxFragment *fragment, unsigned lane, unsigned quad) {
    return !fragment->quads || lane % 16 / 4 == quad;
}

static unsigned place_number(const PtxFragment *fragment, unsigned row, unsigned column) {
    if (fragment->role == 'b') return column * fragment->rows + row;
    return row * fragment->columns + column;
}

static void note_lost(MatrixLost *lost, const PtxFragment *fragment, unsigned row, unsigned column) {
    lost->any = true;
    if (fragment->role == 'c')
        lost->sums[row * fragment->columns + column] = true;
    else
        lost->lines[fragment->role == 'b' ? column : row] = true;
}

/** Takes a lane's register apart. */
static void gather_register(const GpuWarp *warp, const PtxFragment *fragment, const GpuExtra *part,
                            unsigned first, unsigned lane, uint64_t *values, MatrixLost *lost) {
    uint64_t bits = gpu_lane_value(warp, part->row, part->width, lane);
    unsigned undefined = lost_bytes(warp, part, lane);
    uint64_t mask = UINT64_MAX;
    if (fragment->bits < 64) mask = (UINT64_C(1) << fragment->bits) - 1;
    if (undefined) lost->origin = warp->meta[part->number].origin;
    for (unsigned i = 0; i < fragment->in_register; i++) {
        unsigned row, column, at = i * fragment->bits;
        ptx_fragment_place(fragment, lane, first + i, &row, &column);
        values[place_number(fragment, row, column)] = bits >> at & mask;
        unsigned bytes;
        if (fragment->bits < 8)
            bytes = 1;
        else
            bytes = (1u << fragment->bits / 8) - 1;
        if (undefined >> at / 8 & bytes) note_lost(lost, fragment, row, column);
    }
}

static void gather(const GpuWarp *warp, const PtxFragment *fragment, const GpuExtra *parts, unsigned quad,
                   uint64_t *values, MatrixLost *lost) {
    unsigned distinct = fragment->distinct / fragment->in_register;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        for (unsigned i = 0; i < distinct && takes_part(fragment, lane, quad); i++)
            gather_register(warp, fragment, &parts[i], i * fragment->in_register, lane, values, lost);
}

/** Gives the elements of d to the lanes' registers. */
static void give_register(GpuWarp *warp, const GpuInstruction *ins, const PtxFragment *fragment,
                          const GpuExtra *part, unsigned first, unsigned lane, const uint64_t *values,
                          const bool *lost, uint32_t origin) {
    uint64_t bits = 0;
    unsigned undefined = 0, bytes = fragment->bits / 8;
    for (unsigned i = 0; i < fragment->in_register; i++) {
        unsigned row, column;
        ptx_fragment_place(fragment, lane, first + i, &row, &column);
        unsigned at = row * fragment->columns + column;
        bits |= values[at] << i * fragment->bits;
        if (lost && lost[at]) undefined |= ((1u << bytes) - 1) << i * bytes;
    }
    gpu_lane_set(warp, part->row, part->width, lane, bits);
    if (warp->run->track)
        undefined_set(warp->frame, part->number, lane, undefined, bytes * fragment->in_register,
                      undefined_from(origin, ins));
}

/** The sums that something undefined has come into. */
static void spread_lost(const GpuProduct *product, const MatrixLost *a, const MatrixLost *b, MatrixLost *c) {
    unsigned columns = product->shape.n;
    for (unsigned i = 0; i < product->shape.m * columns; i++)
        c->sums[i] = c->sums[i] || a->lines[i / columns] || b->lines[i % columns];
    if (a->any) c->origin = a->origin;
    if (b->any) c->origin = b->origin;
    c->any = c->any || a->any || b->any;
}

/** One product of the warp, or of one of its quads: brings the fragments together into whole matrices,
 * multiplies them, and gives the sums back to the registers, with what is undefined of them. */
static void multiply_quad(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask, GpuProduct *product,
                          const PtxFragment fragments[4], unsigned quad) {
    const GpuExtra *d = ins->function->extra + ins->extra, *a = d + fragments[0].registers,
                   *b = a + fragments[1].registers, *c = b + fragments[2].registers;
    MatrixLost lost_a = {.any = false}, lost_b = lost_a, lost = lost_a;
    gather(warp, &fragments[1], a, quad, product->a, &lost_a);
    gather(warp, &fragments[2], b, quad, product->b, &lost_b);
    gather(warp, &fragments[3], c, quad, product->c, &lost);
    spread_lost(product, &lost_a, &lost_b, &lost);
    if (warp->run->gpu->config.products_lost)
        memcpy(product->d, product->c, sizeof product->d);
    else
        matrix_multiply(product);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        for (unsigned i = 0; i < fragments[0].registers && takes_part(fragments, lane, quad); i++)
            give_register(warp, ins, &fragments[0], &d[i], i * fragments[0].in_register, lane, product->d,
                          lost.any ? lost.sums : NULL, lost.origin);
    }
}

const GpuInstruction *matrix_product(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const PtxModifiers *modifiers = &ins->source->modifiers;
    GpuProduct product;
    PtxFragment fragments[4];
    if (!ptx_matrices(ins->source, &product.shape)) BUG("a product of no matrices was decoded");
    product.boolean = modifiers->boolean;
    product.saturates = modifiers->satfinite;
    for (unsigned i = 0; i < 4; i++)
        fragments[i] =
            ptx_fragment(&product.shape, "dabc"[i], i == 2 ? modifiers->layout2 : modifiers->layout);
    /* d may be one of the sources, so quads, which only read their own lanes, may go one after the other. */
    for (unsigned quad = 0; quad < (fragments[0].quads ? 4 : 1); quad++)
        multiply_quad(warp, ins, mask, &product, fragments, quad);
    warp->run->launch.matrix_products++;
    return ins->next;
}

/* ---- wmma.load, wmma.store ---- */

/** The address at which a lane's element lies in memory: wmma's stride counts elements from row to row,
 * or from column to column. */
const GpuInstruction *matrix_address(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const PtxInstruction *source = ins->source;
    char role = 'c';
    if (source->opcode == PTX_OP_wmma_load_a) role = 'a';
    if (source->opcode == PTX_OP_wmma_load_b) role = 'b';
    PtxMatrices matrices;
    if (!ptx_matrices(source, &matrices)) BUG("an access to no matrix was decoded");
    PtxFragment fragment = ptx_fragment(&matrices, role, source->modifiers.layout);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask), row, column;
        uint64_t base =
            gpu_lane_value(warp, ins->a, ins->memory.address_width, lane) + (uint64_t)ins->memory.offset;
        uint64_t stride = gpu_lane_value(warp, ins->b, 4, lane);
        ptx_fragment_place(&fragment, lane, (unsigned)ins->u.bits, &row, &column);
        uint64_t at;
        if (fragment.by_columns)
            at = column * stride + row;
        else
            at = row * stride + column;
        gpu_lane_set(warp, ins->d, 8, lane, base + at * fragment.bits / 8);
    }
    return ins->next;
}

/* ---- matrices of eight rows of eight halves ---- */

typedef struct Tile { /**< one matrix, and which of its bytes are undefined */
    uint16_t halves[8][8];
    uint8_t lost[8][8];
    uint32_t origin;
} Tile;

/** A lane's register holds two neighbours of a row. */
static void tile_take(const GpuWarp *warp, Tile *tile, const GpuExtra *part, unsigned row, unsigned pair,
                      unsigned lane) {
    uint64_t word = gpu_lane_value(warp, part->row, 4, lane);
    unsigned lost = lost_bytes(warp, part, lane);
    for (unsigned i = 0; i < 2; i++) {
        tile->halves[row][2 * pair + i] = (uint16_t)(word >> 16 * i);
        tile->lost[row][2 * pair + i] = (uint8_t)(lost >> 2 * i & 3);
    }
    if (lost) tile->origin = warp->meta[part->number].origin;
}

static void tile_transpose(Tile *tile) {
    const Tile from = *tile;
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = 0; column < 8; column++) {
            tile->halves[row][column] = from.halves[column][row];
            tile->lost[row][column] = from.lost[column][row];
        }
}

static void tile_give(GpuWarp *warp, const GpuInstruction *ins, const Tile *tile, const GpuExtra *part,
                      unsigned row, unsigned pair, unsigned lane) {
    const uint16_t *halves = &tile->halves[row][2 * pair];
    const uint8_t *lost = &tile->lost[row][2 * pair];
    gpu_lane_set(warp, part->row, 4, lane, halves[0] | (uint32_t)halves[1] << 16);
    if (warp->run->track)
        undefined_set(warp->frame, part->number, lane, lost[0] | (unsigned)lost[1] << 2, 4,
                      undefined_from(tile->origin, ins));
}

/** Rows that lanes 8i to 8i + 7 hold in four hidden registers become register i of all lanes. */
const GpuInstruction *matrix_spread(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *hidden = ins->function->extra + ins->extra, *parts = hidden + 4;
    for (unsigned i = 0; i < ins->source->modifiers.number; i++) {
        Tile tile = {.origin = 0};
        for (unsigned at = 0; at < 32; at++)
            tile_take(warp, &tile, &hidden[at % 4], at / 4, at % 4, 8 * i + at / 4);
        if (ins->source->modifiers.trans) tile_transpose(&tile);
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            tile_give(warp, ins, &tile, &parts[i], lane / 4, lane % 4, lane);
        }
    }
    return ins->next;
}

/** The other way. */
const GpuInstruction *matrix_collect(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *hidden = ins->function->extra + ins->extra, *parts = hidden + 4;
    for (unsigned i = 0; i < ins->source->modifiers.number; i++) {
        Tile tile = {.origin = 0};
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            tile_take(warp, &tile, &parts[i], lane / 4, lane % 4, lane);
        if (ins->source->modifiers.trans) tile_transpose(&tile);
        for (unsigned at = 0; at < 32; at++)
            if (mask >> (8 * i + at / 4) & 1)
                tile_give(warp, ins, &tile, &hidden[at % 4], at / 4, at % 4, 8 * i + at / 4);
    }
    return ins->next;
}

/** movmatrix: every lane's register has two neighbours of a row, so the tile is put together whole,
 * turned, and given out again. */
const GpuInstruction *matrix_transpose(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {
    const GpuExtra *parts = ins->function->extra + ins->extra;
    Tile tile = {.origin = 0};
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        tile_take(warp, &tile, &parts[1], lane / 4, lane % 4, lane);
    tile_transpose(&tile);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        tile_give(warp, ins, &tile, &parts[0], lane / 4, lane % 4, lane);
    }
    return ins->next;
}
