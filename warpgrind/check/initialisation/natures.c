/* natures.c - additions of one kind of number to memory that holds the other.
 *
 * atomicAdd((int *)sum, ..) compiles for a float *sum, and adds 1 to the bits of a float. Memory has no type,
 * but the array has: it comes from the debug information. Only additions are told: exchanges, minima and
 * compare-and-swap work on the bits of floats as well, and are used so.
 */
#include "check/initialisation/initialisation.h"

static PtxNature nature_of(PtxType type) {
    if (type == PTX_F32 || type == PTX_F64) return PTX_NATURE_FLOAT;
    bool integer = type == PTX_S32 || type == PTX_U32 || type == PTX_S64 || type == PTX_U64;
    if (integer) return PTX_NATURE_INTEGER;
    return PTX_NATURE_UNKNOWN;
}

static CheckElement shared_element(const GpuLaunch *launch, uint64_t offset) {
    GpuSharedRegion regions[64];
    unsigned count = gpu_kernel_shared_regions(launch->spec.kernel, launch->spec.dynamic_shared, regions,
                                               sizeof regions / sizeof *regions);
    for (unsigned i = 0; i < count; i++)
        if (offset >= regions[i].offset && offset - regions[i].offset < regions[i].bytes &&
            regions[i].variable)
            return check_element_of(regions[i].variable);
    return (CheckElement){0};
}

static CheckElement element_at(Check *check, const GpuAccess *access, uint64_t address) {
    uint64_t start;
    if (access->space == PTX_SPACE_SHARED)
        return shared_element(gpu_block_launch(gpu_warp_block(access->warp)), address);
    const GpuAllocation *allocation = gpu_memory_find(check->gpu, address);
    return allocation ? check_element(check, allocation, &start) : (CheckElement){0};
}

/* Adding floats to an array of integers, or the other way round, gives numbers that look like noise. */
static void tell_nature(Check *check, const GpuAccess *access, unsigned lane, PtxNature added) {
    uint64_t key = check_key(SEEN_OTHER_NATURE, access->pc, 0);
    if (check_seen(check, key, check_lane_count(access->lanes))) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    CheckFinding finding = {.kind = FINDING_API_MISUSE, .severity = FINDING_ERROR};
    finding.party = check_party(check, block, 32 * gpu_warp_index(access->warp) + lane, access->pc, "atomic");
    finding.array = check_array_at(check, gpu_block_launch(block), access->space, access->address[lane],
                                   access->allocation, access->bytes);
    NatureFacts facts = {.integers = added == PTX_NATURE_INTEGER, .element = &finding.array};
    Said said = said_nature(NATURE_MESSAGE, NATURE_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

/* Asked once for each pc and launch: what the instruction adds and what the array holds do not change in
 * between. Arrays of unknown elements and atomics of another size are left alone, since a union or a cast
 * may be meant. */
void natures_on_atomic(Check *check, const GpuAccess *access) {
    Initialisation *initialisation = check->initialisation;
    uint32_t launch = gpu_block_launch(gpu_warp_block(access->warp))->id, slot = access->pc % NATURE_SLOTS;
    if (initialisation->natures[slot].pc == access->pc && initialisation->natures[slot].launch == launch)
        return;
    initialisation->natures[slot].pc = access->pc;
    initialisation->natures[slot].launch = launch;
    const PtxInstruction *instruction = gpu_place(check->gpu, access->pc).instruction;
    if (!instruction || instruction->modifiers.atomic != PTX_ATOM_ADD) return;
    PtxNature added = nature_of(instruction->type);
    unsigned lane = check_first_lane(access->lanes);
    CheckElement element = element_at(check, access, access->address[lane]);
    if (added == PTX_NATURE_UNKNOWN || element.nature == PTX_NATURE_UNKNOWN || element.nature == added)
        return;
    if (element.bytes == access->bytes) tell_nature(check, access, lane, added);
}
