/* atomic.c - what atomic operations do to a value (PTX ISA 9.7.13.5). */
#include "gpu/alu/atomic.h"
#include "gpu/alu/half.h"
#include "gpu/alu/nan.h"

static float atomic_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static uint64_t atomic_double_add(uint64_t old, uint64_t b) {
    double x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&old, &x, sizeof x);
    return old;
}

static uint64_t atomic_halves(PtxType type, uint64_t old, uint64_t b) {
    uint64_t result = 0;
    for (unsigned i = 0; i < ptx_type_bytes(type) / 2; i++) {
        double sum = half_from(type, (uint16_t)(old >> 16 * i)) + half_from(type, (uint16_t)(b >> 16 * i));
        result |= (uint64_t)half_to(type, sum, PTX_RN) << 16 * i;
    }
    return result;
}

/** The sum as a card's memory computes it: floats are rounded to nearest, and halves are added one by
 * one. */
static uint64_t atomic_add(PtxType type, uint64_t old, uint64_t b) {
    if (type == PTX_F32) return nan_bits_of(atomic_float(old) + atomic_float(b));
    if (type == PTX_F64) return atomic_double_add(old, b);
    if (half_is_one(type)) return atomic_halves(type, old, b);
    return old + b;
}

/** Whether x is less, by the signedness of the type; what is no signed type of 32 or 64 bits is compared
 * as it stands. */
static bool atomic_less(PtxType type, uint64_t x, uint64_t y) {
    if (type == PTX_S32) return (int32_t)x < (int32_t)y;
    if (type == PTX_S64) return (int64_t)x < (int64_t)y;
    if (type == PTX_U32) return (uint32_t)x < (uint32_t)y;
    return x < y;
}

/** Everything an atom or red instruction can do to the word at its address. The caller stores the result,
 * and hands out `old`. An atomic of no kind is an arrival at an mbarrier object. */
uint64_t atomic_apply(const PtxInstruction *source, uint64_t old, uint64_t b, uint64_t c) {
    PtxType type = source->type;
    const uint32_t counter = (uint32_t)old, bound = (uint32_t)b;
    switch (source->modifiers.atomic) {
    case PTX_ATOM_AND:
        return old & b;
    case PTX_ATOM_OR:
        return old | b;
    case PTX_ATOM_XOR:
        return old ^ b;
    case PTX_ATOM_CAS:
        if (old == gpu_extend(b, ptx_type_bytes(type), false)) return c;
        return old;
    case PTX_ATOM_EXCH:
        return b;
    case PTX_ATOM_ADD:
        return atomic_add(type, old, b);
    case PTX_ATOM_INC:
        if (counter >= bound) return 0;
        return old + 1;
    case PTX_ATOM_DEC:
        if (counter == 0 || counter > bound) return b;
        return old - 1;
    case PTX_ATOM_MIN:
        if (atomic_less(type, b, old)) return b;
        return old;
    case PTX_ATOM_MAX:
        if (atomic_less(type, old, b)) return b;
        return old;
    case PTX_ATOM_NONE:
        return mbarrier_arrived(source, old, b);
    }
    BUG("no atomic operation");
}
