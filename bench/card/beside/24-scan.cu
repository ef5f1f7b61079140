/* The scan of lesson 24 by CUB. */
#include "library.h"

void inclusive_scan(int *d_out, const int *d_in, int n) {
    library_with_room([&](void *room, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(room, bytes, d_in, d_out, n);
    });
}
