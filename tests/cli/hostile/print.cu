// kind: limit
// says: printed far too much
#include <cstdio>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (;;)
        puts("hello");
}
