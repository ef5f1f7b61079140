/* serve_refusal.c - what libraries tell of their calls: one of ours that it has refused one, in words, and
 * the headers of CUB that one came. The device knows the line.
 *
 * The library lies in the program, which could say anything in its place. Whatever comes is a finding against
 * the program.
 */
#include "base/minmax.h"
#include "cudart/refusal.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/watch/asked.h"

/** By why the call was refused. */
static const struct {
    FindingKind kind;
    RefusalText why;
} rows[LIBRARY_REFUSALS] = {[LIBRARY_REFUSES_VALUE] = {FINDING_API_MISUSE, REFUSAL_VALUE_WHY},
                            [LIBRARY_REFUSES_LEAD] = {FINDING_API_MISUSE, REFUSAL_LEAD_WHY},
                            [LIBRARY_REFUSES_HANDLE] = {FINDING_API_MISUSE, REFUSAL_HANDLE_WHY},
                            [LIBRARY_REFUSES_SIDE] = {FINDING_HOST_DEVICE_POINTER, REFUSAL_SIDE_WHY},
                            [LIBRARY_REFUSES_LACKING] = {FINDING_LIMIT, REFUSAL_LACKING_WHY},
                            [LIBRARY_REFUSES_PAIRS] = {FINDING_API_MISUSE, REFUSAL_PAIRS_WHY},
                            [LIBRARY_REFUSES_MAKER] = {FINDING_API_MISUSE, REFUSAL_MAKER_WHY},
                            [LIBRARY_REFUSES_DRAW] = {FINDING_API_MISUSE, REFUSAL_DRAW_WHY}};

/** What was sent, as long as a finding can show it. In the device's arena. */
static const char *words_sent(Device *device) {
    enum { LONGEST = 400 };
    const size_t sent = (size_t)device->serving.request->payload_bytes;
    return arena_format(device->arena, "%.*s", (int)MIN(sent, LONGEST), (const char *)device->link.payload);
}

SERVE(serve_library_refused, LIBRARY_REFUSED) {
    if (a->why >= LIBRARY_REFUSALS) return CUDA_INVALID_VALUE;
    const RefusalFacts facts = {.what = text_or(words_sent(device), "?")};
    complain(device, rows[a->why].kind, said_refusal(REFUSAL_REFUSED_MESSAGE, rows[a->why].why, &facts));
    return CUDA_OK;
}

SERVE(serve_cub_call, CUB_CALL) {
    const char *function = words_sent(device);
    if (function == NULL) return CUDA_OUT_OF_MEMORY;
    asked_note(device, &(AskedCall){.function = function,
                                    .storage = a->storage,
                                    .bytes_at = a->bytes_at,
                                    .site = device->serving.site});
    return CUDA_OK;
}

SERVE(serve_cub_short, CUB_SHORT) {
    complain(device, FINDING_API_MISUSE, SAID_CALL(SHORT, .used = a->given, .asked = a->needed));
    return CUDA_OK;
}
