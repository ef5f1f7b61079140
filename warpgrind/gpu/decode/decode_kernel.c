/* decode_kernel.c - see kernel.h: the functions and variables that a kernel may reach, each decoded once. */
#include "gpu/dataflow/speculation.h"
#include "gpu/decode/decode.h"
#include "gpu/decode/kernel.h"

#include <stdlib.h>

/** What a kernel may call. */
typedef struct Reach {
    GpuKernel *kernel;
    Diagnostics *diagnostics; /**< or NULL */
    bool perhaps; /**< through the address in a variable: perhaps nobody ever calls it, and a function that
                     cannot be executed is left out */
} Reach;

static bool kernel_reach(const Reach *reach, const PtxFunction *function);

static bool kernel_reach_operand(const Reach *reach, const PtxOperand *operand) {
    return operand->kind != PTX_OPERAND_FUNCTION || kernel_reach(reach, operand->function);
}

/** Says why the function cannot be executed; false. */
static bool kernel_refuse(const PtxFunction *function, Diagnostics *diagnostics) {
    const Diagnostic *why = function->refusal;
    if (!diagnostics) return false;
    Diagnostic *said = diag_add(diagnostics, DIAG_ERROR, why->file, why->line, why->column, "%s (in %s)",
                                why->message, function->plain_name);
    if (said) {
        said->source_line = why->source_line;
        said->remedy = why->remedy;
    }
    return false;
}

static unsigned function_self_calls(const PtxFunction *ptx) {
    unsigned count = 0;
    for (uint32_t i = 0; i < ptx->instruction_count; i++)
        count += ptx->instructions[i].opcode == PTX_OP_call && ptx->instructions[i].callee == ptx;
    return count;
}

/** The frame of the function on a card, at least: its arrays and the fewest registers that ptxas saves for a
 * call. Unoptimised code keeps everything in its frame: its arrays are known from the debug information; and
 * where it calls itself at one place, an optimising compiler may make a loop of it, which takes no stack. */
static uint32_t function_card_frame(const PtxFunction *ptx) {
    enum { SAVED_REGISTERS = 24 };
    bool optimised = true;
    uint32_t arrays = 0;
    for (uint32_t i = 0; i < ptx->local_count; i++) {
        const PtxLocal *local = &ptx->locals[i];
        bool array = local->element_bytes && local->bytes > local->element_bytes;
        if (array) arrays += local->bytes;
        optimised = optimised && array;
    }
    if (optimised) return ptx->local_bytes + SAVED_REGISTERS;
    if (arrays || function_self_calls(ptx) != 1) return arrays + SAVED_REGISTERS;
    return 0;
}

static GpuFunction *kernel_new_function(GpuKernel *kernel, const PtxFunction *ptx) {
    GpuFunction *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->ptx = ptx;
    made->kernel = kernel;
    made->local_bytes = ptx->local_bytes;
    made->card_frame = function_card_frame(ptx);
    made->param_base = (ptx->local_bytes + 15) & ~15u;
    made->stack_bytes = made->param_base + ((ptx->call_param_bytes + 15) & ~15u);
    return made;
}

/** Makes a GpuFunction for the function and for all that it names. */
static bool kernel_reach(const Reach *reach, const PtxFunction *function) {
    GpuKernel *kernel = reach->kernel;
    const PtxFunction *ptx = module_definition(kernel->module->ptx, function);
    if (!ptx) return true;
    int index = module_function_index(kernel->module->ptx, ptx);
    if (index < 0 || kernel->functions[index]) return true;
    if (ptx->entry && ptx != kernel->ptx) return true; /* a kernel to be launched, which nobody can call */
    if (ptx->refusal) return reach->perhaps || kernel_refuse(ptx, reach->diagnostics);
    kernel->functions[index] = kernel_new_function(kernel, ptx);
    if (!kernel->functions[index]) return false;
    for (uint32_t i = 0; i < ptx->part_count; i++)
        if (!kernel_reach_operand(reach, &ptx->parts[i])) return false;
    for (uint32_t i = 0; i < ptx->instruction_count; i++) {
        const PtxInstruction *instruction = &ptx->instructions[i];
        if (instruction->callee && !kernel_reach(reach, instruction->callee)) return false;
        for (unsigned k = 0; k < instruction->operand_count; k++)
            if (!kernel_reach_operand(reach, &instruction->operands[k])) return false;
    }
    return true;
}

static bool kernel_reach_variables(GpuKernel *kernel) {
    const PtxModule *ptx = kernel->module->ptx;
    Reach reach = {.kernel = kernel, .perhaps = true};
    for (uint32_t i = 0; i < ptx->variable_count; i++)
        for (unsigned k = 0; k < ptx->variables[i].relocation_count; k++) {
            const PtxFunction *function = ptx->variables[i].relocations[k].function;
            if (function && !kernel_reach(&reach, function)) return false;
        }
    return true;
}

/** Finds all functions that the kernel can reach, then decodes each: calls of functions not yet decoded
 * need only their GpuFunction. */
static bool kernel_decode(GpuKernel *kernel, Diagnostics *diagnostics) {
    const PtxModule *ptx = kernel->module->ptx;
    Reach reach = {.kernel = kernel, .diagnostics = diagnostics};
    kernel->functions = calloc(ptx->function_count + 1, sizeof(GpuFunction *));
    if (!kernel->functions || !kernel_reach(&reach, kernel->ptx) || !kernel_reach_variables(kernel))
        return false;
    kernel->uniform_bytes = GPU_BLOCK_ROWS * GPU_ROW_BYTES;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (kernel->functions[i] && !decode_function(kernel, kernel->functions[i], diagnostics)) return false;
    kernel->entry = kernel->functions[module_function_index(ptx, kernel->ptx)];
    return true;
}

bool decode_kernel(GpuKernel *kernel, Diagnostics *diagnostics) {
    if (kernel->decoded) return true;
    Gpu *gpu = kernel->module->gpu;
    unsigned codes = gpu->code_count;
    kernel->decoded = kernel_decode(kernel, diagnostics);
    if (kernel->decoded) return true;
    gpu->code_count = codes;
    decode_free(kernel);
    return false;
}

/** Frees the functions, so that the kernel is as if it had never been decoded. */
void decode_free(GpuKernel *kernel) {
    for (uint32_t i = 0; kernel->functions && i < kernel->module->ptx->function_count; i++) {
        GpuFunction *function = kernel->functions[i];
        if (!function) continue;
        free(function->code);
        free(function->constants);
        free(function->register_offset);
        free(function->frame_constant);
        free(function->local_sums);
        free(function->frame_array);
        free(function->extra);
        free(function->caches);
        free(function->patterns);
        free(function->calls);
        free(function->fused);
        free(function->presets);
        free(function->decides);
        speculation_free(function->speculation);
        free(function);
    }
    free(kernel->functions);
    free(kernel->uniforms);
    kernel->functions = NULL;
    kernel->deciding_known = false;
    kernel->uniforms = NULL;
    kernel->uniform_count = 0;
    kernel->uniform_capacity = 0;
    kernel->entry = NULL;
}
