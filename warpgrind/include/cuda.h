/* cuda.h - the few names of the driver API that runtime programs use: the version, and types that are shared.
 *
 * LIMIT: no driver API functions; the software GPU speaks the Runtime API.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "cuda_runtime_api.h"
#include "driver_types.h"

#define CUDA_VERSION CUDART_VERSION

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

#endif
