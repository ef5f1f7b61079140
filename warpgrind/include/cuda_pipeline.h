/* cuda_pipeline.h - a name for cuda_pipeline_primitives.h; the classes of nvcuda::experimental are not here.
 */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_pipeline_primitives.h"
#endif
