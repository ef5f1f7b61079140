/* trail.c - what others may ask of flow.h: a kernel's flow is made when it is first asked for, found out when
 * its ends are asked for, and found again when memory turns out to hold more. */
#include "gpu/alu/library.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/flow.h"

#include <stdio.h>
#include <stdlib.h>

GpuTrail *gpu_kernel_trail(GpuKernel *kernel) {
    if (kernel->trail) return kernel->trail;
    if (!kernel->functions) return NULL; /* it could not be decoded */
    Flow *flow = calloc(1, sizeof *flow);
    if (flow && !flow_begin(flow, kernel)) {
        flow_end(flow);
        free(flow);
        flow = NULL;
    }
    kernel->trail = flow;
    return flow;
}

void trail_free(GpuKernel *kernel) {
    if (!kernel->trail) return;
    flow_end(kernel->trail);
    free(kernel->trail);
    kernel->trail = NULL;
}

static void settle(GpuTrail *trail) {
    if (!trail->settled) flow_find(trail);
    trail->settled = true;
}

uint8_t gpu_trail_present(const GpuTrail *trail) {
    return trail->present;
}

GpuTrailEnds gpu_trail_ends(GpuTrail *trail) {
    settle(trail);
    return (GpuTrailEnds){trail->present, trail->branches, trail->addresses, trail->printed};
}

uint8_t gpu_trail_stored(GpuTrail *trail, const GpuPlace *place) {
    const FlowFunction *of = flow_of(trail, place->function);
    settle(trail);
    if (of) return flow_stored(trail, of, place->instruction);
    return 0;
}

bool gpu_trail_met(GpuTrail *trail, const GpuPlace *place, uint8_t origins) {
    FlowFunction *of = flow_of(trail, place->function);
    if (!of) return false;
    FlowOrigins *loaded = &of->loaded[place->instruction - of->function->ptx->instructions];
    if ((origins & ~*loaded) == 0) return false;
    *loaded |= origins;
    trail->found |= origins;
    trail->settled = false;
    return true;
}

/* ---- names ---- */

static void tell_instruction(const PtxInstruction *instruction, GpuApproximate *each, void *self) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s%s.%s", ptx_opcode_info(instruction->opcode)->name,
             instruction->modifiers.full ? "full" : "approx", instruction->modifiers.ftz ? ".ftz" : "",
             ptx_type_name(instruction->type));
    each(self, name, GPU_ULP_UNKNOWN);
}

void gpu_trail_functions(const GpuTrail *trail, GpuApproximate *each, void *self) {
    for (uint32_t f = 0; f < trail->kernel->module->ptx->function_count; f++) {
        const GpuFunction *function = trail->functions[f].function;
        for (uint32_t i = 0; function && i < function->ptx->instruction_count; i++)
            if (flow_approximates(&function->ptx->instructions[i]))
                tell_instruction(&function->ptx->instructions[i], each, self);
        for (uint32_t i = 0; function && i < function->call_count; i++) {
            const GpuLibraryEntry *library = function->calls[i].library;
            if (library && library->ulp != 0) each(self, library->name, library->ulp);
        }
    }
}
