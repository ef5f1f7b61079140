/* variant.h - the functions that are compiled once for every processor level, as the machine calls them. */
#pragma once

#include "gpu/state/code.h"

/** How the addresses of the lanes in a mask lie. */
enum {
    GPU_ADDRESSES_ADJACENT = 1, /**< one step apart from lane to lane */
    GPU_ADDRESSES_EQUAL = 2,
    GPU_ADDRESSES_ROWS = 4,    /**< 32 lanes: each eight of them adjacent */
    GPU_ADDRESSES_STEPS = 8,   /**< 32 lanes: each eight of them equal */
    GPU_ADDRESSES_INSIDE = 16, /**< within reach, and multiples of the step */
    GPU_ADDRESSES_PATTERN = 32 /**< as in the pattern, which may have been kept just now */
};
/** Where an access may begin: from `first` on, `limit` bytes further at most (below 2^63). */
typedef struct GpuReach {
    uint64_t first, limit;
} GpuReach;
/** Addresses of 32 lanes from the instruction's row of 4- or 8-byte lanes, and how those in the mask lie; the
 * other lanes get the address of the first one in it. `pattern`: that of the instruction; it is looked at
 * where lanes are neither adjacent nor equal. */
typedef unsigned GpuAddresses(uint64_t *address, const void *row, const GpuInstruction *ins, uint32_t mask,
                              uint64_t step, const GpuReach *reach, GpuPattern *pattern);
/** Loads a row of lanes of 4 or 8 bytes; lanes outside the mask keep what they have. `base`: the host's byte
 * behind address 0; every address is valid; `relation`: how the addresses lie. */
typedef void GpuLoadRow(void *d, uintptr_t base, const uint64_t *address, uint32_t mask, unsigned width,
                        unsigned relation);
/** Copies lanes of 4 bytes from row to row. */
typedef void GpuMoveRow(void *d, const void *from, uint32_t mask);
/** Loads 32 lanes of 1 or 2 bytes, which are extended to rows of 4. */
typedef void GpuLoadNarrow(void *d, uintptr_t base, const uint64_t *address, unsigned bytes, bool sign,
                           bool adjacent);

/** The least and the greatest of 32 addresses. */
typedef struct GpuSpan {
    uint64_t low, high;
} GpuSpan;
typedef GpuSpan GpuFindSpan(const uint64_t *address);
/** Where the host has what 32 lanes address in their local memory, from the beginning of all lanes' stacks
 * on. `bottom`: the address of the first byte of a stack. */
typedef void GpuLocalPlaces(uint64_t *place, const uint64_t *address, uint64_t bottom);
/** Of the lanes in the mask, those whose word of 4 bytes no earlier one of the same eight lanes has. */
typedef uint32_t GpuFreshWords(const uint64_t *address, uint32_t mask);

/** How one instruction on one type is executed, in a file that is compiled for every processor level. */
typedef struct GpuOperation {
    PtxOpcode opcode;
    PtxType type, source_type;
    int mode; /**< PtxMode, PtxCompare for setp and set, GpuDivision for div; 0 any */
    GpuHandlers run;
    GpuCompare *compare;
} GpuOperation;
/** The operations of one such file. */
typedef struct GpuOperations {
    const GpuOperation *rows;
    unsigned count;
} GpuOperations;
typedef GpuOperations GpuOperationTable(void);

enum { GPU_OPERATION_TABLES = 3 };
/** What is compiled once for every processor level. */
typedef struct GpuVariant {
    GpuOperationTable *operations[GPU_OPERATION_TABLES];
    GpuAddresses *addresses;
    GpuFindSpan *find_span;
    GpuLoadRow *load_row;
    GpuLoadNarrow *load_narrow;
    GpuMoveRow *move_row;
    GpuLocalPlaces *local_places;
    GpuFreshWords *fresh_words;
} GpuVariant;
