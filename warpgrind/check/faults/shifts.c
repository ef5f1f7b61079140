/* shifts.c - shifts by at least as many bits as a number has, which C leaves undefined: a note, since a card
 * does the same each time, and some rely on that.
 *
 * LIMIT: only of code that is not optimised, and that has no assembly of the program's own in it. An
 * optimiser has `n < 32 ? 1u << n : 0` shift first and choose afterwards.
 */
#include "check/faults/faults.h"
#include "check/texts.h"

/* The result of a choice, and the two halves of a number of 128 bits, are shifted by whatever there is:
 * compilers make `selp` of both, and compare with 63 for the second. */
static bool is_chosen_from(const PtxFunction *function, const PtxInstruction *shift) {
    const int32_t result = shift->operands[0].index;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *other = &function->instructions[i];
        const bool chooses = other->opcode == PTX_OP_selp;
        const bool halves = other->opcode == PTX_OP_setp && ptx_type_bytes(shift->type) == 8;
        for (unsigned k = 0; (chooses || halves) && k < other->operand_count; k++) {
            const PtxOperand *operand = &other->operands[k];
            if (chooses && operand->kind == PTX_OPERAND_REGISTER && operand->index == result) return true;
            if (halves && operand->kind == PTX_OPERAND_IMMEDIATE && operand->bits == 63) return true;
        }
    }
    return false;
}

void shifts_on_far(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, uint32_t amount) {
    Check *check = self;
    const uint64_t key = check_key(SEEN_SHIFT, pc, 0), count = check_lane_count(lanes);
    const GpuPlace place = gpu_place(check->gpu, pc);
    if (check_seen(check, key, count)) return;
    if (!place.function || !place.instruction || gpu_is_in_library(check->gpu, pc)) return;
    if (is_chosen_from(place.function, place.instruction)) return;
    const GpuBlock *block = gpu_warp_block(warp);
    const unsigned thread = 32 * gpu_warp_index(warp) + check_first_lane(lanes);
    CheckFinding finding = {.kind = FINDING_API_MISUSE, .severity = FINDING_NOTE, .count = count};
    finding.party = check_party(check, block, thread, pc, "shift");
    const unsigned bits = 8 * ptx_type_bytes(place.instruction->type);
    ThreadFacts facts = {.party = {&finding.party, gpu_block_launch(block)},
                         .bits = bits,
                         .amount = (int32_t)amount,
                         .last = bits - 1};
    Said said = said_thread(THREAD_SHIFT_MESSAGE, THREAD_SHIFT_WHY, &facts);
    check_tell(check, &finding, key, &said);
}
