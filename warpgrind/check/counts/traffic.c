/* traffic.c - what one warp's access costs the memory: sectors of global memory, turns of the banks, queues
 * of atomics. */
#include "check/findings/parts.h"
#include "check/traffic.h"

#include <string.h>

enum { BANKS = 32, TURN_BYTES = BANKS * TRAFFIC_BANK_BYTES, SLOTS = 64 };

/* The numbers of up to 32 lanes, and how often each was added. */
typedef struct NumberSet {
    uint8_t slot[SLOTS]; /**< index of a number and one more; 0: free */
    unsigned used;
    uint8_t count[GPU_WARP_LANES];
    uint64_t number[GPU_WARP_LANES];
} NumberSet;

static inline unsigned set_add(NumberSet *set, uint64_t number) {
    unsigned at = (unsigned)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 58);
    while (set->slot[at] && set->number[set->slot[at] - 1] != number)
        at = (at + 1) % SLOTS;
    if (!set->slot[at]) {
        set->number[set->used] = number;
        set->count[set->used] = 0;
        set->slot[at] = (uint8_t)++set->used;
    }
    return ++set->count[set->slot[at] - 1];
}

static inline void set_clear(NumberSet *set) {
    memset(set->slot, 0, sizeof set->slot);
    set->used = 0;
}

/* Lanes that lie one behind the other need no set. */
static bool increases(const GpuAccess *access) {
    bool increasing = access->lanes == UINT32_MAX;
    for (unsigned lane = 1; increasing && lane < GPU_WARP_LANES; lane++)
        increasing = access->address[lane] > access->address[lane - 1];
    return increasing;
}

/* Without an order of lanes. */
static unsigned distinct(const GpuAccess *access, unsigned unit) {
    NumberSet set;
    set_clear(&set);
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        if (access->lanes >> lane & 1) set_add(&set, access->address[lane] / unit);
    return set.used;
}

static unsigned checked(const GpuAccess *access, unsigned unit, unsigned count) {
    if (CHECK_BOTH && count != distinct(access, unit))
        BUG("%u units of %u bytes at pc %u", count, unit, access->pc);
    return count;
}

static unsigned sectors_in_order(const GpuAccess *access) {
    unsigned sectors = 1;
    for (unsigned lane = 1; lane < GPU_WARP_LANES; lane++)
        sectors +=
            access->address[lane] / TRAFFIC_SECTOR_BYTES != access->address[lane - 1] / TRAFFIC_SECTOR_BYTES;
    return sectors;
}

static uint64_t first_address(const GpuAccess *access) {
    return access->address[check_first_lane(access->lanes)];
}

unsigned traffic_sectors(const GpuAccess *access) {
    uint64_t first = first_address(access);
    unsigned bytes;
    if (access->uniform)
        bytes = access->bytes;
    else
        bytes = check_lane_count(access->lanes) * access->bytes;
    if (access->uniform || access->contiguous)
        return (unsigned)((first + bytes - 1) / TRAFFIC_SECTOR_BYTES - first / TRAFFIC_SECTOR_BYTES + 1);
    if (increases(access)) return checked(access, TRAFFIC_SECTOR_BYTES, sectors_in_order(access));
    return distinct(access, TRAFFIC_SECTOR_BYTES);
}

static unsigned divide_up(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

unsigned traffic_ideal_sectors(const GpuAccess *access) {
    if (access->uniform) return 1;
    return divide_up(traffic_addresses(access) * access->bytes, TRAFFIC_SECTOR_BYTES);
}

unsigned traffic_addresses(const GpuAccess *access) {
    if (access->uniform) return 1;
    if (access->contiguous || increases(access)) return checked(access, 1, check_lane_count(access->lanes));
    return distinct(access, 1);
}

/* The lanes at the most wanted address: atomics on one address are done one after the other, those on
 * different ones side by side. */
unsigned traffic_turns(const GpuAccess *access) {
    if (access->uniform) return check_lane_count(access->lanes);
    if (access->contiguous) return 1;
    NumberSet set;
    set_clear(&set);
    unsigned most = 0;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++) {
        if (!(access->lanes >> lane & 1)) continue;
        unsigned here = set_add(&set, access->address[lane]);
        if (here > most) most = here;
    }
    return most;
}

/* Every two lanes at that distance have the same address, or one of them is not active. */
static bool partners_alike(const GpuAccess *access, unsigned distance) {
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left), partner = lane ^ distance;
        if (access->lanes >> partner & 1 && access->address[lane] != access->address[partner]) return false;
    }
    return true;
}

/* Words of 8 bytes are served for half a warp at a time, words of 16 bytes for a quarter. Two such parts are
 * served together when in the whole warp lanes beside each other, or two apart, are all alike: measured on an
 * H200, pairs of lanes with one float2 take one turn, a whole warp with one float4 takes two, and with half a
 * warp alike it takes four. */
static unsigned lanes_per_turn(const GpuAccess *access) {
    if (access->bytes <= TRAFFIC_BANK_BYTES) return GPU_WARP_LANES;
    unsigned lanes = (unsigned)TURN_BYTES / access->bytes;
    if (partners_alike(access, 1) || partners_alike(access, 2)) return 2 * lanes;
    return lanes;
}

/* Words so close together lie in banks of their own. */
static bool within_one_row(const GpuAccess *access) {
    return access->high / TRAFFIC_BANK_BYTES - access->low / TRAFFIC_BANK_BYTES < BANKS;
}

/* The words that one turn's lanes want of each bank: a word that several want is wanted once. */
typedef struct BankWords {
    unsigned count[BANKS], most;
    uint32_t word[BANKS][GPU_WARP_LANES];
} BankWords;

static inline void want_word(BankWords *wanted, uint32_t word) {
    unsigned bank = word % BANKS, count = wanted->count[bank];
    for (unsigned i = 0; i < count; i++)
        if (wanted->word[bank][i] == word) return;
    wanted->word[bank][count++] = word;
    wanted->count[bank] = count;
    if (count > wanted->most) wanted->most = count;
}

static unsigned wavefronts_of(const GpuAccess *access, unsigned from, unsigned lanes) {
    BankWords wanted;
    memset(wanted.count, 0, sizeof wanted.count);
    wanted.most = 0;
    for (unsigned lane = from; lane < from + lanes; lane++) {
        if (!(access->lanes >> lane & 1)) continue;
        for (unsigned byte = 0; byte < access->bytes; byte += TRAFFIC_BANK_BYTES)
            want_word(&wanted, (uint32_t)((access->address[lane] + byte) / TRAFFIC_BANK_BYTES));
    }
    return wanted.most;
}

unsigned traffic_wavefronts(const GpuAccess *access) {
    if (access->uniform && access->bytes <= 2 * TRAFFIC_BANK_BYTES) return 1;
    if (access->contiguous && access->bytes >= TRAFFIC_BANK_BYTES) return traffic_ideal_wavefronts(access);
    if (access->bytes <= TRAFFIC_BANK_BYTES && within_one_row(access) && !CHECK_BOTH) return 1;
    unsigned sum = 0, step = lanes_per_turn(access);
    for (unsigned from = 0; from < GPU_WARP_LANES; from += step)
        sum += wavefronts_of(access, from, step);
    if (access->bytes <= TRAFFIC_BANK_BYTES && within_one_row(access) && sum != 1)
        BUG("%u turns for one row of banks", sum);
    return sum;
}

/* A count: one is added. */
static bool adds_one(const GpuAccess *access, PtxAtomic operation) {
    if (operation != PTX_ATOM_ADD || access->bytes != sizeof(uint32_t)) return false;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        uint32_t value;
        memcpy(&value, access->values + (size_t)__builtin_ctz(left) * sizeof value, sizeof value);
        if (value != 1) return false;
    }
    return true;
}

/* Lanes queue at a bank even for one word, twice for a compare-and-swap. Lanes that count go together where
 * they mean one word, and so does the whole warp where it means one word: then the compiler adds up first.
 * All as measured on an H200 with integers of 4 bytes. LIMIT: for that a card's compiler must see that the
 * addresses or the ones are the same, and that nobody looks at the old value. Here it is enough that they are
 * the same. */
unsigned traffic_atomic_wavefronts(const GpuAccess *access, PtxAtomic operation) {
    bool swaps = operation == PTX_ATOM_CAS || operation == PTX_ATOM_EXCH;
    if (access->uniform && !swaps) return 1;
    if (adds_one(access, operation)) return wavefronts_of(access, 0, GPU_WARP_LANES);
    unsigned queues[BANKS] = {0}, most = 0;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        unsigned here = ++queues[access->address[__builtin_ctz(left)] / TRAFFIC_BANK_BYTES % BANKS];
        if (here > most) most = here;
    }
    if (operation == PTX_ATOM_CAS) return 2 * most;
    return most;
}

unsigned traffic_ideal_wavefronts(const GpuAccess *access) {
    if (access->bytes <= TRAFFIC_BANK_BYTES) return 1;
    unsigned sum = 0, step = lanes_per_turn(access);
    for (unsigned from = 0; from < GPU_WARP_LANES; from += step) {
        uint32_t part = UINT32_MAX;
        if (step != GPU_WARP_LANES) part = ((1u << step) - 1) << from;
        sum += (access->lanes & part) != 0;
    }
    return sum;
}
