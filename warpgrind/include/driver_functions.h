/* driver_functions.h - makers of small structs. Also valid C. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

__WARPGRIND_HOST__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
    struct cudaPitchedPtr s = {d, p, xsz, ysz};
    return s;
}

__WARPGRIND_HOST__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos s = {x, y, z};
    return s;
}

__WARPGRIND_HOST__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
    struct cudaExtent s = {w, h, d};
    return s;
}

#endif
