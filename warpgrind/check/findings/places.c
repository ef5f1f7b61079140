/* places.c - from what the machine knows (pcs, call sites, linear threads) to what the learner knows (lines,
 * indices). */
#include "check/findings/parts.h"

CheckPlace check_place_of_pc(Check *check, uint32_t pc) {
    CheckPlace place = {.file = ""};
    if (pc == 0) return place;
    GpuPlace found = gpu_place(check->gpu, pc);
    place.file = check_intern(check, found.file);
    if (place.file[0]) check->last_file = place.file;
    place.line = found.line;
    place.column = found.column;
    return libraries_place(check, found.function, place);
}

CheckPlace check_place_of_site(Check *check, uint64_t site) {
    CheckPlace place = {.file = ""};
    if (site == 0 || !check->options.host_place) return place;
    if (!check->options.host_place(check->options.host_place_self, site, &place)) return place;
    place.file = check_intern(check, place.file);
    return place;
}

/* The machine does not say which file a variable is declared in by name: nearly always that of the code that
 * uses it. */
CheckPlace check_place_of_declaration(const Check *check, const PtxVariable *variable) {
    CheckPlace place = {.file = ""};
    if (check->last_file) place.file = check->last_file;
    if (variable->declared_line > 0) place.line = variable->declared_line;
    return place;
}

CheckPlace check_place_of_launch(Check *check, const GpuLaunch *launch) {
    if (launch->spec.parent_pc) return check_place_of_pc(check, launch->spec.parent_pc);
    return check_place_of_site(check, launch->spec.site);
}

CheckPlace check_place_of_allocation(Check *check, const GpuAllocation *allocation) {
    if (allocation->variable) return check_place_of_declaration(check, allocation->variable);
    if (allocation->kind == GPU_ALLOC_DEVICE_HEAP)
        return check_place_of_pc(check, (uint32_t)allocation->alloc_site);
    return check_place_of_site(check, allocation->alloc_site);
}

GpuDim check_dim_of(uint64_t linear, GpuDim extent) {
    uint64_t x = 1;
    if (extent.x) x = extent.x;
    uint64_t y = 1;
    if (extent.y) y = extent.y;
    return (GpuDim){(uint32_t)(linear % x), (uint32_t)(linear / x % y), (uint32_t)(linear / (x * y))};
}

uint64_t check_dim_volume(GpuDim dim) {
    return (uint64_t)dim.x * dim.y * dim.z;
}

CheckParty check_party(Check *check, const GpuBlock *block, uint32_t linear_thread, uint32_t pc,
                       const char *what) {
    CheckParty party = {.place = check_place_of_pc(check, pc), .what = what, .has_thread = true};
    party.thread = gpu_thread_index(block, linear_thread);
    party.block = gpu_block_index(block);
    return party;
}

CheckParty check_party_at(Check *check, const GpuLaunch *launch, uint64_t block, uint32_t thread, uint32_t pc,
                          const char *what) {
    CheckParty party = {.place = check_place_of_pc(check, pc), .what = what, .has_thread = true};
    party.thread = check_dim_of(thread, launch->spec.block);
    party.block = check_dim_of(block, launch->spec.grid);
    return party;
}

const char *check_kernel_name(const GpuLaunch *launch) {
    if (!launch) return NULL;
    return gpu_kernel_function(launch->spec.kernel)->plain_name;
}
