/* unfinished.c - see unfinished.h. A kernel of which nothing could be missed, as the empty one of a first
 * program, need not be waited for.
 */
#include "device/watch/unfinished.h"
#include "device/state/complain.h"
#include "device/state/operation.h"

#include <string.h>

/** LLVM's names for the frame: where unoptimised code keeps its parameters and variables. */
static bool is_in_frame(const PtxFunction *kernel, const PtxInstruction *store) {
    if (store->modifiers.space == PTX_SPACE_LOCAL) return true;
    const PtxOperand *to = &store->operands[0];
    if (to->kind != PTX_OPERAND_ADDRESS || to->variable != NULL || to->index < 0) return false;
    const char *name = kernel->registers[to->index].name;
    return strcmp(name, "%SP") == 0 || strcmp(name, "%SPL") == 0;
}

/** Whether anybody but the thread itself may see that the instruction was executed. */
static bool leaves_something(const PtxFunction *kernel, const PtxInstruction *instruction) {
    static const bool own[PTX_FAMILY_COUNT] = {
        [PTX_FAMILY_operation] = true, [PTX_FAMILY_move] = true,    [PTX_FAMILY_convert_address] = true,
        [PTX_FAMILY_load] = true,      [PTX_FAMILY_nothing] = true, [PTX_FAMILY_branch] = true,
        [PTX_FAMILY_return] = true,    [PTX_FAMILY_exit] = true,
    };
    PtxFamily family = ptx_opcode_info(instruction->opcode)->family;
    if (family == PTX_FAMILY_store) return !is_in_frame(kernel, instruction);
    return !own[family];
}

static bool is_idle(const GpuKernel *kernel) {
    const PtxFunction *function = gpu_kernel_function(kernel);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (leaves_something(function, &function->instructions[i])) return false;
    return function->instruction_count > 0;
}

void unfinished_report(Device *device) {
    uint64_t launches = 0, site = 0;
    const char *mark = NULL;
    for (const DeviceOperation *any = device->queue.first; any != NULL; any = any->next) {
        if (any->kind != OPERATION_LAUNCH || is_idle(any->launch.spec.kernel)) continue;
        launches++;
        site = any->site;
        mark = any->mark;
    }
    if (launches == 0) return;
    complain_that(
        device,
        (Complaint){
            .kind = FINDING_MISSING_SYNC, .earlier = true, .site = site, .mark = mark, .sort = "unfinished"},
        SAID_CALL(UNFINISHED, .several = launches > 1, .count = launches));
}
