/* serve_ranks.c - the program says that its ranks miss each other in a collective call of MPI.
 *
 * The device sees none of MPI. It hears of it from what watches the calls inside of the program (in the
 * course lessons/common/ranks.h), which can be wrong or lie as the program can: the finding is against the
 * program in any case. The device knows the lines.
 */
#include "base/minmax.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"

/** The texts about a fault, by its number in the message. */
static const struct {
    RanksText message, why;
} rows[] = {{RANKS_RETURNED_MESSAGE, RANKS_RETURNED_WHY},
            {RANKS_TWO_CALLS_MESSAGE, RANKS_TWO_CALLS_WHY},
            {RANKS_WORLD_CALL_MESSAGE, RANKS_WORLD_CALL_WHY},
            {RANKS_WORLD_NUMBER_MESSAGE, RANKS_WORLD_NUMBER_WHY}};

/** The words of the message come from the program, and are cut at a length that a finding can show. */
SERVE(serve_ranks_apart, RANKS_APART) {
    enum { LONGEST = 400 };
    if (a->fault >= sizeof rows / sizeof *rows) return CUDA_INVALID_VALUE;
    size_t sent = (size_t)device->serving.request->payload_bytes;
    int length = (int)MIN(sent, LONGEST);
    const char *what = arena_format(device->arena, "%.*s", length, (const char *)device->link.payload);
    const RanksFacts facts = {.what = text_or(what, "?")};
    complain_both(device, FINDING_RANKS_APART, a->other, "the other call",
                  said_ranks(rows[a->fault].message, rows[a->fault].why, &facts));
    return CUDA_OK;
}
