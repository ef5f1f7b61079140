/* heap.c - what kernels took from the device's heap (malloc, new) and never gave back.
 *
 * One finding for each call of malloc, with the sum of what is left of it. The heap outlives a launch:
 * another kernel may free the memory, and cudaDeviceReset does.
 */
#include "check/faults/faults.h"
#include "check/texts.h"

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
    uint64_t key = check_key(SEEN_DEVICE_HEAP, call->pc, 0);
    if (check_seen(check, key, 1)) return;
    GpuPlace place = gpu_place(check->gpu, call->pc);
    CheckFinding finding = {.kind = FINDING_LEAK, .severity = FINDING_ERROR, .count = call->count};
    finding.party = (CheckParty){.place = check_place_of_pc(check, call->pc), .what = "allocation"};
    if (place.function->entry) finding.kernel = place.function->plain_name;
    HeapFacts facts = {.bytes = call->bytes, .calls = call->count};
    Said said = said_heap(HEAP_MESSAGE, HEAP_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* One finding for each line that allocates, however many threads called it. LIMIT: of MAX_CALLS lines. */
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
