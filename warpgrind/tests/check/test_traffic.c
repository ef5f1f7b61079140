/* test_traffic.c - what one warp's access costs: sectors, turns of the banks, queues of atomics. */
#include "check/traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ALL UINT32_MAX

/** Lane l is at `from + step * (l / share)`, in bytes; what each lane adds or stores is 1. */
typedef struct Case {
    const char *name;
    uint32_t lanes;
    int bytes, from, step, share;
    unsigned sectors, ideal_sectors, wavefronts, ideal_wavefronts, turns, addresses;
    unsigned counts, joins, swaps; /**< of atomics: add, xor and compare-and-swap; 0: not of that size */
} Case;

static const Case cases[] = {
    {"neighbours", ALL, 4, 0, 4, 1, 4, 4, 1, 1, 1, 32, 1, 1, 2},
    {"neighbours across a sector", ALL, 4, 16, 4, 1, 5, 4, 1, 1, 1, 32, 1, 1, 2},
    {"backwards", ALL, 4, 124, -4, 1, 4, 4, 1, 1, 1, 32, 1, 1, 2},
    {"one word", ALL, 4, 64, 0, 1, 1, 1, 1, 1, 32, 1, 1, 1, 64},
    {"every second word", ALL, 4, 0, 8, 1, 8, 4, 2, 1, 1, 32, 2, 2, 4},
    {"one bank", ALL, 4, 0, 128, 1, 32, 4, 32, 1, 1, 32, 32, 32, 64},
    {"one bank, backwards", ALL, 4, 3968, -128, 1, 32, 4, 32, 1, 1, 32, 32, 32, 64},
    {"two lanes, one of them the first", 0x21, 4, 0, 128, 1, 2, 1, 2, 1, 1, 2, 2, 2, 4},
    {"two of three lanes at one word", 0x7, 4, 0, 4, 2, 1, 1, 1, 1, 2, 2, 1, 2, 4},
    {"pairs at one word", ALL, 4, 0, 4, 2, 2, 2, 1, 1, 2, 16, 1, 2, 4},
    {"halves at one word", ALL, 4, 0, 4, 16, 1, 1, 1, 1, 16, 2, 1, 16, 32},
    {"bytes", ALL, 1, 0, 1, 1, 1, 1, 1, 1, 1, 32, 0, 0, 0},
    {"doubles", ALL, 8, 0, 8, 1, 8, 8, 2, 2, 1, 32, 0, 0, 0},
    {"pairs at one double", ALL, 8, 0, 8, 2, 4, 4, 1, 1, 2, 16, 0, 0, 0},
    {"every second double", ALL, 8, 0, 16, 1, 16, 8, 4, 2, 1, 32, 0, 0, 0},
    {"half a warp's doubles", 0xffff, 8, 0, 8, 1, 4, 4, 1, 1, 1, 16, 0, 0, 0},
    {"sixteen bytes each", ALL, 16, 0, 16, 1, 16, 16, 4, 4, 1, 32, 0, 0, 0},
    {"pairs at sixteen bytes", ALL, 16, 0, 16, 2, 8, 8, 2, 2, 2, 16, 0, 0, 0},
};

static void fill(GpuAccess *access, const Case *row, uint64_t address[GPU_WARP_LANES]) {
    uint64_t next = 0;
    *access = (GpuAccess){.lanes = row->lanes,
                          .bytes = (uint8_t)row->bytes,
                          .address = address,
                          .uniform = true,
                          .contiguous = true,
                          .low = UINT64_MAX};
    for (int lane = 0; lane < GPU_WARP_LANES; lane++) {
        address[lane] = (uint64_t)(row->from + row->step * (lane / row->share));
        if (!(row->lanes >> lane & 1)) continue;
        if (access->low == UINT64_MAX) next = address[lane];
        access->contiguous = access->contiguous && address[lane] == next;
        access->uniform = access->uniform && address[lane] == address[0];
        next += (unsigned)row->bytes;
        if (address[lane] < access->low) access->low = address[lane];
        if (address[lane] > access->high) access->high = address[lane];
    }
}

static void expect(const Case *row, const char *what, unsigned got, unsigned wanted) {
    if (got != wanted) fail_msg("%s: %u %s, not %u", row->name, got, what, wanted);
}

static void test_what_an_access_costs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *row = &cases[i];
        uint64_t address[GPU_WARP_LANES];
        GpuAccess access;
        fill(&access, row, address);
        expect(row, "sectors", traffic_sectors(&access), row->sectors);
        expect(row, "sectors at best", traffic_ideal_sectors(&access), row->ideal_sectors);
        expect(row, "turns of the banks", traffic_wavefronts(&access), row->wavefronts);
        expect(row, "turns of the banks at best", traffic_ideal_wavefronts(&access), row->ideal_wavefronts);
        expect(row, "lanes at one address", traffic_turns(&access), row->turns);
        expect(row, "addresses", traffic_addresses(&access), row->addresses);
    }
}

static void test_what_atomics_cost(void **state) {
    (void)state;
    uint32_t ones[GPU_WARP_LANES], twos[GPU_WARP_LANES];
    for (int lane = 0; lane < GPU_WARP_LANES; lane++)
        ones[lane] = 1, twos[lane] = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *row = &cases[i];
        uint64_t address[GPU_WARP_LANES];
        GpuAccess access;
        if (row->counts == 0) continue;
        fill(&access, row, address);
        access.values = (const uint8_t *)ones;
        expect(row, "turns to count", traffic_atomic_wavefronts(&access, PTX_ATOM_ADD), row->counts);
        expect(row, "turns to join", traffic_atomic_wavefronts(&access, PTX_ATOM_XOR), row->joins);
        expect(row, "turns to swap", traffic_atomic_wavefronts(&access, PTX_ATOM_CAS), row->swaps);
        access.values = (const uint8_t *)twos;
        expect(row, "turns to add", traffic_atomic_wavefronts(&access, PTX_ATOM_ADD), row->joins);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_an_access_costs),
        cmocka_unit_test(test_what_atomics_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
