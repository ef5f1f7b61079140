/* cuda_profiler_api.h - cudaProfilerStart and cudaProfilerStop are in cuda_runtime_api.h. */
#ifndef WARPGRIND_CUDA_PROFILER_API_H
#define WARPGRIND_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"
#endif
