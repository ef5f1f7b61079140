/* test_variants.c - how addresses lie and what loads bring, by the code for each processor level that this
 * processor has, against rules written lane by lane.
 *
 * Lanes are placed in the patterns that the fast ways know, often with one lane out of line, near the ends of
 * the region and far from it.
 */
#include "ptx_file.h"

enum { TRIES = 40000, LANES = GPU_WARP_LANES, BYTES = 4096 };

typedef struct Numbers {
    uint64_t state;
} Numbers;

static uint32_t next(Numbers *numbers, uint32_t below) {
    numbers->state = numbers->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(numbers->state >> 33) % below;
}

static uint64_t next_wide(Numbers *numbers) {
    return (uint64_t)next(numbers, 1u << 30) << 34 ^ (uint64_t)next(numbers, 1u << 30) << 17 ^
           next(numbers, 1u << 30);
}

static uint32_t next_mask(Numbers *numbers) {
    const uint32_t some = (uint32_t)next_wide(numbers), ones = UINT32_MAX >> next(numbers, LANES);
    const uint32_t masks[] = {
        UINT32_MAX, UINT32_MAX, ones, ones << next(numbers, LANES), some, 1u << next(numbers, LANES)};
    const uint32_t mask = masks[next(numbers, sizeof masks / sizeof *masks)];
    return mask ? mask : UINT32_MAX;
}

typedef enum Pattern { ADJACENT, EQUAL, ROWS, STEPS, ANYWHERE, PATTERNS } Pattern;

/** Multiples of `step` from 0 on, `count` of them at most. */
static void place_lanes(Numbers *numbers, uint64_t *offset, uint64_t step, uint32_t count) {
    const Pattern pattern = (Pattern)next(numbers, PATTERNS);
    uint64_t first = next(numbers, count) * step;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned in = pattern == ADJACENT ? i : i % 8;
        const bool fresh = pattern == ANYWHERE || (pattern != ADJACENT && pattern != EQUAL && i % 8 == 0);
        if (fresh) first = next(numbers, count) * step;
        offset[i] = first + (pattern == ADJACENT || pattern == ROWS ? in * step : 0);
    }
}

/* ---- addresses ---- */

typedef struct Addresses {
    GpuInstruction ins;
    uint32_t mask;
    uint64_t step;
    GpuReach reach;
    uint64_t row[LANES];
} Addresses;

static void put_one_out_of_line(Numbers *numbers, Addresses *given) {
    const uint64_t far[] = {1,
                            given->step,
                            0 - given->step,
                            UINT64_C(1) << 31,
                            UINT64_C(1) << 32,
                            UINT64_C(1) << 63,
                            next_wide(numbers)};
    given->row[next(numbers, LANES)] += far[next(numbers, sizeof far / sizeof *far)];
}

/** A region of up to BYTES, and lanes that lie in it or reach over one of its ends. */
static Addresses addresses_make(Numbers *numbers) {
    const uint64_t starts[] = {0, 64, GPU_GLOBAL_BASE + 256, GPU_CONST_BASE, GPU_SHARED_WINDOW};
    const uint64_t start = starts[next(numbers, sizeof starts / sizeof *starts)];
    const uint64_t step = UINT64_C(1) << next(numbers, 5);
    Addresses given = {.mask = next_mask(numbers), .step = step};
    given.reach = (GpuReach){start, (uint64_t)next(numbers, BYTES / 16) * 16};
    given.ins.memory.address_width = next(numbers, 2) ? 8 : 4;
    given.ins.memory.wraps = next(numbers, 3) == 0;
    given.ins.memory.space = next(numbers, 2) ? PTX_SPACE_CONST : PTX_SPACE_SHARED;
    given.ins.memory.offset = (int64_t)next(numbers, 3) * 16 - 16;
    place_lanes(numbers, given.row, step, (uint32_t)((given.reach.limit + 32) / step));
    for (unsigned i = 0; i < LANES; i++)
        given.row[i] += start - 16 - (uint64_t)given.ins.memory.offset;
    if (next(numbers, 3) == 0) put_one_out_of_line(numbers, &given);
    return given;
}

/** The row as a register has it. */
static const void *addresses_row(const Addresses *given, uint32_t narrow[LANES]) {
    for (unsigned i = 0; i < LANES; i++)
        narrow[i] = (uint32_t)given->row[i];
    return given->ins.memory.address_width == 8 ? (const void *)given->row : narrow;
}

static uint64_t plain_address(const Addresses *given, unsigned lane) {
    uint64_t address = given->row[lane] + (uint64_t)given->ins.memory.offset;
    if (given->ins.memory.address_width == 4) address = (uint32_t)address;
    if (given->ins.memory.wraps) address = (uint32_t)address | gpu_window_start(&given->ins);
    return address;
}

/** Eights are asked about only where the lanes are neither side by side nor in one place. */
static unsigned plain_addresses(const Addresses *given, uint64_t *address) {
    const unsigned first = (unsigned)__builtin_ctz(given->mask);
    bool adjacent = true, equal = true, rows = given->mask == UINT32_MAX, steps = rows, inside = true;
    for (unsigned i = 0; i < LANES; i++)
        address[i] = plain_address(given, given->mask >> i & 1 ? i : first);
    for (unsigned i = 0; i < LANES; i++) {
        const bool active = given->mask >> i & 1;
        adjacent &= !active || address[i] - address[first] == (i - first) * given->step;
        equal &= address[i] == address[first];
        rows &= address[i] - address[i & ~7u] == (i & 7) * given->step;
        steps &= address[i] == address[i & ~7u];
        inside &= address[i] - given->reach.first <= given->reach.limit && address[i] % given->step == 0;
    }
    unsigned relation = inside ? GPU_ADDRESSES_INSIDE : 0;
    if (adjacent || equal)
        return relation | (adjacent ? GPU_ADDRESSES_ADJACENT : 0) | (equal ? GPU_ADDRESSES_EQUAL : 0);
    return relation | (rows ? GPU_ADDRESSES_ROWS : 0) | (steps ? GPU_ADDRESSES_STEPS : 0);
}

/** The pattern says where these addresses are, and what they span where none of them wraps around. */
static void check_pattern(const GpuPattern *pattern, const Addresses *given, const uint64_t *address,
                          bool inside) {
    const uint64_t first = address[__builtin_ctz(given->mask)];
    uint64_t low = first, high = first;
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(pattern->further[i], address[i] - first);
        if (address[i] < low) low = address[i];
        if (address[i] > high) high = address[i];
    }
    if (!inside) return;
    assert_int_equal(first - pattern->below, low);
    assert_int_equal(first + pattern->above, high);
}

/** Returns how they lie, without the pattern. */
static unsigned check_address_row(unsigned level, const Addresses *given, GpuPattern *pattern) {
    enum { SIMPLE = GPU_ADDRESSES_ADJACENT | GPU_ADDRESSES_EQUAL };
    uint64_t address[LANES] __attribute__((aligned(64))), wanted[LANES];
    uint32_t narrow[LANES] __attribute__((aligned(64)));
    const unsigned relation = variant_at(level)->addresses(address, addresses_row(given, narrow), &given->ins,
                                                           given->mask, given->step, &given->reach, pattern),
                   plain = plain_addresses(given, wanted);
    if (relation & GPU_ADDRESSES_PATTERN && plain & SIMPLE) fail_msg("a pattern of a simple row");
    if ((relation & ~(unsigned)GPU_ADDRESSES_PATTERN) != plain)
        fail_msg("level %u: they lie as %x", level, relation);
    assert_memory_equal(address, wanted, sizeof address);
    if (relation & GPU_ADDRESSES_PATTERN)
        check_pattern(pattern, given, address, relation & GPU_ADDRESSES_INSIDE);
    const GpuSpan span = variant_at(level)->find_span(address);
    for (unsigned i = 0; i < LANES; i++)
        assert_true(span.low <= address[i] && address[i] <= span.high);
    return plain;
}

/** Each row is looked at again some way on, where the region may end: there the pattern is known. */
static void check_addresses(unsigned level) {
    Numbers numbers = {1};
    unsigned seen = 0, known = 0;
    for (unsigned t = 0; t < TRIES; t++) {
        GpuPattern pattern = {0};
        Addresses given = addresses_make(&numbers);
        seen |= 1u << check_address_row(level, &given, &pattern);
        const uint64_t further = next(&numbers, 64);
        for (unsigned i = 0; i < LANES; i++)
            given.row[i] += further;
        check_address_row(level, &given, &pattern);
        known += pattern.mask && pattern.misses == 0;
    }
    assert_true(known > TRIES / 4);
    /* side by side, in one place, rows, steps, anywhere: each inside and outside */
    assert_int_equal(seen & 0x00010116, 0x00010116);
    assert_int_equal(seen >> 16 & 0x0117, 0x0117);
}

static void check_words(unsigned level) {
    Numbers numbers = {2};
    for (unsigned t = 0; t < TRIES / 8; t++) {
        uint64_t address[LANES] __attribute__((aligned(64))), place[LANES] __attribute__((aligned(64)));
        const uint32_t mask = next_mask(&numbers);
        const uint64_t bottom = next(&numbers, 2) ? GPU_LOCAL_WINDOW : 0;
        uint32_t fresh = mask;
        place_lanes(&numbers, address, UINT64_C(1) << next(&numbers, 5), 1 + next(&numbers, 40));
        for (unsigned i = 0; i < LANES; i++)
            address[i] += bottom;
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned before = i & ~7u; before < i; before++)
                if (mask >> before & 1 && address[before] / 4 == address[i] / 4) fresh &= ~(1u << i);
        if (variant_at(level)->fresh_words(address, mask) != fresh)
            fail_msg("level %u, try %u: not the words %x", level, t, fresh);
        variant_at(level)->local_places(place, address, bottom);
        for (unsigned i = 0; i < LANES; i++) /* word w of lane l is word 32 w + l */
            assert_int_equal(place[i], ((address[i] - bottom) / 4 * LANES + i) * 4 + address[i] % 4);
    }
}

/* ---- loads ---- */

typedef struct Loads {
    uint8_t memory[BYTES];
    uint64_t bias; /**< the address of its first byte */
    uint64_t address[LANES] __attribute__((aligned(64)));
    uint32_t mask;
    unsigned bytes, relation;
} Loads;

/** Lanes out of the mask lie where the first one lies, as exec_addresses leaves them. */
static void loads_make(Numbers *numbers, unsigned level, unsigned bytes, Loads *given) {
    const GpuInstruction ins = {.memory.address_width = 8};
    const GpuReach reach = {0, UINT64_MAX >> 1};
    uint64_t row[LANES] __attribute__((aligned(64)));
    GpuPattern pattern = {0};
    place_lanes(numbers, row, bytes, BYTES / bytes - LANES);
    if (next(numbers, 3) == 0) row[next(numbers, LANES)] = next(numbers, BYTES / bytes) * (uint64_t)bytes;
    given->bias = next_wide(numbers);
    given->bytes = bytes;
    given->mask = next_mask(numbers);
    for (unsigned i = 0; i < BYTES; i++)
        given->memory[i] = (uint8_t)next(numbers, 256);
    for (unsigned i = 0; i < LANES; i++)
        row[i] += given->bias;
    given->relation =
        variant_at(level)->addresses(given->address, row, &ins, given->mask, bytes, &reach, &pattern);
}

static uint64_t plain_load(const Loads *given, unsigned lane, bool sign) {
    uint64_t value = 0;
    const unsigned unused = 64 - 8 * given->bytes;
    memcpy(&value, given->memory + (given->address[lane] - given->bias), given->bytes);
    return sign ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static void check_rows(unsigned level, unsigned width) {
    Numbers numbers = {width};
    static Loads given;
    for (unsigned t = 0; t < TRIES / 8; t++) {
        uint8_t row[LANES * 8] __attribute__((aligned(64))), wanted[LANES * 8];
        loads_make(&numbers, level, width, &given);
        for (unsigned i = 0; i < sizeof row; i++)
            row[i] = wanted[i] = (uint8_t)next(&numbers, 256);
        for (unsigned i = 0; i < LANES; i++) {
            const uint64_t value = plain_load(&given, i, false);
            if (given.mask >> i & 1) memcpy(wanted + i * width, &value, width);
        }
        variant_at(level)->load_row(row, (uintptr_t)given.memory - given.bias, given.address, given.mask,
                                    width, given.relation);
        if (memcmp(row, wanted, sizeof row) != 0)
            fail_msg("level %u, try %u: lanes of %u bytes that lie as %x", level, t, width, given.relation);
    }
}

static void check_narrow(unsigned level, unsigned bytes, bool sign) {
    Numbers numbers = {bytes};
    static Loads given;
    for (unsigned t = 0; t < TRIES / 16; t++) {
        uint32_t row[LANES] __attribute__((aligned(64))), wanted[LANES];
        loads_make(&numbers, level, bytes, &given);
        for (unsigned i = 0; i < LANES; i++)
            wanted[i] = (uint32_t)plain_load(&given, i, sign);
        const bool adjacent = given.mask == UINT32_MAX && given.relation & GPU_ADDRESSES_ADJACENT;
        variant_at(level)->load_narrow(row, (uintptr_t)given.memory - given.bias, given.address, bytes, sign,
                                       adjacent);
        assert_memory_equal(row, wanted, sizeof row);
    }
}

static void check_moves(unsigned level) {
    Numbers numbers = {3};
    for (unsigned t = 0; t < TRIES / 16; t++) {
        uint32_t row[LANES] __attribute__((aligned(64))), from[LANES] __attribute__((aligned(64)));
        uint32_t wanted[LANES];
        const uint32_t mask = next_mask(&numbers);
        for (unsigned i = 0; i < LANES; i++) {
            row[i] = (uint32_t)next_wide(&numbers);
            from[i] = (uint32_t)next_wide(&numbers);
            wanted[i] = mask >> i & 1 ? from[i] : row[i];
        }
        variant_at(level)->move_row(row, from, mask);
        assert_memory_equal(row, wanted, sizeof row);
    }
}

/* ---- on every level ---- */

static void test_addresses(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++)
        check_addresses(level);
}

static void test_words(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++)
        check_words(level);
}

static void test_rows(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++) {
        check_rows(level, 4);
        check_rows(level, 8);
        check_moves(level);
    }
}

static void test_narrow_rows(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++)
        for (unsigned kind = 0; kind < 4; kind++)
            check_narrow(level, kind & 1 ? 2 : 1, kind & 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_narrow_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
