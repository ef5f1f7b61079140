/* cuda_pipeline_primitives.h - asynchronous copies from global to shared memory, by the thread that asks for
 * them.
 *
 * Source: CUDA C++ Programming Guide, Pipeline Primitives Interface; PTX ISA 9.7.9.25.
 */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

/* 4, 8 or 16 bytes, of which the last `zeros` are set to 0 and not read. */
__WARPGRIND_DEVICE__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                                  size_t zeros = 0) {
    const size_t target = __cvta_generic_to_shared(to), source = __cvta_generic_to_global(from);
    const unsigned int read = (unsigned int)(bytes - zeros);
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"l"(target), "l"(source), "r"(read)
                     : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"l"(target), "l"(source), "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"l"(target), "l"(source), "r"(read)
                     : "memory");
}
__WARPGRIND_DEVICE__ void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* The instruction wants a constant; more than seven stages are waited for all. */
__WARPGRIND_DEVICE__ void __pipeline_wait_prior(size_t stages) {
#define WARPGRIND_WAIT_PRIOR(n)                                                                              \
    case n:                                                                                                  \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory");                                            \
        break;
    switch (stages) {
        WARPGRIND_WAIT_PRIOR(1)
        WARPGRIND_WAIT_PRIOR(2)
        WARPGRIND_WAIT_PRIOR(3)
        WARPGRIND_WAIT_PRIOR(4)
        WARPGRIND_WAIT_PRIOR(5)
        WARPGRIND_WAIT_PRIOR(6)
        WARPGRIND_WAIT_PRIOR(7)
    default:
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#undef WARPGRIND_WAIT_PRIOR
}

#endif
#endif
