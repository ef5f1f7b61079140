/* cuda_profiler_api.h - cudaProfilerStart and cudaProfilerStop are in cuda_runtime_api.h. */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime_api.h"
#endif
