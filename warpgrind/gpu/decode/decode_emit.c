/* decode_emit.c - what every decoder does with the current source: refuse it, emit instructions for it, and
 * give these their guard.
 */
#include "base/growable.h"
#include "gpu/decode/decode.h"

bool decode_fail(Decode *decode, const char *what) {
    if (!decode->failed && decode->diagnostics) {
        const PtxInstruction *source = decode->source;
        const char *name = "";
        if (source) name = ptx_opcode_info(source->opcode)->name;
        diag_add(decode->diagnostics, DIAG_ERROR, NULL, source ? source->ptx_line : 0, 0, "%s: %s (in %s)",
                 name, what, decode->function->ptx->plain_name);
    }
    decode->failed = true;
    return false;
}

/** The array has room for all instructions from the start (function_size), so that pointers to earlier
 * ones stay good. */
GpuInstruction *decode_emit(Decode *decode, GpuHandlers run) {
    GpuFunction *function = decode->function;
    if (function->code_count == function->code_capacity) BUG("decoded code is larger than estimated");
    GpuInstruction *ins = &function->code[function->code_count];
    ins->run = run;
    ins->source = decode->source;
    ins->ordinal = decode->ordinal;
    ins->pc = function->first_pc + function->code_count;
    ins->defines = ins->guard.number = ins->address_register = GPU_NO_REGISTER;
    ins->function = function;
    ins->next = ins + 1;
    function->code_count++;
    return ins;
}

/** The handler of each step. */
static GpuHandler *const step_handlers[] = {
    [STEP_operation] = NULL, /* each row of a GpuOperation table has its own */
#define STEP(name) [STEP_##name] = name,
#include "gpu/state/steps.def"
#undef STEP
};

void decode_set_step(GpuInstruction *ins, GpuStep step) {
    ins->step = (uint8_t)step;
    ins->run = (GpuHandlers){step_handlers[step], step_handlers[step]};
}

GpuInstruction *decode_emit_one(Decode *decode, GpuStep step) {
    GpuInstruction *ins = decode_emit(decode, (GpuHandlers){NULL, NULL});
    decode_set_step(ins, step);
    return ins;
}

/** The list's entries lie side by side at the end of the function's array. That moves when it grows,
 * which is why instructions hold an index and not a pointer. */
GpuExtra *decode_extra(Decode *decode, GpuInstruction *ins, unsigned count) {
    GpuFunction *function = decode->function;
    GpuExtra *more = growable_grow(function->extra, &function->extra_capacity,
                                   (size_t)function->extra_count + count, sizeof *more);
    if (!more) {
        decode->failed = true;
        return NULL;
    }
    function->extra = more;
    ins->extra = function->extra_count;
    ins->count = (uint8_t)count;
    function->extra_count += count;
    return function->extra + ins->extra;
}

void decode_set_guard(Decode *decode, GpuInstruction *ins) {
    const PtxInstruction *source = decode->source;
    ins->guard.place = decode->function->register_offset[source->guard];
    if (source->guard_negated)
        ins->guard.flip = UINT32_MAX;
    else
        ins->guard.flip = 0;
    ins->guard.number = (uint16_t)source->guard;
}
