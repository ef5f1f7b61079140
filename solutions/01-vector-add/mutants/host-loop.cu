// Wrong: the host adds; the GPU has no part in it.

#include <cuda_runtime.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { // expect: not-on-gpu
    for (int i = 0; i < n; i++)
        h_z[i] = h_x[i] + h_y[i];
}
// told: not-on-gpu
