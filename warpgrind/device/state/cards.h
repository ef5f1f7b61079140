/* cards.h - which card the virtual devices are like: its numbers, and what follows from them. */
#pragma once

#include "base/text.h"
#include "cudart/protocol.h"

/** The same on all cards. */
enum {
    CARD_WARP = 32,
    CARD_BLOCK_THREADS = 1024,
    CARD_BLOCK_Z = 64,
    CARD_GRID_X = INT32_MAX,
    CARD_GRID_YZ = 65535,
    CARD_USUAL_SHARED = 48 << 10, /**< of a block that has not opted in to more */
    CARD_LINEAR_WIDTH = 1 << 28   /**< elements of a texture in linear memory */
};

/** What all cards of a compute capability have; bytes. */
typedef struct CardCapability {
    int major, minor;
    int threads, blocks; /**< resident on a multiprocessor */
    int shared, most_shared, reserved_shared, shared_unit;
    int single_to_double;
    int persisting; /**< sixteenths of L2 */
} CardCapability;

/** A row of cards.def: what a program can ask of a card. */
typedef struct Card {
    const char *name, *title;
    const CardCapability *capability;
    int processors, l2_bytes, clock_mhz, memory_mhz, bus_bits, copy_engines;
} Card;

/** The names of all cards, with commas between. */
const char *cards_names(void);
/** NULL: the default; else one of cards_names. */
const Card *cards_find(const char *name);
/** 90 for compute capability 9.0: the newest PTX target that it runs. */
unsigned cards_target(const Card *card);
/** What attributes.def says of device `number`, in its order. */
void cards_attributes(const Card *card, unsigned number, int32_t *values);
/** How many blocks of that many threads and bytes of shared memory a multiprocessor holds. */
uint64_t cards_resident_blocks(const Card *card, uint64_t threads, uint64_t shared);
/** The shared memory that each of `blocks` resident blocks can have. */
uint64_t cards_shared_for(const Card *card, uint64_t blocks);
/** The cards as a page. */
void cards_table(Text *page);
