/* cards.c - see cards.h. Multiprocessors give out shared memory in units, and newer ones keep some of each
 * block's. */
#include "device/state/cards.h"
#include "gpu/gpu.h"

#include <string.h>

static const CardCapability capabilities[] = {
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)           \
    {major, minor, threads, blocks, (shared) << 10, (most) << 10, reserved, unit, ratio, persisting},
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines)
#include "device/state/cards.def"
};

/* Where a capability stands in that list. */
enum {
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)           \
    AT_##major##_##minor,
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines)
#include "device/state/cards.def"
};

/* The machine holds all blocks of a cooperative launch. */
enum {
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)           \
    BLOCKS_##major##_##minor = (blocks),
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines)
#include "device/state/cards.def"
};
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines)                         \
    _Static_assert((processors) * (int)BLOCKS_##major##_##minor <= GPU_MAX_RESIDENT_BLOCKS,                  \
                   "the machine has fewer places for blocks than this card");
#include "device/state/cards.def"

static const Card cards[] = {
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines)                         \
    {#name, title, &capabilities[AT_##major##_##minor], processors, l2, clock, memory, bus, engines},
#include "device/state/cards.def"
};

static const char names[] =
#define CAPABILITY(major, minor, threads, blocks, shared, most, reserved, unit, ratio, persisting)
#define CARD(name, title, major, minor, processors, l2, clock, memory, bus, engines) "," #name
#include "device/state/cards.def"
    ;

const char *cards_names(void) {
    return names + 1;
}

const Card *cards_find(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof cards / sizeof *cards; i++)
        if (strcmp(cards[i].name, name) == 0) return &cards[i];
    return &cards[0];
}

unsigned cards_target(const Card *card) {
    return (unsigned)(10 * card->capability->major + card->capability->minor);
}

void cards_attributes(const Card *card, unsigned number, int32_t *values) {
    const CardCapability *capability = card->capability;
    const int32_t all[] = {
#define CUDA_ATTRIBUTE(code, name, value) value,
#include "cudart/attributes.def"
    };
    memcpy(values, all, sizeof all);
}

/* ---- occupancy ---- */

uint64_t cards_resident_blocks(const Card *card, uint64_t threads, uint64_t shared) {
    const CardCapability *capability = card->capability;
    uint64_t unit = (uint64_t)capability->shared_unit;
    uint64_t rounded = (threads + CARD_WARP - 1) / CARD_WARP * CARD_WARP;
    if (rounded == 0 || rounded > CARD_BLOCK_THREADS || shared > (uint64_t)capability->most_shared) return 0;
    uint64_t blocks = (uint64_t)capability->threads / rounded;
    uint64_t taken = (shared + (uint64_t)capability->reserved_shared + unit - 1) / unit * unit;
    uint64_t by_shared = blocks;
    if (taken != 0) by_shared = (uint64_t)capability->shared / taken;
    if (by_shared < blocks) blocks = by_shared;
    if (blocks < (uint64_t)capability->blocks) return blocks;
    return (uint64_t)capability->blocks;
}

uint64_t cards_shared_for(const Card *card, uint64_t blocks) {
    const CardCapability *capability = card->capability;
    uint64_t unit = (uint64_t)capability->shared_unit, reserved = (uint64_t)capability->reserved_shared;
    uint64_t share = (uint64_t)capability->shared / blocks / unit * unit;
    if (share > reserved)
        share = share - reserved;
    else
        share = 0;
    if (share < (uint64_t)capability->most_shared) return share;
    return (uint64_t)capability->most_shared;
}

/* ---- for readers ---- */

/** The table of docs/cards.md, one row for each card of cards.def; the first is the usual one. */
void cards_table(Text *page) {
    text_add(page, "| `--card` | like an NVIDIA | compute capability | multiprocessors | threads | blocks | "
                   "shared memory | of one block | L2 |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        const Card *card = &cards[i];
        const CardCapability *capability = card->capability;
        text_format(page, "| `%s`%s | %s | %d.%d | %d | %d | %d | %d KiB | %d KiB | %d KiB |\n", card->name,
                    i == 0 ? " (usual)" : "", card->title, capability->major, capability->minor,
                    card->processors, capability->threads, capability->blocks, capability->shared >> 10,
                    capability->most_shared >> 10, card->l2_bytes >> 10);
    }
}
