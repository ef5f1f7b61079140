/* tile_scratch.c - knows the memory through which tiles of several warps exchange values, where the program
 * gives it (`block_tile_memory`): NVIDIA's cooperative groups built for less than compute capability 8.0.
 *
 * After five barriers and 12 bytes there is a slot for each warp. A warp's lanes all write their slot, read
 * it, and write it again in the next operation: between these two they only meet in a shuffle, which by the
 * letter orders no memory (PTX ISA 9.7.9.6). That is the library's choice and nothing the program could mend,
 * so what happens in the slots is not reported. The barriers do order, as all atomics.
 *
 * LIMIT: the barriers must be seen in the kernel itself, which -G keeps in functions of their own.
 */
#include "check/races/races.h"

enum { BARRIERS_AND_REST = 5 * 4 + 12, SLOT_BYTES = 8, MAX_SLOTS = 32, MAX_VARIABLES = 128 };

static bool has_size_of_scratch(const GpuSharedRegion *region) {
    if (!region->variable || region->dynamic || region->variable->alignment != SLOT_BYTES) return false;
    return region->bytes > BARRIERS_AND_REST && region->bytes % SLOT_BYTES == 0 &&
           region->bytes <= BARRIERS_AND_REST + MAX_SLOTS * SLOT_BYTES;
}

/* How a warp arrives at a tile's barrier; compilers make this of hardly anything else. */
static bool arrives_at_tile(const PtxModifiers *modifiers) {
    return modifiers->atomic == PTX_ATOM_OR && modifiers->scope == PTX_SCOPE_CTA &&
           modifiers->semantics == PTX_SEM_ACQ_REL;
}

static bool kernel_has_tiles(const PtxFunction *kernel) {
    for (uint32_t i = 0; i < kernel->instruction_count; i++)
        if (arrives_at_tile(&kernel->instructions[i].modifiers)) return true;
    return false;
}

/* The slots begin after the barriers of a variable that has the size of such memory, in a kernel that uses
 * tiles; the memory has no name to know it by. Sizes are asked first, as the kernel is searched for tiles. */
bool tile_scratch_contains(const Actor *actor, unsigned lane) {
    const GpuLaunchSpec *spec = &gpu_block_launch(gpu_warp_block(actor->access->warp))->spec;
    uint64_t offset = actor->access->address[lane];
    GpuSharedRegion regions[MAX_VARIABLES];
    unsigned count = gpu_kernel_shared_regions(spec->kernel, spec->dynamic_shared, regions, MAX_VARIABLES);
    for (unsigned i = 0; i < count && i < MAX_VARIABLES; i++) {
        bool in_slots =
            offset >= regions[i].offset + BARRIERS_AND_REST && offset < regions[i].offset + regions[i].bytes;
        if (in_slots)
            return has_size_of_scratch(&regions[i]) && kernel_has_tiles(gpu_kernel_function(spec->kernel));
    }
    return false;
}
