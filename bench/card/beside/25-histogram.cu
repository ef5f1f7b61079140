/* The histogram of lesson 25 by CUB. */
#include "library.h"

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    library_with_room([&](void *room, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(room, bytes, d_data, d_bins, 257, 0, 256, n);
    });
}
