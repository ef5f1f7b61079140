/* with_cub.h - what warpcc precompiles for sources that include all of CUB. */
#ifndef WARPGRIND_WITH_CUB_H
#define WARPGRIND_WITH_CUB_H

#include "../cuda_runtime.h"

#include <cub/cub.cuh>

#endif
