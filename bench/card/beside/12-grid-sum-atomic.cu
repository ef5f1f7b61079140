/* The sum of lesson 12 by CUB. */
#include "library.h"

void grid_sum(float *d_out, const float *d_in, int n, int) {
    library_with_room(
        [&](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, d_in, d_out, n); });
}
