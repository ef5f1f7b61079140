/* decode_warp.c - what the lanes of a warp do together: votes, shuffles, matches, sums. */
#include "gpu/decode/decode.h"

/* d (and a predicate), sources a, b, c, and the mask as the last row of `extra`. */
static bool decode_warp_operation(Decode *decode, GpuStep step, unsigned destination_width,
                                  unsigned source_width) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, step);
    GpuExtra *parts = decode_extra(decode, ins, 6);
    if (!parts) return false;
    const GpuExtra nothing = {.number = GPU_NO_REGISTER, .sink = true};
    GpuExtra filled[6] = {nothing, nothing, nothing, nothing, nothing, nothing};
    unsigned next = 0;
    /* 0: d, 1: the predicate beside it, 2..: sources */
    filled[0] = decode_part(decode, &source->operands[next++], destination_width);
    if (source->destination_count > 1) filled[1] = decode_part(decode, &source->operands[next++], 0);
    for (unsigned i = 2; next < source->operand_count && i < 6; i++, next++) {
        unsigned width = 4;
        if (i == 2) width = source_width;
        if (source->opcode == PTX_OP_vote && i == 2) width = 0; /* a predicate */
        filled[i] = decode_part(decode, &source->operands[next], width);
    }
    memcpy(decode->function->extra + ins->extra, filled, sizeof filled);
    return true;
}

bool decode_warp_barrier(Decode *decode) {
    GpuInstruction *ins = decode_emit_one(decode, STEP_warp_sync_lanes);
    ins->a = decode_source(decode, ins, &decode->source->operands[0], 4);
    return true;
}

bool decode_shuffle(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_shfl, 4, 4);
}

bool decode_vote(Decode *decode) {
    bool ballot = decode->source->modifiers.mode == PTX_MODE_BALLOT;
    return decode_warp_operation(decode, STEP_warp_vote, ballot ? 4 : 0, 0);
}

bool decode_match(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_match, 4, decode_width(decode->source->type));
}

bool decode_redux(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_redux, 4, 4);
}

bool decode_active_mask(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_active_mask, 4, 4);
}

bool decode_elect(Decode *decode) {
    return decode_warp_operation(decode, STEP_warp_elect, 4, 4);
}
