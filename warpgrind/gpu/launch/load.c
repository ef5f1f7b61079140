/* load.c - loads a module: its variables placed in memory, its kernels' shared memory laid out.
 *
 * Global and constant variables are allocations like any other, so that bounds are checked and observers see
 * them. Shared variables are laid out for each kernel by itself, from what the kernel and the functions it
 * may call name, with guards between them.
 */
#include "base/growable.h"
#include "base/minmax.h"
#include "base/text.h"
#include "gpu/dataflow/dataflow.h"
#include "gpu/decode/kernel.h"
#include "gpu/launch/launch.h"
#include "gpu/memory/memory.h"
#include "gpu/state/machine.h"

#include <stdlib.h>

enum { CONST_LIMIT = 65536, PAGE_BYTES = 4096, SHARED_ALIGNMENT = 128 };

/* ---- variables ---- */

static bool module_complain(Diagnostics *diagnostics, const char *name, const char *what) {
    if (diagnostics) diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s: %s", name, what);
    return false;
}

/** Says which variable was the one too many, how large it is, and how many bytes are asked for in all. */
static bool module_complain_constant(Diagnostics *diagnostics, const PtxVariable *variable, size_t constant) {
    Text what;
    text_init(&what);
    text_number(&what, variable->bytes);
    text_add(&what, " bytes of __constant__ memory");
    if (variable->declared_line > 0) text_format(&what, ", declared at line %d,", variable->declared_line);
    text_add(&what,
             constant > variable->bytes ? " are too many beside the other variables: " : " are too many: ");
    text_number(&what, constant);
    text_add(&what, " are asked for in all, and there are 65,536");
    module_complain(diagnostics, variable->plain_name, what.bytes);
    text_free(&what);
    return false;
}

static bool module_place(GpuModule *module, const PtxVariable *variable, Diagnostics *diagnostics) {
    if (variable->external)
        return module_complain(diagnostics, variable->plain_name,
                               "the variable is declared but defined nowhere");
    GpuAllocationKind kind = GPU_ALLOC_GLOBAL_VARIABLE;
    if (variable->space == PTX_SPACE_CONST) kind = GPU_ALLOC_CONST_VARIABLE;
    /* A managed variable has pages of its own, so that the program can map them. */
    uint64_t alignment = PAGE_BYTES;
    if (!variable->managed) alignment = variable->alignment;
    GpuAllocation *allocation = gpu_memory_place(module->gpu, variable->bytes, alignment, kind, 0);
    if (!allocation)
        return module_complain(diagnostics, variable->plain_name,
                               "no device memory is left for the variable");
    allocation->variable = variable;
    uint8_t *bytes = gpu_memory_bytes(module->gpu, allocation->address);
    if (variable->initial)
        memcpy(bytes, variable->initial, variable->bytes);
    else
        memset(bytes, 0, variable->bytes);
    module->placed[module->placed_count++] = (GpuPlaced){variable, allocation};
    GPU_SEND(module->gpu, allocated, allocation);
    return true;
}

/** Writes the addresses that the variable's initial value contains: all variables have their places by
 * now. */
static void module_relocate(const GpuModule *module, const GpuPlaced *placed) {
    for (unsigned i = 0; i < placed->variable->relocation_count; i++) {
        const PtxRelocation *relocation = &placed->variable->relocations[i];
        uint64_t value = (uint64_t)relocation->addend;
        if (relocation->function) {
            value += module_function_address(module, relocation->function);
        } else {
            const GpuAllocation *target = module_variable_allocation(module, relocation->variable);
            value += target ? target->address : 0;
        }
        if (relocation->bytes <= 8 && relocation->offset + relocation->bytes <= placed->variable->bytes)
            memcpy(gpu_memory_bytes(module->gpu, placed->allocation->address) + relocation->offset, &value,
                   relocation->bytes);
    }
}

/** Places all variables before any of them is relocated, since they may point to each other. */
static bool module_place_all(GpuModule *module, Diagnostics *diagnostics) {
    const PtxModule *ptx = module->ptx;
    module->placed = calloc(ptx->variable_count + 1, sizeof *module->placed);
    if (!module->placed) return module_complain(diagnostics, "module", "out of memory");
    size_t constant = 0;
    for (uint32_t i = 0; i < ptx->variable_count; i++) {
        const PtxVariable *variable = &ptx->variables[i];
        if (variable->space != PTX_SPACE_GLOBAL && variable->space != PTX_SPACE_CONST) continue;
        if (variable->space == PTX_SPACE_CONST) constant += variable->bytes;
        if (constant > CONST_LIMIT) return module_complain_constant(diagnostics, variable, constant);
        if (!module_place(module, variable, diagnostics)) return false;
    }
    for (unsigned i = 0; i < module->placed_count; i++)
        module_relocate(module, &module->placed[i]);
    return true;
}

/* ---- shared memory ---- */

typedef struct Layout {
    GpuKernel *kernel;
    bool *seen;      /**< [function] */
    bool *has;       /**< [module variable] placed */
    size_t capacity; /**< of kernel->regions */
    bool failed;
} Layout;

/** The next offset for a static variable; all dynamic ones share the place behind the last. Guards are
 * not part of static_bytes, which is what a card would take. */
static void layout_add(Layout *layout, const PtxVariable *variable) {
    GpuKernel *kernel = layout->kernel;
    if (variable->dynamic) {
        if (!kernel->dynamic_variable) kernel->dynamic_variable = variable;
        return;
    }
    for (unsigned i = 0; i < kernel->region_count; i++)
        if (kernel->regions[i].variable == variable) return;
    GpuSharedRegion *regions =
        growable_grow(kernel->regions, &layout->capacity, (size_t)kernel->region_count + 1, sizeof *regions);
    layout->failed |= !regions;
    if (!regions) return;
    kernel->regions = regions;
    uint32_t alignment = MAX(variable->alignment, SHARED_ALIGNMENT);
    uint32_t offset = (kernel->dynamic_offset + alignment - 1) & ~(alignment - 1);
    uint32_t bytes = (uint32_t)variable->bytes;
    kernel->regions[kernel->region_count++] = (GpuSharedRegion){offset, bytes, variable, false};
    kernel->static_bytes =
        ((kernel->static_bytes + variable->alignment - 1) & ~(variable->alignment - 1)) + bytes;
    kernel->dynamic_offset = offset + bytes + GPU_SHARED_GUARD_BYTES;
}

static void layout_function(Layout *layout, const PtxFunction *function);

static void layout_operand(Layout *layout, const PtxOperand *operand) {
    if (operand->variable && operand->variable->space == PTX_SPACE_SHARED)
        layout_add(layout, operand->variable);
    if (operand->kind == PTX_OPERAND_FUNCTION) layout_function(layout, operand->function);
}

/** Lays out what the function names, and what those that it calls name; each function once. */
static void layout_function(Layout *layout, const PtxFunction *function) {
    const PtxModule *ptx = layout->kernel->module->ptx;
    function = module_definition(ptx, function);
    int index = -1;
    if (function) index = module_function_index(ptx, function);
    if (index < 0 || layout->seen[index]) return;
    layout->seen[index] = true;
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (function->variables[i].space == PTX_SPACE_SHARED) layout_add(layout, &function->variables[i]);
    for (uint32_t i = 0; i < function->part_count; i++)
        layout_operand(layout, &function->parts[i]);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxInstruction *instruction = &function->instructions[i];
        for (unsigned k = 0; k < instruction->operand_count; k++)
            layout_operand(layout, &instruction->operands[k]);
        if (instruction->callee) layout_function(layout, instruction->callee);
    }
}

/** Functions whose addresses stand in variables may be called by any kernel. */
static void layout_variables(Layout *layout) {
    const PtxModule *ptx = layout->kernel->module->ptx;
    for (uint32_t i = 0; i < ptx->variable_count; i++)
        for (unsigned k = 0; k < ptx->variables[i].relocation_count; k++)
            if (ptx->variables[i].relocations[k].function)
                layout_function(layout, ptx->variables[i].relocations[k].function);
}

/** A function pointer may lead to any function whose address is taken anywhere in what the kernel can reach.
 */
static bool kernel_layout(GpuKernel *kernel) {
    Layout layout = {.kernel = kernel, .seen = calloc(kernel->module->ptx->function_count + 1, sizeof(bool))};
    if (!layout.seen) return false;
    kernel->dynamic_offset = GPU_GUARD_BYTES;
    layout_function(&layout, kernel->ptx);
    layout_variables(&layout);
    kernel->dynamic_offset =
        (kernel->dynamic_offset + SHARED_ALIGNMENT - 1) & ~(uint32_t)(SHARED_ALIGNMENT - 1);
    free(layout.seen);
    return !layout.failed;
}

/* ---- loading ---- */

/** Kernels are decoded at their first launch; only the layout of shared memory is known from the start,
 * since launches are checked against it. */
static bool module_add_kernels(GpuModule *module, Diagnostics *diagnostics) {
    const PtxModule *ptx = module->ptx;
    module->kernels = calloc(ptx->function_count + 1, sizeof *module->kernels);
    if (!module->kernels) return module_complain(diagnostics, "module", "out of memory");
    for (uint32_t i = 0; i < ptx->function_count; i++) {
        if (!ptx->functions[i]->entry || !ptx->functions[i]->defined) continue;
        GpuKernel *kernel = &module->kernels[module->kernel_count++];
        kernel->module = module;
        kernel->ptx = ptx->functions[i];
        if (!kernel_layout(kernel)) return module_complain(diagnostics, "module", "out of memory");
    }
    return true;
}

/** A module that fails to load stays in the list, unloaded: it goes with the machine, as all others. */
GpuModule *gpu_module_load(Gpu *gpu, const PtxModule *ptx, Diagnostics *diagnostics) {
    GpuModule *module = calloc(1, sizeof *module);
    if (!module) return NULL;
    module->gpu = gpu;
    module->ptx = ptx;
    module->index = gpu->module_count++;
    module->next = gpu->modules;
    gpu->modules = module;
    if (module_place_all(module, diagnostics) && module_add_kernels(module, diagnostics)) return module;
    gpu_module_unload(module);
    return NULL;
}

/** Variables go; the decoded code stays until the machine goes, because findings name places in it. */
void gpu_module_unload(GpuModule *module) {
    if (!module || module->unloaded) return;
    module->unloaded = true;
    for (unsigned i = 0; i < module->placed_count; i++)
        gpu_memory_free(module->gpu, module->placed[i].allocation->address, 0);
}

void module_destroy(GpuModule *module) {
    for (unsigned i = 0; i < module->kernel_count; i++) {
        trail_free(&module->kernels[i]);
        decode_free(&module->kernels[i]);
        free(module->kernels[i].regions);
    }
    free(module->kernels);
    free(module->placed);
    free(module);
}

bool gpu_kernel_prepare(GpuKernel *kernel, Diagnostics *diagnostics) {
    return decode_kernel(kernel, diagnostics);
}
