/* sent.h - the file in which a device keeps what the program has sent it, for the judge to compare two runs
 * by.
 *
 * A run of records, each a SentRecord, then the kernel's name, the file's name and the mark (without their
 * ends), the numbers, and the contents; every part is filled up to a multiple of 8 bytes. Byte order and
 * sizes are the machine's: both sides run on it. `warpgrind --serve --sent=FILE` writes the file when the
 * program is gone. The records stand in the order of the program's calls. What was not kept because there was
 * too much is said by one last record, SENT_CUT.
 *
 * Two runs with the same inputs and seeds of the schedule send the same. When only the inputs differ, so may
 * what is sent: the words of the inputs, and words that came back from the device. All else that differs was
 * worked out on the host.
 *
 * Host threads that call at the same time call in an order of their own in each run. So each record says
 * whose memory its work may read or write: calls of different devices that share nothing may stand in any
 * order, and only the order among those that have a device in common means something. Memory of the host that
 * kernels use counts as one more device, unless each device keeps to a stretch of its own.
 */
#pragma once

#include <stdint.h>

#define SENT_MAGIC UINT32_C(0x746e6573)
#define SENT_HOST_MEMORY (UINT32_C(1) << 8) /**< memory of the host that kernels of several devices use */
#define SENT_EVERY_DEVICE ((UINT32_C(1) << 9) - 1)

typedef enum SentKind {
    SENT_COPY,     /**< host memory to the device: numbers say where to, contents are the bytes */
    SENT_BACK,     /**< device memory to the host: numbers say where from, contents are the bytes */
    SENT_MOVE,     /**< within device memory */
    SENT_SET,      /**< a memset */
    SENT_LAUNCH,   /**< numbers: the shape, whether cooperative, which module; contents: the parameters */
    SENT_SHARED,   /**< words that the host has written to memory that a kernel then read without a copy */
    SENT_ALLOCATE, /**< numbers: which allocation, 0, its size, and 1 when it is pinned memory of the host */
    SENT_FREE,     /**< numbers: which allocation, 0 */
    SENT_MODULE,   /**< contents: the device code; without contents: it got its variables on a device */
    SENT_OBJECT,   /**< a texture, a surface or an array: contents are its description */
    SENT_SETTING,  /**< a limit that kernels can notice; numbers: which, and its value */
    SENT_CUT       /**< more was sent than is kept */
} SentKind;

typedef struct SentRecord {
    uint32_t magic, kind;
    uint64_t order; /**< of the call */
    uint32_t line;  /**< 0 unknown */
    uint32_t kernel_bytes, file_bytes, mark_bytes;
    uint32_t numbers;
    uint16_t devices;  /**< whose memory the work may use: bit d is device d's, then SENT_HOST_MEMORY */
    uint16_t device;   /**< the one that works; of a copy, the one that it goes to or comes from */
    uint32_t thread;   /**< of the host, that called: numbered as they first call */
    uint64_t contents; /**< bytes */
} SentRecord;

static inline uint64_t sent_padded(uint64_t bytes) {
    return (bytes + 7) & ~UINT64_C(7);
}
