/* heap.c - what kernels took from the device's heap (malloc, new) and never gave back.
 *
 * One finding for each call of malloc, with the sum of what is left of it. The heap outlives a launch:
 * another kernel may free the memory, and cudaDeviceReset does.
 */
#include "check/parts.h"

#include <string.h>

enum { MAX_CALLS = 64 };

typedef struct HeapCall {
    uint32_t pc;
    uint64_t count, bytes;
} HeapCall;

static HeapCall *call_at(HeapCall *calls, unsigned *count, uint32_t pc) {
    for (unsigned i = 0; i < *count; i++)
        if (calls[i].pc == pc) return &calls[i];
    if (*count == MAX_CALLS) return NULL;
    calls[*count] = (HeapCall){.pc = pc};
    return &calls[(*count)++];
}

static void tell_call(Check *check, const HeapCall *call) {
    uint64_t key = check_key(SEEN_END + 0x40, call->pc, 0);
    if (check_seen(check, key, 1)) return;
    GpuPlace place = gpu_place(check->gpu, call->pc);
    CheckFinding finding = {.kind = FINDING_LEAK, .severity = FINDING_ERROR, .count = call->count};
    finding.party = (CheckParty){.place = check_place_of_pc(check, call->pc), .what = "allocation"};
    finding.kernel = place.function ? place.function->plain_name : NULL;
    Text message;
    text_init(&message);
    words_count(&message, call->bytes, "byte");
    text_add(&message, " that a kernel allocated here were never freed (");
    words_count(&message, call->count, "allocation");
    text_add(&message, ")");
    finding.message = message.bytes;
    finding.explanation =
        "malloc and new in a kernel take memory from the device's heap, 8 MiB unless cudaDeviceSetLimit "
        "says otherwise, separately for each thread that calls them. It stays allocated when the kernel "
        "ends: after enough launches malloc returns NULL. Call free or delete, in this kernel or a later "
        "one, for every pointer.";
    check_record(check, &finding, key);
    text_free(&message);
}

void heap_tell(Check *check) {
    HeapCall calls[MAX_CALLS];
    unsigned count = 0;
    const GpuAllocation *allocation = NULL;
    while ((allocation = gpu_memory_next(check->gpu, allocation))) {
        if (allocation->kind != GPU_ALLOC_DEVICE_HEAP || allocation->freed) continue;
        HeapCall *call = call_at(calls, &count, (uint32_t)allocation->alloc_site);
        if (!call) continue;
        call->count++;
        call->bytes += allocation->bytes;
    }
    for (unsigned i = 0; i < count; i++)
        tell_call(check, &calls[i]);
}
