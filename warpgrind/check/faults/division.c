/* division.c - whole numbers that are divided by zero, on which a card goes on with a number that means
 * nothing. */
#include "check/faults/faults.h"
#include "check/texts.h"

void division_on_zero(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc) {
    Check *check = self;
    uint64_t key = check_key(SEEN_DIVISION, pc, 0), count = (uint64_t)__builtin_popcount(lanes);
    if (check_seen(check, key, count)) return;
    const GpuBlock *block = gpu_warp_block(warp);
    unsigned thread = 32 * gpu_warp_index(warp) + (unsigned)__builtin_ctz(lanes);
    CheckFinding finding = {.kind = FINDING_DIVISION_BY_ZERO, .severity = FINDING_ERROR, .count = count};
    finding.party = check_party(check, block, thread, pc, "division");
    GpuPlace place = gpu_place(check->gpu, pc);
    ThreadFacts facts = {.party = {&finding.party, gpu_block_launch(block)},
                         .remainder = place.instruction && place.instruction->opcode == PTX_OP_rem};
    Said said = said_thread(THREAD_DIVISION_MESSAGE, THREAD_DIVISION_WHY, &facts);
    check_tell(check, &finding, key, &said);
}
