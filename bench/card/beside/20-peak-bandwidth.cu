/* The sum of lesson 20 by CUB. */
#include "library.h"

void peak_sum(float *d_out, const float *d_in, int n) {
    library_with_room(
        [&](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, d_in, d_out, n); });
}
