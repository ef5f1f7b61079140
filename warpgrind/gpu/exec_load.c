/* exec_load.c - brings what 32 lanes load into a row, once for every processor level.
 *
 * A row is written in pieces as wide as whoever reads it next reads it: a processor that finds several small
 * stores behind one wide load waits for all of them. Lanes of a warp mostly read rows of a tile, eight or
 * more side by side, or one place all together; then a piece is one load. Gather instructions are no faster
 * than single loads.
 */
#include "gpu/exec_rows.h"

GpuLoadRow EXEC_SYMBOL(exec_load_row);
GpuLoadNarrow EXEC_SYMBOL(exec_load_narrow);

#ifdef __AVX512F__
enum { PIECE_BYTES = 64 };
#else
enum { PIECE_BYTES = 32 };
#endif
enum { LANES4 = PIECE_BYTES / 4, LANES8 = PIECE_BYTES / 8, EIGHT = 8 };

typedef uint32_t Eight __attribute__((vector_size(32)));
typedef uint32_t Piece4 __attribute__((vector_size(PIECE_BYTES)));
typedef uint64_t Piece8 __attribute__((vector_size(PIECE_BYTES)));

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

EXEC_INLINE Eight eight_at(uintptr_t place) {
    Eight value;
    memcpy(&value, (const void *)place, sizeof value);
    return value;
}

EXEC_INLINE Eight repeated(uintptr_t place) {
    return word_at(place) - (Eight){0};
}

/** Pieces of two eights, or of one. */
EXEC_INLINE Piece4 piece_of_rows(uintptr_t base, const uint64_t *address) {
#ifdef __AVX512F__
    return __builtin_shufflevector(eight_at(base + address[0]), eight_at(base + address[EIGHT]), 0, 1, 2, 3,
                                   4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    return eight_at(base + address[0]);
#endif
}

EXEC_INLINE Piece4 piece_of_steps(uintptr_t base, const uint64_t *address) {
#ifdef __AVX512F__
    return __builtin_shufflevector(repeated(base + address[0]), repeated(base + address[EIGHT]), 0, 1, 2, 3,
                                   4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    return repeated(base + address[0]);
#endif
}

#define AT4(i) word_at(base + address[i])
#define AT8(i) wide_at(base + address[i])

EXEC_INLINE Piece4 piece_of_words(uintptr_t base, const uint64_t *address) {
#ifdef __AVX512F__
    return (Piece4){AT4(0), AT4(1), AT4(2),  AT4(3),  AT4(4),  AT4(5),  AT4(6),  AT4(7),
                    AT4(8), AT4(9), AT4(10), AT4(11), AT4(12), AT4(13), AT4(14), AT4(15)};
#else
    return (Piece4){AT4(0), AT4(1), AT4(2), AT4(3), AT4(4), AT4(5), AT4(6), AT4(7)};
#endif
}

EXEC_INLINE Piece8 piece_of_wides(uintptr_t base, const uint64_t *address) {
#ifdef __AVX512F__
    return (Piece8){AT8(0), AT8(1), AT8(2), AT8(3), AT8(4), AT8(5), AT8(6), AT8(7)};
#else
    return (Piece8){AT8(0), AT8(1), AT8(2), AT8(3)};
#endif
}

/** All ones in the lanes of the mask, of which the piece's first is the lowest bit. */
EXEC_INLINE Piece4 lanes_of4(uint32_t mask) {
    Piece4 bit = {0};
    for (unsigned i = 0; i < LANES4; i++)
        bit[i] = UINT32_C(1) << i;
    return (Piece4)(((mask - (Piece4){0}) & bit) == bit);
}

EXEC_INLINE Piece8 lanes_of8(uint32_t mask) {
    Piece8 bit = {0};
    for (unsigned i = 0; i < LANES8; i++)
        bit[i] = UINT64_C(1) << i;
    return (Piece8)((((uint64_t)mask - (Piece8){0}) & bit) == bit);
}

EXEC_INLINE void load4(uint8_t *d, uintptr_t base, const uint64_t *address, uint32_t mask,
                       unsigned relation) {
    for (unsigned i = 0; i < GPU_WARP_LANES; i += LANES4) {
        Piece4 piece, old;
        if (relation & GPU_ADDRESSES_ROWS)
            piece = piece_of_rows(base, address + i);
        else if (relation & (GPU_ADDRESSES_STEPS | GPU_ADDRESSES_EQUAL))
            piece = piece_of_steps(base, address + i);
        else
            piece = piece_of_words(base, address + i);
        if (mask != UINT32_MAX) {
            const Piece4 lanes = lanes_of4(mask >> i);
            memcpy(&old, d + i * 4, sizeof old);
            piece = (piece & lanes) | (old & ~lanes);
        }
        memcpy(d + i * 4, &piece, sizeof piece);
    }
}

EXEC_INLINE void load8(uint8_t *d, uintptr_t base, const uint64_t *address, uint32_t mask) {
    for (unsigned i = 0; i < GPU_WARP_LANES; i += LANES8) {
        Piece8 piece = piece_of_wides(base, address + i), old;
        if (mask != UINT32_MAX) {
            const Piece8 lanes = lanes_of8(mask >> i);
            memcpy(&old, d + i * 8, sizeof old);
            piece = (piece & lanes) | (old & ~lanes);
        }
        memcpy(d + i * 8, &piece, sizeof piece);
    }
}

/** Lanes side by side. A copy in line, not a call: the processor guesses what a load will want next by the
 * place of that load in the code, and memcpy's is everybody's. */
EXEC_INLINE void load_adjacent(uint8_t *d, uintptr_t base, uint64_t address, unsigned bytes) {
    for (unsigned at = 0; at < bytes; at += PIECE_BYTES) {
        Piece4 piece;
        memcpy(&piece, (const void *)(base + address + at), sizeof piece);
        memcpy(d + at, &piece, sizeof piece);
    }
}

void EXEC_SYMBOL(exec_load_row)(void *d, uintptr_t base, const uint64_t *address, uint32_t mask,
                                unsigned width, unsigned relation) {
    if (relation & GPU_ADDRESSES_ADJACENT && mask == UINT32_MAX && width == 4)
        load_adjacent(d, base, address[0], GPU_ROW_BYTES);
    else if (relation & GPU_ADDRESSES_ADJACENT && mask == UINT32_MAX)
        load_adjacent(d, base, address[0], GPU_WIDE_ROW_BYTES);
    else if (width == 8)
        load8(d, base, address, mask);
    else if (relation & GPU_ADDRESSES_ROWS)
        load4(d, base, address, UINT32_MAX, GPU_ADDRESSES_ROWS);
    else if (relation & (GPU_ADDRESSES_STEPS | GPU_ADDRESSES_EQUAL))
        load4(d, base, address, mask, GPU_ADDRESSES_STEPS);
    else
        load4(d, base, address, mask, 0);
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
