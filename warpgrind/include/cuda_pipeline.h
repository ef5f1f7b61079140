/* cuda_pipeline.h - a name for cuda_pipeline_primitives.h; the classes of nvcuda::experimental are not here.
 */
#ifndef WARPGRIND_CUDA_PIPELINE_H
#define WARPGRIND_CUDA_PIPELINE_H
#include "cuda_pipeline_primitives.h"
#endif
