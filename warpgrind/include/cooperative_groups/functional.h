/* functional.h - what two values become in cooperative_groups' reduce and scan. */
#ifndef WARPGRIND_COOPERATIVE_GROUPS_FUNCTIONAL_H
#define WARPGRIND_COOPERATIVE_GROUPS_FUNCTIONAL_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

#define WARPGRIND_CG_OPERATION(name, computed)                                                               \
    template <typename T> struct name {                                                                      \
        WARPGRIND_CG T operator()(const T &a, const T &b) const {                                            \
            return computed;                                                                                 \
        }                                                                                                    \
    };
WARPGRIND_CG_OPERATION(plus, a + b)
WARPGRIND_CG_OPERATION(less, warpgrind::chosen(b < a, b, a))
WARPGRIND_CG_OPERATION(greater, warpgrind::chosen(a < b, b, a))
WARPGRIND_CG_OPERATION(bit_and, a &b)
WARPGRIND_CG_OPERATION(bit_or, a | b)
WARPGRIND_CG_OPERATION(bit_xor, a ^ b)
#undef WARPGRIND_CG_OPERATION

} // namespace cooperative_groups

#endif
#endif
