/* math_functions.h - an inner header of NVIDIA's that programs name; all it has is in cuda_runtime.h. */
#ifndef WARPGRIND_CRT_MATH_FUNCTIONS_H
#define WARPGRIND_CRT_MATH_FUNCTIONS_H

#include "../cuda_runtime.h"

#endif
