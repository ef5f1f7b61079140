/* order_parts.h - what the files order*.c share: footprints of operations. */
#pragma once

#include "device/state/state.h"
#include "device/watch/order.h"

enum { ORDER_WORD = 4 };

/** What one operation read, or wrote, of one allocation. */
typedef struct Footprint {
    uint32_t allocation; /**< id */
    bool write, atomic;
    bool told;           /**< an allocation's: somebody uses the memory too early */
    bool for_host;       /**< accesses that the host may watch: volatile, or at system scope */
    bool staged, within; /**< a copy whose call returns before its end: from the host, or within the device */
    uint64_t base, bytes;
    uint64_t *bits;
    uint32_t pc;     /**< of the first access; 0: a copy, memset or free */
    uint32_t launch; /**< id; 0: none */
    uint64_t site;   /**< of the call; what a host function does, of the access */
    const char *kernel;
    DeviceOperationKind kind;
    unsigned stream;
    uint64_t sequence;
    uint64_t graph; /**< of a node: which launch of its graph; 0: no node */
    uint64_t
        ended; /**< a host function's: operations past this sequence were asked for when it had returned */
    struct Footprint *next;
} Footprint;

/** A copy to the host that the host waited for by a call that is there for something else. */
typedef struct HeldCopy {
    uint64_t sequence; /* which copy; 0: none */
    uint64_t *count;   /* of such copies: one less where the host waits for it after all */
} HeldCopy;

struct Order {
    bool watching;
    OrderClock host;
    const DeviceStream *owners[ORDER_STREAMS]; /* of the slots: the last stream that got each */
    OrderClock threads[DEVICE_MAX_THREADS];    /* `since` of what each host thread has waited for */
    Footprint *footprints;                     /* newest first; those of the running operation are in front */
    Footprint *last[2][2];           /* of the running operation: last one used, by write and for_host */
    uint64_t brought[ORDER_STREAMS]; /* by slot: the last copy to the host that was asked for; 0: none */
    HeldCopy held[ORDER_STREAMS];    /* by slot */
    unsigned count;
    uint64_t bitmap_bytes;
    const DeviceOperation *running;
    uint32_t launch; /* that runs; 0: none has begun */
};

/** Touches of bytes of one allocation, as footprints of the running operation. */
void order_note_range(Device *device, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                      bool write);
/** Whether the two have a word in common. */
bool order_overlap(const Footprint *a, const Footprint *b);
/** Whether host functions and kernels may do that side by side: what they do to the words that both touch,
 * and whether they talk to each other. */
bool order_agree_with_host(const Order *order, const Footprint *a, const Footprint *b);
/** The finding: nothing orders the two. */
void order_report(Device *device, const Footprint *a, const Footprint *b);
