/* cooperative_groups/reduce.h - the combination of all members' values, for every member.
 *
 * Within a warp by shuffles, from rank to rank; between warps through the tile's places in shared memory.
 */
#ifndef _COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H

#include "functional.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

template <unsigned int Size, typename T, typename Operation>
WARPGRIND_CG T reduce(const warpgrind::tile<Size> &group, T value, Operation operation) {
    for (unsigned int distance = Size / 2; distance > 0; distance /= 2)
        value = operation(value, group.shfl_xor(value, distance));
    return value;
}

template <typename T, typename Operation>
WARPGRIND_CG T reduce(const coalesced_group &group, T value, Operation operation) {
    const unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int distance = 1; distance < size; distance *= 2) {
        const T other = group.shfl_down(value, distance);
        const bool joins = (rank % (2 * distance) == 0) & (rank + distance < size);
        value = warpgrind::chosen(joins, operation(value, other), value);
    }
    return group.shfl(value, 0);
}

template <unsigned int Size, typename T, typename Operation>
WARPGRIND_CG T reduce(const warpgrind::wide_tile<Size> &group, T value, Operation operation) {
    const warpgrind::tile<32> warp(group.thread_rank(), Size);
    value = reduce(warp, value, operation);
    if (warp.thread_rank() == 0) *group.template value_of<T>(warp.meta_group_rank()) = value;
    group.sync();
    T result = *group.template value_of<T>(0);
    for (unsigned int other = 1; other < warpgrind::wide_tile<Size>::WARPS; other++)
        result = operation(result, *group.template value_of<T>(other));
    group.sync();
    return result;
}

/* The result goes to one place, written by one member; it is there after the group's next sync. */
template <typename Group, typename T, typename Operation>
WARPGRIND_CG void reduce_store_async(const Group &group, T *to, T value, Operation operation) {
    const T result = reduce(group, value, operation);
    if (group.thread_rank() == 0) *to = result;
}

} // namespace cooperative_groups

#endif
#endif
