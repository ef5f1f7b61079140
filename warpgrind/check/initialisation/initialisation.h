/* initialisation.h - which bytes hold a value; shared by initialisation.c (keeps it) and
 * initialisation_story.c (tells it). For report/ the observer: initialisation_create,
 * initialisation_on_access and the like. */
#pragma once

#include "check/shadow/bits.h"
#include "check/texts.h"

enum { ORIGIN_SLOTS = 1 << 16, ORIGIN_PROBES = 8, SOURCE_SLOTS = 256 };

/** Where an undefined value that was stored came from. */
typedef struct OriginSlot {
    uint64_t key;
    uint32_t origin; /**< a pc */
} OriginSlot;

/** The first read of undefined memory at a pc in this launch: what the origin of a value is called in words.
 */
typedef struct UndefinedSource {
    uint32_t pc, launch;
    uint64_t block; /**< linear */
    uint32_t thread;
    PtxSpace space;
    uint64_t address;
    uint8_t bytes;
    CheckArray array; /**< of a read of shared memory: what the source calls it, */
    bool untouched;   /**< and no element of it had a value yet */
    unsigned held;    /**< so many bytes of that element had one, where it has several members */
    bool copying;     /**< an asynchronous copy to it was under way */
    bool shuffle;     /**< no read, but a shuffle from a lane that does not take part */
    uint32_t mask;    /**< its mask */
    unsigned came;    /**< how many lanes of the warp were there, the others having ended, */
    unsigned lanes;   /**< and how many it began with */
    uint32_t branch;  /**< where the lanes that are missing went another way; 0: nobody knows */
} UndefinedSource;

enum { MOST_SPAN = 2048, PATTERN_SLOTS = 64 };

/** The bytes that the lanes of a pattern (GpuAccess.pattern) touch, from the lowest one on. */
typedef struct PatternBytes {
    uint64_t pattern;
    uint64_t words[MOST_SPAN / 64]; /**< a bit for each */
} PatternBytes;

enum { NATURE_SLOTS = 64 };

struct Initialisation {
    Bits *global;
    uint64_t *shared[GPU_MAX_RESIDENT_BLOCKS]; /**< per slot, one bit per byte */
    size_t shared_words[GPU_MAX_RESIDENT_BLOCKS];
    uint32_t pages_asked; /**< how often a page was not known to be defined as a whole */
    OriginSlot *origins;
    UndefinedSource sources[SOURCE_SLOTS];
    PatternBytes patterns[PATTERN_SLOTS]; /**< by number */
    struct {
        uint32_t pc, launch;
    } natures[NATURE_SLOTS]; /**< atomics that have been looked at */
};

bool initialisation_create(Check *check);
void initialisation_destroy(Initialisation *initialisation);
GpuObserver initialisation_observer(Check *check);
void initialisation_on_access(Check *check, GpuAccess *access);
/** The short way, for an access whose shape is not ACCESS_ANY: all of its bytes are defined, as far as the
 * flag of their page goes; else false. */
static inline bool initialisation_passes_plain(const Check *check, const GpuAccess *access) {
    return bits_page_is_whole(check->initialisation->global, access->low - GPU_GLOBAL_BASE);
}

/** An addition of integers to an array of floats, or the other way. Each instruction is looked at once a
 * launch. */
void natures_on_atomic(Check *check, const GpuAccess *access);

const UndefinedSource *initialisation_source(const Initialisation *initialisation, const GpuLaunch *launch,
                                             uint32_t pc);
/** The pc that an undefined byte of global memory got its value from; 0: it was never written. */
uint32_t initialisation_origin_global(const Initialisation *initialisation, uint64_t address);

/* ---- holes.c ---- */

typedef enum HolesKind {
    HOLES_PADDING, /**< the types say so */
    HOLES_ALIKE,   /**< the same part of every element, which may be padding, or a member that nobody uses */
    HOLES_MISSING
} HolesKind;

/** What the bytes without a value in a range of global memory are. */
typedef struct Holes {
    HolesKind kind;
    uint64_t address;     /**< of the first byte that is not padding */
    unsigned element;     /**< bytes of an element; 0 unknown */
    uint64_t period;      /**< HOLES_ALIKE: bytes after which they repeat, */
    unsigned first, last; /**< and the first run of them in it */
} Holes;

/** The range has a byte without a value. */
Holes holes_find(Check *check, const GpuAllocation *allocation, uint64_t address, uint64_t bytes);

/* ---- shuffle_story.c: shuffles from lanes that do not take part, a mistake once the value is used ---- */

void shuffle_story_on_sync_mistake(void *self,
                                   const GpuSyncEvent *event); /**< initialisation_observer has it */
/** When an undefined value is stored that a shuffle made: tells it, true. */
bool shuffle_story_tell_store(Check *check, const GpuAccess *access);
void shuffle_story_tell(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                        const UndefinedSource *source, UseText use);

/* ---- initialisation_story.c ---- */

/** A value from nowhere decided something. */
void initialisation_tell_use(Check *check, const GpuWarp *warp, uint32_t lanes, uint32_t pc,
                             GpuUndefinedUse use, uint32_t origin);
/** An atomic works with memory that was never set. */
void initialisation_tell_atomic(Check *check, const GpuAccess *access, unsigned lane);
/** A copy to the host takes undefined bytes along. */
void initialisation_tell_copy(Check *check, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                              uint64_t site);
