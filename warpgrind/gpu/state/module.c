/* module.c - what a loaded module has, by name, address or number: functions, variables, kernels, shared
 * memory.
 *
 * Function addresses are numbers of a range of their own.
 */
#include "gpu/state/machine.h"

enum { FUNCTION_STEP = 16 };
#define FUNCTION_BASE UINT64_C(0x700000000000)

/* ---- functions ---- */

int module_function_index(const PtxModule *ptx, const PtxFunction *function) {
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (ptx->functions[i] == function) return (int)i;
    return -1;
}

const PtxFunction *module_definition(const PtxModule *ptx, const PtxFunction *function) {
    if (function->defined) return function;
    const PtxFunction *named = ptx_find_function(ptx, function->name);
    if (named && named->defined) return named;
    return NULL;
}

uint64_t module_function_address(const GpuModule *module, const PtxFunction *function) {
    const PtxFunction *definition = module_definition(module->ptx, function);
    int index = module_function_index(module->ptx, definition ? definition : function);
    return FUNCTION_BASE + (uint64_t)(unsigned)index * FUNCTION_STEP;
}

GpuKernel *module_kernel_at(GpuModule *module, uint64_t address) {
    uint64_t index = (address - FUNCTION_BASE) / FUNCTION_STEP;
    if (address < FUNCTION_BASE || address % FUNCTION_STEP || index >= module->ptx->function_count)
        return NULL;
    const PtxFunction *function = module->ptx->functions[index];
    if (function->entry) return gpu_kernel_find(module, function->name);
    return NULL;
}

GpuFunction *module_function_at(const GpuKernel *kernel, uint64_t address) {
    uint64_t index = (address - FUNCTION_BASE) / FUNCTION_STEP;
    if (address < FUNCTION_BASE || address % FUNCTION_STEP || index >= kernel->module->ptx->function_count)
        return NULL;
    return kernel->functions[index];
}

/* ---- variables ---- */

const GpuAllocation *module_variable_allocation(const GpuModule *module, const PtxVariable *variable) {
    for (unsigned i = 0; i < module->placed_count; i++)
        if (module->placed[i].variable == variable) return module->placed[i].allocation;
    return NULL;
}

uint64_t module_variable_address(const GpuKernel *kernel, const PtxVariable *variable) {
    if (variable->space == PTX_SPACE_SHARED) {
        if (variable->dynamic) return kernel->dynamic_offset;
        for (unsigned i = 0; i < kernel->region_count; i++)
            if (kernel->regions[i].variable == variable) return kernel->regions[i].offset;
        return 0;
    }
    const GpuAllocation *allocation = module_variable_allocation(kernel->module, variable);
    if (allocation) return allocation->address;
    return 0;
}

const GpuAllocation *gpu_variable_find(GpuModule *module, const char *name) {
    for (unsigned i = 0; i < module->placed_count; i++)
        if (strcmp(module->placed[i].variable->name, name) == 0) return module->placed[i].allocation;
    return NULL;
}

/* ---- kernels ---- */

GpuKernel *gpu_kernel_find(GpuModule *module, const char *name) {
    for (unsigned i = 0; i < module->kernel_count; i++)
        if (strcmp(module->kernels[i].ptx->name, name) == 0) return &module->kernels[i];
    return NULL;
}

const PtxFunction *gpu_kernel_function(const GpuKernel *kernel) {
    return kernel->ptx;
}

uint32_t gpu_kernel_pc(const GpuKernel *kernel, const PtxInstruction *instruction) {
    const GpuFunction *function = kernel->entry;
    for (uint32_t i = 0; i < function->code_count; i++)
        if (function->code[i].source == instruction) return function->first_pc + i;
    return 0;
}

unsigned gpu_kernel_shared_regions(const GpuKernel *kernel, uint32_t dynamic_shared, GpuSharedRegion *regions,
                                   unsigned capacity) {
    unsigned count = 0;
    for (; count < kernel->region_count && count < capacity; count++)
        regions[count] = kernel->regions[count];
    bool dynamic = dynamic_shared || kernel->dynamic_variable;
    if (dynamic && count < capacity)
        regions[count++] =
            (GpuSharedRegion){kernel->dynamic_offset, dynamic_shared, kernel->dynamic_variable, true};
    return count;
}

uint32_t gpu_kernel_shared_span(const GpuKernel *kernel, uint32_t dynamic_shared) {
    if (!kernel->region_count && !kernel->dynamic_variable && !dynamic_shared) return 0;
    return kernel->dynamic_offset + dynamic_shared + GPU_GUARD_BYTES;
}

uint32_t gpu_kernel_static_shared(const GpuKernel *kernel) {
    return kernel->static_bytes;
}
