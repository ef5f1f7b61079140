/* cuda_device_runtime_api.h - what device code may call of the runtime.
 *
 * LIMIT: clang compiles no launches in device code, so there is nothing but what libraries name in the
 * branches that launch from kernels, and never reach.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#if defined(__cplusplus) && defined(__CUDA__)
extern "C" {
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                                        dim3 blockDimension, unsigned int sharedMemSize, cudaStream_t stream);
}
#endif

#endif
