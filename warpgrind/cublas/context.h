/* context.h - a cuBLAS handle, and how a call is refused. In the library's own C and CUDA alike.
 *
 * A call checks its arguments on the host (handle.c has the words), and launches kernels in the handle's
 * stream. They are launched where the program called: the runtime follows the stack out of this library
 * (cudart/client_site.c), and what a kernel finds is told at that line (check/findings/libraries.c).
 */
#pragma once

#include <cublas_v2.h>
#include <stdbool.h>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    unsigned number; /**< of the handle: which place its results are computed in (reduce.cu) */
};

#define CUBLAS_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/** Tells what is wrong with the argument, as a card's library does not, in words behind the function's name:
 * a finding at the call's line, or a line on stderr under another runtime than ours.
 * CUBLAS_STATUS_INVALID_VALUE. */
__attribute__((format(printf, 2, 3))) cublasStatus_t context_refuse(const char *function, const char *format,
                                                                    ...);
/** The same of a leading dimension, lda for the letter a. */
cublasStatus_t context_refuse_lead(const char *function, const char *letter, int lead, int rows);
/** The same for a result that is to go to the device, where the handle's pointers are on the host. */
cublasStatus_t context_refuse_side(const char *function);
/** Where there is none; CUBLAS_STATUS_NOT_INITIALIZED. */
cublasStatus_t context_no_handle(const char *function);
/** What this library lacks; CUBLAS_STATUS_NOT_SUPPORTED. */
__attribute__((format(printf, 2, 3))) cublasStatus_t context_lack(const char *function, const char *format,
                                                                  ...);
/** What the runtime made of the launch or copy. */
cublasStatus_t context_status(cudaError_t error);

#ifdef __cplusplus
}
#endif
