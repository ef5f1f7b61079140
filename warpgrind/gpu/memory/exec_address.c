/* exec_address.c - a warp's addresses: made from a row, and looked at together, once for every processor
 * level.
 *
 * One call answers everything that the fast ways ask: do the lanes lie side by side, in one place, in eights
 * of either kind (rows of tiles of 8, 16 or 32 elements), and do all of them lie in a region, aligned. Most
 * warps are of the first two kinds, so that these are tried first, and the region is then a matter of two
 * numbers; so it is when the lanes lie to each other as the instruction's lanes did before. Lanes that do not
 * take part get the first lane's address: whoever comes later need not ask which ones count.
 */
#include "base/minmax.h"
#include "gpu/alu/exec_rows.h"

GpuAddresses EXEC_SYMBOL(exec_addresses);
GpuFindSpan EXEC_SYMBOL(exec_find_span);
GpuLocalPlaces EXEC_SYMBOL(exec_local_places);
GpuFreshWords EXEC_SYMBOL(exec_fresh_words);

enum { EIGHT = 8, EIGHTS = GPU_WARP_LANES / EIGHT };
typedef uint64_t Eight __attribute__((vector_size(64), may_alias));

EXEC_INLINE Eight all(uint64_t value) {
    return value - (Eight){0};
}

/** In one instruction where there is one: to add up eight lanes takes longer than all the rest. */
EXEC_INLINE bool is_zero(Eight eight) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)eight, (__m512i)eight) == 0;
#elif defined(__AVX2__)
    __m256i half[2];
    memcpy(half, &eight, sizeof half);
    const __m256i both = _mm256_or_si256(half[0], half[1]);
    return _mm256_testz_si256(both, both);
#else
    uint64_t bits = 0;
    for (unsigned i = 0; i < EIGHT; i++)
        bits |= eight[i];
    return bits == 0;
#endif
}

/** Addresses of 64 bits: an address in a row of 4-byte lanes wraps around with its offset, and so does
 * one in a space that has 32 bits. */
EXEC_INLINE void make_addresses(Eight address[EIGHTS], const void *row, const GpuInstruction *ins) {
    const Eight offset = all((uint64_t)ins->memory.offset);
    const U32 *narrow = row;
    if (ins->memory.address_width == 8) {
        memcpy(address, row, EIGHTS * sizeof *address);
        for (unsigned e = 0; e < EIGHTS; e++)
            address[e] += offset;
    } else {
        uint64_t wide[GPU_WARP_LANES] __attribute__((aligned(64)));
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            wide[i] = (uint32_t)(narrow[i] + (uint32_t)ins->memory.offset);
        memcpy(address, wide, sizeof wide);
    }
    if (!ins->memory.wraps) return;
    for (unsigned e = 0; e < EIGHTS; e++)
        address[e] = (address[e] & all(UINT32_MAX)) | all(gpu_window_start(ins));
}

/** Adjacent or equal. `start`: where lane 0 is when all are side by side; `steps`: 0, 1, ... 7 steps. */
EXEC_INLINE unsigned relate_simply(const Eight address[EIGHTS], const Eight active[EIGHTS], uint64_t lowest,
                                   uint64_t start, Eight steps, uint64_t step) {
    Eight apart = {0}, different = {0}, wanted = steps + all(start);
    for (unsigned e = 0; e < EIGHTS; e++) {
        apart |= (address[e] ^ wanted) & active[e];
        different |= address[e] ^ all(lowest);
        wanted += all(EIGHT * step);
    }
    unsigned relation = 0u;
    if (is_zero(apart)) relation = GPU_ADDRESSES_ADJACENT;
    return relation | (is_zero(different) ? GPU_ADDRESSES_EQUAL : 0u);
}

/** Everything from `first` on, so many bytes further at most. */
static inline unsigned span_inside(uint64_t first, uint64_t further, uint64_t step, const GpuReach *reach) {
    const uint64_t in = first - reach->first;
    const bool inside = in <= reach->limit && further <= reach->limit - in;
    if (inside && (first & (step - 1)) == 0) return GPU_ADDRESSES_INSIDE;
    return 0u;
}

/** A lane lies in the region when neither its distance from the beginning nor that from the last place has a
 * sign bit. */
EXEC_INLINE unsigned each_inside(const Eight *address, uint64_t step, const GpuReach *reach) {
    Eight outside = {0}, odd = {0};
    for (unsigned e = 0; e < EIGHTS; e++) {
        const Eight in = address[e] - all(reach->first);
        outside |= in | (all(reach->limit) - in);
        odd |= address[e];
    }
    const Eight wrong = (outside & all(UINT64_C(1) << 63)) | (odd & all(step - 1));
    if (is_zero(wrong)) return GPU_ADDRESSES_INSIDE;
    return 0u;
}

EXEC_INLINE unsigned relate_eights(const Eight address[EIGHTS], Eight steps) {
    Eight rows = {0}, same = {0};
    for (unsigned e = 0; e < EIGHTS; e++) {
        const Eight begin = all(address[e][0]);
        rows |= address[e] ^ (begin + steps);
        same |= address[e] ^ begin;
    }
    unsigned relation = 0u;
    if (is_zero(rows)) relation = GPU_ADDRESSES_ROWS;
    return relation | (is_zero(same) ? GPU_ADDRESSES_STEPS : 0u);
}

EXEC_INLINE void find_active(Eight active[EIGHTS], uint32_t mask) {
    const Eight bit = {1, 2, 4, 8, 16, 32, 64, 128};
    for (unsigned e = 0; e < EIGHTS; e++)
        active[e] = (Eight)((all(mask >> e * EIGHT) & bit) == bit);
}

/* ---- patterns ---- */

EXEC_INLINE bool is_pattern(const GpuPattern *pattern, const Eight address[EIGHTS], uint64_t lowest) {
    Eight different = {0}, further[EIGHTS];
    memcpy(further, pattern->further, sizeof further);
    for (unsigned e = 0; e < EIGHTS; e++)
        different |= (address[e] - all(lowest)) ^ further[e];
    return is_zero(different);
}

/** Lanes that go anywhere are not worth the trouble each time. */
EXEC_INLINE bool is_worth_keeping(GpuPattern *pattern) {
    enum { FEW = 4, TURNS = 16 };
    pattern->misses++;
    return pattern->misses <= FEW || pattern->misses % TURNS == 0;
}

/** False where the lanes lie farther apart than any region is long: they may have wrapped around. */
EXEC_INLINE bool keep_pattern(GpuPattern *pattern, const uint64_t *address, uint64_t lowest,
                              unsigned relation) {
    const int64_t most = INT64_C(1) << 40;
    int64_t low = 0, high = 0, bits = 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        const int64_t further = (int64_t)(address[i] - lowest);
        pattern->further[i] = (uint64_t)further;
        bits |= further;
        low = MIN(further, low);
        high = MAX(further, high);
    }
    pattern->below = 0 - (uint64_t)low;
    pattern->above = (uint64_t)high;
    pattern->number = 0;
    pattern->relation = relation;
    pattern->aligned = ((uint64_t)bits & (pattern->step - 1)) == 0;
    return low > -most && high < most;
}

/** What neither simple relation nor the pattern says; not in line, since it needs many registers. */
static __attribute__((noinline)) unsigned relate_anew(const uint64_t *address, uint32_t mask, uint64_t step,
                                                      const GpuReach *reach, GpuPattern *pattern) {
    Eight eights[EIGHTS];
    unsigned relation = 0;
    memcpy(eights, address, sizeof eights);
    if (mask == UINT32_MAX) relation = relate_eights(eights, (Eight){0, 1, 2, 3, 4, 5, 6, 7} * all(step));
    pattern->mask = 0;
    pattern->step = step;
    if (is_worth_keeping(pattern) && keep_pattern(pattern, address, address[__builtin_ctz(mask)], relation)) {
        pattern->mask = mask;
        relation |= GPU_ADDRESSES_PATTERN;
    }
    return relation | each_inside(eights, step, reach);
}

/** Idle lanes take the first lane's address before anything is compared. Then the pattern, which is kept only
 * while it serves; then simple relations: either leaves only two numbers to be compared with the region. */
EXEC_INLINE unsigned relate(uint64_t *address, Eight eights[EIGHTS], uint32_t mask, uint64_t step,
                            const GpuReach *reach, GpuPattern *pattern, bool full) {
    unsigned first = 0;
    if (!full) first = (unsigned)__builtin_ctz(mask);
    const unsigned shift = (unsigned)__builtin_ctzll(step);
    const uint64_t lowest = address[first];
    Eight active[EIGHTS];
    for (unsigned e = 0; e < EIGHTS; e++)
        active[e] = all(UINT64_MAX);
    if (!full) find_active(active, mask);
    for (unsigned e = 0; !full && e < EIGHTS; e++)
        eights[e] = (eights[e] & active[e]) | (all(lowest) & ~active[e]);
    if (!full) memcpy(address, eights, EIGHTS * sizeof *eights);
    if (pattern->mask == mask && pattern->step == step && is_pattern(pattern, eights, lowest)) {
        pattern->misses = 0;
        const unsigned relation = pattern->relation | GPU_ADDRESSES_PATTERN;
        if (!pattern->aligned) return relation;
        return relation | span_inside(lowest - pattern->below, pattern->below + pattern->above, step, reach);
    }
    const Eight steps = (Eight){0, 1, 2, 3, 4, 5, 6, 7} << all(shift);
    const unsigned relation =
        relate_simply(eights, active, lowest, lowest - ((uint64_t)first << shift), steps, step);
    if (!relation) return relate_anew(address, mask, step, reach, pattern);
    const unsigned last = 31 - (unsigned)__builtin_clz(mask);
    const bool spread = relation & GPU_ADDRESSES_ADJACENT;
    return relation | span_inside(lowest, spread ? (last - first) * step : 0, step, reach);
}

unsigned EXEC_SYMBOL(exec_addresses)(uint64_t *address, const void *row, const GpuInstruction *ins,
                                     uint32_t mask, uint64_t step, const GpuReach *reach,
                                     GpuPattern *pattern) {
    Eight eights[EIGHTS];
    make_addresses(eights, row, ins);
    memcpy(address, eights, sizeof eights);
    if (mask == UINT32_MAX) return relate(address, eights, mask, step, reach, pattern, true);
    return relate(address, eights, mask, step, reach, pattern, false);
}

GpuSpan EXEC_SYMBOL(exec_find_span)(const uint64_t *address) {
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        low = MIN(address[i], low);
        high = MAX(address[i], high);
    }
    return (GpuSpan){low, high};
}

void EXEC_SYMBOL(exec_local_places)(uint64_t *place, const uint64_t *address, uint64_t bottom) {
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        const uint64_t offset = address[i] - bottom;
        place[i] = (offset & ~UINT64_C(3)) * GPU_WARP_LANES + (offset & 3) + 4 * (uint64_t)i;
    }
}

/** Each lane is compared with the one before it, the one before that and so on. Idle lanes get words that
 * nobody has. */
uint32_t EXEC_SYMBOL(exec_fresh_words)(const uint64_t *address, uint32_t mask) {
    uint32_t words[EIGHT + GPU_WARP_LANES] __attribute__((aligned(64))) = {0}, *word = words + EIGHT;
    uint32_t again[GPU_WARP_LANES] __attribute__((aligned(64))) = {0};
    EXEC_TRUTH(uint32_t) fresh[GPU_WARP_LANES] __attribute__((aligned(64)));
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        word[i] = mask >> i & 1 ? (uint32_t)(address[i] >> 2) : ~i;
    for (unsigned back = 1; back < EIGHT; back++)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            again[i] |= (uint32_t)(word[i] == words[EIGHT + i - back]) & (uint32_t)((i & 7) >= back);
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        fresh[i] = again[i] ? 0 : -1;
    return exec_mask(fresh, sizeof(uint32_t)) & mask;
}
