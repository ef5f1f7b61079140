/* exec_address.c - a warp's addresses: made from a row, and looked at together, once for every processor
 * level. */
#include "gpu/exec_rows.h"

GpuAddresses EXEC_SYMBOL(exec_addresses);

unsigned EXEC_SYMBOL(exec_addresses)(uint64_t *address, const void *row, const GpuInstruction *ins,
                                     uint32_t mask, uint64_t step) {
    const U64 *wide = row;
    const U32 *narrow = row;
    const uint64_t offset = (uint64_t)ins->offset, window = gpu_window_start(ins);
    if (ins->address_width == 8)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            address[i] = wide[i] + offset;
    else
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            address[i] = (uint32_t)(narrow[i] + (uint32_t)offset);
    if (ins->wraps)
        for (unsigned i = 0; i < GPU_WARP_LANES; i++)
            address[i] = window | (uint32_t)address[i];
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint64_t lowest = address[first], start = lowest - first * step, apart = 0, different = 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        uint64_t active = 0 - (uint64_t)(mask >> i & 1);
        apart |= (address[i] ^ (start + i * step)) & active;
        different |= (address[i] ^ lowest) & active;
    }
    return (apart ? 0u : GPU_ADDRESSES_ADJACENT) | (different ? 0u : GPU_ADDRESSES_EQUAL);
}
