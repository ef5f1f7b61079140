/* decode_mbarrier.c - mbarrier instructions, as the memory accesses that exec_mbarrier.c says they are. */
#include "gpu/alu/scalar.h"
#include "gpu/decode/decode.h"

static GpuExtra mbarrier_scratch(const Decode *decode) {
    return (GpuExtra){.row = decode_scratch_row(decode, 0), .number = GPU_NO_REGISTER, .width = 8};
}

/** The object moves between memory and the scratch row. */
static GpuInstruction *mbarrier_access(Decode *decode, GpuStep step, const PtxOperand *address) {
    GpuInstruction *ins = decode_access(decode, step, address);
    GpuExtra *part = NULL;
    if (ins) part = decode_extra(decode, ins, 1);
    if (part) *part = mbarrier_scratch(decode);
    return ins;
}

/** init [a], count: a plain store. */
bool decode_mbarrier_init(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, STEP_scalar_lanes);
    GpuExtra count = decode_part(decode, &source->operands[1], 4);
    GpuExtra *part = decode_extra(decode, ins, 1);
    if (!part) return false;
    *part = count;
    ins->d = decode_scratch_row(decode, 0);
    ins->width = 8;
    ins->u.scalar = mbarrier_initial;
    return mbarrier_access(decode, STEP_memory_store, &source->operands[0]) != NULL;
}

/** The number of arrivals, which has 32 bits, as one of the object's 64. */
static GpuRow mbarrier_arrivals(Decode *decode, const PtxOperand *count) {
    if (!count) return decode_constant(decode, 1, 8);
    GpuExtra given = decode_part(decode, count, 4);
    GpuInstruction *ins = decode_emit_one(decode, STEP_scalar_lanes);
    GpuExtra *part = decode_extra(decode, ins, 1);
    if (part) *part = given;
    ins->d = decode_scratch_row(decode, 0);
    ins->width = 8;
    ins->u.scalar = mbarrier_pending;
    return ins->d;
}

/** arrive state, [a]{, count}: an atomic operation. So is inval [a]: the last thread to leave a pipeline ends
 * its barriers, and knows from an atomic counter that the others have arrived. */
static bool mbarrier_arrive(Decode *decode, const PtxOperand *state, const PtxOperand *address,
                            const PtxOperand *count) {
    GpuRow arrivals = mbarrier_arrivals(decode, count);
    GpuInstruction *ins = decode_access(decode, STEP_atomic_update, address);
    if (!ins) return false;
    if (state) ins->d = decode_destination(decode, ins, state, 8);
    ins->width = 8;
    ins->count = state && state->kind == PTX_OPERAND_REGISTER;
    ins->b = arrivals;
    return !decode->failed;
}

bool decode_mbarrier_arrive(Decode *decode) {
    const PtxInstruction *source = decode->source;
    const PtxOperand *operands = source->operands;
    return mbarrier_arrive(decode, &operands[0], &operands[1],
                           source->operand_count > 2 ? &operands[2] : NULL);
}

/** An arrival that leaves nothing behind. */
bool decode_mbarrier_inval(Decode *decode) {
    return mbarrier_arrive(decode, NULL, &decode->source->operands[0], NULL);
}

/** test_wait p, [a], state: a load, and what it means. */
bool decode_mbarrier_wait(Decode *decode) {
    const PtxInstruction *source = decode->source;
    if (!mbarrier_access(decode, STEP_memory_load, &source->operands[1])) return false;
    GpuInstruction *ins = decode_emit_one(decode, STEP_mbarrier_test);
    bool parity = source->modifiers.mode == PTX_MODE_PARITY;
    GpuExtra token = decode_part(decode, &source->operands[2], parity ? 4 : 8);
    if (token.number != GPU_NO_REGISTER) ins->uses[ins->use_count++] = token.number;
    GpuExtra *parts = decode_extra(decode, ins, 2);
    if (!parts) return false;
    parts[0] = mbarrier_scratch(decode);
    parts[1] = token;
    ins->d = decode_destination(decode, ins, &source->operands[0], 0);
    return !decode->failed;
}

/** mbarrier.pending_count: the arrivals missing in a token, which is a register like any other. */
bool decode_mbarrier_count(Decode *decode) {
    const PtxInstruction *source = decode->source;
    GpuInstruction *ins = decode_emit_one(decode, STEP_scalar_lanes);
    GpuExtra state = decode_part(decode, &source->operands[1], 8);
    if (state.number != GPU_NO_REGISTER) ins->uses[ins->use_count++] = state.number;
    GpuExtra *part = decode_extra(decode, ins, 1);
    if (!part) return false;
    *part = state;
    ins->d = decode_destination(decode, ins, &source->operands[0], 4);
    ins->u.scalar = mbarrier_pending;
    return !decode->failed;
}

/** cp.async.mbarrier.arrive: the thread's copies are done here, which is as early as they may be. Without
 * .noinc one arrival is added first, so that nothing changes for the object. */
bool decode_mbarrier_copies(Decode *decode) {
    const PtxInstruction *source = decode->source;
    decode_emit_one(decode, STEP_copy_wait);
    return source->modifiers.mode != PTX_MODE_NOINC ||
           mbarrier_arrive(decode, NULL, &source->operands[0], NULL);
}
