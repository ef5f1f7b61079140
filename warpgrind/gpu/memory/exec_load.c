/* exec_load.c - brings what 32 lanes load into a row, once for every processor level.
 *
 * A row is written in pieces as wide as whoever reads it next reads it: a processor that finds several small
 * stores behind one wide load waits for all of them. Lanes of a warp mostly read rows of a tile, eight or
 * more side by side, or one place all together; then a piece is one load. Gather instructions are no faster
 * than single loads.
 */
#include "gpu/alu/exec_rows.h"

GpuLoadRow EXEC_SYMBOL(exec_load_row);
GpuLoadNarrow EXEC_SYMBOL(exec_load_narrow);
GpuMoveRow EXEC_SYMBOL(exec_move_row);

/* A piece is made of parts of 32 bytes: of one, or of two where vectors have 64 bytes. */
#ifdef __AVX512F__
enum { PIECE_BYTES = 64 };
#define PIECE(part, base, address, lanes)                                                                    \
    __builtin_shufflevector(part(base, address), part(base, (address) + (lanes)), 0, 1, 2, 3, 4, 5, 6, 7, 8, \
                            9, 10, 11, 12, 13, 14, 15)
#else
enum { PIECE_BYTES = 32 };
#define PIECE(part, base, address, lanes) part(base, address)
#endif
enum { PART_BYTES = 32, PIECE_WORDS = PIECE_BYTES / 4 };

typedef uint32_t Part __attribute__((vector_size(PART_BYTES)));
typedef uint64_t WidePart __attribute__((vector_size(PART_BYTES)));
typedef uint32_t Piece __attribute__((vector_size(PIECE_BYTES)));

static inline uint32_t word_at(uintptr_t place) {
    uint32_t value;
    memcpy(&value, (const void *)place, sizeof value);
    return value;
}

static inline uint64_t wide_at(uintptr_t place) {
    uint64_t value;
    memcpy(&value, (const void *)place, sizeof value);
    return value;
}

/* ---- parts: lanes side by side, lanes of one place, lanes anywhere ---- */

EXEC_INLINE Part part_adjacent(uintptr_t base, const uint64_t *address) {
    Part value;
    memcpy(&value, (const void *)(base + address[0]), sizeof value);
    return value;
}

EXEC_INLINE Part part_equal4(uintptr_t base, const uint64_t *address) {
    return word_at(base + address[0]) - (Part){0};
}

EXEC_INLINE Part part_equal8(uintptr_t base, const uint64_t *address) {
    return (Part)(wide_at(base + address[0]) - (WidePart){0});
}

#define AT4(i) word_at(base + address[i])
#define AT8(i) wide_at(base + address[i])

EXEC_INLINE Part part_any4(uintptr_t base, const uint64_t *address) {
    return (Part){AT4(0), AT4(1), AT4(2), AT4(3), AT4(4), AT4(5), AT4(6), AT4(7)};
}

EXEC_INLINE Part part_any8(uintptr_t base, const uint64_t *address) {
    return (Part)(WidePart){AT8(0), AT8(1), AT8(2), AT8(3)};
}

EXEC_INLINE Piece piece_at(uintptr_t base, const uint64_t *address, unsigned width, unsigned relation) {
    const unsigned lanes = PART_BYTES / width;
    (void)lanes;
    if (relation & GPU_ADDRESSES_ROWS) return PIECE(part_adjacent, base, address, lanes);
    const bool equal = relation & (GPU_ADDRESSES_STEPS | GPU_ADDRESSES_EQUAL);
    if (width == 8 && equal) return PIECE(part_equal8, base, address, lanes);
    if (width == 8) return PIECE(part_any8, base, address, lanes);
    if (equal) return PIECE(part_equal4, base, address, lanes);
    return PIECE(part_any4, base, address, lanes);
}

/** All ones in the lanes of the mask, of which the piece's first is the lowest bit. */
EXEC_INLINE Piece lanes_of(uint32_t mask, unsigned width) {
    Piece bit = {0};
    for (unsigned i = 0; i < PIECE_WORDS; i++)
        bit[i] = UINT32_C(1) << i * 4 / width;
    return (Piece)(((mask - (Piece){0}) & bit) == bit);
}

/** The piece in the lanes of the mask; the others keep what they have. */
EXEC_INLINE void put_piece(uint8_t *d, Piece piece, uint32_t mask, unsigned width) {
    Piece old;
    const Piece lanes = lanes_of(mask, width);
    memcpy(&old, d, sizeof old);
    piece = (piece & lanes) | (old & ~lanes);
    memcpy(d, &piece, sizeof piece);
}

EXEC_INLINE void load_pieces(uint8_t *d, uintptr_t base, const uint64_t *address, uint32_t mask,
                             unsigned width, unsigned relation) {
    for (unsigned i = 0; i < GPU_WARP_LANES; i += PIECE_BYTES / width) {
        const Piece piece = piece_at(base, address + i, width, relation);
        if (mask != UINT32_MAX)
            put_piece(d + i * width, piece, mask >> i, width);
        else
            memcpy(d + i * width, &piece, sizeof piece);
    }
}

/** Lanes side by side. A copy in line, not a call: the processor guesses what a load will want next by the
 * place of that load in the code, and memcpy's is everybody's. */
EXEC_INLINE void load_adjacent(uint8_t *d, uintptr_t base, uint64_t address, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += PIECE_BYTES) {
        Piece piece;
        memcpy(&piece, (const void *)(base + address + at), sizeof piece);
        memcpy(d + at, &piece, sizeof piece);
    }
}

EXEC_INLINE void load_row(void *d, uintptr_t base, const uint64_t *address, uint32_t mask, unsigned width,
                          unsigned relation) {
    if (relation & GPU_ADDRESSES_ADJACENT && mask == UINT32_MAX)
        load_adjacent(d, base, address[0], width * GPU_WARP_LANES);
    else if (relation & GPU_ADDRESSES_ROWS)
        load_pieces(d, base, address, UINT32_MAX, width, GPU_ADDRESSES_ROWS);
    else if (relation & (GPU_ADDRESSES_STEPS | GPU_ADDRESSES_EQUAL))
        load_pieces(d, base, address, mask, width, GPU_ADDRESSES_STEPS);
    else
        load_pieces(d, base, address, mask, width, 0);
}

void EXEC_SYMBOL(exec_load_row)(void *d, uintptr_t base, const uint64_t *address, uint32_t mask,
                                unsigned width, unsigned relation) {
    if (width == 4)
        load_row(d, base, address, mask, 4, relation);
    else
        load_row(d, base, address, mask, 8, relation);
}

/* Elements of 1 or 2 bytes, extended to lanes of 4. */
#define LOAD_NARROW(id, type)                                                                                \
    EXEC_INLINE void id(S32 *restrict d, uintptr_t base, const uint64_t *restrict address, bool adjacent) {  \
        type values[GPU_WARP_LANES];                                                                         \
        if (adjacent)                                                                                        \
            memcpy(values, (const void *)(base + address[0]), sizeof values);                                \
        else                                                                                                 \
            for (unsigned i = 0; i < GPU_WARP_LANES; i++)                                                    \
                memcpy(&values[i], (const void *)(base + address[i]), sizeof values[i]);                     \
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)                                                        \
            d[i] = values[i];                                                                                \
    }
LOAD_NARROW(load_u8, uint8_t)
LOAD_NARROW(load_s8, int8_t)
LOAD_NARROW(load_u16, uint16_t)
LOAD_NARROW(load_s16, int16_t)

/** The four element types are worth a loop each: the type decides how a lane is extended. */
void EXEC_SYMBOL(exec_load_narrow)(void *d, uintptr_t base, const uint64_t *address, unsigned bytes,
                                   bool sign, bool adjacent) {
    if (bytes == 1 && sign)
        load_s8(d, base, address, adjacent);
    else if (bytes == 1)
        load_u8(d, base, address, adjacent);
    else if (sign)
        load_s16(d, base, address, adjacent);
    else
        load_u16(d, base, address, adjacent);
}

void EXEC_SYMBOL(exec_move_row)(void *d, const void *from, uint32_t mask) {
    for (unsigned i = 0; i < GPU_WARP_LANES; i += PIECE_WORDS) {
        Piece piece;
        memcpy(&piece, (const uint8_t *)from + i * 4, sizeof piece);
        put_piece((uint8_t *)d + i * 4, piece, mask >> i, 4);
    }
}
