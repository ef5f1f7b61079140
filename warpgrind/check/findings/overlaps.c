/* overlaps.c - two extern __shared__ arrays in one kernel: two names for the same memory.
 *
 * CUDA places all of them where the static shared memory ends, so what is stored in one is read from the
 * other, mostly without any race. A kernel that uses several is noted at its first launch, at the line that
 * uses the second; the note is one, since the same bytes may be meant for two purposes, one after the other.
 */
#include "check/texts.h"

#include <string.h>

static const PtxVariable *dynamic_of(const PtxInstruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const PtxOperand *operand = &instruction->operands[i];
        bool names = operand->kind == PTX_OPERAND_VARIABLE || operand->kind == PTX_OPERAND_ADDRESS;
        if (names && operand->variable && operand->variable->dynamic) return operand->variable;
    }
    return NULL;
}

/* The first use of a dynamic array of another name. LIMIT: uses in functions that the kernel calls are not
 * looked at. */
static const PtxInstruction *use_of_other(const PtxFunction *function, const char *name) {
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const PtxVariable *variable = dynamic_of(&function->instructions[i]);
        if (variable && strcmp(variable->plain_name, name) != 0) return &function->instructions[i];
    }
    return NULL;
}

const PtxVariable *check_dynamic_other(const GpuLaunch *launch, const char *name) {
    const PtxInstruction *use = use_of_other(gpu_kernel_function(launch->spec.kernel), text_or(name, ""));
    if (use && name) return dynamic_of(use);
    return NULL;
}

/* All extern __shared__ arrays begin at one address, so a kernel that uses two of them uses one memory
 * under two names. What is overwritten depends on the code; the note tells the fact, once for each kernel. */
void overlaps_tell(Check *check, const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    const PtxInstruction *first = use_of_other(function, "");
    const PtxVariable *one = NULL;
    if (first) one = dynamic_of(first);
    const PtxInstruction *second = NULL;
    if (one) second = use_of_other(function, one->plain_name);
    if (!second || check_seen(check, check_key(SEEN_OVERLAP, (uint64_t)(uintptr_t)function, 0), 1)) return;
    CheckFinding finding = {.kind = FINDING_OVERLAPPING_ARRAYS, .severity = FINDING_NOTE};
    GpuPlace place = gpu_kernel_place(launch->spec.kernel, second);
    finding.party = (CheckParty){.place = {.file = place.file, .line = place.line, .column = place.column},
                                 .what = "use"};
    OverlapFacts facts = {.one = one->plain_name, .other = dynamic_of(second)->plain_name};
    Said said = said_overlap(OVERLAP_MESSAGE, OVERLAP_WHY, &facts);
    check_tell(check, &finding, 0, &said);
}
