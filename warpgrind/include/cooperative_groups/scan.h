/* cooperative_groups/scan.h - for each member, the combination of the values of those before it (exclusive),
 * and of its own (inclusive).
 *
 * Within a warp by shuffles from lower ranks; between warps through the tile's places in shared memory.
 */
#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H

#include "functional.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

namespace warpgrind {

template <typename Group, typename T, typename Operation>
WARPGRIND_CG T scan_warp(const Group &group, T value, Operation operation) {
    for (unsigned int distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(value, distance);
        value = chosen(group.thread_rank() >= distance, operation(before, value), value);
    }
    return value;
}

} // namespace warpgrind

template <unsigned int Size, typename T, typename Operation>
WARPGRIND_CG T inclusive_scan(const warpgrind::tile<Size> &group, T value, Operation operation) {
    return warpgrind::scan_warp(group, value, operation);
}
template <typename T, typename Operation>
WARPGRIND_CG T inclusive_scan(const coalesced_group &group, T value, Operation operation) {
    return warpgrind::scan_warp(group, value, operation);
}
template <unsigned int Size, typename T, typename Operation>
WARPGRIND_CG T inclusive_scan(const warpgrind::wide_tile<Size> &group, T value, Operation operation) {
    const warpgrind::tile<32> warp(group.thread_rank(), Size);
    const unsigned int own = warp.meta_group_rank();
    value = warpgrind::scan_warp(warp, value, operation);
    if (warp.thread_rank() == 31) *group.template value_of<T>(own) = value;
    group.sync();
    if (own > 0) {
        T before = *group.template value_of<T>(0);
        for (unsigned int other = 1; other < own; other++)
            before = operation(before, *group.template value_of<T>(other));
        value = operation(before, value);
    }
    group.sync();
    return value;
}
template <typename Group, typename T> WARPGRIND_CG T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

namespace warpgrind {

/* The value of the member before; the first has T(). */
template <typename Group, typename T> WARPGRIND_CG T scan_shift_warp(const Group &group, T value) {
    const T before = group.shfl_up(value, 1);
    return chosen(group.thread_rank() == 0, T(), before);
}
template <unsigned int Size, typename T> WARPGRIND_CG T scan_shift(const tile<Size> &group, T value) {
    return scan_shift_warp(group, value);
}
template <typename T> WARPGRIND_CG T scan_shift(const coalesced_group &group, T value) {
    return scan_shift_warp(group, value);
}
template <unsigned int Size, typename T> WARPGRIND_CG T scan_shift(const wide_tile<Size> &group, T value) {
    const tile<32> warp(group.thread_rank(), Size);
    if (warp.thread_rank() == 31) *group.template value_of<T>(warp.meta_group_rank()) = value;
    group.sync();
    T before = warp.shfl_up(value, 1);
    if (warp.thread_rank() == 0)
        before = warp.meta_group_rank() > 0 ? *group.template value_of<T>(warp.meta_group_rank() - 1) : T();
    group.sync();
    return before;
}

} // namespace warpgrind

template <typename Group, typename T, typename Operation>
WARPGRIND_CG T exclusive_scan(const Group &group, T value, Operation operation) {
    return warpgrind::scan_shift(group, inclusive_scan(group, value, operation));
}
template <typename Group, typename T> WARPGRIND_CG T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
#endif
